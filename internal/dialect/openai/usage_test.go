package openai

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// The total shows whether reasoning is part of the completion tokens (OpenAI) or separate (xAI). A caller billed by it must be
// charged neither twice nor too little.
func TestReasoningInAndBesideTheCompletion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, usage string
		want        llm.Usage
	}{
		{"in it", `{"prompt_tokens":10,"completion_tokens":20,"total_tokens":30,"completion_tokens_details":{"reasoning_tokens":5}}`, llm.Usage{Fresh: 10, Text: 15, Reasoning: 5}},
		{"all of it", `{"prompt_tokens":10,"completion_tokens":20,"total_tokens":30,"completion_tokens_details":{"reasoning_tokens":20}}`, llm.Usage{Fresh: 10, Reasoning: 20}},
		{"in it, without a total", `{"prompt_tokens":10,"completion_tokens":20,"completion_tokens_details":{"reasoning_tokens":20}}`, llm.Usage{Fresh: 10, Reasoning: 20}},
		{"beside it, and less", `{"prompt_tokens":10,"completion_tokens":20,"total_tokens":35,"completion_tokens_details":{"reasoning_tokens":5}}`, llm.Usage{Fresh: 10, Text: 20, Reasoning: 5}},
		{"beside it, and as much", `{"prompt_tokens":10,"completion_tokens":20,"total_tokens":50,"completion_tokens_details":{"reasoning_tokens":20}}`, llm.Usage{Fresh: 10, Text: 20, Reasoning: 20}},
		{"beside it, and more", `{"prompt_tokens":10,"completion_tokens":20,"completion_tokens_details":{"reasoning_tokens":21}}`, llm.Usage{Fresh: 10, Text: 20, Reasoning: 21}},
		{"none, of a prompt of nothing", `{"prompt_tokens":0,"completion_tokens":20,"total_tokens":20}`, llm.Usage{Text: 20}},
		{"beside it, at the top", `{"prompt_tokens":10,"completion_tokens":20,"total_tokens":35,"reasoning_tokens":5}`, llm.Usage{Fresh: 10, Text: 20, Reasoning: 5}},
		{"in the total alone, as Google has thoughts", `{"prompt_tokens":10,"completion_tokens":20,"total_tokens":37}`, llm.Usage{Fresh: 10, Text: 20, Reasoning: 7}},
		{"in the total alone, of an answer without text", `{"prompt_tokens":10,"completion_tokens":0,"total_tokens":37}`, llm.Usage{Fresh: 10}},
		{"a total that is too small", `{"prompt_tokens":10,"completion_tokens":20,"total_tokens":25,"completion_tokens_details":{"reasoning_tokens":5}}`, llm.Usage{Fresh: 10, Text: 15, Reasoning: 5}},
		{"sound and pictures", `{"prompt_tokens":10,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":1,"audio_tokens":2,"image_tokens":3},"completion_tokens_details":{"reasoning_tokens":4,"audio_tokens":5,"image_tokens":6}}`, llm.Usage{Fresh: 4, CacheRead: 1, AudioIn: 2, ImageIn: 3, Text: 5, Reasoning: 4, AudioOut: 5, ImageOut: 6}},
		{"more sound than there was", `{"prompt_tokens":10,"completion_tokens":20,"prompt_tokens_details":{"audio_tokens":11,"image_tokens":1},"completion_tokens_details":{"audio_tokens":21,"image_tokens":1}}`, llm.Usage{AudioIn: 10, AudioOut: 20}},
		{"cached, in the details", `{"prompt_tokens":10,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":10}}`, llm.Usage{CacheRead: 10, Text: 1}},
		{"cached, in the details before the top", `{"prompt_tokens":10,"completion_tokens":1,"cached_tokens":3,"prompt_tokens_details":{"cached_tokens":4}}`, llm.Usage{Fresh: 6, CacheRead: 4, Text: 1}},
		{"written to the cache, under either name", `{"prompt_tokens":10,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":4,"cache_creation_input_tokens":6}}`, llm.Usage{CacheRead: 4, CacheWrite: 6, Text: 1}},
		{"more from the cache than there was", `{"prompt_tokens":10,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":7,"cache_write_tokens":4}}`, llm.Usage{Fresh: 10, CacheRead: 7, CacheWrite: 4, Text: 1}},
		{"details that are none", `{"prompt_tokens":10,"completion_tokens":1,"prompt_tokens_details":null,"completion_tokens_details":7}`, llm.Usage{Fresh: 10, Text: 1}},
	} {
		got, ok := ReadUsage(jsonwalk.NewScanner([]byte(tt.usage), jsonwalk.Options{}), []byte(tt.usage))
		if !ok || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, ok, tt.want)
		}
	}
}

// An object without figures is not usage, and neither is any other value.
func TestUsageThatTellsNothing(t *testing.T) {
	t.Parallel()
	for _, usage := range []string{`{}`, `{"cost":1}`, `{"prompt_tokens_details":{"cached_tokens":4}}`, `null`, `[]`, `7`, `"x"`, `{"prompt_tokens":1`} {
		if got, ok := ReadUsage(jsonwalk.NewScanner([]byte(usage), jsonwalk.Options{}), []byte(usage)); ok {
			t.Errorf("%s: %+v", usage, got)
		}
	}
	for _, usage := range []string{`{"prompt_tokens":0}`, `{"completion_tokens":0}`, `{"total_tokens":0}`} {
		if _, ok := ReadUsage(jsonwalk.NewScanner([]byte(usage), jsonwalk.Options{}), []byte(usage)); !ok {
			t.Errorf("%s tells nothing", usage)
		}
	}
}

// What a vendor bills is read from wherever it puts it, and from nothing else.
func TestWhatVendorsBill(t *testing.T) {
	t.Parallel()
	dollars := func(n int64) llm.Cost { return llm.Cost{Nanodollars: n, Known: true} }
	for _, tt := range []struct {
		name, members string
		want          llm.Usage
	}{
		{"nothing", `"other":{"total_cost":1}`, llm.Usage{}},
		{"a number", `"cost":0.25`, llm.Usage{Cost: dollars(250_000_000)}},
		{"an estimate", `"estimated_cost":0.25`, llm.Usage{Cost: dollars(250_000_000)}},
		{"an object with the total", `"cost":{"input_cost":1,"total_cost":0.25,"output_cost":2}`, llm.Usage{Cost: dollars(250_000_000)}},
		{"an object without", `"cost":{"input_cost":1}`, llm.Usage{}},
		{"ticks, rounded", `"cost_in_usd_ticks":25`, llm.Usage{Cost: dollars(3)}},
		{"ticks, rounded down", `"cost_in_usd_ticks":24`, llm.Usage{Cost: dollars(2)}},
		{"ticks that are none", `"cost_in_usd_ticks":"x"`, llm.Usage{}},
		{"the caller's own key", `"cost":0.25,"is_byok":true,"cost_details":{"x":7,"upstream_inference_cost":0.5}`, llm.Usage{Cost: dollars(750_000_000)}},
		{"the reseller's key", `"cost":0.25,"is_byok":false,"cost_details":{"upstream_inference_cost":0.5}`, llm.Usage{Cost: dollars(250_000_000)}},
		{"the upstream's cost alone", `"is_byok":true,"cost_details":{"upstream_inference_cost":0.5}`, llm.Usage{}},
		{"details that are none", `"cost":0.25,"is_byok":true,"cost_details":7`, llm.Usage{Cost: dollars(250_000_000)}},
		{"searches", `"server_tool_use":{"x":7,"web_search_requests":3}`, llm.Usage{Searches: 3}},
		{"searches in details", `"server_tool_use_details":{"web_search_requests":3}`, llm.Usage{Searches: 3}},
		{"search queries", `"num_search_queries":3`, llm.Usage{Searches: 3}},
		{"searches that are none", `"server_tool_use":null`, llm.Usage{}},
	} {
		usage := `{"prompt_tokens":0,` + tt.members + `}`
		got, ok := ReadUsage(jsonwalk.NewScanner([]byte(usage), jsonwalk.Options{}), []byte(usage))
		if !ok || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, ok, tt.want)
		}
	}
}

// What is no count is 0; what is a large one is bounded, so that sums cannot overflow.
func TestCounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "-7": 0, "7.9": 7, "7e2": 700, "-0.5": 0, "1e999": 0, "-1e999": 0, `"7"`: 0, "null": 0, "[7]": 0,
		"1000000000000000": min(llm.MaxCount, 1e15), "9223372036854775807": 0, "99999999999999999999": 0,
	} {
		s := jsonwalk.NewScanner([]byte(text), jsonwalk.Options{})
		if got := ReadInt(s, []byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
