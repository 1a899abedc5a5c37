package sqlite

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/stored"
)

func openPool(t *testing.T) *sql.DB {
	t.Helper()
	pool, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return pool
}

func count(t *testing.T, pool *sql.DB, query string) int {
	t.Helper()
	var n int
	if err := pool.QueryRow(query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A step that fails half way leaves neither its first statements nor a record. Once fixed, it runs.
func TestFailedStepLeavesNothing(t *testing.T) {
	t.Parallel()
	pool := openPool(t)
	good := store.Step{Name: "0001_good.sql", Text: "CREATE TABLE a (x); INSERT INTO a VALUES (1);"}
	bad := store.Step{Name: "0002_bad.sql", Text: "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1);"}
	err := migrate(t.Context(), pool, []store.Step{good, bad})
	if err == nil || !strings.Contains(err.Error(), "0002_bad.sql") {
		t.Fatalf("got %v", err)
	}
	if n := count(t, pool, "SELECT count(*) FROM sqlite_schema WHERE name = 'b'"); n != 0 {
		t.Error("half a step is left")
	}
	mended := store.Step{Name: "0002_bad.sql", Text: "CREATE TABLE b (x);"}
	for range 2 { // the second run has no step left
		if err := migrate(t.Context(), pool, []store.Step{good, mended}); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, pool, "SELECT count(*) FROM weir_migrations"); n != 2 {
		t.Errorf("%d records", n)
	}
	if n := count(t, pool, "SELECT count(*) FROM a"); n != 1 {
		t.Errorf("the first step ran %d times", n)
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

// Keys that an earlier Weir has stored are read and followed like those that come later.
func TestKeysOfAnEarlierSchemaAreFollowed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "weir.db")
	old := ofSchema(t, path, 3)
	digest := auth.DigestOf("x")
	if _, err := old.Exec("INSERT INTO keys (id, name, digest, models, created_at) VALUES ('abcdefghijkl', 'old', ?, '[]', 1)", digest[:]); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var names []string
	since := func(version auth.Version) auth.Version {
		t.Helper()
		names = nil
		now, err := db.ChangesSince(t.Context(), version, nil, func(key auth.Key) { names = append(names, key.Name) })
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	version := since(0)
	if len(names) != 1 || names[0] != "old" {
		t.Errorf("the store has %v", names)
	}
	if _, err := db.UpdateKey(t.Context(), "abcdefghijkl", func(key *auth.Key) error { key.Name = "new"; return nil }); err != nil {
		t.Fatal(err)
	}
	if since(version); len(names) != 1 || names[0] != "new" {
		t.Errorf("%v has changed", names)
	}
}

// ofSchema makes a store as a Weir had it that knew so many steps of the schema.
func ofSchema(t *testing.T, path string, steps int) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if err := migrate(t.Context(), db, migrations()[:steps]); err != nil {
		t.Fatal(err)
	}
	return db
}

// Responses that an earlier Weir has stored make room for later ones.
func TestResponsesOfAnEarlierSchemaAreCounted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "weir.db")
	old := ofSchema(t, path, 5)
	for _, id := range []string{"resp_a", "resp_b"} {
		if _, err := old.Exec("INSERT INTO responses (id, key_id, size, created_at, expires_at, sealed) VALUES (?, 'k', 6, 1, 100, x'010101010101')", id); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	r := stored.Row{ID: "resp_c", KeyID: "k", Sealed: []byte("123"), CreatedAt: time.UnixMicro(2), ExpiresAt: time.UnixMicro(100)}
	if saved, err := db.SaveResponse(t.Context(), r, stored.Bounds{Key: 10, Total: 100}); err != nil || !saved {
		t.Fatal(saved, err)
	}
	if n := count(t, db.readers, "SELECT count(*) FROM responses"); n != 2 {
		t.Errorf("%d are left", n)
	}
	if n := count(t, db.readers, "SELECT bytes FROM responses_of_keys"); n != 9 {
		t.Errorf("they count as %d bytes", n)
	}
	if err := db.DeleteOldResponses(t.Context(), time.UnixMicro(100)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db.readers, "SELECT count(*) FROM responses_of_keys"); n != 0 {
		t.Errorf("%d keys without responses are counted", n)
	}
}
