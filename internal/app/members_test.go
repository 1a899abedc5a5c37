package app_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
)

// Of two Weirs with one name the second gets another, with a warning. Whose config differs is shown, and who has left.
func TestWeirsThatShareAreToldApart(t *testing.T) {
	t.Parallel()
	url := postgres.Database(t)
	at := config.Store{URL: secret.New(url), Pool: 2}
	up := apptest.NewUpstream(t, nil)
	list := func(done func(of map[string]app.Replica) bool) map[string]app.Replica {
		t.Helper()
		of := map[string]app.Replica{}
		until(t, "the list is so", func() bool {
			all, err := app.Replicas(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			clear(of)
			for _, r := range all {
				of[r.Name] = r
			}
			return done(of)
		})
		return of
	}
	text := "store: " + url + "\n" + priced(up, "")
	one := apptest.StartWith(t, text)
	list(func(of map[string]app.Replica) bool { return of["weir"].ID != "" })
	other := apptest.StartWith(t, strings.Replace(text, "input: 10", "input: 9", 1))
	of := list(func(of map[string]app.Replica) bool { return of["weir-2"].ID != "" })
	logTells(t, other, "another Weir that shares the database has this name")
	if of["weir"].Config == "" || of["weir"].Config == of["weir-2"].Config {
		t.Errorf("configs that differ are %q and %q", of["weir"].Config, of["weir-2"].Config)
	}
	key := newLimitedKey(t, one, "app", `{"budgets":["1usd/month"]}`)
	until(t, "a call is served", func() bool { return post(t, one, key, "/v1/chat/completions", fewTokens).status == 200 })
	of = list(func(of map[string]app.Replica) bool { return of["weir"].Holds == 1 })
	if held := of["weir"].Held.Money; held <= 0 || held > 1e9 {
		t.Errorf("it holds %d", held)
	}
	figures := manage(t, one, "GET", "/metrics", "").body
	for _, line := range []string{"weir_replicas 2", "weir_replica_store_answers 1", "weir_replica_in_doubt_dollars 0", "weir_replica_held_dollars 0.", `weir_replica_round_trips_total{outcome="answered"} `, "weir_replica_statements_total ", "weir_replica_wait_seconds_count "} {
		if !strings.Contains(figures, "\n"+line) {
			t.Errorf("no figure %s", line)
		}
	}
	hasty, cancel := context.WithCancel(context.Background())
	cancel()
	if err := one.Stop(hasty); err != nil {
		t.Error(err)
	}
	of = list(func(of map[string]app.Replica) bool { return of["weir"].Left })
	if r := of["weir"]; r.Holds != 0 || r.Held.Money != 0 {
		t.Errorf("it has left, and holds %d", r.Held.Money)
	}
}

// A start waits for a process that the database has seen under its name a moment ago, and says so.
func TestAStartWaitsForAnotherProcess(t *testing.T) {
	t.Parallel()
	url := postgres.Database(t)
	path := filepath.Join(t.TempDir(), "weir.yaml") // beside it is the data folder
	up := apptest.NewUpstream(t, nil)
	if err := os.WriteFile(path, []byte("store: "+url+"\n"+passAll(up, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("before", func(t *testing.T) { apptest.Start(t, path) }) //nolint:paralleltest // one start after the other
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	run(t, db, `UPDATE escrow_replicas SET left_at = 0, seen_at = CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT) - 5000000`)
	w := apptest.Start(t, path)
	if !strings.Contains(w.Requests.String(), "the start waits until that has been silent for ten seconds") {
		t.Error("it does not say that it waited")
	}
}

// A process of which the database believes that another has taken its place stops spending, says so, and goes on with keys that have no budget.
func TestAProcessThatIsBelievedDead(t *testing.T) {
	t.Parallel()
	url := postgres.Database(t)
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, "store: "+url+"\nledger: {unanswered: serve}\n"+priced(up, ""))
	plain, budgeted := w.NewKey(t, "plain"), newLimitedKey(t, w, "budgeted", `{"budgets":["1usd/month"]}`)
	until(t, "a call is served", func() bool { return post(t, w, budgeted, "/v1/chat/completions", fewTokens).status == 200 })
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	run(t, db, `UPDATE escrow_replicas SET began = began + 1`)
	until(t, "a key with a budget is refused", func() bool {
		a := post(t, w, budgeted, "/v1/chat/completions", fewTokens)
		return a.status == 503 && a.code() == "ledger_unavailable"
	})
	logTells(t, w, "keys with budgets are refused from now on")
	if a := post(t, w, plain, "/v1/chat/completions", fewTokens); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
}
