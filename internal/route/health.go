package route

import (
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/limit"
)

// Health is what is known of one target: from the attempts that were made for callers, for no others are made. It is safe
// for concurrent use.
type Health struct {
	gate limit.Gate // if the target is bounded by itself

	mu       sync.Mutex // guards the rest
	breaker  breaker
	speed    speed
	rest     rest
	inFlight int
	used     time.Time // the last attempt's beginning or end
	kept     bool      // a table holds on to it
}

// State is how the target's breaker stands. It changes nothing.
func (h *Health) State(now time.Time) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.breaker.state(now)
}

// Begin asks to make an attempt, and counts it as in flight if that is ok: then End must be called exactly once. A probe
// is an attempt at a target that failed; there is one at a time, and for all others it is not ok.
func (h *Health) Begin(now time.Time) (ok bool, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ok, pass = h.breaker.begin(now)
	if ok {
		h.inFlight++
		h.used = now
		h.speed.begin(now)
	}
	return ok, pass
}

// End is told how an attempt ended that Begin let pass.
func (h *Health) End(now time.Time, caller uint64, o Outcome, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.inFlight = max(h.inFlight-1, 0)
	h.used = now
	h.breaker.end(now, caller, o, pass)
	h.speed.ended(now, caller, o)
}

// Silence is how long nothing was answered to a request until its caller gave up.
type Silence struct {
	Lasted time.Duration
	Whole  bool // a complete answer was waited for, not the first content of a stream
}

// EndSilent is End for an attempt that was given up by its caller, who had waited so long and had nothing. That says nothing of the
// target, unless it is far longer than it has ever taken, and nobody else is answered either: then it is a timeout, which an upstream
// that hangs would else have after minutes only, for which few callers wait.
func (h *Health) EndSilent(now time.Time, caller uint64, silence Silence, pass Pass) {
	h.mu.Lock()
	o := h.speed.silent(caller, silence)
	h.mu.Unlock()
	h.End(now, caller, o, pass)
}

// Heard is told the time from the dispatch of an attempt to the first content of its answer.
func (h *Health) Heard(now time.Time, first time.Duration, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.breaker.content(now, pass)
	h.speed.heard(now, first)
}

// Whole is told of an answer that came all at once, and the time that it took.
func (h *Health) Whole(now time.Time, took time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.speed.whole(now, took)
}

// Waited is told for how long there was no content. It would have come even later, but that is better than not to learn from
// those who are late.
func (h *Health) Waited(now time.Time, least time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.speed.waited(now, least)
}

// Rest is told until when the target asked to be left alone; the zero time means that it did not say. A minute is the most
// that it gets.
func (h *Health) Rest(until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rest.extend(until)
}

// Limited is told that the target is at its rate limit, and until when. Where it has not said so itself, that is Rest only if it happens in
// a row: a single request may be too large for a limit.
func (h *Health) Limited(until time.Time, said bool, caller uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if said || h.speed.limits.add(caller) {
		h.rest.extend(until)
	}
}

// Resting reports whether the target asked to be left alone. It may be tried all the same, after the others.
func (h *Health) Resting(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rest.left(now) > 0
}

// InFlight is how many attempts have begun and not ended.
func (h *Health) InFlight() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.inFlight
}

// Score tells how fast the target is, for the policy that prefers the fastest: its time to the first content in seconds,
// in which attempts in vain count as long ones. A target that was not asked for long scores low enough to be tried.
func (h *Health) Score(now time.Time) float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.speed.score(now)
}

// Late is the time after which the first content of an answer is late: 95 % of the last answers (up to 64) had it by then.
// It is not known until there were twenty.
func (h *Health) Late() (d time.Duration, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.speed.firsts.late()
}

// release lets a breaker that is open try at once.
func (h *Health) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.breaker.open {
		h.breaker.since = time.Time{}
	}
}

// keep has it never be quiet.
func (h *Health) keep() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept = true
}

// lastUsed is when an attempt last began or ended.
func (h *Health) lastUsed() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.used
}

// quiet reports whether nothing is lost that matters if all is forgotten. A breaker that nobody asked since it may let a
// probe pass is not kept for ever.
func (h *Health) quiet(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	open := h.breaker.open && near(now, h.breaker.since, h.breaker.pause+calm)
	return !h.kept && h.inFlight == 0 && h.gate.Inside() == 0 && !open && h.rest.left(now) == 0
}
