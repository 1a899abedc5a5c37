package limit

import (
	"math/bits"
	"time"
)

// Instant is a time in nanoseconds since some start, by a clock that only goes forward.
type Instant int64

// minute is the window of limits a minute.
const minute = Instant(time.Minute)

// most bounds what a bucket may owe, so that times do not overflow: some 70 years.
const most = Instant(1) << 61

// bucket is what is left of a number of units a minute, after the generic cell rate algorithm. It is one time, at which the bucket is
// full again. All units can be taken at once; they come back evenly, each after its part of a minute. So a window of a minute sees
// less than twice the limit, and half of it more at most where long requests give back what they did not use: decision 230 says why. What is held for requests
// that have not begun does not come back with time: giving it back leaves no trace. What was taken before the bucket was full last is back, and is not given back
// besides. No charge knows when that is, since others give back what they did not use.
// How many units there are is said before each use, by of, because the config may change.
type bucket struct {
	full  Instant // when all units are back, but for those that are held
	since Instant // until when they were all there, the last time
	held  Instant // the time that those that are held take to come back

	limit int64
	unit  Instant // each(limit), kept because the division takes longer than all else
}

// charge is what was taken of a bucket.
type charge struct {
	units Instant // the time that they take to come back
	until Instant // when they are back
	since Instant // until when all had been there
}

// each is how long a unit takes to come back, rounded up.
func each(limit int64) Instant { return (minute + Instant(limit) - 1) / Instant(limit) }

// of is the bucket as one of so many units a minute.
func (b *bucket) of(limit int64) *bucket {
	if b.limit != limit {
		b.limit, b.unit = limit, each(limit)
	}
	return b
}

// worth is the time that n units take to come back.
func (b *bucket) worth(n int64) Instant {
	high, low := bits.Mul64(uint64(n), uint64(b.unit))
	if high > 0 || low > uint64(most) {
		return most
	}
	return Instant(low)
}

// owed is the time until all units are back.
func (b *bucket) owed(now Instant) Instant { return max(b.full-now, 0) + b.held }

// wait is how long it is until n units, or all of them if these are fewer, are there. It is negative if more are there by now.
func (b *bucket) wait(n int64, now Instant) Instant {
	return b.owed(now) - b.unit*Instant(b.limit-min(n, b.limit))
}

// left is how many units are there, 0 if the bucket is in debt.
func (b *bucket) left(now Instant) int64 {
	return int64(max(b.unit*Instant(b.limit)-b.owed(now), 0) / b.unit)
}

// hold keeps n units for a request, or all of them if these are fewer.
func (b *bucket) hold(n int64) charge {
	units := b.unit * Instant(min(n, b.limit))
	b.held += units
	return charge{units: units}
}

// release gives back what is held.
func (b *bucket) release(c *charge) { b.held -= c.units }

// take takes for good what was held, at the time at which its request begins.
func (b *bucket) take(c *charge, now Instant) {
	b.held -= c.units
	b.owe(c.units, now)
	c.until, c.since = b.full, b.since
}

// owe takes units that come back with time.
func (b *bucket) owe(units, now Instant) {
	if b.full <= now {
		b.full, b.since = now, now
	}
	b.full = min(b.full+units, now+most)
}

// settle corrects what was taken to what was used. What has come back in the meantime does not come back again.
func (b *bucket) settle(c *charge, used, now Instant) {
	switch {
	case used > c.units:
		b.owe(used-c.units, now)
	case c.since == b.since && b.full > now:
		b.full -= min(c.units-used, max(c.until-now, 0))
	}
}

// rests reports whether the bucket is as good as a new one.
func (b *bucket) rests(now Instant) bool { return b.held == 0 && b.full <= now }
