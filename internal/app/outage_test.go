package app_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/store/pgtest"
)

// outages are what can happen to a database that Weirs share: each begins, and is over when the function that it returns is called.
var outages = map[string]func(t *testing.T, p *pgtest.Proxy, admin *sql.DB, role string) (over func()){
	"cut off":          func(_ *testing.T, p *pgtest.Proxy, _ *sql.DB, _ string) func() { p.Cut(); return p.Heal },
	"answers are lost": func(_ *testing.T, p *pgtest.Proxy, _ *sql.DB, _ string) func() { p.Lose(); return p.Heal },
	"late by 500 ms": func(_ *testing.T, p *pgtest.Proxy, _ *sql.DB, _ string) func() {
		p.Delay(500 * time.Millisecond)
		return p.Heal
	},
	"read-only": func(t *testing.T, _ *pgtest.Proxy, admin *sql.DB, role string) func() {
		run(t, admin, `ALTER ROLE `+role+` SET default_transaction_read_only = on`, endOf(role))
		return func() { run(t, admin, `ALTER ROLE `+role+` SET default_transaction_read_only = off`, endOf(role)) }
	},
	"no connections left": func(t *testing.T, _ *pgtest.Proxy, admin *sql.DB, role string) func() {
		run(t, admin, `ALTER ROLE `+role+` CONNECTION LIMIT 0`, endOf(role))
		return func() { run(t, admin, `ALTER ROLE `+role+` CONNECTION LIMIT -1`) }
	},
	"stopped": func(t *testing.T, _ *pgtest.Proxy, admin *sql.DB, role string) func() {
		run(t, admin, `ALTER ROLE `+role+` CONNECTION LIMIT 0`) // or new processes would answer
		signal(t, admin, role, stop)
		return func() {
			run(t, admin, `ALTER ROLE `+role+` CONNECTION LIMIT -1`)
			signal(t, admin, role, goOn)
		}
	},
}

// stop and goOn are the signals of Unix.
const stop, goOn = syscall.Signal(19), syscall.Signal(18)

// endOf ends the connections of a role.
func endOf(role string) string {
	return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '` + role + `'`
}

func run(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
}

// signal sends a signal to the database's processes that serve a role.
func signal(t *testing.T, admin *sql.DB, role string, s os.Signal) {
	t.Helper()
	rows, err := admin.Query(`SELECT pid FROM pg_stat_activity WHERE usename = $1`, role)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var pid int
		if err := rows.Scan(&pid); err != nil {
			t.Fatal(err)
		}
		process, err := os.FindProcess(pid)
		if err == nil {
			err = process.Signal(s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// Whatever happens to the database, callers are served or refused at once. What is held of budgets goes on, and so do keys that are known. When it is over,
// all goes on, and the ledger has every call.
func TestAnOutageOfPostgres(t *testing.T) {
	t.Parallel()
	for name, begin := range outages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "stopped" && (runtime.GOOS != "linux" || os.Getuid() != 0) {
				t.Skip("only root may stop the processes of another user")
			}
			url := postgres.Database(t)
			role := "app" + url[strings.LastIndex(url, "/")+1:strings.Index(url, "?")]
			admin, err := sql.Open("pgx", url)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = admin.Close() }()
			run(t, admin, `CREATE ROLE `+role+` LOGIN`, `GRANT ALL ON SCHEMA public TO `+role)
			proxy, url := pgtest.Behind(t, strings.Replace(url, "weir@", role+"@", 1))
			up := apptest.NewUpstream(t, nil)
			w := apptest.StartWith(t, "store: "+url+"\nledger: {unanswered: serve}\n"+priced(up, ""))
			plain, gone, once := w.NewKey(t, "plain"), w.NewKey(t, "gone"), onceKey(t, w, "once")
			strict := newLimitedKey(t, w, "strict", `{"budgets":["0.06usd/month"],"reserve":"strict"}`)
			expected := newLimitedKey(t, w, "expected", `{"budgets":["1usd/month"],"reserve":"expected"}`)
			late := newLimitedKey(t, w, "late", `{"budgets":["1usd/month"]}`)
			send := func(key string, header ...string) answer {
				return post(t, w, key, "/v1/chat/completions", fewTokens, header...)
			}
			for _, key := range []string{strict, expected} {
				until(t, "a call is served", func() bool { return send(key).status == 200 })
			}
			served := calls(up, "gpt-4o-mini")

			over := begin(t, proxy, admin, role)
			until(t, "a strict budget of which nothing is held is refused", func() bool {
				a := send(strict)
				if a.status == 200 {
					served++
				}
				return a.status == 503 && a.code() == "ledger_unavailable" && a.header.Get("Retry-After") == "1"
			})
			for range 5 {
				for _, key := range []string{plain, expected} {
					if a := send(key); a.status != 200 {
						t.Errorf("%d %s", a.status, a.body)
					}
					served++
				}
			}
			if name != "late by 500 ms" { // in which the database answers, slowly
				until(t, "what was not known before is refused", func() bool { a := send(late); return a.status == 503 && a.code() == "ledger_unavailable" })
				if a := send(once, "Idempotency-Key", "1"); a.status != 503 || a.code() != "idempotency_unavailable" {
					t.Errorf("%d %s", a.status, a.body)
				}
				if a := manage(t, w, "POST", "/admin/v1/keys", `{"name":"new"}`); a.status < 500 {
					t.Errorf("a new key: %d %s", a.status, a.body)
				}
				if a := manage(t, w, "DELETE", "/admin/v1/keys/gone", ""); a.status != 200 || send(gone).status != 401 {
					t.Errorf("a revocation: %d %s", a.status, a.body)
				}
			}
			over()

			for _, key := range []string{strict, late, once} {
				var last answer
				defer func() {
					if t.Failed() {
						t.Logf("the last answer is %d %s; the strict budget is %s", last.status, last.body, manage(t, w, "GET", "/admin/v1/limits?key=strict", "").body)
					}
				}()
				until(t, "all keys are served again", func() bool { last = send(key); return last.status == 200 })
				served++
			}
			until(t, "the ledger has all calls", func() bool {
				body := manage(t, w, "GET", "/admin/v1/verify", "").body
				return strings.Contains(body, `"differences":[]`) && strings.Contains(body, `"pending":0`)
			})
			until(t, "the store has every revocation", func() bool {
				return strings.Contains(manage(t, w, "GET", "/metrics", "").body, "\nweir_revocations_unsaved 0\n")
			})
			if n := calls(up, "gpt-4o-mini"); n != served {
				t.Errorf("the provider served %d calls, and callers %d", n, served)
			}
		})
	}
}

// Keys that are known go on while the store cannot be read, for as long as the config says. Then they are refused until it can be; those of the config go on.
func TestKeysGetStale(t *testing.T) {
	t.Parallel()
	proxy, url := pgtest.Behind(t, postgres.Database(t))
	up := apptest.NewUpstream(t, nil)
	digest := sha256.Sum256([]byte("of-the-file"))
	w := apptest.StartWith(t, "store: "+url+"\nstale_keys: 6s\nkeys: [{name: file, digest: \"sha256:"+hex.EncodeToString(digest[:])+"\"}]\n"+passAll(up, ""))
	key := w.NewKey(t, "app")
	send := func() answer { return post(t, w, key, "/v1/chat/completions", chatBody("m")) }
	proxy.Cut()
	if a := send(); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	until(t, "the key is refused", func() bool {
		a := send()
		return a.status == 503 && a.code() == "keys_unavailable" && a.header.Get("Retry-After") != ""
	})
	if a := post(t, w, "sk-unknown", "/v1/chat/completions", chatBody("m")); a.status != 401 {
		t.Errorf("an unknown key: %d %s", a.status, a.body)
	}
	if a := post(t, w, "of-the-file", "/v1/chat/completions", chatBody("m")); a.status != 200 {
		t.Errorf("a key of the config: %d %s", a.status, a.body)
	}
	logTells(t, w, "has not been read for too long")
	proxy.Heal()
	until(t, "the key works again", func() bool { return send().status == 200 })
}
