package main

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// Revoking a key while the disk is full says that the key is refused, that this is not stored, and why. The list shows it too.
func TestRevokingWhileTheStoreCannotBeWritten(t *testing.T) {
	s := newAdminServer(t)
	text := oneKey(t, s.weir("keys", "create", "--name", "leaked").stdout)
	s.store.Fail(errors.New("cannot write the store /x/weir.db (the disk is full)"))
	did := s.weir("keys", "revoke", "leaked", "--now")
	if did.code != 0 || !strings.Contains(did.stdout, "revoked, not saved") || s.works(text) ||
		!strings.Contains(did.stderr, "is revoked") || !strings.Contains(did.stderr, "(the disk is full)") || !strings.Contains(did.stderr, "works again if Weir ends") {
		t.Errorf("%+v", did)
	}
	did = s.weir("keys", "list")
	if !strings.Contains(did.stdout, "revoked, not saved") || !strings.Contains(did.stderr, "(the disk is full)") {
		t.Errorf("%+v", did)
	}
	rows, err := csv.NewReader(strings.NewReader(s.ok("keys", "list", "--format", "csv"))).ReadAll()
	if last := len(rows[0]) - 1; err != nil || rows[0][last] != "unsaved" || !strings.Contains(rows[2][last], "disk is full") {
		t.Errorf("%v, %v", rows, err)
	}
	if key := s.show("leaked"); key.Unsaved == nil || key.Unsaved.SurvivesRestart {
		t.Errorf("%+v", key)
	}
	for _, args := range [][]string{{"rotate", "ci2"}, {"create", "--name", "new"}} {
		if did := s.weir(append([]string{"keys"}, args...)...); did.code == 0 || args[0] == "create" && !strings.Contains(did.stderr, "Nothing was changed: cannot write the store") {
			t.Errorf("%v: %+v", args, did)
		}
	}
	s.store.Fail(nil)
	if did := s.weir("keys", "revoke", "leaked"); did.code != 0 || did.stderr != "" || strings.Contains(did.stdout, "not saved") {
		t.Errorf("%+v", did)
	}
}

// The whole program runs while another process has locked its database. The key is refused at once, and weir keys list, weir
// doctor and a metric show it. It is refused after a kill and a start, and stored once the lock is gone.
func TestRevocationOutlivesALockedStore(t *testing.T) {
	folder := t.TempDir()
	env := environment(folder)
	writeTest(t, filepath.Join(folder, "weir.yaml"), "providers: {s: {kind: sim}}\nmodels: {m: {targets: [s/chat]}}\n")
	s := start(t, env, "--config", filepath.Join(folder, "weir.yaml")).ready()
	env["WEIR_ADMIN"] = s.admin
	weir := func(args ...string) outcome {
		return runIn(t, folder, env, "", append(args, "--config", "weir.yaml")...)
	}
	key := oneKey(t, weir("keys", "create", "--name", "leaked").stdout)
	id, _ := auth.ParseKey(key)

	unlock := lockStore(t, filepath.Join(folder, "data", "weir.db"), id)
	did := weir("keys", "revoke", "leaked")
	if did.code != 0 || !strings.Contains(did.stderr, "another process holds its lock") || !strings.Contains(did.stderr, "A restart refuses it as well") {
		t.Errorf("%+v", did)
	}
	if got := s.status(t, key); got != http.StatusUnauthorized {
		t.Errorf("a request was answered %d", got)
	}
	if did := weir("keys", "list"); !strings.Contains(did.stdout, "revoked, not saved") {
		t.Errorf("%+v", did)
	}
	if did := weir("doctor"); did.code != 1 || !strings.Contains(did.stdout, "the running Weir refuses keys that the store has as active: leaked (id "+id) {
		t.Errorf("%+v", did)
	}
	if text := body(t, s.admin+"/metrics"); !strings.Contains(text, "\nweir_revocations_unsaved 1\n") {
		t.Errorf("the metric: %.300s", text)
	}
	// the files that a killed process leaves
	copied := t.TempDir()
	if err := os.CopyFS(filepath.Join(copied, "data"), os.DirFS(filepath.Join(folder, "data"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(copied, "data", "admin.token"), 0o600); err != nil {
		t.Fatal(err)
	}
	unlock()
	eventually(t, "it is stored", func() bool { return strings.Contains(body(t, s.admin+"/metrics"), "\nweir_revocations_unsaved 0\n") })
	if did := weir("doctor"); did.code != 0 || !strings.Contains(did.stdout, "the store has every one") {
		t.Errorf("%+v", did)
	}

	again := environment(copied)
	if did := runIn(t, folder, again, "", "doctor", "--config", "weir.yaml"); !strings.Contains(did.stdout, "the store lacks those of "+id) {
		t.Errorf("%+v", did)
	}
	second := start(t, again, "--config", filepath.Join(folder, "weir.yaml")).ready()
	if got := second.status(t, key); got != http.StatusUnauthorized {
		t.Errorf("after a start a request was answered %d", got)
	}
	eventually(t, "it is stored", func() bool {
		return strings.Contains(body(t, second.admin+"/metrics"), "\nweir_revocations_unsaved 0\n")
	})
}

// lockStore holds the lock of the database until the returned function is called, as another program may.
func lockStore(t *testing.T, path, id string) (unlock func()) {
	t.Helper()
	other, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	locked, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_, _ = other.UpdateKey(context.Background(), id, func(*auth.Key) error {
			close(locked)
			select {
			case <-release:
			case <-time.After(2 * patience):
			}
			return errors.New("nothing is changed")
		})
		_ = other.Close()
	}()
	<-locked
	return func() {
		close(release)
		<-done
	}
}

// status is how a request with the key is answered.
func (s *serving) status(t *testing.T, key string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/v1/models", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// body is what is at a URL.
func body(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
