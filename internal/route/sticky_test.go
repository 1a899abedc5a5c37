package route

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"pgregory.net/rapid"
)

// home is the model of the target that comes first for a prefix.
func (r *Route) home(prefix uint64) string {
	return r.orderedPlan(nil, &Ask{Seed: prefix * 3, Profile: llm.Profile{Prefix: prefix, User: 5}}, someday)[0].Model
}

func stuck(targets int) Route {
	m := &Model{Name: "m", Policy: Weighted, Sticky: ByPrefix}
	for i := range targets {
		m.Targets = append(m.Targets, Target{Provider: "p", Model: fmt.Sprint(i)})
	}
	return resolve(m)
}

// A hash has one home, in every process; a target in twice the weight is the home of twice as many.
func TestStickyByWeight(t *testing.T) {
	t.Parallel()
	r := stuck(3)
	r.Targets[1].Weight = 2
	const n = 8000
	homes := map[string]int{}
	for prefix := uint64(1); prefix <= n; prefix++ {
		homes[r.home(prefix)]++
	}
	if !about(homes["0"], n/4) || !about(homes["1"], n/2) || !about(homes["2"], n/4) {
		t.Errorf("%v", homes)
	}
	for prefix, want := range map[uint64]string{1: "2", 2: "1", 3: "0", 0xdeadbeef: "1"} {
		if got := r.home(prefix); got != want {
			t.Errorf("%d is at home at %s and was at %s: all caches are cold after an update", prefix, got, want)
		}
	}
}

// While a target is sick its requests go elsewhere, each always to the same other; no other requests move.
func TestStickyWhileSick(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "targets")
		sick := rapid.IntRange(0, n-1).Draw(t, "sick")
		well, ill, less := stuck(n), stuck(n), stuck(n)
		if rapid.Bool().Draw(t, "parked") { // all the credentials of its provider
			c := newCredentials(1)
			c.Refused(0, 0, someday)
			c.Refused(0, 1, someday)
			c.Pick(someday, 0, 0) // find out which may try it
			ill.Targets[sick].keys = c
		} else {
			ill.sick(sick)
			if rapid.Bool().Draw(t, "probed") { // its time is over, and it is not known yet whether it is well
				h := ill.Board.Health("p", fmt.Sprint(sick))
				h.release()
				h.Begin(someday, 1, false)
			}
		}
		less.Targets = append(less.Targets[:sick:sick], less.Targets[sick+1:]...)
		for range 20 {
			prefix := rapid.Uint64Min(1).Draw(t, "prefix")
			before, now := well.home(prefix), ill.home(prefix)
			if before != fmt.Sprint(sick) && now != before {
				t.Fatalf("moved from %s to %s, though %d is sick", before, now, sick)
			}
			if now != less.home(prefix) || now == fmt.Sprint(sick) {
				t.Fatalf("at %s, and at %s without the sick one", now, less.home(prefix))
			}
		}
	})
}

// Where the policy prefers the fastest, a target that has become much slower than another is home to no request, until it is
// worth a try again. No other requests move.
func TestStickyWhileSlow(t *testing.T) {
	t.Parallel()
	well, r := stuck(3), stuck(3)
	r.Model.Policy = Fastest
	r.slow(0, 500*time.Millisecond)
	r.slow(1, 1400*time.Millisecond)
	r.slow(2, 4*time.Second)
	at := func(prefix uint64, idle time.Duration) string {
		return r.orderedPlan(nil, &Ask{Profile: llm.Profile{Prefix: prefix}}, someday.Add(idle))[0].Model
	}
	soon, later := time.Minute, 2*time.Minute // times in which the score falls to 2 s, and to 1 s
	for prefix := uint64(1); prefix <= 100; prefix++ {
		home := well.home(prefix)
		if now := at(prefix, soon); home != "2" && now != home || now == "2" {
			t.Errorf("%d is at home at %s, and at %s while 2 is slow", prefix, home, now)
		}
		if now := at(prefix, later); now != home {
			t.Errorf("%d is at home at %s, and at %s though 2 is worth a try", prefix, home, now)
		}
	}
	r.Board.Health("p", "2").Begin(someday.Add(later), 1, false)
	for prefix := uint64(1); prefix <= 100; prefix++ {
		if at(prefix, later) == "2" {
			t.Fatal("a second one tries it at the same time")
		}
	}
}

// However many requests have the same prefix, no target has more in flight than its share and a fourth of it, or two.
func TestStickyIsBounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := stuck(rapid.IntRange(2, 6).Draw(t, "targets"))
		weights := 0
		for i := range r.Targets {
			r.Targets[i].Weight = rapid.IntRange(1, 4).Draw(t, "weight")
			weights += r.Targets[i].Weight
		}
		common := rapid.Uint64Min(1).Draw(t, "common")
		requests := rapid.IntRange(1, 60).Draw(t, "requests")
		for busy := 1; busy <= requests; busy++ {
			s := r.orderedPlan(nil, &Ask{Profile: llm.Profile{Prefix: common}}, someday)[0]
			s.health.Begin(someday, 1, false)
			share := math.Ceil(maxShare * float64(busy*s.Weight) / float64(weights))
			if n := s.health.InFlight(); float64(n) > max(share, minBusy) {
				t.Fatalf("%d of %d in flight are at one of weight %d of %d", n, busy, s.Weight, weights)
			}
		}
	})
}

// A request with no value to stick by goes where the policy says. The policy orders the other targets in any case.
func TestStickyByWhat(t *testing.T) {
	t.Parallel()
	m := model("m", "p/a", "p/b", "p/c")
	m.Policy, m.Sticky = Cheapest, ByUser
	for i := range m.Targets {
		m.Targets[i].Facts.Price = money.Plain(int64(9-i)*1e6, 0)
	}
	r := resolve(m)
	if got := r.told(Ask{Profile: llm.Profile{Prompt: 1, Prefix: 3}}); got != "p/c p/b p/a" {
		t.Errorf("nobody named: %s", got)
	}
	seen := map[string]bool{}
	for user := range uint64(30) {
		seen[r.told(Ask{Profile: llm.Profile{Prompt: 1, Prefix: 3, User: user + 1}})] = true
	}
	if len(seen) != 3 || !seen["p/a p/c p/b"] || !seen["p/b p/c p/a"] {
		t.Errorf("users: %v", seen)
	}
}

// Where the policy has an order of its own, the home of a request comes before it, and the others keep the order.
func TestHomeComesBeforeTheOrder(t *testing.T) {
	t.Parallel()
	r := stuck(4)
	r.Model.Policy = Ordered
	seen := map[string]bool{}
	for prefix := range uint64(100) {
		steps := r.orderedPlan(nil, &Ask{Profile: llm.Profile{Prefix: prefix + 1}}, someday)
		first := steps[0].Model
		seen[first] = true
		rest := ""
		for _, s := range steps[1:] {
			rest += s.Model
		}
		if want := strings.ReplaceAll("0123", first, ""); rest != want {
			t.Fatalf("behind %s comes %s", first, rest)
		}
	}
	if len(seen) != 4 {
		t.Errorf("at home are %v", seen)
	}
}

// A home takes what is a quarter above its share, rounded up, and two requests in any case.
func TestHomeIsFull(t *testing.T) {
	t.Parallel()
	for busy, want := range map[int32]bool{0: true, 1: true, 2: false, 9: false} {
		steps := []Step{{Target: &Target{Model: "0"}, busy: busy}, {Target: &Target{Model: "1"}}}
		at, other := 0, 1
		for hash := uint64(1); hash < 200; hash++ {
			steps[0].busy = 0
			if home(steps, hash, math.MaxUint64) != at {
				continue
			}
			steps[0].busy = busy
			if got := home(steps, hash, math.MaxUint64); (got == at) != want || got != at && got != other {
				t.Fatalf("with %d requests at home, %d is at %d", busy, hash, got)
			}
		}
	}
}
