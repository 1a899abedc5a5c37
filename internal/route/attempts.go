package route

import (
	"math/bits"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/limit"
)

// Attempts decides on the attempts of one request: which comes next, after what pause, and when to stop. One goroutine at a time
// uses it. Each Try from Next or Beside must be Ended before the next one is asked for:
//
//	for try, ok := a.Next(now); ok; try, ok = a.Next(now) {
//		a.Ended(try, outcome, wait, now)
//	}
//
// Targets are tried in the order of the plan, each once, then those of the models to fall back on. There are two kinds of repeats.
// One uses another credential, or a fresh one, after a credential was refused or reached its limit. The other asks a target again
// that could not be reached at all, when no other is left. They, and probes of a target that was down for the key itself, take from
// the model's callBudget. A target that is down for other keys is tried when no other is left. Full targets are passed over; if all are
// full, Queue and Let wait for one of them.
type Attempts struct {
	route Route
	ask   *Ask

	steps []Step
	next  int // among steps
	made  int
	over  bool
	last  bool // what is tried is the last resort

	spares int // steps that have one
	waits  int // pauses so far

	unreached uint64 // steps that could not be reached, by their places; of the first 64
	broke     int    // targets that broke down over this request
	probed    bool   // one of them was down before
	causes    Causes // the reasons to fall back
	barred    int    // the first steps, which are not waited for any more
	let       int    // the step whose target has let the request in after it waited, counted from 1
	fallbacks int    // number of the model's fallbacks already considered
	to        int    // number of the next fallback's models already planned

	room [2]Step // for steps, which most models have no more of
}

// Try is one attempt to be made.
type Try struct {
	Target     *Target
	Model      *Model        // whose target it is: the one that the caller named, or one to fall back on
	Credential int           // an index among those of the provider
	Wait       time.Duration // before it is made
	Skip       Skip          // to be set if no call is made, before it is Ended as Skipped: why
	Silence    Silence       // set before an attempt without an answer is Ended as Canceled
	Used       Used          // set before it is Ended, if the target is Metered

	health *Health
	step   int // its place in the plan
	pass   Pass
	repeat bool
	beside bool         // another that is late
	taken  *limit.Taken // of the target's rates; nil if it has none
}

// Heard notes how long the target took from being called to the first content of its answer.
func (t Try) Heard(first time.Duration, now time.Time) {
	if t.health != nil {
		t.health.heard(now, first, t.pass)
	}
}

// Whole notes how long the target took for a complete answer.
func (t Try) Whole(took time.Duration, now time.Time) {
	if t.health != nil {
		t.health.whole(now, took, t.pass)
	}
}

// RefusesUsage reports whether the target has refused stream_options to the key before.
func (t Try) RefusesUsage() bool { return t.health != nil && t.health.refusesUsage(t.pass) }

// RefusedUsage notes that it does.
func (t Try) RefusedUsage() {
	if t.health != nil {
		t.health.refusedUsage(t.pass)
	}
}

// poison is how many targets may break down over a request before no other is tried: a prompt that kills servers must not
// travel.
const poison = 2

// The pause before a target is tried again that could not be reached: any time up to the first, doubled for each.
const (
	firstWait = 100 * time.Millisecond
	mostWait  = 2 * time.Second
)

// Begin plans a request. ask is kept.
func (a *Attempts) Begin(r Route, ask *Ask, now time.Time) {
	a.route, a.ask = r, ask
	a.steps = a.room[:0]
	if n := len(r.Targets); n > len(a.room) {
		a.steps = make([]Step, 0, n)
	}
	a.steps = a.route.plan(a.steps, ask, now)
	for i := range a.steps {
		a.causes |= a.steps[i].Skip.causes()
	}
	r.Board.repeats(r.Model.Name).request(now, ask.Caller)
}

// Steps are the targets that were considered so far, in no order, those that were not tried with the reason.
func (a *Attempts) Steps() []Step {
	for i := a.next; i < len(a.steps); i++ {
		switch s := &a.steps[i]; s.turn { // otherwise it would have come earlier
		case suspect, broken:
			s.Skip = TargetDown
		case full:
			s.Skip = Full
		case locked:
			s.Skip = NoCredential
		}
	}
	return a.steps
}

// Next is the attempt to make now. ok is false if no attempt is left.
func (a *Attempts) Next(now time.Time) (try Try, ok bool) {
	if a.over || a.made >= a.route.Model.MaxAttempts {
		return Try{}, false
	}
	if a.let > 0 {
		step := a.let - 1
		a.let, a.steps[step].Skip = 0, NotSkipped
		if try, ok := a.enter(step, false, now); ok {
			return try, true
		}
	}
	if a.made < max(a.route.Model.MaxAttempts-1, 2) { // many credentials may fail alike: the last attempt is for another target, if there is one
		if try, ok := a.spare(now); ok {
			return try, true
		}
	}
	for a.next < len(a.steps) || a.fallBack(now) {
		step := a.next
		a.next++
		advance(a.steps[step:])
		if try, ok := a.try(step, false, now); ok {
			return try, true
		}
	}
	if try, ok := a.spare(now); ok {
		return try, true
	}
	if try, ok := a.lastResort(now); ok {
		return try, true
	}
	for a.unreached != 0 {
		step := bits.TrailingZeros64(a.unreached)
		a.unreached &^= 1 << step
		if try, ok := a.try(step, true, now); ok {
			try.Wait = a.pause()
			return try, true
		}
	}
	return Try{}, false
}

// lastResort is an attempt at a target that fails for other keys, when no other target is left: it may serve this one.
func (a *Attempts) lastResort(now time.Time) (try Try, ok bool) {
	a.last = true
	defer func() { a.last = false }()
	for i := a.barred; i < len(a.steps) && !ok; i++ {
		if s := &a.steps[i]; s.Skip == TargetDown && !s.resorted {
			s.Skip, s.resorted = NotSkipped, true
			try, ok = a.try(i, false, now)
		}
	}
	return try, ok
}

// spare is an attempt with another credential, or a fresh one, at a target that refused one.
func (a *Attempts) spare(now time.Time) (try Try, ok bool) {
	for i := 0; a.spares > 0; i++ {
		if !a.steps[i].spare {
			continue
		}
		a.spareAt(i, false)
		if try, ok := a.try(i, true, now); ok {
			return try, true
		}
	}
	return Try{}, false
}

// try takes what an attempt needs, or notes why it is not made.
func (a *Attempts) try(step int, repeat bool, now time.Time) (Try, bool) {
	s := &a.steps[step]
	switch {
	case s.Skip != NotSkipped:
		return Try{}, false
	case s.Concurrent > 0 && !a.route.Board.gate(s).Enter(a.route.Board.places(s), a.ask.Caller):
		a.skip(s, Full, repeat)
		return Try{}, false
	}
	return a.enter(step, repeat, now)
}

// enter is try for a target that has a place for the request. It keeps that, and what it takes of the target's rates, only for an attempt.
func (a *Attempts) enter(step int, repeat bool, now time.Time) (Try, bool) {
	s := &a.steps[step]
	taken, ok := a.meter(s, now)
	if !ok {
		a.skip(s, Full, repeat)
		a.leave(step)
		return Try{}, false
	}
	try, ok := a.begin(step, repeat, now)
	if !ok {
		a.used(s, taken, Used{}, Skipped, now)
		a.leave(step)
	}
	try.taken = taken
	return try, ok
}

// leave gives up the place at a target.
func (a *Attempts) leave(step int) {
	if g := a.route.Board.gate(&a.steps[step]); g != nil {
		g.Leave(a.ask.Caller)
	}
}

// begin is enter without regard to places.
func (a *Attempts) begin(step int, repeat bool, now time.Time) (Try, bool) {
	s := &a.steps[step]
	ok, pass := s.health.Begin(now, a.ask.Caller, a.last)
	if !ok {
		a.skip(s, TargetDown, repeat)
		return Try{}, false
	}
	budgeted := repeat || pass.own.probe && a.made > 0 // what is down for others only may be well for this key
	if budgeted && !a.route.Board.repeats(a.route.Model.Name).repeat(now, a.ask.Caller, a.route.Model.Repeats) {
		s.health.End(now, Skipped, pass)
		a.skip(s, NoBudget, repeat)
		return Try{}, false
	}
	credential, _, ok := a.credentials(s.Target).Pick(now, a.ask.Caller, s.tried)
	if !ok {
		if budgeted {
			a.route.Board.repeats(a.route.Model.Name).unused(now, a.ask.Caller)
		}
		s.health.End(now, Skipped, pass)
		a.skip(s, NoCredential, repeat)
		return Try{}, false
	}
	a.made++
	return Try{Target: s.Target, Model: s.of, Credential: credential, health: s.health, step: step, pass: pass, repeat: repeat}, true
}

// skip notes why a target is not tried. If it was tried before, the attempt says more, so nothing is noted.
func (a *Attempts) skip(s *Step, why Skip, repeat bool) {
	if !repeat {
		s.Skip = why
		a.causes |= why.causes()
	}
}

// spareAt notes whether another credential, or a fresh one, is to be tried at a step. Both targets of a race may have one.
func (a *Attempts) spareAt(step int, spare bool) {
	if s := &a.steps[step]; s.spare != spare {
		s.spare = spare
		if spare {
			a.spares++
		} else {
			a.spares--
		}
	}
}

func (a *Attempts) credentials(t *Target) *Credentials { return a.route.Board.keys(t) }

// Over reports whether an attempt has ended the request: an answer, or a refusal of the request itself.
func (a *Attempts) Over() bool { return a.over }

// Skipped reports whether a target was skipped for that reason.
func (a *Attempts) Skipped(why Skip) bool {
	return slices.ContainsFunc(a.steps, func(s Step) bool { return s.Skip == why })
}

// Full reports whether a target was passed over only because it was full.
func (a *Attempts) Full() bool {
	for i := a.barred; i < len(a.steps); i++ {
		if a.steps[i].Skip == Full {
			return true
		}
	}
	return false
}

// Queue is for when Next returns no attempt. It puts the request in line, for at most wait, at all targets that were passed
// over because their places were taken. It returns nil if no target was, or if the request is over. For a target that may have no more in
// this minute no request waits: that takes long as a rule, and no line would say whose turn it is.
func (a *Attempts) Queue(wait time.Duration, now time.Time) *limit.Waiter {
	if a.over || a.made >= a.route.Model.MaxAttempts || !a.Full() {
		return nil
	}
	var w *limit.Waiter
	for i := a.barred; i < len(a.steps); i++ {
		if s := &a.steps[i]; s.Skip == Full && s.Concurrent > 0 && s.window(a.ask, now) == 0 {
			if w == nil {
				w = limit.NewWaiter(a.ask.Caller)
			}
			w.Join(a.route.Board.gate(s), a.route.Board.places(s), i, wait, now)
		}
	}
	return w
}

// Let records which target has let the request in, by the number that Waiter.End returned. Next then gives that one,
// unless it is down by now.
func (a *Attempts) Let(number int) { a.let = number + 1 }

// pause is full jitter, so that requests which failed together do not come back together.
func (a *Attempts) pause() time.Duration {
	most := min(firstWait<<min(a.waits, 8), mostWait)
	a.waits++
	luck := draws(a.ask.Seed + uint64(a.waits))
	return time.Duration(luck.below(int(most)))
}

// Ended notes what became of an attempt. wait is how long the target asked to be left alone, 0 if it did not.
func (a *Attempts) Ended(try Try, o Outcome, wait time.Duration, now time.Time) {
	if o == StaleCredential && try.repeat { // the fresh one is refused as well
		o = BadCredential
	}
	if o == Canceled && try.Silence.Lasted > 0 {
		try.health.endSilent(now, try.Silence, try.pass)
	} else {
		try.health.End(now, o, try.pass)
	}
	a.used(&a.steps[try.step], try.taken, try.Used, o, now)
	a.leave(try.step)
	a.judge(try, o, wait, now)
	if o != Skipped {
		a.steps[try.step].asked = true
	}
	switch o {
	case Skipped: // it was no attempt: the target cannot be sent the request
		a.made--
		a.causes |= OnError
		a.steps[try.step].Skip = try.Skip
		if try.beside {
			a.route.Board.repeats(a.route.Model.Name).spare(now, a.ask.Caller)
		}
		return
	case Lost:
		return
	case Answered, Refused, Crowded, Canceled, OutOfBudget:
		a.over = true
	case Moderated:
		a.over = !a.route.FallsBack(OnContentFilter)
		a.next, a.barred, a.unreached = len(a.steps), len(a.steps), 0
	case BadCredential, RateLimited:
		s := &a.steps[try.step]
		s.tried |= 1 << try.Credential
		a.spareAt(try.step, bits.OnesCount64(s.tried) < try.Target.Credentials)
	case StaleCredential:
		a.spareAt(try.step, true)
	case Unreachable:
		if !try.repeat && try.step < 64 {
			a.unreached |= 1 << try.step
		}
	case Failed:
		down := try.pass.probe || try.pass.last
		if !down || !a.probed { // a request may find several that were down
			a.broke++
		}
		a.probed = a.probed || down
		a.over = a.broke >= poison
	}
	a.causes |= o.causes()
}

// fallBack plans the next of the models to fall back on for what went wrong. Its targets that were asked before are left out.
func (a *Attempts) fallBack(now time.Time) bool {
	all := a.route.Model.Fallbacks
	for a.fallbacks < len(all) {
		f := &all[a.fallbacks]
		if f.On&a.causes == 0 || a.to == len(f.To) {
			a.fallbacks, a.to = a.fallbacks+1, 0
			continue
		}
		to := a.route.FallBack(f.To[a.to])
		a.to++
		planned := to.plan(nil, a.ask, now)
		planned = slices.DeleteFunc(planned, func(s Step) bool { return a.asked(s.Target) })
		if a.steps = append(a.steps, planned...); len(planned) > 0 {
			return true
		}
	}
	return false
}

// asked reports whether an attempt was made at the target, in whatever model.
func (a *Attempts) asked(t *Target) bool {
	return slices.ContainsFunc(a.steps, func(s Step) bool { return s.asked && s.Provider == t.Provider && s.Model == t.Model })
}

// causes are the reasons to fall back that this outcome of a model gives.
func (o Outcome) causes() Causes {
	switch o {
	case RateLimited:
		return OnRateLimit
	case TooLong:
		return OnContext
	case Moderated:
		return OnContentFilter
	default:
		return OnError
	}
}

// judge records what the outcome says of the credential, and of when the target wants to be called again.
func (a *Attempts) judge(try Try, o Outcome, wait time.Duration, now time.Time) {
	credentials := a.credentials(try.Target)
	var until time.Time // not said
	if wait > 0 {
		until = now.Add(wait)
	}
	switch o {
	case BadCredential:
		credentials.Refused(try.Credential, a.ask.Caller, now)
	case RateLimited:
		credentials.limited(try.Credential, a.ask.Caller, until)
	case StaleCredential, Skipped, Unreachable, TimedOut, Failed, Malformed, Overloaded, Crowded, Canceled, Misconfigured, Lost, OutOfBudget:
		credentials.ended(try.Credential, a.ask.Caller)
	default:
		credentials.good(try.Credential, a.ask.Caller)
	}
	switch all := true; {
	case o == Overloaded && wait > 0:
		try.health.restUntil(now, until, try.pass)
	case o == RateLimited:
		if try.Target.Credentials > 1 { // with the others it may be spoken to, if there are any
			until, all = credentials.exhausted(now)
		}
		if all {
			try.health.limited(now, until, wait > 0, try.pass)
		}
	}
}

// Down is how long it is until the first of the targets that are down may be tried again. ok is false if no target
// is down.
func (a *Attempts) Down(now time.Time) (wait time.Duration, ok bool) {
	for i := range a.steps {
		if s := &a.steps[i]; s.Skip == TargetDown {
			left := max(s.health.meets(now, a.ask.Caller).Until.Sub(now), 0)
			if !ok || left < wait {
				wait, ok = left, true
			}
		}
	}
	return wait, ok
}

// Untried is how long it is until one of the targets may be tried that the request did not ask. It did not ask them because they are
// down or full, or because it had made all of its attempts. ok is false if no such target exists.
func (a *Attempts) Untried(now time.Time) (wait time.Duration, ok bool) {
	for i := range a.steps {
		s := &a.steps[i]
		if s.asked || s.turn == locked || s.Skip != NotSkipped && s.Skip != TargetDown && s.Skip != Full {
			continue
		}
		left := max(s.health.meets(now, a.ask.Caller).Until.Sub(now), s.health.restLeft(now, a.ask.Caller), s.window(a.ask, now))
		if !ok || left < wait {
			wait, ok = left, true
		}
	}
	return wait, ok
}
