package ledger

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// outage is a moment at which power is lost: the disk, the store, and what is known of the calls.
type outage struct {
	disk    *diskDouble
	store   *storeDouble
	began   map[string]bool // calls whose intents a sync has covered
	settled map[string]bool // those whose settlements it has
	made    map[string]bool // all calls
}

// history makes calls of many lengths, and loses power at random moments. Between two of them the disk and the store go on.
func history(t *testing.T, f *fixture, random *rand.Rand, outages int) (all []outage) {
	t.Helper()
	l := f.open(t)
	type record struct {
		number uint64
		id     string
	}
	var begun, settled []record
	made := map[string]bool{}
	open := map[string]*Entry{}
	for n := 0; len(all) < outages; n++ {
		id := fmt.Sprintf("call-%d", n)
		made[id] = true
		open[id] = begin(t, l, id)
		begun = append(begun, record{l.count(), id})
		if f.power && !l.covers(l.count()) {
			t.Fatal("a call has begun before its intent was durable")
		}
		for id, e := range open {
			if random.IntN(12) == 0 {
				e.Settle(ended(id))
				settled = append(settled, record{l.count(), id})
				delete(open, id)
			}
		}
		if random.IntN(40) == 0 {
			time.Sleep(time.Duration(random.IntN(250)) * time.Millisecond)
		}
		if random.IntN(8) != 0 {
			continue
		}
		synctest.Wait()
		o := outage{f.disk.killed(), f.store.clone(), map[string]bool{}, map[string]bool{}, map[string]bool{}}
		for id := range made {
			o.made[id] = true
		}
		for _, r := range begun {
			if l.covers(r.number) {
				o.began[r.id] = true
			}
		}
		for _, r := range settled {
			if l.covers(r.number) {
				o.settled[r.id] = true
			}
		}
		all = append(all, o)
	}
	abandon(l)
	return all
}

// check starts on what an outage has left and holds the journal to its law: what was synced is there; what was given up stays away;
// 500 calls that are served then have their rows; and no number is used twice.
func (o *outage) check(t *testing.T, disk *diskDouble, store *storeDouble, now func() time.Time) {
	t.Helper()
	f := &fixture{disk: disk, store: store, bound: 16 << 20, now: now}
	l := f.open(t)
	flush(t, l)
	found := f.store.byRequest(t)
	for id := range o.began {
		if _, there := found[id]; !there {
			t.Fatalf("the call %s was synced and has no row", id)
		}
	}
	for id := range o.settled {
		if diff := cmp.Diff(*ended(id), found[id].Settlement); diff != "" {
			t.Fatalf("the settlement of %s was synced: %s", id, diff)
		}
	}
	for id, row := range found {
		if !o.made[id] || row.Flags&Orphaned == 0 && row.Outcome != "answered" {
			t.Fatalf("%s has the row %+v", id, row)
		}
	}
	ids := serve(t, l, "after", 500)
	if random := len(found) % 2; random == 0 {
		closeLedger(t, l)
	} else {
		f.kill(l)
	}
	l = f.open(t)
	flush(t, l)
	rows := f.store.byRequest(t)
	for _, id := range ids {
		if diff := cmp.Diff(*ended(id), rows[id].Settlement); diff != "" {
			t.Fatalf("%s, served afterwards: %s", id, diff)
		}
	}
	for id, row := range found {
		if diff := cmp.Diff(row, rows[id]); diff != "" {
			t.Fatalf("a row has changed: %s", diff)
		}
	}
	if len(rows) != len(found)+500 {
		t.Fatalf("%d rows, and then, with 500 calls, %d: what was given up came back", len(found), len(rows))
	}
	closeLedger(t, l)
}

// TestPowerLoss makes images of the journal in which pages that were not synced are lost: one, some, or all of them. A third of the starts
// have a clock that was set back.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	losePower(t, 60)
}

// TestLongPowerLoss does it a thousand times.
func TestLongPowerLoss(t *testing.T) {
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes a minute: set WEIR_LONG=1, as make long does")
	}
	losePower(t, 1000)
}

func losePower(t *testing.T, images int) {
	const histories = 20
	for seed := range uint64(histories) {
		if testing.Short() && seed%3 != 1 { // one in three
			continue
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				random := random(seed)
				f := newFixture()
				f.power = seed%5 == 4
				for n, o := range history(t, f, random, images/histories) {
					lost := lose(o.disk.dirtyPages(), random, n%3)
					now := time.Now
					if random.IntN(3) == 0 {
						now = func() time.Time { return time.Now().Add(-24 * time.Hour) }
					}
					o.check(t, o.disk.powerless(func(p dirtyPage) bool { return lost[p] }, random.IntN(2) == 0), o.store, now)
				}
			})
		})
	}
}

// lose picks one of the pages, any of them, or all.
func lose(dirty []dirtyPage, random *rand.Rand, how int) map[dirtyPage]bool {
	lost := map[dirtyPage]bool{}
	for _, p := range dirty {
		lost[p] = how == 2 || how == 1 && random.IntN(2) == 0
	}
	if how == 0 && len(dirty) > 0 {
		lost[dirty[random.IntN(len(dirty))]] = true
	}
	return lost
}
