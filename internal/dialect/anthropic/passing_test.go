package anthropic_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	faces "github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func parsed(t testing.TB, body string) *anthropic.Request {
	t.Helper()
	r, err := anthropic.ParseRequest([]byte(body), faces.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The tokens of the answer that message_start reports stand for figures that come at the end. What it says of the prompt counts, unless it says
// nothing.
func TestPassageUsage(t *testing.T) {
	t.Parallel()
	const (
		begins = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
		stops  = `{"type":"content_block_stop","index":0}`
		text   = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`
		end    = `{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":9,"output_tokens_details":{"thinking_tokens":2}}}`
	)
	start := func(usage string) string {
		return `{"type":"message_start","message":{"id":"m","model":"x","content":[],"usage":` + usage + `}}`
	}
	for name, tt := range map[string]struct {
		payloads []string
		want     llm.Usage
		reported bool
	}{
		"whole": {
			[]string{start(`{"input_tokens":3,"cache_read_input_tokens":5,"output_tokens":1}`), begins, text, stops, end},
			llm.Usage{Fresh: 3, CacheRead: 5, Text: 7, Reasoning: 2},
			true,
		},
		"cut":           {[]string{start(`{"input_tokens":3,"output_tokens":1}`), begins, text}, llm.Usage{Fresh: 3}, true},
		"a placeholder": {[]string{start(`{"input_tokens":0,"output_tokens":0}`), begins, text}, llm.Usage{}, false},
		"fast": {
			[]string{start(`{"input_tokens":3,"service_tier":"standard","speed":"fast"}`), begins, text, stops, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}`},
			llm.Usage{Fresh: 3, Text: 9, Tier: "fast"},
			true,
		},
		"not fast": {
			[]string{start(`{"input_tokens":3,"service_tier":"standard","speed":"standard"}`), begins, text, stops, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}`},
			llm.Usage{Fresh: 3, Text: 9, Tier: "standard"},
			true,
		},
		"all at the end": {
			[]string{start(`{"input_tokens":0,"output_tokens":0}`), begins, text, stops, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":7,"output_tokens":9}}`},
			llm.Usage{Fresh: 7, Text: 9},
			true,
		},
		"null is no figure": {
			[]string{start(`{"input_tokens":3}`), begins, text, stops, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"output_tokens":9}}`},
			llm.Usage{Fresh: 3, Text: 9},
			true,
		},
	} {
		var p anthropic.Passage
		for _, payload := range tt.payloads {
			if _, err := p.WalkBehind(nil, []byte(payload)); err != nil {
				t.Fatal(name, err)
			}
		}
		if p.Usage != tt.want || p.HasUsage != tt.reported || p.Said != int64(len("Hello")) {
			t.Errorf("%s: %+v, reported %v, said %d", name, p.Usage, p.HasUsage, p.Said)
		}
	}
}

// What decides for a target is content; what may come before it is not.
func TestPassageContent(t *testing.T) {
	t.Parallel()
	const (
		start  = `{"type":"message_start","message":{"id":"m","usage":{"input_tokens":1}}}`
		begins = `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`
	)
	for payload, want := range map[string]bool{
		start:             false,
		`{"type":"ping"}`: false,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`:                          false,
		`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`:   false,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}`:                            false,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"x"}}`:                         true,
		`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}`: true,
		`{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"x"}}`:            true,
		`{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"a"}}`:                true,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"x"}}`:                   true,
		`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}`:                 true,
		`{"type":"message_delta","delta":{"stop_reason":"refusal"}}`:                                                  true,
	} {
		before := []string{start}
		if strings.Contains(payload, "_delta\",\"index") {
			before = append(before, begins)
		}
		var p anthropic.Passage
		for _, each := range before {
			if _, err := p.WalkBehind(nil, []byte(each)); err != nil {
				t.Fatal(err)
			}
		}
		if c, err := p.WalkBehind(nil, []byte(payload)); err != nil || c.Content != want || c.Drop != (payload == start || strings.Contains(payload, "ping")) {
			t.Errorf("%s: content is %v, %v", payload, c.Content, err)
		}
	}
}

// A stream passes without memory for its events.
func TestPassageTakesNoMemory(t *testing.T) {
	var p anthropic.Passage
	for _, before := range []string{`{"type":"message_start"}`, `{"type":"content_block_start","index":0}`} {
		if _, err := p.WalkBehind(nil, []byte(before)); err != nil {
			t.Fatal(err)
		}
	}
	payload := []byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`)
	n := testing.AllocsPerRun(100, func() {
		if p.Last(payload) {
			t.Error("it is not the last")
		}
		_, _ = p.WalkBehind(nil, payload)
		anthropic.TypeOf(payload)
		p.Rest()
	})
	if n > 0 {
		t.Errorf("an event takes %v allocations", n)
	}
}

// Reasoning of other makers, which Weir wrapped, does not reach the vendor, which would refuse it. Nothing else changes.
func TestWrappedReasoningIsLeftOut(t *testing.T) {
	t.Parallel()
	const (
		foreign  = `{"type":"thinking","thinking":"x","signature":"d2VpcjEuPy4="}`
		redacted = `{"type":"redacted_thinking","data":"d2VpcjEuZ29vZ2xlLmFiYw=="}`
		own      = `{"type":"thinking","thinking":"x","signature":"EqoB"}`
		text     = `{"type":"text","text":"d2VpcjEu"}`
	)
	user, answer := `{"role":"user","content":"hi"}`, func(blocks ...string) string {
		return `{"role":"assistant","content":[ ` + strings.Join(blocks, " , ") + ` ]}`
	}
	const left = "messages[].content[].thinking"
	for _, tt := range []struct{ messages, want, left string }{
		{user + "," + answer(own, text), user + "," + answer(own, text), ""},
		{user + "," + answer(foreign, text), user + "," + `{"role":"assistant","content":[ ` + text + ` ]}`, ""},
		{user + "," + answer(foreign, redacted, text, foreign), user + "," + `{"role":"assistant","content":[ ` + text + ` ]}`, left},
		{user + "," + answer(text, foreign, own, redacted), user + "," + `{"role":"assistant","content":[ ` + text + " , " + own + ` ]}`, left},
		{user + "," + answer(foreign, redacted) + "," + user, user + "," + user, left},
	} {
		r := parsed(t, `{"model":"m","messages":[`+tt.messages+`],"max_tokens":1}`)
		body, applied := r.Encode(faces.Changes{Model: "claude"})
		if got := strings.Join(applied.Ignored, ","); got != tt.left || r.Loses(faces.Changes{Model: "claude"}) != tt.left {
			t.Errorf("%s: announced is %q, not %q", tt.messages, got, tt.left)
		}
		if got, want := string(body.Bytes()), `{"model":"claude","messages":[`+tt.want+`],"max_tokens":1}`; got != want {
			t.Errorf("%s became\n%s, not\n%s", tt.messages, got, want)
		}
	}
}

// Where earlier reasoning was refused, all of it goes, and with it what a model that reasons within a budget cannot do without it.
func TestRefusedReasoningIsLeftOut(t *testing.T) {
	t.Parallel()
	const (
		thoughts = `{"type":"thinking","thinking":"x","signature":"EqoB"},{"type":"redacted_thinking","data":"Eq"},{"type":"thinking","thinking":"x"},`
		call     = `{"type":"tool_use","id":"t","name":"f","input":{}}`
		text     = `{"type":"text","text":"ho"}`
		budget   = `"thinking":{"type":"enabled","budget_tokens":1024}`
		clears   = `"context_management":{"edits":[{"type":"clear_thinking_20251015"}]}`
		user     = `{"role":"user","content":"hi"}`
		result   = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}`
	)
	answer := func(blocks string) string { return `{"role":"assistant","content":[` + blocks + `]}` }
	for _, tt := range []struct{ messages, more, want, kept, left string }{
		{user + "," + answer(thoughts+text) + "," + user, "," + budget, user + "," + answer(text) + "," + user, "," + budget, "messages[].content[].thinking"},
		{user + "," + answer(thoughts+call) + "," + result, "," + budget + "," + clears, user + "," + answer(call) + "," + result, "", "thinking,context_management,messages[].content[].thinking"},
		{user + "," + answer(thoughts+call) + "," + result, `,"thinking":{"type":"adaptive"},` + clears, user + "," + answer(call) + "," + result, `,"thinking":{"type":"adaptive"},` + clears, "messages[].content[].thinking"},
		{user, "," + budget, user, "," + budget, ""},
	} {
		body, applied := parsed(t, `{"model":"m","messages":[`+tt.messages+`],"max_tokens":2000`+tt.more+`}`).Encode(faces.Changes{Model: "claude", OmitEncrypted: true})
		got, left := string(body.Bytes()), strings.Join(applied.Ignored, ",")
		if want := `{"model":"claude","messages":[` + tt.want + `],"max_tokens":2000` + tt.kept + `}`; got != want || left != tt.left {
			t.Errorf("%s became\n%s, not\n%s; left %q", tt.messages, got, want, left)
		}
	}
}

// A host that names the model in its path gets the API's version in the body.
func TestHostedBodies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ body, want string }{
		{`{"model":"m","messages":[{}]}`, `{"messages":[{}],"anthropic_version":"v"}`},
		{`{"messages":[{}],"model":"m"}`, `{"messages":[{}],"anthropic_version":"v"}`},
		{`{"anthropic_version":"x","messages":[{}],"model":"m"}`, `{"anthropic_version":"v","messages":[{}]}`},
	} {
		body, _ := parsed(t, tt.body).Encode(faces.Changes{Model: "claude", Hosted: "v"})
		if got := string(body.Bytes()); got != tt.want {
			t.Errorf("%s became %s", tt.body, got)
		}
	}
}

// Parameters of the config have OpenAI's names.
func TestParametersAreAdded(t *testing.T) {
	t.Parallel()
	added := &llm.Added{
		Default: []llm.Param{{Name: "max_completion_tokens", Value: llm.JSON("5")}, {Name: "temperature", Value: llm.JSON("1")}, {Name: "thinking", Value: llm.JSON("{}")}},
		Set:     []llm.Param{{Name: "stop", Value: llm.JSON(`"x"`)}, {Name: "reasoning_effort", Value: llm.JSON(`"low"`)}},
	}
	with, replaced, err := parsed(t, `{"model":"m","messages":[{}],"temperature":0.5,"stop_sequences":["y"]}`).With(added, llm.Chat, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := with.(faces.Passing).Encode(faces.Changes{Model: "c"})
	if got, want := string(body.Bytes()), `{"model":"c","messages":[{}],"temperature":0.5,"stop_sequences":["x"],"max_tokens":5,"thinking":{}}`; got != want || replaced != "stop_sequences" {
		t.Errorf("%s, replaced %q", got, replaced)
	}
	if !with.Ours("max_tokens") || with.Ours("temperature") {
		t.Error("whose a parameter is was lost")
	}
}

// FuzzIncoming: whatever a caller sends either is refused or becomes JSON for a target that differs only where it must. It never panics, in
// the typed form neither.
func FuzzIncoming(f *testing.F) {
	for _, body := range requests() {
		f.Add(body)
	}
	f.Add([]byte(`{"model":"m","messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"d2VpcjEuPy4="},{"type":"text","text":"x"}]}],"metadata":{"user_id":"{\"session_id\":\"s\"}"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := anthropic.ParseRequest(bytes.Clone(body), faces.ParseOptions{MaxDepth: 100})
		if err != nil {
			return
		}
		r.Profile(llm.Wants{Needs: 255, Least: 1, Tokens: true, Prefix: true, User: true})
		sent, _ := r.Encode(faces.Changes{Model: "x", Omit: []string{"temperature"}})
		if err := jsonwalk.Valid(sent.Bytes(), jsonwalk.Options{Unique: true}); err != nil {
			t.Errorf("%s became %s: %v", body, sent.Bytes(), err)
		}
		var out struct{ Model string }
		if err := json.Unmarshal(sent.Bytes(), &out); err == nil && out.Model != "x" {
			t.Errorf("%s became %s", body, sent.Bytes())
		}
		_, _ = r.Decode(nil)
	})
}

// FuzzPassage: whatever an upstream sends in a stream never panics, and what is to be changed is a part of it.
func FuzzPassage(f *testing.F) {
	f.Add([]byte(`{"type":"message_start","message":{"model":"a","usage":{"input_tokens":1}}}`))
	f.Add([]byte(`{"delta":{"text":"x"},"type":"content_block_delta"}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		p := parsed(t, `{"model":"m","messages":[{}]}`).Walk(nil, "echo")
		c, err := p.WalkBehind(nil, payload)
		if err != nil {
			return
		}
		if out := jsonwalk.Apply(nil, payload, c.Edits); jsonwalk.Valid(out, jsonwalk.Options{}) != nil {
			t.Errorf("%s became %s", payload, out)
		}
		anthropic.TypeOf(payload)
	})
}

// A form is strict for other vendors only where they take it so.
func TestFormsThatAreStrict(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]bool{
		`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":false}`:                                        true,
		`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`:                                                                     false,
		`{"type":"object","properties":{"title":{"type":"string"},"x":{"type":"string"}},"required":["title"],"additionalProperties":false}`:                  false,
		`{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{}}}},"required":["l"],"additionalProperties":false}`:       false,
		`{"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}}},"required":["l"],"additionalProperties":false,"description":"words"}`: true,
	} {
		r, err := parsed(t, `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"hi"}],"output_config":{"format":{"type":"json_schema","schema":`+schema+`}}}`).Decode(nil)
		if err != nil || r.Format.Kind != llm.FormatSchema || r.Format.Strict != want {
			t.Errorf("%s: %+v, %v", schema, r, err)
		}
	}
}

// What took tokens and is no answer is recorded with them.
func TestUsageOfWhatIsNoAnswer(t *testing.T) {
	t.Parallel()
	_, answer, err := new(anthropic.Request).Pass([]byte(`{"type":"message","content":null,"usage":{"input_tokens":3,"output_tokens":4}}`), nil, faces.Stand{})
	if err == nil || !answer.HasUsage || answer.Usage.Input() != 3 || answer.Usage.Output() != 4 {
		t.Errorf("%v %+v", err, answer)
	}
}
