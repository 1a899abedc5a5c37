package limit

import (
	"container/heap"
	"math/rand/v2"
	"testing"
	"time"
)

// running are requests that have taken tokens, the one that ends first in front.
type running []ending

type ending struct {
	charge charge
	at     Instant
}

func (r running) Len() int           { return len(r) }
func (r running) Less(i, j int) bool { return r[i].at < r[j].at }
func (r running) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *running) Push(x any)        { *r = append(*r, x.(ending)) }
func (r *running) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}

// Callers who name a maximum far above what they get, and whose requests run long, may still use most of what a minute has. Decision 230 has these figures, and
// what they would be if no minute could ever see more than twice the limit.
func TestLongRequestsMayUseTheMinute(t *testing.T) {
	t.Parallel()
	const limit, takes, minutes = 600, 10, 20
	for _, tt := range []struct {
		uses  int64
		runs  time.Duration // half of that to half more
		least float64       // of the limit is used
	}{{5, 3 * time.Second, 1}, {3, 10 * time.Second, 1}, {1, 10 * time.Second, 0.9}, {3, 20 * time.Second, 0.95}, {1, 20 * time.Second, 0.8}} {
		luck := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same in each run
		b := new(bucket).of(limit)
		var under running
		var began []Instant
		most, first := 0, 0
		mean := float64(tt.uses) * float64(minute) / limit / 2 // twice what the limit admits
		for now := Instant(1); now < minutes*minute; now += Instant(luck.ExpFloat64() * mean) {
			for len(under) > 0 && under[0].at <= now {
				end := heap.Pop(&under).(ending)
				b.settle(&end.charge, b.worth(tt.uses), end.at)
			}
			if b.wait(takes, now) > 0 {
				continue
			}
			c := b.hold(takes)
			b.take(&c, now)
			heap.Push(&under, ending{c, now + Instant(tt.runs/2) + Instant(luck.Int64N(int64(tt.runs)))})
			began = append(began, now)
			for ; now-began[first] >= minute; first++ {
			}
			most = max(most, len(began)-first)
		}
		used := float64(int64(len(began))*tt.uses) / limit / minutes
		window := float64(int64(most)*tt.uses) / limit
		t.Logf("uses %d of %d, runs %v: %.2f of the limit are used, and %.2f in a window", tt.uses, takes, tt.runs, used, window)
		if used < tt.least || window >= 2.5 {
			t.Errorf("want %v of the limit at least, and less than 2.5 in a window", tt.least)
		}
	}
}
