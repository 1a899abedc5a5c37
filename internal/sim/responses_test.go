package sim

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// responseCall calls the Responses API.
func responseCall(t *testing.T, s *Server, path, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/v1"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer k")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// The Responses API answers and refuses as the real one does.
func TestResponsesAreChecked(t *testing.T) {
	t.Parallel()
	const (
		tools  = `,"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}}]`
		call   = `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`
		output = `{"type":"function_call_output","call_id":"c","output":"42"}`
	)
	thought := func(maker string) string {
		return `{"type":"reasoning","summary":[],"encrypted_content":"` + encrypted(maker, "x") + `"}`
	}
	for name, tt := range map[string]struct{ input, more, says string }{
		"right":                       {`"hi"`, "", `"status":"completed"`},
		"a call":                      {`"hi"`, tools, `"type":"function_call"`},
		"calls at once":               {`"in parallel"`, tools, `,{"id":"fc_0_1","type":"function_call"`},
		"a custom tool":               {`"hi"`, `,"tools":[{"type":"custom","name":"write"}]`, `"type":"custom_tool_call"`},
		"a result":                    {`[{"role":"user","content":"hi"},` + call + "," + output + "]", tools, "You said: 42"},
		"a call without a result":     {`[{"role":"user","content":"hi"},` + call + "]", tools, "No tool output found for function call c."},
		"reasoning":                   {`"hi"`, `,"reasoning":{"effort":"low","summary":"auto"}`, `"summary":[{"type":"summary_text","text":"A simulated thought`},
		"reasoning that is encrypted": {`"hi"`, `,"reasoning":{"effort":"low"},"include":["reasoning.encrypted_content"]`, `"summary":[],"encrypted_content":"gAAAA`},
		"reasoning sent back":         {`[{"role":"user","content":"hi"},` + thought("openai") + `,{"role":"user","content":"ho"}]`, "", "You said: ho"},
		"another maker's reasoning":   {`[{"role":"user","content":"hi"},` + thought("grok") + `,{"role":"user","content":"ho"}]`, "", `"code":"invalid_encrypted_content"`},
		"a form":                      {`"hi"`, `,"text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object","properties":{"x":{"type":"null"}},"required":["x"]}}}`, `{\"x\":null}`},
		"cut":                         {`"hi"`, `,"max_output_tokens":16`, `"incomplete_details":{"reason":"max_output_tokens"}`},
		"too small a bound":           {`"hi"`, `,"max_output_tokens":15`, "integer below minimum value"},
		"an unknown member":           {`"hi"`, `,"stop":["x"]`, "Unknown parameter: 'stop'."},
		"an earlier response":         {`"hi"`, `,"previous_response_id":"resp_1"`, "previous_response_not_found"},
		"log probabilities":           {`"hi"`, `,"include":["message.output_text.logprobs"],"top_logprobs":1`, `"logprobs":[{"token":`},
		"nothing":                     {`null`, "", "'input'"},
	} {
		_, body := responseCall(t, New(Script{Key: "k"}), pathResponses, `{"model":"gpt-5","input":`+tt.input+tt.more+`}`)
		if !strings.Contains(body, tt.says) {
			t.Errorf("%s: %s", name, body)
		}
	}
	if status, body := responseCall(t, New(Script{Key: "k"}), pathInputTokens, `{"model":"gpt-5","input":"how long is this?"}`); status != 200 || body != `{"object":"response.input_tokens","input_tokens":5}` {
		t.Errorf("%d %s", status, body)
	}
	if status, body := responseCall(t, New(Script{Key: "other"}), pathResponses, `{}`); status != 401 || !strings.Contains(body, "invalid_api_key") {
		t.Errorf("with a wrong key: %d %s", status, body)
	}
	if status, body := responseCall(t, New(Script{Key: "k", Models: []string{"x"}}), pathResponses, `{"model":"m","input":"hi"}`); status != 404 || !strings.Contains(body, "model_not_found") {
		t.Errorf("with an unknown model: %d %s", status, body)
	}
}

// A stream has named events and says the same as the complete answer.
func TestResponsesStream(t *testing.T) {
	t.Parallel()
	_, body := responseCall(t, New(Script{Key: "k"}), pathResponses, `{"model":"gpt-5","stream":true,"input":"hi","max_output_tokens":16}`)
	for _, want := range []string{"event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0", "event: response.output_text.delta\n", `event: response.incomplete` + "\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if n := strings.Count(body, "event: response.output_text.delta"); n != 16 {
		t.Errorf("%d tokens, not 16", n)
	}
	if strings.Contains(body, "[DONE]") {
		t.Error("it ends with OpenAI's mark of chats")
	}
}

// Faults can be scripted for it as for all others.
func TestResponsesFail(t *testing.T) {
	t.Parallel()
	after := 3
	s := New(Script{Key: "k", Rules: []Rule{{Match: Match{Path: pathResponses, Nth: 1}, Status: 429}, {ErrorEvent: &after}}})
	if status, body := responseCall(t, s, pathResponses, `{"model":"gpt-5","input":"hi"}`); status != 429 || !strings.Contains(body, `{"error":{"message"`) {
		t.Errorf("%d %s", status, body)
	}
	if _, body := responseCall(t, s, pathResponses, `{"model":"gpt-5","stream":true,"input":"hi"}`); !strings.HasSuffix(body, "event: error\ndata: "+string(responsesAPI{}.streamError())+"\n\n") {
		t.Error(body)
	}
}
