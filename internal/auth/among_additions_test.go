package auth_test

import (
	"crypto/rand"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// Keys are revoked while many are added, in the same process and in another on the same store. None works after that, and no
// other key is lost.
func TestRevocationsAmongAdditions(t *testing.T) {
	t.Parallel()
	const adders, each = 4, 250
	store := &storetest.Memory{}
	one := open(t, store)
	other := open(t, store)
	type added struct{ id, text string }
	var (
		mu          sync.Mutex
		kept, ended []added
		group       sync.WaitGroup
	)
	add := func(k *auth.Keys, name string) added {
		key, text, err := k.Create(t.Context(), auth.Draft{Name: name})
		if err != nil {
			t.Error(err)
		}
		return added{key.ID, text.Reveal()}
	}
	for n := range adders {
		k := one
		if n%2 == 1 {
			k = other
		}
		group.Go(func() {
			for i := range each {
				a := add(k, fmt.Sprintf("kept-%d-%d", n, i))
				b := add(k, fmt.Sprintf("ended-%d-%d", n, i))
				if _, err := k.Revoke(t.Context(), b.id, i%2 == 0); err != nil {
					t.Error(err)
				}
				if _, refused := k.Authenticate(b.text); refused == nil {
					t.Errorf("%s works after it was revoked", b.id)
				}
				if i%50 == 0 {
					if err := k.CatchUp(t.Context()); err != nil {
						t.Error(err)
					}
				}
				mu.Lock()
				kept, ended = append(kept, a), append(ended, b)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for _, k := range []*auth.Keys{one, other, open(t, store)} {
		if err := k.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, a := range kept {
			if p, refused := k.Authenticate(a.text); refused != nil || p.KeyID != a.id {
				t.Fatalf("%s: %v", a.id, refused)
			}
		}
		for _, a := range ended {
			if _, refused := k.Authenticate(a.text); refused == nil {
				t.Fatalf("%s works after it was revoked", a.id)
			}
		}
		listed, cursor := 0, ""
		for more := true; more; more = cursor != "" {
			page, err := k.List(cursor, 1000)
			if err != nil {
				t.Fatal(err)
			}
			listed, cursor = listed+len(page.Keys), page.Next
		}
		if want := 2 * adders * each; listed != want {
			t.Errorf("%d keys are listed, of %d", listed, want)
		}
	}
}

func open(t *testing.T, store auth.Store) *auth.Keys {
	t.Helper()
	k, err := auth.NewKeys(t.Context(), store, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}
