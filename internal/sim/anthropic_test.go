package sim

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// messageCall calls the Messages API.
func messageCall(t *testing.T, s *Server, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/v1/messages", strings.NewReader(body))
	r.Header.Set("Anthropic-Version", "2023-06-01")
	r.Header.Set("X-Api-Key", "k")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// The Messages API refuses what the real one refuses.
func TestMessagesAreChecked(t *testing.T) {
	t.Parallel()
	const (
		hi    = `{"role":"user","content":"hi"}`
		tools = `,"tools":[{"name":"f","input_schema":{"type":"object"}}]`
		call  = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`
		done  = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}`
	)
	thought := `{"type":"thinking","thinking":"x","signature":"` + sign("x") + `"}`
	thinking := `,"thinking":{"type":"enabled","budget_tokens":1024}`
	for name, tt := range map[string]struct{ messages, more, says string }{
		"right":                   {hi, "", `"stop_reason":"end_turn"`},
		"a call":                  {hi, tools, `"stop_reason":"tool_use"`},
		"a result":                {hi + "," + call + "," + done, tools, "You said: x"},
		"thinking":                {hi, thinking, `"type":"thinking"`},
		"thinking sent back":      {hi + "," + strings.Replace(call, "[", "["+thought+",", 1) + "," + done, tools + thinking, `"type":"thinking"`},
		"an unknown member":       {hi, `,"seed":1`, "unknown field"},
		"members of its own":      {hi, `,"context_management":{"edits":[]},"speed":"fast"`, `"stop_reason":"end_turn"`},
		"an empty text":           {`{"role":"user","content":" "}`, "", "must be non-empty"},
		"the version of a host":   {hi, `,"anthropic_version":"vertex-2023-10-16"`, "unknown field"},
		"more in a system text":   {hi, `,"system":[{"type":"text","text":"x","y":1}]`, "unknown field"},
		"more in a result":        {hi + "," + call + "," + strings.Replace(done, `"x"`, `[{"type":"text","text":"x","y":1}]`, 1), tools, "unknown field"},
		"more in a text":          {`{"role":"user","content":[{"type":"text","text":"x","y":1}]}`, "", "unknown field"},
		"a system role":           {`{"role":"system","content":"x"}`, "", "must be user or assistant"},
		"a call without tools":    {hi + "," + call + "," + done, "", "and tools"},
		"a call without result":   {hi + "," + call + "," + hi, tools, "without `tool_result`"},
		"a result without call":   {hi + "," + done, tools, "unexpected `tool_use_id`"},
		"a forged signature":      {hi + "," + strings.Replace(call, "[", `[{"type":"thinking","thinking":"x","signature":"eA=="},`, 1) + "," + done, tools + thinking, "Invalid `signature`"},
		"thinking not sent back":  {hi + "," + call + "," + done, tools + thinking, "Expected `thinking`"},
		"thinking and forced":     {hi, tools + thinking + `,"tool_choice":{"type":"any"}`, "forces tool use"},
		"a schema":                {hi, `,"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"x":{"type":"null"}},"required":["x"],"additionalProperties":false}}}`, `{\"x\":null}`},
		"an open schema":          {hi, `,"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"x":{"type":"null"}}}}}`, "must be explicitly set to false"},
		"a schema with bounds":    {hi, `,"output_config":{"format":{"type":"json_schema","schema":{"type":"integer","minimum":1}}}`, "is not supported"},
		"too large a budget":      {hi, `,"thinking":{"type":"enabled","budget_tokens":5000}`, "budget_tokens"},
		"thinking and warm":       {hi, thinking + `,"temperature":0.5`, "temperature"},
		"too warm":                {hi, `,"temperature":1.5`, "temperature"},
		"a tool without a schema": {hi, `,"tools":[{"name":"f","input_schema":{}}]`, "Field required"},
	} {
		_, body := messageCall(t, New(Script{Key: "k"}), `{"model":"m","max_tokens":2000,"messages":[`+tt.messages+`]`+tt.more+`}`)
		if !strings.Contains(body, tt.says) {
			t.Errorf("%s: %s", name, body)
		}
	}
	if status, body := messageCall(t, New(Script{Key: "k"}), `{"model":"m","messages":[`+hi+`]}`); status != 400 || !strings.Contains(body, "max_tokens: Field required") {
		t.Errorf("without max_tokens: %d %s", status, body)
	}
	if status, body := messageCall(t, New(Script{Key: "other"}), `{}`); status != 401 || !strings.Contains(body, "authentication_error") {
		t.Errorf("with a wrong key: %d %s", status, body)
	}
	if status, body := messageCall(t, New(Script{Key: "k", Models: []string{"x"}}), `{"model":"m","max_tokens":1,"messages":[`+hi+`]}`); status != 404 || !strings.Contains(body, "model: m") {
		t.Errorf("with an unknown model: %d %s", status, body)
	}
}

// A stream says the same as the complete answer, and its tokens are counted.
func TestMessagesStream(t *testing.T) {
	t.Parallel()
	s := New(Script{Key: "k"})
	_, body := messageCall(t, s, `{"model":"m","max_tokens":5,"stream":true,"messages":[{"role":"user","content":"hi"}]}`)
	for _, want := range []string{`data: {"type":"message_start"`, `data: {"type":"ping"}`, `"text_delta"`, `"stop_reason":"max_tokens"`, `data: {"type":"message_stop"}`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if n := strings.Count(body, "text_delta"); n != 5 {
		t.Errorf("%d tokens, not 5", n)
	}
}

// A prompt is as long however it is spelled, whole and streamed.
func TestMessagesCountAPromptOnce(t *testing.T) {
	t.Parallel()
	s := New(Script{Created: 1, Keep: 3})
	for _, body := range []string{
		`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"how long is this?"}]}`,
		`{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"how long is this?"}]}`,
		`{ "messages" : [ { "content" : [ { "text" : "how long is th\u0069s?", "type" : "text" } ], "role" : "user" } ], "max_tokens" : 9, "model" : "m" }`,
	} {
		if code, answer := messageCall(t, s, body); code != http.StatusOK {
			t.Fatalf("%d %s", code, answer)
		}
	}
	for _, served := range ended(t, s, 3) {
		if want := count("how long is this?"); served.PromptTokens != want {
			t.Errorf("%d tokens, want %d", served.PromptTokens, want)
		}
	}
}
