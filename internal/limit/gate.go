// Package limit bounds how many requests are somewhere at once: in all, at a provider, at a target. Who finds no place waits for one,
// for a short while.
package limit

import (
	"container/list"
	"sync"
	"sync/atomic"
	"time"
)

// Gate has places for a number of requests. Places that become free go to those who wait, in the order in which they came; nobody
// overtakes them. How many places there are is told with every call, because the config may change. The zero Gate is empty. It
// is safe for concurrent use.
type Gate struct {
	inside atomic.Int64 // changed with mu held

	mu      sync.Mutex // guards the rest
	waiting list.List  // of *entry
	refused time.Time  // when somebody last found no place in time
}

// entry is where a Waiter stands in a line.
type entry struct {
	waiter *Waiter
	most   int
	number int
}

// The law of waiting. When more come than can be served, some will be refused however long they wait. So that they hear of it at
// once, only the first in line waits for as long as is allowed, and with it no place stays empty; those behind wait the shorter the
// less time has passed since somebody was refused.
const (
	share    = 64                   // the part of that time that they wait
	shortest = 5 * time.Millisecond // what is not worth waiting
	fewest   = 16                   // as many may wait as there are places, and so many in any case
)

// Enter takes one of most places, and reports whether there was one. Each is given back by Leave. With most 0 there always is one.
func (g *Gate) Enter(most int) bool {
	if g.Full(most) {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.enter(most)
}

// enter is Enter with the lock held.
func (g *Gate) enter(most int) bool {
	if most > 0 && (int(g.inside.Load()) >= most || g.waiting.Len() > 0) {
		return false
	}
	g.inside.Add(1)
	return true
}

// Full reports whether all of most places are taken.
func (g *Gate) Full(most int) bool { return most > 0 && g.Inside() >= most }

// Inside is how many places are taken.
func (g *Gate) Inside() int { return int(g.inside.Load()) }

// CopyTo takes as many places of another gate, at which nobody waits.
func (g *Gate) CopyTo(other *Gate) { other.inside.Store(g.inside.Load()) }

// Leave gives a place back, to the first who waits for one.
func (g *Gate) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside.Add(-1)
	for first := g.waiting.Front(); first != nil; first = g.waiting.Front() {
		e := first.Value.(*entry)
		if g.Full(e.most) {
			return
		}
		g.waiting.Remove(first)
		g.letIn(e.waiter, e.number)
	}
}

// TurnsAway reports whether somebody who came now would neither find one of most places nor be worth waiting up to wait for one. To
// have asked counts as having been refused.
func (g *Gate) TurnsAway(most int, wait time.Duration, now time.Time) bool {
	if !g.Full(most) {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.Full(most) || g.patience(most, wait, now) > 0 {
		return false
	}
	g.refused = now
	return true
}

// patience is how long it is worth to stand in line, at most wait, 0 if it is not. The lock is held.
func (g *Gate) patience(most int, wait time.Duration, now time.Time) time.Duration {
	ahead := g.waiting.Len()
	if ahead == 0 {
		return wait
	}
	worth := max(now.Sub(g.refused), 0) / share
	if ahead >= max(most, fewest) || worth < shortest {
		return 0
	}
	return min(wait, worth)
}

// Waiter is one request that waits in the lines of one or several gates for the first place that becomes free: Join for each gate,
// wait for Let for at most its Patience, then End. It is used by one goroutine.
type Waiter struct {
	let      chan struct{} // closed when it is let in
	state    atomic.Int32
	number   int // of the gate that let it in
	patience time.Duration
	lines    []line
}

// The states of a Waiter.
const (
	inLine int32 = iota
	letIn
	gone
)

type line struct {
	gate *Gate
	at   *list.Element
}

// NewWaiter returns one that stands in no line.
func NewWaiter() *Waiter { return &Waiter{let: make(chan struct{})} }

// Join puts w in the line for one of most places of g, which it calls by a number, unless that is not worth it. wait is the most that
// it may wait there.
func (w *Waiter) Join(g *Gate, most, number int, wait time.Duration, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.state.Load() != inLine {
		return
	}
	patience := g.patience(most, wait, now)
	switch {
	case !g.Full(most) && g.waiting.Len() == 0: // by now
		g.letIn(w, number)
	case patience > 0:
		w.patience = max(w.patience, patience)
		w.lines = append(w.lines, line{g, g.waiting.PushBack(&entry{w, most, number})})
	default:
		g.refused = now
	}
}

// letIn gives w a place, unless it is at another gate by now, or has gone. The lock is held.
func (g *Gate) letIn(w *Waiter, number int) {
	if w.state.CompareAndSwap(inLine, letIn) {
		g.inside.Add(1)
		w.number = number
		close(w.let)
	}
}

// Let is closed when w is let in.
func (w *Waiter) Let() <-chan struct{} { return w.let }

// Patience is how long it is worth to wait.
func (w *Waiter) Patience() time.Duration { return w.patience }

// End takes w out of all lines, and tells whether a gate has let it in: then w has a place there. inVain says that its patience is
// over, so that others wait for less.
func (w *Waiter) End(inVain bool, now time.Time) (number int, ok bool) {
	if ok = !w.state.CompareAndSwap(inLine, gone); ok {
		<-w.let // the number is there
	}
	for _, l := range w.lines {
		l.gate.mu.Lock()
		l.gate.waiting.Remove(l.at) // nothing if it is not there any more
		if inVain && !ok {
			l.gate.refused = now
		}
		l.gate.mu.Unlock()
	}
	return w.number, ok
}
