package sqlite_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// Whatever is changed in the file behind Weir's back is found, and nothing else is.
func TestVerifyFindsWhatWasChanged(t *testing.T) {
	t.Parallel()
	lost := []string{
		"team_hours: 2026-03-03T10:00Z, all keys, team \"\"", "model_hours: 2026-03-03T10:00Z, all keys, model fast, target p/large", "key_hours: 2026-03-03T10:00Z, key k, team \"\"",
		"hours: 2026-03-03T10:00Z, key k, team \"\", model fast, target p/large",
		"team_days: 2026-03-03, all keys", "model_days: 2026-03-03, all keys, model fast", "team_model_days: 2026-03-03, all keys, team \"\", model fast", "totals: 2026-03-03, all keys, team \"\", model fast, target p/large",
		"key_days: 2026-03-03, key k", "days: 2026-03-03, key k", "tagdays: 2026-03-03, key k, tag \"job=x\"", "tag_days: 2026-03-03, tag \"job=x\"",
		"team_model_weeks: the week from 2026-02-26, all keys, team \"\", model fast", "tag_weeks: the week from 2026-02-26, tag \"job=x\"",
	}
	for change, want := range map[string][]string{
		`UPDATE hours SET cost = cost + 1 WHERE at = (SELECT min(at) FROM hours)`: {"hours: 2026-03-01T10:00Z, key k, team \"\", model fast, target p/large"},
		`UPDATE days SET output = 0`: {"days: 2026-03-01, key k", "days: 2026-03-03, key k"},
		`UPDATE tagdays SET requests = 7 WHERE at = (SELECT min(at) FROM tagdays)`: {"tagdays: 2026-03-01, key k, tag \"job=x\""},
		`DELETE FROM tagdays WHERE at = (SELECT max(at) FROM tagdays)`: {
			"tagdays: 2026-03-03, key k, tag \"\"", "tag_days: 2026-03-03, tag \"job=x\"", "tag_days: 2026-03-03, tag \"\"",
			"tag_weeks: the week from 2026-02-26, tag \"job=x\"", "tag_weeks: the week from 2026-02-26, tag \"\"",
		},
		`INSERT INTO days SELECT at + 1, key, team, model, target, flags, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM days WHERE at = (SELECT min(at) FROM days)`: {"days: 2026-03-02"},
		`DELETE FROM attempts WHERE id = (SELECT max(id) FROM attempts)`:                                                                                   lost,
		`UPDATE totals SET input = 7 WHERE at = (SELECT min(at) FROM totals)`:                                                                              {"totals: 2026-03-01, all keys, team \"\", model fast, target p/large"},
		`DELETE FROM hours WHERE at = (SELECT max(at) FROM hours)`:                                                                                         {"hours: 2026-03-03T10:00Z"},
		`UPDATE tag_days SET cost = 0 WHERE at = (SELECT max(at) FROM tag_days)`:                                                                           {"tag_days: 2026-03-03, tag \"job=x\""},
		`UPDATE team_hours SET attempts = 9 WHERE at = (SELECT max(at) FROM team_hours)`:                                                                   {"team_hours: 2026-03-03T10:00Z, all keys, team"},
		`DELETE FROM key_hours WHERE at = (SELECT min(at) FROM key_hours)`:                                                                                 {"key_hours: 2026-03-01T10:00Z, key k, team"},
		`UPDATE model_hours SET input = 1 WHERE at = (SELECT min(at) FROM model_hours)`:                                                                    {"model_hours: 2026-03-01T10:00Z, all keys, model fast"},
		`UPDATE model_days SET input = 1 WHERE at = (SELECT min(at) FROM model_days)`:                                                                      {"model_days: 2026-03-01, all keys, model fast"},
		`UPDATE team_model_days SET cost = 1 WHERE at = (SELECT min(at) FROM team_model_days)`:                                                             {"team_model_days: 2026-03-01, all keys, team \"\", model fast"},
		`UPDATE team_model_weeks SET cost = 1`:                                                                                                             {"team_model_weeks: the week from 2026-02-26, all keys, team \"\", model fast"},
		`UPDATE tag_weeks SET output = 1`:                                                                                                                  {"tag_weeks: the week from 2026-02-26, tag \"job=x\""},
		`UPDATE team_days SET in_doubt = 1 WHERE at = (SELECT min(at) FROM team_days)`:                                                                     {"team_days: 2026-03-01, all keys, team"},
		`UPDATE key_days SET cache_read = 1 WHERE at = (SELECT min(at) FROM key_days)`:                                                                     {"key_days: 2026-03-01, key k, team"},
		`UPDATE names SET text = 'renamed' WHERE text = 'k'`:                                                                                               nil,
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
		slices.Sort(got)
		want = slices.Sorted(slices.Values(want))
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
