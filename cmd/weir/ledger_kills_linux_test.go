package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/ledger/ledgertest"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// followed is a provider that fails in several ways, by the model's name, and logs who called.
const followed = `{"log_header": "X-Trace", "interval": "2ms", "tokens": 12, "rules": [
	{"match": {"model": "sick"}, "status": 500},
	{"match": {"model": "limited"}, "status": 429},
	{"match": {"model": "slow"}, "ttft": "40ms"},
	{"match": {"model": "reset"}, "reset": 3},
	{"match": {"model": "cut"}, "cut": 4}
]}`

// targetKinds are kinds that each speak a dialect of their own.
var targetKinds = []string{"openai", "anthropic", "gemini", "bedrock", "cohere"}

// ways are models of each kind, by what their calls meet.
var ways = []struct{ name, targets, more string }{
	{"fine", "fine", ""},
	{"retried", "sick fine", ""},
	{"limited", "limited", ""},
	{"hedged", "slow fine", ", hedge: {after: 5ms, budget: 100%}"},
	{"broken", "reset fine", ""},
	{"cut", "cut", ""},
}

// meteredConfig has every way at every kind, all at one price.
func meteredConfig(base string) string {
	var b strings.Builder
	b.WriteString("providers:\n")
	for _, kind := range targetKinds {
		url := base + "/v1"
		if kind == "cohere" {
			url = base
		}
		fmt.Fprintf(&b, "  %s: {kind: %s, base_url: %q, api_key: upstream-credential, forward_headers: [X-Trace]}\n", kind, kind, url)
	}
	b.WriteString("models:\n")
	for _, kind := range targetKinds {
		for _, way := range ways {
			var targets []string
			for _, model := range strings.Fields(way.targets) {
				targets = append(targets, fmt.Sprintf("{provider: %s, model: %s, price: {input: 1, output: 2}}", kind, model))
			}
			fmt.Fprintf(&b, "  %s-%s: {targets: [%s]%s}\n", way.name, kind, strings.Join(targets, ", "), way.more)
		}
	}
	fmt.Fprintf(&b, "keys:\n  - {name: made, digest: %q}\n", digestOfMadeUp)
	return b.String()
}

// requests are what clients send, in every dialect and to every endpoint; %s is the model.
var requests = []struct{ path, body string }{
	{"/v1/chat/completions", `{"model":%q,"max_tokens":50,"messages":[{"role":"user","content":"hello there"}]}`},
	{"/v1/chat/completions", `{"model":%q,"max_tokens":50,"stream":true,"messages":[{"role":"user","content":"hello there"}]}`},
	{"/v1/messages", `{"model":%q,"max_tokens":50,"stream":true,"messages":[{"role":"user","content":"hello there"}]}`},
	{"/v1/messages", `{"model":%q,"max_tokens":50,"messages":[{"role":"user","content":"hello there"}]}`},
	{"/v1/responses", `{"model":%q,"stream":true,"input":"hello there"}`},
	{"/v1/completions", `{"model":%q,"max_tokens":50,"prompt":["hello","there"]}`},
	{"/v1/completions", `{"model":%q,"max_tokens":50,"stream":true,"prompt":["hello","there"]}`},
	{"/v1/embeddings", `{"model":%q,"input":["hello","there"]}`},
	{"/v1beta/models/%s:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"hello there"}]}]}`},
}

// request makes one request of a random kind, and often hangs up before its end.
func (c *child) request(ctx context.Context, random *rand.Rand, id string) {
	way, kind := ways[random.IntN(len(ways))], targetKinds[random.IntN(len(targetKinds))]
	asked := requests[random.IntN(len(requests))]
	model := way.name + "-" + kind
	path, body := asked.path, asked.body
	if strings.Contains(path, "%s") {
		path = fmt.Sprintf(path, model)
	} else {
		body = fmt.Sprintf(body, model)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(5+random.IntN(400))*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+madeUp)
	req.Header.Set("X-Request-Id", id)
	req.Header.Set("X-Trace", id)
	resp, err := quiet.Do(req)
	if err != nil {
		return // its time was up, or the program's
	}
	defer resp.Body.Close()
	source := io.Reader(resp.Body)
	if random.IntN(3) == 0 {
		source = io.LimitReader(source, random.Int64N(600))
	}
	_, _ = io.Copy(io.Discard, source) // whatever comes of it
}

// killed lets so many clients make requests until a number of calls was served, and kills the program amid them.
func (c *child) killed(random *rand.Rand, up *sim.Server, round, clients int) {
	ctx, cancel := context.WithCancel(c.t.Context())
	var wg sync.WaitGroup
	for worker := range clients {
		own := rand.New(rand.NewPCG(random.Uint64(), uint64(worker)))
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				c.request(ctx, own, fmt.Sprintf("%d-%d-%d", round, worker, n))
			}
		})
	}
	enough := len(up.Served()) + 100 + random.IntN(400)
	if err := up.Wait(ctx, func(calls []sim.Served) bool { return len(calls) >= enough }); err != nil {
		c.t.Error(err)
	}
	if err := syscall.Kill(c.pid, syscall.SIGKILL); err != nil {
		c.t.Error(err)
	}
	cancel()
	wg.Wait()
	c.end()
}

// ledgerSurvives kills the program amid the calls of 200 clients, again and again, and joins what was served with the ledger.
func ledgerSurvives(t *testing.T, rounds int) {
	up, server := simulate(t, followed)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	folder := t.TempDir()
	again := func() *child {
		return startWith(t, folder, func(binary string) (string, error) { return binary, nil }, meteredConfig(server.URL))
	}
	for round := range rounds {
		again().killed(random, up, round, 200)
	}
	last := again()
	if err := syscall.Kill(last.pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	last.end()
	waitFor(t, patience, func() string { return "the upstream's calls end" }, func() bool { return up.Active() == 0 })
	res := ledgertest.Compare(up.Served(), rowsIn(t, filepath.Join(folder, "data", "weir.db")), money.Plain(1_000_000, 2_000_000))
	t.Logf("%d calls, %d rows, %d orphaned, %d estimated, %+v", res.Served, res.Rows, res.Orphaned, res.Estimated, res.Taken)
	for i, wrong := range res.Wrong {
		if i == 20 {
			t.Fatalf("and %d more", len(res.Wrong)-i)
		}
		t.Error(wrong)
	}
	if res.Taken.Calls < 2*rounds { // a busy machine settles few before it is killed
		t.Errorf("only %d calls were settled", res.Taken.Calls)
	}
}

// rowsIn are all rows of a store.
func rowsIn(t *testing.T, path string) (all []ledger.Row) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	query := &ledger.RowsQuery{Limit: 5000}
	for {
		rows, more, err := db.Rows(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
		if !more {
			return all
		}
		last := rows[len(rows)-1]
		query.Before = &ledger.Place{Seq: last.Seq, Instance: last.Instance}
	}
}

// However often the program is killed amid calls, each call that was served has its row, and no other has one without a reason.
func TestLedgerSurvivesKills(t *testing.T) { ledgerSurvives(t, 5) }

func TestLongLedgerSurvivesKills(t *testing.T) {
	long(t)
	ledgerSurvives(t, 20)
}

// TestTorture kills the program as often as WEIR_TORTURE says. `make torture` runs it.
func TestTorture(t *testing.T) {
	text := os.Getenv("WEIR_TORTURE")
	if text == "" {
		t.Skip("it takes minutes: run make torture")
	}
	rounds, err := strconv.Atoi(text)
	if err != nil || rounds < 1 {
		t.Fatalf("WEIR_TORTURE is %q, not a number of kills", text)
	}
	ledgerSurvives(t, rounds)
}
