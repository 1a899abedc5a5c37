package sim

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/recorded"
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
	for name, tt := range map[string]struct{ body, says string }{
		"a summary":            {`{"model":"gpt-5","input":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]}`, `[{"type":"input_text","text":"hi"}]},{"id":"cmp_0","type":"compaction","encrypted_content":"gAAAA`},
		"a summary of one":     {`{"model":"gpt-5","input":[{"type":"compaction","encrypted_content":"` + encrypted("openai", "x") + `"}]}`, `"output":[{"id":"cmp_0"`},
		"another's summary":    {`{"model":"gpt-5","input":[{"type":"compaction","encrypted_content":"` + encrypted("grok", "x") + `"}]}`, `"code":"invalid_encrypted_content"`},
		"a parameter of chats": {`{"model":"gpt-5","input":"hi","temperature":1}`, "Unknown parameter: 'temperature'."},
	} {
		if _, body := responseCall(t, New(Script{Key: "k"}), pathCompact, tt.body); !strings.Contains(body, tt.says) {
			t.Errorf("%s: %s", name, body)
		}
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

// What clients were seen to send is answered, agents' tools of every kind among it.
func TestResponsesOfRealClients(t *testing.T) {
	t.Parallel()
	folder, ok, err := recorded.Beside("captures")
	if err != nil || !ok {
		t.Skipf("no captures next to the repository: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var seen struct {
			Method, Path string
			Body         any
		}
		if json.Unmarshal(text, &seen) != nil || seen.Path != "/v1/responses" || seen.Method != http.MethodPost || strings.Contains(string(text), `gAAAAABmock`) {
			continue // the last were encrypted by another
		}
		body := marshal(typed(seen.Body))
		if strings.Contains(string(body), `"conversation":"`) || strings.Contains(string(body), `"type":"compaction"`) || strings.Contains(string(body), `"previous_response_id":"`) {
			continue // these need what is stored, or a summary of another's
		}
		n++
		if status, body := responseCall(t, New(Script{}), pathResponses, string(body)); status != 200 {
			t.Errorf("%s: %d %s", filepath.Base(file), status, body)
		}
	}
	if n < 9 {
		t.Errorf("only %d requests", n)
	}
}

// typed is a body without the marks for what was cut from its lists of tools: those have no type.
func typed(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		if list, ok := value.([]any); ok {
			for i := range list {
				list[i] = typed(list[i])
			}
		}
		return value
	}
	for name, v := range object {
		if object[name] = typed(v); name == "tools" {
			object[name] = slices.DeleteFunc(v.([]any), func(tool any) bool { one, ok := tool.(map[string]any); return !ok || one["type"] == nil })
		}
	}
	return object
}
