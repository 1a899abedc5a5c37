package replica

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// database is escrow.Memory as replicas find it: behind a network, and at times not at all.
type database struct {
	mu     sync.Mutex
	memory *escrow.Memory
	began  time.Time
	late   time.Duration // how long an answer takes
	silent bool
	undone int // how many statements are undone next
	count  int // statements
	asked  int // questions
}

func newDatabase() *database {
	return &database{memory: escrow.NewMemory(), began: time.Now(), late: time.Millisecond}
}

func (d *database) arrive(ctx context.Context) error {
	d.mu.Lock()
	late, silent := d.late, d.silent
	d.mu.Unlock()
	if silent {
		<-ctx.Done()
		return ctx.Err()
	}
	select {
	case <-time.After(late):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *database) Exchange(ctx context.Context, s *escrow.Statement) (*escrow.Answer, error) {
	if err := d.arrive(ctx); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	if d.undone > 0 {
		d.undone--
		return nil, escrow.ErrUndone
	}
	return d.memory.Exchange(s, time.Since(d.began)), nil
}

func (d *database) Poll(ctx context.Context, q escrow.Question) (*escrow.News, error) {
	if err := d.arrive(ctx); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	return d.memory.Poll(q, time.Since(d.began)), nil
}

func (d *database) Forget(_ context.Context, replica string, unspent bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.memory.Forget(replica, unspent)
	return nil
}

func (d *database) Reclaim(ctx context.Context, names []escrow.Name, after time.Duration) (int, error) {
	if err := d.arrive(ctx); err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.memory.Reclaim(names, after, time.Since(d.began)), nil
}

func (d *database) set(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

func (d *database) statements() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count
}

func (d *database) questions() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked
}

func (d *database) books(t *testing.T, granted, used int64) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if g, u, err := d.memory.Books(budgetName); g != granted || u != used || err != nil {
		t.Errorf("%d is granted and %d used (%v), want %d and %d", g, u, err, granted, used)
	}
}

// open is a replica that runs until the test ends.
func open(t *testing.T, db *database, id string, began int64, kept ...escrow.Kept) *Desk {
	t.Helper()
	d, err := Open(t.Context(), Options{Database: db, ID: id, Epoch: escrow.Epoch{Began: began}, Kept: kept, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { d.Run(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
	return d
}

var budgetName = escrow.Name{Budget: "a"}

func (d *Desk) hold(t *testing.T, need int64) escrow.Verdict {
	t.Helper()
	verdict, _ := d.Hold(t.Context(), []Want{{budgetName, 100, 1, need, true}})
	return verdict
}

// A budget that has room for all is not said to have none because the database answers late, and calls that waited get what was asked for them.
func TestWhatCallsWaitForIsTheirs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d := open(t, db, "one", 1)
		for late := time.Millisecond; late < 2*waitFor; late += time.Millisecond {
			db.set(func() { db.late = late })
			want := []Want{{escrow.Name{Budget: "of " + late.String()}, 1_000_000_000, 1, 1000, true}}
			asked := 0
			var running sync.WaitGroup
			var mu sync.Mutex
			for range 100 {
				running.Go(func() {
					verdict, _ := d.Hold(t.Context(), want)
					mu.Lock()
					defer mu.Unlock()
					switch verdict {
					case escrow.Fits:
					case escrow.Ask:
						asked++
					default:
						t.Errorf("answers take %v: %v", late, verdict)
					}
				})
				time.Sleep(300 * time.Microsecond)
			}
			running.Wait()
			if asked > 5 && late < waitFor/4 { // others may be faster
				t.Errorf("answers take %v: %d of 100 did not get an answer", late, asked)
			}
			time.Sleep(5 * time.Second)
		}
	})
}

// Two replicas spend a budget together, and no more than it. What one does not need the other gets within some seconds.
func TestReplicasSpendABudgetTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		desks := []*Desk{open(t, db, "one", 1), open(t, db, "two", 1)}
		var spent int64
		for round := range 600 {
			d := desks[round%2]
			if round > 40 {
				d = desks[0] // the other has no calls any more
			}
			switch v := d.hold(t, 1); v {
			case escrow.Fits:
				d.Settle(budgetName, 1, 1)
				spent++
			case escrow.UsedUp:
				if spent != 100 {
					t.Fatalf("it is used up after %d", spent)
				}
			case escrow.Short:
			default:
				t.Fatalf("verdict %v after %d", v, spent)
			}
			time.Sleep(50 * time.Millisecond)
		}
		if spent != 100 {
			t.Errorf("%d were spent of 100", spent)
		}
	})
}

// Calls that need the database at the same time share its answers.
func TestCallsWaitForOneAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d := open(t, db, "one", 1)
		var waits []time.Duration
		d.waited = func(w time.Duration) { db.set(func() { waits = append(waits, w) }) }
		before, made := db.statements(), d.Stats().Statements
		var calls sync.WaitGroup
		for range 50 {
			calls.Go(func() {
				if v := d.hold(t, 2); v != escrow.Fits {
					t.Errorf("verdict %v", v)
				}
			})
		}
		calls.Wait()
		if n := db.statements() - before; n > 2 {
			t.Errorf("%d statements for 50 calls", n)
		}
		if n := d.Stats().Statements - made; n != int64(db.statements()-before) {
			t.Errorf("it counted %d statements", n)
		}
		if len(waits) != 50 || slices.Min(waits) <= 0 || slices.Max(waits) > waitFor {
			t.Errorf("calls waited for %v", waits)
		}
		if v := d.hold(t, 1); v != escrow.Short {
			t.Errorf("one more: %v", v)
		}
	})
}

// While the database does not answer, one call waits for a short while and others do not. What is held goes on. When it answers again, so does
// everything.
func TestNothingHangsOnASilentDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d := open(t, db, "one", 1)
		if v := d.hold(t, 10); v != escrow.Fits {
			t.Fatal(v)
		}
		_, free := d.Used(budgetName)
		db.set(func() { db.silent = true })
		began := time.Now()
		if v := d.hold(t, free+1); v != escrow.Ask || time.Since(began) != waitFor {
			t.Errorf("the first call: %v after %v", v, time.Since(began))
		}
		began = time.Now()
		if v := d.hold(t, free+1); v != escrow.Ask || time.Since(began) != 0 {
			t.Errorf("the second call: %v after %v", v, time.Since(began))
		}
		time.Sleep(10 * time.Second)
		if v := d.hold(t, 1); free < 1 || v != escrow.Fits {
			t.Errorf("of %d that it holds, a call gets 1: %v", free, v)
		}
		db.set(func() { db.silent = false })
		time.Sleep(5 * time.Second)
		if v := d.hold(t, free+1); v != escrow.Fits {
			t.Errorf("after the database is back: %v", v)
		}
	})
}

// A statement that the database undoes is made again, as long as its callers wait.
func TestUndoneStatementsAreMadeAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d := open(t, db, "one", 1)
		db.set(func() { db.undone = 2 })
		if v := d.hold(t, 10); v != escrow.Fits {
			t.Errorf("after two that were undone: %v", v)
		}
	})
}

// A process with a clock that is behind that of its predecessor takes over all the same, with what was kept. The predecessor, should it live, spends no more.
func TestALaterProcessTakesOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		first := open(t, db, "one", 50)
		if v := first.hold(t, 10); v != escrow.Fits {
			t.Fatal(v)
		}
		first.Settle(budgetName, 10, 10)
		second := open(t, db, "one", 7, escrow.Kept{Name: budgetName, Used: 10})
		time.Sleep(2 * time.Second)
		if v := first.hold(t, 1); v != escrow.Gone {
			t.Errorf("the first process: %v", v)
		}
		if v := second.hold(t, 91); v == escrow.Fits {
			t.Error("the second process spends what the first has spent")
		}
		if v := second.hold(t, 90); v != escrow.Fits {
			time.Sleep(time.Second) // it was refused just now
			if v = second.hold(t, 90); v != escrow.Fits {
				t.Errorf("the second process: %v", v)
			}
		}
	})
}

// A drain gives back what no call holds, at once, and the rest when the calls have ended.
func TestADrainGivesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d := open(t, db, "one", 1)
		if v := d.hold(t, 10); v != escrow.Fits {
			t.Fatal(v)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := d.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("with a call that runs, it ends with %v", err)
		}
		db.books(t, 10, 0)
		d.Settle(budgetName, 10, 4)
		if err := d.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		db.books(t, 4, 4)
	})
}

// What a replica learns of a budget that it has never seen comes with a slice, and with units of limits that a request is about to need, so that the first makes one
// statement in all.
func TestTheFirstCallAsksOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		one, other := open(t, db, "one", 1), open(t, db, "two", 1)
		limits := []Limit{rpm("requests", 6000), {Subject: "tokens", Most: 6_000_000, Units: 2000}}
		time.Sleep(beginning)
		for _, d := range []*Desk{one, other} {
			before := db.statements()
			d.Expect(limits)
			d.Learn(t.Context(), []Want{{Name: budgetName, Limit: 100, Version: 1}})
			if e, lack := d.comes(t, limits...); e == nil {
				t.Fatal(lack)
			}
			if v := d.hold(t, 5); v != escrow.Fits {
				t.Fatal(v)
			}
			if n := db.statements() - before; n != 1 {
				t.Errorf("%d statements", n)
			}
		}
	})
}
