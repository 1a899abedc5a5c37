package route

import (
	"slices"
	"sync"
	"time"
)

// shelf keeps things by name. Names may come from callers, so there is room for some thousands only; what was quiet for
// longest is thrown away first.
type shelf[K comparable, V kept] struct {
	mu    sync.RWMutex // guards the rest
	items map[K]V
	skip  int // how many new things to leave out before it is worth looking for room again
}

// kept is what a shelf keeps.
type kept interface {
	lastUsed() time.Time
	quiet(now time.Time) bool // nothing is lost that matters if it is thrown away
}

const (
	room        = 4096
	longestName = 512 // bytes of a name
)

func (s *shelf[K, V]) find(name K) (V, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.items[name]
	return v, ok
}

// each calls f with all that is on the shelf.
func (s *shelf[K, V]) each(f func(K, V)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for name, v := range s.items {
		f(name, v)
	}
}

// add puts v on the shelf, and returns what is there by that name. Without room for it nothing is, and v is returned: it
// serves the request that asked for it.
func (s *shelf[K, V]) add(name K, v V) V {
	s.mu.Lock()
	defer s.mu.Unlock()
	if there, ok := s.items[name]; ok {
		return there
	}
	if len(s.items) >= room && !s.makeRoom() {
		return v
	}
	if s.items == nil {
		s.items = map[K]V{}
	}
	s.items[name] = v
	return v
}

// makeRoom throws away a fourth of what is there, as far as it is quiet. The newest use of all is taken for now.
func (s *shelf[K, V]) makeRoom() bool {
	if s.skip > 0 {
		s.skip--
		return false
	}
	type item struct {
		name K
		used time.Time
	}
	var now time.Time
	items := make([]item, 0, len(s.items))
	for name, v := range s.items {
		used := v.lastUsed()
		items = append(items, item{name, used})
		if used.After(now) {
			now = used
		}
	}
	slices.SortFunc(items, func(a, b item) int { return a.used.Compare(b.used) })
	for _, i := range items {
		if len(s.items) <= room*3/4 {
			break
		}
		if s.items[i.name].quiet(now) {
			delete(s.items, i.name)
		}
	}
	if len(s.items) < room {
		return true
	}
	s.skip = room / 4
	return false
}
