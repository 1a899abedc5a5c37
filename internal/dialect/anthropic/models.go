package anthropic

import "strings"

// thinking is the form in which a model is asked to reason.
type thinking uint8

const (
	noThinking thinking = iota
	byBudget            // {"type":"enabled","budget_tokens":…}
	adaptive            // {"type":"adaptive"}, with an effort beside it
)

// model is what a family of models takes.
type model struct {
	prefix    string
	maxOut    int64
	think     thinking
	xhigh     bool // knows this effort
	schema    bool // structured output
	sampling  bool // takes temperature, top_p, top_k
	oneOfTwo  bool // temperature or top_p, not both
	neverMust bool // cannot be forced to call a tool
}

// models is the table; the first row whose prefix fits counts. Sources: the vendor's documentation and recorded traffic
// of August to November 2026. What has no row is a model of another vendor behind this dialect.
var models = []model{
	{prefix: "claude-3-haiku", maxOut: 4096, sampling: true},
	{prefix: "claude-3-opus", maxOut: 4096, sampling: true},
	{prefix: "claude-3-5", maxOut: 8192, sampling: true},
	{prefix: "claude-3-7", maxOut: 64000, sampling: true, think: byBudget},
	{prefix: "claude-opus-4-1", maxOut: 32000, sampling: true, oneOfTwo: true, think: byBudget, schema: true},
	{prefix: "claude-sonnet-4-5", maxOut: 64000, sampling: true, oneOfTwo: true, think: byBudget, schema: true},
	{prefix: "claude-haiku-4-5", maxOut: 64000, sampling: true, oneOfTwo: true, think: byBudget, schema: true},
	{prefix: "claude-opus-4-5", maxOut: 64000, sampling: true, oneOfTwo: true, think: byBudget, schema: true},
	{prefix: "claude-opus-4-6", maxOut: 128000, sampling: true, oneOfTwo: true, think: adaptive, schema: true},
	{prefix: "claude-sonnet-4-6", maxOut: 128000, sampling: true, oneOfTwo: true, think: adaptive, schema: true},
	{prefix: "claude-opus-4-7", maxOut: 128000, think: adaptive, xhigh: true, schema: true},
	{prefix: "claude-opus-4-8", maxOut: 128000, think: adaptive, xhigh: true, schema: true},
	{prefix: "claude-opus-4", maxOut: 32000, sampling: true, think: byBudget},
	{prefix: "claude-sonnet-4", maxOut: 64000, sampling: true, think: byBudget},
	{prefix: "claude-fable", maxOut: 128000, think: adaptive, xhigh: true, schema: true, neverMust: true},
	{prefix: "claude-mythos", maxOut: 128000, think: adaptive, xhigh: true, schema: true, neverMust: true},
	{prefix: "claude-", maxOut: 128000, think: adaptive, xhigh: true, schema: true},
	{prefix: "", maxOut: 64000, sampling: true, think: byBudget},
}

// modelOf is the row of a model.
func modelOf(name string) model {
	for _, m := range models {
		if strings.HasPrefix(name, m.prefix) {
			return m
		}
	}
	return model{} // the last row fits all
}

// defaultMax is what an answer may take if the caller does not say: the API wants to be told. What it is told counts
// against the context window, so it is not simply all that the model can do.
const defaultMax = 16384

// effortOf is the API's word for an effort.
func (m model) effortOf(effort string) string {
	switch {
	case effort == "minimal":
		return "low"
	case effort == "xhigh" && !m.xhigh:
		return "max"
	}
	return effort
}
