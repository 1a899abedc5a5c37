package limit

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"
)

// Table is what the subjects of limits have used. It remembers a subject while a request of it runs, and until all that it took has
// come back: one that rests is as good as one that was never seen. The zero Table is not ready; see NewTable. It is safe for
// concurrent use.
type Table struct {
	seed   maphash.Seed
	shards [shards]shard
}

const (
	shards = 64
	roomy  = 64 // so many subjects of a shard are kept without looking which of them rest
)

// shard is a part of the subjects.
type shard struct {
	mu       sync.Mutex
	subjects map[name]*subject
	look     int // how many subjects there may be before those at rest are looked for
}

type name struct {
	kind Kind
	id   string
}

// subject is what one key, team or model has used.
type subject struct {
	users atomic.Int32 // admissions that have it; raised under the shard's lock only, so that no admission gets a dropped subject

	mu       sync.Mutex // guards the rest
	requests bucket
	tokens   bucket
	running  int64
}

// NewTable returns a table in which nothing was used.
func NewTable() *Table {
	t := &Table{seed: maphash.MakeSeed()}
	for i := range t.shards {
		t.shards[i].subjects, t.shards[i].look = map[name]*subject{}, roomy
	}
	return t
}

func (t *Table) shard(kind Kind, id string) *shard {
	return &t.shards[(maphash.String(t.seed, id)+uint64(kind))%shards]
}

// enter returns a subject for an admission, which leaves it.
func (t *Table) enter(kind Kind, id string, now Instant) *subject {
	s := t.shard(kind, id)
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.subjects[name{kind, id}]
	if of == nil {
		if len(s.subjects) >= s.look {
			s.drop(now)
		}
		of = &subject{}
		s.subjects[name{kind, id}] = of
	}
	of.users.Add(1)
	return of
}

// drop forgets the subjects at rest. The next look is after as many others have come, so that its cost is small for each.
func (s *shard) drop(now Instant) {
	kept := map[name]*subject{}
	for key, of := range s.subjects {
		if !of.rests(now) {
			kept[key] = of
		}
	}
	s.subjects, s.look = kept, max(2*len(kept), roomy)
}

// rests reports whether the subject is as good as a new one. The shard is locked.
func (s *subject) rests(now Instant) bool {
	if s.users.Load() > 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests.rests(now) && s.tokens.rests(now)
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
	for i := range claims {
		c := &claims[i]
		if c.ID == "" || c.Limits == (Limits{}) {
			continue
		}
		var requests, tokens bucket
		var running int64
		s := t.shard(Kind(i), c.ID)
		s.mu.Lock()
		of := s.subjects[name{Kind(i), c.ID}]
		s.mu.Unlock()
		if of != nil { // if it is dropped meanwhile, it rests, and says so
			of.mu.Lock()
			requests, tokens, running = of.requests, of.tokens, of.running
			of.mu.Unlock()
		}
		if n := c.Limits.Requests; n > 0 {
			to = append(to, State{Kind(i), Requests, n, requests.left(n, now), time.Duration(requests.owed(now))})
		}
		if n := c.Limits.Tokens; n > 0 {
			to = append(to, State{Kind(i), Tokens, n, tokens.left(n, now), time.Duration(tokens.owed(now))})
		}
		if n := c.Limits.Concurrent; n > 0 {
			to = append(to, State{Of: Kind(i), What: Concurrent, Limit: n, Remaining: max(n-running, 0)})
		}
	}
	return to
}
