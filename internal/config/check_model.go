package config

import (
	"errors"
	"slices"
	"strings"
)

func (d *decoder) checkModels(c *Config) {
	var providers []string
	bounded, kinds := map[string]bool{}, map[string]*Kind{}
	for i := range c.Providers {
		p := &c.Providers[i]
		providers = append(providers, p.Name)
		bounded[p.Name] = d.present(&p.Concurrent)
		if k, ok := d.loader.kind(p.Kind); ok {
			kinds[p.Name] = &k
		}
	}
	for i := range c.Models {
		m := &c.Models[i]
		if err := checkPattern(m.Name); err != nil {
			d.errorf(d.name(m), "model name %q %v", m.Name, err)
		}
		if !d.usable(m) {
			continue
		}
		d.checkTargets(m, providers, d.usable(&c.Providers))
		d.checkOrder(m)
		d.checkHedge(m)
		for j := range m.Targets {
			t := &m.Targets[j]
			d.checkTarget(t, kinds[t.Provider], bounded[t.Provider])
		}
		d.checkTimeouts(&m.Timeouts)
		d.checkRates(&m.Limits.RPM, &m.Limits.TPM, &m.Limits.Concurrent)
		d.checkParams(&m.Params)
		for _, n := range []struct {
			name  string
			value *int
		}{
			{"max_attempts", &m.Retries.MaxAttempts},
			{"context_length", &m.ContextLength},
			{"max_output_tokens", &m.MaxOutputTokens},
		} {
			if d.given(n.value) && *n.value < 1 {
				d.errorf(d.where(n.value), "%s must be at least 1", n.name)
			}
		}
		if d.given(&m.DisplayName) && !printable(m.DisplayName) {
			d.errorf(d.where(&m.DisplayName), "display_name must be printable and at most %d bytes", maxName)
		}
	}
	d.checkAllowed(c.Models)
	d.checkFallbacks(c.Models, d.usable(&c.Models))
}

// checkTarget checks a target's other fields. kind is nil if its provider's is unknown; bounded says that the provider sets
// concurrent itself.
func (d *decoder) checkTarget(t *Target, kind *Kind, bounded bool) {
	if d.checkPlaces("concurrent", &t.Concurrent); d.given(&t.Concurrent) && bounded {
		d.errorf(d.name(&t.Concurrent), "provider %q has a concurrent already, which its targets share: set it there or at the targets", t.Provider)
	}
	d.checkRates(&t.RPM, &t.TPM)
	if t.Capabilities != nil {
		d.checkCapabilities(t.Capabilities, kind)
	}
	if d.checkParams(&t.Params); d.present(&t.Params.Rename) && kind != nil && kind.Translated {
		d.errorf(d.name(&t.Params.Rename), "kind %s takes no params.rename, because Weir translates its requests: remove it", kind.Name)
	}
	if t.PassRouting && kind != nil && !kind.Routes {
		d.errorf(d.name(&t.PassRouting), "pass_routing has no effect at provider %q: kind %s has no members that choose models; remove it", t.Provider, kind.Name)
	}
}

// checkAllowed checks that what a vendor allows at a target is the same wherever it is said.
func (d *decoder) checkAllowed(models []Model) {
	said := map[string]*Target{}
	for i := range models {
		for j := range models[i].Targets {
			t := &models[i].Targets[j]
			if !d.given(&t.RPM) && !d.given(&t.TPM) {
				continue
			}
			name := t.Provider + "/" + t.Model
			switch first := said[name]; {
			case first == nil:
				said[name] = t
			case first.RPM != t.RPM || first.TPM != t.TPM:
				d.errorf(d.where(t), "%s has another rpm or tpm on line %d, and its vendor allows it once: say the same here, or leave both out, which means the same", name, d.where(first).line)
			}
		}
	}
}

// checkPattern accepts names that may end in one *.
func checkPattern(name string) error {
	if strings.Contains(strings.TrimSuffix(name, "*"), "*") {
		return errors.New("may have one * only, at its end")
	}
	return checkModelName(name)
}

// checkModelName accepts names of models, logical and the providers' own, and patterns over them. Spaces are allowed inside.
func checkModelName(name string) error {
	if strings.HasPrefix(name, " ") || strings.HasSuffix(name, " ") {
		return errors.New("must neither begin nor end with a space")
	}
	if name != "" && !printable(name) && len(name) <= maxName {
		return errors.New("must be printable characters; spaces are allowed inside")
	}
	return checkName(strings.ReplaceAll(name, " ", "_"))
}

func printable(s string) bool { return checkName(strings.ReplaceAll(s, " ", "_")) == nil }

// checkTargets checks a model's targets; complete says whether providers are all there are, so that an
// unknown one is an error of its own.
func (d *decoder) checkTargets(m *Model, providers []string, complete bool) {
	if d.given(&m.Targets) && len(m.Targets) == 0 {
		d.errorf(d.where(&m.Targets), "model %q has no targets: name at least one, such as openai/gpt-5", m.Name)
	}
	wild := strings.HasSuffix(m.Name, "*")
	seen := map[string]bool{}
	for i := range m.Targets {
		t := &m.Targets[i]
		if !d.usable(t) || !d.usable(&t.Provider) || !d.usable(&t.Model) {
			continue
		}
		if complete && !slices.Contains(providers, t.Provider) {
			d.errorf(d.where(&t.Provider), "unknown provider %s%s", d.quote(&t.Provider, t.Provider), suggest(t.Provider, providers, "the providers are"))
		}
		model := d.quote(&t.Model, t.Model)
		if err := checkPattern(t.Model); err != nil {
			d.errorf(d.where(&t.Model), "target model %s %v", model, err)
		} else if strings.HasSuffix(t.Model, "*") && !wild {
			d.errorf(d.where(&t.Model), "target model %s ends in * but the model name %q does not: name the provider's model, or end both in *", model, m.Name)
		}
		d.checkLike(t)
		name := t.Provider + "/" + t.Model
		if seen[name] {
			d.errorf(d.where(t), "this target is here twice: remove one")
		}
		seen[name] = true
	}
}

// checkLike checks the model whose row a target uses.
func (d *decoder) checkLike(t *Target) {
	if !d.given(&t.Like) {
		return
	}
	kind, model, ok := strings.Cut(t.Like, "/")
	_, known := d.loader.kind(kind)
	like := d.quote(&t.Like, t.Like)
	switch {
	case !ok || kind == "" || model == "":
		d.errorf(d.where(&t.Like), "like must be kind/model, such as openai/gpt-5, not %s", like)
	case strings.HasSuffix(t.Model, "*"):
		d.errorf(d.where(&t.Like), "like names one model, but the target's ends in *: name the provider's model, or remove like")
	case !known:
		d.errorf(d.where(&t.Like), "like: unknown kind %s%s", d.quote(&t.Like, kind), suggest(kind, d.loader.kindNames(), "the kinds are"))
	case d.loader.Known != nil && !d.loader.Known(kind, model):
		d.errorf(d.where(&t.Like), "like: nothing is known of %s: name a model of its kind that is known, or remove like", like)
	}
}

func (d *decoder) checkTimeouts(t *Timeouts) {
	for _, one := range []struct {
		name  string
		value *Duration
	}{{"connect", &t.Connect}, {"first_token", &t.FirstToken}, {"idle", &t.Idle}, {"total", &t.Total}} {
		if d.given(one.value) && *one.value == 0 {
			d.errorf(d.where(one.value), "%s must be more than 0: to wait longer, write a longer time", one.name)
		}
	}
}
