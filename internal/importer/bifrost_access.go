package importer

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// models sets which models a virtual key may use, by their names with the provider's before, and notes what it says of names without.
func (g *bifrostGovernance) models(n *Node, k *Key) {
	configs := n.Get("provider_configs").list()
	if len(configs) == 0 && g.emptyAllows(n, "provider_configs") {
		for _, provider := range g.served {
			k.Models = append(k.Models, provider+"/*")
		}
	}
	weighs := false
	for _, config := range configs {
		weighs = g.config(config, k) || weighs
	}
	if weighs {
		g.about(n, Approximate, "callers name models as provider/model: what Bifrost chose a provider for by its catalog needs one before its name")
	}
	if len(k.Models) == 0 { // an empty list would allow all
		k.Ended = true
		g.about(n, Manual, "it may use no model of the result, so it is revoked: create it again, with models")
	}
}

// config converts what a virtual key may use of a provider. weighs says that it has a part of all models that are named without a provider.
func (g *bifrostGovernance) config(n *Node, k *Key) (weighs bool) {
	name := n.Get("provider").Text()
	at := slices.IndexFunc(g.served, func(provider string) bool { return strings.EqualFold(provider, name) })
	if at < 0 {
		g.about(n, Manual, fmt.Sprintf("the provider %q is not in the result", name))
		return false
	}
	provider := g.served[at]
	if keys := n.First("key_ids", "allowed_keys", "keys"); keys.IsList() && len(keys.Items) > 0 && !slices.Contains(keys.Texts(), "*") {
		g.about(n, Manual, "it may use some keys of the provider alone: Weir uses all of them by turns")
	} else if all := n.Get("allow_all_keys"); all != nil && !truth(all) {
		g.about(n, Approximate, "it may use no key of the provider, so none of its models")
		return false
	}
	for _, one := range slices.Concat(g.owned(n, "budget", "provider_config_id"), g.owned(n, "rate_limit", "provider_config_id")) {
		g.say(one, Manual, "left out: a key has it for one provider alone, which Weir does not have: create a key for each provider")
	}
	g.unknown(n, "provider", "weight", "allowed_models", "blacklisted_models", "key_ids", "allowed_keys", "keys", "allow_all_keys", "virtual_key_id")
	weight, weighted := n.Get("weight").float()
	weighted = weighted && weight > 0
	allowed, not := n.Get("allowed_models").Texts(), n.Get("blacklisted_models").Texts()
	if slices.Contains(allowed, "*") || len(allowed) == 0 && g.emptyAllows(n, "allowed_models") {
		if len(not) == 0 {
			k.Models = append(k.Models, provider+"/*")
			return weighted
		}
		g.about(n, Manual, fmt.Sprintf("it may use all models but %s: Weir has no exceptions, so it may use those others that the result names: add what it lacks", strings.Join(not, ", ")))
		for _, m := range g.to.Models {
			if name, ok := strings.CutPrefix(m.Name, provider+"/"); ok && name != "*" && !slices.Contains(not, name) {
				k.Models = append(k.Models, m.Name)
			}
		}
		return weighted
	}
	for _, model := range allowed {
		switch {
		case slices.Contains(not, model):
			continue
		case nameProblem(model) != "" || strings.Contains(model, "*"):
			g.about(n, Manual, fmt.Sprintf("it may use %q, which is no name of a model: it was left out", model))
			continue
		case g.to.Serves(provider+"/"+model) == nil:
			g.about(n, Manual, fmt.Sprintf("it may use the model %q, which the result does not have", model))
		case weighted:
			g.bare.add(model, k, bifrostLeg{provider, weight})
		}
		k.Models = append(k.Models, provider+"/"+model)
	}
	return false
}

// emptyAllows reports whether a list that is empty allows all, which the version of the format says. Without one it allows nothing: a key that may use
// less than it did is safe.
func (g *bifrostGovernance) emptyAllows(n *Node, name string) bool {
	switch version, known := g.root.Get("version").Int(); {
	case !known:
		g.about(n, Manual, name+` is empty, which allows nothing since Bifrost 1.5 and allowed all before: if the file is older, add "version": 1 to it and import it again`)
	case version >= firstAllowing:
		g.about(n, Approximate, name+" is empty, which allows nothing")
	default:
		return true
	}
	return false
}

// bifrostLeg is a provider that a virtual key names for a model, with its weight.
type bifrostLeg struct {
	provider string
	weight   float64
}

// bifrostChoice is how requests of a key for a model are shared out that name no provider.
type bifrostChoice struct {
	key  *Key
	legs []bifrostLeg
}

// same reports whether another key shares out in the same proportions.
func (c bifrostChoice) same(other bifrostChoice) bool {
	total := func(legs []bifrostLeg) (sum float64) {
		for _, leg := range legs {
			sum += leg.weight
		}
		return sum
	}
	one, two := total(c.legs), total(other.legs)
	return slices.EqualFunc(c.legs, other.legs, func(a, b bifrostLeg) bool {
		return a.provider == b.provider && math.Abs(a.weight/one-b.weight/two) < 1e-6
	})
}

// bifrostBare are the models that virtual keys share out among providers.
type bifrostBare struct {
	names []string // in their order
	legs  map[string][]bifrostChoice
}

// add adds a leg to the choice of a key.
func (b *bifrostBare) add(model string, k *Key, leg bifrostLeg) {
	all := b.legs[model]
	if len(all) == 0 {
		b.names = append(b.names, model)
	}
	if len(all) == 0 || all[len(all)-1].key != k {
		all = append(all, bifrostChoice{key: k})
	}
	all[len(all)-1].legs = append(all[len(all)-1].legs, leg)
	b.legs[model] = all
}

// bareModels adds models for names without a provider, where all virtual keys share them out in the same way.
func (g *bifrostGovernance) bareModels() {
	for _, name := range g.bare.names {
		choices := g.bare.legs[name]
		if strings.Contains(name, "/") || g.to.Model(name) != nil {
			continue
		}
		differs := slices.ContainsFunc(choices, func(c bifrostChoice) bool { return !c.same(choices[0]) })
		if differs {
			g.about(g.at.Get("virtual_keys"), Manual, fmt.Sprintf("virtual keys share %q out among providers in different ways: have callers name provider/%s, or add a model of that name", name, name))
			continue
		}
		g.bareModel(name, choices[0].legs)
		for _, c := range choices {
			c.key.Models = append(c.key.Models, name)
		}
	}
}

// bareModel adds a model whose targets are those of some providers, drawn by the weights of both.
func (g *bifrostGovernance) bareModel(name string, legs []bifrostLeg) {
	var targets tier
	var shares []float64
	for _, leg := range legs {
		from := g.to.Serves(leg.provider + "/" + name)
		total := 0.0
		for _, t := range from.Targets {
			total += float64(max(t.Weight, 1))
		}
		for _, t := range from.Targets {
			one := *t
			if one.Model == "*" {
				one.Model = name
			}
			targets, shares = append(targets, &one), append(shares, leg.weight*float64(max(t.Weight, 1))/total)
		}
	}
	for i, weight := range weights(shares) {
		targets[i].Weight = weight
	}
	g.to.tiered(name, g.at.Get("virtual_keys"), []tier{targets})
}
