package app

import (
	"context"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/replica"
)

// sharedLimits are the limits that replicas count together. It implements limit.Source. Before this Weir is among the others, it counts alone.
type sharedLimits struct {
	sharing *sharing
	alone   *replica.Desk
}

func (s sharedLimits) desk() *replica.Desk {
	if j := s.sharing.joined.Load(); j != nil {
		return j.desk
	}
	return s.alone
}

// limitOf is what a request needs, as the replica has it.
func limitOf(w *limit.Want) replica.Limit {
	return replica.Limit{
		Subject: escrow.Subject(w.Of.String() + "/" + w.What.String() + "/" + w.ID),
		Most:    w.Limit, Units: w.Units, AtOnce: w.What == limit.Concurrent,
	}
}

func limitsFor(wants []limit.Want) []replica.Limit {
	list := make([]replica.Limit, len(wants))
	for i := range wants {
		list[i] = limitOf(&wants[i])
	}
	return list
}

func (s sharedLimits) Take(wants []limit.Want) (limit.Grant, limit.Lack) {
	entry, lack := s.desk().Enter(context.Background(), limitsFor(wants)) // which waits for a short while at most
	if entry == nil {
		return nil, limit.Lack(lack)
	}
	return entry, limit.Lack{}
}

func (s sharedLimits) Expect(wants []limit.Want) { s.desk().Expect(limitsFor(wants)) }

func (s sharedLimits) Lacks(wants []limit.Want) time.Duration {
	return s.desk().Lacks(limitsFor(wants))
}

func (s sharedLimits) Left(want *limit.Want) (left int64, reset time.Duration) {
	l := limitOf(want)
	return s.desk().Left(&l)
}

func (s sharedLimits) Learn(ctx context.Context, wants []limit.Want) {
	s.desk().Inquire(ctx, limitsFor(wants))
}

func (s sharedLimits) Weirs() int64 { return s.desk().Replicas() }
