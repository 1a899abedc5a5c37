package auth_test

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

// Keys of the store go on for so long while it cannot be read, and are let in again as soon as it can be. Keys of the config file are never stale, and what is
// unknown is no key.
func TestKeysOfAStoreThatIsAway(t *testing.T) {
	t.Parallel()
	inPair(t, func(t *testing.T, p *pair) {
		key, text := p.create(t, auth.Draft{Name: "k"})
		if err := p.other.SetFile(auth.File{Keys: []auth.Key{{Name: "file", Digest: auth.DigestOf("of-the-file")}}}); err != nil {
			t.Fatal(err)
		}
		log := slog.New(slog.NewTextHandler(&p.log, nil))
		p.other.StaleAfter(time.Hour, log)
		p.turn()
		time.Sleep(3 * time.Hour)
		wantPrincipal(t, p.other, text, key.ID)

		p.store.Fail(errors.New("away"))
		time.Sleep(59 * time.Minute)
		wantPrincipal(t, p.other, text, key.ID)
		stale := func(when string) {
			t.Helper()
			if _, err := p.other.Authenticate(text); err == nil || err.Kind != llm.KeysUnavailable || err.RetryAfter == 0 {
				t.Errorf("%s: %v", when, err)
			}
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		stale("after an hour")
		wantPrincipal(t, p.other, "of-the-file", "cfg-file")
		wantRefused(t, p.other, "sk-unknown")
		p.other.StaleAfter(2*time.Hour, log)
		wantPrincipal(t, p.other, text, key.ID)
		p.other.StaleAfter(30*time.Minute, log)
		stale("when an hour is too long")
		p.store.Fail(nil)
		p.turn()
		wantPrincipal(t, p.other, text, key.ID)
		if n := strings.Count(p.log.String(), "has not been read for too long"); n != 2 {
			t.Errorf("it was said %d times:\n%s", n, &p.log)
		}
	})
}

// saved is a snapshot.
type saved struct {
	version auth.Version
	known   time.Time
	teams   []auth.Team
	keys    []auth.Key
}

func (s *saved) Load(team func(auth.Team), key func(auth.Key)) (auth.Version, time.Time, error) {
	for _, t := range s.teams {
		team(t)
	}
	for _, k := range s.keys {
		key(k)
	}
	return s.version, s.known, nil
}

// What is restored from a snapshot is what the store had: a revocation that the store does not have is not there, so that it is saved later. What has changed since takes
// effect when the store can be read. The time for stale keys begins when the store was read.
func TestKeysAreRestored(t *testing.T) {
	t.Parallel()
	r := newRoom(t, auth.Key{Name: "file", Digest: auth.DigestOf("of-the-file")})
	kept, text := r.create(t, auth.Draft{Name: "kept"})
	revoked, old := r.create(t, auth.Draft{Name: "revoked"})
	if _, err := r.CreateTeam(t.Context(), auth.TeamDraft{Name: "team"}); err != nil {
		t.Fatal(err)
	}
	if err := r.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	var s saved
	s.version, s.known = r.Known()
	r.store.Fail(errors.New("away"))
	if key, err := r.Revoke(t.Context(), "revoked", false); err != nil || key.Unsaved == nil {
		t.Fatal(key, err)
	}
	s.teams, s.keys = slices.Collect(r.StoredTeams()), slices.Collect(r.StoredKeys())
	if len(s.teams) != 1 || len(s.keys) != 2 || s.version != 3 {
		t.Fatalf("%+v", s)
	}
	r.store.Fail(nil)
	if err := r.SaveRevocations(t.Context()); err != nil {
		t.Fatal(err)
	}

	restored, err := auth.Restore(r.store, &s, r.clock.now, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantPrincipal(t, restored, text, kept.ID)
	wantPrincipal(t, restored, old, revoked.ID)
	if err := restored.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantPrincipal(t, restored, text, kept.ID)
	wantRefused(t, restored, old)

	s.known = time.Now().Add(-2 * time.Hour)
	if restored, err = auth.Restore(r.store, &s, r.clock.now, nil); err != nil {
		t.Fatal(err)
	}
	restored.StaleAfter(time.Hour, slog.New(slog.DiscardHandler))
	if _, err := restored.Authenticate(text); err == nil || err.Kind != llm.KeysUnavailable {
		t.Errorf("after two hours: %v", err)
	}
}

// A snapshot that was written under a clock that was ahead does not make keys last longer: they are known from the start on at the latest.
func TestASnapshotFromTheFuture(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(t)
		key, text := r.create(t, auth.Draft{Name: "k"})
		s := saved{known: time.Now().Add(365 * 24 * time.Hour), keys: slices.Collect(r.StoredKeys())}
		restored, err := auth.Restore(r.store, &s, r.clock.now, nil)
		if err != nil {
			t.Fatal(err)
		}
		restored.StaleAfter(time.Hour, slog.New(slog.DiscardHandler))
		wantPrincipal(t, restored, text, key.ID)
		if _, known := restored.Known(); known.After(time.Now()) {
			t.Errorf("the next snapshot would be of %v", known)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if _, err := restored.Authenticate(text); err == nil || err.Kind != llm.KeysUnavailable {
			t.Errorf("after an hour: %v", err)
		}
	})
}
