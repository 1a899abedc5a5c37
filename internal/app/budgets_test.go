package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

// priced is a config with one model, whose tokens cost 10 dollars a million.
func priced(up *apptest.Upstream, more string) string {
	return passAll(up, "") + "  dear: {targets: [{provider: up, model: gpt-4o-mini, price: {input: 10, output: 10}}]}\n" + more
}

// standing is how the first budget of a key stands.
func standing(t *testing.T, w *apptest.Weir, key string) (used, held, remaining int64) {
	t.Helper()
	a := manage(t, w, "GET", "/admin/v1/limits?key="+key, "")
	var list struct {
		Budgets []struct{ Used, Held, Remaining int64 }
	}
	if err := json.Unmarshal([]byte(a.body), &list); err != nil || len(list.Budgets) == 0 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	return list.Budgets[0].Used, list.Budgets[0].Held, list.Budgets[0].Remaining
}

// sendAtOnce sends requests at once, and returns how many were served. A refused one has to wait for what runs. Only of
// a budget that is too small for all may nothing be left.
func sendAtOnce(t *testing.T, w *apptest.Weir, key string, n int, strict bool) (served int) {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			a := post(t, w, key, "/v1/chat/completions", fewTokens)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case a.status == 200:
				served++
			case !reserved(a) && (strict || !usedUp(a)):
				t.Errorf("%d %v %s", a.status, a.header, a.body)
			}
		})
	}
	all.Wait()
	return served
}

// reserved reports whether a caller has to wait for what runs, usedUp whether nothing is left.
func reserved(a answer) bool {
	return a.status == 429 && a.code() == "rate_limit_exceeded" && a.header.Get("Retry-After") == "1" && a.header.Get("X-Should-Retry") != "false"
}

func usedUp(a answer) bool {
	return a.status == 429 && a.code() == "insufficient_quota" && a.header.Get("X-Should-Retry") == "false" && a.header.Get("Retry-After") == ""
}

const fewTokens = `{"model":"dear","max_tokens":8,"messages":[{"role":"user","content":"hi"}]}`

// spendAll sends one request after the other until the budget is used up.
func spendAll(t *testing.T, w *apptest.Weir, key string) {
	t.Helper()
	for range 1000 {
		a := post(t, w, key, "/v1/chat/completions", fewTokens)
		switch {
		case a.status == 200:
		case usedUp(a):
			return
		default:
			t.Fatalf("%d %v %s", a.status, a.header, a.body)
		}
	}
	t.Error("the budget is not used up")
}

// Two hundred first requests at once never exceed a strict budget, each that is refused has to wait for those that run, and what is left
// is spent afterwards. The ledger has the same sum.
func TestACrowdOnAStrictBudget(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.db")
	w := apptest.StartWith(t, "store: sqlite:"+path+"\n"+priced(up, ""))
	key := newLimitedKey(t, w, "app", `{"budgets":["0.02usd/month"],"reserve":"strict"}`)
	served := sendAtOnce(t, w, key, 200, true)
	used, held, _ := standing(t, w, "app")
	if served == 0 || used == 0 || used > 20_000_000 || held != 0 {
		t.Errorf("%d served, used %d, held %d", served, used, held)
	}
	spendAll(t, w, key)
	used, held, left := standing(t, w, "app")
	if used > 20_000_000 || held != 0 || left > 10_000_000 {
		t.Errorf("used %d, held %d, left %d", used, held, left)
	}
	sum := int64(0)
	for _, r := range rowsOf(t, path, calls(up, "gpt-4o-mini")) {
		if sum += r.Cost; r.Hold < r.Cost {
			t.Errorf("held %d, took %d", r.Hold, r.Cost)
		}
	}
	if sum != used {
		t.Errorf("the ledger has %d, the budget %d", sum, used)
	}
}

// The same for a budget that holds what is usual: it is over by at most what the calls that ran when it filled cost beyond their holds.
func TestACrowdOnAnExpectedBudget(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.db")
	w := apptest.StartWith(t, "store: sqlite:"+path+"\n"+priced(up, ""))
	key := newLimitedKey(t, w, "app", `{"budgets":["0.002usd/month"]}`)
	sendAtOnce(t, w, key, 200, false)
	spendAll(t, w, key)
	used, held, _ := standing(t, w, "app")
	beyond, largest := int64(0), int64(0)
	for _, r := range rowsOf(t, path, calls(up, "gpt-4o-mini")) {
		beyond, largest = beyond+max(r.Cost-r.Hold, 0), max(largest, r.Cost)
	}
	if held != 0 || used < 2_000_000 || used > 2_000_000+beyond+largest {
		t.Errorf("used %d, held %d; calls cost %d beyond their holds, the largest %d", used, held, beyond, largest)
	}
}

// What was spent is known after a restart, and when a budget is set in the middle of its period. A lowered budget, and one taken away, hold
// at once.
func TestWhatWasSpentIsKept(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	config := filepath.Join(t.TempDir(), "weir.yaml") // beside it is the data folder
	if err := os.WriteFile(config, []byte(priced(up, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	var key string
	var spent int64
	t.Run("before", func(t *testing.T) { //nolint:paralleltest // one start after the other
		w := apptest.Start(t, config)
		key = w.NewKey(t, "app")
		for range 3 {
			if a := post(t, w, key, "/v1/chat/completions", fewTokens); a.status != 200 {
				t.Fatal(a.body)
			}
		}
		if a := manage(t, w, "PATCH", "/admin/v1/keys/app", `{"budgets":["1usd/month","1Mtok/day"],"warn":[50]}`); a.status != 200 {
			t.Fatal(a.body)
		}
		if spent, _, _ = standing(t, w, "app"); spent == 0 {
			t.Error("what was spent before the budget was set does not count")
		}
		if a := post(t, w, key, "/v1/chat/completions", fewTokens); a.status != 200 {
			t.Fatal(a.body)
		}
		spent, _, _ = standing(t, w, "app")
	})
	w := apptest.Start(t, config)
	if used, held, _ := standing(t, w, "app"); used != spent || held != 0 {
		t.Errorf("used %d and held %d after the restart, %d before", used, held, spent)
	}
	lowered := fmt.Sprintf(`{"budgets":["0.%09dusd/month"]}`, spent)
	if a := manage(t, w, "PATCH", "/admin/v1/keys/app", lowered); a.status != 200 {
		t.Fatal(a.body)
	}
	if a := post(t, w, key, "/v1/chat/completions", fewTokens); a.status != 429 || a.code() != "insufficient_quota" {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := manage(t, w, "PATCH", "/admin/v1/keys/app", `{"budgets":null}`); a.status != 200 || !strings.Contains(a.body, `"budgets":null,"reserve":null`) {
		t.Fatal(a.body)
	}
	if a := post(t, w, key, "/v1/chat/completions", fewTokens); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// A budget that is set, taken away and set again while calls run is charged each of them once, those too that began without it.
func TestABudgetThatIsSetUnderLoad(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.db")
	w := apptest.StartWith(t, "store: sqlite:"+path+"\n"+priced(up, ""))
	key := w.NewKey(t, "app")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				if a := post(t, w, key, "/v1/chat/completions", fewTokens); a.status != 200 {
					t.Errorf("%d %s", a.status, a.body)
				}
			}
		})
	}
	for i := range 9 {
		budgets := [...]string{`["1usd/total"]`, `null`}[i%2]
		if a := manage(t, w, "PATCH", "/admin/v1/keys/app", `{"budgets":`+budgets+`}`); a.status != 200 {
			t.Fatal(a.body)
		}
		if i%2 == 0 {
			standing(t, w, "app")
		}
	}
	all.Wait()
	used, held, _ := standing(t, w, "app")
	sum := int64(0)
	for _, r := range rowsOf(t, path, calls(up, "gpt-4o-mini")) {
		sum += r.Cost
	}
	if used != sum || held != 0 || sum == 0 {
		t.Errorf("the ledger has %d, the budget %d, and holds %d", sum, used, held)
	}
}

// A call without a price is refused to a key with a budget in dollars, or costs nothing, or what the config says; other keys are served. A
// price of 0 in the config is a price. The ledger has the same cost as the budget.
func TestCallsWithoutAPrice(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.db")
	targets := "{targets: [{provider: up, model: of-ours, capabilities: {context_length: 9000, max_output_tokens: 900}%s}]%s}\n"
	w := apptest.StartWith(t, "store: sqlite:"+path+"\n"+passAll(up, "")+
		"  unknown: "+fmt.Sprintf(targets, "", "")+"  denied: "+fmt.Sprintf(targets, "", ", price_unknown: deny")+
		"  free: "+fmt.Sprintf(targets, "", ", price_unknown: free")+"  fixed: "+fmt.Sprintf(targets, "", ", price_unknown: {hold: 0.05}")+
		"  nothing: "+fmt.Sprintf(targets, ", price: {input: 0, output: 0}", ""))
	plain, served := w.NewKey(t, "plain"), 0
	for _, reserve := range []string{"strict", "expected"} {
		key, used := newLimitedKey(t, w, reserve, `{"budgets":["1usd/month"],"reserve":"`+reserve+`"}`), int64(0)
		for _, tt := range []struct {
			model string
			costs int64 // -1 if it is refused
		}{{"unknown", -1}, {"denied", -1}, {"free", 0}, {"fixed", 50_000_000}, {"fixed", 50_000_000}, {"nothing", 0}} {
			a := post(t, w, key, "/v1/chat/completions", chatBody(tt.model))
			if tt.costs < 0 {
				if a.status != 503 || a.code() != "price_unknown" || a.header.Get("X-Should-Retry") != "false" || !strings.Contains(a.body, "price_unknown") {
					t.Errorf("%s: %d %v %s", tt.model, a.status, a.header, a.body)
				}
			} else if served, used = served+1, used+tt.costs; a.status != 200 {
				t.Errorf("%s: %d %s", tt.model, a.status, a.body)
			}
			if got, held, _ := standing(t, w, reserve); got != used || held != 0 {
				t.Errorf("after %s: %d used, want %d, and %d held", tt.model, got, used, held)
			}
			if a := post(t, w, plain, "/v1/chat/completions", chatBody(tt.model)); a.status != 200 {
				t.Errorf("a key without budgets, %s: %d %s", tt.model, a.status, a.body)
			}
			served++
		}
	}
	cost := int64(0)
	for _, r := range rowsOf(t, path, served) {
		cost += r.Cost
		want := money.Unpriced
		switch {
		case r.Cost > 0:
			want = money.Fixed
		case r.Model == "nothing":
			want = money.ByPrice
		}
		if r.CostSource != want {
			t.Errorf("%s: the cost %d is from %s, not %s", r.Model, r.Cost, r.CostSource, want)
		}
	}
	if cost != 200_000_000 {
		t.Errorf("the ledger has %d", cost)
	}
}

// A call's cost can be corrected, once for each id. The difference has a row of its own; sums and budgets have it, also after a restart.
func TestACallIsCorrected(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	config := filepath.Join(t.TempDir(), "weir.yaml")
	if err := os.WriteFile(config, []byte(priced(up, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	seq, cost := int64(0), int64(0)
	correct := func(w *apptest.Weir, call, to int64, id string) answer {
		return manage(t, w, "POST", "/admin/v1/adjustments", fmt.Sprintf(`{"call":%d,"cost_nanodollars":%d,"reason":"the invoice","id":%q}`, call, to, id))
	}
	used := func(w *apptest.Weir, want int64) {
		t.Helper()
		if got, held, _ := standing(t, w, "app"); got != want || held != 0 {
			t.Errorf("used %d, want %d, and %d held", got, want, held)
		}
		if a := manage(t, w, "GET", "/admin/v1/usage?by=key", ""); !strings.Contains(a.body, `"requests":1,"attempts":1,"input_tokens":`) || !strings.Contains(a.body, fmt.Sprintf(`"cost_nanodollars":%d,`, want)) {
			t.Errorf("the sums are not %d: %s", want, a.body)
		}
		if a := manage(t, w, "GET", "/admin/v1/verify", ""); !strings.Contains(a.body, `"differences":[]`) {
			t.Error(a.body)
		}
	}
	t.Run("before", func(t *testing.T) { //nolint:paralleltest // one start after the other
		w := apptest.Start(t, config)
		key := newLimitedKey(t, w, "app", `{"budgets":["1usd/total"]}`)
		if a := post(t, w, key, "/v1/chat/completions", fewTokens); a.status != 200 {
			t.Fatal(a.body)
		}
		cost, _, _ = standing(t, w, "app")
		list := func() (rows []struct {
			Seq     int64
			Adjusts *int64
			Reason  *string
			Cost    int64 `json:"cost_nanodollars"`
		},
		) {
			var page struct{ Data json.RawMessage }
			a := manage(t, w, "GET", "/admin/v1/attempts", "")
			if err := errors.Join(json.Unmarshal([]byte(a.body), &page), json.Unmarshal(page.Data, &rows)); err != nil {
				t.Fatal(err, a.body)
			}
			return rows
		}
		for len(list()) == 0 { // it is on its way
			runtime.Gosched()
		}
		seq = list()[0].Seq
		for _, tt := range []struct {
			to     int64
			id     string
			status int
			used   int64
		}{
			{cost + 500, "a", 200, cost + 500},
			{cost + 500, "a", 200, cost + 500}, // the same again
			{cost + 600, "a", 409, cost + 500},
			{cost + 500, "b", 400, cost + 500}, // it costs that already
			{-1, "b", 400, cost + 500},
			{1e15 + 1, "b", 400, cost + 500},
			{0, "b", 200, 0},
			{cost + 500, "a", 200, 0},
			{7, "c", 200, 7},
		} {
			if a := correct(w, seq, tt.to, tt.id); a.status != tt.status {
				t.Errorf("%+v: %d %s", tt, a.status, a.body)
			}
			used(w, tt.used)
		}
		rows := list()
		if len(rows) != 4 || *rows[0].Adjusts != seq || *rows[0].Reason != "the invoice" || rows[0].Cost != 7 || rows[1].Cost != -cost-500 {
			t.Errorf("%+v", rows)
		}
		if a := correct(w, rows[0].Seq, 9, "d"); a.status != 400 || !strings.Contains(a.body, "is a correction itself") {
			t.Errorf("%d %s", a.status, a.body)
		}
		if a := correct(w, 12, 9, "d"); a.status != 404 {
			t.Errorf("%d %s", a.status, a.body)
		}
		logTells(t, w, `"admin call"`, `"difference_nanodollars":500`, `"reason":"the invoice"`)
	})
	w := apptest.Start(t, config)
	used(w, 7)
	if a := correct(w, seq, 7, "c"); a.status != 200 {
		t.Errorf("after a restart: %d %s", a.status, a.body)
	}
	used(w, 7)
}

// A stream ends with an error when its budget has no room for more, if the key wants that. What was sent is charged and recorded, and the
// warnings are given.
func TestAStreamIsCut(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"tokens":3000}`))
	path := filepath.Join(t.TempDir(), "weir.db")
	w := apptest.StartWith(t, "store: sqlite:"+path+"\n"+priced(up, ""))
	key := newLimitedKey(t, w, "app", `{"budgets":["1200tok/total"],"cut":true,"warn":[10,50]}`)
	a := post(t, w, key, "/v1/chat/completions", streamBody("dear"))
	if a.status != 200 || !strings.Contains(a.body, "insufficient_quota") || strings.Contains(a.body, "[DONE]") {
		t.Errorf("%d %.300s … %s", a.status, a.body, a.body[max(len(a.body)-300, 0):])
	}
	rows := rowsOf(t, path, 1)
	if r := &rows[0]; r.Flags&ledger.Cut == 0 || r.Usage.Output() == 0 || r.Usage.Output() > 1300 {
		t.Errorf("%+v", r.Settlement)
	}
	if used, held, _ := standing(t, w, "app"); held != 0 || used != rows[0].Usage.Input()+rows[0].Usage.Output() {
		t.Errorf("used %d, held %d", used, held)
	}
	logTells(t, w, `"a share of a budget is spent"`, `"percent":50`)
}
