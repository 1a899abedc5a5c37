package gateway

import (
	"context"
	"sync"
)

// turns let few do at once what reads the store, and each key only one of these: a key that asks many times at once waits for itself, and
// others only for as many turns as there are keys that ask.
type turns struct {
	places chan struct{}

	mu   sync.Mutex
	keys map[string]*turn // of keys that have a turn or wait for one
}

type turn struct {
	taken chan struct{} // has an element while the key has the turn
	n     int           // who has it or waits for it
}

func newTurns(atOnce int) *turns {
	return &turns{places: make(chan struct{}, atOnce), keys: map[string]*turn{}}
}

// take waits for a turn of the key. It returns a function that ends the turn, or the error of ctx.
func (t *turns) take(ctx context.Context, key string) (end func(), err error) {
	own := t.join(key)
	select {
	case own.taken <- struct{}{}:
	case <-ctx.Done():
		t.leave(key)
		return nil, ctx.Err()
	}
	select {
	case t.places <- struct{}{}:
	case <-ctx.Done():
		<-own.taken
		t.leave(key)
		return nil, ctx.Err()
	}
	return func() {
		<-t.places
		<-own.taken
		t.leave(key)
	}, nil
}

func (t *turns) join(key string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.keys[key]
	if own == nil {
		own = &turn{taken: make(chan struct{}, 1)}
		t.keys[key] = own
	}
	own.n++
	return own
}

func (t *turns) leave(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.keys[key]; own.n > 1 {
		own.n--
		return
	}
	delete(t.keys, key)
}
