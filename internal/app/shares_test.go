package app_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// Two Weirs on one Postgres spend a strict budget together: under a crowd of requests at both it is never exceeded, and in the end all of it is
// spent, whichever held it.
func TestTwoWeirsSpendOneBudget(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	config := "store: " + postgres.Database(t) + "\n" + priced(up, "")
	one, other := apptest.StartWith(t, config), apptest.StartWith(t, config)
	key := newLimitedKey(t, one, "app", `{"budgets":["0.02usd/month"],"reserve":"strict"}`)
	until(t, "the other knows the budget", func() bool {
		return strings.Contains(manage(t, other, "GET", "/admin/v1/limits?key=app", "").body, `"remaining"`)
	})
	var all sync.WaitGroup
	for _, w := range []*apptest.Weir{one, other} {
		for range 50 {
			all.Go(func() {
				if a := post(t, w, key, "/v1/chat/completions", fewTokens); a.status != 200 && !reserved(a) && a.code() != "ledger_unavailable" {
					t.Errorf("%d %v %s", a.status, a.header, a.body)
				}
			})
		}
	}
	all.Wait()
	for _, w := range []*apptest.Weir{one, other} {
		until(t, "the budget is used up", func() bool { return usedUp(post(t, w, key, "/v1/chat/completions", fewTokens)) })
	}
	var cost int64
	until(t, "the ledger has all calls", func() bool {
		body := manage(t, one, "GET", "/admin/v1/usage?by=key", "").body
		_, figure, _ := strings.Cut(body, `"cost_nanodollars":`)
		figure, _, _ = strings.Cut(figure, ",")
		cost, _ = strconv.ParseInt(figure, 10, 64)
		return strings.Contains(body, fmt.Sprintf(`"requests":%d,`, calls(up, "gpt-4o-mini")))
	})
	if cost > 20_000_000 || cost < 10_000_000 {
		t.Errorf("of 20000000, %d are spent", cost)
	}
}

// Each of two Weirs shows what both spent of a budget, also of slices that neither has asked the other about.
func TestTwoWeirsShowWhatBothSpent(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	config := "store: " + postgres.Database(t) + "\n" + priced(up, "")
	weirs := []*apptest.Weir{apptest.StartWith(t, config), apptest.StartWith(t, config)}
	key := newLimitedKey(t, weirs[0], "app", `{"budgets":["100usd/month","1usd/total"]}`)
	for i := range 6 {
		until(t, "a call is served", func() bool { return post(t, weirs[i%2], key, "/v1/chat/completions", fewTokens).status == 200 })
	}
	for i, w := range weirs {
		until(t, fmt.Sprintf("Weir %d shows what both spent", i), func() bool {
			body := manage(t, w, "GET", "/admin/v1/usage?by=key", "").body
			_, cost, _ := strings.Cut(body, `"cost_nanodollars":`)
			cost, _, _ = strings.Cut(cost, ",")
			shown := manage(t, w, "GET", "/admin/v1/limits?key=app", "").body
			return strings.Contains(body, `"requests":6,`) && strings.Count(shown, `"used":`+cost+",") == 2
		})
	}
}

// What was spent of shared budgets is known after a restart, and when a budget is set in the middle of its period.
func TestWhatWasSpentOfSharedBudgetsIsKept(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	config, url := filepath.Join(t.TempDir(), "weir.yaml"), postgres.Database(t) // beside it is the data folder
	if err := os.WriteFile(config, []byte("store: "+url+"\n"+priced(up, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	booked := func(want int64) { // what decides how much is granted, whatever is shown
		t.Helper()
		db, err := sql.Open("pgx", url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var sum int64
		if err := db.QueryRow("SELECT earlier + used FROM escrow_spans WHERE budget LIKE 'usd/month/%'").Scan(&sum); err != nil || sum != want {
			t.Errorf("%d is booked, want %d: %v", sum, want, err)
		}
	}
	var spent int64
	t.Run("before", func(t *testing.T) { //nolint:paralleltest // one start after the other
		w := apptest.Start(t, config)
		key := w.NewKey(t, "app")
		for range 3 {
			if a := post(t, w, key, "/v1/chat/completions", fewTokens); a.status != 200 {
				t.Fatal(a.body)
			}
		}
		if a := manage(t, w, "PATCH", "/admin/v1/keys/app", `{"budgets":["1usd/month","1Mtok/day"]}`); a.status != 200 {
			t.Fatal(a.body)
		}
		if spent, _, _ = standing(t, w, "app"); spent == 0 {
			t.Error("what was spent before the budget was set does not count")
		}
		booked(spent)
		before := spent
		until(t, "a call is served", func() bool { return post(t, w, key, "/v1/chat/completions", fewTokens).status == 200 })
		if spent, _, _ = standing(t, w, "app"); spent <= before {
			t.Errorf("after another call %d is spent, before it %d", spent, before)
		}
	})
	booked(spent)
	w := apptest.Start(t, config)
	if used, held, _ := standing(t, w, "app"); used != spent || held != 0 {
		t.Errorf("used %d and held %d after the restart, %d before", used, held, spent)
	}
	booked(spent)
}
