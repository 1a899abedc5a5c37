package route

import "time"

// recent is what happened in the last ten seconds, in buckets of one second.
type recent[T any] struct {
	base    time.Time // from which seconds are counted
	last    int64     // the second of the newest bucket
	buckets [10]T
}

// century is further from base than a time is that has one: the first, or one of a clock that jumped beyond what can be
// measured.
const century = 100 * 365 * 24 * time.Hour

// at returns the bucket of now, and empties those that are too old. A clock that goes back a little counts as one that
// stands still, so that what was seen a moment ago is not lost; one that goes back far begins anew.
func (r *recent[T]) at(now time.Time) *T {
	since := now.Sub(r.base)
	if since.Abs() > century {
		*r, since = recent[T]{base: now}, 0
	}
	const n = int64(len(r.buckets))
	second := int64(since / time.Second)
	if second-r.last >= n || r.last-second >= n {
		r.forget()
		r.last = second
	}
	for r.last < second {
		r.last++
		var empty T
		*r.bucket() = empty
	}
	return r.bucket()
}

func (r *recent[T]) bucket() *T {
	n := int64(len(r.buckets))
	return &r.buckets[(r.last%n+n)%n]
}

// forget empties all buckets.
func (r *recent[T]) forget() { r.buckets = [10]T{} }

// near reports whether less than d lies between the two, whichever comes first: what lasts for d from then on is over
// when the clock was put back, and does not last for ever.
func near(now, then time.Time, d time.Duration) bool { return now.Sub(then).Abs() < d }
