package limit

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

const second = time.Second

// wait waits in the lines of gates until it is over. It returns the number of the gate that let it in, or -1.
func wait(patience time.Duration, done <-chan struct{}, most int, gates ...*Gate) int {
	w := NewWaiter(1)
	for i, g := range gates {
		w.Join(g, most, i, patience, time.Now())
	}
	if number, ok := await(w, done); ok {
		return number
	}
	return -1
}

func await(w *Waiter, done <-chan struct{}) (int, bool) {
	inVain := false
	if w.Patience() > 0 {
		select {
		case <-w.Let():
		case <-done:
		case <-time.After(w.Patience()):
			inVain = true
		}
	}
	return w.End(inVain, time.Now())
}

// spread has n requests wait, one after the other. It returns which were let in, in order.
type spread struct {
	mu   sync.Mutex
	let  []int
	over []time.Duration // after which each was over
	wg   sync.WaitGroup
}

func (s *spread) join(n int, g *Gate, most int, patience time.Duration) {
	for i := range n {
		began := time.Now()
		s.over = append(s.over, 0)
		s.wg.Go(func() {
			got := wait(patience, nil, most, g)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.over[i] = time.Since(began)
			if got >= 0 {
				s.let = append(s.let, i)
			}
		})
		synctest.Wait()
	}
}

func TestPlacesGoToThoseWhoWaitInTheirOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		for place := range 3 {
			if g.Enter(2, 1) != (place < 2) {
				t.Fatalf("there are not two places, but %d", g.Inside())
			}
		}
		var s spread
		s.join(3, &g, 2, second)
		g.Leave(1)
		synctest.Wait()
		if g.Enter(2, 1) {
			t.Error("somebody overtook those who wait")
		}
		g.Leave(1)
		s.wg.Wait()
		if len(s.let) != 2 || s.let[0] != 0 || s.let[1] != 1 || s.over[0] != 0 || s.over[2] != second {
			t.Errorf("let in: %v, after %v", s.let, s.over)
		}
		if g.Inside() != 2 || g.turns.waiting != 0 {
			t.Errorf("%d inside, %d wait", g.Inside(), g.turns.waiting)
		}
	})
}

// While more come than can be served, the first waits without success, and those after it are refused at once.
func TestExcessIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		g.Enter(1, 1)
		var s spread
		s.join(fewest+1, &g, 1, second) // one too many for the line
		if s.over[fewest] != 0 || g.turns.of(1).refused.IsZero() {
			t.Errorf("the line has no end: %v", s.over)
		}
		if !g.TurnsAway(1, 1, second, time.Now()) {
			t.Error("the next one should not even begin")
		}
		s.wg.Wait() // all of the first wait without success
		time.Sleep(10 * share * time.Millisecond)

		var later spread
		later.join(2, &g, 1, second)
		if g.TurnsAway(1, 1, second, time.Now()) {
			t.Error("it is worth waiting again")
		}
		later.wg.Wait()
		if later.over[0] != second || later.over[1] != 10*time.Millisecond {
			t.Errorf("waited %v", later.over)
		}
		if g.TurnsAway(1, 1, second, time.Now()) {
			t.Error("nobody is in line, so the next one is the first")
		}
		g.Leave(1)
		if g.TurnsAway(1, 1, second, time.Now()) || !g.Enter(1, 1) {
			t.Error("there is a place")
		}
	})
}

func TestNobodyWaitsForNoTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		g.Enter(1, 1)
		began := time.Now()
		if !g.TurnsAway(1, 1, 0, began) || wait(0, nil, 1, &g) != -1 || time.Since(began) != 0 {
			t.Error("it waited")
		}
	})
}

// A request in several lines takes the first place that becomes free, and no other.
func TestSeveralLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var a, b Gate
		a.Enter(1, 1)
		b.Enter(1, 1)
		got := make(chan int, 1)
		go func() { got <- wait(second, nil, 1, &a, &b) }()
		synctest.Wait()
		b.Leave(1)
		a.Leave(1)
		if n := <-got; n != 1 || a.Inside() != 0 || b.Inside() != 1 {
			t.Errorf("number %d; %d and %d inside", n, a.Inside(), b.Inside())
		}
		if a.turns.waiting != 0 {
			t.Error("it still stands in the other line")
		}
		if n := wait(second, nil, 1, &a, &b); n != 0 || a.Inside() != 1 {
			t.Errorf("a place that is free by now: number %d", n)
		}
	})
}

func TestWhoGoesLeavesTheLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		g.Enter(1, 1)
		done, got := make(chan struct{}), make(chan int, 1)
		go func() { got <- wait(second, done, 1, &g) }()
		synctest.Wait()
		close(done)
		if n := <-got; n != -1 || g.turns.waiting != 0 || !g.turns.of(1).refused.IsZero() {
			t.Errorf("number %d, %d wait, refused at %v", n, g.turns.waiting, g.turns.of(1).refused)
		}
		g.Leave(1)
		if g.Inside() != 0 {
			t.Errorf("%d inside", g.Inside())
		}
	})
}

// If the config lowers the limit, no request enters until fewer are inside. If it raises the limit, all requests
// that fit enter.
func TestTheNumberOfPlacesChanges(t *testing.T) {
	t.Parallel()
	var g Gate
	for range 4 {
		g.Enter(0, 1)
	}
	g.Leave(1)
	if g.Enter(3, 1) || !g.Enter(4, 1) || g.Full(0) {
		t.Errorf("%d inside", g.Inside())
	}
}

func TestEnteringAllocatesNothing(t *testing.T) { // not parallel to tests whose allocations would count
	var g Gate
	if n := testing.AllocsPerRun(1000, func() {
		if g.TurnsAway(1, 1, second, time.Time{}) || !g.Enter(1, 1) || g.Enter(1, 1) {
			t.Error("there was not one place")
		}
		g.Leave(1)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Whatever comes and goes, three laws hold. Never more are inside than allowed. No request waits longer than allowed, or
// while a place is free. When all have left, all places are free and the line is empty.
func TestPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		places := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 3).Draw(rt, "places of each gate")
		type guest struct {
			comes, stays, patience time.Duration
			gives                  time.Duration // up after so long; 0 is never
		}
		ms := func(name string, least, most int) time.Duration {
			return time.Duration(rapid.IntRange(least, most).Draw(rt, name)) * time.Millisecond
		}
		guests := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) guest {
			return guest{ms("comes", 0, 300), ms("stays", 0, 50), ms("patience", 0, 100), ms("gives up", 0, 60)}
		}), 1, 60).Draw(rt, "guests")
		synctest.Test(t, func(*testing.T) {
			gates := make([]Gate, len(places))
			var mu sync.Mutex
			inside := make([]int, len(places))
			move := func(gate, by int) {
				mu.Lock()
				defer mu.Unlock()
				if inside[gate] += by; inside[gate] > places[gate] {
					rt.Fatalf("%d are at gate %d, of %d places", inside[gate], gate, places[gate])
				}
			}
			var wg sync.WaitGroup
			for _, guest := range guests {
				wg.Go(func() {
					time.Sleep(guest.comes)
					began := time.Now()
					number, ok := comeIn(gates, places, guest.patience, guest.gives)
					if waited := time.Since(began); waited > guest.patience {
						rt.Errorf("waited %v, with a patience of %v", waited, guest.patience)
					}
					if !ok {
						return
					}
					move(number, 1)
					time.Sleep(guest.stays)
					move(number, -1)
					gates[number].Leave(1)
				})
			}
			wg.Wait()
			for i := range gates {
				if gates[i].Inside() != 0 || gates[i].turns.waiting != 0 {
					rt.Errorf("gate %d: %d inside, %d wait", i, gates[i].Inside(), gates[i].turns.waiting)
				}
			}
		})
	})
}

// comeIn takes a place at the first gate that has one, or waits at all.
func comeIn(gates []Gate, places []int, patience, gives time.Duration) (int, bool) {
	for i := range gates {
		if gates[i].Enter(places[i], 1) {
			return i, true
		}
	}
	w := NewWaiter(1)
	for i := range gates {
		w.Join(&gates[i], places[i], i, patience, time.Now())
	}
	var done chan struct{}
	if gives > 0 {
		done = make(chan struct{})
		timer := time.AfterFunc(gives, func() { close(done) })
		defer timer.Stop()
	}
	return await(w, done)
}
