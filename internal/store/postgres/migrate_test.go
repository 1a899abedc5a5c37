package postgres

import (
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store"
)

// pool is connections to a database without Weir.
func pool(t *testing.T, url string) *sql.DB {
	t.Helper()
	pool, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return pool
}

func edit(t *testing.T, url, statement string) {
	t.Helper()
	if _, err := pool(t, url).Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, pool *sql.DB, query string) int {
	t.Helper()
	var n int
	if err := pool.QueryRow(query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A step that fails half way leaves neither its first statements nor a record. What the schema was serves on. Once mended, the step is taken.
func TestFailedStepLeavesNothing(t *testing.T) {
	t.Parallel()
	pool := pool(t, server.Database(t))
	good := store.Step{Name: "0001_good.sql", Text: "CREATE TABLE a (x BIGINT); INSERT INTO a VALUES (1);"}
	bad := store.Step{Name: "0002_bad.sql", Text: "CREATE TABLE b (x BIGINT); DELETE FROM a; INSERT INTO nowhere VALUES (1);"}
	_, err := migrate(t.Context(), pool, []store.Step{good, bad}, "1.0.0")
	if err == nil || !strings.Contains(err.Error(), "0002_bad.sql failed, and the schema is as it was before") {
		t.Fatalf("got %v", err)
	}
	if n := count(t, pool, "SELECT count(*) FROM information_schema.tables WHERE table_name = 'b'"); n != 0 {
		t.Error("half a step is left")
	}
	mended := store.Step{Name: "0002_bad.sql", Text: "CREATE TABLE b (x BIGINT);"}
	for range 2 { // the second run has no step left
		if _, err := migrate(t.Context(), pool, []store.Step{good, mended}, "1.0.1"); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, pool, "SELECT count(*) FROM weir_migrations WHERE program IN ('1.0.0', '1.0.1') AND applied_at > 1700000000000000"); n != 2 {
		t.Errorf("%d records", n)
	}
	if n := count(t, pool, "SELECT count(*) FROM a"); n != 1 {
		t.Errorf("the first step ran %d times", n)
	}
}

// Many replicas that start at the same time take each step once.
func TestReplicasThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			db, err := Open(t.Context(), Options{URL: secret.New(url), Pool: 2})
			if err != nil {
				t.Error(err)
				return
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := count(t, pool(t, url), "SELECT count(*) FROM weir_migrations"); n != len(migrations()) {
		t.Errorf("%d steps are recorded, of %d", n, len(migrations()))
	}
}

func TestStepsAreNumberedWithoutGaps(t *testing.T) {
	t.Parallel()
	for i, step := range migrations() {
		if !strings.HasPrefix(step.Name, fmt.Sprintf("%04d_", i+1)) {
			t.Errorf("step %d is called %q", i+1, step.Name)
		}
	}
}

// Replicas of the version before run on after a step, so a step only adds. One that takes something away says so by its name, and waits until they are
// gone. So does one that sums up what is there: what they write after it would be missing from the sums for good.
func TestStepsOnlyAdd(t *testing.T) {
	t.Parallel()
	const first = 14 // steps of the first release, which has no version before it
	taking := regexp.MustCompile(`(?i)\b(DROP|RENAME|TRUNCATE|ALTER\s+COLUMN|SET\s+NOT\s+NULL)\b`)
	summing := regexp.MustCompile(`(?i)\bINSERT\s+INTO\s+\w+\s+SELECT\b`)
	for i, step := range migrations() {
		if i >= first && summing.MatchString(step.Text) && !step.Contracts() {
			t.Errorf("%s sums up rows that replicas of the version before go on to write: call it %s, and read its table only once it was taken", step.Name, strings.Replace(step.Name, ".sql", ".contract.sql", 1))
		}
		if found := taking.FindString(step.Text); found != "" && !step.Contracts() {
			t.Errorf("%s has %s: replicas of the version before would fail; call it %s", step.Name, found, strings.Replace(step.Name, ".sql", ".contract.sql", 1))
		}
	}
}

func TestSchemasOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	for change, want := range map[string]string{
		`DROP TABLE weir_migrations; DROP TABLE weir_migrating`:                                                                     "another program",
		`INSERT INTO weir_migrations (number, name, checksum, program, applied_at) VALUES (99, '0099_future.sql', 'x', '7.3.1', 0)`: "a newer Weir (7.3.1) has changed its schema up to step 99 (0099_future.sql), and this Weir (dev) knows " + fmt.Sprint(len(migrations())) + " steps",
		`UPDATE weir_migrations SET checksum = 'x' WHERE number = 1`:                                                                "step 1 (0001_keys.sql), which Weir dev took, is not that of this program (dev)",
		`DELETE FROM weir_migrations WHERE number = 1`:                                                                              "half migrated: it lacks schema step 1 and has step 2 (0002_model_lists.sql), which Weir dev took,",
	} {
		url := server.Database(t)
		if err := open(t, url).Close(); err != nil {
			t.Fatal(err)
		}
		edit(t, url, change)
		db, err := Open(t.Context(), Options{URL: secret.New(url), Pool: 2})
		if err == nil {
			t.Errorf("%s: it was opened, %v", change, db.Close())
			continue
		}
		if _, other := Inspect(t.Context(), Options{URL: secret.New(url), Pool: 2}); other == nil || !strings.Contains(other.Error(), want) {
			t.Errorf("inspecting says %v, want it to say %q", other, want)
		}
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "cannot open the store postgres://127.0.0.1:") {
			t.Errorf("got %q, want it to say %q", err, want)
		}
	}
}

// Looking at a store makes and changes nothing.
func TestInspect(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	at := Options{URL: secret.New(url), Pool: 2}
	known := len(migrations())
	if got, err := Inspect(t.Context(), at); err != nil || got != (store.Schema{Applied: 0, Known: known, Needed: known}) {
		t.Errorf("an empty database: %v, %v", got, err)
	}
	if n := count(t, pool(t, url), "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()"); n != 0 {
		t.Errorf("there are %d tables", n)
	}
	open(t, url)
	if got, err := Inspect(t.Context(), at); err != nil || got != (store.Schema{Applied: known, Known: known, Needed: known}) {
		t.Errorf("in use: %v, %v", got, err)
	}
}

// A database that undoes a transaction for the sake of another gets it once more.
func TestUndoneTransactionsAreKnown(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"40001": true, "40P01": true, "23505": false, "57014": false} {
		if got := undone(fmt.Errorf("a step: %w", &pgconn.PgError{Code: code})); got != want {
			t.Errorf("%s: %v", code, got)
		}
	}
	if undone(errors.New("40001")) {
		t.Error("an error of another kind was taken for it")
	}
}
