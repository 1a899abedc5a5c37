package ledger

import (
	"context"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// large is an intent that fills a segment soon.
func large(id string) *Intent {
	in := began(id)
	for range 16 {
		in.Tags = append(in.Tags, Tag{"note", strings.Repeat("x", 120)})
	}
	return in
}

// trial is a run in which operations of the disk fail.
type trial struct {
	f       *fixture
	settled map[string]bool // calls that were begun and settled
	open    map[string]bool // calls that were begun and are running
	refused map[string]bool // calls that were not begun
	entries []*Entry
	ids     []string
	lost    int // settlements that may be missing
}

// call begins a call, if it may, and settles the one before the last.
func (r *trial) call(l *Ledger, id string, budgeted bool) {
	e, err := l.Begin(large(id), budgeted)
	if err != nil {
		r.refused[id] = true
	} else {
		r.entries, r.ids = append(r.entries, e), append(r.ids, id)
		r.open[id] = true
	}
	if n := len(r.entries) - 3; n >= 0 && r.open[r.ids[n]] {
		r.settle(n)
	}
}

func (r *trial) settle(n int) {
	r.entries[n].Settle(ended(r.ids[n]))
	delete(r.open, r.ids[n])
	r.settled[r.ids[n]] = true
}

// run makes calls over several segments, with a restart in the middle, and leaves two calls open. It returns how many operations of the disk
// and of the store there were. Starts that fail are tried again, as the operator does.
func (r *trial) run(t *testing.T) (disk, store int) {
	l := r.start(t)
	for i := range 60 {
		r.call(l, fmt.Sprint("a-", i), i%2 == 0)
		if i%7 == 0 {
			time.Sleep(130 * time.Millisecond)
		}
	}
	time.Sleep(3 * time.Second)
	for n, id := range r.ids {
		if r.open[id] && n%2 == 0 {
			r.settle(n)
		}
	}
	if err := l.Close(context.Background()); err != nil {
		r.lost = l.Stats().Waiting // the process ends while the disk fails: what waits in its memory is gone
	}
	abandon(l)
	l = r.start(t)
	for i := range 10 {
		r.call(l, fmt.Sprint("b-", i), i%2 == 0)
	}
	time.Sleep(3 * time.Second)
	disk, store = r.f.disk.count(), r.f.store.count()
	// All by itself everything is right again.
	for i := range 10 {
		r.call(l, fmt.Sprint("c-", i), i%2 == 0)
		if id := fmt.Sprint("c-", i); r.refused[id] {
			t.Fatalf("%s is refused after all is over", id)
		}
	}
	time.Sleep(2 * time.Minute) // a store that has failed for a while is not asked at once
	r.f.disk.setFault(nil)      // faults that have begun are over; those of an operation that never came would hit what follows
	r.f.store.setFault(nil)
	flush(t, l)
	if s := l.Stats(); s.Failing || s.Waiting > 0 || s.Pending != 0 {
		t.Fatalf("after all is over: %+v", s)
	}
	r.f.kill(l)
	l = r.start(t)
	flush(t, l)
	closeLedger(t, l)
	return disk, store
}

func (r *trial) start(t *testing.T) *Ledger {
	r.entries, r.ids = nil, nil // calls of an earlier process end with it
	for range 40 {
		l, err := r.f.tryOpen()
		if err == nil {
			t.Cleanup(func() { abandon(l) })
			return l
		}
	}
	t.Fatal("the ledger does not start")
	return nil
}

// check compares the rows with the calls.
func (r *trial) check(t *testing.T) {
	rows := r.f.store.byRequest(t)
	for id := range r.settled {
		diff := cmp.Diff(*ended(id), rows[id].Settlement)
		if diff != "" && rows[id].Flags == Orphaned && r.lost > 0 {
			r.lost--
			continue
		}
		if diff != "" {
			t.Fatalf("%s was settled: %s", id, diff)
		}
	}
	for id := range r.open {
		if rows[id].Flags&Orphaned == 0 {
			t.Fatalf("%s was never settled: %+v", id, rows[id])
		}
	}
	for id, row := range rows {
		if !r.settled[id] && row.Flags&Orphaned == 0 {
			t.Fatalf("%s was refused or open, and has the row %+v", id, row)
		}
	}
}

// stride is from one operation that fails to the next: with -short, which the race detector has, every fifth does.
func stride() int {
	if testing.Short() {
		return 5
	}
	return 1
}

// TestFaults has the n-th operation of the disk fail, and 30 from the n-th on, for each n.
func TestFaults(t *testing.T) {
	t.Parallel()
	kinds := []struct {
		name string
		many int
		err  error
		part int // of a write that is done all the same, in quarters
	}{
		{"ENOSPC", 1, syscall.ENOSPC, 0},
		{"EIO", 1, syscall.EIO, 4},
		{"short", 1, io.ErrShortWrite, 2},
		{"ENOSPC for a while", 30, syscall.ENOSPC, 1},
		{"EIO for a while", 30, syscall.EIO, 3},
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for n, calls := 1, 2; n < calls; n += stride() {
				synctest.Test(t, func(t *testing.T) {
					r := &trial{f: newFixture(), settled: map[string]bool{}, open: map[string]bool{}, refused: map[string]bool{}}
					r.f.disk.setFault(func(call int, op string, size int) (int, error) {
						if call >= n && call < n+k.many && (k.err != syscall.ENOSPC || op != "read" && op != "sync") {
							return size * k.part / 4, k.err
						}
						return size, nil
					})
					if calls, _ = r.run(t); t.Failed() {
						return
					}
					r.check(t)
				})
				if t.Failed() {
					t.Fatalf("with operation %d of %d", n, calls)
				}
			}
		})
	}
}

// late is how many calls of the store more than one run makes another may make: goroutines that are ready at the same time run in any order.
const late = 4

// TestStoreFaults has the n-th call of the store fail, and ten from the n-th on, for each n. What failed was not done, or it was done and
// the answer was lost.
func TestStoreFaults(t *testing.T) {
	t.Parallel()
	for _, k := range []struct {
		name string
		many int
		done bool
	}{{"once", 1, false}, {"once, but done", 1, true}, {"for a while", 10, false}, {"for a while, but done", 10, true}} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for n, calls := 1, 2; n < calls+late; n += stride() {
				synctest.Test(t, func(t *testing.T) {
					r := &trial{f: newFixture(), settled: map[string]bool{}, open: map[string]bool{}, refused: map[string]bool{}}
					r.f.store.setFault(func(call int) (bool, error) {
						if call >= n && call < n+k.many {
							return k.done, syscall.EIO
						}
						return true, nil
					})
					if _, calls = r.run(t); t.Failed() {
						return
					}
					if r.check(t); len(r.refused) > 0 {
						t.Errorf("the journal did not take %d calls", len(r.refused))
					}
				})
				if t.Failed() {
					t.Fatalf("with call %d of %d", n, calls)
				}
			}
		})
	}
}
