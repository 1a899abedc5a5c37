package route

import "time"

// Phase is what a breaker does with attempts.
type Phase uint8

// The phases.
const (
	Closed Phase = iota // lets all pass
	Open                // lets none pass
	Trying              // lets one pass at a time, whose outcome decides
)

// String is the word in logs and metrics.
func (p Phase) String() string { return [...]string{"closed", "open", "trying"}[p] }

// State is how a breaker stands.
type State struct {
	Phase Phase
	Until time.Time // of Open: when it will let one pass
}

// The law of breakers: they open when at least half of the attempts of the last ten seconds failed, if these were
// enough to tell; callers who fail all alone may be the reason themselves, so theirs must be more.
const (
	enough      = 5  // attempts, if those of several callers failed
	enoughOfOne = 10 // whoever made them

	firstPause   = time.Second
	longestPause = 30 * time.Second
	calm         = time.Minute      // closed for so long, it opens for firstPause again
	patience     = 30 * time.Second // with a probe; then another may go, for one may hang for minutes
)

// Pass is what Begin gives for an attempt, and End takes back.
type Pass struct {
	Probe bool   // whether its outcome decides if the target is well again
	turn  uint32 // of the breaker, when it began
}

// breaker keeps attempts away from a target that fails. It is not safe for concurrent use.
type breaker struct {
	turn   uint32 // goes on whenever it opens, and with each probe
	heard  uint32 // the turn of the last probe that was answered: how it and earlier ones end decides nothing
	open   bool
	since  time.Time     // it is open, or closed again
	pause  time.Duration // the last time that it was open, before probes; 0 if it never was
	probed time.Time     // when the probe that is under way began; zero if none is
	window recent[tally] // while it is closed
}

// tally is what happened in a second.
type tally struct {
	attempts, failures uint32
	failer             uint64 // whose attempt failed first
	several            bool   // somebody else's failed too
}

func (b *breaker) state(now time.Time) State {
	switch {
	case !b.open:
		return State{Phase: Closed}
	case near(now, b.since, b.pause):
		return State{Phase: Open, Until: b.since.Add(b.pause)}
	default:
		return State{Phase: Trying}
	}
}

// passes reports whether begin lets an attempt pass: not while it is open, nor beside a probe.
func (b *breaker) passes(now time.Time) bool {
	return !b.open || !near(now, b.since, b.pause) && !near(now, b.probed, patience)
}

// begin reports whether an attempt may be made.
func (b *breaker) begin(now time.Time) (ok bool, pass Pass) {
	switch {
	case !b.passes(now):
		return false, Pass{}
	case !b.open:
		return true, Pass{turn: b.turn}
	}
	b.probed = now
	b.turn++
	return true, Pass{turn: b.turn, Probe: true}
}

// content is told that an attempt is being answered. For a probe that settles it: answers take their time, and nobody need
// wait for the end of this one.
func (b *breaker) content(now time.Time, pass Pass) {
	if !pass.Probe {
		return
	}
	b.heard = max(b.heard, pass.turn)
	if b.open {
		b.close(now)
	}
}

// end is told the outcome of each attempt that begin let pass. Those that began before it last opened say nothing of how
// the target is by now, and are not counted: after an outage they may go on to fail for as long as requests wait. Of
// probes that were overtaken only success counts.
func (b *breaker) end(now time.Time, caller uint64, o Outcome, pass Pass) {
	counts, failed := o.counts()
	if o == Lost && pass.Probe && b.open { // it was late: the target is not well yet, and others should not wait for it as well
		counts, failed = true, true
	}
	current := pass.turn == b.turn
	if pass.Probe && current {
		b.probed = time.Time{}
	}
	switch {
	case !counts:
	case !b.open && current:
		b.note(now, caller, failed)
	case !b.open || !pass.Probe || pass.turn <= b.heard:
	case !failed:
		b.close(now)
	case current:
		b.reopen(now)
	}
}

// note counts an attempt while the breaker is closed.
func (b *breaker) note(now time.Time, caller uint64, failed bool) {
	second := b.window.at(now)
	second.attempts++
	if !failed {
		return
	}
	second.fail(caller)
	if !b.failing() {
		return
	}
	if !near(now, b.since, calm) {
		b.pause = 0
	}
	b.reopen(now)
}

// reopen opens it for twice as long as the last time. That is so as well if it was closed for a moment: a target that
// answers probes and then fails again is no better than one that does not answer them.
func (b *breaker) reopen(now time.Time) {
	b.open, b.since, b.probed = true, now, time.Time{}
	b.turn++
	b.pause = min(max(2*b.pause, firstPause), longestPause)
}

func (b *breaker) close(now time.Time) {
	b.open, b.since = false, now
	b.window.forget()
}

// failing reports whether the attempts of the window are enough to open.
func (b *breaker) failing() bool {
	var all tally
	for i := range b.window.buckets {
		all.add(&b.window.buckets[i])
	}
	return 2*all.failures >= all.attempts && (all.attempts >= enoughOfOne || all.attempts >= enough && all.several)
}

// fail counts the failure of an attempt that is counted already.
func (t *tally) fail(caller uint64) {
	t.add(&tally{failures: 1, failer: caller})
}

// add adds what happened in another second.
func (t *tally) add(o *tally) {
	if o.failures > 0 {
		if t.failures == 0 {
			t.failer = o.failer
		}
		t.several = t.several || o.several || t.failer != o.failer
	}
	t.attempts += o.attempts
	t.failures += o.failures
}

// counts reports whether a breaker counts an attempt that ended so, and whether as a failure. What the caller or Weir
// ended says nothing of the target, and an answer that cannot be read shows that it is alive.
func (o Outcome) counts() (attempt, failure bool) {
	switch o {
	case Skipped, Malformed, Crowded, Canceled, Lost:
		return false, false
	case Unreachable, TimedOut, Failed, Overloaded:
		return true, true
	default:
		return true, false
	}
}
