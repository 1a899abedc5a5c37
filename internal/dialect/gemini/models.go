package gemini

import (
	"cmp"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// thinking is the form in which a request sets a model's amount of reasoning.
type thinking uint8

const (
	noThinking thinking = iota
	byBudget            // {"thinkingBudget":…}
	byLevel             // {"thinkingLevel":…}
)

// model is what a family of models takes.
type model struct {
	pattern string
	think   thinking
	least   int64    // the smallest budget, and the value for none
	lowest  int64    // the smallest budget of a model that does reason
	most    int64    // the largest budget
	levels  []string // from the lowest

	schema     bool // a JSON schema for the answer
	formsCalls bool // takes a form for the answer together with tools
	signed     bool // wants each turn's first call of a tool signed
	noSystem   bool // refuses a system instruction
	scores     bool // reports log probabilities on Vertex AI
	several    bool // gives several candidates, once it is no preview any more
}

// The levels of thinking.
const (
	minimal = "MINIMAL"
	low     = "LOW"
	medium  = "MEDIUM"
	high    = "HIGH"
)

// models is the table; the first row whose pattern fits counts. Sources: the vendor's documentation and recorded traffic of
// August to November 2026.
var models = []model{
	{pattern: "gemma-*", noSystem: true},
	{pattern: "gemini-1*"},
	{pattern: "gemini-2.0*", schema: true, scores: true, several: true},
	{pattern: "gemini-*-tts*"},
	{pattern: "gemini-2.5-flash-image*"},
	{pattern: "gemini-2.5-flash-lite*", think: byBudget, lowest: 512, most: 24576, schema: true, several: true},
	{pattern: "gemini-2.5-pro*", think: byBudget, least: 128, lowest: 128, most: 32768, schema: true, scores: true, several: true},
	{pattern: "gemini-2.5*", think: byBudget, most: 24576, schema: true, scores: true, several: true},
	// The models behind these names change: all take a budget.
	{pattern: "gemini-*flash*-latest", think: byBudget, lowest: 512, most: 24576, schema: true, signed: true},
	{pattern: "gemini-*-latest", think: byBudget, least: 128, lowest: 128, most: 32768, schema: true, signed: true},
	{pattern: "gemini-3-pro-image*", signed: true},
	{pattern: "gemini-3-pro*", think: byLevel, levels: []string{low, high}, schema: true, formsCalls: true, signed: true},
	{pattern: "gemini-*-image*", think: byLevel, levels: []string{minimal, high}, signed: true},
	{pattern: "gemini-*-pro*", think: byLevel, levels: []string{low, medium, high}, schema: true, formsCalls: true, signed: true},
	{pattern: "gemini-*", think: byLevel, levels: []string{minimal, low, medium, high}, schema: true, formsCalls: true, signed: true},
	{pattern: "*", schema: true, formsCalls: true},
}

// modelOf is the row of the model of a request.
func modelOf(r *llm.Request) model {
	for _, m := range models {
		if llm.Match(m.pattern, r.Model) {
			return m.with(r.Takes)
		}
	}
	return model{} // the last row fits all
}

// with is the row as the config has it.
func (m model) with(t *llm.Takes) model {
	if t == nil {
		return m
	}
	switch t.Reasoning {
	case llm.ReasoningNone:
		m.think = noThinking
	case llm.ReasoningEffort:
		if m.think = byLevel; len(m.levels) == 0 {
			m.levels = []string{minimal, low, medium, high}
		}
	case llm.ReasoningBudget:
		m.think, m.most = byBudget, cmp.Or(m.most, mostBudget)
	}
	for i, effort := range t.Efforts {
		if i == 0 {
			m.levels = nil
		}
		m.levels = append(m.levels, strings.ToUpper(effort))
	}
	m.lowest, m.most = cmp.Or(t.MinBudget, m.lowest), cmp.Or(t.MaxBudget, m.most)
	m.schema, m.scores = t.Can(llm.TakesSchema, m.schema), t.Sample("logprobs", m.scores)
	return m
}

// mostBudget is the largest budget, where that is not known of the model.
const mostBudget = 24576

// budget is how many tokens an effort means, unless the caller gave a number, for an answer of that maximum; both are 0 if not
// given. They are part of what the answer may take, as in OpenAI's API; something must be left for the answer itself.
func (m model) budget(effort string, given, answer int64) int64 {
	switch {
	case effort == "none":
		return m.least
	case given > 0:
		return min(max(given, m.lowest), m.most)
	}
	tokens := int64(24576)
	switch effort {
	case "minimal", "low":
		tokens = 1024
	case "medium":
		tokens = 8192
	}
	if answer > 0 {
		tokens = min(tokens, answer/4*3)
	}
	return min(max(tokens, m.lowest), m.most)
}

// level is the API's word for an effort: where the model does not know the level, the next one above, or its highest.
func (m model) level(effort string) string {
	all := []string{minimal, low, medium, high}
	at, ok := map[string]int{"none": 0, "minimal": 0, "low": 1, "medium": 2}[effort]
	if !ok {
		at = len(all) - 1
	}
	for _, l := range all[at:] {
		if slices.Contains(m.levels, l) {
			return l
		}
	}
	for _, l := range slices.Backward(all[:at]) {
		if slices.Contains(m.levels, l) {
			return l
		}
	}
	return high
}
