package route

import (
	"context"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/limit"
)

// Allowed is one limit of a target, and what is left of it.
type Allowed struct {
	limit.State
	Provider bool // it is the provider's, over all of its targets
}

// Allowed lists the limits of a target of the config, as provider/model: what its vendor allows a minute, and how many requests it may have at once,
// of which several Weirs have a part each. ok is false if there is no such target.
func (t *Table) Allowed(ctx context.Context, name string, now time.Time) (all []Allowed, ok bool) {
	target := t.target(name)
	if target == nil {
		return nil, false
	}
	s := Step{Target: target, health: t.board.known(target)}
	if s.health == nil {
		s.health = t.board.newHealth(target.Provider, target.Model)
	}
	if target.Metered() {
		q := s.health.metered(now)
		for _, state := range q.States(ctx, nil, target.Rates, q.at(now)) {
			all = append(all, Allowed{State: state})
		}
	}
	if gate := t.board.gate(&s); gate != nil {
		most := int64(t.board.places(&s))
		left := max(most-int64(gate.Inside()), 0)
		all = append(all, Allowed{limit.State{Of: limit.OfTarget, What: limit.Concurrent, Limit: most, Remaining: left}, target.Shared})
	}
	return all, true
}

// target finds a target by its name, nil if it is unknown. One whose model ends in * has all that begin so.
func (t *Table) target(name string) (found *Target) {
	for _, m := range t.models {
		for i := range m.Targets {
			target := &m.Targets[i]
			if target.String() == name {
				return target
			}
			prefix, wild := strings.CutSuffix(target.String(), "*")
			if wild && found == nil && len(name) > len(prefix) && strings.HasPrefix(name, prefix) {
				one := *target
				one.pattern, one.Model, one.health = target.Model, strings.TrimPrefix(name, target.Provider+"/"), nil
				found = &one
			}
		}
	}
	return found
}
