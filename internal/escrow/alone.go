package escrow

import "time"

// While the database does not answer, a replica counts a limit a minute by itself, as one of as many as were there last: it has its part of what was left, and
// its part of what comes back. When the database answers again, it learns what of that time has not brought back. So while it is gone, all replicas
// together admit as if it were there; in the moments at which it goes and comes back, another burst at most.
type alone struct {
	full  time.Duration // when the replica's part is whole again
	base  time.Duration // the same but for what the replica took by itself
	unit  time.Duration // how long a unit of it takes to come back
	fresh int64         // what was taken since this was stated last
}

// most is what a part holds: a minute's worth, or a unit, which may take longer.
func (a *alone) most() time.Duration { return max(time.Minute, a.unit) }

// countAlone has the replica count by itself, from what the database said last.
func (t *rate) countAlone(replicas int64, now time.Duration) *alone {
	a := &t.alone
	if a.full <= now {
		a.base = max(t.full, now) + worth(t.debt+t.said+t.spent, unitOf(t.limit))
		a.full = a.base
	}
	a.unit = worth(replicas, unitOf(t.limit))
	return a
}

// units is what a request is charged that needs so many: at most all.
func (a *alone) units(need int64) int64 { return max(min(need, int64(a.most()/a.unit)), 1) }

func (a *alone) wait(units int64, now time.Duration) time.Duration {
	return worth(a.units(units), a.unit) + max(a.full-now, 0) - a.most()
}

// JudgeAlone is how long it takes until a request may have units of the replica's part; it is not above 0 if it may now.
func (r *Replica) JudgeAlone(subject Subject, limit, units int64, now time.Duration) time.Duration {
	return r.rates.rate(subject, limit).countAlone(r.replicas, now).wait(units, now)
}

// TakeAlone takes them.
func (r *Replica) TakeAlone(subject Subject, limit, units int64, now time.Duration) Charge {
	t := r.rates.rate(subject, limit)
	a := t.countAlone(r.replicas, now)
	units = a.units(units)
	a.full = max(a.full, now) + worth(units, a.unit)
	a.fresh += units
	r.rates.state(subject, t, lotReturn, now) // it is heard as soon as the database answers
	return Charge{Subject: subject, Units: units, limit: limit, full: a.full, unit: a.unit, alone: true}
}

// AloneLeft is what is left of the replica's part, and how long it takes until all is.
func (r *Replica) AloneLeft(subject Subject, limit int64, now time.Duration) (left int64, reset time.Duration) {
	a := r.rates.rate(subject, limit).countAlone(r.replicas, now)
	reset = max(a.full-now, 0)
	return int64(max(a.most()-reset, 0) / a.unit), reset
}

// settle corrects what was taken to what was used, while the database does not know of it.
func (a *alone) settle(c *Charge, used int64, now time.Duration) {
	if used < c.Units {
		a.full -= min(worth(c.Units-used, c.unit), max(c.full-now, 0))
	} else {
		a.full = min(a.full+worth(used-c.Units, c.unit), now+time.Duration(largest))
	}
	a.fresh = max(min(a.fresh, largest-used)+used-c.Units, 0)
}

// state is what the database does not know of yet: what was taken, as far as time has not brought it back.
func (a *alone) state(now time.Duration) int64 {
	a.fresh = 0
	if left := a.full - max(a.base, now); left > 0 {
		return int64((left + a.unit - 1) / a.unit)
	}
	return 0
}

// over ends it, since the database knows. It returns what was taken since this was stated.
func (a *alone) over() int64 {
	fresh := a.fresh
	*a = alone{}
	return fresh
}
