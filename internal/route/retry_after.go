package route

import "time"

const (
	longestRest = time.Minute     // from when it is first looked at
	usualRest   = 5 * time.Second // where the upstream does not say how long
)

// rest is the time for which an upstream asked to be left alone.
type rest struct {
	until  time.Time
	unsaid bool // it asked, and did not say until when
}

// extend makes it last until then, unless it lasts longer already. The zero time means that the upstream did not say.
func (r *rest) extend(until time.Time) {
	if until.IsZero() {
		r.unsaid = true
	}
	if until.After(r.until) {
		r.until = until
	}
}

// left is how much of it is left.
func (r *rest) left(now time.Time) time.Duration {
	if r.unsaid {
		r.unsaid = false
		r.extend(now.Add(usualRest))
	}
	if r.until.IsZero() {
		return 0
	}
	left := r.until.Sub(now)
	if left > longestRest { // or the clock was put back
		left, r.until = longestRest, now.Add(longestRest)
	}
	return max(left, 0)
}

// sharedRest is a rest that all keys keep because one key was asked to.
type sharedRest struct {
	rest
	whose *standing
	turn  uint32 // changes whenever a key is asked to rest
}

func (r *sharedRest) begin(until time.Time, pass Pass) {
	r.extend(until)
	r.whose = pass.key
	r.turn++
}

// answered ends it when another key is answered whose attempt began later: the rest was meant for the one key alone.
func (r *sharedRest) answered(pass Pass) {
	if pass.key != r.whose && pass.rest == r.turn {
		r.rest = rest{}
	}
}
