package route

import "time"

// recent is what happened in the last ten seconds, in buckets of one second.
type recent[T any] struct {
	base    time.Time // the time from which seconds are counted
	last    int64     // the second of the newest bucket
	buckets [10]T
}

// century is further from base than any real time can be: it marks the first time, or a clock that jumped beyond what
// can be measured.
const century = 100 * 365 * 24 * time.Hour

// at returns the bucket of now, and empties those that are too old. A clock that goes back a little counts as standing
// still, so that recent observations are not lost. A clock that goes back far starts an empty count.
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

// near reports whether the two are less than d apart, in either order. So what lasts for d ends when the clock is put
// back, and does not last for ever.
func near(now, then time.Time, d time.Duration) bool { return now.Sub(then).Abs() < d }
