package route

import (
	"strings"
	"sync"

	"github.com/weirproxy/weir/internal/limit"
)

// Board is what is known of the targets, of the providers' credentials and of each model's repeats. It outlives reloads of
// the config. It is safe for concurrent use.
type Board struct {
	targets shelf[targetName, *Health]
	budgets shelf[string, *callBudget]

	mu          sync.RWMutex // guards the rest
	credentials map[credentialSet]*Credentials
	gates       map[string]*limit.Gate // for providers whose targets share their places

	source limit.Source // counts what vendors allow for several Weirs; nil counts it for this one
}

type targetName struct{ provider, model string }

// credentialSet is a provider with n credentials. While the config changes, requests may know of different numbers.
type credentialSet struct {
	provider string
	n        int
}

// NewBoard returns an empty board.
func NewBoard() *Board {
	return &Board{credentials: map[credentialSet]*Credentials{}, gates: map[string]*limit.Gate{}}
}

// NewSharedBoard returns an empty board of one of several Weirs. What vendors allow targets in a minute a source counts for all together; of requests at
// once, each Weir has an equal part.
func NewSharedBoard(source limit.Source) *Board {
	b := NewBoard()
	b.source = source
	return b
}

// newHealth knows nothing of a target.
func (b *Board) newHealth(provider, model string) *Health {
	if b.source == nil {
		return new(Health)
	}
	return &Health{source: b.source, id: provider + "/" + model}
}

// Health is what is known of a target. Where all models of a provider are passed through, model names come from
// callers. The board remembers some thousands of targets, and forgets quiet ones when others come.
func (b *Board) Health(provider, model string) *Health {
	if h, ok := b.targets.find(targetName{provider, model}); ok {
		return h
	}
	if len(provider)+len(model) > longestName {
		return b.newHealth(provider, model)
	}
	// The names are parts of texts that need not be kept.
	return b.targets.add(targetName{strings.Clone(provider), strings.Clone(model)}, b.newHealth(provider, model))
}

// of returns what is known of a target.
func (b *Board) of(t *Target) *Health {
	if t.health != nil {
		return t.health
	}
	return b.Health(t.Provider, t.Model)
}

// keep is what is known of a target that a table names. It is not forgotten any more, so that the table may hold on to it and no plan
// has to look it up.
func (b *Board) keep(t *Target) *Health {
	if b == nil {
		return nil
	}
	h := b.Health(t.Provider, t.Model)
	h.keep()
	return h
}

// repeats is the budget of a model's repeats.
func (b *Board) repeats(model string) *callBudget {
	if r, ok := b.budgets.find(model); ok {
		return r
	}
	if len(model) > longestName {
		return new(callBudget)
	}
	return b.budgets.add(strings.Clone(model), new(callBudget))
}

// Credentials are the n of a provider. Their number comes from the config: with another one, nothing is known of them.
func (b *Board) Credentials(provider string, n int) *Credentials {
	set := credentialSet{provider, n}
	b.mu.RLock()
	c := b.credentials[set]
	b.mu.RUnlock()
	if c != nil {
		return c
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if c = b.credentials[set]; c == nil {
		c = newCredentials(n)
		b.credentials[set] = c
	}
	return c
}

// keys are the credentials of a target's provider.
func (b *Board) keys(t *Target) *Credentials {
	switch {
	case t.keys != nil:
		return t.keys
	case b == nil:
		return nil
	}
	return b.Credentials(t.Provider, max(t.Credentials, 1))
}

// gate is where the requests to a step's target are counted, nil if it is not bounded.
func (b *Board) gate(s *Step) *limit.Gate {
	switch {
	case s.Concurrent == 0:
		return nil
	case !s.Shared:
		return &s.health.gate
	}
	b.mu.RLock()
	g := b.gates[s.Provider]
	b.mu.RUnlock()
	if g != nil {
		return g
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if g = b.gates[s.Provider]; g == nil {
		g = new(limit.Gate)
		b.gates[s.Provider] = g
	}
	return g
}

// places are how many requests of this Weir a step's target may have at once, one at least if it is bounded.
func (b *Board) places(s *Step) int {
	if b.source == nil || s.Concurrent == 0 {
		return s.Concurrent
	}
	return max(s.Concurrent/int(b.source.Weirs()), 1)
}

// full reports whether all places at a step's target are taken.
func (b *Board) full(s *Step) bool {
	gate := b.gate(s)
	return gate != nil && gate.Full(b.places(s))
}

// Release frees parked and resting credentials, and lets breakers pass a probe at once: after a reload of the config the
// providers may have changed.
func (b *Board) Release() {
	b.targets.each(func(_ targetName, h *Health) { h.release() })
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, c := range b.credentials {
		c.release()
	}
}
