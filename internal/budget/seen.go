package budget

import (
	"cmp"
	"sync"

	"github.com/weirproxy/weir/internal/usual"
)

// Seen remembers what calls took, to say what is usual. What it remembers is bounded: of many keys and models it forgets some. The zero value
// has seen nothing. It is safe for concurrent use.
type Seen struct {
	mu      sync.Mutex
	pairs   map[keyModel]*usual.Answers
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
	answers usual.Answers
	prompts int // how many there were, as long as that matters

	told, reckoned int64 // tokens that prompts had, and that they were estimated to have
}

// Call is what a call took that came to its end.
type Call struct {
	Counted bool // the figures are not the upstream's own
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
	entry(&s.models, model, maxModels).answers.Began()
	entry(&s.pairs, keyModel{key, model}, maxPairs).Began()
}

// Ended remembers a call, c, that came to its end. It is nil for one that did not, or that said nothing.
func (s *Seen) Ended(key, model string, c *Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, pair := entry(&s.models, model, maxModels), entry(&s.pairs, keyModel{key, model}, maxPairs)
	if c == nil {
		m.answers.GaveUp()
		pair.GaveUp()
		return
	}
	m.answers.Ended(c.Output, c.Answers)
	pair.Ended(c.Output, c.Answers)
	if c.Counted || c.Prompt.Opaque {
		return
	}
	m.heard(c.Input, c.Prompt.Estimate)
	if added := c.Input - c.Prompt.Bytes; added > s.targets[c.Target] {
		if s.targets == nil {
			s.targets = map[TargetName]int64{}
		}
		makeRoom(s.targets, maxTargets)
		s.targets[c.Target] = added
	}
}

// Note remembers an answer of a logical model, or several to one request, that counts against no budget.
func (s *Seen) Note(model string, output, answers int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry(&s.models, model, maxModels).answers.Ended(output, answers)
}

// Usual returns how many tokens 95 % of a logical model's answers do not exceed, 0 if that is not known yet.
func (s *Seen) Usual(model string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.models[model]; m != nil {
		return m.answers.Most()
	}
	return 0
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
	h.Output = m.answers.Most()
	if a := s.pairs[keyModel{key, modelName}]; a != nil {
		h.Output = cmp.Or(a.Most(), h.Output)
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

// fewest is how many prompts it takes to speak of what is usual.
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
