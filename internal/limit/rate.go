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
// less than twice the limit. What is held for requests that have not begun does not come back with time: giving it back leaves no trace.
type bucket struct {
	full Instant // when all units are back, but for those that are held
	held Instant // the time that these take to come back
}

// each is how long a unit takes to come back, rounded up.
func each(limit int64) Instant { return (minute + Instant(limit) - 1) / Instant(limit) }

// worth is the time that n units take to come back.
func worth(n, limit int64) Instant {
	high, low := bits.Mul64(uint64(n), uint64(each(limit)))
	if high > 0 || low > uint64(most) {
		return most
	}
	return Instant(low)
}

// owed is the time until all units are back.
func (b *bucket) owed(now Instant) Instant { return max(b.full-now, 0) + b.held }

// wait is how long it is until n units are there. It is negative if more are there by now. n is at most the limit.
func (b *bucket) wait(n, limit int64, now Instant) Instant {
	return b.owed(now) + worth(n, limit) - worth(limit, limit)
}

// left is how many units are there, 0 if the bucket is in debt.
func (b *bucket) left(limit int64, now Instant) int64 {
	return int64(max(worth(limit, limit)-b.owed(now), 0) / each(limit))
}

// take takes units for good, which were held, at the time at which their request begins.
func (b *bucket) take(units, now Instant) {
	b.held -= units
	b.full = min(max(b.full, now)+units, now+most)
}

// settle corrects what was taken to what was used.
func (b *bucket) settle(taken, used, now Instant) {
	if used >= taken {
		b.full = min(max(b.full, now)+used-taken, now+most)
		return
	}
	b.full -= taken - used // below now the bucket is full, and no more than that
}

// rests reports whether the bucket is as good as a new one.
func (b *bucket) rests(now Instant) bool { return b.held == 0 && b.full <= now }
