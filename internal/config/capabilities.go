package config

import "slices"

// Capabilities is what a target's model takes, in place of what Weir knows of it. What is not set stays as it is known.
type Capabilities struct {
	// Which of the parameters that shape the choice of words the model takes: temperature, top_p, top_k, min_p, seed, stop,
	// presence_penalty, frequency_penalty, logit_bias, logprobs, top_logprobs. All others of these are left out and reported
	// in weir-ignored-params; `[]` leaves out all. Example: `[temperature, top_p]`.
	Sampling []SamplingParam `yaml:"sampling"`

	// How requests set the amount of reasoning: `none` (it cannot be set: reasoning_effort is left out), `effort` (by a word),
	// `budget` (by a number of tokens, if the provider's API has this). Example: `effort`.
	Reasoning Reasoning `yaml:"reasoning"`

	// The values of reasoning_effort that the model knows. If the request names another value, a translated request gets the next
	// higher one, or else the highest. A request that is passed on loses reasoning_effort. Example: `[low, medium, high]`.
	Efforts []Effort `yaml:"efforts"`

	// The smallest number of reasoning tokens that a request may set. Example: `1024`.
	MinBudget int `yaml:"min_budget"`

	// The largest number of reasoning tokens that a request may set. Example: `32768`.
	MaxBudget int `yaml:"max_budget"`

	// Whether answers can be made to follow a JSON schema. A request that asks for it goes to another target if this one cannot.
	// Without such a target, response_format is left out. Example: `true`.
	StructuredOutput *bool `yaml:"structured_output"`

	// Whether the model can be made to call a tool, or a certain one. Otherwise such a tool_choice is left out. Example: `false`.
	ToolChoice *bool `yaml:"tool_choice"`

	// Whether the model goes on with an answer that the caller has begun: whose last message is the assistant's. If not, such a request
	// goes to another target. Example: `false`.
	Prefill *bool `yaml:"prefill"`

	// Whether the model can call tools. A request with tools goes to another target if it cannot. Example: `false`.
	Tools *bool `yaml:"tools"`

	// Whether a prompt may hold images; else it goes to another target, as for `audio` and `files`. Example: `true`.
	Images *bool `yaml:"images"`

	// Whether a prompt may hold sound. Example: `true`.
	Audio *bool `yaml:"audio"`

	// Whether a prompt may hold files. Example: `true`.
	Files *bool `yaml:"files"`

	// How many tokens a request and its answer may have together. A prompt that is surely longer goes to another target, and
	// `GET /v1/models` shows it. Example: `131072`.
	ContextLength int `yaml:"context_length"`

	// How many tokens a prompt may have, where that has a limit of its own. A longer one goes to another target. Example: `100000`.
	MaxInputTokens int `yaml:"max_input_tokens"`

	// How many tokens an answer may have. `GET /v1/models` shows it, and the policy cheapest counts with it. A provider that requires a
	// limit is sent this one when the caller sets none. Example: `8192`.
	MaxOutputTokens int `yaml:"max_output_tokens"`
}

// SamplingParam is a parameter that shapes the choice of words.
type SamplingParam string

var samplingParams = [...]SamplingParam{
	"temperature", "top_p", "top_k", "min_p", "seed", "stop", "presence_penalty", "frequency_penalty", "logit_bias", "logprobs", "top_logprobs",
}

// UnmarshalText accepts the parameters there are.
func (p *SamplingParam) UnmarshalText(text []byte) error { return word(p, text, samplingParams[:]) }

// Others are the parameters that are not in the list.
func (c *Capabilities) Others() []SamplingParam {
	return slices.DeleteFunc(slices.Clone(samplingParams[:]), func(p SamplingParam) bool { return slices.Contains(c.Sampling, p) })
}

// Reasoning is how a request sets the amount of reasoning.
type Reasoning string

// The forms.
const (
	ReasoningNone   Reasoning = "none"
	ReasoningEffort Reasoning = "effort"
	ReasoningBudget Reasoning = "budget"
)

var reasonings = [...]Reasoning{ReasoningNone, ReasoningEffort, ReasoningBudget}

// UnmarshalText accepts the forms there are.
func (r *Reasoning) UnmarshalText(text []byte) error { return word(r, text, reasonings[:]) }

// Effort is a value of reasoning_effort.
type Effort string

var efforts = [...]Effort{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// UnmarshalText accepts the values there are.
func (e *Effort) UnmarshalText(text []byte) error { return word(e, text, efforts[:]) }

// mostTokens is the highest number of tokens that is understood: numbers of them are summed.
const mostTokens = 1_000_000_000

// checkCapabilities checks a target's capabilities against what its kind supports.
func (d *decoder) checkCapabilities(c *Capabilities, kind *Kind) {
	for _, n := range []struct {
		name   string
		value  *int
		within bool // the context
	}{
		{"min_budget", &c.MinBudget, true},
		{"max_budget", &c.MaxBudget, true},
		{"context_length", &c.ContextLength, false},
		{"max_input_tokens", &c.MaxInputTokens, true},
		{"max_output_tokens", &c.MaxOutputTokens, true},
	} {
		switch {
		case !d.given(n.value):
		case n.within && c.ContextLength > 0 && *n.value > c.ContextLength:
			d.errorf(d.where(n.value), "%s is more than context_length, which prompt and answer have together", n.name)
		case *n.value < 1:
			d.errorf(d.where(n.value), "%s must be at least 1", n.name)
		case *n.value > mostTokens:
			d.errorf(d.where(n.value), "%s must be at most %d", n.name, mostTokens)
		}
	}
	repeats(d, c.Sampling)
	repeats(d, c.Efforts)
	budgets := d.given(&c.MinBudget) || d.given(&c.MaxBudget)
	budget := d.where(&c.MinBudget, &c.MaxBudget)
	switch {
	case d.given(&c.Efforts) && len(c.Efforts) == 0:
		d.errorf(d.where(&c.Efforts), "efforts is empty: name those that the model knows, or write reasoning: none")
	case len(c.Efforts) == 1 && c.Efforts[0] == "none":
		d.errorf(d.where(&c.Efforts), "efforts names none that asks for any: name those that the model knows, or write reasoning: none")
	case d.given(&c.Efforts) && d.given(&c.Reasoning) && c.Reasoning != ReasoningEffort:
		d.errorf(d.where(&c.Efforts), "efforts has no effect with reasoning: %s: remove one", c.Reasoning)
	case budgets && d.given(&c.Reasoning) && c.Reasoning != ReasoningBudget:
		d.errorf(budget, "a budget has no effect with reasoning: %s: remove one", c.Reasoning)
	case c.MaxBudget > 0 && c.MinBudget > c.MaxBudget:
		d.errorf(budget, "min_budget is more than max_budget: swap them")
	case kind == nil:
	case !kind.Translated && c.Reasoning == ReasoningBudget:
		d.errorf(d.where(&c.Reasoning), "kind %s takes no number of reasoning tokens: write effort or none", kind.Name)
	case !kind.Translated && budgets:
		d.errorf(budget, "kind %s takes no number of reasoning tokens: remove it", kind.Name)
	case kind.Wordless && c.Reasoning == ReasoningEffort:
		d.errorf(d.where(&c.Reasoning), "kind %s takes only a number of reasoning tokens: write budget or none", kind.Name)
	case kind.Wordless && d.given(&c.Efforts):
		d.errorf(d.where(&c.Efforts), "kind %s takes only a number of reasoning tokens: remove it", kind.Name)
	}
}

// repeats finds the words that are in a list twice.
func repeats[T ~string](d *decoder, list []T) {
	for i := range list {
		if d.usable(&list[i]) && slices.Contains(list[:i], list[i]) {
			d.errorf(d.where(&list[i]), "%s is here twice: remove one", list[i])
		}
	}
}
