package anthropic_test

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/llm"
)

// asked is a request that says more than a bare one.
func asked(model, more string) []byte {
	return []byte(`{"model":"` + model + `","max_tokens":4096,"messages":[{"role":"user","content":"hi"}]` + more + `}`)
}

// turns is a request with messages of its own.
func turns(messages string) []byte {
	return []byte(`{"model":"claude-sonnet-4-5","max_tokens":4096,"messages":[` + messages + `],"tools":[{"name":"f","input_schema":{"type":"object"}}]}`)
}

// requests are what was not recorded.
func requests() map[string][]byte {
	const sonnet, opus = "claude-sonnet-4-5", "claude-opus-4-8"
	user := func(block string) []byte { return turns(`{"role":"user","content":[` + block + `]}`) }
	called := func(block, result string) []byte {
		return turns(`{"role":"user","content":"hi"},{"role":"assistant","content":[` + block + `]},{"role":"user","content":[` + result + `]}`)
	}
	const call, result = `{"type":"tool_use","id":"toolu_1","name":"f","input":{"a":[1.50]}}`, `{"type":"tool_result","tool_use_id":"toolu_1","content":"done"}`
	return map[string][]byte{
		"budget":                   asked(sonnet, `,"thinking":{"type":"enabled","budget_tokens":1234}`),
		"a budget up to the end":   asked(sonnet, `,"thinking":{"type":"enabled","budget_tokens":4095}`),
		"shown budget":             asked(sonnet, `,"thinking":{"type":"enabled","budget_tokens":2000,"display":"summarized"}`),
		"budget of 4.6":            asked("claude-opus-4-6", `,"thinking":{"type":"enabled","budget_tokens":2000}`),
		"adaptive":                 asked(opus, `,"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}`),
		"adaptive and shown":       asked(opus, `,"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"low"}`),
		"adaptive and hidden":      asked(opus, `,"thinking":{"type":"adaptive","display":"omitted"},"output_config":{"effort":"max"}`),
		"not thinking":             asked(opus, `,"thinking":{"type":"disabled"}`),
		"effort without thinking":  asked(opus, `,"output_config":{"effort":"low"}`),
		"effort beside a budget":   asked("claude-opus-4-5", `,"thinking":{"type":"enabled","budget_tokens":2000},"output_config":{"effort":"low"}`),
		"more beside an effort":    asked(opus, `,"thinking":{"type":"adaptive"},"output_config":{"effort":"low","x":1}`),
		"more of what goes out":    asked(opus, `,"output_config":{"task_budget":{"type":"tokens","total":20000},"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}}`),
		"who asks":                 asked(sonnet, `,"metadata":{"user_id":"u-1"}`),
		"tier":                     asked(sonnet, `,"service_tier":"standard_only"`),
		"cache":                    asked(sonnet, `,"cache_control":{"type":"ephemeral","ttl":"1h"}`),
		"samples":                  asked(sonnet, `,"temperature":0.50,"top_k":5`),
		"stops":                    asked(sonnet, `,"stop_sequences":["a","\u00e4"]`),
		"what is new":              asked(sonnet, `,"container":"c_1","context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]},"mcp_servers":[]`),
		"hosted":                   []byte(`{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["x"],"max_tokens":1,"messages":[{"role":"user","content":"hi"}]}`),
		"tools":                    asked(sonnet, `,"tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"x":{}},"additionalProperties":false},"strict":true,"cache_control":{"type":"ephemeral"}},{"type":"web_search_20250305","name":"web_search","max_uses":3},{"name":"g","input_schema":{"type":"object"},"defer_loading":true}],"tool_choice":{"type":"any","disable_parallel_tool_use":true}`),
		"no tools for once":        asked(sonnet, `,"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"}`),
		"system":                   asked(sonnet, `,"system":[{"type":"text","text":"a"},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]`),
		"images":                   user(`{"type":"text","text":"?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}},{"type":"image","source":{"type":"url","url":"https://a/b.png"},"cache_control":{"type":"ephemeral"}},{"type":"image","source":{"type":"file","file_id":"f_1"}}`),
		"an image in two places":   user(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk=","url":"https://a/b.png"}},{"type":"image","source":{"type":"url","url":"https://a/b.png","data":"aGk="}}`),
		"documents":                user(`{"type":"document","title":"t","source":{"type":"base64","media_type":"application/pdf","data":"aGk="}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"h\u00e4\n"}},{"type":"document","source":{"type":"url","url":"https://a/b.pdf"}},{"type":"document","context":"c","citations":{"enabled":true},"source":{"type":"text","media_type":"text/plain","data":"x"}}`),
		"a call and its result":    called(call, result),
		"a failure":                called(call, `{"type":"tool_result","tool_use_id":"toolu_1","content":"no","is_error":true,"cache_control":{"type":"ephemeral"}}`),
		"a result without content": called(call, `{"type":"tool_result","tool_use_id":"toolu_1"}`),
		"a result of many parts":   called(call, `{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"url","url":"https://a/b.png"}},{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"x"}]},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"aGk="}}]}`),
		"thoughts":                 called(`{"type":"thinking","thinking":"\u003f","signature":"c2ln"},{"type":"redacted_thinking","data":"ZGF0YQ=="},`+call, result),
		"a caller of a tool":       called(`{"type":"tool_use","id":"toolu_1","name":"f","input":{},"caller":{"type":"direct"}}`, result),
		"a tool of the vendor's":   turns(`{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"x","citations":[{"type":"web_search_result_location","url":"https://a","title":"t","encrypted_index":"e","cited_text":"c"}]}]}`),
	}
}

// What was not recorded comes back as it was, too.
func TestSameRequests(t *testing.T) {
	t.Parallel()
	for name, body := range requests() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dialect.SameRequest(t, "", body)
		})
	}
}

// What is wrong is said by the member that is.
func TestWrongRequests(t *testing.T) {
	t.Parallel()
	const model = "claude-sonnet-4-5"
	part := func(block string) string { return string(turns(`{"role":"user","content":[` + block + `]}`)) }
	for _, tt := range []struct{ body, param, code string }{
		{`{"model":"m"`, "", "invalid_json"},
		{`["model"]`, "", "invalid_json"},
		{`{"model":"m","model":"m"}`, "", "invalid_json"},
		{`{"max_tokens":1,"messages":[{"role":"user","content":"hi"}]}`, "model", "missing_required_parameter"},
		{`{"model":"m","messages":[{"role":"user","content":"hi"}]}`, "max_tokens", "missing_required_parameter"},
		{`{"model":"m","max_tokens":1}`, "messages", "missing_required_parameter"},
		{`{"model":"m","max_tokens":0,"messages":[]}`, "max_tokens", "invalid_value"},
		{`{"model":"m","max_tokens":1,"messages":{}}`, "messages", "invalid_type"},
		{string(asked(model, `,"thinking.x":1`)), "thinking.x", "unsupported_parameter"},
		{string(asked(model, `,"stream":"yes"`)), "stream", "invalid_type"},
		{string(asked(model, `,"system":{}`)), "system", "invalid_type"},
		{string(asked(model, `,"temperature":"warm"`)), "temperature", "invalid_type"},
		{string(asked(model, `,"stop_sequences":[1]`)), "stop_sequences[0]", "invalid_type"},
		{string(asked(model, `,"service_tier":"gold"`)), "service_tier", "invalid_value"},
		{string(asked(model, `,"metadata":{"user_id":1}`)), "metadata.user_id", "invalid_type"},
		{string(asked(model, `,"thinking":{"type":"enabled"}`)), "thinking.budget_tokens", "missing_required_parameter"},
		{string(asked(model, `,"thinking":{"type":"adaptive","budget_tokens":2000}`)), "thinking.budget_tokens", "unsupported_parameter"},
		{string(asked(model, `,"thinking":{"type":"disabled","budget_tokens":2000}`)), "thinking.budget_tokens", "unsupported_parameter"},
		{string(asked(model, `,"thinking":{"type":"disabled","display":"omitted"}`)), "thinking.display", "unsupported_parameter"},
		{string(asked(model, `,"thinking":{"type":"often"}`)), "thinking.type", "invalid_value"},
		{string(asked(model, `,"output_config":{"effort":"some"}`)), "output_config.effort", "invalid_value"},
		{string(asked(model, `,"output_config":{"format":{"type":"json_schema"}}`)), "output_config.format.schema", "missing_required_parameter"},
		{string(asked(model, `,"output_config":{"format":{"type":"xml"}}`)), "output_config.format.type", "invalid_value"},
		{string(asked(model, `,"tools":[{"name":"f"}]`)), "tools[0].input_schema", "invalid_type"},
		{string(asked(model, `,"tool_choice":{"type":"tool"}`)), "tool_choice.name", "invalid_type"},
		{string(asked(model, `,"tool_choice":{"type":"any","name":"f"}`)), "tool_choice.name", "unsupported_parameter"},
		{string(asked(model, `,"tool_choice":{"type":"auto","x":1}`)), "tool_choice.x", "unsupported_parameter"},
		{string(turns(`{"role":"system","content":"x"}`)), "messages[0].role", "invalid_value"},
		{string(turns(`{"role":"user"}`)), "messages[0].content", "missing_required_parameter"},
		{string(turns(`{"role":"user","content":"x","name":"y"}`)), "messages[0].name", "unsupported_parameter"},
		{part(`"x"`), "messages[0].content[0]", "invalid_type"},
		{part(`{"text":"x"}`), "messages[0].content[0].type", "missing_required_parameter"},
		{part(`{"type":"text","text":1}`), "messages[0].content[0].text", "invalid_type"},
		{part(`{"type":"tool_use","id":"a","name":"f","input":{}}`), "messages[0].content[0]", "invalid_value"},
		{part(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"?"}}`), "messages[0].content[0].source.data", "invalid_value"},
		{part(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"thinking","thinking":"a","signature":"b"}]}`), "messages[0].content[0].content[0]", "invalid_value"},
		{string(turns(`{"role":"assistant","content":[{"type":"thinking","thinking":"a"}]}`)), "messages[0].content[0].signature", "invalid_type"},
		{string(turns(`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":"x"}]}`)), "messages[0].content[0].input", "invalid_type"},
	} {
		r, err := anthropic.Decode([]byte(tt.body))
		if err == nil {
			t.Errorf("%s: passes as %+v", tt.body, r)
		} else if err.Param != tt.param || err.Code() != tt.code || !strings.Contains(err.Message, tt.param) {
			t.Errorf("%s: %s, %s: %s", tt.body, err.Code(), err.Param, err.Message)
		}
	}
}

// Models of other vendors get the amount of reasoning in their own words.
func TestEffortsOfRequests(t *testing.T) {
	t.Parallel()
	for more, want := range map[string]llm.Request{
		``:                                {},
		`,"thinking":{"type":"disabled"}`: {Effort: "none"},
		`,"thinking":{"type":"adaptive"}`: {Effort: "high"},
		`,"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}`: {Effort: "low"},
		`,"output_config":{"effort":"low"}`:                                {},
		`,"thinking":{"type":"enabled","budget_tokens":1024}`:              {Effort: "minimal", Budget: 1024},
		`,"thinking":{"type":"enabled","budget_tokens":3000}`:              {Effort: "medium", Budget: 3000},
		`,"thinking":{"type":"enabled","budget_tokens":32000}`:             {Effort: "xhigh", Budget: 32000},
		`,"output_config":{"effort":"max"},"thinking":{"type":"adaptive"}`: {Effort: "max"},
	} {
		r, err := anthropic.Decode(asked("claude-opus-4-8", more))
		switch {
		case err != nil:
			t.Errorf("%s: %v", more, err)
		case r.Effort != want.Effort || r.Budget != want.Budget:
			t.Errorf("%s: %q, %d", more, r.Effort, r.Budget)
		}
	}
}
