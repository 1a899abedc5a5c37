package config

import (
	"slices"
	"strings"
)

// maxWeight is the largest weight of a target.
const maxWeight = 10_000

// checkOrder checks what orders a model's targets: options that have no effect with others are slips.
func (d *decoder) checkOrder(m *Model) {
	if !d.usable(&m.Policy) || !d.usable(&m.Sticky) {
		return
	}
	sticky := m.Sticky != StickyNone
	if sticky && m.Policy == PolicyOrdered {
		d.errorf(d.where(&m.Sticky), "sticky needs a policy that orders the other targets: add policy: weighted, or remove sticky")
	}
	for i := range m.Targets {
		t := &m.Targets[i]
		switch {
		case !d.given(&t.Weight):
		case t.Weight < 1 || t.Weight > maxWeight:
			d.errorf(d.where(&t.Weight), "weight must be from 1 to %d", maxWeight)
		case m.Policy != PolicyWeighted && !sticky:
			d.errorf(d.name(&t.Weight), "weight has no effect with policy: %s: set policy: weighted, or sticky, or remove weight", m.Policy)
		}
		if t.Price == nil {
			continue
		}
		d.checkSteps(t.Price.Long)
		for j := range t.Price.Tiers {
			d.checkSteps(t.Price.Tiers[j].Long)
		}
	}
}

// checkSteps checks that the steps of a price rise.
func (d *decoder) checkSteps(steps []LongPrice) {
	for i := range steps {
		switch above := &steps[i].Above; {
		case !d.given(above):
		case *above < 1:
			d.errorf(d.where(above), "above must be at least 1")
		case i > 0 && d.given(&steps[i-1].Above) && *above <= steps[i-1].Above:
			d.errorf(d.where(above), "above must be more than the %d of the step before: the longer prompts come later", steps[i-1].Above)
		}
	}
}

// checkHedge checks that there is something to hedge with.
func (d *decoder) checkHedge(m *Model) {
	if m.Hedge == nil || !d.usable(m.Hedge) {
		return
	}
	at := d.name(&m.Hedge)
	switch {
	case d.given(&m.Targets) && len(m.Targets) == 1 && len(m.Fallbacks.To) == 0:
		d.errorf(at, "hedge needs a second target to ask: add one, or remove hedge")
	case m.Retries.MaxAttempts == 1:
		d.errorf(at, "hedge has no effect with max_attempts: 1: allow 2 at least, or remove hedge")
	}
	if d.usable(&m.Hedge.Budget) && m.Hedge.Budget == 0 {
		d.errorf(d.where(&m.Hedge.Budget), "budget must be more than 0%%: to make no second calls, remove hedge")
	}
}

// checkFallbacks checks what models fall back on; complete says whether models are all there are.
func (d *decoder) checkFallbacks(models []Model, complete bool) {
	known := make([]string, len(models))
	for i := range models {
		known[i] = models[i].Name
	}
	for i := range models {
		f := &models[i].Fallbacks
		if d.given(&f.To) && len(f.To) == 0 {
			d.errorf(d.where(&f.To), "fallbacks names no model: name one, or remove it")
		}
		if d.given(&f.On) && len(f.On) == 0 {
			d.errorf(d.where(&f.On), "on is empty: name what to fall back on, or remove the line for error, rate_limit and context")
		}
		for j := range f.To {
			to := &f.To[j]
			switch {
			case !d.usable(to):
			case strings.Contains(*to, "*"):
				d.errorf(d.where(to), "a fallback is one model, but %s has a *: write the name in full", d.quote(to, *to))
			case slices.Contains(f.To[:j], *to):
				d.errorf(d.where(to), "%s is here twice: remove one", d.quote(to, *to))
			case complete && serving(models, *to) < 0:
				d.errorf(d.where(to), "unknown model %s%s", d.quote(to, *to), suggest(*to, known, "the models are"))
			case serving(models, *to) == i: // the fallbacks of fallbacks are not followed, so two models may name each other
				d.errorf(d.where(to), "model %q falls back on itself: remove %s", models[i].Name, d.quote(to, *to))
			}
		}
	}
}

// serving is the place of the model that serves a name: an exact one, else the longest pattern; -1 for none.
func serving(models []Model, name string) int {
	best, length := -1, -1
	for i := range models {
		prefix, wild := strings.CutSuffix(models[i].Name, "*")
		switch {
		case models[i].Name == name:
			return i
		case wild && len(prefix) > length && strings.HasPrefix(name, prefix):
			best, length = i, len(prefix)
		}
	}
	return best
}
