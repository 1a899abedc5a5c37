package auth_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemoryIsAStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) func() storetest.Store {
		memory := &storetest.Memory{}
		return func() storetest.Store { return memory }
	})
}

// clock is a time that only a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// room is Keys over a memory store, with a clock.
type room struct {
	*auth.Keys
	store *storetest.Memory
	clock *clock
}

func newRoom(t testing.TB, file ...auth.Key) *room {
	t.Helper()
	r := &room{store: &storetest.Memory{}, clock: newClock()}
	r.Keys = r.reopen(t, file...)
	return r
}

// reopen is what a restart sees.
func (r *room) reopen(t testing.TB, file ...auth.Key) *auth.Keys {
	t.Helper()
	keys, err := auth.NewKeys(t.Context(), r.store, r.clock.now, rand.Reader)
	if err == nil {
		err = keys.SetFile(auth.File{Keys: file})
	}
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func (r *room) create(t testing.TB, draft auth.Draft) (auth.Key, string) {
	t.Helper()
	key, text, err := r.Create(t.Context(), draft)
	if err != nil {
		t.Fatal(err)
	}
	return key, text.Reveal()
}

func wantKind(t testing.TB, err error, kind llm.Kind, words ...string) {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Fatalf("got %v, want an error of kind %d", err, kind)
	}
	for _, word := range words {
		if !strings.Contains(e.Message, word) {
			t.Errorf("the message %q lacks %q", e.Message, word)
		}
	}
}

func wantPrincipal(t testing.TB, k *auth.Keys, presented, id string) *auth.Principal {
	t.Helper()
	p, err := k.Authenticate(presented)
	if err != nil || p.KeyID != id {
		t.Fatalf("got %v, %v, want the principal of %s", p, err, id)
	}
	return p
}

func wantRefused(t testing.TB, k *auth.Keys, presented string) {
	t.Helper()
	p, err := k.Authenticate(presented)
	if p != nil || err == nil || err.Kind != llm.InvalidKey {
		t.Fatalf("got %v, %v, want a refusal", p, err)
	}
}

func TestCreatedKeyWorksAtOnceAndAfterARestart(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	key, text := r.create(t, auth.Draft{Name: "ci", Models: []string{"fast", "embed-*"}})
	for _, keys := range []*auth.Keys{r.Keys, r.reopen(t)} {
		p := wantPrincipal(t, keys, text, key.ID)
		if p.KeyName != "ci" {
			t.Errorf("name %q", p.KeyName)
		}
		for model, want := range map[string]bool{"fast": true, "embed-small": true, "embed-": true, "faster": false, "smart": false, "": false} {
			if p.Allows(model) != want {
				t.Errorf("Allows(%q) = %v", model, !want)
			}
		}
	}
}

func TestKeyWithoutModelsSeesAll(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	key, text := r.create(t, auth.Draft{Name: "all"})
	if !wantPrincipal(t, r.Keys, text, key.ID).Allows("whatever/comes later") {
		t.Error("a model is hidden")
	}
}

func TestRefusalsReadTheSameAndRepeatNothing(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	_, expired := r.create(t, auth.Draft{Name: "short", ExpiresAt: r.clock.now().Add(time.Hour)})
	_, revoked := r.create(t, auth.Draft{Name: "gone"})
	if _, err := r.Revoke(t.Context(), "gone", false); err != nil {
		t.Fatal(err)
	}
	r.clock.advance(time.Hour)
	_, unknown := mint(t, "")
	mistyped := unknown[:69] + "!"
	texts := map[string]bool{}
	for _, presented := range []string{expired, revoked, unknown, mistyped, "sk-weir-", "", "sk-proj-0123456789", strings.Repeat("x", 1<<20)} {
		wantRefused(t, r.Keys, presented)
		_, err := r.Authenticate(presented)
		texts[err.Error()] = true
		if len(presented) > 8 && strings.Contains(err.Error(), presented[8:]) {
			t.Error("the refusal repeats the key")
		}
	}
	if len(texts) != 1 {
		t.Errorf("different refusals: %v", texts)
	}
}

func TestExpiryIsExact(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	key, text := r.create(t, auth.Draft{Name: "k", ExpiresAt: r.clock.now().Add(time.Hour)})
	r.clock.advance(time.Hour - time.Nanosecond)
	wantPrincipal(t, r.Keys, text, key.ID)
	r.clock.advance(time.Nanosecond)
	wantRefused(t, r.Keys, text)
	if shown, err := r.Show("k"); err != nil || shown.Status(r.clock.now()) != auth.Expired {
		t.Errorf("%v, %v", shown, err)
	}
	// An expired key can be given more time.
	later := r.clock.now().Add(time.Hour)
	if _, err := r.Update(t.Context(), "k", auth.Change{ExpiresAt: &later}); err != nil {
		t.Fatal(err)
	}
	wantPrincipal(t, r.Keys, text, key.ID)
}

// Gateways have let one tenant use another's limits because their caches were keyed by a key's beginning.
func TestKeysSharingTheirFirstSixtyCharactersAreDistinct(t *testing.T) {
	t.Parallel()
	_, key := mint(t, "")
	stem := "team-" + key[:55]
	r := newRoom(t,
		auth.Key{Name: "one", Digest: auth.DigestOf(stem + "-1"), Models: []string{"a"}},
		auth.Key{Name: "two", Digest: auth.DigestOf(stem + "-2"), Models: []string{"b"}})
	one, two := wantPrincipal(t, r.Keys, stem+"-1", "cfg-one"), wantPrincipal(t, r.Keys, stem+"-2", "cfg-two")
	if one.Allows("b") || two.Allows("a") || !one.Allows("a") || !two.Allows("b") {
		t.Error("one key has the other's models")
	}
	wantRefused(t, r.Keys, stem)
	wantRefused(t, r.Keys, stem+"-3")
}

func TestRotation(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	key, first := r.create(t, auth.Draft{Name: "k", ExpiresAt: r.clock.now().Add(2 * time.Hour)})
	rotate := func(grace time.Duration) string {
		t.Helper()
		rotated, text, err := r.Rotate(t.Context(), "k", grace)
		if err != nil || rotated.ID != key.ID {
			t.Fatalf("%v, %v", rotated, err)
		}
		return text.Reveal()
	}
	second := rotate(time.Hour)
	wantPrincipal(t, r.Keys, first, key.ID)
	wantPrincipal(t, r.Keys, second, key.ID)

	// A second rotation ends the grace of the first secret.
	third := rotate(30 * time.Minute)
	wantRefused(t, r.Keys, first)
	wantPrincipal(t, r.Keys, second, key.ID)
	r.clock.advance(30 * time.Minute)
	wantRefused(t, r.Keys, second)
	wantPrincipal(t, r.Keys, third, key.ID)

	fourth := rotate(0)
	wantRefused(t, r.Keys, third)
	wantPrincipal(t, r.Keys, fourth, key.ID)

	// Grace does not outlive the key.
	fifth := rotate(24 * time.Hour)
	r.clock.advance(90 * time.Minute)
	wantRefused(t, r.Keys, fourth)
	wantRefused(t, r.Keys, fifth)
	_, _, err := r.Rotate(t.Context(), "k", 0)
	wantKind(t, err, llm.Conflict, "expired")
}

// A revoked key keeps no secret that was good for a grace: nothing of it has a use any more.
func TestRevocationForgetsThePreviousSecret(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	_, first := r.create(t, auth.Draft{Name: "k"})
	rotated, second, err := r.Rotate(t.Context(), "k", time.Hour)
	if err != nil || rotated.Previous == (auth.Digest{}) || rotated.PreviousUntil.IsZero() {
		t.Fatalf("%+v, %v", rotated, err)
	}
	revoked, err := r.Revoke(t.Context(), "k", false)
	if err != nil || revoked.Previous != (auth.Digest{}) || !revoked.PreviousUntil.IsZero() {
		t.Errorf("%+v, %v", revoked, err)
	}
	wantRefused(t, r.Keys, first)
	wantRefused(t, r.Keys, second.Reveal())
}

func TestRevokeWithNowCutsRunningRequestsOfThatKeyOnly(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	key, text := r.create(t, auth.Draft{Name: "k"})
	other, otherText := r.create(t, auth.Draft{Name: "other"})
	p, bystander := wantPrincipal(t, r.Keys, text, key.ID), wantPrincipal(t, r.Keys, otherText, other.ID)
	// A change in between makes new principals; the old one must still hear of the revocation.
	if _, _, err := r.Rotate(t.Context(), "k", 0); err != nil {
		t.Fatal(err)
	}
	cut, finished, stays := make(cutRequest), make(cutRequest), make(cutRequest)
	p.Enter(cut)
	p.Enter(finished)
	p.Leave(finished)
	bystander.Enter(stays)

	if _, err := r.Revoke(t.Context(), "k", false); err != nil {
		t.Fatal(err)
	}
	select {
	case <-cut:
		t.Fatal("revoke without now cut a running request")
	default:
	}
	// Once more, in a hurry: the key is found by name although it no longer lives.
	if _, err := r.Revoke(t.Context(), "k", true); err != nil {
		t.Fatal(err)
	}
	<-cut
	late := make(cutRequest)
	p.Enter(late)
	<-late
	p.Leave(late)
	if stays.isCut() || finished.isCut() {
		t.Error("another request was cut")
	}
	var unknown auth.Principal
	unknown.Enter(stays)
	unknown.Leave(stays)
}

func TestRevokedNamesAreFree(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	old, _ := r.create(t, auth.Draft{Name: "k"})
	if _, err := r.Revoke(t.Context(), old.ID, false); err != nil {
		t.Fatal(err)
	}
	r.clock.advance(time.Second)
	key, text := r.create(t, auth.Draft{Name: "k"})
	if shown, err := r.Show("k"); err != nil || shown.ID != key.ID {
		t.Errorf("%v, %v: want the living key", shown, err)
	}
	wantPrincipal(t, r.Keys, text, key.ID)
	name := "other"
	_, err := r.Update(t.Context(), old.ID, auth.Change{Name: &name})
	wantKind(t, err, llm.Conflict, "revoked")
	_, _, err = r.Rotate(t.Context(), old.ID, 0)
	wantKind(t, err, llm.Conflict, "revoked")
}

func TestUpdateReplacesOnlyWhatItNames(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	expiry := r.clock.now().Add(time.Hour)
	key, text := r.create(t, auth.Draft{Name: "k", Models: []string{"a"}, ExpiresAt: expiry})
	name, models, never, yes := "renamed", []string{"b", "c*"}, time.Time{}, true
	steps := []struct {
		change auth.Change
		edit   func(*auth.Key)
	}{
		{auth.Change{Name: &name}, func(k *auth.Key) { k.Name = name }},
		{auth.Change{Name: &name}, func(*auth.Key) {}}, // its own name is not taken
		{auth.Change{Models: &models}, func(k *auth.Key) { k.Models = models }},
		{auth.Change{ExpiresAt: &never}, func(k *auth.Key) { k.ExpiresAt = never }},
		{auth.Change{Models: new([]string)}, func(k *auth.Key) { k.Models = nil }},
		{auth.Change{Explain: &yes}, func(k *auth.Key) { k.Explain = true }},
		{auth.Change{Explain: new(bool)}, func(k *auth.Key) { k.Explain = false }},
	}
	for i, step := range steps {
		step.edit(&key)
		got, err := r.Update(t.Context(), key.ID, step.change)
		if got.Version <= key.Version {
			t.Errorf("step %d left the version at %d", i, got.Version)
		}
		key.Version = got.Version
		if diff := cmp.Diff(key, got); err != nil || diff != "" {
			t.Fatalf("step %d: %v %s", i, err, diff)
		}
	}
	if !wantPrincipal(t, r.Keys, text, key.ID).Allows("zzz") {
		t.Error("the cleared patterns still apply")
	}
	_, err := r.Update(t.Context(), key.ID, auth.Change{})
	wantKind(t, err, llm.MissingParameter, "This changes nothing")
}

func TestBadInputIsRefused(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	taken, _ := r.create(t, auth.Draft{Name: "taken"})
	long := strings.Repeat("x", 257)
	past := r.clock.now()
	for _, draft := range []auth.Draft{
		{Name: "a b"},
		{Name: "a\tb"},
		{Name: "a\u00a0b"},
		{Name: "a\x00"},
		{Name: "\xff"},
		{Name: "."},
		{Name: ".."},
		{Name: long},
		{Name: "k", Models: []string{""}},
		{Name: "k", Models: []string{"a "}},
		{Name: "k", Models: []string{long}},
		{Name: "k", Models: slices.Repeat([]string{"a"}, 1001)},
		{Name: "k", ExpiresAt: past},
	} {
		_, _, err := r.Create(t.Context(), draft)
		wantKind(t, err, llm.InvalidValue)
		if draft.Name == "k" {
			_, err = r.Update(t.Context(), "taken", auth.Change{Models: &draft.Models, ExpiresAt: &draft.ExpiresAt})
		} else {
			_, err = r.Update(t.Context(), "taken", auth.Change{Name: &draft.Name})
		}
		wantKind(t, err, llm.InvalidValue)
	}
	_, _, err := r.Create(t.Context(), auth.Draft{})
	wantKind(t, err, llm.MissingParameter, "name")
	for _, name := range []string{"taken", taken.ID} {
		_, _, err = r.Create(t.Context(), auth.Draft{Name: name})
		wantKind(t, err, llm.Conflict, name)
	}
	for _, grace := range []time.Duration{-1, 366 * 24 * time.Hour} {
		_, _, err = r.Rotate(t.Context(), "taken", grace)
		wantKind(t, err, llm.InvalidValue)
	}
	for _, ref := range []string{"", "nobody", "000000000000"} {
		_, err = r.Show(ref)
		wantKind(t, err, llm.NotFound)
		_, err = r.Revoke(t.Context(), ref, true)
		wantKind(t, err, llm.NotFound)
	}
}

func TestFailedWriteChangesNothing(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	key, text := r.create(t, auth.Draft{Name: "k"})
	broken := errors.New("disk full")
	r.store.Fail(broken)
	if _, created, err := r.Create(t.Context(), auth.Draft{Name: "new"}); !errors.Is(err, broken) || !created.IsZero() {
		t.Error(err)
	}
	if _, rotated, err := r.Rotate(t.Context(), "k", 0); !errors.Is(err, broken) || !rotated.IsZero() {
		t.Error(err)
	}
	if _, err := r.Update(t.Context(), "k", auth.Change{Models: &[]string{"less"}}); !errors.As(err, new(*auth.StoreError)) || !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := auth.NewKeys(t.Context(), r.store, r.clock.now, rand.Reader); !errors.Is(err, broken) {
		t.Error(err)
	}
	wantPrincipal(t, r.Keys, text, key.ID)
	if page, err := r.List("", 10); err != nil || len(page.Keys) != 1 {
		t.Errorf("%v, %v", page, err)
	}
}

// Requests go on while keys change; a key whose revocation has returned is refused from then on.
func TestRevocationIsSeenAtOnceUnderLoad(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	_, steady := r.create(t, auth.Draft{Name: "steady"})
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if p, err := r.Authenticate(steady); err != nil || !p.Allows("m") {
					t.Error("a key that nobody touched was refused")
					return
				}
			}
		})
	}
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 50 {
				name := fmt.Sprintf("w%d-%d", w, i)
				_, text := r.create(t, auth.Draft{Name: name})
				if _, err := r.Authenticate(text); err != nil {
					t.Error("a new key was refused")
				}
				if _, err := r.Revoke(t.Context(), name, i%2 == 0); err != nil {
					t.Error(err)
				}
				if _, err := r.Authenticate(text); err == nil {
					t.Error("a revoked key was let in")
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
}

func TestKeyTextIsPrintedNowhere(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	key, text, err := r.Create(t.Context(), auth.Draft{Name: "k"})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := r.Authenticate(text.Reveal())
	shown := fmt.Sprintf("%v %+v %#v %v %#v %v", key, key, p, p, text, []secret.Text{text})
	if strings.Contains(shown, text.Reveal()[20:]) {
		t.Error("a key shows in what was printed")
	}
}

// The one allocation is the copy of the presented key that its digest is made from.
func TestAuthenticateAllocatesForTheDigestOnly(t *testing.T) {
	r := newRoom(t)
	_, text := r.create(t, auth.Draft{Name: "k"})
	for _, c := range []struct {
		presented string
		allowed   float64
	}{{text, 1}, {"sk-proj-" + text, 1}, {text[:69] + "!", 0}} {
		if n := testing.AllocsPerRun(100, func() { _, _ = r.Authenticate(c.presented) }); n > c.allowed {
			t.Errorf("%s: %v allocations, at most %v are due", c.presented, n, c.allowed)
		}
	}
}

func BenchmarkAuthenticate(b *testing.B) {
	r := newRoom(b)
	_, text := r.create(b, auth.Draft{Name: "k"})
	b.ReportAllocs()
	for b.Loop() {
		_, _ = r.Authenticate(text)
	}
}

// cutRequest is a request that is closed when its key is cut.
type cutRequest chan struct{}

// Revoke implements auth.Cuttable.
func (c cutRequest) Revoke() { close(c) }

// isCut reports whether it was.
func (c cutRequest) isCut() bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
