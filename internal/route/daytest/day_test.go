// Package daytest simulates a day in which a provider fails in all the ways that providers do. It compares Weir with a proxy
// that only goes on to the next target.
package daytest

import (
	"flag"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/route"
)

var (
	update = flag.Bool("update", false, "write the figures into docs/how-it-works/simulated-day.md, and the plot beside it")
	seed   = flag.Uint64("seed", theSeed, "of the day; with another one it is another day, of which the figures are printed")
)

const theSeed = 20260303

// days is the same day with each way of routing: first what Weir is compared with, then the policies, then these made sticky.
func days() []*run {
	turns := new([len(providers)]int)
	runs := []*run{{name: "plain retries", begin: func(*request, time.Duration) walker { return &plain{turns: turns} }}}
	add := func(name string, m *route.Model) {
		b := route.NewBoard()
		runs = append(runs, &run{name: name, board: b, begin: func(r *request, now time.Duration) walker { return newWeir(m, b, r, now) }})
	}
	for p := route.Ordered; p <= route.LeastBusy; p++ {
		add("`"+p.String()+"`", model(p, route.Loose))
	}
	for _, p := range sticky {
		add("`"+p.String()+"`, sticky", model(p, route.ByPrefix))
	}
	requests := traffic(*seed)
	var wg sync.WaitGroup
	for _, r := range runs {
		r.world = newWorld(*seed)
		wg.Go(func() { r.simulate(requests) })
	}
	wg.Wait()
	return runs
}

// sticky are the policies that stickiness goes well with. The others prefer one target, whose cache they keep warm by themselves.
var sticky = [...]route.Policy{route.Weighted, route.Fastest, route.LeastBusy}

// model is one that all providers serve.
func model(p route.Policy, s route.Sticky) *route.Model {
	m := &route.Model{Name: "m", MaxAttempts: 3, Repeats: 0.1, Policy: p, Sticky: s}
	for _, v := range providers {
		m.Targets = append(m.Targets, route.Target{Provider: v.name, Model: "m", Credentials: v.credentials, Facts: route.Facts{Price: v.price}})
	}
	return m
}

func TestDay(t *testing.T) {
	t.Parallel()
	t.Logf("seed %d", *seed)
	runs := days()
	baseline, tried := runs[0], runs[1:]
	checkBaseline(t, baseline)
	for _, r := range tried {
		t.Run(r.name, func(t *testing.T) { r.check(t, baseline) })
	}
	for i, p := range sticky {
		tried[int(route.LeastBusy)+1+i].checkSticky(t, tried[p])
	}
	checkPolicies(t, tried)
	checkPage(t, runs)
}

// checkBaseline shows that the day is as bad as intended: where the baseline does not suffer, Weir earns no credit.
func checkBaseline(t *testing.T, r *run) {
	t.Helper()
	if f := r.in(outage); f.onFirst != f.requests || f.perRequest() < 1.95 {
		t.Errorf("outage: %d calls of the dead for %d requests, %.3f attempts for each", f.onFirst, f.requests, f.perRequest())
	}
	if f := r.in(brownOut); f.perRequest() < 1.2 {
		t.Errorf("brown-out: %.3f attempts per request", f.perRequest())
	}
	if f := r.in(quota); f.perRequest() < 1.4 {
		t.Errorf("quota: %.3f attempts per request", f.perRequest())
	}
	if f := r.in(poisonous); f.poisoned != len(providers) || f.failed < 100 {
		t.Errorf("a poisonous prompt reached %d providers, %d other requests failed", f.poisoned, f.failed)
	}
}

// check is what holds with every policy.
func (r *run) check(t *testing.T, baseline *run) {
	if n, most := r.sum.errors(), baseline.sum.errors(); 2*n >= most {
		t.Errorf("callers see %d errors, with plain retries %d", n, most)
	}
	if f := r.in(brownOut); f.failed > 0 {
		t.Errorf("in the brown-out %d requests failed, though others were well", f.failed)
	}
	known := r.during(r.known, outage.to)
	if r.known == 0 || known.perRequest() > 1.1 || share(known.onFirst, known.requests) > 0.1 {
		t.Errorf("once the outage is known (at %v) there are %.3f attempts per request, and %d calls of the dead for %d requests", r.known, known.perRequest(), known.onFirst, known.requests)
	}
	if n := r.in(poisonous).poisoned; n != 2 {
		t.Errorf("a poisonous prompt killed %d", n)
	}
	if f := r.in(quota); f.failed > 0 || f.perRequest() > 1.03 {
		t.Errorf("while one credential has no quota %d requests fail, and there are %.3f attempts for each", f.failed, f.perRequest())
	}
	for _, p := range providers {
		if n := r.board.Health(p.name, "m").InFlight(); n != 0 {
			t.Errorf("at the end %d are in flight at %s", n, p.name)
		}
	}
}

// checkSticky holds a run with stickiness to what it is for.
func (r *run) checkSticky(t *testing.T, loose *run) {
	t.Helper()
	if s, l := r.sum, loose.sum; s.cacheHits() < l.cacheHits()+0.03 || s.cost >= l.cost {
		t.Errorf("%s: of the prompts' tokens %.3f come from a cache, and it costs %d; else %.3f, and %d", r.name, s.cacheHits(), s.cost, l.cacheHits(), l.cost)
	}
}

// checkPolicies holds policies to what they are for.
func checkPolicies(t *testing.T, runs []*run) {
	t.Helper()
	ordered, weighted, fastest, cheapest := runs[route.Ordered], runs[route.Weighted], runs[route.Fastest], runs[route.Cheapest]
	if f := ordered.in(slowness); f.firstRate() < 0.95 {
		t.Errorf("%.3f of the requests begin at the first, in order", f.firstRate())
	}
	if f := weighted.in(slowness); f.firstRate() < 0.3 || f.firstRate() > 0.37 {
		t.Errorf("%.3f of the requests begin at the first of three of the same weight", f.firstRate())
	}
	slow, usual := fastest.in(slowness), fastest.during(slowness.from-time.Hour, slowness.from)
	if slow.firstRate() > 0.03 || usual.firstRate() < 0.2 || 2*slow.within(0.99) > ordered.in(slowness).within(0.99) {
		t.Errorf("%.3f of the requests begin at the one that has become slow, before %.3f; p99 is %.2f s", slow.firstRate(), usual.firstRate(), slow.within(0.99))
	}
	if f := runs[int(route.LeastBusy)+1+slices.Index(sticky[:], route.Fastest)].in(slowness); f.firstRate() > 0.05 {
		t.Errorf("%.3f of the requests begin at the one that has become slow, though the fastest is asked for", f.firstRate())
	}
	if c, w := cheapest.sum.cost, weighted.sum.cost; 10*c > 8*w {
		t.Errorf("the cheapest costs %d, any costs %d", c, w)
	}
	for p := route.Ordered; p <= route.LeastBusy; p++ {
		if r := runs[p]; p != route.Fastest && r.sum.within(0.99) <= fastest.sum.within(0.99) {
			t.Errorf("%s has a p99 of %.2f s, the fastest one of %.2f s", r.name, r.sum.within(0.99), fastest.sum.within(0.99))
		}
	}
}
