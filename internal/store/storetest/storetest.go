// Package storetest is the suite of tests that every store passes, whatever its database is. It covers every method that a room asks of a
// store, so a new store is ready when it passes.
package storetest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/weirproxy/weir/internal/auth"
)

// Store is all that rooms ask of a store.
type Store interface {
	auth.Store
	ModelLists
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
	for name, test := range sharedTests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
	for name, test := range modelListTests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
	t.Run("no other methods", func(t *testing.T) {
		t.Parallel()
		noOtherMethods(t, open(t)())
	})
}

// noOtherMethods fails for a method that no room has declared, because no test here covers it.
func noOtherMethods(t *testing.T, s Store) {
	declared, support := reflect.TypeFor[Store](), []string{"Close", "Fail", "Copy", "Restore"} // all but the first are Memory's
	for method := range reflect.TypeOf(s).Methods() {
		if _, ok := declared.MethodByName(method.Name); !ok && !slices.Contains(support, method.Name) {
			t.Errorf("%T has the method %s, which storetest.Store lacks: declare and test it", s, method.Name)
		}
	}
}
