package ledger

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// failOver has the store forget what it took since an earlier moment.
func (s *storeDouble) failOver(to *storeDouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows, s.order, s.prices, s.upto = maps.Clone(to.rows), slices.Clone(to.order), maps.Clone(to.prices), to.upto
}

func (f *fixture) keeping(t *testing.T, keep time.Duration) *Ledger {
	t.Helper()
	l, err := Open(context.Background(), Options{Files: f.disk, Store: f.store, Now: f.now, Log: slog.New(slog.DiscardHandler), Bound: f.bound, Keep: keep})
	if err != nil {
		t.Fatal(err)
	}
	l.Know([]PricedAs{{price.ID(), price.JSON()}})
	t.Cleanup(func() { abandon(l) })
	return l
}

// fill makes large calls, about twenty of which fill a segment.
func fill(t *testing.T, l *Ledger, prefix string, n int) {
	t.Helper()
	for i := range n {
		id := fmt.Sprint(prefix, "-", i)
		e, err := l.Begin(large(id), true)
		if err != nil {
			t.Fatal(err)
		}
		e.Settle(ended(id))
		if i%5 == 0 {
			time.Sleep(syncEvery + time.Millisecond)
		}
	}
}

// wantRowsOf fails unless the store has so many rows of the calls with a prefix.
func (f *fixture) wantRowsOf(t *testing.T, prefix string, want int) {
	t.Helper()
	n := 0
	for id := range f.store.byRequest(t) {
		if strings.HasPrefix(id, prefix+"-") {
			n++
		}
	}
	if n != want {
		t.Fatalf("the store has %d rows of %s, want %d", n, prefix, want)
	}
}

func (f *fixture) segments(t *testing.T) int {
	t.Helper()
	names, err := f.disk.Names()
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// What a store forgets in a failover is shipped again, from segments that it had taken: with the next shipment, or within half a minute if nothing
// else is to be shipped.
func TestForgottenRowsAreShippedAgain(t *testing.T) {
	for _, idle := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture()
			l := f.keeping(t, 10*time.Minute)
			fill(t, l, "old", 50)
			flush(t, l)
			before := f.store.clone()
			fill(t, l, "lost", 100)
			flush(t, l)
			f.wantRowsOf(t, "lost", 100)
			f.store.failOver(before)
			f.wantRowsOf(t, "lost", 0)
			if idle {
				time.Sleep(lookEvery + 5*time.Second)
			} else {
				fill(t, l, "new", 1)
				flush(t, l)
				f.wantRowsOf(t, "new", 1)
			}
			f.wantRowsOf(t, "old", 50)
			f.wantRowsOf(t, "lost", 100)
			if s := l.Stats(); s.Pending != 0 || s.Worth != 0 {
				t.Errorf("%d rows of %d wait", s.Pending, s.Worth)
			}
			f.store.failOver(newStore()) // and all of it
			flush(t, l)
			time.Sleep(lookEvery + 5*time.Second)
			f.wantRowsOf(t, "old", 50)
			f.wantRowsOf(t, "lost", 100)
			closeLedger(t, l)
		})
	}
}

// Failovers, to any earlier moment of the last minutes, and ends of the process in any order lose no row.
func TestFailoversAndRestartsLoseNothing(t *testing.T) {
	for seed := range uint64(12) {
		synctest.Test(t, func(t *testing.T) {
			f, choices := newFixture(), random(seed)
			l := f.keeping(t, 10*time.Minute)
			made := map[string]int{}
			var moments []*storeDouble
			for step := range 25 {
				switch choices.IntN(6) {
				case 0:
					moments = append(moments, f.store.clone())
				case 1:
					if len(moments) > 0 {
						f.store.failOver(moments[choices.IntN(len(moments))])
					}
				case 2:
					f.kill(l)
					l = f.keeping(t, 10*time.Minute)
				case 3:
					flush(t, l)
				case 4:
					closeLedger(t, l)
					l = f.keeping(t, 10*time.Minute)
				default:
					prefix, n := fmt.Sprint("step", step), choices.IntN(60)
					fill(t, l, prefix, n)
					made[prefix] = n
				}
			}
			fill(t, l, "last", 1)
			flush(t, l)
			for prefix, n := range made {
				f.wantRowsOf(t, prefix, n)
			}
			if s := l.Stats(); s.Pending != 0 || s.Worth != 0 {
				t.Errorf("seed %d: %d rows of %d wait", seed, s.Pending, s.Worth)
			}
			closeLedger(t, l)
		})
	}
}

// Segments that the store has stay for ten minutes, after a start, too, and no longer. Without need none stays.
func TestShippedSegmentsStayForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.keeping(t, 10*time.Minute)
		fill(t, l, "a", 100)
		flush(t, l)
		time.Sleep(9 * time.Minute)
		if n := f.segments(t); n < 5 {
			t.Errorf("%d files after nine minutes", n)
		}
		closeLedger(t, l)
		l = f.keeping(t, 10*time.Minute)
		time.Sleep(9 * time.Minute)
		if n := f.segments(t); n < 5 {
			t.Errorf("%d files nine minutes after the start", n)
		}
		time.Sleep(2 * time.Minute)
		if n := f.segments(t); n > 3 {
			t.Errorf("%d files after more than ten minutes", n)
		}
		fill(t, l, "b", 100)
		flush(t, l)
		closeLedger(t, l)
		l = f.keeping(t, 0)
		flush(t, l)
		time.Sleep(time.Second)
		if n := f.segments(t); n > 3 {
			t.Errorf("%d files without need", n)
		}
		closeLedger(t, l)
	})
}

// Segments that stay give way to the journal: it takes as many calls as without them, within its bound, and while the disk is full.
func TestSegmentsThatStayGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.keeping(t, time.Hour)
		for round := range 20 {
			fill(t, l, fmt.Sprint("r", round), 60)
			flush(t, l)
			time.Sleep(time.Second)
			if n, size := f.segments(t), int(l.size); n*size > MinBound+size {
				t.Fatalf("%d files of %d bytes", n, size)
			}
			if s := l.Stats(); s.Near() {
				t.Errorf("the journal counts as nearly full: %+v", s)
			}
		}
		if n := f.segments(t); n < 10 {
			t.Errorf("only %d files stay", n)
		}
		closeLedger(t, l)
	})
}

// A store that has forgotten more than the journal has is written on.
func TestMoreIsForgottenThanStayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.keeping(t, 10*time.Minute)
		fill(t, l, "old", 100)
		flush(t, l)
		time.Sleep(20 * time.Minute)
		f.store.failOver(newStore())
		fill(t, l, "new", 5)
		flush(t, l)
		f.wantRowsOf(t, "new", 5)
		if s := l.Stats(); s.Pending != 0 {
			t.Errorf("%d rows wait", s.Pending)
		}
		closeLedger(t, l)
	})
}
