package replica

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/escrow"
)

// arrival is a request that comes to one of several replicas, so long after the one before.
type arrival struct {
	after   time.Duration
	replica int
	limits  []Limit
	lasts   time.Duration
}

// reference counts plainly what was admitted.
type reference struct {
	mu      sync.Mutex
	taken   map[escrow.Subject][]taken
	running map[escrow.Subject]int64
	wrong   string
}

type taken struct {
	at    time.Time
	units int64
}

// law is what holds of a minute.
type law struct {
	bursts int64 // how often all units of a limit may be taken at once in it
	parts  int64 // a request takes at most such a part of the units
}

// enter counts a request that is let in.
func (r *reference) enter(limits []Limit, law law, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range limits {
		if l.AtOnce {
			if r.running[l.Subject]++; r.running[l.Subject] > l.Most {
				r.wrong = fmt.Sprintf("%d requests run in the %d places of %s", r.running[l.Subject], l.Most, l.Subject)
			}
			continue
		}
		list := append(r.taken[l.Subject], taken{now, min(l.Units, max(l.Most/law.parts, 1))})
		for now.Sub(list[0].at) >= time.Minute {
			list = list[1:]
		}
		sum := int64(0)
		for _, t := range list {
			sum += t.units
		}
		if most := (law.bursts+1)*l.Most + (l.Most+59)/60; sum > most {
			r.wrong = fmt.Sprintf("%d units of %s in a minute, at most %d may be", sum, l.Subject, most)
		}
		r.taken[l.Subject] = list
	}
}

func (r *reference) fault(format string, values ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrong = fmt.Sprintf(format, values...)
}

func (r *reference) leave(limits []Limit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range limits {
		if l.AtOnce {
			r.running[l.Subject]--
		}
	}
}

// drawArrivals are requests of two keys of a team to two models, each with limits.
func drawArrivals(rt *rapid.T, replicas int) (list []arrival) {
	most := map[escrow.Subject]int64{}
	for _, s := range []escrow.Subject{"key a", "key b", "team", "model x", "model y"} {
		most[s+" rpm"] = rapid.SampledFrom([]int64{0, 1, 5, 30, 200, 3000}).Draw(rt, string(s)+" rpm")
		most[s+" tpm"] = rapid.SampledFrom([]int64{0, 100, 5000, 100_000}).Draw(rt, string(s)+" tpm")
		most[s+" places"] = rapid.SampledFrom([]int64{0, 1, 3, 50}).Draw(rt, string(s)+" places")
	}
	for range rapid.IntRange(1, 15).Draw(rt, "waves") {
		pace := rapid.IntRange(0, 300).Draw(rt, "pace")
		at := rapid.IntRange(-1, replicas-1).Draw(rt, "replica") // -1: each in turn
		lasts := time.Duration(rapid.IntRange(0, 1500).Draw(rt, "lasts")) * time.Millisecond
		tokens := rapid.Int64Range(1, 3000).Draw(rt, "tokens")
		subjects := []escrow.Subject{
			rapid.SampledFrom([]escrow.Subject{"key a", "key b"}).Draw(rt, "key"), "team", rapid.SampledFrom([]escrow.Subject{"model x", "model y"}).Draw(rt, "model"),
		}
		a := arrival{after: time.Duration(pace) * time.Millisecond, lasts: lasts}
		for _, s := range subjects {
			if n := most[s+" rpm"]; n > 0 {
				a.limits = append(a.limits, rpm(s+" rpm", n))
			}
			if n := most[s+" tpm"]; n > 0 {
				a.limits = append(a.limits, Limit{Subject: s + " tpm", Most: n, Units: tokens})
			}
			if n := most[s+" places"]; n > 0 {
				a.limits = append(a.limits, atOnce(s+" places", n))
			}
		}
		for i := range rapid.IntRange(1, 80).Draw(rt, "requests") {
			a.replica = at
			if at < 0 {
				a.replica = i % replicas
			}
			list = append(list, a)
		}
		list[len(list)-1].after += time.Duration(rapid.IntRange(0, 40_000).Draw(rt, "pause")) * time.Millisecond
	}
	return list
}

// play has the requests come, and compares with the reference. meanwhile is done before each.
func play(t *testing.T, list []arrival, replicas int, law law, meanwhile func(db *database, i int)) (wrong string) {
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		var desks []*Desk
		for i := range replicas {
			desks = append(desks, open(t, db, fmt.Sprint("r", i), 1))
		}
		time.Sleep(beginning)
		r := &reference{taken: map[escrow.Subject][]taken{}, running: map[escrow.Subject]int64{}}
		var all sync.WaitGroup
		for i, a := range list {
			time.Sleep(a.after)
			meanwhile(db, i)
			all.Go(func() {
				e, lack := desks[a.replica].Enter(t.Context(), a.limits)
				if e == nil {
					if lack.Wait <= 0 {
						r.fault("refused for no time: %+v", lack)
					}
					return
				}
				r.enter(a.limits, law, time.Now())
				time.Sleep(a.lasts)
				used := make([]int64, len(a.limits))
				for i, l := range a.limits {
					used[i] = min(l.Units, l.Most)
				}
				r.leave(a.limits)
				e.Settle(used)
			})
		}
		all.Wait()
		meanwhile(db, len(list))
		time.Sleep(5 * time.Minute)
		for _, l := range list[len(list)-1].limits {
			for _, d := range desks {
				if n := d.left(t, l); n != l.Most {
					r.fault("in the end %d of %s are left, and not %d", n, l.Subject, l.Most)
				}
			}
		}
		wrong = r.wrong
	})
	return wrong
}

// Whatever comes at several replicas, no minute sees more than the limit, a burst and a second's worth of any key, team or model, and no more requests run than
// there are places. In the end all is back.
func TestLimitsAreKeptByReplicas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		replicas := rapid.IntRange(1, 3).Draw(rt, "replicas")
		list := drawArrivals(rt, replicas)
		if wrong := play(t, list, replicas, law{1, 1}, func(*database, int) {}); wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// The same while the database goes and comes back: a minute sees one more burst at most, in which a request that needs more than a replica's part counts as
// much as that. Requests are shorter than places are held.
func TestLimitsAreKeptWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		replicas := rapid.IntRange(1, 3).Draw(rt, "replicas")
		list := drawArrivals(rt, replicas)
		changes := rapid.SliceOfN(rapid.IntRange(0, len(list)), 0, 4).Draw(rt, "changes")
		wrong := play(t, list, replicas, law{2, int64(replicas)}, func(db *database, i int) {
			for _, at := range changes {
				if at == i {
					db.set(func() { db.silent = !db.silent })
				}
			}
			if i == len(list) {
				db.set(func() { db.silent = false })
			}
		})
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// At 80 % of its limits, spread evenly over three replicas, at most one of 1,000 requests is refused.
func TestFourFifthsAreAdmitted(t *testing.T) {
	t.Parallel()
	for _, most := range []int64{60, 600, 6000} {
		pause := time.Minute * 10 / 8 / time.Duration(most)
		limits := []Limit{rpm("key", most), {Subject: "tokens", Most: most * 1000, Units: 1000}, rpm("team", most), atOnce("model", most)}
		var list []arrival
		for i := range 5 * most {
			list = append(list, arrival{after: pause, replica: int(i * 7 % 3), limits: limits, lasts: 700 * time.Millisecond})
		}
		var mu sync.Mutex
		refused := 0
		synctest.Test(t, func(t *testing.T) {
			db := newDatabase()
			desks := []*Desk{open(t, db, "one", 1), open(t, db, "two", 1), open(t, db, "three", 1)}
			time.Sleep(beginning)
			var all sync.WaitGroup
			for _, a := range list {
				time.Sleep(a.after)
				all.Go(func() {
					e, _ := desks[a.replica].Enter(t.Context(), a.limits)
					if e == nil {
						mu.Lock()
						defer mu.Unlock()
						refused++
						return
					}
					time.Sleep(a.lasts)
					e.Settle([]int64{1, 300, 1, 0})
				})
			}
			all.Wait()
			t.Logf("%d a minute: %d of %d are refused, with %d statements", most, refused, len(list), db.statements())
		})
		if refused*1000 > len(list) {
			t.Errorf("%d a minute: %d of %d are refused", most, refused, len(list))
		}
	}
}
