package converse

import (
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// effortForm is how a family takes the amount of reasoning, in addition to what all models take.
type effortForm uint8

const (
	noEffort       effortForm = iota
	claudeThinking            // {"thinking":…}, as in Anthropic's own API
	novaReasoning             // {"reasoningConfig":{"type":"enabled","maxReasoningEffort":"low"}}
	openAIEffort              // {"reasoning_effort":"low"}
	qwenReasoning             // {"reasoning_config":"low"}
)

// family is what the models of one maker take. Where a maker's models differ there are several rows.
type family struct {
	prefix   string // start of the id after its region
	effort   effortForm
	topK     string // how top_k is written, up to its number; "" if it is refused
	topEnd   string // follows it
	choice   bool   // takes toolChoice
	cache    bool   // takes cachePoint
	ttl      bool   // with a time of its own
	schema   bool   // takes outputConfig
	first    bool   // a conversation may begin with the assistant
	apart    bool   // a turn with tool results may hold nothing else
	object   bool   // results of tools are objects
	flat     bool   // schemas of tools have no definitions
	nine     bool   // ids of tool calls have nine letters and digits
	unsigned bool   // reasons without signing it, and reads what it thought before
	dotted   bool   // ids of tool calls are the model's own, such as functions.get_temperature:0; it uses them to count its calls
}

const (
	claudePrefix = "anthropic.claude-"
	claudeTopK   = `"top_k":`
	novaTopK     = `"inferenceConfig":{"topK":`
)

// families is the table; the first row whose prefix fits counts. Sources: recorded traffic, and what the authors of
// pydantic-ai found with live models in 2026. A model without a row is unknown: it gets what all models accept.
var families = []family{
	{prefix: claudePrefix + "haiku-4-5", effort: claudeThinking, topK: claudeTopK, choice: true, cache: true, ttl: true, schema: true, first: true},
	{prefix: claudePrefix + "sonnet-4-5", effort: claudeThinking, topK: claudeTopK, choice: true, cache: true, ttl: true, schema: true, first: true},
	{prefix: claudePrefix + "sonnet-4-6", effort: claudeThinking, topK: claudeTopK, choice: true, cache: true, ttl: true, schema: true, first: true},
	{prefix: claudePrefix + "opus-4-5", effort: claudeThinking, topK: claudeTopK, choice: true, cache: true, ttl: true, schema: true, first: true},
	{prefix: claudePrefix + "opus-4-6", effort: claudeThinking, topK: claudeTopK, choice: true, cache: true, ttl: true, schema: true, first: true},
	{prefix: claudePrefix, effort: claudeThinking, topK: claudeTopK, choice: true, cache: true, ttl: true, first: true},
	{prefix: "amazon.nova-2", effort: novaReasoning, topK: novaTopK, topEnd: "}", choice: true, cache: true, flat: true},
	{prefix: "amazon.nova", topK: novaTopK, topEnd: "}", choice: true, cache: true, flat: true},
	{prefix: "openai.gpt-oss", effort: openAIEffort},
	{prefix: "qwen.qwen3", effort: qwenReasoning, schema: true, first: true},
	{prefix: "mistral.mistral-large-3", schema: true, apart: true, object: true, nine: true},
	{prefix: "mistral.", apart: true, object: true, nine: true},
	{prefix: "meta.llama", apart: true},
	{prefix: "zai.glm", schema: true},
	{prefix: "moonshot.kimi", unsigned: true, dotted: true},
	{prefix: "moonshotai.kimi", unsigned: true, dotted: true},
	{},
}

// familyOf is the row of a model, and its name without the prefix before the maker's: the region of an inference
// profile, or its address.
func familyOf(model string) (family, string) {
	if strings.HasPrefix(model, "arn:") {
		model = model[strings.LastIndexByte(model, '/')+1:]
	}
	if _, rest, ok := strings.Cut(model, "."); ok && known(rest) {
		model = rest
	}
	for _, f := range families {
		if strings.HasPrefix(model, f.prefix) {
			return f, model
		}
	}
	return family{}, model // the last row fits all
}

// with is the row as the config has it. Claude's reasoning is planned elsewhere; of the others each has its own form, or none.
func (f family) with(t *llm.Takes) family {
	if t == nil {
		return f
	}
	if f.effort != claudeThinking && (t.Reasoning == llm.ReasoningNone || t.Reasoning == llm.ReasoningBudget) {
		f.effort = noEffort
	}
	f.schema, f.choice = t.Can(llm.TakesSchema, f.schema), t.Can(llm.TakesChoice, f.choice)
	return f
}

// Maker is who made the model of that name, as llm.Part has it. For a model without a row the maker is unknown, so its name is
// used: at least its signatures are not taken for another's.
func Maker(model string) string {
	switch f, name := familyOf(model); {
	case f.effort == claudeThinking:
		return ""
	case f.prefix == "":
		return name
	default:
		maker, _, _ := strings.Cut(name, ".")
		return maker
	}
}

// known reports whether a row other than the last fits.
func known(model string) bool {
	for _, f := range families[:len(families)-1] {
		if strings.HasPrefix(model, f.prefix) {
			return true
		}
	}
	return false
}

// lowToHigh is an effort for models that know three.
func lowToHigh(effort string) string {
	switch effort {
	case "minimal", "low":
		return "low"
	case "medium":
		return "medium"
	default:
		return "high"
	}
}

// twoEfforts is an effort for models that know only two.
func twoEfforts(effort string) string {
	if e := lowToHigh(effort); e != "medium" {
		return e
	}
	return "high"
}

// isResult reports whether a part is the result of a tool.
func isResult(p llm.Part) bool { return p.Kind == llm.Result }
