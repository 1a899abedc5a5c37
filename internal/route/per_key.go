package route

import (
	"slices"
	"time"
)

// mostKeys is of how many keys something is remembered in one place. Keys are the operator's to make, so their number is
// bounded by nothing else; those that were quiet for longest are forgotten first. Requests alone cannot push a key out.
const mostKeys = 1024

// perKey is what is remembered of the keys of callers, by the hash of each. The zero value is empty. It is not safe for
// concurrent use.
type perKey[T any] struct {
	of map[uint64]*remembered[T]
}

type remembered[T any] struct {
	value *T
	used  time.Time
}

// find is what is remembered of a key, nil if that is nothing.
func (p *perKey[T]) find(key uint64) *T {
	if r := p.of[key]; r != nil {
		return r.value
	}
	return nil
}

// use is what is remembered of a key that makes a request now, at first the zero value.
func (p *perKey[T]) use(key uint64, now time.Time) *T {
	return p.keep(key, nil, now)
}

// keep is use for a key that was remembered. If it was forgotten since, it is remembered again.
func (p *perKey[T]) keep(key uint64, known *T, now time.Time) *T {
	r := p.of[key]
	if r == nil {
		if len(p.of) >= mostKeys {
			p.makeRoom()
		}
		if p.of == nil {
			p.of = map[uint64]*remembered[T]{}
		}
		if known == nil {
			known = new(T)
		}
		r = &remembered[T]{value: known}
		p.of[key] = r
	}
	r.used = now
	return r.value
}

// makeRoom forgets the eighth of the keys that was quiet for longest.
func (p *perKey[T]) makeRoom() {
	keys := make([]uint64, 0, len(p.of))
	for key := range p.of {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b uint64) int { return p.of[a].used.Compare(p.of[b].used) })
	for _, key := range keys[:mostKeys/8] {
		delete(p.of, key)
	}
}

// clone is a copy.
func (p *perKey[T]) clone() perKey[T] {
	c := perKey[T]{of: make(map[uint64]*remembered[T], len(p.of))}
	for key, r := range p.of {
		value := *r.value
		c.of[key] = &remembered[T]{&value, r.used}
	}
	return c
}

// only is a copy that remembers just the one key.
func (p *perKey[T]) only(key uint64) perKey[T] {
	r := p.of[key]
	if r == nil {
		return perKey[T]{}
	}
	value := *r.value
	return perKey[T]{of: map[uint64]*remembered[T]{key: {&value, r.used}}}
}
