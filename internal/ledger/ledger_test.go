package ledger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// price is a price that intents of tests name.
var price = money.Plain(3e6, 15e6)

// began is an intent of a call by the id of its request.
func began(id string) *Intent {
	return &Intent{
		Request: id, ClientID: "client-" + id, Try: 1, Started: time.Unix(1700000000, 123456789).UTC(), Key: "key_01hzx7v9m2q4", Team: "team_research",
		Tags: []Tag{{"app", "search"}, {"user", "u-" + id}}, Model: "smart", Provider: "anthropic", Upstream: "claude-sonnet-4-5", Credential: 1,
		Price: price.ID(), Held: llm.Usage{Fresh: 1200, Text: 500}, Hold: 11_100_000,
	}
}

// ended is the settlement of that call.
func ended(id string) *Settlement {
	return &Settlement{
		Status: 200, Outcome: "answered", Source: Reported, Usage: llm.Usage{Fresh: 1000, CacheRead: 200, Text: 300, Reasoning: 40, Tier: "standard"},
		Cost: 8_160_000, Listed: 8_160_000, UpstreamModel: "claude-sonnet-4-5-20250929", UpstreamID: "msg_" + id,
		First: 300 * time.Millisecond, Took: 4 * time.Second, Own: 80 * time.Microsecond,
	}
}

// fixture is a disk and a store that outlive ledgers.
type fixture struct {
	disk  *diskDouble
	store *storeDouble
	bound int64
	power bool
	now   func() time.Time
}

func newFixture() *fixture {
	return &fixture{disk: newDisk(), store: newStore(), bound: MinBound, now: time.Now}
}

func (f *fixture) open(t *testing.T) *Ledger {
	t.Helper()
	l, err := f.tryOpen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { abandon(l) }) // of a test that has failed; else it has ended
	return l
}

func (f *fixture) tryOpen() (*Ledger, error) {
	o := Options{Files: f.disk, Store: f.store, Now: f.now, Log: slog.New(slog.DiscardHandler), Bound: f.bound}
	if f.power {
		o.Durability = Power
	}
	l, err := Open(context.Background(), o)
	if err == nil {
		l.Know([]PricedAs{{price.ID(), price.JSON()}})
	}
	return l, err
}

// kill ends the ledger as a killed process ends: nothing of it is written any more. What it left is on the fixture's disk.
func (f *fixture) kill(l *Ledger) {
	left, store := f.disk.killed(), f.store.clone()
	abandon(l)
	f.disk, f.store = left, store
}

// abandon stops the goroutines of a ledger whose disk has no part in the test any more.
func abandon(l *Ledger) {
	l.files.(*diskDouble).setFault(nil)
	l.stop()
	l.loops.Wait()
}

func begin(t *testing.T, l *Ledger, id string) *Entry {
	t.Helper()
	e, err := l.Begin(began(id), false)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// serve makes calls and settles them.
func serve(t *testing.T, l *Ledger, prefix string, n int) (ids []string) {
	t.Helper()
	for i := range n {
		id := fmt.Sprintf("%s-%d", prefix, i)
		begin(t, l, id).Settle(ended(id))
		ids = append(ids, id)
	}
	return ids
}

func flush(t *testing.T, l *Ledger) {
	t.Helper()
	if err := l.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func closeLedger(t *testing.T, l *Ledger) {
	t.Helper()
	if err := l.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestRow: what a call was begun and settled with is its row in the store, with its price.
func TestRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		e := begin(t, l, "a")
		e.Settle(ended("a"))
		e.Settle(&Settlement{Outcome: "twice"})
		time.Sleep(syncEvery + shipEvery + time.Millisecond)
		want := Row{Instance: l.Instance(), Seq: e.Seq(), Intent: *began("a"), Settlement: *ended("a")}
		if diff := cmp.Diff(map[string]Row{"a": want}, f.store.byRequest(t)); diff != "" {
			t.Error(diff)
		}
		if got := f.store.prices[uint64(price.ID())]; got != string(price.JSON()) {
			t.Errorf("the price is %q", got)
		}
		if s := l.Stats(); s.Pending != 0 || s.Worth != 0 || s.Open != 0 || s.Behind != 0 || s.Failing {
			t.Errorf("%+v", s)
		}
		closeLedger(t, l)
		e.Settle(ended("a"))
		if f.disk.opens != 0 {
			t.Errorf("%d files are open", f.disk.opens)
		}
		if _, err := l.Begin(began("late"), false); !errors.Is(err, ErrUnavailable) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// TestOrphans: a call that was running when Weir was killed has a row at what was held, and only one, however often Weir starts.
func TestOrphans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		begin(t, l, "lost")
		begin(t, l, "settled").Settle(ended("settled"))
		f.kill(l)
		for range 3 {
			l = f.open(t)
			f.kill(l)
		}
		l = f.open(t)
		if s := l.Stats(); s.Pending != 2 || s.Worth != began("").Hold+ended("").Cost {
			t.Errorf("found by a start: %+v", s)
		}
		flush(t, l)
		rows := f.store.byRequest(t)
		want := Settlement{Outcome: "orphaned", Flags: Orphaned, Source: Reserved, Usage: began("").Held, Cost: began("").Hold, Listed: began("").Hold}
		if diff := cmp.Diff(want, rows["lost"].Settlement); diff != "" || len(rows) != 2 {
			t.Error(len(rows), diff)
		}
		if diff := cmp.Diff(*ended("settled"), rows["settled"].Settlement); diff != "" {
			t.Error(diff)
		}
		if f.store.prices[uint64(price.ID())] == "" {
			t.Error("the orphan's price is missing")
		}
		closeLedger(t, l)
		l = f.open(t)
		if s := l.Stats(); s.Orphaned != 0 || s.Pending != 0 {
			t.Errorf("after a start that had nothing to recover: %+v", s)
		}
		closeLedger(t, l)
	})
}

// TestRotation: calls that are open while many segments come and go keep their rows, and segments that were shipped are removed.
func TestRotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		var long []*Entry
		for i := range 50 {
			long = append(long, begin(t, l, fmt.Sprintf("long-%d", i)))
		}
		for round := range 30 {
			serve(t, l, fmt.Sprint(round), 100)
			time.Sleep(time.Second)
		}
		if n := l.highest; n < 10 {
			t.Fatalf("there were %d segments only", n)
		}
		if n := len(f.disk.files); n > 3 {
			t.Errorf("%d files after all is shipped", n)
		}
		for i, e := range long[:25] {
			e.Settle(ended(fmt.Sprintf("long-%d", i)))
		}
		f.kill(l)
		l = f.open(t)
		flush(t, l)
		rows := f.store.byRequest(t)
		if len(rows) != 3050 {
			t.Errorf("%d rows", len(rows))
		}
		for i := range 50 {
			if r := rows[fmt.Sprintf("long-%d", i)]; (r.Flags&Orphaned != 0) != (i >= 25) {
				t.Errorf("call %d: %+v", i, r)
			}
		}
		closeLedger(t, l)
	})
}

// TestBound: while the store fails, the journal takes rows up to its bound, warns before, and refuses then. All of it is shipped when the
// store is back, and calls go on.
func TestBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		f.store.fail(errors.New("locked"))
		var open []*Entry
		near := false
		n := 0
		for ; ; n++ {
			e, err := l.Begin(began(fmt.Sprint(n)), n%2 == 0 && !near)
			if err != nil {
				if !errors.Is(err, ErrUnavailable) || !near {
					t.Fatalf("at %d: %v, near: %v", n, err, near)
				}
				break
			}
			open = append(open, e)
			if len(open) == 40 {
				for i, e := range open {
					e.Settle(ended(fmt.Sprint(n - 39 + i)))
				}
				open = nil
				time.Sleep(time.Second)
			}
			s := l.Stats()
			near = s.Near()
		}
		for i, e := range open {
			e.Settle(ended(fmt.Sprint(n - len(open) + i)))
		}
		s := l.Stats()
		if s.Bytes > f.bound || s.Bytes < f.bound*8/10 || s.Waiting != 0 || s.Pending != int64(n) || s.Worth != int64(n)*ended("").Cost || s.Behind < time.Second {
			t.Errorf("at the bound of %d, after %d calls: %+v", f.bound, n, s)
		}
		f.store.fail(nil)
		time.Sleep(time.Minute)
		serve(t, l, "after", 10)
		flush(t, l)
		if rows := f.store.byRequest(t); len(rows) != n+10 {
			t.Errorf("%d rows of %d", len(rows), n+10)
		}
		if s := l.Stats(); s.Near() || s.Pending != 0 || s.Worth != 0 {
			t.Errorf("afterwards: %+v", s)
		}
		closeLedger(t, l)
	})
}

func syncFails(_ int, op string, size int) (int, error) {
	if op == "sync" {
		return 0, syscall.EIO
	}
	return size, nil
}

// TestFailedSync: what a failed sync leaves in doubt is written again, and survives a loss of power that takes all that the failed one
// should have covered. Until a sync has succeeded, calls that count towards a budget are refused, and nothing of it is shipped.
func TestFailedSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		serve(t, l, "before", 5)
		open := begin(t, l, "open")
		flush(t, l)
		ids := serve(t, l, "doubtful", 20)
		f.disk.setFault(syncFails)
		time.Sleep(10 * syncEvery)
		if _, err := l.Begin(began("budgeted"), true); !errors.Is(err, ErrUnavailable) || !errors.Is(err, syscall.EIO) {
			t.Errorf("a call with a budget: %v", err)
		}
		ids = append(ids, serve(t, l, "meanwhile", 5)...)
		if rows := f.store.byRequest(t); len(rows) != 5 {
			t.Errorf("%d rows were shipped", len(rows))
		}
		f.disk.setFault(nil)
		time.Sleep(3 * time.Second)
		if _, err := l.Begin(began("budgeted"), true); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		left := f.disk.powerless(func(dirtyPage) bool { return true }, true)
		store := f.store.clone()
		abandon(l)
		f.disk, f.store = left, store
		l = f.open(t)
		flush(t, l)
		rows := f.store.byRequest(t)
		for _, id := range ids {
			if diff := cmp.Diff(*ended(id), rows[id].Settlement); diff != "" {
				t.Errorf("%s: %s", id, diff)
			}
		}
		if rows["open"].Flags != Orphaned || open.Seq() != rows["open"].Seq {
			t.Errorf("the open call: %+v", rows["open"])
		}
		closeLedger(t, l)
	})
}

// TestFullDisk: when the disk is full and no segment is in reserve, calls that count towards a budget are refused. Others go on as long as
// reserved space lasts, and those that have begun can end. Then all calls are refused, until there is space again.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		time.Sleep(time.Second)
		f.store.fail(errors.New("locked")) // or it gives back segments
		f.disk.setRoom(f.disk.size())
		var running []*Entry
		var err error
		n, budgeted := 0, 0
		for ; err == nil; n++ {
			var e *Entry
			if e, err = l.Begin(began(fmt.Sprint(n)), budgeted == 0); err != nil && budgeted == 0 {
				if !errors.Is(err, ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) {
					t.Fatal(err)
				}
				budgeted = n
				e, err = l.Begin(began(fmt.Sprint(n)), false)
			}
			if err == nil {
				running = append(running, e)
			}
			if n >= 20 {
				running[n-20].Settle(ended(fmt.Sprint(n - 20)))
			}
			if n%50 == 0 {
				time.Sleep(time.Second)
			}
		}
		n--
		if !errors.Is(err, ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) || budgeted < 100 || n < budgeted+100 {
			t.Errorf("after %d calls, %d of them with a budget: %v", n, budgeted, err)
		}
		for i, e := range running {
			e.Settle(ended(fmt.Sprint(i))) // again, for most
		}
		if s := l.Stats(); s.Waiting != 0 {
			t.Errorf("%d settlements had no room", s.Waiting)
		}
		f.disk.setRoom(0)
		f.store.fail(nil)
		time.Sleep(time.Minute)
		serve(t, l, "after", 300)
		if e, err := l.Begin(began("budgeted"), true); err != nil {
			t.Errorf("afterwards: %v", err)
		} else {
			e.Settle(ended("budgeted"))
		}
		closeLedger(t, l)
		if rows := f.store.byRequest(t); len(rows) != n+301 {
			t.Errorf("%d rows of %d", len(rows), n+301)
		}
	})
}

// TestBackOff: a store that fails is asked less and less often.
func TestBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		f.store.fail(errors.New("locked"))
		serve(t, l, "a", 1)
		time.Sleep(time.Minute)
		f.store.mu.Lock()
		ships := f.store.ships
		f.store.mu.Unlock()
		if ships < 8 || ships > 12 {
			t.Errorf("it was asked %d times in a minute", ships)
		}
		f.store.fail(nil)
		closeLedger(t, l)
	})
}

// TestNewJournalBesideCopiedStore: a new journal beside a store with rows goes on after their numbers, though the clock is
// behind them.
func TestNewJournalBesideCopiedStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		last := begin(t, l, "a")
		last.Settle(ended("a"))
		closeLedger(t, l)
		f.disk, f.now = newDisk(), func() time.Time { return time.Now().Add(-24 * time.Hour) }
		again := f.open(t)
		next := begin(t, again, "b")
		next.Settle(ended("b"))
		if next.Seq() != last.Seq()+1 || again.Instance() == l.Instance() {
			t.Errorf("%d after %d, instances %s and %s", next.Seq(), last.Seq(), l.Instance(), again.Instance())
		}
		closeLedger(t, again)
		if rows := f.store.byRequest(t); len(rows) != 2 {
			t.Errorf("%d rows", len(rows))
		}
	})
}
