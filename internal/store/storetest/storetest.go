// Package storetest is the suite of tests that every store passes, whatever its database is. It covers every method that a room asks of a
// store, so a new store is ready when it passes.
package storetest

import (
	"context"
	"iter"
	"reflect"
	"slices"
	"testing"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/stored"
)

// Store is all that is asked of a store, by rooms and by the benchmark.
type Store interface {
	auth.Store
	ModelLists
	stored.Store
	idempotency.Store
	ManyKeys
	ledger.Store
	ledger.Reports
	ledger.Keeper
	ledger.Bounded
}

// ManyKeys is a store that is filled for the benchmark.
type ManyKeys interface {
	// InsertKeys adds all of the keys or none, with one version for all.
	InsertKeys(ctx context.Context, keys iter.Seq[auth.Key]) error
}

// Run runs the suite. open makes an empty store and returns a function that opens it. Each call opens it once more, as another
// process would; the test's cleanup closes all.
func Run(t *testing.T, open func(*testing.T) func() Store) {
	for name, test := range keyTests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t)())
		})
	}
	groups := []map[string]func(*testing.T, func() Store){
		sharedTests, teamTests, modelListTests, responseTests, idempotencyTests, ledgerTests, reportTests,
	}
	if !testing.Short() { // these draw rows at random and add them up, on one goroutine: the race detector has no use for them
		groups = append(groups, usageTests, requestTests, speedTests, addUpTests)
	}
	for _, tests := range groups {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, open(t))
			})
		}
	}
	t.Run("many keys at once", func(t *testing.T) {
		t.Parallel()
		manyKeys(t, open(t)())
	})
	t.Run("no other methods", func(t *testing.T) {
		t.Parallel()
		noOtherMethods(t, open(t)())
	})
}

// manyKeys adds many keys, and then a list in which one is there already.
func manyKeys(t *testing.T, s Store) {
	names := func(names ...string) iter.Seq[auth.Key] {
		return func(yield func(auth.Key) bool) {
			for _, name := range names {
				if !yield(sample("0000000000"+name, name)) {
					return
				}
			}
		}
	}
	_, before := keysSince(t, s, 0)
	if err := s.InsertKeys(t.Context(), names("a1", "a2", "a3")); err != nil {
		t.Fatal(err)
	}
	added, after := keysSince(t, s, before)
	if len(added) != 3 || after != before+1 {
		t.Errorf("%d keys are new, and the version went from %d to %d", len(added), before, after)
	}
	if err := s.InsertKeys(t.Context(), names("a4", "a1")); err == nil {
		t.Error("a key was added twice")
	}
	if all, now := keysSince(t, s, 0); len(all) != 3 || now != after {
		t.Errorf("%d keys and version %d after a refusal", len(all), now)
	}
}

// noOtherMethods fails for a method that no room has declared, because no test here covers it.
func noOtherMethods(t *testing.T, s Store) {
	declared, support := reflect.TypeFor[Store](), []string{"Close", "CopyTo", "Export", "Import", "Size", "Fail", "Copy", "Restore", "Falsify"} // from the sixth on they are Memory's; copies, archives and the size have tests of their own
	for method := range reflect.TypeOf(s).Methods() {
		if _, ok := declared.MethodByName(method.Name); !ok && !slices.Contains(support, method.Name) {
			t.Errorf("%T has the method %s, which storetest.Store lacks: declare and test it", s, method.Name)
		}
	}
}
