package limit

import (
	"sync"
	"time"
)

// Table is what the subjects of limits have used. It remembers a subject while a request of it runs, and until all that it took has
// come back: one that rests is as good as one that was never seen. The zero Table is not ready; see NewTable. It is safe for
// concurrent use.
//
// It has one lock, which is held for some tens of nanoseconds. More would not help: the requests to one model meet at that model
// anyway, and each lock takes as long as what is done under it.
type Table struct {
	source Source // nil: this Weir counts alone, in what follows

	mu       sync.Mutex // guards the rest, and what is in the subjects
	subjects [kinds]map[string]*subject
	all      []*subject // in no order
	look     int        // the place among all of the one that is looked at next, whether it rests
}

// subject is what one key, team or model has used.
type subject struct {
	kind Kind
	id   string

	users    int // admissions that have it
	requests bucket
	tokens   bucket
	running  int64
}

// NewTable returns a table in which nothing was used.
func NewTable() *Table {
	t := new(Table)
	for kind := range t.subjects {
		t.subjects[kind] = map[string]*subject{}
	}
	return t
}

// enter returns a subject for an admission, which leaves it. The lock is held.
func (t *Table) enter(kind Kind, id string, now Instant) *subject {
	of := t.subjects[kind][id]
	if of == nil {
		t.tidy(now)
		of = &subject{kind: kind, id: id}
		t.subjects[kind][id] = of
		t.all = append(t.all, of)
	}
	of.users++
	return of
}

// tidy looks at two subjects for each that comes, and forgets those at rest. So no call takes long, and most of those that are kept have
// something to remember.
func (t *Table) tidy(now Instant) {
	for range min(2, len(t.all)) {
		if t.look >= len(t.all) {
			t.look = 0
		}
		of := t.all[t.look]
		if !of.rests(now) {
			t.look++
			continue
		}
		delete(t.subjects[of.kind], of.id)
		last := len(t.all) - 1
		t.all[t.look], t.all[last] = t.all[last], nil
		t.all = t.all[:last]
	}
}

// rests reports whether the subject is as good as a new one.
func (s *subject) rests(now Instant) bool {
	return s.users == 0 && s.requests.rests(now) && s.tokens.rests(now)
}

// State is what is left of one limit.
type State struct {
	Of        Kind
	What      What
	Limit     int64
	Remaining int64
	Reset     time.Duration // until all is back; 0 for Concurrent
}

// States appends the state of each limit of the claims to a list, in the order of the kinds.
func (t *Table) States(to []State, claims *Claims, now Instant) []State {
	if t.source != nil {
		return t.statesShared(to, claims)
	}
	for i := range claims {
		c := &claims[i]
		if c.ID == "" || c.Limits == (Limits{}) {
			continue
		}
		s := t.copy(Kind(i), c.ID)
		if n := c.Limits.Requests; n > 0 {
			to = append(to, State{Kind(i), Requests, n, s.requests.of(n).left(now), time.Duration(s.requests.owed(now))})
		}
		if n := c.Limits.Tokens; n > 0 {
			to = append(to, State{Kind(i), Tokens, n, s.tokens.of(n).left(now), time.Duration(s.tokens.owed(now))})
		}
		if n := c.Limits.Concurrent; n > 0 {
			to = append(to, State{Of: Kind(i), What: Concurrent, Limit: n, Remaining: max(n-s.running, 0)})
		}
	}
	return to
}

// copy is what a subject has used by now, nothing if it is not known.
func (t *Table) copy(kind Kind, id string) subject {
	t.mu.Lock()
	defer t.mu.Unlock()
	if of := t.subjects[kind][id]; of != nil {
		return *of
	}
	return subject{}
}
