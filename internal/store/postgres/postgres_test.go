package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/pgtest"
	"github.com/weirproxy/weir/internal/store/storetest"
	"github.com/weirproxy/weir/internal/store/tables"
)

var server pgtest.Server

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(m)) }

func open(t *testing.T, url string) *DB {
	t.Helper()
	db, err := Open(t.Context(), Options{URL: secret.New(url), Pool: 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestTheLawOfStores(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) func() storetest.Store {
		url := server.Database(t)
		return func() storetest.Store { return open(t, url) }
	})
}

// The same behind a pool that gives a connection away for one transaction, so that nothing can be kept in it.
func TestTheLawOfStoresBehindPgBouncer(t *testing.T) {
	if testing.Short() {
		t.Skip("the same code runs without the pool")
	}
	t.Parallel()
	storetest.Run(t, func(t *testing.T) func() storetest.Store {
		url := server.Bounced(t, server.Database(t))
		return func() storetest.Store { return open(t, url) }
	})
}

// What is wrong with the place of a store is said, with what to do, and never with the password.
func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	url := server.Own(t)
	edit(t, url, `DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`)
	at := func(from, to string) string { return strings.Replace(url, from, to, 1) }
	taken, err := net.Listen("tcp", "127.0.0.1:0") // answers nothing
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		at("/test", "/missing"):       "there is no such database",
		at("weir@", "reader:sesame@"): "needs to create and write tables",
		"postgres://weir:sesame@" + free.Addr().String() + "/weir?sslmode=disable":              "cannot be reached",
		"postgres://weir:sesame@127.0.0.1/weir?sslrootcert=/nowhere/ca.pem&sslmode=verify-full": "a file that it names cannot be read",
		"postgres://weir:sesame@host.invalid/weir?sslmode=disable":                              "cannot be reached",
		at("weir@", "weir:sesame@") + "&default_transaction_read_only=on":                       "is read-only",
		"postgres://weir:sesame@localhost/weir?sslmode=nonsense":                                "not the URL",
	} {
		db, err := Open(t.Context(), Options{URL: secret.New(url), Pool: 2})
		if err == nil {
			t.Errorf("%s was opened: %v", url, db.Close())
			continue
		}
		if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "store") {
			t.Errorf("%s: got %q, want it to say %q", url, err, want)
		}
	}
}

// A statement that waits for a lock ends with its time, in the database too, and the next one goes through.
func TestAStatementEndsInTime(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	db, other := open(t, url), pool(t, url)
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("UPDATE keys_version SET version = version"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := db.InsertKey(ctx, auth.Key{ID: "000000000001", Name: "k", CreatedAt: time.Unix(1, 0)}); err == nil || !strings.Contains(err.Error(), "cannot write the store") {
		t.Errorf("got %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.InsertKey(t.Context(), auth.Key{ID: "000000000002", Name: "k", CreatedAt: time.Unix(1, 0)}); err != nil {
		t.Error(err)
	}
}

// The database knows how long each transaction may take. Nothing stays set for the one that has the connection next.
func TestLimitsAreThoseOfATransaction(t *testing.T) {
	t.Parallel()
	db := open(t, server.Database(t))
	const asked = `SELECT current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout'), current_setting('transaction_isolation')`
	var statement, idle, isolation string
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	err := tables.InTransaction(ctx, db.pool, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead}, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, asked).Scan(&statement, &idle, &isolation)
	})
	if err != nil || statement == "0" || statement != idle || isolation != "repeatable read" {
		t.Errorf("%q, %q, %q, %v", statement, idle, isolation, err)
	}
	if err := db.pool.QueryRowContext(t.Context(), asked).Scan(&statement, &idle, &isolation); err != nil || statement != "0" || idle != "0" || isolation != "read committed" {
		t.Errorf("afterwards %q, %q, %q, %v", statement, idle, isolation, err)
	}
	if n := count(t, db.pool, "SELECT count(*) FROM pg_prepared_statements"); n != 0 {
		t.Errorf("%d statements are prepared", n)
	}
}

func TestOldReleasesAreRefused(t *testing.T) {
	t.Parallel()
	for number, want := range map[int]bool{12_00_22: false, 9_06_24: false, 13_00_00: true, 17_00_02: true} {
		err := checkRelease(number, "PostgreSQL 12.22 on x86_64")
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "PostgreSQL 12.22") {
			t.Errorf("%d: %v", number, err)
		}
	}
}

func TestPlacesHaveNoUser(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"postgres://weir:sesame@db.example/weir":            "postgres://db.example:5432/weir",
		"postgres://weir@[::1]:6432/x?sslmode=require":      "postgres://[::1]:6432/x",
		"postgres://weir:sesame@/weir?host=/run/postgresql": "postgres:///weir?host=/run/postgresql",
	} {
		db, err := connect(Options{URL: secret.New(url), Pool: 2})
		if err != nil || db.text != want {
			t.Errorf("%s: %q, %v", url, db.text, err)
			continue
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A change that the database undoes for the sake of another is made again, three times in all.
func TestUndoneChangesAreMadeAgain(t *testing.T) {
	t.Parallel()
	for undoings, works := range map[int]bool{2: true, 3: false} {
		url := server.Database(t)
		db := open(t, url)
		edit(t, url, fmt.Sprintf(`
			CREATE SEQUENCE tried;
			CREATE FUNCTION undo() RETURNS TRIGGER AS $$
			BEGIN
				IF nextval('tried') <= %d THEN
					RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001';
				END IF;
				RETURN NEW;
			END;
			$$ LANGUAGE plpgsql;
			CREATE TRIGGER undo BEFORE INSERT ON keys FOR EACH ROW EXECUTE FUNCTION undo()`, undoings))
		made, err := db.InsertKey(t.Context(), auth.Key{ID: "000000000001", Name: "k", CreatedAt: time.Unix(1, 0)})
		if (err == nil) != works || works && made.Version == 0 || !works && !undone(err) {
			t.Errorf("undone %d times: %+v, %v", undoings, made, err)
		}
	}
}
