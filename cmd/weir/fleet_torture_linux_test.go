package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/ledger/ledgertest"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/internal/store/pgtest"
)

const (
	fleetScript = `{"log_header": "X-Trace", "interval": "500us", "tokens": 600}`
	fleetCall   = `{"model":"cheap","max_tokens":50,"stream":%t,"messages":[{"role":"user","content":"hi"}]}`
)

var fleetPrice = money.Plain(400_000, 400_000)

// servedUsage is what a provider served, as it bills it.
func servedUsage(s *sim.Served) *llm.Usage {
	return &llm.Usage{Fresh: int64(s.PromptTokens), Text: int64(s.CompletionTokens)}
}

// crowdOf keeps so many requests under way through nginx until it is stopped. No client leaves: what a provider bills after that is in no row. What is
// no answer that a caller may get fails the test.
func (f *fleet) crowdOf(clients int) (stop func()) {
	ctx, cancel := context.WithCancel(f.t.Context())
	var all sync.WaitGroup
	seed := rand.Uint64()
	f.t.Logf("seed %d", seed)
	for client := range clients {
		random := rand.New(rand.NewPCG(seed, uint64(client)))
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				a := f.post(f.t.Context(), f.url, fmt.Sprintf("crowd-%d-%d", client, n), fmt.Sprintf(fleetCall, random.IntN(2) == 0))
				if a.err == nil && !a.refusal() && a.status != 200 && !a.fromNginx() {
					f.t.Errorf("%d %v %s", a.status, a.header, a.text)
				}
				if a.refusal() {
					pause(ctx)
				}
			}
		})
	}
	return func() { cancel(); all.Wait() }
}

// refusal reports whether a budget refused the request, in the right form.
func (a *answer) refusal() bool {
	switch a.code {
	case "insufficient_quota":
		return a.status == 429 && a.header.Get("X-Should-Retry") == "false"
	case "rate_limit_exceeded":
		return a.status == 429 && a.header.Get("Retry-After") == "1"
	case "ledger_unavailable":
		return a.status == 503
	}
	return false
}

// fromNginx reports whether a Weir was lost as it had the request, so that nginx answered.
func (a *answer) fromNginx() bool { return a.status == 502 || a.status == 504 }

// at waits until the providers bill so many percent of five cents, or something else has happened.
func (f *fleet) at(percent int64, or func() bool) {
	f.t.Helper()
	waitFor(f.t, patience, func() string {
		return fmt.Sprintf("%d %% of the budget are billed: %d of %d are, %d are used and %d granted", percent, f.billed(fleetPrice), fiveCents, f.used(),
			f.granted())
	}, func() bool { return f.billed(fleetPrice) >= fiveCents*percent/100 || or() })
}

// used is what the books say is used. Calls that a kill ended are in it at what they held, though providers may bill less.
func (f *fleet) used() int64 {
	f.t.Helper()
	return f.figure(`SELECT coalesce(sum(used), 0)::BIGINT FROM escrow_spans`)
}

// granted is what Weirs have of the budget, or used.
func (f *fleet) granted() int64 {
	f.t.Helper()
	return f.figure(`SELECT coalesce(sum(granted), 0)::BIGINT FROM escrow_spans`)
}

// over reports whether so little is left that the clients may not come further.
func (f *fleet) over() bool { return f.used() >= fiveCents*9/10 }

// spend has clients spend what is left, at the Weirs that are there, until each says that it is used up.
func (f *fleet) spend(members ...*fleetMember) {
	f.t.Helper()
	for i, m := range members {
		n := 0
		waitFor(f.t, patience, func() string { return "the budget is used up" }, func() bool {
			n++
			a := f.post(f.t.Context(), m.url, fmt.Sprintf("left-%d-%d", i, n), fmt.Sprintf(fleetCall, false))
			if a.err != nil || a.status != 200 && !a.refusal() {
				f.t.Errorf("%+v", a)
			}
			return a.code == "insufficient_quota"
		})
	}
}

// forget gives a Weir up, as an operator does whose machine is gone.
func (f *fleet) forget(gone *fleetMember) {
	f.t.Helper()
	folder := f.t.TempDir()
	writeTest(f.t, filepath.Join(folder, "weir.yaml"), "store: "+f.store+"\n")
	if did := runIn(f.t, folder, nil, "", "replicas", "forget", gone.instance, "--force", "-c", "weir.yaml"); did.code != 0 {
		f.t.Fatalf("%+v", did)
	}
}

// lease is what a Weir has of the budget.
func (m *fleetMember) lease(column string) int64 {
	m.fleet.t.Helper()
	return m.fleet.figure(`SELECT coalesce(sum(`+column+`), 0)::BIGINT FROM escrow_leases WHERE replica = $1`, m.instance)
}

// TestFleetTorture: five hundred clients at once spend a strict budget at three Weirs. One is killed and starts again, Postgres crashes, and another Weir is
// killed and its disk is lost. Providers never bill more than the budget; each call has its row, but those of the lost disk, which are in doubt; and what is left
// can be spent in the end.
func TestFleetTorture(t *testing.T) { fleetTorture(t) }

func TestLongFleetTorture(t *testing.T) {
	long(t)
	for round := range 10 {
		t.Run(fmt.Sprint(round), fleetTorture)
	}
}

func fleetTorture(t *testing.T) {
	var own pgtest.Server
	t.Cleanup(own.Stop)
	f := newFleet(t, &own, 3, fleetScript, fleetConfig("{delay: 0s}", "0.05usd")) // some two thousand calls
	again, lost, steady := f.members[0], f.members[1], f.members[2]
	stop := f.crowdOf(500)
	f.at(10, f.over)
	again.kill()
	again.start()
	f.at(30, f.over)
	own.Restart(t)
	f.at(50, f.over)
	f.at(80, func() bool { return lost.up.Active() > 3 || f.over() })
	lost.kill()
	f.at(f.billed(fleetPrice)*100/fiveCents+2, func() bool { return f.granted() >= fiveCents*9/10 }) // what the lost one has does not come back
	stop()
	f.idle()
	f.forget(lost)
	f.spend(again, steady)
	again.stop()
	steady.stop()
	f.idle()
	f.audit(lost, again, steady)
}

// audit compares what providers served with the rows and the books. All Weirs have ended.
func (f *fleet) audit(lost *fleetMember, others ...*fleetMember) {
	f.t.Helper()
	billed, rows := f.billed(fleetPrice), f.rows()
	if billed > fiveCents {
		f.t.Errorf("providers bill %d of %d", billed, fiveCents)
	}
	largest := int64(0)
	for _, m := range others {
		own := rows[m.instance]
		res := ledgertest.Compare(m.up.Served(), own, fleetPrice)
		for _, wrong := range res.Wrong {
			f.t.Error(wrong)
		}
		used, granted, shipped := m.lease("used"), m.lease("granted"), m.lease("shipped")
		if cost := costOf(own); used != granted || used != shipped || used != cost {
			f.t.Errorf("a Weir was granted %d, used %d, and shipped %d; its rows cost %d", granted, used, shipped, cost)
		}
		for i := range own {
			largest = max(largest, int64(own[i].Hold))
		}
		f.t.Logf("%d calls, %d rows, %d orphaned, %d estimated, used %d", res.Served, res.Rows, res.Orphaned, res.Estimated, used)
	}
	f.auditLost(lost, rows[lost.instance])
	left := f.figure(`SELECT most - earlier - granted FROM escrow_spans`)
	if used := f.figure(`SELECT used - granted FROM escrow_spans`); used != 0 || left < 0 || left >= largest {
		f.t.Errorf("%d are left, and a call holds up to %d; %d more are used than granted", left, largest, used)
	}
	f.t.Logf("providers bill %d of %d, and %d are left", billed, fiveCents, left)
}

// auditLost: what a lost disk had not shipped is in doubt. Rows that did come are right.
func (f *fleet) auditLost(lost *fleetMember, rows []ledger.Row) {
	f.t.Helper()
	clients := map[string]bool{}
	for i := range rows {
		clients[rows[i].ClientID] = true
	}
	known := slices.DeleteFunc(lost.up.Served(), func(s sim.Served) bool { return !clients[s.Client] })
	for _, wrong := range ledgertest.Compare(known, rows, fleetPrice).Wrong {
		f.t.Error(wrong)
	}
	billed, used, doubt := lost.billed(fleetPrice), lost.lease("used"), lost.lease("doubt")
	if cost := costOf(rows); doubt < 0 || cost > used || billed > used+doubt || lost.lease("granted") != used+doubt {
		f.t.Errorf("the lost Weir used %d, and %d are in doubt; its rows cost %d, and its provider bills %d", used, doubt, cost, billed)
	}
	f.t.Logf("of the lost Weir there are %d rows of %d calls; %d are in doubt", len(rows), len(lost.up.Served()), doubt)
}
