package cloud

import (
	"context"
	"sync"
	"time"
)

// When credentials are fetched again.
const (
	fetchTime = 30 * time.Second // the longest that one fetch may take
	ahead     = 5 * time.Minute  // before their end, or half of their life if that is less
	recheck   = 5 * time.Minute  // those without an end: the file that they are in may have changed
	spare     = 10 * time.Second // credentials this close to their end may be too old when the call arrives
	pause     = 5 * time.Second  // after a failure; until it is over, its error is repeated
	soonest   = 30 * time.Second // between two fetches that succeed; between two for what was refused
)

// lease is what a cloud has handed out for a while.
type lease[T any] struct {
	value  T
	source string    // where it comes from, for the operator
	until  time.Time // zero if it has no end
}

func (l *lease[T]) good(now time.Time) bool {
	return l != nil && (l.until.IsZero() || now.Before(l.until.Add(-spare)))
}

// renewal is when a lease that was fetched at now should be renewed.
func (l *lease[T]) renewal(now time.Time) time.Time {
	if l.until.IsZero() {
		return now.Add(recheck)
	}
	at := l.until.Add(-min(ahead, l.until.Sub(now)/2))
	if least := now.Add(soonest); at.Before(least) {
		return least
	}
	return at
}

// keeper holds one lease and renews it before its end, in a goroutine that ends with its fetch. No call waits as long as the
// lease is good. It is safe for concurrent use.
type keeper[T any] struct {
	fetch func(context.Context) (*lease[T], error)
	ctx   context.Context
	stop  context.CancelFunc

	mu      sync.Mutex // guards what follows
	have    *lease[T]
	spent   *lease[T] // was refused before its end; used again only if no other is to be had
	since   time.Time // when that last happened
	err     error     // error of the last fetch
	next    time.Time // no fetch begins before
	flight  *flight[T]
	fetches sync.WaitGroup
}

// flight is a fetch under way. Its results are there when done is closed.
type flight[T any] struct {
	done  chan struct{}
	lease *lease[T]
	err   error
}

func newKeeper[T any](fetch func(context.Context) (*lease[T], error)) *keeper[T] {
	ctx, stop := context.WithCancel(context.Background())
	return &keeper[T]{fetch: fetch, ctx: ctx, stop: stop}
}

// get returns a good lease. Only if it has none does it wait for a fetch, or until ctx ends.
func (k *keeper[T]) get(ctx context.Context) (*lease[T], error) {
	k.mu.Lock()
	now := time.Now()
	have, good := k.have, k.have.good(now) && k.have != k.spent
	if k.flight == nil && (!now.Before(k.next) || !good && k.err == nil) {
		k.begin()
	}
	f, err := k.flight, k.err
	k.mu.Unlock()
	switch {
	case good:
		return have, nil
	case f == nil:
		return nil, err
	}
	select {
	case <-f.done:
		return f.lease, f.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// peek returns the current lease without fetching, or nil.
func (k *keeper[T]) peek() *lease[T] {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.have
}

// refused records that a value was refused before it expired, and reports whether another replaces it: one that was
// fetched meanwhile, or one that it fetches now. Where the one that was fetched for that is refused as well, a third
// would be no better.
func (k *keeper[T]) refused(is func(T) bool) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	switch {
	case k.have == nil || !is(k.have.value) || k.have == k.spent:
		return true
	case now.Before(k.since.Add(soonest)) || k.err != nil && now.Before(k.next):
		return false
	}
	k.spent, k.since = k.have, now
	if k.flight == nil {
		k.begin()
	}
	return true
}

// begin starts a fetch. The keeper is locked.
func (k *keeper[T]) begin() {
	f := &flight[T]{done: make(chan struct{})}
	k.flight = f
	k.fetches.Go(func() {
		ctx, cancel := context.WithTimeout(k.ctx, fetchTime)
		defer cancel()
		got, err := k.fetch(ctx)
		k.mu.Lock()
		defer k.mu.Unlock()
		now := time.Now()
		if k.flight, k.err = nil, err; err == nil {
			k.have, k.next = got, got.renewal(now)
		} else {
			k.next = now.Add(pause)
			if k.have.good(now) {
				got, err = k.have, nil // it was refused perhaps by mistake
			}
		}
		k.spent = nil
		f.lease, f.err = got, err
		close(f.done)
	})
}

// close ends a fetch that is under way, and waits for its end.
func (k *keeper[T]) close() {
	k.stop()
	k.fetches.Wait()
}
