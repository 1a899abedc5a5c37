package route

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// together runs f in n goroutines that begin at once.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-begin
			f(i)
		})
	}
	close(begin)
	wg.Wait()
}

// At the moment when a breaker may let one pass, it is one, however many come.
func TestOneProbeOfManyCallers(t *testing.T) {
	t.Parallel()
	for range 50 {
		h, c := opened(t), newCredentials(1)
		c.Refused(0, 1, start)
		var begun, picked atomic.Int32
		together(64, func(int) {
			if ok, pass := h.Begin(after(time.Second), 1, false); ok && pass.probe {
				begun.Add(1)
			}
			if _, _, ok := c.Pick(after(time.Second), 1, 0); ok {
				picked.Add(1)
			}
		})
		if begun.Load() != 1 || picked.Load() != 1 || h.InFlight() != 1 {
			t.Fatalf("%d probes, %d credentials, %d in flight", begun.Load(), picked.Load(), h.InFlight())
		}
	}
}

// However requests end, nothing is left of them.
func TestNothingStaysInFlight(t *testing.T) {
	t.Parallel()
	b := NewBoard()
	together(16, func(i int) {
		for k := range 2000 {
			now := after(time.Duration(k) * 7 * time.Millisecond)
			model := fmt.Sprint(k % 3)
			h, c, r := b.Health("p", model), b.Credentials("p", 2), b.repeats(model)
			r.request(now, 1)
			if ok, pass := h.Begin(now, uint64(i), false); ok {
				if index, _, ok := c.Pick(now, 1, 0); ok {
					switch (i + k) % 5 {
					case 0:
						c.Refused(index, 1, now)
					case 1:
						c.limited(index, 1, now.Add(time.Second))
					case 2:
						c.ended(index, 1)
					default:
						c.good(index, 1)
					}
				}
				h.heard(now, time.Duration(k), pass)
				h.End(now, Outcome((i*k)%int(Lost+1)), pass)
			}
			r.repeat(now, 1, 0.1)
			r.hedge(now, 1, 0.05, 1)
			if n := h.InFlight(); n < 0 || n > 16 {
				t.Errorf("%d in flight", n)
			}
			h.State(now)
			h.Score(now, 1)
			h.late()
			h.restUntil(start, now.Add(time.Millisecond), Pass{})
			h.resting(now, 1)
			if k%100 == 0 {
				b.Release()
			}
		}
	})
	for _, model := range []string{"0", "1", "2"} {
		if n := b.Health("p", model).InFlight(); n != 0 {
			t.Errorf("%d in flight", n)
		}
	}
}

// A board keeps to its bounds when all come at once.
func TestBoardInAStorm(t *testing.T) {
	t.Parallel()
	b := NewBoard()
	flying := b.Health("p", "in flight")
	flying.Begin(start, 1, false)
	together(8, func(i int) {
		for k := range 2000 {
			h := b.Health("p", fmt.Sprint(i, k))
			if ok, pass := h.Begin(after(time.Duration(k)), 1, false); ok {
				h.End(after(time.Duration(k)), Answered, pass)
			}
		}
	})
	if len(b.targets.items) > room {
		t.Errorf("%d targets", len(b.targets.items))
	}
	if b.Health("p", "in flight") != flying {
		t.Error("one in flight was forgotten")
	}
}

// upstream is one target that callers ask, in simulated time.
type upstream struct {
	health              Health
	up                  func(since time.Duration) bool
	latency             time.Duration
	asked, failed, away atomic.Int32 // attempts, those that failed, and those that were not made
}

// ask lets callers make an attempt every so often, for so long.
func (u *upstream) ask(callers int, every, long time.Duration) {
	begin := time.Now()
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			time.Sleep(every * time.Duration(i) / time.Duration(callers))
			for time.Since(begin) < long {
				u.attempt(uint64(i), time.Since(begin))
				time.Sleep(every)
			}
		})
	}
	wg.Wait()
}

func (u *upstream) attempt(caller uint64, since time.Duration) {
	ok, pass := u.health.Begin(time.Now(), caller, false)
	if !ok {
		u.away.Add(1)
		return
	}
	u.asked.Add(1)
	up := u.up(since)
	time.Sleep(u.latency)
	if up {
		u.health.End(time.Now(), Answered, pass)
		return
	}
	u.failed.Add(1)
	u.health.End(time.Now(), Failed, pass)
}

// An upstream that is down hardly hears of its callers, and serves all of them soon after it is up again.
func TestOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := &upstream{latency: 50 * time.Millisecond, up: func(since time.Duration) bool { return since >= 5*time.Minute }}
		u.ask(20, 100*time.Millisecond, 10*time.Minute)
		// The 20 that began before the first had failed, and one each after 1, 2, 4, 8, 16, 30, 30, … seconds.
		if n := u.failed.Load(); n > 35 {
			t.Errorf("it was called %d times while it was down", n)
		}
		// From the next probe on all pass: 20 callers, 6.7 attempts of each in a second, for 270 s at least.
		if n := u.asked.Load() - u.failed.Load(); n < 35_000 {
			t.Errorf("it was called %d times after it was up again", n)
		}
		if s := u.health.State(time.Now()); s.Phase != Closed || u.health.InFlight() != 0 {
			t.Errorf("%v, %d in flight", s.Phase, u.health.InFlight())
		}
	})
}

// An upstream that comes and goes is left alone while it is away. It is tried again soon, because it serves keys in between.
func TestFlappingUpstream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := &upstream{latency: 50 * time.Millisecond, up: func(since time.Duration) bool { return since/(2*time.Second)%2 == 0 }}
		u.ask(20, 100*time.Millisecond, 10*time.Minute)
		if n := u.failed.Load(); n > 24_000 { // of 40,000 without a breaker
			t.Errorf("%d attempts failed", n)
		}
	})
}

// One that is not there for one request in three goes on being called: the others are answered.
func TestBrownOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int32
		u := &upstream{latency: 50 * time.Millisecond, up: func(time.Duration) bool { return n.Add(1)%7 > 1 }}
		u.ask(20, 100*time.Millisecond, time.Minute)
		if n := u.away.Load(); n != 0 {
			t.Errorf("%d attempts were not made", n)
		}
	})
}

// Requests that an upstream let hang go on to fail for as long as they wait. Once it is well they keep no request away.
func TestRequestsOfAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var h Health
		var away atomic.Int32
		begin := time.Now()
		var wg sync.WaitGroup
		for i := range 3000 { // ten each second
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 100 * time.Millisecond)
				ok, pass := h.Begin(time.Now(), uint64(i), false)
				switch {
				case !ok:
					away.Add(1)
				case time.Since(begin) < 30*time.Second:
					time.Sleep(2 * time.Minute)
					h.End(time.Now(), TimedOut, pass)
				default:
					time.Sleep(time.Second)
					h.End(time.Now(), Answered, pass)
				}
			})
		}
		wg.Wait()
		// It is hardly open when all of them time out, from the 120th second to the 150th: for a second, and a probe's time.
		if n := away.Load(); n < 10 || n > 30 {
			t.Errorf("%d were kept away", n)
		}
	})
}

// Probes that hang do not keep an upstream away from its callers once it is well.
func TestHangingProbe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var h Health
		for range 10 {
			_, pass := h.Begin(time.Now(), 1, false)
			h.End(time.Now(), Unreachable, pass)
		}
		time.Sleep(time.Second)
		_, hanging := h.Begin(time.Now(), 1, false)
		go func() {
			time.Sleep(10 * time.Minute)
			h.End(time.Now(), TimedOut, hanging)
		}()
		waited := time.Duration(0)
		for ok := false; !ok; waited += 100 * time.Millisecond {
			var pass Pass
			if ok, pass = h.Begin(time.Now(), 2, false); ok {
				h.End(time.Now(), Answered, pass)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if waited > 31*time.Second || h.State(time.Now()).Phase != Closed {
			t.Errorf("%v after %v", h.State(time.Now()).Phase, waited)
		}
		time.Sleep(10 * time.Minute)
		if h.State(time.Now()).Phase != Closed || h.InFlight() != 0 {
			t.Error("the one that hung opens it again")
		}
	})
}
