package replica

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// What a replica has that was not seen for ten minutes goes to others, if the budget is not strict. If it is only cut off, all together exceed the budget by at most
// what it had.
func TestWhatALostReplicaHadGoesToOthers(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			db := newDatabase()
			begin := func(id string, at escrow.Database) (d *Desk, halt func()) {
				d, err := Open(t.Context(), Options{Database: at, ID: id, Epoch: escrow.Epoch{Began: 1}, Log: slog.New(slog.DiscardHandler), LostAfter: 10 * time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				var running sync.WaitGroup
				running.Go(func() { d.Run(ctx) })
				return d, func() { cancel(); running.Wait() }
			}
			lost, halt := begin("lost", db)
			want := Want{budgetName, 100, 1, 40, strict}
			if v, _ := lost.Hold(t.Context(), []Want{want}); v != escrow.Fits {
				t.Fatal(v)
			}
			halt() // what follows does not reach the database
			other, end := begin("other", db)
			defer end()
			spent := int64(0)
			spend := func(most time.Duration) {
				for began := time.Now(); time.Since(began) < most; time.Sleep(time.Second) {
					w := want
					w.Need = 1
					if v, _ := other.Hold(t.Context(), []Want{w}); v == escrow.Fits {
						other.Settle(budgetName, 1, 1)
						spent++
					}
				}
			}
			spend(9 * time.Minute)
			if spent > 60 {
				t.Errorf("%d are spent while 40 of 100 are held", spent)
			}
			spend(3 * time.Minute)
			if all := spent == 100; all == strict || strict && spent > 60 {
				t.Errorf("after twelve minutes %d of 100 are spent, strict: %v", spent, strict)
			}
			lost.Settle(budgetName, 40, 40)
			ctx, cancel := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { lost.Run(ctx) })
			time.Sleep(5 * time.Second)
			cancel()
			running.Wait()
			db.books(t, spent+40, spent+40)
		})
	}
}
