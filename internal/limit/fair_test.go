package limit

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const service = 100 * time.Millisecond

// flood sends requests of a key in closed loops until stop is closed. Each loop sends the next as soon as one was answered, or
// shortly after one was refused. It counts what was answered.
func flood(g *Gate, key uint64, most, loops int, stop <-chan struct{}, answered *atomic.Int64) {
	for range loops {
		go func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if ask(g, key, most) {
					time.Sleep(service)
					g.Leave(key)
					answered.Add(1)
				} else {
					time.Sleep(50 * time.Millisecond)
				}
			}
		}()
	}
}

// ask takes a place for a key, and waits a second for one at most.
func ask(g *Gate, key uint64, most int) bool {
	if g.Enter(most, key) {
		return true
	}
	w := NewWaiter(key)
	w.Join(g, most, 0, time.Second, time.Now())
	_, ok := await(w, nil)
	return ok
}

// However many keys flood a gate, a key that asks once a second has a place within one service time, always. Some of them flood it with one
// loop each: such a key is never refused, and has one request at a time.
func TestAKeyThatAsksForLittleIsServedWithinOneServiceTime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ keys, loops, singles, places int }{
		{1, 40, 0, 4}, {3, 40, 0, 4}, {20, 40, 0, 4}, {200, 3, 0, 4}, {1, 40, 0, 1}, {50, 40, 0, 1}, {200, 5, 0, 50}, {0, 0, 20, 4}, {0, 0, 5, 1}, {8, 2, 0, 1}, {1, 40, 5, 1}, {10, 10, 10, 4},
	} {
		if testing.Short() && tt.keys >= 20 { // they are long, and the race detector sees the same code in the others
			continue
		}
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var g Gate
				stop := make(chan struct{})
				var others atomic.Int64
				for key := range tt.keys {
					flood(&g, uint64(100+key), tt.places, tt.loops, stop, &others)
				}
				for key := range tt.singles {
					flood(&g, uint64(10_000+key), tt.places, 1, stop, &others)
				}
				for i := range 20 {
					time.Sleep(time.Second + 7*time.Millisecond)
					began := time.Now()
					if !ask(&g, 1, tt.places) {
						t.Errorf("request %d was refused after %v", i, time.Since(began))
						continue
					}
					if waited := time.Since(began); waited > service {
						t.Errorf("request %d waited %v", i, waited)
					}
					time.Sleep(service)
					g.Leave(1)
				}
				close(stop)
				if least := int64(tt.places) * int64(20*time.Second/service) * 9 / 10; others.Load() < least {
					t.Errorf("the others had %d answers, not %d: places stood empty", others.Load(), least)
				}
				time.Sleep(time.Minute)
				g.mu.Lock()
				defer g.mu.Unlock()
				if g.Inside() != 0 || g.turns.waiting != 0 || len(g.turns.keys) > maxIdle || g.turns.sparse.Len()+g.turns.others.Len() != 0 {
					t.Errorf("%d inside, %d wait, %d keys are remembered", g.Inside(), g.turns.waiting, len(g.turns.keys))
				}
			})
		})
	}
}

// Keys that flood share the places evenly, whatever the number of their loops, and many small keys do not keep a large one out.
func TestKeysShareThePlaces(t *testing.T) {
	if testing.Short() {
		t.Skip("it is long, and about what is computed: the race detector has no use for it")
	}
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		stop := make(chan struct{})
		var answered [3]atomic.Int64
		for key, loops := range []int{100, 10, 5} {
			flood(&g, uint64(key+1), 4, loops, stop, &answered[key])
		}
		time.Sleep(time.Minute)
		close(stop)
		for key := range answered {
			if n := answered[key].Load(); n < 700 || n > 900 { // of 2,400
				t.Errorf("key %d had %d answers", key+1, n)
			}
		}
		time.Sleep(time.Minute)

		stop = make(chan struct{})
		var large, small atomic.Int64
		flood(&g, 1, 4, 100, stop, &large)
		for key := range 100 {
			flood(&g, uint64(100+key), 4, 1, stop, &small)
		}
		time.Sleep(time.Minute)
		close(stop)
		if n := large.Load(); n < 2400/101*8/10 {
			t.Errorf("the large key had %d of 2,400 answers, not about its share beside a hundred small ones", n)
		}
		time.Sleep(time.Minute)
	})
}

// When the line is full, the newest request of the key that has the most goes at once.
func TestTheKeyThatHoldsMostIsRefusedFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		g.Enter(1, 1)
		var flooded spread
		flooded.join(fewest, &g, 1, time.Second) // key 1 fills the line
		w := NewWaiter(2)
		w.Join(&g, 1, 0, time.Second, time.Now())
		synctest.Wait()
		if flooded.over[fewest-1] != 0 || w.Patience() != time.Second || g.turns.waiting != fewest {
			t.Errorf("the newest of the key with most was not refused: %v, the other may wait %v, %d wait", flooded.over, w.Patience(), g.turns.waiting)
		}
		g.Leave(1)
		if _, ok := w.End(false, time.Now()); !ok {
			t.Error("the place went to the key that had one before")
		}
		if g.TurnsAway(1, 3, time.Second, time.Now()) || !g.TurnsAway(1, 1, time.Second, time.Now()) {
			t.Error("a third key is turned away, or the first is not")
		}
		g.Leave(2)
		flooded.wg.Wait()
	})
}

// A key whose second request finds no place is no longer one that asks for little: its first goes first no more.
func TestAKeyThatIsRefusedGoesFirstNoMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		g.Enter(1, 1)
		for key := range fewest { // each waits with one request, and the line is full
			NewWaiter(uint64(100+key)).Join(&g, 1, 0, time.Second, time.Now())
		}
		for key := range fewest {
			if !g.TurnsAway(1, uint64(100+key), time.Second, time.Now()) {
				t.Error("the line is not full")
			}
		}
		w := NewWaiter(2)
		w.Join(&g, 1, 0, time.Second, time.Now())
		g.Leave(1)
		if _, ok := w.End(false, time.Now()); !ok {
			t.Error("the place went to a key that was refused")
		}
		g.Leave(2)
	})
}

// Of the small keys, the one whose last place is longest ago goes first. Every fourth place goes to a large key, but only if its
// last place is longer ago. A small key that was away for long need not wait for it.
func TestWhoHadAPlaceLongestAgoGoesFirst(t *testing.T) {
	t.Parallel()
	var g Gate
	g.Enter(1, 99)
	holder, now := uint64(99), time.Now()
	waiting := map[uint64][]*Waiter{}
	wait := func(keys ...uint64) {
		for _, key := range keys {
			w := NewWaiter(key)
			w.Join(&g, 1, 0, time.Minute, now)
			waiting[key] = append(waiting[key], w)
		}
	}
	next := func(want uint64) {
		t.Helper()
		g.Leave(holder)
		for key, all := range waiting {
			if len(all) > 0 && all[0].state.Load() == letIn {
				holder, waiting[key] = key, all[1:]
				all[0].End(false, now)
				if key != want {
					t.Fatalf("the place went to key %d, not %d", key, want)
				}
				return
			}
		}
		t.Fatal("the place went to none")
	}
	wait(1, 1, 1, 1) // it is large
	next(1)
	wait(11, 12, 13)
	next(11)
	next(12)
	wait(11, 14) // the latter was never here
	next(13)
	wait(12)
	next(14)
	next(1) // the small ones that wait had theirs later
	next(11)
	next(12)
	next(1)
	next(1)
}

// A forgotten key may be any of those forgotten. It does not go before one whose earlier place is remembered.
func TestAForgottenKeyDoesNotGoFirst(t *testing.T) {
	t.Parallel()
	var g Gate
	now := time.Now()
	serve := func(key uint64) {
		g.Enter(1, 99)
		w := NewWaiter(key)
		w.Join(&g, 1, 0, time.Minute, now)
		g.Leave(99)
		w.End(false, now)
		g.Leave(key)
	}
	serve(1)
	for key := range uint64(maxIdle + 10) {
		serve(100 + key)
		g.Enter(1, 1) // it finds a free place, and did not wait
		g.Leave(1)
	}
	g.Enter(1, 99)
	forgotten, remembered := NewWaiter(100), NewWaiter(1)
	forgotten.Join(&g, 1, 0, time.Minute, now)
	remembered.Join(&g, 1, 0, time.Minute, now)
	if len(g.turns.keys) > maxIdle+3 {
		t.Errorf("%d keys are remembered", len(g.turns.keys))
	}
	g.Leave(99)
	if _, ok := remembered.End(false, now); !ok {
		t.Error("the forgotten key went first")
	}
	g.Leave(1)
	if _, ok := forgotten.End(false, now); !ok {
		t.Error("the forgotten key did not go next")
	}
}
