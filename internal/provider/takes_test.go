package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
)

// A request that is passed on loses what the model does not take, for each column of a target's capabilities. It keeps what the
// model takes, even against other knowledge.
func TestTakesOfWhatIsPassedOn(t *testing.T) {
	t.Parallel()
	no, yes := false, true
	const schema = `"response_format":{"type":"json_schema","json_schema":{"name":"s","schema":{}}}`
	for name, tt := range map[string]struct {
		model, members string
		takes          config.Capabilities
		params         config.Params
		kept           string // members that go out
	}{
		"sampling, known to be refused":          {"gpt-5", `"temperature":1,"top_p":1`, config.Capabilities{Sampling: []config.SamplingParam{"temperature"}}, config.Params{}, "temperature"},
		"sampling, known to be taken":            {"gpt-4o", `"temperature":1,"top_p":1,"seed":2`, config.Capabilities{Sampling: []config.SamplingParam{"top_p"}}, config.Params{}, "top_p"},
		"no sampling":                            {"unheard", `"temperature":1,"stop":"x","user":"u"`, config.Capabilities{Sampling: []config.SamplingParam{}}, config.Params{}, "user"},
		"sampling, which the config has omitted": {"gpt-4o", `"temperature":1,"top_p":1,"seed":2`, config.Capabilities{Sampling: []config.SamplingParam{"top_p", "seed"}}, config.Params{Omit: []string{"seed"}}, "top_p"},
		"no reasoning":                           {"gpt-5", `"reasoning_effort":"low"`, config.Capabilities{Reasoning: "none"}, config.Params{}, ""},
		"reasoning":                              {"gpt-4o", `"reasoning_effort":"low"`, config.Capabilities{Reasoning: "effort"}, config.Params{}, "reasoning_effort"},
		"an effort it knows":                     {"gpt-5", `"reasoning_effort":"low"`, config.Capabilities{Efforts: []config.Effort{"low", "high"}}, config.Params{}, "reasoning_effort"},
		"an effort it does not know":             {"gpt-5", `"reasoning_effort":"medium"`, config.Capabilities{Efforts: []config.Effort{"low", "high"}}, config.Params{}, ""},
		"no structured output":                   {"gpt-5", schema, config.Capabilities{StructuredOutput: &no}, config.Params{}, ""},
		"structured output":                      {"gpt-5", schema, config.Capabilities{StructuredOutput: &yes}, config.Params{}, "response_format"},
		"any JSON":                               {"gpt-5", `"response_format":{"type":"json_object"}`, config.Capabilities{StructuredOutput: &no}, config.Params{}, "response_format"},
		"no tool choice":                         {"gpt-5", `"tools":[{}],"tool_choice":"required"`, config.Capabilities{ToolChoice: &no}, config.Params{}, "tools"},
		"no choice of a certain tool":            {"gpt-5", `"tool_choice":{"type":"function","function":{"name":"f"}}`, config.Capabilities{ToolChoice: &no}, config.Params{}, ""},
		"a choice that forces nothing":           {"gpt-5", `"tool_choice":"none"`, config.Capabilities{ToolChoice: &no}, config.Params{}, "tool_choice"},
		"a tool choice":                          {"gpt-5", `"tool_choice":"required"`, config.Capabilities{ToolChoice: &yes}, config.Params{}, "tool_choice"},
	} {
		p := newProvider(t, config.Provider{Kind: "openai", Params: tt.params})
		r, takes := parse(t, `{"model":"m","messages":[{}],`+tt.members+`}`), TakesOf(&tt.takes)
		c := p.Changes(r, tt.model, "", takes)
		c.Omit = slices.Concat(c.Omit, p.Without(r, tt.model, takes))
		body, _ := r.Encode(c)
		sent := string(body.Bytes())
		var kept []string
		for _, one := range []string{"temperature", "top_p", "seed", "stop", "user", "reasoning_effort", "response_format", "tools", "tool_choice"} {
			if strings.Contains(sent, `"`+one+`":`) {
				kept = append(kept, one)
			}
		}
		if got := strings.Join(kept, " "); got != tt.kept {
			t.Errorf("%s: sent %q, want %q", name, got, tt.kept)
		}
	}
}

// DeepSeek refuses a schema for the answer, unless the config says otherwise, or it is not known who answers.
func TestWithoutSchema(t *testing.T) {
	t.Parallel()
	yes := true
	const schema, object = `{"type":"json_schema","json_schema":{"name":"s","schema":{}}}`, `{"type":"json_object"}`
	for name, tt := range map[string]struct {
		cfg    config.Provider
		format string
		takes  *config.Capabilities
		left   bool
	}{
		"a schema":                 {config.Provider{Kind: "deepseek"}, schema, nil, true},
		"beside other abilities":   {config.Provider{Kind: "deepseek"}, schema, &config.Capabilities{Images: &yes}, true},
		"any JSON":                 {config.Provider{Kind: "deepseek"}, object, nil, false},
		"the config says it takes": {config.Provider{Kind: "deepseek"}, schema, &config.Capabilities{StructuredOutput: &yes}, false},
		"the config leaves nothing": {
			config.Provider{Kind: "deepseek", Params: config.Params{Omit: []string{}}}, schema, nil, false,
		},
		"a server of one's own": {config.Provider{Kind: "deepseek", BaseURL: "http://127.0.0.1:1/v1"}, schema, nil, false},
		"another vendor":        {config.Provider{Kind: "openai"}, schema, nil, false},
	} {
		p := newProvider(t, tt.cfg)
		r := parse(t, `{"model":"m","messages":[{}],"response_format":`+tt.format+`}`)
		if left := slices.Contains(p.Without(r, "m", TakesOf(tt.takes)), "response_format"); left != tt.left {
			t.Errorf("%s: left out is %v", name, left)
		}
	}
}

// A translated request only loses sampling parameters before its dialect; embeddings lose nothing.
func TestWithoutElsewhere(t *testing.T) {
	t.Parallel()
	no := false
	takes := TakesOf(&config.Capabilities{Sampling: []config.SamplingParam{"temperature"}, Reasoning: "none", ToolChoice: &no})
	p := newProvider(t, config.Provider{Kind: "anthropic"})
	got := p.Without(parse(t, `{"model":"m","messages":[{}],"reasoning_effort":"low","tool_choice":"required","top_p":1}`), "claude-opus-4-5", takes)
	if slices.Contains(got, "temperature") || slices.Contains(got, "reasoning_effort") || slices.Contains(got, "tool_choice") || !slices.Contains(got, "top_p") {
		t.Errorf("without %v", got)
	}
	if none := p.Without(parse(t, `{"model":"m","messages":[{}]}`), "m", nil); none != nil {
		t.Errorf("without %v though the config says nothing", none)
	}
	if TakesOf(nil) != nil {
		t.Error("the config says nothing, and yet something is taken")
	}
	if all := TakesOf(&config.Capabilities{Images: &no, Audio: &no, Files: &no, Tools: &no, Prefill: &no, ContextLength: 1, MaxInputTokens: 2, MaxOutputTokens: 3}); all.Lacks != llm.TakesImages|llm.TakesAudio|llm.TakesFiles|llm.TakesTools|llm.TakesPrefill ||
		all.Has != 0 || all.Context != 1 || all.MaxInput != 2 || all.MaxOutput != 3 {
		t.Errorf("%+v", all)
	}
}
