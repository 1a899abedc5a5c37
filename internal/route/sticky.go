package route

import (
	"math"
	"slices"
)

// Sticky is what a request's first target goes by, so that requests alike meet the same prompt cache.
type Sticky uint8

// What it goes by.
const (
	Loose    Sticky = iota // nothing: the policy picks the first as well
	ByUser                 // the end user that the request names
	ByPrefix               // what the prompt begins with
)

var stickies = [...]string{"none", "user", "prefix"}

// String is the word in the config.
func (s Sticky) String() string { return stickies[s] }

// ParseSticky reads the word in the config.
func ParseSticky(text string) (Sticky, bool) {
	i := slices.Index(stickies[:], text)
	return Sticky(max(i, 0)), i >= 0
}

// Sticks reports whether the request has a value that chooses its first target.
func (s Sticky) Sticks(ask *Ask) bool { return s.of(ask) != 0 }

// of is a hash of the part of the request that counts, 0 for nothing.
func (s Sticky) of(ask *Ask) uint64 {
	switch s {
	case ByUser:
		return ask.User
	case ByPrefix:
		return ask.Prefix
	}
	return 0
}

// Bounds on the load of one target of a sticky model: a multiple of its share of all that is in flight, and this many in any
// case.
const (
	maxShare = 1.25
	minBusy  = 2
)

// tooSlow bounds how slow a home may be: its first content may take this many times as long as the fastest target's. Below that a
// warm cache makes up for it.
const tooSlow = 3

// home is the place of the step that is home to requests with this hash, -1 if none is ready. It is rendezvous hashing by weight: if
// a target is not ready, only its own requests move to the others. One that has more in flight than its share passes the request on
// to the next. No request is at home at steps of a rank above worst.
func home(steps []Step, hash, worst uint64) int {
	busy, weights := 1, 0.0 // this request counts too
	for i := range steps {
		if s := &steps[i]; s.homely(worst) {
			busy += int(s.busy)
			weights += s.weight()
		}
	}
	best, shortest := -1, math.Inf(1)
	for i := range steps {
		s := &steps[i]
		if !s.homely(worst) {
			continue
		}
		bits, weight := mix(hash^s.hash()), s.weight()
		if atLeast(bits, weight) >= shortest {
			continue
		}
		wait := exponential(bits, weight)
		limit := max(math.Ceil(maxShare*float64(busy)*weight/weights), minBusy) // rounded up, so that a target always takes it
		if wait < shortest && float64(s.busy+1) <= limit {
			best, shortest = i, wait
		}
	}
	return best
}

// homely reports whether requests may be at home at the step. Where the policy prefers the fastest, the rank shows which target is
// too slow for that. As scores fall while a target is not asked, one that was is tried again.
func (s *Step) homely(worst uint64) bool { return s.turn == ready && s.rank <= worst }

// hash distinguishes targets. A table has it ready.
func (t *Target) hash() uint64 {
	if t.hashed != 0 {
		return t.hashed
	}
	return Hash(t.Provider, "/", t.Model)
}

// Hash is a number that distinguishes texts (FNV-1a). It is the same in every process.
func Hash(texts ...string) uint64 {
	h := uint64(14695981039346656037)
	for _, text := range texts {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * 1099511628211
		}
	}
	return mix(h)
}
