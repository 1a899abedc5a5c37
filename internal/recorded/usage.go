package recorded

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"
)

// Billed is an independent reading of the usage in a recorded answer: its vendor's own totals, and the other figures that a bill
// needs. The figures are of the last usage object that names them. Total is -1 if the vendor reports none.
type Billed struct {
	Input, Output, Total                          int64
	CacheRead, CacheWrite, Hour, Reasoning, Audio int64
	Searches                                      int64
	ChargedInput, ChargedOutput                   int64  // -1 if no other than what was counted
	Cost                                          string // in dollars, exact; "" if not reported
	Found                                         bool
}

// figures is a usage object, whatever its vendor, flattened: the names of members joined by dots.
type figures map[string]json.RawMessage

func (f figures) flatten(t *testing.T, prefix string, raw json.RawMessage) {
	t.Helper()
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		f[prefix] = raw
		return
	}
	for name, value := range members {
		if prefix != "" {
			name = prefix + "." + name
		}
		f.flatten(t, name, value)
	}
}

// count is the first of the names that the object has.
func (f figures) count(names ...string) int64 {
	for _, name := range names {
		var n float64
		if raw, ok := f[name]; ok && string(raw) != "null" && json.Unmarshal(raw, &n) == nil {
			return int64(n)
		}
	}
	return 0
}

func (f figures) has(name string) bool { _, ok := f[name]; return ok }

// usages are all usage objects of an answer, in their order.
func usages(t *testing.T, r Interaction) (all []json.RawMessage) {
	t.Helper()
	for _, p := range EventsOf(t, r) {
		var e struct {
			Usage, Metadata json.RawMessage
			UsageMetadata   json.RawMessage                 `json:"usageMetadata"`
			Groq            struct{ Usage json.RawMessage } `json:"x_groq"`
			Message         struct{ Usage json.RawMessage }
			Delta           struct{ Usage json.RawMessage }
			Answer          struct{ Usage json.RawMessage } `json:"response"`
			Choices         []struct{ Usage json.RawMessage }
		}
		if json.Unmarshal([]byte(p), &e) != nil {
			continue
		}
		for _, c := range e.Choices {
			all = append(all, c.Usage)
		}
		all = append(all, e.Groq.Usage, e.Message.Usage, e.Delta.Usage, e.Answer.Usage, e.UsageMetadata, e.Usage)
	}
	return slices.DeleteFunc(all, func(u json.RawMessage) bool { return len(u) < 3 || u[0] != '{' })
}

// ReadBilled reads what a recorded answer says that it used.
func ReadBilled(t *testing.T, r Interaction) (b Billed) {
	t.Helper()
	f := figures{}
	for _, u := range usages(t, r) {
		f.flatten(t, "", u)
		b.Found = true
	}
	b.Total = -1
	for _, name := range []string{"total_tokens", "totalTokens", "totalTokenCount"} {
		if f.has(name) {
			b.Total = f.count(name)
		}
	}
	b.CacheRead = f.count("prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens", "cache_read_input_tokens", "cacheReadInputTokens", "cachedContentTokenCount", "prompt_cache_hit_tokens", "cached_tokens")
	b.CacheWrite = f.count("prompt_tokens_details.cache_write_tokens", "input_tokens_details.cache_write_tokens", "prompt_tokens_details.cache_creation_input_tokens", "cache_creation_input_tokens", "cacheWriteInputTokens")
	b.Hour = f.count("cache_creation.ephemeral_1h_input_tokens")
	b.Reasoning = f.count("completion_tokens_details.reasoning_tokens", "output_tokens_details.reasoning_tokens", "output_tokens_details.thinking_tokens", "thoughtsTokenCount", "reasoning_tokens")
	b.Audio = f.count("prompt_tokens_details.audio_tokens")
	b.Searches = f.count("server_tool_use.web_search_requests", "server_tool_use_details.web_search_requests", "num_search_queries")
	switch {
	case f.has("promptTokenCount"):
		b.Input, b.Output = f.count("promptTokenCount")+f.count("toolUsePromptTokenCount"), f.count("candidatesTokenCount")+b.Reasoning
	case f.has("tokens.input_tokens"):
		b.Input, b.Output = f.count("tokens.input_tokens"), f.count("tokens.output_tokens")
	case f.has("inputTokens"):
		b.Input, b.Output = f.count("inputTokens")+b.CacheRead+b.CacheWrite, f.count("outputTokens")
	case f.has("input_tokens_details.cached_tokens"): // of the Responses API, whose input has the cached tokens in it
		b.Input, b.Output = f.count("input_tokens"), f.count("output_tokens")
	case f.has("input_tokens"):
		b.Input, b.Output = f.count("input_tokens")+b.CacheRead+b.CacheWrite, f.count("output_tokens")
	default:
		b.Input, b.Output = f.count("prompt_tokens"), f.count("completion_tokens")
	}
	b.ChargedInput, b.ChargedOutput = -1, -1
	if in, out := f.count("billed_units.input_tokens"), f.count("billed_units.output_tokens"); f.has("billed_units.input_tokens") && (in != b.Input || out != b.Output) {
		b.ChargedInput, b.ChargedOutput = in, out
	}
	b.Cost = f.dollars()
	return b
}

// dollars is the cost that the object states.
func (f figures) dollars() string {
	sum := new(big.Rat)
	switch {
	case f.has("cost_in_usd_ticks"):
		sum.SetFrac64(f.count("cost_in_usd_ticks"), 1e10)
	case f.has("cost.total_cost"):
		sum.SetString(string(f["cost.total_cost"]))
	case f.has("cost"):
		sum.SetString(string(f["cost"]))
	default:
		return ""
	}
	if upstream := f["cost_details.upstream_inference_cost"]; string(f["is_byok"]) == "true" && upstream != nil && string(upstream) != "null" {
		own, _ := new(big.Rat).SetString(string(upstream))
		sum.Add(sum, own)
	}
	return sum.FloatString(9)
}
