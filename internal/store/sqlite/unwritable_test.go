package sqlite

import (
	"crypto/rand"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
)

// A database that cannot be written at all keeps no key alive: SQLite refuses every write here, as on a disk that was remounted
// read-only.
func TestRevocationInAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "weir.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	keys, err := auth.NewKeys(t.Context(), db, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, text, err := keys.Create(t.Context(), auth.Draft{Name: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.writer.ExecContext(t.Context(), "PRAGMA query_only = on"); err != nil {
		t.Fatal(err)
	}
	key, err := keys.Revoke(t.Context(), "k", false)
	if err != nil || key.Unsaved == nil || key.Unsaved.Marked || !strings.Contains(key.Unsaved.Cause.Error(), "needs to write") {
		t.Errorf("%+v, %v", key, err)
	}
	if _, err := keys.Authenticate(text.Reveal()); err == nil {
		t.Error("the key works")
	}
	if _, err := db.writer.ExecContext(t.Context(), "PRAGMA query_only = off"); err != nil {
		t.Fatal(err)
	}
	if err := keys.SaveRevocations(t.Context()); err != nil {
		t.Error(err)
	}
	var stored auth.Key
	if _, err := db.ChangesSince(t.Context(), 0, nil, func(key auth.Key) { stored = key }); err != nil || stored.RevokedAt.IsZero() {
		t.Errorf("%+v, %v", stored, err)
	}
}
