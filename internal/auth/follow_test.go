package auth_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/store/storetest"
)

const followEvery = 250 * time.Millisecond

// pair is two processes that share a store, in simulated time. The second follows; its log is what it wrote.
type pair struct {
	*room
	other *auth.Keys
	log   bytes.Buffer
}

func inPair(t *testing.T, f func(t *testing.T, p *pair)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pair{room: newRoom(t)}
		p.other = p.reopen(t)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.other.Follow(ctx, followEvery, slog.New(slog.NewTextHandler(&p.log, nil)))
		}()
		f(t, p)
		stop()
		<-done
	})
}

// turn lets the other process look at the store once more.
func (p *pair) turn() {
	time.Sleep(followEvery)
	synctest.Wait()
}

// A name that another process took a moment ago is refused, and the refusal says which name it is.
func TestANameThatAnotherProcessTook(t *testing.T) {
	t.Parallel()
	inPair(t, func(t *testing.T, p *pair) {
		p.create(t, auth.Draft{Name: "k"})
		if _, _, err := p.other.Create(t.Context(), auth.Draft{Name: "k"}); err == nil || !strings.Contains(err.Error(), `"k"`) {
			t.Errorf("a key of the same name: %v", err)
		}
		if _, err := p.CreateTeam(t.Context(), auth.TeamDraft{Name: "t"}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.other.CreateTeam(t.Context(), auth.TeamDraft{Name: "t"}); err == nil || !strings.Contains(err.Error(), `"t"`) {
			t.Errorf("a team of the same name: %v", err)
		}
	})
}

// Whatever one process does to a key holds in the other a quarter of a second later.
func TestAnotherProcessFollows(t *testing.T) {
	t.Parallel()
	inPair(t, func(t *testing.T, p *pair) {
		key, text := p.create(t, auth.Draft{Name: "k", Models: []string{"a"}})
		wantRefused(t, p.other, text)
		p.turn()
		if wantPrincipal(t, p.other, text, key.ID).Allows("b") {
			t.Error("the key's models are not followed")
		}
		_, second, err := p.Rotate(t.Context(), "k", 0)
		if err != nil {
			t.Fatal(err)
		}
		name := "renamed"
		if _, err := p.Update(t.Context(), "k", auth.Change{Name: &name, Models: new([]string)}); err != nil {
			t.Fatal(err)
		}
		p.turn()
		wantRefused(t, p.other, text)
		if who := wantPrincipal(t, p.other, second.Reveal(), key.ID); who.KeyName != name || !who.Allows("b") {
			t.Errorf("%+v", who)
		}
		if _, err := p.Revoke(t.Context(), name, false); err != nil {
			t.Fatal(err)
		}
		p.turn()
		wantRefused(t, p.other, second.Reveal())
		_, err = p.other.Show("k")
		wantKind(t, err, llm.NotFound)
		if shown, err := p.other.Show(name); err != nil || shown.Status(p.clock.now()) != auth.Revoked {
			t.Errorf("%+v, %v", shown, err)
		}
		if p.log.Len() > 0 {
			t.Errorf("the log: %s", &p.log)
		}
	})
}

// A key that is revoked with its running requests ends those of the other process too; also if it was revoked before without them.
func TestACutReachesAnotherProcess(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{true, false} {
		inPair(t, func(t *testing.T, p *pair) {
			key, text := p.create(t, auth.Draft{Name: "k"})
			p.turn()
			cut := make(cutRequest)
			wantPrincipal(t, p.other, text, key.ID).Enter(cut)
			if !first {
				if _, err := p.Revoke(t.Context(), "k", false); err != nil {
					t.Fatal(err)
				}
				p.turn()
				if wantRefused(t, p.other, text); cut.isCut() {
					t.Error("a revocation without --now cut a request")
				}
			}
			if shown, err := p.Revoke(t.Context(), "k", true); err != nil || shown.Unsaved != nil || !shown.Cut {
				t.Errorf("%+v, %v", shown, err)
			}
			p.turn()
			if !cut.isCut() {
				t.Error("the request goes on")
			}
		})
	}
}

// late is a store that does something after it has read the keys and before it gives them.
type late struct {
	*storetest.Memory
	between func()
}

func (l *late) ChangesSince(ctx context.Context, since auth.Version, team func(auth.Team), each func(auth.Key)) (auth.Version, error) {
	var keys []auth.Key
	version, err := l.Memory.ChangesSince(ctx, since, team, func(key auth.Key) { keys = append(keys, key) })
	l.between()
	for _, key := range keys {
		each(key)
	}
	return version, err
}

// A process rotates a key while it reads an earlier change of the same key. What it read does not undo what it wrote: the secret that it
// has just handed out works, and the one before does not.
func TestWhatIsReadDoesNotUndoWhatWasWritten(t *testing.T) {
	t.Parallel()
	store := &late{&storetest.Memory{}, func() {}}
	k, err := auth.NewKeys(t.Context(), store, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, first, err := k.Create(t.Context(), auth.Draft{Name: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.UpdateKey(t.Context(), key.ID, func(key *auth.Key) error { key.Explain = true; return nil }); err != nil {
		t.Fatal(err)
	}
	var second string
	store.between = func() {
		_, text, err := k.Rotate(t.Context(), "k", 0)
		if err != nil {
			t.Error(err)
		}
		second = text.Reveal()
	}
	if err := k.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, k, first.Reveal())
	if !wantPrincipal(t, k, second, key.ID).Explain {
		t.Error("the other process's change is lost")
	}
	store.between = func() {}
	if err := k.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantPrincipal(t, k, second, key.ID)
}

// While the store cannot be read the keys that are known go on working; the log says so once, and that it is over. A revocation that
// the process could not save holds, whatever others do to the key.
func TestFollowingWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	inPair(t, func(t *testing.T, p *pair) {
		key, text := p.create(t, auth.Draft{Name: "k"})
		_, leaked := p.create(t, auth.Draft{Name: "leaked"})
		p.turn()
		p.store.Fail(errDisk)
		if shown, err := p.other.Revoke(t.Context(), "leaked", false); err != nil || shown.Unsaved == nil {
			t.Errorf("%+v, %v", shown, err)
		}
		p.turn()
		p.turn()
		if text := p.log.String(); strings.Count(text, "level=ERROR") != 1 || !strings.Contains(text, errDisk.Error()) {
			t.Errorf("the log: %s", text)
		}
		wantPrincipal(t, p.other, text, key.ID)
		p.store.Fail(nil)
		if _, err := p.Update(t.Context(), "leaked", auth.Change{Explain: new(true)}); err != nil {
			t.Fatal(err)
		}
		p.turn()
		if text := p.log.String(); !strings.Contains(text, "can be read again") {
			t.Errorf("the log: %s", text)
		}
		wantRefused(t, p.other, leaked)
		if err := p.other.SaveRevocations(t.Context()); err != nil {
			t.Error(err)
		}
		if err := p.CatchUp(t.Context()); err != nil {
			t.Error(err)
		}
		wantRefused(t, p.Keys, leaked)
	})
}

// A store that is replaced by a backup is taken as it is. Keys younger than the backup are refused, later changes are undone, and
// new changes are followed.
func TestARestoredStoreIsFollowed(t *testing.T) {
	t.Parallel()
	inPair(t, func(t *testing.T, p *pair) {
		old, oldText := p.create(t, auth.Draft{Name: "old"})
		backup := p.store.Copy()
		_, newText := p.create(t, auth.Draft{Name: "new"})
		if _, err := p.Update(t.Context(), "old", auth.Change{Models: &[]string{"less"}}); err != nil {
			t.Fatal(err)
		}
		p.turn()
		p.store.Restore(backup)
		p.turn()
		wantRefused(t, p.other, newText)
		if !wantPrincipal(t, p.other, oldText, old.ID).Allows("more") {
			t.Error("the change after the backup still holds")
		}
		if err := p.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		again, text := p.create(t, auth.Draft{Name: "new"})
		p.turn()
		wantPrincipal(t, p.other, text, again.ID)
		if _, err := p.Revoke(t.Context(), "old", false); err != nil {
			t.Fatal(err)
		}
		p.turn()
		wantRefused(t, p.other, oldText)
	})
}

// A store that is replaced while a change hangs is taken as it is once the change is over. Until then each look at it fails.
func TestARestoredStoreWaitsForAChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hung := &hanging{Memory: &storetest.Memory{}, entered: make(chan struct{}), release: make(chan struct{})}
		k, err := auth.NewKeys(t.Context(), hung, time.Now, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := k.Create(t.Context(), auth.Draft{Name: "old"}); err != nil {
			t.Fatal(err)
		}
		backup := hung.Copy()
		_, text, err := k.Create(t.Context(), auth.Draft{Name: "new"})
		if err != nil {
			t.Fatal(err)
		}
		hung.Restore(backup)
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = k.Update(t.Context(), "new", auth.Change{Explain: new(true)}) })
		<-hung.entered
		if err := k.CatchUp(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a look at the store while a change hangs: %v", err)
		}
		close(hung.release)
		wg.Wait()
		if err := k.CatchUp(t.Context()); err != nil {
			t.Error(err)
		}
		wantRefused(t, k, text.Reveal())
	})
}

// A read of the store ends when its time is over. A read that the end of the process interrupts is not logged.
func TestFollowingEnds(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var log bytes.Buffer
	r.store.Fail(errors.New("closed"))
	r.Follow(ctx, time.Nanosecond, slog.New(slog.NewTextHandler(&log, nil)))
	if log.Len() > 0 {
		t.Errorf("the log: %s", &log)
	}
}
