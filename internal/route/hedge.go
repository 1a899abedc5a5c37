package route

import "time"

// Hedge is when a stream that is late is asked for at a second target as well. The zero value is never.
type Hedge struct {
	After  time.Duration // without content; 0 is what the target itself is seldom later than
	Budget float64       // for how many of the model's requests a second call may be made
}

// fewHedges may be made in ten seconds however few requests there are.
const fewHedges = 1

// Late is how long an attempt at a stream may have no content before it is late and Beside may be asked for another one. ok is
// false if it never is.
func (a *Attempts) Late(try Try) (after time.Duration, ok bool) {
	hedge := a.route.Model.Hedge
	switch {
	case hedge.Budget == 0:
		return 0, false
	case hedge.After > 0:
		return hedge.After, true
	default:
		return try.health.late()
	}
}

// Beside is an attempt to race one that is late. It takes the first planned target that was not tried, is not known to be down,
// and does not need rest. Models to fall back on are not considered, because nothing has failed. It may be asked for, and Ended,
// while the one that is late goes on; of both, the one that ends with Lost decides nothing.
func (a *Attempts) Beside(now time.Time) (try Try, ok bool) {
	m := a.route.Model
	if a.over || a.broke > 0 || a.made >= m.MaxAttempts { // what broke a server is not put to two at once
		return Try{}, false
	}
	i, budget := a.partner(now), a.route.Board.repeats(m.Name)
	if i < 0 || !budget.hedge(now, a.ask.Caller, m.Hedge.Budget, fewHedges) {
		return Try{}, false
	}
	causes := a.causes
	for ; i >= 0 && !ok; i = a.partner(now) {
		toFront(a.steps[a.next:], i)
		try, ok = a.try(a.next, false, now)
	}
	if a.causes = causes; ok {
		a.next++
		try.beside = true
	} else {
		budget.spare(now, a.ask.Caller)
	}
	for i := range a.steps[a.next:] { // a target that had no place or no credential just now is not skipped when its turn comes
		if s := &a.steps[a.next+i]; s.turn != never {
			s.Skip = NotSkipped
		}
	}
	return try, ok
}

// partner is the place, among the steps that are left, of the target to race another; -1 without one.
func (a *Attempts) partner(now time.Time) int {
	left, first := a.steps[a.next:], -1
	for i := range left {
		s := &left[i]
		if s.Skip == NotSkipped && (first < 0 || s.rank < left[first].rank) && s.health.meets(now, a.ask.Caller).Phase == Closed && !s.health.resting(now, a.ask.Caller) {
			first = i
		}
	}
	return first
}

// Spare reports whether the target may race one that is late, as Beside requires.
func (s Sight) Spare() bool { return s.Skip == NotSkipped && s.Breaker.Phase == Closed && s.Rest <= 0 }

// Waited notes that the target had sent no content after so long, when the attempt was given up because another was faster.
func (t Try) Waited(least time.Duration, now time.Time) { t.health.waited(now, least, t.pass) }
