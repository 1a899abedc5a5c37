package load

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

const (
	subBits = 7 // 128 buckets for each power of two: a figure is off by 0.4 % at most
	maxBits = 44
	buckets = (maxBits-subBits)<<subBits + 1<<subBits
)

// Histogram counts durations up to almost five hours, in buckets that are as wide as their values are large. It may be
// written to and read from many goroutines.
type Histogram struct {
	counts [buckets]atomic.Uint64
	sum    atomic.Int64
	max    atomic.Int64
	least  atomic.Int64 // the minimum plus one, 0 for none
}

// Add counts a duration; a negative one counts as 0.
func (h *Histogram) Add(d time.Duration) {
	v := min(max(int64(d), 0), 1<<maxBits-1)
	h.counts[bucket(uint64(v))].Add(1)
	h.sum.Add(v)
	for m := h.max.Load(); v > m && !h.max.CompareAndSwap(m, v); {
		m = h.max.Load()
	}
	for l := h.least.Load(); (l == 0 || v+1 < l) && !h.least.CompareAndSwap(l, v+1); {
		l = h.least.Load()
	}
}

func bucket(v uint64) int {
	shift := max(bits.Len64(v)-subBits-1, 0)
	return shift<<subBits + int(v>>shift)
}

// middle is the value that represents a bucket.
func middle(bucket int) time.Duration {
	if bucket < 2<<subBits {
		return time.Duration(bucket)
	}
	shift := bucket>>subBits - 1
	low := (bucket - shift<<subBits) << shift
	return time.Duration(low + 1<<shift/2)
}

// Summary is what is reported about a histogram. All but the count are 0 if nothing was counted.
type Summary struct {
	Count                                    uint64
	Min, Mean, P50, P90, P95, P99, P999, Max time.Duration
}

// Summary reads the histogram.
func (h *Histogram) Summary() Summary {
	var counts [buckets]uint64
	var s Summary
	for i := range counts {
		counts[i] = h.counts[i].Load()
		s.Count += counts[i]
	}
	if s.Count == 0 {
		return s
	}
	s.Min, s.Max = time.Duration(h.least.Load()-1), time.Duration(h.max.Load())
	s.Mean = time.Duration(uint64(h.sum.Load()) / s.Count)
	at := func(q float64) time.Duration {
		rank := max(uint64(math.Ceil(q*float64(s.Count))), 1)
		for i, n := range counts {
			if n >= rank {
				return min(max(middle(i), s.Min), s.Max)
			}
			rank -= n
		}
		return s.Max
	}
	s.P50, s.P90, s.P95, s.P99, s.P999 = at(0.50), at(0.90), at(0.95), at(0.99), at(0.999)
	return s
}
