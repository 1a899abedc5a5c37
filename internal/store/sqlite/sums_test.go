package sqlite_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// history is a store, and the rows of one key after the other, from which each report is worked out.
type history struct {
	db   *sqlite.DB
	now  time.Time
	keys int
	segs uint64
}

// row draws one of a key.
func (h *history) row(t *rapid.T, key string, before []ledger.Row) ledger.Row {
	h.now = h.now.Add(time.Duration(rapid.IntRange(1, 5000).Draw(t, "seconds")) * time.Second)
	r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(h.now)}
	name := func(what string, of ...string) string { return rapid.SampledFrom(of).Draw(t, what) }
	n := func(what string) int64 { return rapid.Int64Range(0, 1000).Draw(t, what) }
	r.Intent = ledger.Intent{
		Request: fmt.Sprintf("0D1JUT%018dG0", h.now.Unix()), Try: 1, Call: rapid.IntRange(0, 2).Draw(t, "call"), Started: h.now, Key: key, Team: name("team", "", "t1", "t2"),
		Model: name("model", "fast", "smart"), Provider: name("provider", "p", "q"), Upstream: name("upstream", "x", "y"), Price: money.ID(rapid.IntRange(0, 3).Draw(t, "price")),
	}
	for range rapid.IntRange(0, 3).Draw(t, "tags") {
		r.Tags = append(r.Tags, ledger.Tag{Name: name("tag", "a", "b"), Value: name("value", "x", "y")})
	}
	r.Settlement = ledger.Settlement{
		Outcome: "ok", Source: ledger.Source(rapid.IntRange(0, 2).Draw(t, "source")), Flags: ledger.Flags(rapid.IntRange(0, 1<<12-1).Draw(t, "flags")), Cost: n("cost"),
		Usage: llm.Usage{Fresh: n("fresh"), AudioIn: n("audio"), CacheRead: n("read"), CacheWrite: n("write"), CacheWrite1h: n("hour"), Text: n("text"), Reasoning: n("reasoning")},
	}
	if len(before) > 0 && rapid.IntRange(0, 5).Draw(t, "correction") == 0 {
		of := rapid.SampledFrom(before).Draw(t, "of")
		r.Intent, r.Adjusts, r.Reason = of.Intent, of.Seq, "an invoice"
		r.Settlement = ledger.Settlement{Outcome: "adjustment", Flags: ledger.Adjustment, Cost: n("more") - of.Cost}
	}
	return r
}

// groups are those that a row is in.
func groups(by ledger.Grouping, r *ledger.Row) []string {
	switch by {
	case ledger.ByModel:
		return []string{r.Model}
	case ledger.ByKey:
		return []string{r.Key}
	case ledger.ByTeam:
		return []string{r.Team}
	case ledger.ByProvider:
		return []string{r.Provider}
	case ledger.ByHour:
		return []string{r.Seq.Time().UTC().Truncate(time.Hour).Format(time.RFC3339)}
	case ledger.ByDay:
		return []string{r.Seq.Time().UTC().Format(time.DateOnly)}
	case ledger.ByMonth:
		return []string{r.Seq.Time().UTC().Format("2006-01")}
	}
	return slices.Collect(r.TagTexts())
}

// sumsAreOfRows ships rows of a key, some twice, and compares every report with them.
func (h *history) sumsAreOfRows(t *rapid.T) {
	h.keys++
	key, began, rows := fmt.Sprint("k", h.keys), h.now, []ledger.Row(nil)
	for range rapid.IntRange(1, 6).Draw(t, "shipments") {
		s := &ledger.Shipment{Instance: "one"}
		if len(rows) > 0 && rapid.Bool().Draw(t, "again") {
			s.Rows = append(s.Rows, rows[len(rows)-1])
		}
		for range rapid.IntRange(0, 6).Draw(t, "rows") {
			r := h.row(t, key, rows)
			rows, s.Rows = append(rows, r), append(s.Rows, r)
		}
		for id := range money.ID(3) {
			s.Prices = append(s.Prices, ledger.PricedAs{ID: id + 1, JSON: []byte(`{}`)})
		}
		h.segs++
		s.Upto = ledger.Position{Segment: h.segs}
		if err := h.db.Ship(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, by := range ledger.Groupings {
		want := map[string]ledger.Sums{}
		for i := range rows {
			more := rows[i].Sums()
			for _, group := range groups(by, &rows[i]) {
				sum := want[group]
				sum.Add(&more)
				want[group] = sum
			}
		}
		lines, err := h.db.Usage(t.Context(), &ledger.UsageQuery{By: by, Key: key, Span: ledger.Span{Since: began.Truncate(24 * time.Hour), Until: h.now.Add(24 * time.Hour).Truncate(24 * time.Hour)}})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]ledger.Sums{}
		for _, l := range lines {
			got[l.Group] = l.Sums
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("by %s (-rows +report):\n%s", by, diff)
		}
	}
}

// check draws sequences, and then has the store verify all that it has.
func (h *history) check(t *testing.T) {
	t.Helper()
	rapid.Check(t, h.sumsAreOfRows)
	if _, err := h.db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil {
		t.Fatal(err)
	}
}

// Whatever is recorded, corrected, shipped twice and priced again, each report is the sum of its rows.
func TestReportsAreSumsOfRows(t *testing.T) {
	t.Parallel()
	h := history{db: open(t, file(t)), now: time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)}
	h.check(t)
}

// The same for ten thousand sequences.
func TestLongReportsAreSumsOfRows(t *testing.T) { //nolint:paralleltest // it sets how much rapid draws, which is the process's
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes minutes: set WEIR_LONG=1, as make long does")
	}
	if err := flag.Set("rapid.checks", "10000"); err != nil {
		t.Fatal(err)
	}
	h := history{db: open(t, file(t)), now: time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)}
	h.check(t)
}
