package limit

import (
	"context"
	"sync"
	"time"
)

// Rates are what may be used in a minute; 0 is no limit.
type Rates struct {
	Requests int64
	Tokens   int64
}

// Quota is what was used of rates that belong to no caller, such as those that a vendor allows at a target. What is allowed is passed with
// every call, because the config may change. The zero Quota is unused. It is safe for concurrent use.
type Quota struct {
	source Source // nil: this Weir counts alone, in what follows
	id     string

	mu       sync.Mutex // guards the rest
	requests bucket
	tokens   bucket
}

// Taken is what was taken of a Quota. The zero value is nothing.
type Taken struct {
	rates            Rates
	requests, tokens charge
	grant            Grant // with a source
}

// Wait is how long it takes until a request and so many tokens, or all if these are fewer, are there, if no other request comes; 0 if they
// are there now.
func (q *Quota) Wait(rates Rates, tokens int64, now Instant) time.Duration {
	if q.source != nil {
		return q.source.Lacks(q.wants(rates, tokens))
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.wait(rates, tokens, now)
}

// wait is Wait. The lock is held.
func (q *Quota) wait(rates Rates, tokens int64, now Instant) time.Duration {
	longest := Instant(0)
	if n := rates.Requests; n > 0 {
		longest = max(longest, q.requests.of(n).wait(1, now))
	}
	if n := rates.Tokens; n > 0 {
		longest = max(longest, q.tokens.of(n).wait(tokens, now))
	}
	return time.Duration(longest)
}

// Take takes a request and so many tokens, though at most all, or nothing if these are not there. What it took is to be settled.
func (q *Quota) Take(rates Rates, tokens int64, now Instant) (t Taken, ok bool) {
	if q.source != nil {
		return q.takeShared(rates, tokens)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.wait(rates, tokens, now) > 0 {
		return Taken{}, false
	}
	t.rates = rates
	if n := rates.Requests; n > 0 {
		t.requests = q.requests.of(n).hold(1)
		q.requests.take(&t.requests, now)
	}
	if n := rates.Tokens; n > 0 {
		t.tokens = q.tokens.of(n).hold(tokens)
		q.tokens.take(&t.tokens, now)
	}
	return t, true
}

// Settle corrects what was taken to what was used. That may be more, even more than there is, which delays others.
func (q *Quota) Settle(t *Taken, requests, tokens int64, now Instant) {
	if t.grant != nil {
		t.settleShared(requests, tokens)
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := t.rates.Requests; n > 0 {
		b := q.requests.of(n)
		b.settle(&t.requests, b.worth(requests), now)
	}
	if n := t.rates.Tokens; n > 0 {
		b := q.tokens.of(n)
		b.settle(&t.tokens, b.worth(tokens), now)
	}
	*t = Taken{}
}

// Rests reports whether the quota is as good as an unused one. What was taken and is not settled does not matter.
func (q *Quota) Rests(now Instant) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.requests.rests(now) && q.tokens.rests(now) // with a source nothing was taken here
}

// States appends the state of each of the rates to a list. Where Weirs share them, they are asked for first, which takes a moment.
func (q *Quota) States(ctx context.Context, to []State, rates Rates, now Instant) []State {
	if q.source != nil {
		return q.statesShared(ctx, to, rates)
	}
	q.mu.Lock()
	requests, tokens := q.requests, q.tokens
	q.mu.Unlock()
	if n := rates.Requests; n > 0 {
		to = append(to, State{OfTarget, Requests, n, requests.of(n).left(now), time.Duration(requests.owed(now))})
	}
	if n := rates.Tokens; n > 0 {
		to = append(to, State{OfTarget, Tokens, n, tokens.of(n).left(now), time.Duration(tokens.owed(now))})
	}
	return to
}
