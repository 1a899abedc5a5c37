// Package live passes what happens to those who watch, as it happens. Who publishes never waits for them: what a watcher does not take in time is
// dropped, and counted.
package live

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	// MostWatchers is how many may watch at once.
	MostWatchers = 20
	kept         = 256 // events for each of them
)

// ErrFull is returned to a watcher that is one too many, and ErrClosed after the end.
var (
	ErrFull   = errors.New("as many watch as may at once")
	ErrClosed = errors.New("nothing happens any more")
)

// Hub has the watchers. The zero value has none. It is safe for concurrent use.
type Hub[E any] struct {
	watchers atomic.Pointer[[]*Watcher[E]] // nil without any; a list is never changed

	mu    sync.Mutex // held while watchers come and go
	ended bool
}

// Watched reports whether there is a watcher. It costs one atomic load.
func (h *Hub[E]) Watched() bool { return h.watchers.Load() != nil }

// Publish gives an event to all who want it. It waits for none of them.
func (h *Hub[E]) Publish(e E) {
	if list := h.watchers.Load(); list != nil {
		for _, w := range *list {
			w.offer(e)
		}
	}
}

// Watch adds a watcher of events that it wants. wants is called by those who publish: it must not wait. The watcher must be closed.
func (h *Hub[E]) Watch(wants func(E) bool) (*Watcher[E], error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return nil, ErrClosed
	}
	list := h.list()
	if len(list) == MostWatchers {
		return nil, ErrFull
	}
	w := &Watcher[E]{hub: h, wants: wants, ready: make(chan struct{}, 1), ended: make(chan struct{})}
	list = append(slices.Clone(list), w)
	h.watchers.Store(&list)
	return w, nil
}

// Close ends all watching, and refuses those who come.
func (h *Hub[E]) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.list() {
		close(w.ended)
	}
	h.ended = true
	h.watchers.Store(nil)
}

// list has the watchers. The lock is held.
func (h *Hub[E]) list() []*Watcher[E] {
	if list := h.watchers.Load(); list != nil {
		return *list
	}
	return nil
}

// Watcher is one who watches.
type Watcher[E any] struct {
	hub   *Hub[E]
	wants func(E) bool
	ready chan struct{}
	ended chan struct{}

	mu      sync.Mutex // held for an event, or for handing over those that are kept
	kept    []E        // the newest
	oldest  int        // which of kept came first, once it is full
	dropped int64
}

// offer keeps an event, in place of the oldest if there is no room.
func (w *Watcher[E]) offer(e E) {
	if !w.wants(e) {
		return
	}
	w.mu.Lock()
	if len(w.kept) < kept {
		w.kept = append(w.kept, e)
	} else {
		w.kept[w.oldest] = e
		w.oldest = (w.oldest + 1) % kept
		w.dropped++
	}
	w.mu.Unlock()
	select {
	case w.ready <- struct{}{}:
	default: // it knows already
	}
}

// Ready has an element when there is something to take.
func (w *Watcher[E]) Ready() <-chan struct{} { return w.ready }

// Ended is closed with the hub.
func (w *Watcher[E]) Ended() <-chan struct{} { return w.ended }

// Take returns the events that came since it was called before, in their order, and how many of those before them were dropped.
func (w *Watcher[E]) Take() (events []E, dropped int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	events, dropped = append(slices.Clone(w.kept[w.oldest:]), w.kept[:w.oldest]...), w.dropped
	clear(w.kept)
	w.kept, w.oldest, w.dropped = w.kept[:0], 0, 0
	return events, dropped
}

// Close ends the watching.
func (w *Watcher[E]) Close() {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	rest := slices.DeleteFunc(slices.Clone(w.hub.list()), func(other *Watcher[E]) bool { return other == w })
	if len(rest) == 0 {
		w.hub.watchers.Store(nil)
		return
	}
	w.hub.watchers.Store(&rest)
}
