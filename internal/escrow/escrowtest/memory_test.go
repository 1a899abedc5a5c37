package escrowtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// memory is escrow.Memory as an engine.
type memory struct {
	mu    sync.Mutex
	began time.Time
	*escrow.Memory
}

func (m *memory) Exchange(_ context.Context, s *escrow.Statement) (*escrow.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Memory.Exchange(s, time.Since(m.began)), nil
}

func (m *memory) Poll(_ context.Context, q escrow.Question) (*escrow.News, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Memory.Poll(q, time.Since(m.began)), nil
}

func (m *memory) Reclaim(_ context.Context, names []escrow.Name, after time.Duration) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Memory.Reclaim(names, after, time.Since(m.began)), nil
}

func (m *memory) Forget(_ context.Context, replica string, unspent bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Memory.Forget(replica, unspent)
	return nil
}

func (m *memory) Books(_ context.Context, name escrow.Name) (granted, used int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Memory.Books(name)
}

func TestMemory(t *testing.T) {
	t.Parallel()
	Run(t, func(*testing.T) Engine { return &memory{began: time.Now(), Memory: escrow.NewMemory()} })
}
