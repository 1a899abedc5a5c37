package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
)

var keyTests = map[string]func(*testing.T, auth.Store){
	"round trip":        roundTrip,
	"names":             names,
	"hostile names":     hostileNames,
	"update":            update,
	"update is atomic":  updateIsAtomic,
	"ids are unique":    idsAreUnique,
	"not found":         notFound,
	"concurrent change": concurrentChange,
	"concurrent names":  concurrentNames,
}

func at(seconds int) time.Time {
	return time.Date(2026, 1, 2, 3, 4, seconds, 123_456_000, time.UTC)
}

func sample(id, name string) auth.Key {
	return auth.Key{ID: id, Name: name, Digest: auth.DigestOf(id), CreatedAt: at(0)}
}

// asGiven compares keys without their versions, and in any order, since the law leaves both to the store.
var asGiven = cmp.Options{
	cmpopts.EquateEmpty(), cmpopts.IgnoreFields(auth.Key{}, "Version"),
	cmpopts.SortSlices(func(a, b auth.Key) bool { return a.ID < b.ID }),
}

// keysSince are the keys that changed after a version, and the version that the store has now.
func keysSince(t *testing.T, s auth.Store, since auth.Version) (keys []auth.Key, now auth.Version) {
	t.Helper()
	now, err := s.ChangesSince(t.Context(), since, nil, func(key auth.Key) { keys = append(keys, key) })
	if err != nil {
		t.Fatal(err)
	}
	return keys, now
}

func insert(t *testing.T, s auth.Store, keys ...auth.Key) {
	t.Helper()
	for _, key := range keys {
		if made, err := s.InsertKey(t.Context(), key); err != nil || !cmp.Equal(key, made, asGiven) {
			t.Fatalf("inserting %s: %+v, %v", key.ID, made, err)
		}
	}
}

func wantKeys(t *testing.T, s auth.Store, want ...auth.Key) {
	t.Helper()
	got, _ := keysSince(t, s, 0)
	if diff := cmp.Diff(want, got, asGiven); diff != "" {
		t.Fatalf("the store holds other keys (-want +got):\n%s", diff)
	}
}

func roundTrip(t *testing.T, s auth.Store) {
	wantKeys(t, s)
	full := auth.Key{
		ID: "abcdefghijkl", Name: "full", Digest: auth.DigestOf("a"), Previous: auth.DigestOf("b"), PreviousUntil: at(4),
		Models: []string{"fast", "embed-*", "org/x", `quo"te`, "ünï"}, Explain: true, Limits: auth.Limits{Requests: 1, Tokens: 2_000_000_000, Concurrent: 3}, Spending: spending("0.000000001usd/hour", "9000000usd/total", "1tok/day"), Idempotency: 36 * time.Hour, CreatedAt: at(1), ExpiresAt: at(2), RevokedAt: at(3), Cut: true,
	}
	plain := sample("mnopqrstuvwx", "plain")
	insert(t, s, full, plain)
	wantKeys(t, s, plain, full)
}

func names(t *testing.T, s auth.Store) {
	first, second := sample("000000000001", "k"), sample("000000000002", "k")
	insert(t, s, first)
	if _, err := s.InsertKey(t.Context(), second); !errors.Is(err, auth.ErrNameTaken) {
		t.Fatalf("got %v, want ErrNameTaken", err)
	}
	wantKeys(t, s, first)
	dead := sample("000000000003", "k")
	dead.RevokedAt = at(1)
	insert(t, s, dead) // the dead have no claim on a name
	other := sample("000000000004", "K")
	insert(t, s, other) // names differ by case
	rename := func(k *auth.Key) error { k.Name = "k"; return nil }
	if _, err := s.UpdateKey(t.Context(), other.ID, rename); !errors.Is(err, auth.ErrNameTaken) {
		t.Fatalf("got %v, want ErrNameTaken", err)
	}
	revive := func(k *auth.Key) error { k.RevokedAt = time.Time{}; return nil }
	if _, err := s.UpdateKey(t.Context(), dead.ID, revive); !errors.Is(err, auth.ErrNameTaken) {
		t.Fatalf("got %v, want ErrNameTaken", err)
	}
	wantKeys(t, s, first, dead, other)
	revoke := func(k *auth.Key) error { k.RevokedAt = at(5); return nil }
	if _, err := s.UpdateKey(t.Context(), first.ID, revoke); err != nil {
		t.Fatal(err)
	}
	insert(t, s, second)
}

func hostileNames(t *testing.T, s auth.Store) {
	var want []auth.Key
	for i, name := range []string{
		`'; DROP TABLE keys; --`, `" OR ""="`, `%`, `_`, `\`, `a/b?c=d#e`, "名前", "😀", `${x}`, `:name`, `?1`, `$1`, `NULL`, "line\nbreak",
	} {
		key := sample(fmt.Sprintf("%012d", i), name)
		key.Models = []string{name, name + "*"}
		insert(t, s, key)
		want = append(want, key)
	}
	wantKeys(t, s, want...)
}

func update(t *testing.T, s auth.Store) {
	key, bystander := sample("000000000001", "k"), sample("000000000002", "other")
	bystander.Models = []string{"m"}
	insert(t, s, key, bystander)
	want := auth.Key{
		ID: key.ID, CreatedAt: key.CreatedAt, Name: "new", Digest: auth.DigestOf("x"), Previous: key.Digest, PreviousUntil: at(1),
		Models: []string{"a", "b"}, Explain: true, Limits: auth.Limits{Tokens: 5}, Spending: spending("50usd/month"), Idempotency: time.Minute, ExpiresAt: at(2), RevokedAt: at(3), Cut: true,
	}
	for _, next := range []auth.Key{want, key} { // there and back: what is set can be cleared
		got, err := s.UpdateKey(t.Context(), key.ID, func(k *auth.Key) error { *k = next; return nil })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(next, got, asGiven); diff != "" {
			t.Fatal(diff)
		}
		wantKeys(t, s, next, bystander)
	}
}

func updateIsAtomic(t *testing.T, s auth.Store) {
	key := sample("000000000001", "k")
	insert(t, s, key)
	refusal := errors.New("not today")
	_, err := s.UpdateKey(t.Context(), key.ID, func(k *auth.Key) error { k.Name = "changed"; return refusal })
	if !errors.Is(err, refusal) {
		t.Fatalf("got %v, want the error of change", err)
	}
	wantKeys(t, s, key)
	insert(t, s, sample("000000000002", "next")) // the failed change holds nothing up
}

func idsAreUnique(t *testing.T, s auth.Store) {
	key := sample("000000000001", "k")
	insert(t, s, key)
	if _, err := s.InsertKey(t.Context(), sample(key.ID, "other")); err == nil || errors.Is(err, auth.ErrNameTaken) {
		t.Fatalf("got %v, want an error that is not about the name", err)
	}
	wantKeys(t, s, key)
}

func notFound(t *testing.T, s auth.Store) {
	_, err := s.UpdateKey(t.Context(), "nobody", func(*auth.Key) error { t.Error("called"); return nil })
	if !errors.Is(err, auth.ErrNotFound) {
		t.Fatalf("got %v, want ErrNotFound", err)
	}
}

// Every change is made on what the one before it left.
func concurrentChange(t *testing.T, s auth.Store) {
	key := sample("000000000001", "k")
	insert(t, s, key)
	const workers, rounds = 4, 10
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := range rounds {
				pattern := fmt.Sprintf("%d-%d", w, i)
				_, err := s.UpdateKey(context.WithoutCancel(t.Context()), key.ID, func(k *auth.Key) error {
					k.Models = append(k.Models, pattern)
					return nil
				})
				if err != nil {
					t.Error(err)
				}
				if _, err := s.ChangesSince(context.WithoutCancel(t.Context()), 0, nil, func(auth.Key) {}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	keys, _ := keysSince(t, s, 0)
	if len(keys) != 1 || len(keys[0].Models) != workers*rounds {
		t.Fatalf("after %d changes, these differ: %+v", workers*rounds, keys)
	}
}

// If many changes want one name at the same time, one gets it.
func concurrentNames(t *testing.T, s auth.Store) {
	const workers = 8
	errs := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() { _, errs[w] = s.InsertKey(t.Context(), sample(fmt.Sprintf("%012d", w), "k")) })
	}
	group.Wait()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, auth.ErrNameTaken):
			t.Errorf("got %v, want ErrNameTaken", err)
		}
	}
	if won != 1 {
		t.Errorf("%d keys got the name", won)
	}
}

// spending are budgets, and all that says how they are kept.
func spending(budgets ...string) *budget.Policy {
	specs, err := budget.ParseAll(budgets)
	if err != nil {
		panic(err)
	}
	return &budget.Policy{Budgets: specs, Strict: true, Cut: true, Warn: []int{50, 90}}
}
