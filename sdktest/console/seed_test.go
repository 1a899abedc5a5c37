package console

import (
	"context"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// days is how far back the seeded ledger reaches.
const days = 16

// zone is that of the seeded config.
const zone = "Europe/Berlin"

// target is where calls of the seeded ledger went.
type target struct {
	model, provider, upstream string
	input, output             int64 // cents for a million tokens
	first, each               time.Duration
	failing                   float64
}

var targets = []target{
	{"smart", "anthropic", "claude-sonnet-4-5", 300, 1500, 700 * time.Millisecond, 14 * time.Millisecond, 0.006},
	{"smart", "openai", "gpt-5", 125, 1000, 900 * time.Millisecond, 16 * time.Millisecond, 0.01},
	{"fast", "groq", "llama-3.3-70b", 59, 79, 120 * time.Millisecond, 3 * time.Millisecond, 0.02},
	{"fast", "openai", "gpt-5-mini", 25, 200, 350 * time.Millisecond, 8 * time.Millisecond, 0.008},
	{"code", "anthropic", "claude-opus-4-5", 500, 2500, 1100 * time.Millisecond, 18 * time.Millisecond, 0.008},
	{"embed", "openai", "text-embedding-3-large", 13, 0, 90 * time.Millisecond, 0, 0.001},
	{"local", "vllm", "qwen3-32b", 0, 0, 200 * time.Millisecond, 11 * time.Millisecond, 0.03},
}

// caller is a key of the seeded store.
type caller struct {
	name, team string
	models     []string
	rate       float64 // requests in a busy hour
	prompt     int64   // tokens, about
	nightly    bool
}

var callers = []caller{
	{"svc-search", "search", []string{"fast", "embed"}, 9, 1200, false},
	{"svc-answers", "search", []string{"smart"}, 5, 6400, false},
	{"agent-desk", "support", []string{"smart", "fast"}, 6, 9100, false},
	{"mail-triage", "support", []string{"fast"}, 7, 1800, false},
	{"code-review", "platform", []string{"code"}, 3, 21000, false},
	{"ci-bot", "platform", []string{"code", "local"}, 2, 8000, false},
	{"labels-nightly", "research", []string{"smart", "local"}, 16, 2600, true},
	{"notebook-ana", "research", []string{"smart", "code", "local"}, 1, 4000, false},
	{"evals", "research", []string{"fast", "smart", "local"}, 10, 900, true},
	{"<img src=x onerror=alert(1)>", "", []string{"local"}, 0.6, 700, false}, // a name is text, whatever it looks like
}

// seeded fills the store of a data folder: keys, teams, and the rows of some days up to end. The same end gives the same rows.
func seeded(t testing.TB, dir string, end time.Time) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(dir, "weir.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	random := rand.New(rand.NewPCG(17, 4))
	keys := seedKeys(t, db, random, end)
	berlin, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	s := &seeder{random: random, zone: berlin}
	for at := end.Add(-days * 24 * time.Hour).Truncate(time.Hour); at.Before(end); at = at.Add(time.Hour) {
		for i := range callers {
			s.hour(&callers[i], keys[i], at, end)
		}
	}
	slices.SortStableFunc(s.rows, func(a, b ledger.Row) int { return a.Started.Compare(b.Started) })
	s.passOver("fast", "groq", "openai/gpt-5-mini full")
	last := ledger.Seq(0)
	for i := range s.rows {
		last = max(ledger.SeqAt(s.rows[i].Started), last+1)
		s.rows[i].Seq = last
	}
	for n := 0; n < len(s.rows); n += 1000 {
		batch := &ledger.Shipment{Instance: "seed", Rows: s.rows[n:min(n+1000, len(s.rows))], Prices: prices(), Zone: berlin, Upto: ledger.Position{Segment: 1, Offset: int64(n + 1)}}
		if err := db.Ship(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
}

// words reads random bytes from a seeded source, so that keys are the same each time.
type words struct{ *rand.Rand }

// Read implements io.Reader.
func (w words) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(w.Uint32())
	}
	return len(p), nil
}

// seedKeys makes the teams and keys, and returns the keys in the order of callers.
func seedKeys(t testing.TB, db *sqlite.DB, random *rand.Rand, end time.Time) []auth.Key {
	t.Helper()
	made := end.Add(-days * 24 * time.Hour)
	keys, err := auth.NewKeys(t.Context(), db, func() time.Time { return made }, words{random})
	if err != nil {
		t.Fatal(err)
	}
	for i, team := range []string{"search", "support", "platform", "research"} {
		spending := &budget.Policy{Budgets: []budget.Spec{{Limit: int64(40+20*i) * 1e9, Unit: budget.Dollars, Period: budget.Month}}}
		if _, err := keys.CreateTeam(context.Background(), auth.TeamDraft{Name: team, Spending: spending}); err != nil {
			t.Fatal(err)
		}
	}
	all := make([]auth.Key, len(callers))
	for i, c := range callers {
		name := c.name
		if c.team == "" { // a name has no spaces
			name = "<img/src=x/onerror=alert(1)>"
		}
		draft := auth.Draft{Name: name, Team: c.team, Models: c.models, Limits: auth.Limits{Requests: 600}}
		if c.team == "search" { // keys with budgets of their own
			draft.Spending = &budget.Policy{Budgets: []budget.Spec{{Limit: 3e9, Unit: budget.Dollars, Period: budget.Day}, {Limit: 20e6, Unit: budget.Tokens, Period: budget.Week}}, Warn: []int{50, 90}}
			draft.Limits = auth.Limits{Requests: 600, Tokens: 400_000, Concurrent: 16}
			draft.ExpiresAt = end.Add(5 * 24 * time.Hour)
		}
		if all[i], _, err = keys.Create(context.Background(), draft); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// price is the target's, as rows name it.
func (g *target) price() *money.Price {
	if g.input == 0 {
		return nil
	}
	cents := func(n int64) money.PerToken { return money.PerToken(n * 10_000) }
	return &money.Price{Rates: money.Rates{
		Fresh: cents(g.input), AudioIn: cents(g.input), ImageIn: cents(g.input), CacheRead: cents(g.input) / 10, CacheWrite: cents(g.input), CacheWrite1h: cents(g.input),
		Text: cents(g.output), Reasoning: cents(g.output), AudioOut: cents(g.output), ImageOut: cents(g.output),
	}}
}

func prices() (all []ledger.PricedAs) {
	for i := range targets {
		if p := targets[i].price(); p != nil {
			all = append(all, ledger.PricedAs{ID: p.ID(), JSON: p.JSON()})
		}
	}
	return all
}

type seeder struct {
	random *rand.Rand
	zone   *time.Location
	rows   []ledger.Row
}

// busy is how much of its rate a caller has at an hour: people work by day and not on Sundays, batches by night.
func (s *seeder) busy(c *caller, at time.Time) float64 {
	local := at.In(s.zone)
	if c.nightly {
		if h := local.Hour(); h < 1 || h > 4 {
			return 0
		}
		return 1
	}
	share := 0.12 + 0.88*math.Exp(-math.Pow(float64(local.Hour())-13.5, 2)/18)
	if day := local.Weekday(); day == time.Saturday || day == time.Sunday {
		share *= 0.3
	}
	return share
}

// hour makes the requests of a caller in an hour.
func (s *seeder) hour(c *caller, key auth.Key, at, end time.Time) {
	expected := c.rate * s.busy(c, at)
	n := int(expected)
	if s.random.Float64() < expected-float64(n) {
		n++
	}
	for range n {
		if began := at.Add(time.Duration(s.random.Int64N(int64(time.Hour)))); began.Before(end.Add(-time.Minute)) {
			s.request(c, key, began)
		}
	}
}

// request makes the calls of a request: a target that fails leaves it to the next.
func (s *seeder) request(c *caller, key auth.Key, began time.Time) {
	model := c.models[s.random.IntN(len(c.models))]
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(began.UnixMilli())<<16)
	binary.BigEndian.PutUint64(id[8:], s.random.Uint64())
	request := base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(id[:])
	at, try := began, 0
	for i := range targets {
		g := &targets[i]
		if g.model != model {
			continue
		}
		try++
		row := s.call(c, g, at)
		row.Request, row.Key, row.Team, row.Try, row.Call = request, key.ID, key.TeamID, try, try-1
		if try > 1 {
			row.Flags |= ledger.Retry
		}
		s.rows = append(s.rows, row)
		if row.Outcome == "ok" {
			return
		}
		at = at.Add(row.Took)
	}
}

// passOver has the last call for a model at a provider say which targets were passed over before it.
func (s *seeder) passOver(model, provider string, why ...string) {
	for i := range slices.Backward(s.rows) {
		if row := &s.rows[i]; row.Model == model && row.Provider == provider && row.Outcome == "ok" {
			row.Reason = ledger.PassedOver(why)
			return
		}
	}
}

// call is one call to a target.
func (s *seeder) call(c *caller, g *target, at time.Time) ledger.Row {
	prompt := int64(float64(c.prompt) * (0.4 + 1.2*s.random.Float64()))
	cached := int64(float64(prompt) * 0.7 * s.random.Float64())
	text := 20 + s.random.Int64N(700)
	row := ledger.Row{Instance: "seed"}
	row.Intent = ledger.Intent{Started: at, Model: g.model, Provider: g.provider, Upstream: g.upstream, Price: g.price().ID(), Tags: []ledger.Tag{{Name: "env", Value: []string{"prod", "staging"}[s.random.IntN(2)]}}}
	row.Settlement = ledger.Settlement{Status: 200, Outcome: "ok", UpstreamModel: g.upstream, UpstreamID: fmt.Sprintf("resp-%08x", s.random.Uint32()), Own: time.Duration(90+s.random.IntN(240)) * time.Microsecond}
	if s.random.Float64() < g.failing {
		row.Status, row.Outcome, row.Took = 503, "overloaded", time.Duration(s.random.Int64N(int64(4*time.Second)))
		row.Source = ledger.Counted
		return row
	}
	if g.output == 0 && g.input > 0 {
		cached, text = 0, 0
	}
	row.Usage = llm.Usage{Fresh: prompt - cached, CacheRead: cached, Text: text}
	if g.model == "code" {
		row.Usage.Reasoning = s.random.Int64N(900)
	}
	row.First = time.Duration(float64(g.first) * math.Exp(0.5*s.random.NormFloat64()))
	row.Took = row.First + time.Duration(text)*g.each
	if p := g.price(); p != nil {
		row.Cost, _ = p.Cost(&row.Usage)
		row.Listed, row.CostSource = row.Cost, money.ByPrice
	} else {
		row.CostSource = money.Unpriced
	}
	if s.random.IntN(150) == 0 {
		row.Source = ledger.Counted
	}
	return row
}
