package live

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// A watcher gets what it wants, in order: the newest, and how many others there were.
func TestWatchersGetTheNewest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var h Hub[int]
		w, err := h.Watch(func(n int) bool { return n%3 != 0 })
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		for range rapid.IntRange(1, 5).Draw(t, "times") {
			var want []int
			for range rapid.IntRange(0, 3*kept).Draw(t, "events") {
				if h.Publish(next); next%3 != 0 {
					want = append(want, next)
				}
				next++
			}
			lost := max(len(want)-kept, 0)
			got, dropped := w.Take()
			if int(dropped) != lost || !slices.Equal(got, want[lost:]) {
				t.Fatalf("%d dropped and %v, want %d and %v", dropped, got, lost, want[lost:])
			}
			select {
			case <-w.Ready():
				if len(want) == 0 {
					t.Error("there was nothing to take")
				}
			default:
				if len(want) > 0 {
					t.Error("it did not say that there was something")
				}
			}
		}
	})
}

// Who publishes waits for no watcher, though none of them ever takes anything, and they come and go. What is not taken is bounded.
func TestPublishingNeverWaits(t *testing.T) {
	t.Parallel()
	var h Hub[int]
	var list []*Watcher[int]
	for range MostWatchers {
		w, err := h.Watch(func(int) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, w)
	}
	if _, err := h.Watch(nil); !errors.Is(err, ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := range 10_000 {
				h.Publish(n)
			}
		})
	}
	for _, w := range list[:5] {
		wg.Go(w.Close)
	}
	wg.Wait()
	for i, w := range list {
		if len(w.kept) > kept {
			t.Errorf("%d are kept", len(w.kept))
		}
		if events, dropped := w.Take(); i >= 5 && (len(events) != kept || dropped != 40_000-kept) {
			t.Errorf("%d and %d dropped", len(events), dropped)
		}
	}
	again, err := h.Watch(func(int) bool { return true })
	if err != nil || !h.Watched() {
		t.Fatal(err)
	}
	h.Close()
	<-again.Ended()
	if _, err := h.Watch(nil); !errors.Is(err, ErrClosed) || h.Watched() {
		t.Errorf("after the end: %v", err)
	}
	again.Close()
	h.Publish(1)
}

// Without a watcher nothing is allocated.
func TestNobodyWatches(t *testing.T) { //nolint:paralleltest // it counts allocations
	var h Hub[*int]
	if n := testing.AllocsPerRun(100, func() {
		if h.Watched() {
			h.Publish(nil)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	w, _ := h.Watch(func(*int) bool { return true })
	w.Close()
	if h.Watched() {
		t.Error("the last has left")
	}
}
