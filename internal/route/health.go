package route

import (
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/limit"
)

// Health is what is known of one target. It comes only from attempts that were made for callers. It is safe for concurrent
// use.
type Health struct {
	gate limit.Gate // if the target has its own limit

	mu       sync.Mutex // guards the rest
	breaker  breaker
	speed    speed
	rest     sharedRest
	inFlight int
	used     time.Time // the last attempt's beginning or end
	kept     bool      // a table holds on to it
	quota    *quota    // nil until it is asked for, which only targets with rates are

	source limit.Source // counts the quota for several Weirs, nil for none
	id     string       // of the quota there
}

// State is the state of the target's breaker for keys without a history. It changes nothing.
func (h *Health) State(now time.Time) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.breaker.all.state(now)
}

// meets is what an attempt of a key would meet: closed if it passes, whatever befalls others. It changes nothing.
func (h *Health) meets(now time.Time, caller uint64) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.breaker.state(now, h.breaker.keys.find(caller))
}

// Begin asks to make an attempt for a key. If ok, the attempt counts as in flight, and End must be called exactly once. A probe is
// an attempt at a target that failed; there is one at a time. last says that the request has no other target left. Then a key that
// is not known to fail at the target tries it, even if it fails for others.
func (h *Health) Begin(now time.Time, caller uint64, last bool) (ok bool, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ok, pass = h.breaker.begin(now, caller, last)
	if ok {
		h.inFlight++
		h.used = now
		h.speed.begin(now)
		pass.rest = h.rest.turn
	}
	return ok, pass
}

// End records how an attempt ended that Begin let pass.
func (h *Health) End(now time.Time, o Outcome, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end(now, o, pass)
}

func (h *Health) end(now time.Time, o Outcome, pass Pass) {
	h.inFlight = max(h.inFlight-1, 0)
	h.used = now
	h.breaker.end(now, o, pass)
	h.speed.ended(now, o, pass.key)
	if o == Answered && pass.key != nil {
		pass.key.limits = 0
		h.rest.answered(pass)
	}
}

// Silence is how long nothing was answered to a request until its caller gave up.
type Silence struct {
	Lasted time.Duration
	Whole  bool // a complete answer was waited for, not the first content of a stream
}

// endSilent is End for an attempt that was given up by its caller, who had waited so long and had nothing. That says nothing of the
// target unless it is far longer than usual: then it counts as a timeout. Otherwise a hanging upstream would time out only after
// minutes, and few callers wait that long.
func (h *Health) endSilent(now time.Time, silence Silence, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end(now, h.speed.silent(silence), pass)
}

// heard records the time from the dispatch of an attempt to the first content of its answer.
func (h *Health) heard(now time.Time, first time.Duration, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.breaker.content(now, pass)
	h.speed.heard(now, first, pass.key)
}

// whole notes an answer that came all at once, and the time that it took.
func (h *Health) whole(now time.Time, took time.Duration, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.speed.whole(now, took, pass.key)
}

// waited records for how long no content came. It would have come even later, but that is better than not to learn from
// those who are late.
func (h *Health) waited(now time.Time, least time.Duration, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.speed.waited(now, least, pass.key)
}

// restUntil records until when the target asked, in answer to an attempt, to be left alone; the zero time means that it did not say. A
// minute is the most that it gets. An answer to another key, whose attempt began later, shows that this held for the one key alone.
func (h *Health) restUntil(now, until time.Time, pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.restFor(now, until, pass)
	h.rest.begin(until, pass)
}

// restFor has the target rest for a key alone.
func (h *Health) restFor(now, until time.Time, pass Pass) {
	if pass.key != nil {
		pass.key.rest.extend(until)
		pass.key.rest.left(now) // it begins now
		h.breaker.ill = true
	}
}

// limited records that the target is at its rate limit, and until when. If the target did not give a time, it rests only if most
// keys are limited, or one key very often in a row, which then rests alone. One limit is not enough, because a single request
// may be too large for it.
func (h *Health) limited(now, until time.Time, said bool, pass Pass) {
	if said {
		h.restUntil(now, until, pass)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := pass.key; s != nil {
		if s.limits++; s.limits >= enoughOfOne {
			h.restFor(now, until, pass)
		}
	}
	var limited poll
	for _, r := range h.breaker.keys.of {
		if near(now, r.used, evidence) {
			limited.count(r.value.limits > 0)
		}
	}
	if limited.most() {
		h.rest.begin(until, pass)
		h.rest.left(now)
	}
}

// resting reports whether the target asked to be left alone, by all or by this key. It may be tried all the same, after the others.
func (h *Health) resting(now time.Time, caller uint64) bool {
	return h.restLeft(now, caller) > 0
}

func (h *Health) restLeft(now time.Time, caller uint64) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.left(now, h.breaker.keys.find(caller))
}

// left is how much of the rest is left for a key; s may be nil.
func (h *Health) left(now time.Time, s *standing) time.Duration {
	left := h.rest.left(now)
	if s != nil {
		left = max(left, s.rest.left(now))
	}
	return left
}

// refusesUsage reports whether the target is known to refuse stream_options in requests of the key.
func (h *Health) refusesUsage(pass Pass) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return pass.key != nil && pass.key.wordless
}

// refusedUsage notes that it does.
func (h *Health) refusedUsage(pass Pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if pass.key != nil {
		pass.key.wordless = true
	}
}

// InFlight is how many attempts have begun and not ended.
func (h *Health) InFlight() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.inFlight
}

// Score says how fast the target is for a key, for the policy that prefers the fastest. It is the time to the first content in
// seconds; failed attempts count as long ones. A target that was not asked for long scores low enough to be tried.
func (h *Health) Score(now time.Time, caller uint64) float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.speed.mean(now, h.breaker.keys.find(caller)) * h.speed.fresh(now)
}

// late is the time after which the first content counts as late: 95 % of the last answers (up to 64) had it by then. It is
// not known until there were twenty.
func (h *Health) late() (d time.Duration, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.speed.firsts.late()
}

// release lets breakers that are open try at once, and forgets what the upstream was found to refuse.
func (h *Health) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.breaker.all.release()
	for _, r := range h.breaker.keys.of {
		r.value.own.release()
		r.value.streak, r.value.wordless = 0, false
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

// quiet reports whether nothing is lost that matters if all is forgotten. A breaker that was not asked since it may let a
// probe pass is not kept for ever.
func (h *Health) quiet(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.kept && h.inFlight == 0 && (h.quota == nil || h.quota.Rests(h.quota.at(now))) && h.gate.Inside() == 0 && !h.breaker.matters(now) && h.rest.left(now) == 0
}
