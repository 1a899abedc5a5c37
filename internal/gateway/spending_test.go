package gateway

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
)

// slow is a database that others share, which answers after a while what was spent, and says at once that it is there.
type slow struct {
	budget.Shares // nothing else is called

	after time.Duration
	asked int
	panic bool
}

func (s *slow) While(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

func (s *slow) Prepare(ctx context.Context, _ []budget.Want) error {
	s.asked++
	if s.panic {
		panic("of the store")
	}
	select {
	case <-time.After(s.after):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *slow) Used(budget.Shared) int64 { return 0 }

// spendingOf is a gateway's spending, and the terms of one key.
func spendingOf(t *testing.T, shares *slow) (*spending, map[budget.Owner]terms) {
	t.Helper()
	spec, err := budget.Parse("5usd/day")
	if err != nil {
		t.Fatal(err)
	}
	policy := &budget.Policy{Budgets: []budget.Spec{spec}}
	s := &spending{book: budget.NewShared(time.UTC, shares, func(budget.Warning) {}), inForce: map[budget.Owner]*budget.Policy{}, wanted: map[budget.Owner]terms{}}
	return s, map[budget.Owner]terms{{Kind: budget.Key, ID: "k"}: func() (*budget.Policy, auth.Version) { return policy, 1 }}
}

// A request waits for a second at most for what it shares with others, however long that takes, and what it waited for is there for the next one.
func TestABudgetIsWaitedForBriefly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shares := &slow{after: 5 * time.Second}
		s, own := spendingOf(t, shares)
		for range 3 { // as requests come one after the other
			began := time.Now()
			if err := s.set(t.Context(), own); err == nil || time.Since(began) != sharedWithin {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
		}
		time.Sleep(shares.after)
		if err := s.set(t.Context(), own); err != nil || shares.asked != 1 {
			t.Errorf("asked %d times: %v", shares.asked, err)
		}
	})
}

// A panic of what reads budgets ends no program, and no request waits for it for ever.
func TestAPanicWhileBudgetsAreRead(t *testing.T) {
	t.Parallel()
	shares := &slow{panic: true}
	s, own := spendingOf(t, shares)
	if err := s.set(t.Context(), own); err == nil || err.Error() != "panic: of the store" {
		t.Error(err)
	}
	if shares.panic = false; s.set(t.Context(), own) != nil {
		t.Error("budgets cannot be brought into force after a panic")
	}
}
