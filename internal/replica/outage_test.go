package replica

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// A request that waits for the database by itself waits for one that is slow at something, and not for one that is gone: 275 ms at first, and
// then not at all before that answers again. An operator waits until a round trip has failed.
func TestRequestsDoNotWaitForADatabaseThatIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d := open(t, db, "one", 1)
		slow, end := d.While(t.Context())
		time.Sleep(700 * time.Millisecond)
		if err := slow.Err(); err != nil {
			t.Errorf("a request that waits for something slow: %v", err)
		}
		db.set(func() { db.silent = true })
		for _, most := range []time.Duration{waitFor + probeWithin, 0, 0} {
			began := time.Now()
			gone, end := d.While(t.Context())
			<-gone.Done()
			if took := time.Since(began); took != most || !errors.Is(context.Cause(gone), errSilent) {
				t.Errorf("a request waits for %v, want %v: %v", took, most, context.Cause(gone))
			}
			end()
		}
		operator, leave := d.WhileItMayAnswer(t.Context())
		defer leave()
		if err := operator.Err(); err != nil {
			t.Errorf("an operator does not wait: %v", err)
		}
		time.Sleep(askEach + answerWithin)
		if next, end := d.WhileItMayAnswer(t.Context()); operator.Err() == nil || next.Err() == nil {
			t.Error("an operator waits on")
			end()
		}
		if slow.Err() == nil {
			t.Error("one that waited before waits on")
		}
		end()
		db.set(func() { db.silent = false })
		time.Sleep(5 * time.Second)
		back, end := d.While(t.Context())
		defer end()
		time.Sleep(time.Second)
		if err := back.Err(); err != nil {
			t.Errorf("after the database is back: %v", err)
		}
		parent, cancel := context.WithCancel(t.Context())
		left, end := d.While(parent)
		defer end()
		cancel()
		<-left.Done()
	})
}

// While the database does not answer, calls may exceed budgets that are not strict, if that is wanted. What they took is stated later.
func TestCallsExceedWhatIsNotStrict(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d := open(t, db, "one", 1)
		db.set(func() { db.silent = true })
		want := Want{budgetName, 100, 1, 70, false}
		if v, _ := d.Hold(t.Context(), []Want{want}); v != escrow.Ask {
			t.Fatal(v)
		}
		if strict := (Want{escrow.Name{Budget: "b"}, 100, 1, 1, true}); d.Exceed([]Want{want, strict}) {
			t.Error("a strict budget is exceeded")
		}
		for range 2 {
			if !d.Exceed([]Want{want}) {
				t.Error("one that is not strict is not exceeded")
			}
			d.Settle(budgetName, 70, 60)
		}
		db.set(func() { db.silent = false })
		time.Sleep(5 * time.Second)
		db.books(t, 120, 120)
		if v, _ := d.Hold(t.Context(), []Want{want}); v != escrow.UsedUp || d.Exceed([]Want{want}) {
			t.Errorf("with the database back: %v", v)
		}
	})
}

// A statement that the database undoes is made again three times. Then it is as if the database were gone.
func TestStatementsAreMadeAgainThreeTimes(t *testing.T) {
	t.Parallel()
	for undone, want := range map[int]escrow.Verdict{3: escrow.Fits, 4: escrow.Ask} {
		synctest.Test(t, func(t *testing.T) {
			db := newDatabase()
			d := open(t, db, "one", 1)
			db.set(func() { db.undone = undone })
			began := time.Now()
			if v := d.hold(t, 10); v != want || time.Since(began) > waitFor {
				t.Errorf("%d undone: %v after %v, want %v", undone, v, time.Since(began), want)
			}
		})
	}
}

// What others lack is asked for soon after they say so, however often they do.
func TestWhatIsSaidToLackIsAskedForSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		desks := []*Desk{open(t, db, "one", 1), open(t, db, "two", 1)}
		verdicts := [2]escrow.Verdict{desks[0].hold(t, 10), desks[1].hold(t, 89)} // the first has something in store
		if verdicts != [2]escrow.Verdict{escrow.Fits, escrow.Short} {
			t.Fatal(verdicts)
		}
		before := db.questions()
		for range 50 { // as each of many replicas says it
			desks[0].Hasten()
			time.Sleep(time.Millisecond)
		}
		time.Sleep(Quiet - 50*time.Millisecond)
		if n := db.questions() - before; n > 5 {
			t.Errorf("it was asked %d times", n)
		}
		if v := desks[1].hold(t, 89); v != escrow.Fits {
			t.Errorf("after %v: %v", Quiet, v)
		}
	})
}

// Quiet is how long a replica that was refused does not ask again.
const Quiet = escrow.Quiet

// What is idle for ten minutes is given back, and what is held by calls that run is not.
func TestIdleSlicesAreGivenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d := open(t, db, "one", 1)
		if v := d.hold(t, 10); v != escrow.Fits {
			t.Fatal(v)
		}
		_, free := d.Used(budgetName)
		if free == 0 {
			t.Fatal("nothing is in store")
		}
		time.Sleep(escrow.Idle - time.Minute)
		db.books(t, 10+free, 0)
		time.Sleep(2 * time.Minute)
		db.books(t, 10, 0)
		d.Settle(budgetName, 10, 4)
		time.Sleep(time.Minute)
		db.books(t, 4, 4)
	})
}
