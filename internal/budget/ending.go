package budget

import (
	"hash/maphash"
	"slices"
	"sync"
)

// A call that ends is recorded in the source and charged to budgets, one after the other. If a budget began to be kept in between, it would be
// charged the call twice, or never: what the source knows of it, and what the book gets. So no call of an owner may be about to end
// while the source is asked about the owner, and calls that end meanwhile wait.

// gates keep calls that end apart from reading what was spent. Owners share gates: there are many, and few are read at once.
type gates struct {
	seed maphash.Seed
	all  [512]sync.RWMutex
}

// of is the number of an owner's gate.
func (g *gates) of(o Owner) int {
	return int(maphash.Comparable(g.seed, o) % uint64(len(g.all)))
}

// Ending is a call that is about to end.
type Ending struct{ first, second *sync.RWMutex }

// Ending is called before the end of a call of a key, and of its team, "" for none, is recorded in the source. It waits while the source is
// asked what the key or the team has spent. Done is called when the end is recorded there, and was given to Settle or Charge.
func (b *Book) Ending(key, team string) Ending {
	first := b.gates.of(Owner{Key, key})
	second := first
	if team != "" {
		second = b.gates.of(Owner{Team, team})
	}
	first, second = min(first, second), max(first, second)
	e := Ending{first: &b.gates.all[first]}
	if e.first.RLock(); second != first {
		e.second = &b.gates.all[second]
		e.second.RLock()
	}
	return e
}

// Done says that the end of the call is recorded everywhere.
func (e Ending) Done() {
	if e.second != nil {
		e.second.RUnlock()
	}
	e.first.RUnlock()
}

// close waits until no call of the owners is about to end, and keeps others from ending until open is called.
func (g *gates) close(policies map[Owner]Policy) (open func()) {
	numbers := make([]int, 0, len(policies))
	for o := range policies {
		numbers = append(numbers, g.of(o))
	}
	slices.Sort(numbers) // as calls take them
	numbers = slices.Compact(numbers)
	for _, n := range numbers {
		g.all[n].Lock()
	}
	return func() {
		for _, n := range numbers {
			g.all[n].Unlock()
		}
	}
}
