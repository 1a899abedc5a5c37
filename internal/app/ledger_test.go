package app_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// rowsOf waits until a store has so many rows, and returns them, the newest first.
func rowsOf(t *testing.T, path string, n int) []ledger.Row {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	var rows []ledger.Row
	until(t, "the rows are in the store", func() bool {
		rows, _, err = db.Rows(t.Context(), &ledger.RowsQuery{Limit: n + 1})
		if err != nil {
			t.Fatal(err)
		}
		return len(rows) >= n
	})
	if len(rows) != n {
		t.Fatalf("%d rows, not %d", len(rows), n)
	}
	return rows
}

// A call is a row with everything that is known of it, whole or streamed.
func TestCallsAreRows(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.db")
	w := apptest.StartWith(t, "store: sqlite:"+path+"\n"+passAll(up, "")+
		"  smart: {targets: [{provider: up, model: gpt-4o-mini, price: {input: 1, output: 2}}]}\nteams:\n  - {name: research}\n")
	key := w.NewKey(t, "app")
	if a := manage(t, w, "PATCH", "/admin/v1/keys/app", `{"team":"research"}`); a.status != 200 {
		t.Fatal(a.body)
	}
	for _, body := range []string{chatBody("smart"), streamBody("smart")} {
		if a := post(t, w, key, "/v1/chat/completions", body, "Weir-Tags", "project=a", "X-Request-Id", "mine-1"); a.status != 200 {
			t.Fatal(a.body)
		}
	}
	for _, r := range rowsOf(t, path, 2) {
		if r.Team != "cfg-research" || r.ClientID != "mine-1" || len(r.Tags) != 1 || r.Tags[0] != (ledger.Tag{Name: "project", Value: "a"}) {
			t.Errorf("whose it is: %+v", r.Intent)
		}
		if r.Model != "smart" || r.Provider != "up" || r.Upstream != "gpt-4o-mini" || r.Try != 1 || r.Call != 0 || len(r.Request) != 26 || r.Price == 0 {
			t.Errorf("what was called: %+v", r.Intent)
		}
		if r.Status != 200 || r.Outcome != "ok" || r.Flags != 0 || r.Source != ledger.Reported || r.Usage.Input() == 0 || r.Usage.Output() == 0 {
			t.Errorf("how it went: %+v", r.Settlement)
		}
		if r.CostSource != money.ByPrice || r.Cost != 1000*r.Usage.Input()+2000*r.Usage.Output() || r.Listed != r.Cost || r.First <= 0 || r.Took < r.First || r.Own <= 0 || r.UpstreamModel == "" {
			t.Errorf("what it took: %+v", r.Settlement)
		}
	}
	if a := manage(t, w, "GET", "/admin/v1/verify", ""); a.status != 200 || !strings.Contains(a.body, `"differences":[]`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := manage(t, w, "GET", "/admin/v1/usage?by=tag", ""); !strings.Contains(a.body, `"tag":"project=a"`) || !strings.Contains(a.body, `"requests":2`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := get(t, w, key, "/v1/usage"); !strings.Contains(a.body, `"model":"smart","requests":2,"attempts":2`) {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// Targets that were passed over are in the row of the call that was made instead. A call before which none was has nothing of them.
func TestRowsSayWhatWasPassedOver(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules": [{"match": {"model": "broken"}, "status": 500}]}`))
	w := apptest.StartWith(t, fmt.Sprintf(`providers:
  up: {kind: openai, base_url: %q, api_key: upstream-credential}
models:
  fitting: {targets: [{provider: up, model: plain, like: openai/gpt-3.5-turbo}, up/broken, {provider: up, model: ok, like: openai/gpt-4.1-mini}], retries: {max_attempts: 3}}
`, up.URL()))
	key := w.NewKey(t, "app")
	tools := `{"model":"fitting","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f"}}]}`
	for _, body := range []string{tools, chatBody("fitting")} {
		if a := post(t, w, key, "/v1/chat/completions", body); a.status != 200 {
			t.Fatal(a.body)
		}
	}
	var rows struct{ Data []admin.Attempt }
	until(t, "the ledger has all calls", func() bool {
		a := manage(t, w, "GET", "/admin/v1/attempts", "")
		return json.Unmarshal([]byte(a.body), &rows) == nil && len(rows.Data) >= 3
	})
	passed := []string{"up/plain no_tools"}
	for _, r := range rows.Data {
		want := passed
		if r.Upstream == "plain" {
			want = []string{}
		}
		if !slices.Equal(r.Skipped, want) || r.Reason != nil {
			t.Errorf("before the call to %s was passed over: %v, not %v; the reason is %v", r.Upstream, r.Skipped, want, r.Reason)
		}
	}
}
