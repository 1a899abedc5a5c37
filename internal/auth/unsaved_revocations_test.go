package auth_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// notes is a journal in memory.
type notes struct {
	mu   sync.Mutex
	list []auth.Revocation
	fail error
}

func (n *notes) Load() ([]auth.Revocation, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.list), nil
}

func (n *notes) Save(list []auth.Revocation) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fail == nil {
		n.list = slices.Clone(list)
	}
	return n.fail
}

// torn is a journal of which a part cannot be read.
type torn struct{ notes }

func (n *torn) Load() ([]auth.Revocation, error) { return n.list, auth.ErrDamaged }

// What can be read of a damaged journal holds, and the damage is reported.
func TestADamagedJournal(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	key, text := r.create(t, auth.Draft{Name: "k"})
	if err := r.Resume(&torn{notes{list: []auth.Revocation{{ID: key.ID, At: r.clock.now()}}}}); !errors.Is(err, auth.ErrDamaged) {
		t.Errorf("the error is %v", err)
	}
	wantRefused(t, r.Keys, text)
}

// A key that is revoked again is as it was.
func TestRevokedAgain(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.create(t, auth.Draft{Name: "k"})
	first, err := r.Revoke(t.Context(), "k", false)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.Revoke(t.Context(), "k", false); err != nil || again.ID != first.ID || again.Version != first.Version {
		t.Errorf("%+v, %v, after %+v", again, err, first)
	}
}

var errDisk = errors.New("the disk is full")

// A key has leaked and the disk is full. The key is refused from the call on, its running requests are cut, and the
// answer says that this is not stored.
func TestRevocationHoldsWhileTheStoreCannotBeWritten(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	key, text := r.create(t, auth.Draft{Name: "leaked"})
	_, other := r.create(t, auth.Draft{Name: "other"})
	p := wantPrincipal(t, r.Keys, text, key.ID)
	cut := make(cutRequest)
	p.Enter(cut)
	r.store.Fail(errDisk)

	revoked, err := r.Revoke(t.Context(), "leaked", true)
	if err != nil || revoked.Status(r.clock.now()) != auth.Revoked || revoked.Unsaved == nil || !errors.Is(revoked.Unsaved.Cause, errDisk) || revoked.Unsaved.Marked {
		t.Fatalf("%+v, %v", revoked, err)
	}
	<-cut
	wantRefused(t, r.Keys, text)
	if _, err := r.Authenticate(other); err != nil {
		t.Error(err)
	}
	page, err := r.List("", 10)
	if err != nil || len(page.Keys) != 2 || page.Keys[0].Unsaved == nil && page.Keys[1].Unsaved == nil {
		t.Errorf("%+v, %v", page, err)
	}
	if r.Unsaved() != 1 || r.SaveFailures() != 1 {
		t.Errorf("%d unsaved, %d failures", r.Unsaved(), r.SaveFailures())
	}

	// Nothing brings it back to life: no change of the key, and no key that takes its name.
	if _, err := r.Update(t.Context(), key.ID, auth.Change{Explain: new(true)}); !errors.Is(err, errDisk) {
		t.Error(err)
	}
	if _, _, err := r.Create(t.Context(), auth.Draft{Name: "leaked"}); !errors.Is(err, errDisk) {
		t.Error(err)
	}
	wantRefused(t, r.Keys, text)

	r.store.Fail(nil)
	if _, _, err := r.Create(t.Context(), auth.Draft{Name: "leaked"}); err != nil {
		t.Errorf("the name is not free: %v", err)
	}
	saved, err := r.Show(key.ID)
	if err != nil || saved.Unsaved != nil || !saved.RevokedAt.Equal(revoked.RevokedAt) || r.Unsaved() != 0 {
		t.Errorf("%+v, %v", saved, err)
	}
	wantRefused(t, r.reopen(t), text)
}

// A store that hangs, rather than fails, keeps no revocation waiting: the key is refused before the store is asked.
func TestRevocationDoesNotWaitForTheStore(t *testing.T) {
	t.Parallel()
	hung := &hanging{Memory: &storetest.Memory{}, entered: make(chan struct{}), release: make(chan struct{})}
	k, err := auth.NewKeys(t.Context(), hung, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, text, err := k.Create(t.Context(), auth.Draft{Name: "k"})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { // another change has the store's lock, for long
		_, _ = k.Update(t.Context(), "k", auth.Change{Explain: new(true)})
	})
	<-hung.entered
	wg.Go(func() { _, _ = k.Revoke(t.Context(), "k", false) })
	for {
		if shown, err := k.Show(key.ID); err != nil || !shown.RevokedAt.IsZero() {
			break
		}
	}
	wantRefused(t, k, text.Reveal())
	close(hung.release)
	wg.Wait()
	wantRefused(t, k, text.Reveal())
	if shown, err := k.Show(key.ID); err != nil || shown.Unsaved != nil {
		t.Errorf("%+v, %v", shown, err)
	}
}

// hanging is a store whose first update waits.
type hanging struct {
	*storetest.Memory
	once             sync.Once
	entered, release chan struct{}
}

func (h *hanging) UpdateKey(ctx context.Context, id string, change func(*auth.Key) error) (auth.Key, error) {
	h.once.Do(func() {
		close(h.entered)
		<-h.release
	})
	return h.Memory.UpdateKey(ctx, id, change)
}

// What the store cannot be given outlives the process in the journal, and leaves it once it is saved.
func TestUnsavedRevocationsOutliveARestart(t *testing.T) {
	t.Parallel()
	r, journal := newRoom(t), &notes{}
	if err := r.Resume(journal); err != nil {
		t.Fatal(err)
	}
	one, text := r.create(t, auth.Draft{Name: "one"})
	r.store.Fail(errDisk)
	revoked, err := r.Revoke(t.Context(), "one", false)
	if err != nil || revoked.Unsaved == nil || !revoked.Unsaved.Marked {
		t.Fatalf("%+v, %v", revoked, err)
	}
	if diff := cmp.Diff([]auth.Revocation{{ID: one.ID, At: revoked.RevokedAt}}, journal.list); diff != "" {
		t.Error(diff)
	}

	r.store.Fail(nil)
	again := r.reopen(t)
	if err := again.Resume(journal); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, again, text)
	if err := again.SetFile(auth.File{Keys: []auth.Key{{Name: "one", Digest: auth.DigestOf("x")}}}); err != nil {
		t.Errorf("the name is not free: %v", err)
	}
	if shown, err := again.Show(one.ID); err != nil || shown.Unsaved == nil || !shown.Unsaved.Marked || !shown.RevokedAt.Equal(revoked.RevokedAt) {
		t.Errorf("%+v, %v", shown, err)
	}
	if err := again.SaveRevocations(t.Context()); err != nil || len(journal.list) != 0 || again.Unsaved() != 0 {
		t.Errorf("%v, the journal has %v", err, journal.list)
	}
	wantRefused(t, r.reopen(t), text)
}

// If the journal cannot be written either, that is reported: a restart would forget the revocation.
func TestWhatARestartForgetsIsTold(t *testing.T) {
	t.Parallel()
	r, journal := newRoom(t), &notes{fail: errDisk}
	if err := r.Resume(journal); err != nil {
		t.Fatal(err)
	}
	r.create(t, auth.Draft{Name: "k"})
	r.store.Fail(errDisk)
	if key, err := r.Revoke(t.Context(), "k", false); err != nil || key.Unsaved == nil || key.Unsaved.Marked {
		t.Fatalf("%+v, %v", key, err)
	}
	told := func() string {
		var log bytes.Buffer
		r.LogUnsaved(slog.New(slog.NewTextHandler(&log, nil)))
		return log.String()
	}
	key, err := r.Show("k")
	if forgets := "restart_forgets=[" + key.ID + "]"; err != nil || !strings.Contains(told(), forgets) {
		t.Errorf("the log: %s, want %s", told(), forgets)
	}
	journal.fail = nil
	if err := r.SaveRevocations(t.Context()); !errors.Is(err, errDisk) {
		t.Error(err)
	}
	if !strings.Contains(told(), "keys=["+key.ID+"] restart_forgets=[]") {
		t.Errorf("the log: %s", told())
	}
	if key, err := r.Show("k"); err != nil || key.Unsaved == nil || !key.Unsaved.Marked {
		t.Errorf("a try later: %+v, %v", key, err)
	}
}

// Tries are repeated after pauses that grow to a minute, until the store takes what it is given.
func TestUnsavedRevocationsAreTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(t)
		_, text := r.create(t, auth.Draft{Name: "k"})
		ctx, stop := context.WithCancel(t.Context())
		var log bytes.Buffer
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.Persist(ctx, slog.New(slog.NewTextHandler(&log, nil)))
		}()
		r.store.Fail(errDisk)
		if _, err := r.Revoke(t.Context(), "k", false); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10*time.Minute + time.Millisecond)
		synctest.Wait()
		if n := r.SaveFailures(); n != 1+6+8 { // at once; after 1, 3, 7, 15, 31 and 63 seconds; then every minute
			t.Errorf("%d failures in ten minutes", n)
		}
		r.store.Fail(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if r.Unsaved() != 0 || !strings.Contains(log.String(), "every revocation now") || !strings.Contains(log.String(), errDisk.Error()) {
			t.Errorf("%d unsaved; the log: %s", r.Unsaved(), &log)
		}
		wantRefused(t, r.reopen(t), text)
		stop()
		<-done
	})
}
