package auth_test

import (
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
)

// A store has a key if one of its own works now: none of the config file, none that has expired or was revoked.
func TestHasStored(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	want := func(when string, has bool) {
		t.Helper()
		if got := r.HasStored(); got != has {
			t.Errorf("%s: %v", when, got)
		}
	}
	want("empty", false)
	if err := r.SetFile(auth.File{Keys: []auth.Key{{Name: "in-file", Digest: auth.DigestOf("in-file")}}}); err != nil {
		t.Fatal(err)
	}
	want("a key of the config file", false)
	short, _ := r.create(t, auth.Draft{Name: "short", ExpiresAt: r.clock.now().Add(time.Hour)})
	want("a key that expires", true)
	r.clock.advance(time.Hour)
	want("a key that has expired", false)
	key, _ := r.create(t, auth.Draft{Name: "lasting"})
	want("a key that lasts", true)
	if _, err := r.Revoke(t.Context(), key.ID, false); err != nil {
		t.Fatal(err)
	}
	want("a key that was revoked, "+short.ID+" being expired", false)
}

// A name finds the living key, or else the one with that name that was revoked last. An id finds that key, whatever other keys are
// called.
func TestKeysAreFoundByNameAndID(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	var ids []string
	for range 3 {
		key, _ := r.create(t, auth.Draft{Name: "svc"})
		ids = append(ids, key.ID)
		if got, err := r.Show("svc"); err != nil || got.ID != key.ID {
			t.Errorf("the living one is %v, %v, want %s", got.ID, err, key.ID)
		}
		r.clock.advance(time.Minute)
		if _, err := r.Revoke(t.Context(), "svc", false); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := r.Show("svc"); err != nil || got.ID != ids[2] {
		t.Errorf("revoked last was %v, %v, want %s", got.ID, err, ids[2])
	}
	for _, id := range ids {
		if got, err := r.Show(id); err != nil || got.ID != id {
			t.Errorf("%s: %v, %v", id, got.ID, err)
		}
	}
}
