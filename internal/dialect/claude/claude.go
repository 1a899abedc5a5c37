// Package claude is what is known of Claude models, for all dialects by which they can be reached.
package claude

import "strings"

// Thinking is the form in which a model is asked to reason.
type Thinking uint8

// The forms.
const (
	NoThinking Thinking = iota
	ByBudget            // {"type":"enabled","budget_tokens":…}
	Adaptive            // {"type":"adaptive"}, with an effort beside it
)

// Model is what a family of models takes.
type Model struct {
	prefix    string
	MaxOut    int64
	Think     Thinking
	XHigh     bool // knows this effort
	Schema    bool // structured output
	Sampling  bool // takes temperature, top_p, top_k
	OneOfTwo  bool // temperature or top_p, not both
	NeverMust bool // cannot be forced to call a tool
}

// models is the table; the first row whose prefix fits counts. Sources: the vendor's documentation and recorded traffic
// of August to November 2026. What has no row is a model of another vendor behind this dialect.
var models = []Model{
	{prefix: "claude-3-haiku", MaxOut: 4096, Sampling: true},
	{prefix: "claude-3-opus", MaxOut: 4096, Sampling: true},
	{prefix: "claude-3-5", MaxOut: 8192, Sampling: true},
	{prefix: "claude-3-7", MaxOut: 64000, Sampling: true, Think: ByBudget},
	{prefix: "claude-opus-4-1", MaxOut: 32000, Sampling: true, OneOfTwo: true, Think: ByBudget, Schema: true},
	{prefix: "claude-sonnet-4-5", MaxOut: 64000, Sampling: true, OneOfTwo: true, Think: ByBudget, Schema: true},
	{prefix: "claude-haiku-4-5", MaxOut: 64000, Sampling: true, OneOfTwo: true, Think: ByBudget, Schema: true},
	{prefix: "claude-opus-4-5", MaxOut: 64000, Sampling: true, OneOfTwo: true, Think: ByBudget, Schema: true},
	{prefix: "claude-opus-4-6", MaxOut: 128000, Sampling: true, OneOfTwo: true, Think: Adaptive, Schema: true},
	{prefix: "claude-sonnet-4-6", MaxOut: 128000, Sampling: true, OneOfTwo: true, Think: Adaptive, Schema: true},
	{prefix: "claude-opus-4-7", MaxOut: 128000, Think: Adaptive, XHigh: true, Schema: true},
	{prefix: "claude-opus-4-8", MaxOut: 128000, Think: Adaptive, XHigh: true, Schema: true},
	{prefix: "claude-opus-4", MaxOut: 32000, Sampling: true, Think: ByBudget},
	{prefix: "claude-sonnet-4", MaxOut: 64000, Sampling: true, Think: ByBudget},
	{prefix: "claude-fable", MaxOut: 128000, Think: Adaptive, XHigh: true, Schema: true, NeverMust: true},
	{prefix: "claude-mythos", MaxOut: 128000, Think: Adaptive, XHigh: true, Schema: true, NeverMust: true},
	{prefix: "claude-", MaxOut: 128000, Think: Adaptive, XHigh: true, Schema: true},
	{prefix: "", MaxOut: 64000, Sampling: true, Think: ByBudget},
}

// Of is the row of a model, by its name.
func Of(name string) Model {
	for _, m := range models {
		if strings.HasPrefix(name, m.prefix) {
			return m
		}
	}
	return Model{} // the last row fits all
}

// DefaultMax is what an answer may take if the caller does not say: the API wants to be told. What it is told counts
// against the context window, so it is not simply all that the model can do.
const DefaultMax = 16384

// EffortOf is the API's word for an effort.
func (m Model) EffortOf(effort string) string {
	switch {
	case effort == "minimal":
		return "low"
	case effort == "xhigh" && !m.XHigh:
		return "max"
	}
	return effort
}
