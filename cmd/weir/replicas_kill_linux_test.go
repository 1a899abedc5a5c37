package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"

	"github.com/weirproxy/weir/internal/store/pgtest"
)

var postgres pgtest.Server

// TestTwoWeirsAndAKillOnOneBudget: two Weirs on one Postgres never spend more than a strict budget together, though one is killed amid a crowd and starts
// again on its data folder. What it held comes back, so that all is spent in the end.
func TestTwoWeirsAndAKillOnOneBudget(t *testing.T) {
	c := crowd{"strict", `{"model":"dear","max_tokens":50,"messages":[{"role":"user","content":"hi"}]}`, 30, postgres.Database(t)}
	up, server := simulate(t, longWords)
	start := func(folder string) *child {
		return startWith(t, folder, func(binary string) (string, error) { return binary, nil }, c.config(server.URL))
	}
	folder := t.TempDir()
	one, other := start(folder), start(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	for client := range 20 {
		random := rand.New(rand.NewPCG(1, uint64(client)))
		beside.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				c.send(ctx, t, other, fmt.Sprintf("beside-%d-%d", client, n), random)
			}
		})
	}
	c.rush(t, one, up)
	one = start(folder)
	cancel()
	beside.Wait()
	for name, w := range map[string]*child{"one": one, "other": other} {
		n := 0
		waitFor(t, patience, func() string { return "the budget is used up" }, func() bool {
			n++
			return c.send(t.Context(), t, w, fmt.Sprintf("left-%s-%d", name, n), nil)
		})
	}
	for _, w := range []*child{one, other} {
		if err := syscall.Kill(w.pid, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		w.end()
	}
	db, err := sql.Open("pgx", c.store)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var cost, rows, outstanding, wrong int64
	if err := db.QueryRow(`SELECT sum(cost), sum(attempts) FROM key_days`).Scan(&cost, &rows); err != nil {
		t.Fatal(err)
	}
	err = db.QueryRow(`
		SELECT sum(e.granted - e.used - e.doubt), sum(CASE WHEN e.used = e.shipped THEN 0 ELSE 1 END) FROM escrow_leases AS e`).Scan(&outstanding, &wrong)
	if err != nil {
		t.Fatal(err)
	}
	if cost > fiveCents || cost < fiveCents*8/10 || rows < int64(len(up.Served())) || outstanding != 0 || wrong != 0 {
		t.Errorf("%d of %d are spent, by %d rows of %d calls; %d are outstanding, and %d leases have used what their rows do not say", cost, fiveCents, rows, len(up.Served()), outstanding, wrong)
	}
}
