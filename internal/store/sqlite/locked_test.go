package sqlite_test

import (
	"crypto/rand"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store"
)

// Another process, such as a backup or sqlite3 in a shell, has locked the database. A key is revoked anyway, the error names the
// cause, a restart knows of it, and it is stored once the lock is gone. What would have changed is as it was.
func TestRevocationBesideALock(t *testing.T) {
	t.Parallel()
	path := file(t)
	db, other := open(t, path), open(t, path)
	journal := store.NewJournal(filepath.Join(t.TempDir(), "revocations"))
	keys, err := auth.NewKeys(t.Context(), db, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := keys.Resume(journal); err != nil {
		t.Fatal(err)
	}
	key, text, err := keys.Create(t.Context(), auth.Draft{Name: "k"})
	if err != nil {
		t.Fatal(err)
	}
	locked, unlock, unlocked := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(unlocked)
		_, _ = other.UpdateKey(t.Context(), key.ID, func(*auth.Key) error {
			close(locked)
			<-unlock
			return errors.New("nothing is changed")
		})
	}()
	<-locked
	revoked, err := keys.Revoke(t.Context(), "k", true)
	if err != nil || revoked.Unsaved == nil || !revoked.Unsaved.Marked || !strings.Contains(revoked.Unsaved.Cause.Error(), "another process holds its lock") {
		t.Errorf("%+v, %v", revoked, err)
	}
	if _, err := keys.Authenticate(text.Reveal()); err == nil {
		t.Error("the key works")
	}
	again, err := auth.NewKeys(t.Context(), db, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Resume(journal); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Authenticate(text.Reveal()); err == nil {
		t.Error("the key works after a restart")
	}
	close(unlock)
	<-unlocked
	if err := again.SaveRevocations(t.Context()); err != nil {
		t.Error(err)
	}
	var stored auth.Key
	if _, err := db.ChangesSince(t.Context(), 0, nil, func(key auth.Key) { stored = key }); err != nil || !stored.RevokedAt.Equal(revoked.RevokedAt) {
		t.Errorf("%+v, %v", stored, err)
	}
	if list, err := journal.Load(); err != nil || len(list) != 0 {
		t.Errorf("the journal has %v, %v", list, err)
	}
}
