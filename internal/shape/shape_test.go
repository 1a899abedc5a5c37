package shape

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	goodChat   = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}],"x":[1]}`
	goodChunk  = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}],"usage":null}`
	goodLegacy = `{"id":"c","object":"text_completion","created":1,"model":"m","choices":[{"index":0,"text":"a","finish_reason":"stop"}]}`
	goodVector = `{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[0.5]}],"usage":{"prompt_tokens":1,"total_tokens":1}}`
	goodModel  = `{"id":"m","object":"model","created":1,"owned_by":"o"}`
	goodError  = `{"error":{"message":"no","type":"t","param":null,"code":null}}`
)

// with is a body with one part replaced.
func with(t *testing.T, body, old, other string) string {
	t.Helper()
	if old == "" {
		return body
	}
	if strings.Count(body, old) != 1 {
		t.Fatalf("%q is not once in %s", old, body)
	}
	return strings.Replace(body, old, other, 1)
}

// What is right passes, and each thing that is wrong is found where it is.
func TestCheck(t *testing.T) {
	t.Parallel()
	o := OrSkip(t)
	for _, tt := range []struct {
		form      Form
		body      string
		old, new  string // what is broken
		at, fault string
	}{
		{Chat, goodChat, "", "", "", ""},
		{Chat, goodChat, `"id":"c",`, ``, `at ""`, "missing property 'id'"},
		{Chat, goodChat, `"chat.completion"`, `"chat"`, `at "/object"`, "must be 'chat.completion'"},
		{Chat, goodChat, `"created":1`, `"created":1.5`, `at "/created"`, "want integer"},
		{Chat, goodChat, `"created":1`, `"created":"1"`, `at "/created"`, "want integer"},
		{Chat, goodChat, `"model":"m"`, `"model":null`, `at "/model"`, "want string"},
		{Chat, goodChat, `"index":0,`, ``, `at "/choices/0"`, "missing property 'index'"},
		{Chat, goodChat, `"stop"`, `"eos"`, `at "/choices/0/finish_reason"`, "must be one of"},
		{Chat, goodChat, `"role":"assistant",`, ``, `at "/choices/0/message"`, "missing property 'role'"},
		{Chat, goodChat, `"content":"a"`, `"content":[{"type":"text","text":"a"}]`, `at "/choices/0/message/content"`, "want string"},
		{Chat, goodChat, `"content":"a"`, `"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":{}}}]`, "/function/arguments", "want string"},
		{Chat, goodChat, `"content":"a"`, `"tool_calls":[{"id":"t","function":{"name":"f","arguments":"{}"}}]`, "/tool_calls/0", "missing property 'type'"},
		{Chat, goodChat, `"x":[1]`, `"usage":{"prompt_tokens":1}`, `at "/usage"`, "missing properties"},
		{Chat, goodChat, `"x":[1]`, `"service_tier":"cheap"`, `at "/service_tier"`, "must be one of"},
		{ChatChunk, goodChunk, "", "", "", ""},
		{ChatChunk, goodChunk, `,"finish_reason":null`, ``, `at "/choices/0"`, "missing property 'finish_reason'"},
		{ChatChunk, goodChunk, `"role":"assistant"`, `"role":""`, `at "/choices/0/delta/role"`, "must be one of"},
		{ChatChunk, goodChunk, `{"role":"assistant","content":"a"}`, `null`, `at "/choices/0/delta"`, "want object"},
		{ChatChunk, goodChunk, `"content":"a"`, `"tool_calls":[{"id":"t"}]`, "/tool_calls/0", "missing property 'index'"},
		{ChatChunk, goodChunk, `"choices":[`, `"choices":null,"y":[`, `at "/choices"`, "want array"},
		{Completion, goodLegacy, "", "", "", ""},
		{Completion, goodLegacy, `"text":"a",`, ``, `at "/choices/0"`, "missing property 'text'"},
		{CompletionChunk, goodLegacy, `"stop"`, `null`, "", ""},
		{CompletionChunk, goodLegacy, `"stop"`, `"tool_calls"`, `at "/choices/0/finish_reason"`, "must be one of"},
		{Embeddings, goodVector, "", "", "", ""},
		{Embeddings, goodVector, `[0.5]`, `"AAAAPw=="`, "", ""},
		{Embeddings, goodVector, `[0.5]`, `["a"]`, `at "/data/0/embedding/0"`, "want number"},
		{Embeddings, goodVector, `"index":0,`, ``, `at "/data/0"`, "missing property 'index'"},
		{Models, `{"object":"list","data":[` + goodModel + `]}`, "", "", "", ""},
		{Models, `{"object":"list","data":[` + goodModel + `]}`, `"owned_by":"o"`, `"x":1`, `at "/data/0"`, "missing property 'owned_by'"},
		{Model, goodModel, "", "", "", ""},
		{Model, goodModel, `"created":1`, `"created":null`, `at "/created"`, "want integer"},
		{Error, goodError, "", "", "", ""},
		{Error, goodError, `"param":null,`, ``, `at "/error"`, "missing property 'param'"},
		{Error, goodError, `"code":null`, `"code":429`, `at "/error/code"`, "want string"},
		{Error, goodError, `"message":"no"`, `"message":null`, `at "/error/message"`, "want string"},
		{Chat, goodChat, `"x":[1]}`, `"x":[1]`, "", "no JSON"},
	} {
		err := o.Check(tt.form, []byte(with(t, tt.body, tt.old, tt.new)))
		switch {
		case tt.fault == "" && err != nil:
			t.Errorf("%s with %s: %v", tt.form, tt.new, err)
		case tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault) || !strings.Contains(err.Error(), tt.at)):
			t.Errorf("%s with %s for %s: %v", tt.form, tt.new, tt.old, err)
		}
	}
}

// What is served is held against the form of its path, status and type: seen from within, and from a client.
func TestWatched(t *testing.T) {
	t.Parallel()
	o := OrSkip(t)
	const stream, json = "text/event-stream", "application/json"
	data := func(payloads ...string) string { return "data: " + strings.Join(payloads, "\n\ndata: ") + "\n\n" }
	for _, tt := range []struct {
		path, media string
		status      int
		body        string
		fault       string
	}{
		{"/v1/chat/completions", json, 200, goodChat, ""},
		{"//v1/v1//chat/completions/", json + "; charset=utf-8", 200, goodChat, ""},
		{"/v1/chat/completions", json, 200, goodLegacy, "/object"},
		{"/v1/chat/completions", json, 200, goodError, "missing properties"},
		{"/v1/chat/completions", json, 200, "", "no JSON"},
		{"/v1/chat/completions", "text/plain", 200, goodChat, `Content-Type is "text/plain"`},
		{"/v1/chat/completions", json, 400, goodError, ""},
		{"/v1/chat/completions", json, 400, goodChat, "missing property 'error'"},
		{"/v1/nothing", json, 404, goodError, ""},
		{"/v1/nothing", json, 200, goodChat, "nothing is served there"},
		{"/v1/completions", json, 200, goodLegacy, ""},
		{"/v1/embeddings", json, 200, goodVector, ""},
		{"/v1/embeddings", json, 200, goodLegacy, "/object"},
		{"/v1/models", json, 200, `{"object":"list","data":[]}`, ""},
		{"/v1/models", json, 200, goodModel, "missing property 'data'"},
		{"/v1/models/a%2Fb", json, 200, goodModel, ""},
		{"/models/a/b", json, 200, goodChat, "missing property 'owned_by'"},
		{"/healthz", "text/plain", 200, "ok", ""},
		{"/readyz", "text/plain", 503, "no", `Content-Type is "text/plain"`},
		{"/v1/chat/completions", stream, 200, data(goodChunk, "[DONE]"), ""},
		{"/v1/chat/completions", stream, 200, ": keep-alive\n" + data(goodChunk) + ": keep-alive\n" + data("[DONE]"), ""},
		{"/v1/chat/completions", stream, 200, data(goodChunk, goodError), ""},
		{"/v1/chat/completions", stream, 200, data(goodChunk, `{"error":{"message":"no"}}`), "missing properties 'type', 'param', 'code'"},
		{"/v1/chat/completions", stream, 200, data(goodChunk, goodLegacy, "[DONE]"), "/object"},
		{"/v1/chat/completions", stream, 200, data(goodChunk), "without [DONE]"},
		{"/v1/chat/completions", stream, 200, strings.TrimSuffix(data(goodChunk, "[DONE]"), "\n"), "without [DONE]"},
		{"/v1/chat/completions", stream, 200, data(goodChunk, "[DONE]", goodChunk), "after the last event"},
		{"/v1/chat/completions", stream, 200, data(goodChunk, "[DONE]") + ": keep-alive\n", "after the last event"},
		{"/v1/chat/completions", stream, 200, "event: message\n" + data(goodChunk, "[DONE]"), "neither data nor a keep-alive"},
		{"/v1/chat/completions", stream, 200, "data: " + goodChunk + "\n" + data("[DONE]"), "does not end in a blank line"},
		{"/v1/chat/completions", stream, 200, ": keep-alive\n\n" + data(goodChunk, "[DONE]"), "neither data nor a keep-alive"},
		{"/v1/chat/completions", stream, 200, strings.ReplaceAll(data(goodChunk, "[DONE]"), "\n", "\r\n"), "carriage return"},
		{"/v1/completions", stream, 200, data(goodLegacy, "[DONE]"), ""},
		{"/v1/completions", stream, 200, data(goodChunk, "[DONE]"), "/object"},
		{"/v1/embeddings", stream, 200, data(goodChunk, "[DONE]"), "nothing is served there"},
	} {
		r := httptest.NewRequest(http.MethodPost, tt.path, nil)
		for _, size := range []int{1, 7, len(tt.body) + 1} {
			var faults []error
			a := newAnswer(o, r, func(err error) { faults = append(faults, err) })
			a.head(tt.status, http.Header{"Content-Type": {tt.media}})
			for rest := tt.body; rest != ""; {
				n := min(size, len(rest))
				a.write([]byte(rest[:n]))
				rest = rest[n:]
			}
			a.end(false)
			if got := errors.Join(faults...); tt.fault == "" && got != nil || tt.fault != "" && (len(faults) != 1 || !strings.Contains(got.Error(), tt.fault)) {
				t.Errorf("%s %d %s: %v, not %q", tt.path, tt.status, tt.body, got, tt.fault)
			}
		}
	}
}

// recorder is a test that only notes that it failed.
type recorder struct {
	testing.TB
	faults []string
	after  []func()
}

func (r *recorder) Helper()          {}
func (r *recorder) Cleanup(f func()) { r.after = append(r.after, f) }
func (r *recorder) Errorf(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// A fault fails the test, whether it is seen in the server or by a client. An answer that the client did not get whole
// does not count, and after the test nothing is reported.
func TestAFaultFailsTheTest(t *testing.T) {
	t.Parallel()
	OrSkip(t)
	serve := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/v1/models":
			_, _ = io.WriteString(w, `{"object":"list"}`)
		case "/v1/embeddings":
			_, _ = io.WriteString(w, `{"object":"li`)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}
	for name, watched := range map[string]func(*recorder) (http.Handler, *http.Client){
		"in the server": func(r *recorder) (http.Handler, *http.Client) {
			return Handler(r, http.HandlerFunc(serve)), &http.Client{Transport: &http.Transport{}}
		},
		"by a client": func(r *recorder) (http.Handler, *http.Client) {
			return http.HandlerFunc(serve), &http.Client{Transport: Transport(r, &http.Transport{})}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{TB: t}
			handler, client := watched(r)
			server := httptest.NewServer(handler)
			get := func(path string) {
				resp, err := client.Get(server.URL + path)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body) // it may break off
				resp.Body.Close()
			}
			get("/v1/embeddings")
			get("/v1/models")
			for _, f := range r.after {
				f()
			}
			get("/v1/models")
			server.Close()
			client.CloseIdleConnections()
			if len(r.faults) != 1 || !strings.Contains(r.faults[0], "/v1/models was answered with 200, but its body is wrong") {
				t.Errorf("%q", r.faults)
			}
		})
	}
}
