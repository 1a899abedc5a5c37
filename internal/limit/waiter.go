package limit

import (
	"sync/atomic"
	"time"
)

// Waiter is one request of a key that waits in the lines of one or several gates for the first free place. Call Join for each gate,
// wait for Let for at most its Patience, then call End. It is used by one goroutine.
type Waiter struct {
	key      uint64
	let      chan struct{} // closed when it is let in, or has lost its last place in a line
	state    atomic.Int32
	standing atomic.Int32 // number of lines that it waits in
	number   int          // number of the gate that let it in
	patience time.Duration
	lines    []standing
}

// The states of a Waiter.
const (
	inLine int32 = iota
	letIn
	displaced // out of its last line, in favour of a key with fewer requests
	gone
)

type standing struct {
	gate  *Gate
	entry *entry
}

// NewWaiter returns one that waits in no line.
func NewWaiter(key uint64) *Waiter { return &Waiter{key: key, let: make(chan struct{})} }

// Join puts w in the line for one of most places of g, which it calls by a number, unless that is not worth it. wait is the most that
// it may wait there. If the line is full, the newest request of the key that has the most leaves it, if that key has more than w's.
func (w *Waiter) Join(g *Gate, most, number int, wait time.Duration, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.state.Load() != inLine {
		return
	}
	patience := g.patience(most, w.key, wait, now)
	switch {
	case !g.Full(most) && g.turns.waiting == 0: // by now
		g.letIn(w, number)
	case patience > 0:
		if g.turns.waiting >= max(most, fewest) {
			g.displace(g.turns.heavier(g.turns.keys[w.key]), now)
		}
		w.patience = max(w.patience, patience)
		w.standing.Add(1)
		e := &entry{waiter: w, most: most, number: number}
		g.turns.add(e, now)
		w.lines = append(w.lines, standing{g, e})
	default:
		g.turns.refuse(w.key, now)
	}
}

// displace takes the newest request of a key out of the line, if there is such a key. The lock is held.
func (g *Gate) displace(l *keyLine, now time.Time) {
	if l == nil {
		return
	}
	e := l.entries.Back().Value.(*entry)
	g.turns.remove(e)
	l.refused = now
	g.turns.tidy(l)
	if w := e.waiter; w.standing.Add(-1) == 0 && w.state.CompareAndSwap(inLine, displaced) {
		close(w.let)
	}
}

// Let is closed when w is let in, and when it need not wait any longer.
func (w *Waiter) Let() <-chan struct{} { return w.let }

// Patience is how long it is worth to wait.
func (w *Waiter) Patience() time.Duration { return w.patience }

// End takes w out of all lines, and reports whether a gate has let it in: then w has a place there. timedOut says that its patience is
// over, so that others of its key wait for less.
func (w *Waiter) End(timedOut bool, now time.Time) (number int, ok bool) {
	if !w.state.CompareAndSwap(inLine, gone) {
		<-w.let // the number is there
	}
	ok = w.state.Load() == letIn
	for _, l := range w.lines {
		l.gate.mu.Lock()
		l.gate.turns.remove(l.entry)
		if timedOut && !ok {
			l.gate.turns.refuse(w.key, now)
		}
		l.gate.turns.tidy(l.entry.line)
		l.gate.mu.Unlock()
	}
	return w.number, ok
}
