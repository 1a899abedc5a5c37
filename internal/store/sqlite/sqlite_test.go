package sqlite_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/store/sqlite"
	"github.com/weirproxy/weir/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path)
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

func file(t *testing.T) string { return filepath.Join(t.TempDir(), "weir.db") }

func TestTheLawOfStores(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) func() storetest.Store {
		path := file(t)
		return func() storetest.Store { return open(t, path) }
	})
}

func TestFilesAreForTheOwnerOnly(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "data dir?x#y%20")
	db := open(t, filepath.Join(folder, "weir.db"))
	if err := db.SaveModelList(t.Context(), store.ModelList{Provider: "p", JSON: []byte("[]"), FetchedAt: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	wantMode(t, folder, 0o700)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
		wantMode(t, filepath.Join(folder, entry.Name()), 0o600)
	}
	if diff := cmp.Diff([]string{"weir.db", "weir.db-shm", "weir.db-wal"}, names); diff != "" {
		t.Error(diff)
	}
}

func wantMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != want {
		t.Errorf("%s: mode %v, want %v (%v)", path, info.Mode().Perm(), want, err)
	}
}

// What was acknowledged is in the files, even if the process never closes them: the test takes the files
// as a crash would leave them.
func TestKeysSurviveACrash(t *testing.T) {
	t.Parallel()
	path := file(t)
	db := open(t, path)
	keys := newKeys(t, db)
	kept, text := create(t, keys, "kept")
	if _, err := keys.Revoke(t.Context(), create1(t, keys, "gone").ID, false); err != nil {
		t.Fatal(err)
	}
	crashed := file(t)
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(crashed+suffix, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	after := newKeys(t, open(t, crashed))
	if p, err := after.Authenticate(text); err != nil || p.KeyID != kept.ID {
		t.Errorf("%v, %v", p, err)
	}
	if gone, err := after.Show("gone"); err != nil || gone.RevokedAt.IsZero() {
		t.Errorf("%v, %v", gone, err)
	}
}

func newKeys(t *testing.T, db *sqlite.DB) *auth.Keys {
	t.Helper()
	keys, err := auth.NewKeys(t.Context(), db, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func create(t *testing.T, keys *auth.Keys, name string) (auth.Key, string) {
	t.Helper()
	key, text, err := keys.Create(t.Context(), auth.Draft{Name: name, Models: []string{"fast"}})
	if err != nil {
		t.Fatal(err)
	}
	return key, text.Reveal()
}

func create1(t *testing.T, keys *auth.Keys, name string) auth.Key {
	t.Helper()
	key, _ := create(t, keys, name)
	return key
}

// A key is planted, rotated and revoked; then every byte on disk is searched for it in any usual spelling.
func TestNoKeyIsKeptInClear(t *testing.T) {
	t.Parallel()
	path := file(t)
	db := open(t, path)
	keys := newKeys(t, db)
	_, first := create(t, keys, "canary")
	_, rotated, err := keys.Rotate(t.Context(), "canary", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	_, revoked := create(t, keys, "revoked")
	if _, err := keys.Revoke(t.Context(), "revoked", true); err != nil {
		t.Fatal(err)
	}
	texts := []string{first, rotated.Reveal(), revoked}
	search := func(when string) {
		t.Helper()
		disk := everything(t, filepath.Dir(path))
		if digest := auth.DigestOf(first); !bytes.Contains(disk, digest[:]) || !bytes.Contains(disk, []byte("canary")) {
			t.Errorf("%s: the search looks in the wrong place", when)
		}
		for _, text := range texts {
			secret := text[21:64]
			for _, spelling := range []string{
				secret, secret[:20], secret[len(secret)-20:], hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret))),
				base64.StdEncoding.EncodeToString([]byte(text))[:24], base64.RawURLEncoding.EncodeToString([]byte(secret))[:24],
			} {
				if bytes.Contains(disk, []byte(spelling)) {
					t.Errorf("%s: a key is on disk as %q", when, spelling)
				}
			}
		}
	}
	search("while running")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	search("after closing")
}

func everything(t *testing.T, folder string) []byte {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, content...)
	}
	return all
}

func TestOpenErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	write := func(content string) string {
		path := file(t)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreign := file(t)
	edit(t, foreign, `CREATE TABLE somebody_elses (x)`)
	newer := migrated(t)
	edit(t, newer, `INSERT INTO weir_migrations (number, name, checksum, applied_at) VALUES (99, '0099_future.sql', 'x', 0)`)
	altered := migrated(t)
	edit(t, altered, `UPDATE weir_migrations SET checksum = 'x' WHERE number = 1`)
	gap := migrated(t)
	edit(t, gap, `DELETE FROM weir_migrations WHERE number = 1`)

	for path, want := range map[string]string{
		write(strings.Repeat("this is a text file\n", 100)): "no SQLite database",
		filepath.Join(write("x"), "weir.db"):                "cannot create the store",
		t.TempDir():                                         "cannot open the store",
		foreign:                                             "another program",
		newer:                                               "a newer Weir has changed its schema up to step 99 (0099_future.sql), and this Weir (dev) knows",
		altered:                                             "step 1 (0001_keys.sql) is not that of this program (dev)",
		gap:                                                 "half migrated: it lacks schema step 1 and has step 2 (0002_model_lists.sql)",
	} {
		db, err := sqlite.Open(t.Context(), path)
		if err == nil {
			t.Errorf("%s was opened: %v", path, db.Close())
			continue
		}
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) && !strings.Contains(err.Error(), filepath.Dir(path)) {
			t.Errorf("got %q, want it to say %q", err, want)
		}
	}
}

func migrated(t *testing.T) string {
	t.Helper()
	path := file(t)
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// edit runs a statement without Weir.
func edit(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestErrorsAfterCloseAndCancelNameTheFile(t *testing.T) {
	t.Parallel()
	path := file(t)
	db := open(t, path)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	check := func(ctx context.Context) {
		t.Helper()
		_, list := db.ChangesSince(ctx, 0, nil, func(auth.Key) {})
		_, update := db.UpdateKey(ctx, "x", func(*auth.Key) error { return nil })
		_, insert := db.InsertKey(ctx, auth.Key{ID: "x"})
		_, lists := db.ModelLists(ctx)
		for i, err := range []error{list, update, lists, insert, db.SaveModelList(ctx, store.ModelList{})} {
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%d: %v", i, err)
			}
		}
	}
	check(canceled)
	if _, err := db.InsertKey(t.Context(), auth.Key{ID: "1", Name: "k", CreatedAt: time.Unix(1, 0)}); err != nil {
		t.Errorf("a cancelled call holds up the next: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	check(t.Context())
}

// The service over the real store, with a restart in between.
func TestServiceOverSQLite(t *testing.T) {
	t.Parallel()
	path := file(t)
	keys := newKeys(t, open(t, path))
	const hostile = `';DROP/**/TABLE/**/keys;--`
	created, text := create(t, keys, hostile)
	if _, _, err := keys.Create(t.Context(), auth.Draft{Name: hostile}); err == nil {
		t.Error("a name was given twice")
	}
	for i := range 20 {
		create(t, keys, fmt.Sprint("k", i))
	}
	_, second, err := keys.Rotate(t.Context(), hostile, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	again := newKeys(t, open(t, path))
	for _, presented := range []string{text, second.Reveal()} {
		if p, err := again.Authenticate(presented); err != nil || p.KeyID != created.ID || p.KeyName != hostile {
			t.Errorf("%v, %v", p, err)
		}
	}
	before, errBefore := keys.List("", 100)
	after, errAfter := again.List("", 100)
	if diff := cmp.Diff(before, after); errBefore != nil || errAfter != nil || diff != "" {
		t.Errorf("%v %v %s", errBefore, errAfter, diff)
	}
}
