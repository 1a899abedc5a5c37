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

// State is the state of a breaker.
type State struct {
	Phase Phase
	Until time.Time // if Open: when it will let one pass
}

const (
	firstPause   = time.Second
	longestPause = 30 * time.Second
	calm         = time.Minute      // closed for so long, it opens for firstPause again
	patience     = 30 * time.Second // with a probe; then another may go, because one may hang for minutes
)

// circuit is the part of a breaker that opens, waits, lets probes pass and closes again. What makes it open is its owner's
// affair. The zero value is closed. It is not safe for concurrent use.
type circuit struct {
	turn   uint32 // goes on whenever it opens, and with each probe
	heard  uint32 // the turn of the last probe that was answered: how it and earlier ones end decides nothing
	open   bool
	since  time.Time     // it is open, or closed again
	pause  time.Duration // the last time that it was open, before probes; 0 if it never was
	probed time.Time     // when the probe that is under way began; zero without one
}

// ticket is what an attempt remembers of a circuit that let it pass.
type ticket struct {
	turn  uint32
	probe bool
}

func (c *circuit) state(now time.Time) State {
	switch {
	case !c.open:
		return State{Phase: Closed}
	case near(now, c.since, c.pause):
		return State{Phase: Open, Until: c.since.Add(c.pause)}
	default:
		return State{Phase: Trying}
	}
}

// passes reports whether an attempt may pass: not while the circuit is open, and not during a probe.
func (c *circuit) passes(now time.Time) bool {
	return !c.open || !near(now, c.since, c.pause) && !near(now, c.probed, patience)
}

// begin lets an attempt pass. It is a probe if the circuit is open and lets one pass.
func (c *circuit) begin(now time.Time) ticket {
	if !c.open || !c.passes(now) {
		return ticket{turn: c.turn}
	}
	c.probed = now
	c.turn++
	return ticket{turn: c.turn, probe: true}
}

// counts reports whether the outcome of an attempt says how its target is by now: not if the circuit has opened since it began.
func (c *circuit) counts(t ticket) bool { return !c.open && t.turn == c.turn }

// content records that an attempt is being answered. It reports whether that closed the circuit: the others need not wait for
// the end of a probe's answer.
func (c *circuit) content(now time.Time, t ticket) (closed bool) {
	if !t.probe {
		return false
	}
	c.heard = max(c.heard, t.turn)
	if closed = c.open; closed {
		c.close(now)
	}
	return closed
}

// verdict is what an attempt says of a target.
type verdict uint8

const (
	nothing verdict = iota
	success
	failure
)

// end records how an attempt ended, and reports whether that closed the circuit. Of overtaken probes, only a success
// counts. A probe that failed has it wait for longer if double is set.
func (c *circuit) end(now time.Time, t ticket, v verdict, double bool) (closed bool) {
	current := t.turn == c.turn
	if t.probe && current {
		c.probed = time.Time{}
	}
	switch {
	case v == nothing, !c.open, !t.probe, t.turn <= c.heard:
	case v == success:
		c.close(now)
		return true
	case current:
		c.trip(now, double)
	}
	return false
}

// trip opens the circuit, or keeps it open. If double is set, it stays open twice as long as the last time, unless it was
// closed for long.
func (c *circuit) trip(now time.Time, double bool) {
	if !c.open && !near(now, c.since, calm) {
		c.pause = 0
	}
	if double {
		c.pause *= 2
	}
	c.open, c.since, c.probed = true, now, time.Time{}
	c.turn++
	c.pause = min(max(c.pause, firstPause), longestPause)
}

func (c *circuit) close(now time.Time) { c.open, c.since = false, now }

// release lets an open circuit try at once.
func (c *circuit) release() {
	if c.open {
		c.since = time.Time{}
	}
}
