// Package claude is what is known of Claude models, for all dialects that reach them.
package claude

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// Thinking is the form in which a request asks a model to reason.
type Thinking uint8

// The forms.
const (
	NoThinking Thinking = iota
	ByBudget            // {"type":"enabled","budget_tokens":…}
	Adaptive            // {"type":"adaptive"}, together with an effort
)

// Model is what a family of models takes, as far as the table of capabilities does not say it.
type Model struct {
	prefix    string
	Think     Thinking
	Budgets   bool // takes a budget as well, though it is Adaptive
	XHigh     bool // knows this effort
	Schema    bool // structured output
	Sampling  bool // takes temperature, top_p, top_k
	OneOfTwo  bool // temperature or top_p, not both
	NeverMust bool // cannot be forced to call a tool
	Prefill   bool // goes on with an answer that the caller has begun

	Interjects bool // takes turns of the system between the others

	takes *llm.Takes // what the config says instead
}

// models is the table; the first row whose prefix fits counts. Sources: the vendor's documentation and recorded traffic
// of August to November 2026. A model without a row comes from another vendor that speaks this dialect.
var models = []Model{
	{prefix: "claude-3-7", Sampling: true, Think: ByBudget, Prefill: true},
	{prefix: "claude-3", Sampling: true, Prefill: true},
	{prefix: "claude-opus-4-1", Sampling: true, OneOfTwo: true, Think: ByBudget, Schema: true, Prefill: true},
	{prefix: "claude-sonnet-4-5", Sampling: true, OneOfTwo: true, Think: ByBudget, Schema: true, Prefill: true},
	{prefix: "claude-haiku-4-5", Sampling: true, OneOfTwo: true, Think: ByBudget, Schema: true, Prefill: true},
	{prefix: "claude-opus-4-5", Sampling: true, OneOfTwo: true, Think: ByBudget, Schema: true, Prefill: true},
	{prefix: "claude-opus-4-6", Sampling: true, OneOfTwo: true, Think: Adaptive, Budgets: true, Schema: true},
	{prefix: "claude-sonnet-4-6", Sampling: true, OneOfTwo: true, Think: Adaptive, Budgets: true, Schema: true},
	{prefix: "claude-opus-4-7", Think: Adaptive, XHigh: true, Schema: true},
	{prefix: "claude-opus-4-8", Think: Adaptive, XHigh: true, Schema: true, Interjects: true},
	{prefix: "claude-opus-4", Sampling: true, Think: ByBudget, Prefill: true},
	{prefix: "claude-sonnet-4", Sampling: true, Think: ByBudget, Prefill: true},
	{prefix: "claude-fable", Think: Adaptive, XHigh: true, Schema: true, NeverMust: true, Interjects: true},
	{prefix: "claude-mythos", Think: Adaptive, XHigh: true, Schema: true, NeverMust: true, Interjects: true},
	{prefix: "claude-", Think: Adaptive, XHigh: true, Schema: true, Interjects: true},
	{prefix: "", Sampling: true, Think: ByBudget, Prefill: true},
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

// with is the row as the config has it.
func (m Model) with(t *llm.Takes) Model {
	if t == nil {
		return m
	}
	m.takes, m.Budgets = t, m.Budgets && t.Reasoning == llm.ReasoningUnsaid
	switch t.Reasoning {
	case llm.ReasoningNone:
		m.Think = NoThinking
	case llm.ReasoningEffort:
		m.Think = Adaptive
	case llm.ReasoningBudget:
		m.Think = ByBudget
	}
	if t.Samples != nil { // what it refuses of them does not come here
		m.Sampling = true
		m.OneOfTwo = m.OneOfTwo && !(slices.Contains(t.Samples, "temperature") && slices.Contains(t.Samples, "top_p"))
	}
	m.Schema, m.NeverMust = t.Can(llm.TakesSchema, m.Schema), !t.Can(llm.TakesChoice, !m.NeverMust)
	m.Prefill = m.Prefill || t.Can(llm.TakesPrefill, false) // where it is said to take none, that alone is no reason to refuse it here
	return m
}

// DefaultMax is the largest answer if the caller sets no limit: the API requires one. The limit counts against the
// context window, so it is not simply all that the model can do.
const DefaultMax = 16384

// oldMax is what even the oldest models can answer with, those that do not think.
const oldMax = 4096

// EffortOf is the API's word for an effort.
func (m Model) EffortOf(effort string) string {
	known, said := m.takes.Effort(effort)
	switch {
	case said:
		return known
	case effort == "minimal":
		return "low"
	case effort == "xhigh" && !m.XHigh:
		return "max"
	}
	return effort
}
