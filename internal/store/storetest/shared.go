package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
)

// sharedTests open a store several times, as processes do that share it.
var sharedTests = map[string]func(*testing.T, func() Store){
	"others see a change":              othersSeeAChange,
	"only what changed is read":        onlyWhatChangedIsRead,
	"a refused change is no change":    aRefusedChangeIsNoChange,
	"a version that was never reached": aVersionThatWasNeverReached,
	"names are unique for all":         namesAreUniqueForAll,
	"no change is missed":              noChangeIsMissed,
	"what was written is there later":  whatWasWrittenIsThereLater,
}

// wantChanges fails unless the keys that changed since a version are these, and returns the version now.
func wantChanges(t *testing.T, s auth.Store, since auth.Version, want ...auth.Key) auth.Version {
	t.Helper()
	got, now := keysSince(t, s, since)
	if diff := cmp.Diff(want, got, asGiven); diff != "" {
		t.Fatalf("since %d other keys have changed (-want +got):\n%s", since, diff)
	}
	for _, key := range got {
		if key.Version <= since || key.Version > now {
			t.Fatalf("a key that changed between %d and %d has the version %d", since, now, key.Version)
		}
	}
	return now
}

func othersSeeAChange(t *testing.T, open func() Store) {
	here, there := open(), open()
	start := wantChanges(t, there, 0)
	key := sample("000000000001", "k")
	insert(t, here, key)
	made := wantChanges(t, there, start, key)
	if made <= start {
		t.Errorf("a new key left the version at %d", made)
	}
	key.RevokedAt, key.Cut = at(3), true
	changed, err := here.UpdateKey(t.Context(), key.ID, func(k *auth.Key) error { k.RevokedAt, k.Cut = key.RevokedAt, true; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if now := wantChanges(t, there, made, key); now <= made || changed.Version != now {
		t.Errorf("versions %d, then %d; the key has %d", made, now, changed.Version)
	}
}

func onlyWhatChangedIsRead(t *testing.T, open func() Store) {
	s := open()
	one, two := sample("000000000001", "one"), sample("000000000002", "two")
	insert(t, s, one, two)
	all := wantChanges(t, s, 0, one, two)
	for range 3 { // several changes of a key are one
		if _, err := s.UpdateKey(t.Context(), two.ID, func(k *auth.Key) error { k.Models = append(k.Models, "m"); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	two.Models = []string{"m", "m", "m"}
	now := wantChanges(t, s, all, two)
	if again := wantChanges(t, s, now); again != now {
		t.Errorf("without a change the version went from %d to %d", now, again)
	}
}

func aRefusedChangeIsNoChange(t *testing.T, open func() Store) {
	s := open()
	key := sample("000000000001", "k")
	insert(t, s, key)
	before := wantChanges(t, s, 0, key)
	if _, err := s.UpdateKey(t.Context(), key.ID, func(*auth.Key) error { return errors.New("no") }); err == nil {
		t.Error("no error")
	}
	if _, err := s.InsertKey(t.Context(), sample("000000000002", "k")); !errors.Is(err, auth.ErrNameTaken) {
		t.Error(err)
	}
	if after := wantChanges(t, s, before); after != before {
		t.Errorf("the version went from %d to %d", before, after)
	}
}

// A process that followed a store learns when the store was replaced by a backup of it.
func aVersionThatWasNeverReached(t *testing.T, open func() Store) {
	s := open()
	insert(t, s, sample("000000000001", "k"))
	_, now := keysSince(t, s, 0)
	if got := wantChanges(t, s, now+10); got != now {
		t.Errorf("the version is %d, want %d", got, now)
	}
}

func namesAreUniqueForAll(t *testing.T, open func() Store) {
	here, there := open(), open()
	insert(t, here, sample("000000000001", "k"))
	if _, err := there.InsertKey(t.Context(), sample("000000000002", "k")); !errors.Is(err, auth.ErrNameTaken) {
		t.Errorf("got %v, want ErrNameTaken", err)
	}
	wantKeys(t, there, sample("000000000001", "k"))
}

// A reader that goes from version to version, while several writers are at work, has seen every change in the end.
func noChangeIsMissed(t *testing.T, open func() Store) {
	const writers, keys = 3, 8
	reader := open()
	var group sync.WaitGroup
	ctx := context.WithoutCancel(t.Context())
	for w := range writers {
		s := open()
		group.Go(func() {
			for i := range keys {
				key := sample(fmt.Sprintf("%06d%06d", w, i), fmt.Sprintf("%d-%d", w, i))
				if _, err := s.InsertKey(ctx, key); err != nil {
					t.Error(err)
				}
				if _, err := s.UpdateKey(ctx, key.ID, func(k *auth.Key) error { k.RevokedAt = at(w); return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	seen, since := map[string]auth.Key{}, auth.Version(0)
	for last := false; !last; {
		select {
		case <-done:
			last = true
		default:
		}
		changed, now := keysSince(t, reader, since)
		for _, key := range changed {
			if key.Version <= seen[key.ID].Version {
				t.Errorf("key %s came with version %d after %d", key.ID, key.Version, seen[key.ID].Version)
			}
			seen[key.ID] = key
		}
		since = now
	}
	for id, key := range seen {
		if key.RevokedAt.IsZero() {
			t.Errorf("the revocation of %s was missed", id)
		}
	}
	if len(seen) != writers*keys {
		t.Errorf("%d keys of %d were seen", len(seen), writers*keys)
	}
}

func whatWasWrittenIsThereLater(t *testing.T, open func() Store) {
	s := open()
	key := sample("000000000001", "k")
	key.Models = []string{"a", "b*"}
	insert(t, s, key)
	version := wantChanges(t, s, 0, key)
	if later := wantChanges(t, open(), 0, key); later != version {
		t.Errorf("the version is %d later, and was %d", later, version)
	}
}
