package app_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/store/pgtest"
)

// A Weir that may starts without its Postgres, by the keys that it had, and refuses what counts against budgets. Once the database is there, it knows what has
// changed, and has recorded all calls.
func TestAStartWithoutPostgres(t *testing.T) {
	t.Parallel()
	url := postgres.Database(t)
	proxy, behind := pgtest.Behind(t, url)
	up := apptest.NewUpstream(t, nil)
	other := apptest.StartWith(t, "store: "+url+"\n"+priced(up, ""))
	path := filepath.Join(t.TempDir(), "weir.yaml") // beside it is the data folder
	if err := os.WriteFile(path, []byte("store: "+behind+"\nstart_without_store: true\n"+priced(up, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	plain, revoked := other.NewKey(t, "plain"), other.NewKey(t, "revoked")
	strict := newLimitedKey(t, other, "strict", `{"budgets":["1usd/month"],"reserve":"strict"}`)
	send := func(w *apptest.Weir, key string) answer {
		return post(t, w, key, "/v1/chat/completions", fewTokens)
	}
	t.Run("before", func(t *testing.T) { //nolint:paralleltest // one start after the other
		w := apptest.Start(t, path)
		until(t, "a call is served", func() bool { return send(w, strict).status == 200 })
		until(t, "there is a snapshot", func() bool {
			text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "weir-data", "keys.snapshot"))
			return err == nil && strings.Contains(string(text), `"strict"`) && !strings.Contains(string(text), strict)
		})
	})
	proxy.Cut()
	if a := manage(t, other, "DELETE", "/admin/v1/keys/revoked", ""); a.status != 200 {
		t.Fatal(a.body)
	}
	w := apptest.Start(t, path)
	logTells(t, w, "the store is away")
	served := calls(up, "gpt-4o-mini")
	for _, key := range []string{plain, revoked} {
		if a := send(w, key); a.status != 200 {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	served += 2
	if a := send(w, strict); a.status != 503 || a.code() != "ledger_unavailable" {
		t.Errorf("a key with a budget: %d %s", a.status, a.body)
	}
	if a := send(w, "sk-unknown"); a.status != 401 {
		t.Errorf("an unknown key: %d %s", a.status, a.body)
	}
	if a := manage(t, w, "POST", "/admin/v1/keys", `{"name":"new"}`); a.status < 500 {
		t.Errorf("a new key: %d %s", a.status, a.body)
	}
	before, _, _ := standing(t, other, "strict")
	proxy.Heal()
	until(t, "what was revoked meanwhile is refused", func() bool { a := send(w, revoked); served += 1 - min(a.status/400, 1); return a.status == 401 })
	until(t, "a key with a budget is served", func() bool { return send(w, strict).status == 200 })
	served++
	until(t, "the ledger has all calls", func() bool {
		body := manage(t, w, "GET", "/admin/v1/verify", "").body
		return strings.Contains(body, `"differences":[]`) && strings.Contains(body, `"pending":0`)
	})
	if n := calls(up, "gpt-4o-mini"); n != served {
		t.Errorf("the provider served %d calls, and callers %d", n, served)
	}
	until(t, "the other knows what was spent here", func() bool { used, _, _ := standing(t, other, "strict"); return used > before })
}

// Without a snapshot of its store, and without leave, a start refuses, and says why.
func TestAStartThatNeedsItsStore(t *testing.T) {
	t.Parallel()
	proxy, url := pgtest.Behind(t, postgres.Database(t))
	proxy.Cut()
	for text, want := range map[string]string{
		"store: " + url: "it cannot be reached",
		"store: " + url + "\nstart_without_store: true": "start_without_store does not help: there is no snapshot",
		"start_without_store: true":                     "start_without_store is for a store on Postgres",
	} {
		path := filepath.Join(t.TempDir(), "weir.yaml")
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Loader{Kinds: catalog.ConfigKinds(), Known: catalog.Known}.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := app.New(t.Context(), app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %q", text, err, want)
		}
	}
}
