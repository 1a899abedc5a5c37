package auth_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// memory is an auth.Store for tests of this room; the store room runs the same suite on the real one.
type memory struct {
	mu   sync.Mutex
	keys []auth.Key
	fail error // what every method returns instead of doing its work
}

func TestMemoryIsAStore(t *testing.T) {
	t.Parallel()
	storetest.Keys(t, func(*testing.T) auth.Store { return &memory{} })
}

func (m *memory) ListKeys(context.Context) ([]auth.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	keys := slices.Clone(m.keys)
	slices.SortFunc(keys, func(a, b auth.Key) int {
		if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return keys, m.fail
}

func (m *memory) InsertKey(_ context.Context, key auth.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	for _, other := range m.keys {
		if other.ID == key.ID {
			return context.Canceled // any error
		}
		if other.Name == key.Name && other.RevokedAt.IsZero() && key.RevokedAt.IsZero() {
			return auth.ErrNameTaken
		}
	}
	m.keys = append(m.keys, key)
	return nil
}

func (m *memory) UpdateKey(_ context.Context, id string, change func(*auth.Key) error) (auth.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.keys, func(k auth.Key) bool { return k.ID == id })
	if m.fail != nil {
		return auth.Key{}, m.fail
	}
	if i < 0 {
		return auth.Key{}, auth.ErrNotFound
	}
	key := m.keys[i]
	key.Models = slices.Clone(key.Models)
	if err := change(&key); err != nil {
		return auth.Key{}, err
	}
	for j, other := range m.keys {
		if i != j && other.Name == key.Name && other.RevokedAt.IsZero() && key.RevokedAt.IsZero() {
			return auth.Key{}, auth.ErrNameTaken
		}
	}
	m.keys[i] = key
	return key, nil
}
