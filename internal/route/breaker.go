package route

import "time"

// The law of breakers: as long as an upstream serves a key, nothing that other keys send may make that key's requests fail
// or wait. So each key is judged by its own attempts. Failures of other keys only move a target to the end of the order for
// a key without a history; they never exclude it.
const (
	enough      = 5                // attempts of the keys that fail, to open for all
	enoughOfOne = 10               // attempts of a key, to open for it alone
	tooMany     = 2                // failures of a key in a row, to believe while it is open for all that the key fails as well
	evidence    = 10 * time.Second // how long a key that was answered counts as served
)

// Pass is what Begin gives for an attempt, and End takes back.
type Pass struct {
	probe bool // whether its outcome decides if the target is well again
	last  bool // it was let through only because no other target is left

	caller   uint64
	key      *standing // key of the caller; nil for those that Begin refused
	phase    uint32    // phase of the breaker when the attempt began
	rest     uint32    // the turn of the target's rest by then
	all, own ticket
}

// breaker keeps attempts away from a target that fails: those of one key, or of all. It is not safe for concurrent use.
type breaker struct {
	all    circuit
	opened time.Time // when all last opened; a probe that fails does not change it
	phase  uint32    // goes on whenever all opens or closes
	ill    bool      // a circuit may be open, or a key have a rest of its own; else nothing of a key need be looked at
	keys   perKey[standing]
}

// standing is how one key fares at a target.
type standing struct {
	own      circuit
	window   recent[tally]
	streak   int       // failures since it was answered
	failed   time.Time // the last time
	answered time.Time // the last time
	rest     rest      // a rest that this key was asked to keep, and the others need not
	limits   int       // rate limits in a row without a stated duration
	pace     pace
	wordless bool // the target refuses stream_options in its requests
}

// tally is what happened in a second.
type tally struct{ attempts, failures uint32 }

// way is how a breaker lets an attempt pass.
type way uint8

const (
	passing  way = iota // without a condition
	probing             // to decide for all
	doubtful            // if no other target is left: it is open for all, and nothing is known of the key
	barred              // not at all
)

// way is how an attempt of a key may pass; s is nil for a key without a history.
func (b *breaker) way(now time.Time, s *standing) way {
	switch {
	case s != nil && !s.own.passes(now):
		return barred
	case !b.all.open || s != nil && s.served(now):
		return passing
	case b.all.passes(now):
		return probing
	case s != nil && s.burnt(now):
		return barred
	default:
		return doubtful
	}
}

// served reports whether the target is known to answer the key, whatever befalls others.
func (s *standing) served(now time.Time) bool {
	return s.streak < tooMany && near(now, s.answered, evidence)
}

// burnt reports whether the key is known to fail as others do.
func (s *standing) burnt(now time.Time) bool {
	return s.streak >= tooMany && near(now, s.failed, longestPause)
}

// state is what an attempt of a key would meet.
func (b *breaker) state(now time.Time, s *standing) State {
	if s != nil && s.own.open {
		return s.own.state(now)
	}
	st := b.all.state(now)
	switch {
	case st.Phase == Closed || s != nil && s.served(now):
		return State{}
	case s != nil && s.burnt(now):
		if until := s.failed.Add(longestPause); st.Phase == Open && until.Before(st.Until) {
			st.Until = until
		}
	}
	return st
}

// begin reports whether a key's attempt may be made; last says that no other target is left.
func (b *breaker) begin(now time.Time, caller uint64, last bool) (ok bool, pass Pass) {
	s := b.keys.find(caller)
	way := b.way(now, s)
	if way == barred || way == doubtful && !last {
		return false, Pass{}
	}
	s = b.keys.use(caller, now)
	pass = Pass{last: way == doubtful, caller: caller, key: s, phase: b.phase, own: s.own.begin(now), all: ticket{turn: b.all.turn}}
	if way == probing {
		pass.all = b.all.begin(now)
	}
	pass.probe = pass.own.probe || pass.all.probe
	return true, pass
}

// content records that an attempt is being answered. How it ends may still be counted as a failure.
func (b *breaker) content(now time.Time, pass Pass) {
	s := pass.key
	if s == nil {
		return
	}
	s.answered = now
	if s.own.content(now, pass.own) {
		s.window.forget()
	}
	if b.all.content(now, pass.all) {
		b.closed(now)
	}
}

// end records the outcome of each attempt that begin let pass.
func (b *breaker) end(now time.Time, o Outcome, pass Pass) {
	if pass.key == nil {
		return
	}
	s, v := b.keys.keep(pass.caller, pass.key, now), o.says()
	counted, probed := s.own.counts(pass.own), v
	if o == Lost && pass.probe { // it was late: the target is not well yet, and others should not wait for it as well
		probed = failure
	}
	if s.own.end(now, pass.own, probed, true) {
		s.window.forget()
	}
	if b.all.end(now, pass.all, probed, !b.serves(now, s)) {
		b.closed(now)
	}
	switch {
	case v == success:
		s.answered, s.streak = now, 0
		if counted {
			s.window.at(now).attempts++
		}
		if b.all.open && pass.phase == b.phase && !b.failing(now) {
			b.all.close(now)
			b.phase++
		}
	case v == failure && b.recent(pass):
		s.streak++
		s.failed = now
		if counted {
			b.note(now, s)
		}
	}
}

// recent reports whether an attempt began late enough for its failure to count. Once the breaker is closed, an attempt from before
// it last opened does not count. After an outage such attempts may go on to fail for as long as requests wait.
func (b *breaker) recent(pass Pass) bool {
	return pass.phase == b.phase || b.all.open && pass.phase+1 == b.phase
}

// note counts the failure of a key, and opens what has to be open.
func (b *breaker) note(now time.Time, s *standing) {
	second := s.window.at(now)
	second.attempts++
	second.failures++
	if sum := s.sum(now); sum.attempts >= enoughOfOne && s.fails(sum) {
		s.own.trip(now, true)
		b.ill = true
	}
	if !b.all.open && b.failing(now) {
		b.all.trip(now, !b.serves(now, s))
		b.opened, b.ill = now, true
		b.phase++
	}
}

// closed records that a probe for all was answered. Keys that were shut off in the same outage need not probe by themselves.
func (b *breaker) closed(now time.Time) {
	b.phase++
	for _, r := range b.keys.of {
		if s := r.value; s.own.open && s.own.since.After(b.opened.Add(-evidence)) {
			s.own.close(now)
			s.window.forget()
		}
	}
}

// failing reports whether the target fails at large: for two keys, and for at least half of those seen in the window. A key counts
// once, however much it sends.
func (b *breaker) failing(now time.Time) bool {
	var p poll
	attempts := uint32(0)
	for _, r := range b.keys.of {
		s := r.value
		sum := s.sum(now)
		switch {
		case s.own.open:
			attempts += enough // it was, and is let through no more
			p.count(true)
		case sum.attempts > 0:
			fails := s.fails(sum)
			if fails {
				attempts += sum.attempts
			}
			p.count(fails)
		}
	}
	return p.most() && attempts >= enough
}

// serves reports whether the target has answered another key than this lately, since it last opened or closed for all.
func (b *breaker) serves(now time.Time, but *standing) bool {
	for _, r := range b.keys.of {
		if s := r.value; s != but && near(now, s.answered, evidence) && s.answered.After(b.all.since) {
			return true
		}
	}
	return false
}

// matters reports whether it is open for a key, and was asked since it may let a probe pass.
func (b *breaker) matters(now time.Time) bool {
	fresh := func(c *circuit) bool { return c.open && near(now, c.since, c.pause+calm) }
	for _, r := range b.keys.of {
		if fresh(&r.value.own) {
			return true
		}
	}
	return fresh(&b.all)
}

// poll counts of how many keys something is true.
type poll struct{ seen, such int }

func (p *poll) count(such bool) {
	p.seen++
	if such {
		p.such++
	}
}

// most reports whether it holds for two keys, and for half of those seen.
func (p *poll) most() bool { return p.such >= 2 && 2*p.such >= p.seen }

// sum is what happened to the key in the window.
func (s *standing) sum(now time.Time) (sum tally) {
	s.window.at(now)
	for _, t := range s.window.buckets {
		sum.attempts += t.attempts
		sum.failures += t.failures
	}
	return sum
}

// fails reports whether the key fails at the target: in half of its attempts, or very often in a row, whatever was before.
func (s *standing) fails(sum tally) bool {
	return 2*sum.failures >= sum.attempts || s.streak >= enoughOfOne
}

// says is what an attempt that ended so says of its target. An attempt that the caller or Weir ended says nothing, and neither
// does an answer that cannot be read.
func (o Outcome) says() verdict {
	switch o {
	case Skipped, Malformed, Crowded, Canceled, Lost, OutOfBudget:
		return nothing
	case Unreachable, TimedOut, Failed, Overloaded:
		return failure
	default:
		return success
	}
}
