package replica

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// usedUp has one replica spend all of a budget, and calls at both be refused until the budget is reset or changed.
func usedUp(t *testing.T, db *database) (one, other *Desk) {
	t.Helper()
	one, other = open(t, db, "one", 1), open(t, db, "two", 1)
	if v := one.hold(t, 100); v != escrow.Fits {
		t.Fatal(v)
	}
	one.Settle(budgetName, 100, 100)
	for _, d := range []*Desk{one, other} {
		for range 20 {
			d.hold(t, 10)
			time.Sleep(time.Second / 2)
		}
		if v := d.hold(t, 10); v != escrow.UsedUp {
			t.Fatal(v)
		}
	}
	return one, other
}

// servesAgain has calls come to a replica for a quarter of a minute, and reports whether one is served.
func (d *Desk) servesAgain(t *testing.T) bool {
	t.Helper()
	for range 30 {
		if d.hold(t, 10) == escrow.Fits {
			return true
		}
		time.Sleep(time.Second / 2)
	}
	return false
}

// A budget that was used up has room again at all replicas once a correction gives some back.
func TestACorrectionMakesRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one, other := usedUp(t, newDatabase())
		one.Settle(budgetName, 0, -60)
		for i, d := range []*Desk{other, one} {
			if !d.servesAgain(t) {
				t.Errorf("replica %d refuses on", i)
			}
		}
	})
}

// A budget that what a lost replica held has used up has room again once the operator says that this was not spent.
func TestWhatWasNotSpentMakesRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		lost, other := open(t, db, "lost", 1), open(t, db, "two", 1)
		if v := lost.hold(t, 100); v != escrow.Fits {
			t.Fatal(v)
		}
		for _, unspent := range []bool{false, true} {
			if err := db.Forget(t.Context(), "lost", unspent); err != nil {
				t.Fatal(err)
			}
			if serves := other.servesAgain(t); serves != unspent {
				t.Errorf("it serves: %v", serves)
			}
		}
	})
}

// While callers are refused, the database hears of a used up budget once in ten seconds, and not with each of them.
func TestRefusalsAreDecidedHere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		_, other := usedUp(t, db)
		before := db.statements()
		for range 10_000 { // 100 seconds
			if v := other.hold(t, 10); v != escrow.UsedUp {
				t.Fatal(v)
			}
			time.Sleep(10 * time.Millisecond)
		}
		if n := db.statements() - before; n > 20 {
			t.Errorf("%d statements", n)
		}
	})
}
