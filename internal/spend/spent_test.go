package spend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// A budget that is set in the middle of its period, or by a restart, begins with what the ledger has of the period: calls of the
// owner that began in it, shipped or not.
func TestSpentIsWhatTheLedgerHas(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "weir.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	now := time.Date(2026, 3, 4, 12, 30, 0, 0, time.UTC)
	var rows []ledger.Row
	for i, c := range []struct {
		key, team string
		ago       time.Duration
	}{
		{"a", "t", 0},
		{"a", "t", 30 * time.Minute},
		{"a", "", 31 * time.Minute},
		{"b", "t", time.Minute},
		{"a", "t", 12*time.Hour + 31*time.Minute},
		{"a", "t", 80 * time.Hour},
		{"a", "t", 1000 * time.Hour},
	} {
		at := now.Add(-c.ago)
		r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
		r.Intent = ledger.Intent{Request: fmt.Sprintf("0D1JUT%018dG0", i), Try: 1, Started: at, Key: c.key, Team: c.team, Model: "m", Provider: "p", Upstream: "up"}
		r.Settlement = ledger.Settlement{Status: 200, Outcome: "ok", Usage: llm.Usage{Fresh: 100, Text: 10}, Cost: 50, CostSource: money.ByPrice}
		rows = append(rows, r)
	}
	shipped := false
	source := &Spent{Reports: db, Zone: time.UTC, Ship: func(ctx context.Context) error {
		if shipped {
			return nil
		}
		shipped = true
		return db.Ship(ctx, &ledger.Shipment{Instance: "one", Rows: rows, Upto: ledger.Position{Segment: 1, Offset: 1}})
	}}
	book := budget.New(time.UTC, source, func(budget.Warning) {})
	budgets, err := budget.ParseAll([]string{"1usd/hour", "1usd/day", "1usd/week", "1usd/month", "1usd/total", "1Mtok/day"})
	if err != nil {
		t.Fatal(err)
	}
	key, other, team, stranger := budget.Owner{Kind: budget.Key, ID: "a"}, budget.Owner{Kind: budget.Key, ID: "b"}, budget.Owner{Kind: budget.Team, ID: "t"}, budget.Owner{Kind: budget.Key, ID: "t"}
	want := map[budget.Owner][6]int64{
		key: {2, 3, 4, 5, 6, 3}, other: {1, 1, 1, 1, 1, 1}, team: {3, 3, 4, 5, 6, 3}, stranger: {},
	}
	set := func(owners ...budget.Owner) {
		policies := map[budget.Owner]budget.Policy{}
		for _, o := range owners {
			policies[o] = budget.Policy{Budgets: budgets}
		}
		if err := book.Set(t.Context(), now, policies); err != nil {
			t.Fatal(err)
		}
	}
	set(key, team, stranger) // several keys at once, and then one
	set(other)
	for owner, calls := range want {
		for i, s := range book.States(owner, now) {
			each := int64(50)
			if s.Spec.Unit == budget.Tokens {
				each = 110
			}
			if s.Used != calls[i]*each {
				t.Errorf("%v: %d used of %v, want %d", owner, s.Used, s.Spec, calls[i]*each)
			}
		}
	}
}

// If the journal cannot be shipped, a budget cannot be set: it would begin with too little.
func TestSpentIsNotGuessed(t *testing.T) {
	t.Parallel()
	failing := errors.New("the store is locked")
	book := budget.New(time.UTC, &Spent{Zone: time.UTC, Ship: func(context.Context) error { return failing }}, func(budget.Warning) {})
	owner := budget.Owner{Kind: budget.Key, ID: "a"}
	err := book.Set(t.Context(), time.Now(), map[budget.Owner]budget.Policy{owner: strict("1usd/day")})
	if !errors.Is(err, failing) || len(book.States(owner, time.Now())) != 0 {
		t.Errorf("%v", err)
	}
}
