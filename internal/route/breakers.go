package route

import (
	"slices"
	"strings"
	"time"
)

// Breakers is the state of a configured target's breakers: one, or those of all known models if its model ends in *.
type Breakers struct {
	Provider, Model      string // as the config has them
	Closed, Open, Trying int
	Keys                 int // number of keys for which alone one is not closed
	Ill                  int // targets with one that is not closed, for all keys or for some
}

// Breakers are those of all configured targets, each target once, at now.
func (t *Table) Breakers(now time.Time) []Breakers {
	var all []Breakers
	known := t.board.states(now)
	for _, m := range t.models {
		for i := range m.Targets {
			target := &m.Targets[i]
			same := func(b Breakers) bool { return b.Provider == target.Provider && b.Model == target.Model }
			if !slices.ContainsFunc(all, same) {
				all = append(all, target.breakers(known))
			}
		}
	}
	return all
}

// breakers sums up those of the target, given all that are known.
func (t *Target) breakers(known map[targetName]stand) Breakers {
	b := Breakers{Provider: t.Provider, Model: t.Model}
	if !t.Wild() {
		b.count(known[targetName{t.Provider, t.Model}])
		return b
	}
	for name, s := range known {
		if name.provider == t.Provider && strings.HasPrefix(name.model, strings.TrimSuffix(t.Model, "*")) {
			b.count(s)
		}
	}
	return b
}

func (b *Breakers) count(s stand) {
	b.Keys += s.keys
	if s.phase != Closed || s.keys > 0 {
		b.Ill++
	}
	switch s.phase {
	case Open:
		b.Open++
	case Trying:
		b.Trying++
	default:
		b.Closed++
	}
}

// stand is the state of a target's breakers: the one for all, and how many of single keys are not closed.
type stand struct {
	phase Phase
	keys  int
}

// states are the breakers of all targets that were ever asked.
func (b *Board) states(now time.Time) map[targetName]stand {
	all := map[targetName]stand{}
	b.targets.each(func(name targetName, h *Health) {
		if !h.lastUsed().IsZero() {
			all[name] = stand{h.State(now).Phase, len(h.downFor())}
		}
	})
	return all
}

// Credentials is the state of the credentials of each provider that a configured target names, by the provider's name. Parked
// are those that are so for any key.
func (t *Table) Credentials(now time.Time) map[string]Standing {
	all := map[string]Standing{}
	for _, m := range t.models {
		for i := range m.Targets {
			target := &m.Targets[i]
			if _, ok := all[target.Provider]; !ok {
				all[target.Provider] = t.board.credentialsAside(target.Provider, max(target.Credentials, 1)).standing(now, (*credential).parkedForSome)
			}
		}
	}
	return all
}
