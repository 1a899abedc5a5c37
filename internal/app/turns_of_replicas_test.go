package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// board is where replicas take turns, and their store.
type board struct {
	storetest.Memory
	mu     sync.Mutex
	has    string
	until  time.Time
	failed bool
	done   map[string][]time.Time // when which replica deleted what is old
	batch  int                    // how many rows there are to delete
}

func (b *board) take(replica string) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed {
		return false, errors.New("it is gone")
	}
	if b.has != replica && time.Now().Before(b.until) {
		return false, nil
	}
	b.has, b.until = replica, time.Now().Add(postgres.TurnFor)
	return true, nil
}

// seat is a replica at the board.
type seat struct {
	*board
	id string
}

func (s seat) TakeTurn(_ context.Context, _ string) (bool, error) { return s.take(s.id) }

func (s seat) EndTurn(_ context.Context, _ string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has == s.id {
		s.until = time.Time{}
	}
	return nil
}

func (s seat) Contract(context.Context) error { return nil }

func (s seat) Prune(context.Context, time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[s.id] = append(s.done[s.id], time.Now())
	return nil
}

func (s seat) Forget(_ context.Context, _ time.Time, limit int) (int, error) {
	time.Sleep(time.Second) // a slow database
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(limit, s.batch)
	s.batch -= n
	return n, nil
}

// at has a replica run until stop is called. A stop in good order ends its turn.
func (b *board) at(t *testing.T, id string) (stop func(orderly bool)) {
	s := seat{b, id}
	a := &App{now: time.Now, log: slog.New(slog.DiscardHandler), config: &config.Config{}, rows: s, chores: s, ledger: new(ledger.Ledger)}
	a.config.Ledger.Keep = 30
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { a.forget(ctx) })
	return func(orderly bool) {
		b.mu.Lock()
		has, until := b.has, b.until
		b.mu.Unlock()
		cancel()
		running.Wait()
		if !orderly {
			b.mu.Lock()
			b.has, b.until = has, until
			b.mu.Unlock()
		}
	}
}

func (b *board) times(id string) []time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.done[id]
}

// Of two replicas one deletes what is old, each hour. When it dies, the other does within 10 s, and at once after a stop in good order. While the
// database does not say whose turn it is, none does.
func TestOneReplicaDeletesWhatIsOld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &board{done: map[string][]time.Time{}}
		one := b.at(t, "one")
		synctest.Wait()
		two := b.at(t, "two")
		time.Sleep(3*time.Hour + time.Minute + 2*time.Second) // when neither asks whose turn it is
		if n := len(b.times("one")); n != 4 || len(b.times("two")) != 0 {
			t.Errorf("the first did it %d times, and the second %d times", n, len(b.times("two")))
		}
		one(false)
		died := time.Now()
		time.Sleep(time.Minute)
		if got := b.times("two"); len(got) != 1 || got[0].Sub(died) > 10*time.Second {
			t.Errorf("the first died at %v, and the second did it at %v", died, got)
		}
		three := b.at(t, "three")
		two(true)
		stopped := time.Now()
		time.Sleep(time.Minute)
		if got := b.times("three"); len(got) != 1 || got[0].Sub(stopped) > takeTurnEvery+time.Second {
			t.Errorf("the second stopped at %v, and the third did it at %v", stopped, got)
		}
		b.mu.Lock()
		b.failed = true
		b.mu.Unlock()
		time.Sleep(5 * time.Hour)
		if got := b.times("three"); len(got) != 1 {
			t.Errorf("without an answer of the database it did it at %v", got)
		}
		b.mu.Lock()
		b.failed = false
		b.mu.Unlock()
		time.Sleep(time.Minute)
		if got := b.times("three"); len(got) != 2 {
			t.Errorf("when it answered again, it did it at %v", got)
		}
		three(true)
	})
}

// A turn that much work takes longer than is kept.
func TestATurnIsKeptWhileItsWorkLasts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &board{done: map[string][]time.Time{}, batch: 60 * forgottenAtOnce}
		one := b.at(t, "one")
		synctest.Wait()
		two := b.at(t, "two")
		time.Sleep(5 * time.Minute)
		if len(b.times("one")) != 1 || len(b.times("two")) != 0 || b.batch != 0 {
			t.Errorf("%v and %v; %d rows are left", b.times("one"), b.times("two"), b.batch)
		}
		one(true)
		two(true)
	})
}
