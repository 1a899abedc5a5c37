package importer

import "strings"

// tier are targets of which one is drawn by weight.
type tier []*Target

// tiered adds a model whose targets are drawn from its first tier, and from each further one when those before have failed. Tiers of one target
// are a list in order, any others are models that it falls back on. It reports whether nothing was lost: a pattern whose targets take its rest
// can fall back on none, so its tiers become one list.
func (d *Draft) tiered(name string, at *Node, tiers []tier) (m *Model, whole bool) {
	tiers = withoutRepeats(tiers)
	if len(tiers) == 0 {
		return nil, true
	}
	single, wild := true, false
	for i, t := range tiers {
		single = single && len(t) == 1
		for _, target := range t {
			wild = wild || i > 0 && strings.HasSuffix(target.Model, "*")
		}
	}
	m = &Model{Name: name, At: at}
	d.Add(m)
	if single || wild {
		for _, t := range tiers {
			m.Targets = append(m.Targets, t...)
		}
		unweighted(m.Targets)
		return m, single
	}
	m.draw(tiers[0])
	begin := strings.TrimRight(name, "*")
	if begin == "" {
		begin = "fallback"
	}
	for n, rest := int64(2), tiers[1:]; len(rest) > 0; n++ {
		for d.models[begin+"~"+decimal(n)] != nil {
			n++
		}
		next := &Model{Name: begin + "~" + decimal(n), At: at}
		if next.draw(rest[0]); len(rest[0]) == 1 {
			for len(rest) > 1 && len(rest[1]) == 1 {
				rest = rest[1:]
				next.Targets = append(next.Targets, rest[0]...)
			}
			unweighted(next.Targets)
		}
		rest = rest[1:]
		d.Add(next)
		m.Fallbacks.On = []string{"error", "rate_limit"}
		m.Fallbacks.To = append(m.Fallbacks.To, next.Name)
	}
	return m, true
}

// draw gives a model the targets of a tier.
func (m *Model) draw(t tier) {
	m.Targets = append(m.Targets, t...)
	if len(t) > 1 {
		m.Policy = "weighted"
	} else {
		unweighted(m.Targets)
	}
}

// unweighted takes weights away from targets that are not drawn.
func unweighted(targets []*Target) {
	for _, t := range targets {
		t.Weight = 0
	}
}

// withoutRepeats are the tiers without targets that are there already, and without those that are empty then.
func withoutRepeats(tiers []tier) (all []tier) {
	type identity struct {
		provider *Provider
		model    string
	}
	seen := map[identity]*Target{}
	for _, t := range tiers {
		var kept tier
		for _, target := range t {
			id := identity{target.Provider, target.Model}
			if first := seen[id]; first != nil {
				if first.Weight > 0 && target.Weight > 0 {
					first.Weight = min(first.Weight+target.Weight, maxWeight)
				}
				continue
			}
			seen[id] = target
			kept = append(kept, target)
		}
		if len(kept) > 0 {
			all = append(all, kept)
		}
	}
	return all
}

// weights are whole numbers in the proportions of others, at least 1 for each that is above 0.
func weights(shares []float64) []int64 {
	most, scale := 0.0, 1.0
	for _, s := range shares {
		most = max(most, s)
	}
	for _, s := range shares { // as many decimals as they have, up to 4
		for scale < 10_000 && s*scale != float64(int64(s*scale)) && most*scale*10 <= maxWeight {
			scale *= 10
		}
	}
	if most*scale > maxWeight {
		scale = maxWeight / most
	}
	all := make([]int64, len(shares))
	for i, s := range shares {
		if s > 0 {
			all[i] = max(int64(s*scale+0.5), 1)
		}
	}
	return all
}
