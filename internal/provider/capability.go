package provider

import (
	"maps"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/capability"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// named is under which vendor and name the table of capabilities has a model: the provider's own, or the one that like names, as
// kind/model. The vendor is "" if it is not known who answers.
func (p *Provider) named(model, like string) (vendor, name string) {
	if kindName, name, ok := strings.Cut(like, "/"); ok {
		return catalog.VendorOf(kindName, name), name
	}
	if p.table == "" {
		return "", model
	}
	return p.kind.Vendor(model), model
}

// About is what is known of a model of this provider. If like is not empty, it names the model whose row counts instead, as
// kind/model.
func (p *Provider) About(model, like string) (capability.Row, bool) {
	vendor, name := p.named(model, like)
	if vendor == "" {
		return capability.Row{}, false
	}
	return capability.Find(vendor, name)
}

// Lacks is what the model of a row is known not to take.
func Lacks(row *capability.Row) llm.Ability {
	var lacks llm.Ability
	for _, a := range [...]struct {
		known capability.Ability
		need  llm.Ability
	}{
		{capability.Images, llm.TakesImages},
		{capability.Audio, llm.TakesAudio},
		{capability.PDF, llm.TakesFiles},
		{capability.Tools, llm.TakesTools},
		{capability.Schema, llm.TakesSchema},
	} {
		if row.Lacks(a.known) {
			lacks |= a.need
		}
	}
	return lacks
}

// TakesOf is what a target's model takes by the config, nil if it says nothing.
func TakesOf(c *config.Capabilities) *llm.Takes {
	if c == nil {
		return nil
	}
	t := &llm.Takes{
		Reasoning: map[config.Reasoning]llm.ReasoningForm{
			config.ReasoningNone: llm.ReasoningNone, config.ReasoningEffort: llm.ReasoningEffort, config.ReasoningBudget: llm.ReasoningBudget,
		}[c.Reasoning],
		MinBudget: int64(c.MinBudget), MaxBudget: int64(c.MaxBudget),
		Context: c.ContextLength, MaxInput: c.MaxInputTokens, MaxOutput: c.MaxOutputTokens,
	}
	if c.Sampling != nil {
		t.Samples, t.Refuses = texts(c.Sampling), texts(c.Others())
	}
	t.Efforts = texts(c.Efforts)
	for _, a := range [...]struct {
		said    *bool
		ability llm.Ability
	}{
		{c.StructuredOutput, llm.TakesSchema},
		{c.ToolChoice, llm.TakesChoice},
		{c.Prefill, llm.TakesPrefill},
		{c.Tools, llm.TakesTools},
		{c.Images, llm.TakesImages},
		{c.Audio, llm.TakesAudio},
		{c.Files, llm.TakesFiles},
	} {
		switch {
		case a.said == nil:
		case *a.said:
			t.Has |= a.ability
		default:
			t.Lacks |= a.ability
		}
	}
	return t
}

func texts[T ~string](words []T) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	return list
}

// Schemaless reports whether the provider is known to refuse a form of the answer by schema. The config's own list of what is left
// out has the last word.
func (p *Provider) Schemaless() bool { return p.table != "" && p.kind.Schemaless && !p.fixed.omit }

// Without are the members of r that the model does not take, by the config or by the vendor. For a translated request the dialect
// leaves out its own, except for the sampling parameters.
func (p *Provider) Without(r dialect.Asking, model string, takes *llm.Takes) (omit []string) {
	if r.Scan().Endpoint == llm.Embeddings {
		return nil
	}
	passes := p.Dialect(model) == llm.OpenAI
	if passes && !takes.Can(llm.TakesSchema, !p.Schemaless()) && r.AsksSchema() {
		omit = append(omit, "response_format")
	}
	switch {
	case takes == nil:
		return omit
	case !passes:
		return takes.Refuses
	}
	omit = append(omit, takes.Refuses...)
	effort := r.Text("reasoning_effort")
	if takes.Reasoning == llm.ReasoningNone || effort != "" && len(takes.Efforts) > 0 && !slices.Contains(takes.Efforts, effort) {
		omit = append(omit, "reasoning_effort")
	}
	if choice := r.Text("tool_choice"); !takes.Can(llm.TakesChoice, true) && choice != "auto" && choice != "none" {
		omit = append(omit, "tool_choice")
	}
	return omit
}

// allowed is what remains of omit, members that a model is known to refuse, if the config says that it takes some of them.
func allowed(omit []string, takes *llm.Takes) []string {
	if takes == nil {
		return omit
	}
	return slices.DeleteFunc(slices.Clone(omit), func(name string) bool {
		return takes.Sample(name, false) || name == "reasoning_effort" && takes.Reasons(false)
	})
}

// MaxOutput is how many tokens a model can answer with at most, 0 if that is not known; like is as for About. A dialect other than
// OpenAI's knows its vendor's models by their names, at any provider, and so does this.
func (p *Provider) MaxOutput(model, like string) int64 {
	row, ok := p.About(model, like)
	if !ok && p.table == "" && p.Dialect(model) != llm.OpenAI {
		row, _ = capability.Find(p.kind.Vendor(model), model)
	}
	return int64(row.MaxOutput)
}

// params are the members of r to rename and to leave out: by the config, otherwise by the kind and by what is known of the
// model. The legacy endpoint has no reasoning models, and embeddings no such members.
func (p *Provider) params(r dialect.Asking, model, like string, takes *llm.Takes) (rename map[string]string, omit []string) {
	vendor, name := p.named(model, like)
	if vendor != "" && (r.Scan().Endpoint == llm.Chat || r.Scan().Endpoint == llm.Compacting) && p.kind.Dialect == llm.OpenAI { // another dialect knows what its models take
		rename, omit = capability.Params(vendor, name, r.Text("reasoning_effort"), r.OffersTools())
	}
	rename, omit = p.renames(rename), p.omits(omit)
	if !p.fixed.omit {
		omit = allowed(omit, takes)
	}
	return rename, omit
}

// renames joins the provider's renames with those of one model, which count more.
func (p *Provider) renames(model map[string]string) map[string]string {
	switch {
	case len(model) == 0 || p.fixed.rename:
		return p.rename
	case len(p.rename) == 0:
		return model
	}
	joined := maps.Clone(p.rename)
	for from, to := range model {
		delete(joined, to)
		joined[from] = to
	}
	return joined
}

func (p *Provider) omits(model []string) []string {
	switch {
	case len(model) == 0 || p.fixed.omit:
		return p.omit
	case len(p.omit) == 0:
		return model
	}
	return slices.Concat(p.omit, model)
}
