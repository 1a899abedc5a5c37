package budget

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Seen remembers what calls took, to say what is usual. What it remembers is bounded: of many keys and models it forgets some. The zero value
// has seen nothing. It is safe for concurrent use.
type Seen struct {
	mu      sync.Mutex
	pairs   map[keyModel]*answers
	models  map[string]*model
	targets map[TargetName]int64 // the most tokens that were added to a prompt
}

// So much is remembered at most: about 2 MB.
const (
	maxPairs   = 4096
	maxModels  = 2048
	maxTargets = 4096
)

// TargetName names a target.
type TargetName struct{ Provider, Model string }

type keyModel struct{ key, model string }

// model is what is remembered of a model.
type model struct {
	answers answers
	prompts int // how many there were, as long as that matters

	told, reckoned int64 // tokens that prompts had, and that they were estimated to have
}

// Call is what a call took that came to its end, by its upstream's own figures.
type Call struct {
	Target  TargetName
	Prompt  *Prompt
	Answers int64 // at least 1
	Input   int64
	Output  int64
}

// Began counts a call of a key at a logical model that begins. Ended follows it, once.
func (s *Seen) Began(key, model string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry(&s.models, model, maxModels).answers.running++
	entry(&s.pairs, keyModel{key, model}, maxPairs).running++
}

// Ended remembers a call, c, that came to its end. It is nil for one that did not, or whose figures are not the upstream's.
func (s *Seen) Ended(key, model string, c *Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, pair := entry(&s.models, model, maxModels), entry(&s.pairs, keyModel{key, model}, maxPairs)
	m.answers.end(c)
	pair.end(c)
	if c == nil || c.Prompt.Opaque {
		return
	}
	m.heard(c.Input, c.Prompt.Estimate)
	if added := c.Input - c.Prompt.Bytes - perMessage*c.Prompt.Messages; added > s.targets[c.Target] {
		if s.targets == nil {
			s.targets = map[TargetName]int64{}
		}
		makeRoom(s.targets, maxTargets)
		s.targets[c.Target] = added
	}
}

// entry returns an entry, which is added if it is missing.
func entry[K comparable, V any](m *map[K]*V, key K, most int) *V {
	if v := (*m)[key]; v != nil {
		return v
	}
	if *m == nil {
		*m = map[K]*V{}
	}
	makeRoom(*m, most)
	v := new(V)
	(*m)[key] = v
	return v
}

// makeRoom forgets entries, whichever they are, until there is room for another.
func makeRoom[K comparable, V any](m map[K]V, most int) {
	for key := range m {
		if len(m) < most {
			return
		}
		delete(m, key)
	}
}

// Habit returns what is usual of the key at the model or, if that is not known yet, of the model.
func (s *Seen) Habit(key, modelName string) (h Habit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.models[modelName]
	if m == nil {
		return Habit{}
	}
	h.Output = m.answers.usual()
	if a := s.pairs[keyModel{key, modelName}]; a != nil {
		h.Output = cmp.Or(a.usual(), h.Output)
	}
	if m.prompts >= fewest {
		h.Told, h.Reckoned = m.told, m.reckoned
	}
	return h
}

// Added returns the most tokens that the target was seen to add to a prompt.
func (s *Seen) Added(t TargetName) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.targets[t]
}

// fewest is how many calls it takes to speak of what is usual.
const fewest = 20

// remembered bounds the sums of a model's prompts: at this many tokens, both are halved, so that old prompts count less and less.
const remembered = 1 << 24

// heard notes a prompt.
func (m *model) heard(told, reckoned int64) {
	if reckoned <= 0 {
		return
	}
	const most = 1 << 22 // no prompt is longer
	m.prompts = min(m.prompts+1, fewest)
	m.told, m.reckoned = m.told+min(told, most), m.reckoned+min(reckoned, most)
	if max(m.told, m.reckoned) >= remembered {
		m.told, m.reckoned = m.told/2, m.reckoned/2
	}
}

// answers are the lengths of the last answers, in tokens.
type answers struct {
	running int // calls that have not ended
	n       int // answers there were, as long as that matters
	last    [64]uint32
	sorted  [64]uint32 // the same
}

// end ends a call.
func (a *answers) end(c *Call) {
	a.running = max(a.running-1, 0) // it may have been forgotten that it began
	if c == nil {
		return
	}
	length := (c.Output + c.Answers - 1) / c.Answers
	a.last[a.n%len(a.last)] = uint32(min(max(length, 1), math.MaxUint32))
	a.n++
	if a.n == 2*len(a.last) {
		a.n = len(a.last)
	}
	a.sorted = a.last
	slices.Sort(a.sorted[:a.known()])
}

// known is how many answers are remembered.
func (a *answers) known() int { return min(a.n, len(a.last)) }

// usual is the length that 95 % of the answers do not exceed, 0 while there are too few of them. Of many calls that begin at once the short
// answers end first, so those that run count as longer than all others. If that leaves none to go by, it is the longest that is
// remembered, or what is expected of answers that are not known if that is more.
func (a *answers) usual() int64 {
	n := a.known()
	if n < fewest {
		return 0
	}
	if rank := ((n+a.running)*95 + 99) / 100; rank <= n {
		return int64(a.sorted[rank-1])
	}
	return max(int64(a.sorted[n-1]), unknownOutput)
}
