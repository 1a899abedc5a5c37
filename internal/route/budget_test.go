package route

import (
	"math"
	"testing"
	"time"
)

// taken is how many repeats there are.
func taken(b *callBudget, now time.Time, share float64) int {
	n := 0
	for b.repeat(now, 1, share) {
		n++
	}
	return n
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		requests int
		share    float64
		want     int
	}{
		{0, 0.1, 10},
		{100, 0.1, 10},
		{109, 0.1, 10},
		{110, 0.1, 11},
		{1000, 0.1, 100},
		{1000, 0, 10},
		{1000, 0.07, 70},
		{200, 0.29, 58},
		{1000, math.NaN(), 10},
		{1000, -1, 10},
		{100, 1, 100},
	} {
		b := new(callBudget)
		for range tt.requests {
			b.request(start, 1)
		}
		if tt.share == 0.07 { // what was taken by hedges is no repeat
			for b.hedge(start, 1, 0.05, 0) {
			}
		}
		if got := taken(b, start, tt.share); got != tt.want {
			t.Errorf("%d requests, a share of %v: %d repeats, want %d", tt.requests, tt.share, got, tt.want)
		}
	}
}

func TestRepeatsComeBack(t *testing.T) {
	t.Parallel()
	b := new(callBudget)
	for range 200 {
		b.request(start, 1)
	}
	for _, tt := range []struct {
		at   time.Duration
		want int
	}{
		{0, 20},
		{9 * time.Second, 0},
		{10 * time.Second, 10}, // the requests are over as well
		{19 * time.Second, 0},
		{20 * time.Second, 10},
		{-time.Hour, 10}, // the clock was put back
		{-time.Hour, 0},
	} {
		if got := taken(b, after(tt.at), 0.1); got != tt.want {
			t.Errorf("after %v: %d repeats, want %d", tt.at, got, tt.want)
		}
	}
}

func TestHedges(t *testing.T) {
	t.Parallel()
	b := new(callBudget)
	for range 100 {
		b.request(start, 1)
	}
	n := 0
	for b.hedge(start, 1, 0.05, 1) {
		n++
	}
	if n != 5 {
		t.Errorf("%d hedges", n)
	}
	if b = new(callBudget); !b.hedge(start, 1, 0.05, 1) || b.hedge(start, 1, 0.05, 1) || b.hedge(start, 1, 0.05, 0) {
		t.Error("without requests there is one, if so it is said")
	}
}
