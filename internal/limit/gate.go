// Package limit bounds how many requests are somewhere at once: in all, at a provider, at a target. A request that finds no place waits for
// one briefly. Places are shared out among keys, so that one key's requests do not keep another's out.
//
// It also bounds what keys, teams and models use: requests and tokens a minute, and requests at once; see Table.
package limit

import (
	"sync"
	"sync/atomic"
	"time"
)

// Gate has places for a number of requests. A free place goes to a waiting request: the keys take turns, and the requests of one key
// go in order of arrival; see turns. How many places there are is passed with every call, because the config may change. A key is
// any number that identifies a sender of requests. The zero Gate is empty. It is safe for concurrent use.
type Gate struct {
	inside atomic.Int64 // changed with mu held

	mu    sync.Mutex // guards the rest
	turns turns
}

// The law of waiting. When more requests come than can be served, some are refused however long they wait. To refuse them at once,
// only the first in a key's line waits for the whole time allowed. That is enough to leave no place empty. The others wait a
// shorter time if a request of their key was refused recently, and only while the line is not full.
const (
	share    = 64                   // the part of that time that they wait
	shortest = 5 * time.Millisecond // what is not worth waiting
	fewest   = 16                   // as many requests may wait as there are places, and so many in any case
)

// Enter takes one of most places for a key, and reports whether there was one. Each is given back by Leave. With most 0 there always is
// one.
func (g *Gate) Enter(most int, key uint64) bool {
	if g.Full(most) {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if most > 0 && (int(g.inside.Load()) >= most || g.turns.waiting > 0) {
		return false
	}
	g.inside.Add(1)
	g.turns.of(key).held++
	return true
}

// Full reports whether all of most places are taken.
func (g *Gate) Full(most int) bool { return most > 0 && g.Inside() >= most }

// Inside is how many places are taken.
func (g *Gate) Inside() int { return int(g.inside.Load()) }

// CopyTo takes as many places of another gate, in which no request waits.
func (g *Gate) CopyTo(other *Gate) { other.inside.Store(g.inside.Load()) }

// Leave gives a key's place back, to the request whose turn it is.
func (g *Gate) Leave(key uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside.Add(-1)
	g.turns.left(key)
	for e := g.turns.next(); e != nil && !g.Full(e.most); e = g.turns.next() {
		g.turns.remove(e)
		if g.letIn(e.waiter, e.number) {
			g.turns.served(e.line)
		}
		g.turns.tidy(e.line)
	}
}

// TurnsAway reports whether a request that came now would find all of most places taken and should not wait up to wait for one. To
// have asked counts as having been refused.
func (g *Gate) TurnsAway(most int, key uint64, wait time.Duration, now time.Time) bool {
	if !g.Full(most) {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.Full(most) || g.patience(most, key, wait, now) > 0 {
		return false
	}
	g.turns.refuse(key, now)
	return true
}

// patience is how long a request of the key should wait in line: at most wait, and 0 if waiting is useless. The lock is held.
func (g *Gate) patience(most int, key uint64, wait time.Duration, now time.Time) time.Duration {
	own := g.turns.keys[key]
	if own == nil || own.entries.Len() == 0 {
		return wait
	}
	if g.turns.waiting >= max(most, fewest) && g.turns.heavier(own) == nil {
		return 0
	}
	worth := max(now.Sub(own.refused), 0) / share
	if worth < shortest {
		return 0
	}
	return min(wait, worth)
}

// letIn gives w a place, unless it is at another gate by now, or has gone. The lock is held.
func (g *Gate) letIn(w *Waiter, number int) bool {
	if !w.state.CompareAndSwap(inLine, letIn) {
		return false
	}
	g.inside.Add(1)
	l := g.turns.of(w.key)
	g.turns.given++
	l.held, l.last = l.held+1, g.turns.given
	w.number = number
	close(w.let)
	return true
}
