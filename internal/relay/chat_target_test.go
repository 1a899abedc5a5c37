package relay

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// foreign is a caller's dialect that no target speaks. It is spelled as chat completions are, so that what its callers read can be
// compared with what callers of those do.
func foreign() *dialect.Ingress {
	in := *passthrough.Chat
	in.Dialect = 99
	return &in
}

// A target that speaks chat completions can be asked by callers of any dialect.
func TestChatTargets(t *testing.T) {
	t.Parallel()
	const (
		stream = `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}`
		plain  = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
		head   = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,`
		text   = head + `"delta":{"role":"assistant","content":"Hello"},"finish_reason":null}]}` + "\n\n"
		stop   = head + `"delta":{},"finish_reason":"stop"}]}` + "\n\n"
		usage  = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}` + "\n\n"
	)
	for _, tt := range []struct {
		name, body, answer string
		status             int
		says               []string // parts of what the caller reads
		fails              bool     // of the log: whether the request failed
		fresh              int64
		waits              bool // the upstream keeps the connection open
	}{
		{name: "a stream", body: stream, answer: text + stop + usage + "data: [DONE]\n\n", says: []string{`"content":"Hello"`, `"finish_reason":"stop"`, `"prompt_tokens":3`, "data: [DONE]"}, fresh: 3},
		{name: "a stream that says its end and goes on", body: stream, answer: text + stop + usage + "data: [DONE]\n\n", waits: true, says: []string{`"finish_reason":"stop"`, "data: [DONE]"}, fresh: 3},
		{name: "a stream without a last word", body: stream, answer: text + stop + usage, says: []string{`"finish_reason":"stop"`, `"prompt_tokens":3`, "data: [DONE]"}, fresh: 3},
		{name: "a stream cut short", body: stream, answer: text, says: []string{`"content":"Hello"`, `{"error":{`}, fails: true, fresh: 1},
		{name: "an error in a stream", body: stream, answer: text + `data: {"error":{"message":"broken","type":"server_error"}}` + "\n\n", says: []string{`{"error":{`}, fails: true, fresh: 1},
		{name: "a complete answer", body: plain, answer: `{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`, says: []string{`"content":"Hello"`, `"total_tokens":5`}, fresh: 3},
		{name: "a complete answer to a stream", body: stream, answer: `{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`, says: []string{`"content":"Hello"`, `"prompt_tokens":3`, "data: [DONE]"}, fresh: 3},
		{name: "a call of a tool", body: stream, answer: head + `"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""}}]}}]}` + "\n\n" + head + `"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":null}]}` + "\n\n" + head + `"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n", says: []string{`"id":"call_1"`, `"arguments":"{}"`, `"finish_reason":"tool_calls"`}, fresh: 1},
		{name: "a refusal", body: plain, status: 400, answer: `{"error":{"message":"no such thing","type":"invalid_request_error","param":"x","code":null}}`, fails: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			asked := ""
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				asked = string(body)
				if tt.status != 0 {
					w.WriteHeader(tt.status)
				}
				_, _ = io.WriteString(w, tt.answer)
				if tt.waits {
					_ = http.NewResponseController(w).Flush()
					<-r.Context().Done()
				}
			}))
			t.Cleanup(upstream.Close)
			p := upstreamOf(t, upstreamCfg("p", "openai", upstream.URL+"/v1"))
			request, refused := foreign().Parse([]byte(tt.body), dialect.ParseOptions{})
			if refused != nil {
				t.Fatal(refused)
			}
			w := httptest.NewRecorder()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			res := Serve(ctx, w, &Request{
				ID: "id", Ingress: foreign(), Asked: request, Providers: map[string]*provider.Provider{"p": p}, MaxAnswer: 10 << 20,
				Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "up"}}},
			})
			for _, part := range tt.says {
				if !strings.Contains(w.Body.String(), part) {
					t.Errorf("the caller does not read %s: %s", part, w.Body)
				}
			}
			if (res.Err != nil) != tt.fails || res.Usage.Fresh != tt.fresh {
				t.Errorf("%v, %+v", res.Err, res.Usage)
			}
			if tt.status == 400 && (res.Err.Refusal == nil || res.Err.Refusal.Param != "x") {
				t.Errorf("%+v", res.Err)
			}
			if !strings.Contains(asked, `"model":"up"`) || strings.Contains(tt.body, `"stream":true`) != strings.Contains(asked, `"stream":true`) {
				t.Errorf("the upstream was sent %s", asked)
			}
		})
	}
	if (&Request{Ingress: passthrough.Chat, Asked: new(passthrough.Request)}).codec(upstreamOf(t, upstreamCfg("p", "openai", "")), "m", nil) != nil {
		t.Error("callers of chat completions are translated")
	}
}
