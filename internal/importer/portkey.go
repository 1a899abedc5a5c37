package importer

import (
	"fmt"
	"slices"
	"strings"
)

// Portkey is Portkey's gateway: a config as its clients name it, or send it in x-portkey-config.
type Portkey struct{}

// Name implements Source.
func (Portkey) Name() string { return "portkey" }

// portkey is one conversion.
type portkey struct {
	to *Draft
	*Report
	secrets *secrets
}

// passed is what a target has from those that it is in.
type passed struct {
	override map[string]*Node // of override_params
	order    []string         // their names
	host     *Node            // custom_host
	forward  *Node            // forward_headers
	name     string           // of the model, which targets without one of their own get
}

// portkeyNames are the names by which a config of Portkey's is known.
var portkeyNames = []string{"strategy", "targets", "provider", "virtual_key", "api_key", "override_params", "retry", "cache", "request_timeout", "input_guardrails", "output_guardrails"}

// Convert implements Source.
func (Portkey) Convert(doc *Document, to *Draft) error {
	p := &portkey{to: to, Report: to.Report, secrets: newSecrets(to.Report, doc.Root, substituted)}
	root := doc.Root
	if inner := root.Get("config"); inner.IsMap() { // as Portkey's API and its exports have it
		for _, f := range root.Fields {
			if f.Value != inner {
				p.Exact(f.Value, "not needed: it only describes the config")
			}
		}
		root = inner
	}
	if !slices.ContainsFunc(portkeyNames, func(name string) bool { return member(root, name) != nil }) {
		return &SourceError{doc.Name, root.Line, root.Column, "this is no config of Portkey's: it has neither strategy and targets nor provider, virtual_key, override_params, retry or cache"}
	}
	p.model(root, "*", passed{})
	if len(to.Models) == 0 {
		p.Add(Finding{File: root.File, Line: root.Line, Column: root.Column, Class: Manual, Path: "targets", Text: "no target is left, so the result has no models: add providers and models"})
	}
	return nil
}

// member is a field by its name in Portkey's API, or by that in its clients for JavaScript.
func member(n *Node, name string) *Node {
	if f := n.Get(name); f != nil {
		return f
	}
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return n.Get(strings.Join(words, ""))
}

// model adds the model that a config, or a target with targets of its own, stands for. A name that ends in * is any: what callers name is passed on to
// the targets that have no model of their own.
func (p *portkey) model(n *Node, name string, in passed) {
	mode := member(n, "strategy").Get("mode")
	if mode.Text() == "conditional" {
		p.conditional(n, name, in)
		return
	}
	in.name = name
	tiers := p.tiers(n, in)
	m, whole := p.to.tiered(name, n, tiers)
	if m == nil {
		return
	}
	if !whole {
		p.Add(Finding{n.File, n.Line, n.Column, Approximate, n.Path, "the targets are one list in order, without weights: those without a model of their own cannot be fallbacks"})
	}
	legs := 0
	for _, t := range tiers {
		legs += len(t)
	}
	p.retries(n, m, int64(legs))
}

// tiers are the targets of a config: those of a tier are drawn by weight, and each tier is for when those before have failed.
func (p *portkey) tiers(n *Node, in passed) (tiers []tier) {
	in = p.pass(n, in)
	p.aside(n)
	targets := member(n, "targets").list()
	for _, target := range targets {
		p.within(target)
	}
	if len(targets) == 0 {
		if t := p.target(n, in); t != nil {
			tiers = append(tiers, tier{t})
		}
		return tiers
	}
	mode := member(n, "strategy").Get("mode")
	switch mode.Text() {
	case "loadbalance":
		p.Exact(mode, "policy: weighted")
		return p.balance(targets, in)
	case "fallback":
		for _, target := range targets {
			tiers = append(tiers, p.tiers(target, in)...)
		}
		p.fallback(n, mode)
		return tiers
	case "single", "":
		if mode != nil {
			p.Exact(mode, "the first target")
		}
		for _, other := range targets[1:] {
			p.Unsupported(other, "left out: the mode single uses the first target alone, as Portkey does")
		}
	case "conditional":
		p.Manual(mode, "conditions within other strategies have no place in Weir: the first target is used. Give each target a model of its own, and have callers name that")
		for _, other := range targets[1:] {
			p.Manual(other, "left out: it is for a condition")
		}
	default:
		p.Manual(mode, fmt.Sprintf("the mode %q is not known here: the first target is used", mode.Text()))
		for _, other := range targets[1:] {
			p.Manual(other, "left out: its strategy is not known")
		}
	}
	return p.tiers(targets[0], in)
}

// fallback says what a strategy goes on after.
func (p *portkey) fallback(n, mode *Node) {
	codes := member(member(n, "strategy"), "on_status_codes")
	if codes == nil {
		p.Approximate(mode, "targets in order: Weir goes on after failures of a provider and at its rate limits, and Portkey after any status but 2xx, a 400 for a wrong request included")
		return
	}
	p.Exact(mode, "targets in order")
	p.Approximate(codes, "Weir goes on by the class of a failure: 408, 429, 5xx, refused credentials and unknown models, and not after a request that is wrong itself")
}

// balance are the tiers of targets that are drawn by weight: their first tiers together, and after those what each falls back on.
func (p *portkey) balance(targets []*Node, in passed) (tiers []tier) {
	shares := make([]float64, len(targets))
	for i, target := range targets {
		shares[i] = 1
		if w := member(target, "weight"); w != nil {
			var ok bool
			if shares[i], ok = w.float(); !ok || shares[i] < 0 {
				shares[i] = 1
				p.Manual(w, "it is no weight: 1 is used")
			}
		}
	}
	var first tier
	for i, whole := range weights(shares) {
		w := member(targets[i], "weight")
		if whole == 0 {
			p.Approximate(targets[i], "left out: with the weight 0 Portkey never draws it")
			continue
		}
		if w != nil && !w.said {
			p.Exact(w, fmt.Sprintf("weight %d of the target", whole))
		}
		inner := p.tiers(targets[i], in)
		if len(inner) == 0 {
			continue
		}
		if len(inner[0]) > 1 {
			spread(inner[0], whole)
		} else {
			inner[0][0].Weight = whole
		}
		first = append(first, inner[0]...)
		if tiers = append(tiers, inner[1:]...); len(inner) > 1 {
			p.Add(Finding{targets[i].File, targets[i].Line, targets[i].Column, Approximate, targets[i].Path, "what it falls back on is tried after all targets that are drawn, not before the others"})
		}
	}
	return append([]tier{first}, tiers...)
}

// spread shares a weight out among targets by their own.
func spread(t tier, whole int64) {
	shares, sum := make([]float64, len(t)), 0.0
	for i := range t {
		shares[i] = float64(t[i].Weight)
		sum += shares[i]
	}
	for i := range t {
		t[i].Weight = max(int64(shares[i]/sum*float64(whole)*100+0.5), 1)
	}
}

// pass adds what a config gives to the targets in it.
func (p *portkey) pass(n *Node, in passed) passed {
	all := passed{override: map[string]*Node{}, order: slices.Clone(in.order), host: in.host, forward: in.forward, name: in.name}
	for name, value := range in.override {
		all.override[name] = value
	}
	for _, f := range member(n, "override_params").fields() {
		if all.override[f.Name] == nil {
			all.order = append(all.order, f.Name)
		}
		all.override[f.Name] = f.Value
	}
	if host := member(n, "custom_host"); host.Text() != "" {
		all.host = host
	}
	if forward := member(n, "forward_headers"); forward.IsList() {
		all.forward = forward
	}
	return all
}

// retries converts retry and request_timeout, which are of the model as a whole.
func (p *portkey) retries(n *Node, m *Model, legs int64) {
	retry := member(n, "retry")
	if attempts := retry.Get("attempts"); attempts != nil {
		if value, ok := attempts.Int(); ok && value >= 0 && value <= 100 {
			m.Attempts = value + legs
			p.Approximate(attempts, "retries.max_attempts of the model, its targets added: Portkey repeats at each target, and Weir counts all attempts of a request")
		} else {
			p.Manual(attempts, "it is no number of attempts: it was left out")
		}
	} else if legs > 3 {
		m.Attempts = legs // or the last ones are never reached
	}
	for _, name := range []string{"on_status_codes", "use_retry_after_header"} {
		if f := member(retry, name); f != nil {
			p.Approximate(f, "not needed: Weir repeats by the class of a failure, and heeds Retry-After")
		}
	}
	if timeout := member(n, "request_timeout"); timeout != nil {
		if value, ok := timeout.Int(); ok && value > 0 && value <= maxLimit {
			m.Total = decimal(value) + "ms"
			p.Approximate(timeout, "timeouts.total of the model: Weir counts the whole request with all attempts, Portkey each attempt until its answer begins")
		} else {
			p.Manual(timeout, "it is no number of milliseconds: it was left out")
		}
	}
}

// within reports what targets say of repeats and timeouts, which Weir's models have as a whole.
func (p *portkey) within(target *Node) {
	if retry := member(target, "retry"); retry != nil && !retry.said {
		p.Manual(retry, "left out: repeats are of a model as a whole, in retries.max_attempts, and of a target in none")
	}
	if timeout := member(target, "request_timeout"); timeout != nil && !timeout.said {
		p.Manual(timeout, "left out: timeouts are of a model as a whole: set timeouts.total or timeouts.first_token")
	}
}

// aside reports what is the same at configs and targets, and has no place in a model.
func (p *portkey) aside(n *Node) {
	const guard = "Weir has no guardrails: keep them in the callers, or in a service before Weir"
	for _, f := range []struct{ name, why string }{
		{"cache", "Weir keeps no answers for other requests: each goes to a provider"},
		{"input_guardrails", guard},
		{"output_guardrails", guard},
		{"before_request_hooks", guard},
		{"after_request_hooks", guard},
		{"default_input_guardrails", guard},
		{"default_output_guardrails", guard},
		{"input_mutators", guard},
		{"output_mutators", guard},
		{"prompt_id", "Weir keeps no prompts"},
		{"metadata", "Weir's tags come from callers, in the header weir-tags"},
	} {
		if m := member(n, f.name); m != nil {
			p.Unsupported(m, f.why)
		}
	}
	if provider := member(n, "provider"); provider != nil && member(n, "targets") != nil {
		p.Exact(provider, "not used, as by Portkey: its targets have their own")
	}
	for _, f := range []struct{ name, why string }{
		{"strict_open_ai_compliance", "not needed: answers are as OpenAI's API has them"},
		{"cb_config", "not needed: Weir watches how targets fare, and passes over those that fail"},
	} {
		if m := member(n, f.name); m != nil {
			p.Approximate(m, f.why)
		}
	}
	for _, name := range []string{"name", "id", "description", "type", "version"} {
		if m := n.Get(name); m != nil && !m.said {
			p.Exact(m, "not needed: it only describes the config")
		}
	}
}
