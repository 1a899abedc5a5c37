package sqlite_test

import (
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// Whatever is changed in the file behind Weir's back is found, and nothing else is.
func TestVerifyFindsWhatWasChanged(t *testing.T) {
	t.Parallel()
	for change, want := range map[string][]string{
		`UPDATE hours SET cost = cost + 1 WHERE at = (SELECT min(at) FROM hours)`: {"hours: 2026-03-01T10:00Z, key k, team \"\", model fast, target p/large"},
		`UPDATE days SET output = 0`: {"days: 2026-03-01, key k", "days: 2026-03-03, key k"},
		`UPDATE tagdays SET requests = 7 WHERE at = (SELECT min(at) FROM tagdays)`:                                                                         {"tags: 2026-03-01, key k, tag \"job=x\""},
		`DELETE FROM tagdays WHERE at = (SELECT max(at) FROM tagdays)`:                                                                                     {"tags: 2026-03-03, key k, tag \"\""},
		`INSERT INTO days SELECT at + 1, key, team, model, target, flags, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM days WHERE at = (SELECT min(at) FROM days)`: {"days: 2026-03-02"},
		`DELETE FROM attempts WHERE id = (SELECT max(id) FROM attempts)`: {
			"hours: 2026-03-03T10:00Z", "days: 2026-03-03", "tags: 2026-03-03", "totals: 2026-03-03, all keys",
		},
		`UPDATE totals SET input = 7 WHERE at = (SELECT min(at) FROM totals)`: {"totals: 2026-03-01, all keys, team \"\", model fast, target p/large"},
		`DELETE FROM hours WHERE at = (SELECT max(at) FROM hours)`:            {"hours: 2026-03-03T10:00Z"},
		`UPDATE names SET text = 'renamed' WHERE text = 'k'`:                  nil,
	} {
		path := file(t)
		db := open(t, path)
		if err := db.Ship(t.Context(), &ledger.Shipment{Instance: "one", Rows: []ledger.Row{verified(1), verified(3)}}); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		edit(t, path, change)
		var got []string
		_, err := open(t, path).Verify(t.Context(), func(d ledger.Difference) {
			if d.Sums == d.Rows {
				t.Errorf("no difference: %+v", d)
			}
			got = append(got, d.Table+": "+d.Line)
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("%s: %q", change, got)
			continue
		}
		for i, w := range want {
			if !strings.HasPrefix(got[i], w) {
				t.Errorf("%s: %q, want %q", change, got[i], w)
			}
		}
	}
}

// verified is a row of a day in March.
func verified(day int) ledger.Row {
	at := time.Date(2026, 3, day, 10, 30, 0, 0, time.UTC)
	r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
	r.Intent = ledger.Intent{Started: at, Try: 1, Key: "k", Model: "fast", Provider: "p", Upstream: "large", Tags: []ledger.Tag{{Name: "job", Value: "x"}}}
	r.Settlement = ledger.Settlement{Outcome: "ok", Usage: llm.Usage{Fresh: 5, Text: 4}, Cost: 3}
	return r
}
