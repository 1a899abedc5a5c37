package memory

import (
	"testing"
	"time"
)

// What is held off, for how long, and how far.
func TestFloorFollowsTheCollections(t *testing.T) {
	t.Parallel()
	f := &floor{bytes: 12 << 20, percent: usualPercent}
	for _, step := range []struct {
		since  time.Duration
		live   int64 // MiB
		want   int64
		reason string
	}{
		{5 * time.Second, 1, 100, "collections are rare"},
		{20 * time.Millisecond, 1, 100, "one came soon"},
		{20 * time.Millisecond, 2, 100, "and two more, as when a program starts"},
		{20 * time.Millisecond, 4, 100, "and a third"},
		{3 * time.Second, 1, 100, "but not a fourth"},
		{20 * time.Millisecond, 1, 100, "once more"},
		{20 * time.Millisecond, 1, 100, "and again"},
		{500 * time.Millisecond, 1, 100, "a pause"},
		{20 * time.Millisecond, 1, 100, "and again"},
		{20 * time.Millisecond, 1, 300, "they are frequent, and little is alive"},
		{time.Second, 1, 300, "they are as rare as that makes them"},
		{time.Second, 4, 200, "more is alive"},
		{time.Second, 4, 200, "and stays so"},
		{20 * time.Millisecond, 9, 100, "a large heap is collected as usual"},
		{20 * time.Millisecond, 1, 300, "and is small again"},
		{3 * time.Second, 1, 100, "they are rare again"},
		{time.Second, 1, 100, "and not frequent"},
	} {
		f.percent = f.next(step.since, step.live<<20, step.live<<20)
		if f.percent != step.want {
			t.Fatalf("%s: %d %%, not %d", step.reason, f.percent, step.want)
		}
	}
}
