package relay

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// The config's capabilities of a target's model decide how a request is translated: for each column, in the dialects where it
// matters, next to the result without it.
func TestTakesOfWhatIsWrittenAnew(t *testing.T) {
	t.Parallel()
	const (
		effort = `"reasoning_effort":"medium"`
		schema = `"response_format":{"type":"json_schema","json_schema":{"name":"s","schema":{"type":"array"}}}`
		must   = `"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","required":["a"]}}}],"tool_choice":"required"`
		sonnet = "anthropic.claude-sonnet-4-5-20250929-v1:0"
		nova   = "amazon.nova-2-lite-v1:0"
	)
	none, words, numbers := &llm.Takes{Reasoning: llm.ReasoningNone}, &llm.Takes{Reasoning: llm.ReasoningEffort}, &llm.Takes{Reasoning: llm.ReasoningBudget}
	known := &llm.Takes{Efforts: []string{"low", "high"}}
	bounds := &llm.Takes{MinBudget: 3000, MaxBudget: 4000}
	formless, unforced := &llm.Takes{Lacks: llm.TakesSchema}, &llm.Takes{Lacks: llm.TakesChoice}
	for _, tt := range []struct {
		dialect        llm.Dialect
		model, members string
		takes          *llm.Takes
		want, without  string // a piece of the body, "-" if that the members are left out
	}{
		{llm.Anthropic, "claude-opus-4-7", `"temperature":0.5`, &llm.Takes{Samples: []string{"temperature"}}, `"temperature":0.5`, "-temperature"},
		{llm.Anthropic, "claude-opus-4-5", `"temperature":1,"top_p":0.5`, &llm.Takes{Samples: []string{"temperature", "top_p"}}, `"top_p":0.5`, "-top_p"},
		{llm.Anthropic, "claude-opus-4-5", effort, none, "-reasoning_effort", `"budget_tokens":10000`},
		{llm.Anthropic, "claude-opus-4-5", effort, words, `"effort":"medium"`, `"budget_tokens":10000`},
		{llm.Anthropic, "claude-opus-4-8", effort, numbers, `"budget_tokens":10000`, `"effort":"medium"`},
		{llm.Anthropic, "claude-opus-4-8", effort, known, `"effort":"high"`, `"effort":"medium"`},
		{llm.Anthropic, "claude-opus-4-5", effort, bounds, `"budget_tokens":4000`, `"budget_tokens":10000`},
		{llm.Anthropic, "claude-opus-4-5", schema, formless, "-response_format", `"json_schema"`},
		{llm.Anthropic, "claude-sonnet-4-0", schema, &llm.Takes{Has: llm.TakesSchema}, `"json_schema"`, "-response_format"},
		{llm.Anthropic, "claude-opus-4-5", must, unforced, "-tool_choice", `"type":"any"`},
		{llm.Anthropic, "claude-fable-5", must, &llm.Takes{Has: llm.TakesChoice}, `"type":"any"`, "-tool_choice"},

		{llm.Converse, "anthropic.claude-opus-4-7", `"temperature":0.5`, &llm.Takes{Samples: []string{"temperature"}}, `"temperature":0.5`, "-temperature"},
		{llm.Converse, sonnet, effort, none, "-reasoning_effort", `"budget_tokens":10000`},
		{llm.Converse, sonnet, effort, bounds, `"budget_tokens":4000`, `"budget_tokens":10000`},
		{llm.Converse, nova, effort, none, "-reasoning_effort", `"maxReasoningEffort":"medium"`},
		{llm.Converse, nova, effort, numbers, "-reasoning_effort", `"maxReasoningEffort":"medium"`},
		{llm.Converse, nova, effort, known, `"maxReasoningEffort":"high"`, `"maxReasoningEffort":"medium"`},
		{llm.Converse, sonnet, schema, formless, "-response_format", `"json_schema"`},
		{llm.Converse, nova, schema, &llm.Takes{Has: llm.TakesSchema}, `"json_schema"`, "-response_format"},
		{llm.Converse, nova, must, unforced, "-tool_choice", `"toolChoice":{"any"`},

		{llm.Gemini, "gemini-2.5-flash", effort, none, "-reasoning_effort", `"thinkingBudget":8192`},
		{llm.Gemini, "gemini-2.5-flash", effort, words, `"thinkingLevel":"MEDIUM"`, `"thinkingBudget":8192`},
		{llm.Gemini, "gemini-3-flash-preview", effort, numbers, `"thinkingBudget":8192`, `"thinkingLevel":"MEDIUM"`},
		{llm.Gemini, "gemini-3-flash-preview", effort, known, `"thinkingLevel":"HIGH"`, `"thinkingLevel":"MEDIUM"`},
		{llm.Gemini, "gemini-3-flash-preview", `"reasoning_effort":"high"`, &llm.Takes{Efforts: []string{"medium", "low"}}, `"thinkingLevel":"MEDIUM"`, `"thinkingLevel":"HIGH"`},
		{llm.Gemini, "gemini-2.5-flash", effort, bounds, `"thinkingBudget":4000`, `"thinkingBudget":8192`},
		{llm.Gemini, "gemini-2.5-flash", schema, formless, "-response_format", `"responseJsonSchema"`},
		{llm.Gemini, "gemini-2.5-flash", must, unforced, "-tool_choice", `"mode":"ANY"`},
		{llm.Gemini, "gemini-2.5-flash", `"logprobs":true`, &llm.Takes{Samples: []string{"logprobs"}}, `"responseLogprobs":true`, "-logprobs"},
		{llm.Vertex, "gemini-3-flash-preview", `"logprobs":true`, &llm.Takes{Samples: []string{"logprobs"}}, `"responseLogprobs":true`, "-logprobs"},

		{llm.Cohere, "command-a-03-2025", effort, numbers, `"token_budget":10000`, "-reasoning_effort"},
		{llm.Cohere, "command-a-reasoning-08-2025", effort, none, "-reasoning_effort", `"token_budget":10000`},
		{llm.Cohere, "command-a-reasoning-08-2025", effort, bounds, `"token_budget":4000`, `"token_budget":10000`},
		{llm.Cohere, "command-a-03-2025", schema, formless, "-response_format", `"json_schema"`},
		{llm.Cohere, "command-a-03-2025", must, unforced, "-tool_choice", `"REQUIRED"`},
	} {
		for _, one := range []struct {
			takes *llm.Takes
			want  string
		}{{tt.takes, tt.want}, {nil, tt.without}} {
			call, bad := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}],`+tt.members+`}`), 100)
			if bad != nil {
				t.Fatal(bad)
			}
			request, bad := call.Decode(nil)
			if bad != nil {
				t.Fatal(bad)
			}
			request.Model, request.Takes = tt.model, one.takes
			body, left, bad := codecs[tt.dialect].Encode(request)
			if bad != nil {
				t.Fatalf("%s, %s: %v", tt.model, tt.members, bad)
			}
			ok := strings.Contains(string(body), one.want)
			if name, gone := strings.CutPrefix(one.want, "-"); gone {
				ok = strings.Join(left, " ") == name
			} else {
				ok = ok && len(left) == 0
			}
			if !ok {
				t.Errorf("%s, %s, %+v: want %s; left %v of\n%s", tt.model, tt.members, one.takes, one.want, left, body)
			}
		}
	}
}

// A provider that requires the length of an answer is sent it.
func TestTakesOfLongAnswers(t *testing.T) {
	t.Parallel()
	call, bad := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`), 100)
	if bad != nil {
		t.Fatal(bad)
	}
	a := directed(t, "anthropic", "claude-opus-4-5", &llm.Takes{MaxOutput: 777})
	request, bad := call.Decode(nil)
	if bad != nil {
		t.Fatal(bad)
	}
	a.direct(request)
	if body, _, _ := codecs[llm.Anthropic].Encode(request); !strings.Contains(string(body), `"max_tokens":777`) {
		t.Errorf("%s", body)
	}
}

// An effort that the model does not know becomes one that it knows, even if it takes a number of tokens.
func TestTakesOfEffortsByTokens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, model, asked string
		knows              []string
		want               string
	}{
		{"anthropic", "claude-opus-4-5", "medium", []string{"low"}, `"budget_tokens":2048`},
		{"gemini", "gemini-2.5-flash", "medium", []string{"high", "low"}, `"thinkingBudget":24576`},
		{"gemini", "gemini-3-flash-preview", "high", []string{"medium", "low"}, `"thinkingLevel":"MEDIUM"`},
		{"gemini", "gemini-3-flash-preview", "none", []string{"medium"}, `"thinkingLevel":"MEDIUM"`},
	} {
		call, bad := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}],"reasoning_effort":"`+tt.asked+`"}`), 100)
		if bad != nil {
			t.Fatal(bad)
		}
		a := directed(t, tt.kind, tt.model, &llm.Takes{Efforts: tt.knows})
		request, bad := call.Decode(nil)
		if bad != nil {
			t.Fatal(bad)
		}
		a.direct(request)
		if body, left, _ := codecs[a.provider.Dialect(tt.model)].Encode(request); !strings.Contains(string(body), tt.want) || len(left) > 0 {
			t.Errorf("%s, %s of %v: want %s; left %v of\n%s", tt.model, tt.asked, tt.knows, tt.want, left, body)
		}
	}
}

// directed is an order to a model of a provider.
func directed(t *testing.T, kind, model string, takes *llm.Takes) *order {
	t.Helper()
	p, err := provider.New(config.Provider{Name: "p", Kind: kind}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return &order{provider: p, target: &route.Target{Provider: "p", Model: model, Takes: takes}}
}
