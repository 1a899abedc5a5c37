package route

import (
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/usual"
)

// quota is what was used of what a vendor allows a target in a minute, in whatever models the target appears.
type quota struct {
	limit.Quota
	began time.Time // where its clock starts

	mu      sync.Mutex // guards answers
	answers usual.Answers
}

func (q *quota) at(now time.Time) limit.Instant { return limit.Instant(now.Sub(q.began)) }

// needs is about how many tokens a request takes.
func (q *quota) needs(ask *Ask) int64 {
	q.mu.Lock()
	most := q.answers.Most()
	q.mu.Unlock()
	return usual.Request(int64(ask.Prompt), most, int64(ask.Output), int64(ask.Answers))
}

// Used is what an attempt used of its target.
type Used struct {
	Calls         int64 // that were sent
	Input, Output int64 // tokens
}

// Metered reports whether the target may only have so much in a minute.
func (t *Target) Metered() bool { return t.Rates != limit.Rates{} }

// metered is the quota of a target.
func (h *Health) metered(now time.Time) *quota {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.quota == nil {
		h.quota = &quota{began: now}
		h.quota.Share(h.source, h.id)
	}
	return h.quota
}

// window is how long it is until the step's target may have the request, as far as that is for its rates; 0 if it may now.
func (s *Step) window(ask *Ask, now time.Time) time.Duration {
	if !s.Metered() {
		return 0
	}
	q := s.health.metered(now)
	return q.Wait(s.Rates, q.needs(ask), q.at(now))
}

// meter takes what the request likely needs of the rates of a step's target, nil without rates. It is settled when the attempt has ended.
func (a *Attempts) meter(s *Step, now time.Time) (taken *limit.Taken, ok bool) {
	if !s.Metered() {
		return nil, true
	}
	q := s.health.metered(now)
	of, ok := q.Take(s.Rates, q.needs(a.ask), q.at(now))
	return &of, ok
}

// used settles that. An attempt that made no call has used nothing.
func (a *Attempts) used(s *Step, taken *limit.Taken, used Used, o Outcome, now time.Time) {
	if taken == nil {
		return
	}
	q := s.health.metered(now)
	q.Settle(taken, used.Calls, used.Input+used.Output, q.at(now))
	if o == Answered && used.Output > 0 {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.answers.Ended(used.Output, int64(a.ask.Answers))
	}
}

// guess is how long it takes until one of a target's requests ends.
const guess = time.Second

// Room is how long it is until one of the targets that were passed over because they were full may have the request. Where running requests
// take the places it is a guess.
func (a *Attempts) Room(now time.Time) (wait time.Duration, ok bool) {
	for i := a.barred; i < len(a.steps); i++ {
		s := &a.steps[i]
		if s.Skip != Full {
			continue
		}
		left := s.window(a.ask, now)
		if left == 0 || a.route.Board.full(s) {
			left = max(left, guess)
		}
		if !ok || left < wait {
			wait, ok = left, true
		}
	}
	return wait, ok
}
