package limit

import (
	"container/list"
	"time"
)

// turns says whose request is next. A key with one request here, and no recent refusal, goes first, as sparse flows do in FQ-CoDel
// (RFC 8290). Among these, the one whose last place is longest ago goes first. The other keys take turns, one request each. So a key
// that asks for little does not wait for keys that ask for much, or that always have one request waiting. Many small keys must not
// keep the others out. So every fourth place goes to one of the others whose last place is longer ago than that of the small ones.
type turns struct {
	keys    map[uint64]*keyLine // that hold a place or wait, and those in idle
	idle    list.List           // of *keyLine: keys with neither, but with a refusal; the longest idle first
	sparse  list.List           // of *keyLine: keys that wait with one request, hold no place, and had no recent refusal; ordered by last
	others  list.List           // of *keyLine: the other waiting keys
	ahead   int                 // places in a row that went to sparse keys while others waited
	waiting int                 // requests, of all keys
	given   uint64              // places that went to requests in line
	forgot  uint64              // the greatest last of a key that was forgotten, which every unknown key may be
	spare   []*keyLine          // to use again
}

// keyLine is one key at a gate: the places that it holds, and its requests that wait.
type keyLine struct {
	key     uint64
	held    int
	entries list.List     // of *entry, in order of arrival
	turn    *list.Element // in sparse or others; nil while none of its requests waits
	sparse  bool          // turn is in sparse
	refused time.Time     // when one of its requests last found no place in time
	last    uint64        // the number, of all places given in line, of the last that was its
	idle    *list.Element // in idle; nil while it holds a place or waits
}

// entry is the place of a Waiter in a line.
type entry struct {
	waiter *Waiter
	most   int
	number int
	line   *keyLine
	at     *list.Element // nil once it is out of the line
}

const (
	sparseInARow = 3 // places that go to sparse keys before one goes to a key that had its last place earlier
	lately       = time.Second
	maxSpare     = 64   // lines that are kept to be used again
	maxIdle      = 1024 // number of keys whose refusals, or places after waiting, are remembered
)

// of returns the line of a key.
func (t *turns) of(key uint64) *keyLine {
	if l := t.keys[key]; l != nil {
		if l.idle != nil {
			t.idle.Remove(l.idle)
			l.idle = nil
		}
		return l
	}
	if t.keys == nil {
		t.keys = map[uint64]*keyLine{}
	}
	var l *keyLine
	if last := len(t.spare) - 1; last >= 0 {
		l, t.spare = t.spare[last], t.spare[:last]
	} else {
		l = new(keyLine)
	}
	l.key, l.last = key, t.forgot
	t.keys[key] = l
	return l
}

// tidy forgets a key that holds no place and does not wait. That it was refused, or waited for its place, is remembered of the last
// keys.
func (t *turns) tidy(l *keyLine) {
	if l.held > 0 || l.entries.Len() > 0 || l.idle != nil || t.keys[l.key] != l {
		return
	}
	if !l.refused.IsZero() || l.last != t.forgot {
		l.idle = t.idle.PushBack(l)
		if t.idle.Len() <= maxIdle {
			return
		}
		l = t.idle.Remove(t.idle.Front()).(*keyLine)
		t.forgot = max(t.forgot, l.last)
	}
	delete(t.keys, l.key)
	if len(t.spare) < maxSpare {
		*l = keyLine{}
		t.spare = append(t.spare, l)
	}
}

// left notes that a key gave a place back. Places that were taken before the gate had a bound may be unknown.
func (t *turns) left(key uint64) {
	if l := t.keys[key]; l != nil {
		l.held = max(l.held-1, 0)
		t.tidy(l)
	}
}

// refuse notes that a request of a key found no place. A key without a line needs no record. A request of the key that waits no
// longer goes first.
func (t *turns) refuse(key uint64, now time.Time) {
	l := t.keys[key]
	if l == nil {
		return
	}
	l.refused = now
	if l.turn != nil && l.sparse {
		t.drop(l)
		l.sparse, l.turn = false, t.others.PushBack(l)
	}
}

// add puts a request at the end of its key's line.
func (t *turns) add(e *entry, now time.Time) {
	l := t.of(e.waiter.key)
	e.line, e.at = l, l.entries.PushBack(e)
	t.waiting++
	if l.turn != nil && !l.sparse {
		return
	}
	t.drop(l)
	if l.sparse = l.held == 0 && l.entries.Len() == 1 && (l.refused.IsZero() || now.Sub(l.refused) >= lately); l.sparse {
		l.turn = t.addSparse(l)
	} else {
		l.turn = t.others.PushBack(l)
	}
}

// addSparse puts a key before those that had a place later than it.
func (t *turns) addSparse(l *keyLine) *list.Element {
	for at := t.sparse.Back(); at != nil; at = at.Prev() {
		if at.Value.(*keyLine).last <= l.last {
			return t.sparse.InsertAfter(l, at)
		}
	}
	return t.sparse.PushFront(l)
}

// remove takes a request out of its line, if it is still there. The key keeps its turn while others of its requests wait.
func (t *turns) remove(e *entry) {
	if e.at == nil {
		return
	}
	e.line.entries.Remove(e.at)
	e.at = nil
	t.waiting--
	if e.line.entries.Len() == 0 {
		t.drop(e.line)
	}
}

// drop takes a key out of turn.
func (t *turns) drop(l *keyLine) {
	if l.turn == nil {
		return
	}
	if l.sparse {
		t.sparse.Remove(l.turn)
	} else {
		t.others.Remove(l.turn)
	}
	l.turn = nil
}

// next is the request whose turn it is, nil if none waits.
func (t *turns) next() *entry {
	from := t.sparse.Front()
	if other := t.others.Front(); from == nil || other != nil && t.ahead >= sparseInARow && other.Value.(*keyLine).last <= from.Value.(*keyLine).last {
		from = other
	}
	if from == nil {
		return nil
	}
	return from.Value.(*keyLine).entries.Front().Value.(*entry)
}

// served notes that a key had its turn, which it has again after all others.
func (t *turns) served(l *keyLine) {
	switch {
	case !l.sparse || t.others.Len() == 0:
		t.ahead = 0
	default:
		t.ahead++
	}
	if l.turn != nil {
		t.drop(l)
		l.sparse, l.turn = false, t.others.PushBack(l)
	}
}

// heavier is the waiting key with the most requests, held and waiting, if own with one more request would have fewer. Otherwise it
// is nil. own may be nil.
func (t *turns) heavier(own *keyLine) (heaviest *keyLine) {
	weight := 1
	if own != nil {
		weight += own.held + own.entries.Len()
	}
	for _, keys := range [...]*list.List{&t.sparse, &t.others} {
		for at := keys.Front(); at != nil; at = at.Next() {
			l := at.Value.(*keyLine)
			if n := l.held + l.entries.Len(); n > weight {
				weight, heaviest = n, l
			}
		}
	}
	return heaviest
}
