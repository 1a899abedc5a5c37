package limit

import (
	"context"
	"time"
)

// Want is what a request needs of one limit that several Weirs share.
type Want struct {
	Of    Kind
	ID    string // of the key, the team or the target, or the name of the model
	What  What
	Limit int64
	Units int64 // 1 for Requests and Concurrent. Of tokens, all is enough if that is fewer
}

// Source counts limits for several Weirs together. Without one, a Table counts alone, and all that is left is granted at once. A Source may be called
// concurrently. Only Take and Learn wait for anything, and only for a moment.
type Source interface {
	// Take takes all that is wanted, or nothing. What it took is to be settled.
	Take(wants []Want) (Grant, Lack)

	// Expect says that a request is about to take of limits that may be new to the source, so that it may ask for some of them with what it asks next.
	Expect(wants []Want)

	// Lacks is how long it takes until what is wanted is there, as far as is known; 0 if it may be there now.
	Lacks(wants []Want) time.Duration

	// Left is what is left of a limit for all, as far as is known, and how long it takes until all is back.
	Left(want *Want) (left int64, reset time.Duration)

	// Learn finds out how limits stand, so that Left knows.
	Learn(ctx context.Context, wants []Want)

	// Weirs is how many share the limits, 1 at least.
	Weirs() int64
}

// Grant is what a Source has granted.
type Grant interface {
	// Settle ends it: of each of the wants, so many units were used, and those of Concurrent are free again. It is called once.
	Settle(used []int64)
}

// Lack says why nothing is granted.
type Lack struct {
	Of         int           // which of the wants
	Wait       time.Duration // how long it takes until this is there, if no other request comes. For Concurrent it is a guess
	Unanswered bool          // it cannot be found out at the moment
}

// Expect says that a request with these claims is about to be admitted, after something else that others have to be asked for.
func (t *Table) Expect(claims *Claims) {
	if t.source == nil {
		return
	}
	if wants := wantsOf(nil, claims, 0); len(wants) > 0 {
		t.source.Expect(wants)
	}
}

// granted is what a request has of a source.
type granted struct {
	grant Grant
	wants []Want
}

// NewShared returns a table whose limits a source counts, nil for none.
func NewShared(source Source) *Table {
	t := NewTable()
	t.source = source
	return t
}

// wantsOf appends what a request needs of the claims.
func wantsOf(to []Want, claims *Claims, tokens int64) []Want {
	for i := range claims {
		c := &claims[i]
		if c.ID == "" {
			continue
		}
		for what, units := range [...]int64{Requests: 1, Tokens: tokens, Concurrent: 1} {
			if n := c.Limits.of(What(what)); n > 0 {
				to = append(to, Want{Of: Kind(i), ID: c.ID, What: What(what), Limit: n, Units: units})
			}
		}
	}
	return to
}

// admitShared is Admit with a source.
func (t *Table) admitShared(a *Admission, claims *Claims, tokens int64) (refused Refusal, ok bool) {
	wants := wantsOf(nil, claims, tokens)
	grant, lack := t.source.Take(wants)
	if grant == nil {
		w := &wants[lack.Of]
		return Refusal{Of: w.Of, What: w.What, Limit: w.Limit, Wait: lack.Wait, Unanswered: lack.Unanswered}, false
	}
	*a = Admission{table: t, shared: &granted{grant, wants}}
	return Refusal{}, true
}

// settleShared is Settle with a source.
func (a *Admission) settleShared(tokens int64) {
	of := a.shared
	used := make([]int64, len(of.wants))
	if a.begun {
		for i := range used {
			if used[i] = 1; of.wants[i].What == Tokens {
				used[i] = tokens
			}
		}
	}
	*a = Admission{}
	of.grant.Settle(used)
}

// statesShared is States with a source.
func (t *Table) statesShared(to []State, claims *Claims) []State {
	var room [int(kinds) * int(whats)]Want
	return leftOf(to, t.source, wantsOf(room[:0], claims, 0))
}

// Learn finds out how limits stand, so that States knows. A table that counts alone knows.
func (t *Table) Learn(ctx context.Context, all []Claims) {
	if t.source == nil {
		return
	}
	var wants []Want
	for i := range all {
		wants = wantsOf(wants, &all[i], 0)
	}
	if len(wants) > 0 {
		t.source.Learn(ctx, wants)
	}
}

// Share has a quota be counted by a source, under an id. It is called before the quota is used.
func (q *Quota) Share(source Source, id string) { q.source, q.id = source, id }

// wants is what a request and so many tokens need of a quota.
func (q *Quota) wants(rates Rates, tokens int64) []Want {
	wants := make([]Want, 0, 2)
	if n := rates.Requests; n > 0 {
		wants = append(wants, Want{Of: OfTarget, ID: q.id, What: Requests, Limit: n, Units: 1})
	}
	if n := rates.Tokens; n > 0 {
		wants = append(wants, Want{Of: OfTarget, ID: q.id, What: Tokens, Limit: n, Units: tokens})
	}
	return wants
}

// takeShared is Take with a source.
func (q *Quota) takeShared(rates Rates, tokens int64) (t Taken, ok bool) {
	t.rates = rates
	t.grant, _ = q.source.Take(q.wants(rates, tokens))
	return t, t.grant != nil
}

// settleShared is Settle with a source.
func (t *Taken) settleShared(requests, tokens int64) {
	used := make([]int64, 0, 2)
	if t.rates.Requests > 0 {
		used = append(used, requests)
	}
	if t.rates.Tokens > 0 {
		used = append(used, tokens)
	}
	grant := t.grant
	*t = Taken{}
	grant.Settle(used)
}

// statesShared is States with a source.
func (q *Quota) statesShared(ctx context.Context, to []State, rates Rates) []State {
	wants := q.wants(rates, 0)
	if len(wants) > 0 {
		q.source.Learn(ctx, wants)
	}
	return leftOf(to, q.source, wants)
}

// leftOf appends what is left of limits that a source counts.
func leftOf(to []State, source Source, wants []Want) []State {
	for i := range wants {
		w := &wants[i]
		left, reset := source.Left(w)
		to = append(to, State{Of: w.Of, What: w.What, Limit: w.Limit, Remaining: left, Reset: reset})
	}
	return to
}
