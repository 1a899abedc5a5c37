package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weirproxy/weir/internal/store"
)

// ModelLists keeps the last model list of each provider. The app declares the same methods, with their law.
type ModelLists interface {
	ModelLists(ctx context.Context) ([]store.ModelList, error)
	SaveModelList(ctx context.Context, list store.ModelList) error
}

var modelListTests = map[string]func(*testing.T, func() Store){
	"lists are replaced and kept":  listsAreReplacedAndKept,
	"lists are kept byte for byte": listsAreKeptByteForByte,
}

func saveLists(t *testing.T, s ModelLists, lists ...store.ModelList) {
	t.Helper()
	for _, list := range lists {
		if err := s.SaveModelList(t.Context(), list); err != nil {
			t.Fatalf("saving the list of %s: %v", list.Provider, err)
		}
	}
}

func wantLists(t *testing.T, s ModelLists, want ...store.ModelList) {
	t.Helper()
	got, err := s.ModelLists(t.Context())
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Fatalf("%v; the store holds other lists (-want +got):\n%s", err, diff)
	}
}

func listsAreReplacedAndKept(t *testing.T, open func() Store) {
	s := open()
	wantLists(t, s)
	a := store.ModelList{Provider: "a", JSON: []byte(`["x"]`), FetchedAt: at(0)}
	old := store.ModelList{Provider: "b", JSON: []byte(`[]`), FetchedAt: at(1)}
	b := store.ModelList{Provider: "b", JSON: []byte(`["y","z"]`), FetchedAt: at(1).Add(time.Hour)}
	saveLists(t, s, old, a)
	wantLists(t, s, a, old)
	saveLists(t, s, b)
	for _, s := range []Store{s, open()} {
		wantLists(t, s, a, b)
	}
}

func listsAreKeptByteForByte(t *testing.T, open func() Store) {
	s := open()
	var want []store.ModelList
	for _, provider := range []string{"", `%"`, `a'; DROP TABLE model_lists; --`, "名前"} {
		want = append(want, store.ModelList{Provider: provider, JSON: []byte("{\"not\x00looked\":\"at\xff\"}"), FetchedAt: at(len(want))})
	}
	saveLists(t, s, want...)
	wantLists(t, s, want...)
}
