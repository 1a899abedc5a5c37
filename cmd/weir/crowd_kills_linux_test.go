package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/ledger/ledgertest"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/sim"
)

// crowd is how a budget of five cents meets two hundred clients.
type crowd struct {
	reserve string
	body    string // of a request that says how long its answer may be, or does not
	enough  int    // calls after which the program is killed
	store   string // "" for a file in the data folder. One in Postgres may be slow
}

const (
	fiveCents = 50_000_000
	longWords = `{"log_header": "X-Trace", "interval": "500us", "tokens": 600}`
)

// config has a model that costs ten dollars for a million tokens, and a key with the budget.
func (c crowd) config(base string) string {
	store := ""
	if c.store != "" {
		store = "store: " + c.store + "\n"
	}
	return store + fmt.Sprintf(`drain: {delay: 0s}
providers:
  up: {kind: openai, base_url: %q, api_key: upstream-credential, forward_headers: [X-Trace]}
models:
  dear: {targets: [{provider: up, model: dear, price: {input: 10, output: 10}}]}
keys:
  - {name: made, digest: %q, budgets: [0.05usd/total], reserve: %s}
`, base+"/v1", digestOfMadeUp, c.reserve)
}

// send makes a request, which a third of the clients break off. It returns whether the budget is used up.
func (c crowd) send(ctx context.Context, t *testing.T, w *child, id string, random *rand.Rand) (usedUp bool) {
	t.Helper()
	if random != nil && random.IntN(3) == 0 {
		hasty, cancel := context.WithTimeout(ctx, time.Duration(1+random.IntN(80))*time.Millisecond)
		defer cancel()
		ctx = hasty
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+"/v1/chat/completions", strings.NewReader(c.body))
	if err != nil {
		t.Error(err)
		return false
	}
	req.Header.Set("Authorization", "Bearer "+madeUp)
	req.Header.Set("X-Request-Id", id)
	req.Header.Set("X-Trace", id)
	resp, err := quiet.Do(req)
	if err != nil {
		if random == nil {
			t.Error(err)
		}
		return false // its client has left, or the program was killed
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	usedUp = strings.Contains(string(text), `"insufficient_quota"`)
	reserved := strings.Contains(string(text), `"rate_limit_exceeded"`)
	switch {
	case resp.StatusCode == 200 || err != nil && random != nil:
		return false
	case c.store != "" && resp.StatusCode == 503 && strings.Contains(string(text), `"ledger_unavailable"`):
		return false
	case resp.StatusCode != 429 || usedUp == reserved || reserved != (resp.Header.Get("Retry-After") == "1") || usedUp != (resp.Header.Get("X-Should-Retry") == "false"):
		t.Errorf("%d %v %s", resp.StatusCode, resp.Header, text)
	}
	return usedUp
}

// rush has two hundred clients send requests at once, and kills the program amid them.
func (c crowd) rush(t *testing.T, w *child, up *sim.Server) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for client := range 200 {
		random := rand.New(rand.NewPCG(seed, uint64(client)))
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				c.send(ctx, t, w, fmt.Sprintf("%d-%d", client, n), random)
			}
		})
	}
	if err := up.Wait(ctx, func(calls []sim.Served) bool { return len(calls) >= c.enough && !calls[len(calls)-1].Done }); err != nil {
		t.Error(err)
	}
	if err := syscall.Kill(w.pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	cancel()
	all.Wait()
	w.end()
}

// meets kills the program amid the crowd, starts it again, has what is left spent, and returns what the budget then says and all rows.
func (c crowd) meets(t *testing.T) (used int64, rows []ledger.Row) {
	t.Helper()
	up, server := simulate(t, longWords)
	folder := t.TempDir()
	start := func() *child {
		return startWith(t, folder, func(binary string) (string, error) { return binary, nil }, c.config(server.URL))
	}
	c.rush(t, start(), up)
	w := start()
	for n := 0; !c.send(t.Context(), t, w, fmt.Sprint("left-", n), nil); n++ {
		if n == 1000 {
			t.Fatal("the budget is not used up")
		}
	}
	used = standingOf(t, w, filepath.Join(folder, "data"))
	if err := syscall.Kill(w.pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.end()
	waitFor(t, patience, func() string { return "the upstream's calls end" }, func() bool { return up.Active() == 0 })
	rows = rowsIn(t, filepath.Join(folder, "data", "weir.db"))
	res := ledgertest.Compare(up.Served(), rows, money.Plain(10_000_000, 10_000_000))
	for _, wrong := range res.Wrong {
		t.Error(wrong)
	}
	sum := int64(0)
	for i := range rows {
		sum += int64(rows[i].Cost)
	}
	if sum != used {
		t.Errorf("the rows cost %d, and the budget has %d", sum, used)
	}
	t.Logf("%d rows, %d orphaned, %d estimated, used %d of %d", res.Rows, res.Orphaned, res.Estimated, used, fiveCents)
	return used, rows
}

// standingOf is what the key's budget has as used. Nothing is held at rest.
func standingOf(t *testing.T, w *child, data string) int64 {
	t.Helper()
	token, err := admin.ReadToken(filepath.Join(data, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	client := &admin.Client{BaseURL: w.admin, Token: token, HTTP: quiet}
	list, err := client.ListLimits(t.Context(), url.Values{"key": {"made"}})
	if err != nil || len(list.Budgets) != 1 || list.Budgets[0].Held != 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	return list.Budgets[0].Used
}

// TestCrowdAndKillOnStrictBudget: a strict budget is never exceeded, though a third of two hundred clients leave and the program is killed
// amid them: calls that it did not see the end of count as what was held for them.
func TestCrowdAndKillOnStrictBudget(t *testing.T) {
	c := crowd{"strict", `{"model":"dear","max_tokens":50,"messages":[{"role":"user","content":"hi"}]}`, 30, ""}
	used, rows := c.meets(t)
	if used > fiveCents {
		t.Errorf("%d of %d are used", used, fiveCents)
	}
	for i := range rows {
		if rows[i].Cost > rows[i].Hold {
			t.Errorf("%s: held %d, took %d", rows[i].ClientID, rows[i].Hold, rows[i].Cost)
		}
	}
}

// TestCrowdAndKillOnExpectedBudget: the same for a budget that holds what is usual. It is over by at most what calls cost beyond their
// holds, and one that may run alone.
func TestCrowdAndKillOnExpectedBudget(t *testing.T) {
	c := crowd{"expected", `{"model":"dear","stream":true,"messages":[{"role":"user","content":"hi"}]}`, 6, ""}
	used, rows := c.meets(t)
	beyond, largest := int64(0), int64(0)
	for i := range rows {
		cost, hold := int64(rows[i].Cost), int64(rows[i].Hold)
		beyond, largest = beyond+max(cost-hold, 0), max(largest, cost)
	}
	if used < fiveCents || used > fiveCents+beyond+largest {
		t.Errorf("%d of %d are used; calls cost %d beyond their holds, the largest %d", used, fiveCents, beyond, largest)
	}
}
