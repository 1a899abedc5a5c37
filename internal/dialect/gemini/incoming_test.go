package gemini

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

func parsed(t testing.TB, body string) *Request {
	t.Helper()
	r, err := Parse([]byte(body), true, dialect.ParseOptions{Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestIncoming(t *testing.T) {
	t.Parallel()
	r := parsed(t, `{"contents":[{"role":"user","parts":[{"text":"hi"},{"inlineData":{"mimeType":"image/png","data":"aGk="}}]}],"generation_config":{"temperature":0.5,"maxOutputTokens":7,
		"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}},"tools":[{"functionDeclarations":[{"name":"f"}]}],"systemInstruction":{"parts":[{"text":"be"}]},"model":"models/other"}`)
	typed, err := r.Decode([]string{"temperature"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Model != "m" || !r.Stream || !typed.Stream || typed.MaxToken != 7 || len(typed.Params) != 0 || strings.Join(typed.Left, " ") != "generationConfig.temperature" {
		t.Errorf("%+v %+v", r.Scanned, typed)
	}
	if !r.AsksSchema() || !r.OffersTools() || r.Heard < 15 || r.Heard > 200 {
		t.Errorf("a schema %v, tools %v, heard %d", r.AsksSchema(), r.OffersTools(), r.Heard)
	}
	p := r.Profile(llm.Wants{Needs: llm.TakesImages | llm.TakesTools | llm.TakesSchema | llm.TakesFiles, Tokens: true, Prefix: true})
	if p.Needs != llm.TakesImages|llm.TakesTools|llm.TakesSchema || p.Output != 7 || p.Prompt == 0 || p.Prefix == 0 {
		t.Errorf("%+v", p)
	}
	added := &llm.Added{
		Default: []llm.Param{{Name: "max_tokens", Value: llm.JSON("9")}, {Name: "top_p", Value: llm.JSON("0.1")}},
		Set:     []llm.Param{{Name: "temperature", Value: llm.JSON("1")}},
	}
	with, replaced, err := r.With(added, llm.Chat, nil)
	if err != nil || replaced != "generationConfig.temperature" || !with.Ours("top_p") || with.Ours("temperature") {
		t.Fatalf("replaced %q, %v", replaced, err)
	}
	typed, err = with.(*Request).Decode(nil)
	if err != nil || typed.MaxToken != 7 || len(typed.Params) != 2 || string(typed.Params[1].Value) != "1" {
		t.Errorf("%+v, %v", typed, err)
	}
}

func TestIncomingFaults(t *testing.T) {
	t.Parallel()
	for body, param := range map[string]string{
		`{"contents":[]}`: "contents", `{}`: "contents",
		`{"contents":[{"role":"tool","parts":[{"text":"x"}]}]}`:                          "contents[0].role",
		`{"contents":[{"parts":[{}]}]}`:                                                  "contents[0].parts[0]",
		`{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"temperature":"x"}}`: "generationConfig.temperature",
	} {
		if _, err := parsed(t, body).Decode(nil); err == nil || err.Param != param {
			t.Errorf("%s: %v (%v)", body, err, param)
		}
	}
	if _, err := Parse([]byte(`{"contents":`), false, dialect.ParseOptions{Model: "m"}); err == nil {
		t.Error("half a body is taken")
	}
}

func TestNamesHere(t *testing.T) {
	t.Parallel()
	for chat, want := range map[string]string{
		"messages[1].content": "contents[1].parts", "max_tokens": "generationConfig.maxOutputTokens", "top_p": "generationConfig.topP", "stop": "generationConfig.stopSequences",
		"tools": "tools", "response_format": "generationConfig.responseSchema", "reasoning_effort": "generationConfig.thinkingConfig", "messages[].thinking_blocks": "contents[].thoughtSignature",
	} {
		if got := nameOf(chat); got != want {
			t.Errorf("%s is %s", chat, got)
		}
	}
}

// Reasoning that another maker signed comes back as it was, and says whose it is.
func TestSignaturesOfOthers(t *testing.T) {
	t.Parallel()
	w := parsed(t, `{"contents":[{"parts":[{"text":"x"}]}]}`).Writer(dialect.Writing{Stand: dialect.Stand{Asked: "up", Echo: "m"}, Maker: "claude"})
	for _, ev := range []llm.Event{
		{Kind: llm.Start, Name: llm.Quote("up-1")},
		{Kind: llm.BlockStart, Part: llm.Reasoning},
		{Kind: llm.Delta, Part: llm.Reasoning, Text: llm.Quote("Hm.")},
		{Kind: llm.Delta, Part: llm.Reasoning, Opaque: llm.Quote("a.b")},
		{Kind: llm.BlockStop, Part: llm.Reasoning},
		{Kind: llm.BlockStart, Part: llm.Redacted, Block: 1, Opaque: llm.Quote("blob")},
		{Kind: llm.BlockStop, Part: llm.Redacted, Block: 1},
		{Kind: llm.BlockStart, Part: llm.ToolCall, Block: 2, ID: llm.Quote("c"), Name: llm.Quote("f")},
		{Kind: llm.BlockStop, Part: llm.ToolCall, Block: 2},
	} {
		w.Collect(&ev)
	}
	out := w.Answer(&llm.Event{Kind: llm.End, Finish: "stop", Usage: llm.Usage{Text: 1, Tier: "priority"}})
	var answer struct {
		Candidates []struct{ Content json.RawMessage }
		Model      string `json:"modelVersion"`
	}
	if err := json.Unmarshal(out, &answer); err != nil || answer.Model != "m" || strings.Contains(string(out), "priority") || w.FinishReason() != "tool_calls" {
		t.Fatalf("%v, %s: %s", err, w.FinishReason(), out)
	}
	back, err := parsed(t, `{"contents":[{"parts":[{"text":"x"}]},`+string(answer.Candidates[0].Content)+`,{"parts":[{"functionResponse":{"id":"c","name":"f","response":{"a":1}}}]}]}`).Decode(nil)
	if err != nil {
		t.Fatal(err)
	}
	said := back.Messages[1].Parts
	if len(said) < 3 || said[len(said)-1].Kind != llm.ToolCall {
		t.Fatalf("%+v", said)
	}
	signed := 0
	for i := range said {
		switch p := &said[i]; {
		case p.Kind == llm.Reasoning && p.Opaque != nil:
			signed++
			if p.Maker != "claude" || p.Opaque.Text() != "a.b" {
				t.Errorf("%+v", p)
			}
		case p.Kind == llm.Redacted:
			signed++
			if p.Maker != "claude" || p.Opaque.Text() != "blob" {
				t.Errorf("%+v", p)
			}
		}
	}
	if signed != 2 {
		t.Errorf("%d signatures came back in %s", signed, out)
	}
}

// Clients send thoughts back in the pieces in which they came. The signature is of all of them.
func TestThoughtsInPieces(t *testing.T) {
	t.Parallel()
	signed := wrapped("anthropic", llm.Reasoning, llm.JSON(`"sig"`)).Text()
	typed, err := parsed(t, `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"Let","thought":true},{"text":" me","thought":true},
		{"text":"","thought":true,"thoughtSignature":"`+signed+`"},{"text":"b","thought":true},{"text":"c"},{"functionCall":{"name":"f","args":{}}}]}]}`).Decode(nil)
	if err != nil {
		t.Fatal(err)
	}
	parts := typed.Messages[1].Parts
	if len(parts) != 4 || string(parts[0].Text) != `"Let me"` || string(parts[0].Opaque) != `"sig"` || parts[0].Maker != "anthropic" || string(parts[1].Text) != `"b"` || parts[1].Opaque != nil {
		t.Errorf("%+v", parts)
	}
}

func TestErrorBodies(t *testing.T) {
	t.Parallel()
	for kind, status := range map[llm.Kind]string{
		llm.InvalidValue: "INVALID_ARGUMENT", llm.InvalidKey: "UNAUTHENTICATED", llm.ModelNotFound: "NOT_FOUND", llm.Overloaded: "UNAVAILABLE", llm.Timeout: "DEADLINE_EXCEEDED",
		llm.UpstreamRateLimited: "RESOURCE_EXHAUSTED", llm.UpstreamFailed: "INTERNAL",
	} {
		if body := string(errorBody(&llm.Error{Kind: kind, Message: "No \"no\"."}, "")); !json.Valid([]byte(body)) || !strings.Contains(body, `"status":"`+status+`"`) {
			t.Errorf("%s: %s", status, body)
		}
	}
}

func FuzzIncoming(f *testing.F) {
	f.Add(`{"contents":[{"role":"user","parts":[{"text":"x"}]}],"generationConfig":{"temperature":1},"tools":[{"googleSearch":{}}]}`)
	f.Add(`{"contents":[{"role":"model","parts":[{"text":"","thought":true,"thoughtSignature":"d2VpcjEuYS5i"}]}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		r, err := Parse([]byte(body), false, dialect.ParseOptions{Model: "m", MaxDepth: 64})
		if err != nil {
			return
		}
		r.Profile(llm.Wants{Needs: 0xff, Least: 1, Tokens: true, Prefix: true})
		if _, err := r.Decode([]string{"temperature", "stop"}); err != nil && err.Message == "" {
			t.Error("an error without a message")
		}
	})
}
