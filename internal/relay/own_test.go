package relay

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// A refusal of the request keeps the upstream's words, in the shape and with the codes that clients know. AWS's types mean nothing
// to clients.
func TestRefusalsAsCallersReadThem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind   string
		status int
		header string
		body   string
		want   string
	}{
		{"openai", 400, "", `{ "error": {"message":"m","type":"t","param":null,"code":"c"}, "more": 1}`, `{ "error": {"message":"m","type":"t","param":null,"code":"c"}, "more": 1}`},
		{"openai", 422, "", `{"detail":"m"}`, `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}`},
		{"openai", 400, "", `{"error":{"message":"maximum context length is 8","type":"t","code":400}}`, `{"error":{"message":"maximum context length is 8","type":"t","param":null,"code":"context_length_exceeded"}}`},
		{"openai", 400, "", `{"error":{"message":"The input was flagged","code":400}}`, `{"error":{"message":"The input was flagged","type":"invalid_request_error","param":null,"code":"content_filter"}}`},
		{"openai", 400, "", `{"error":{"message":"The input was flagged"}}`, `{"error":{"message":"The input was flagged","type":"invalid_request_error","param":null,"code":"content_filter"}}`},
		{"openai", 400, "", `{"error":{"message":"The input was flagged","code":"own"}}`, `{"error":{"message":"The input was flagged","type":"invalid_request_error","param":null,"code":"own"}}`},
		{"openai", 400, "", `{"error":{"message":"one-key-of-two of org-abcdef","type":"t","param":null,"code":"c"}}`, `{"error":{"message":"[hidden] of [hidden]","type":"t","param":null,"code":"c"}}`},
		{"anthropic", 400, "", `{"type":"error","error":{"type":"invalid_request_error","message":"m"}}`, `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}`},
		{"anthropic", 413, "", `{"type":"error","error":{"type":"request_too_large","message":"m"}}`, `{"error":{"message":"m","type":"request_too_large","param":null,"code":null}}`},
		{"bedrock", 400, "ValidationException:http://x/", `{"message":"m"}`, `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}`},
	} {
		refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			_, _ = io.Copy(io.Discard, req.Body)
			if tt.header != "" {
				w.Header().Set("X-Amzn-Errortype", tt.header)
			}
			w.WriteHeader(tt.status)
			_, _ = io.WriteString(w, tt.body)
		}))
		providers := map[string]*provider.Provider{"ill": upstreamOf(t, upstreamCfg("ill", tt.kind, refuses.URL))}
		res := serveRefused(t, providers, route.Target{Provider: "ill", Model: "claude-none"})
		if res.Err == nil || res.Err.HTTPStatus() != tt.status || string(dialect.ErrorBody(res.Err)) != tt.want {
			t.Errorf("%s, %s: %+v", tt.kind, tt.body, res.Err)
		}
		refuses.Close()
	}
}

// What the config says of parameters counts: a target's word more than its model's, and that more than the provider's. A target that
// is not sent stream_options is not asked for usage.
func TestParametersOfTargets(t *testing.T) {
	t.Parallel()
	const chat = `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"max_completion_tokens":5,"seed":1,"top_p":1}`
	for _, tt := range []struct {
		name   string
		model  route.Model
		target route.Target
		want   string
	}{
		{"nothing", route.Model{}, route.Target{}, `{"model":"up","messages":[{"role":"user","content":"hi"}],"stream":true,"max_completion_tokens":5,"seed":1,"top_p":1,"stream_options":{"include_usage":true}}`},
		{"the model renames", route.Model{Rename: map[string]string{"max_completion_tokens": "max_tokens"}}, route.Target{}, `{"model":"up","messages":[{"role":"user","content":"hi"}],"stream":true,"max_tokens":5,"seed":1,"top_p":1,"stream_options":{"include_usage":true}}`},
		{"the target renames otherwise", route.Model{Rename: map[string]string{"max_completion_tokens": "max_tokens"}}, route.Target{Rename: map[string]string{"seed": "random_seed"}}, `{"model":"up","messages":[{"role":"user","content":"hi"}],"stream":true,"max_completion_tokens":5,"random_seed":1,"top_p":1,"stream_options":{"include_usage":true}}`},
		{"the model leaves out", route.Model{Omit: []string{"seed"}}, route.Target{}, `{"model":"up","messages":[{"role":"user","content":"hi"}],"stream":true,"max_completion_tokens":5,"top_p":1,"stream_options":{"include_usage":true}}`},
		{"the target leaves out otherwise", route.Model{Omit: []string{"seed"}}, route.Target{Omit: []string{"top_p"}}, `{"model":"up","messages":[{"role":"user","content":"hi"}],"stream":true,"max_completion_tokens":5,"seed":1,"stream_options":{"include_usage":true}}`},
		{"the model leaves the options out", route.Model{Omit: []string{"stream_options"}}, route.Target{}, `{"model":"up","messages":[{"role":"user","content":"hi"}],"stream":true,"max_completion_tokens":5,"seed":1,"top_p":1}`},
	} {
		var got []byte
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			got, _ = io.ReadAll(req.Body)
			_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}`)
		}))
		call, bad := passthrough.ParseRequest(llm.Chat, []byte(chat), 64)
		if bad != nil {
			t.Fatal(bad)
		}
		tt.model.MaxAttempts, tt.target.Provider, tt.target.Model = 1, "up", "up"
		w := httptest.NewRecorder()
		res := Serve(t.Context(), w, &Request{
			Ingress: ingressOf(call), Asked: call, Route: route.Route{Board: route.NewBoard(), Model: &tt.model, Targets: []route.Target{tt.target}}, MaxAnswer: 1 << 20,
			Providers: map[string]*provider.Provider{"up": upstreamOf(t, config.Provider{Name: "up", Kind: "openai", BaseURL: upstream.URL + "/v1"})},
		})
		if diff := cmp.Diff(tt.want, string(got)); diff != "" || res.Err != nil {
			t.Errorf("%s: %v %s", tt.name, res.Err, diff)
		}
		// It answered in one piece, which becomes the stream that was asked for.
		if body := w.Body.Bytes(); bytes.Count(body, []byte("data: ")) != 3 || !strings.HasSuffix(w.Body.String(), "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n") {
			t.Errorf("%s: %s", tt.name, body)
		}
		upstream.Close()
	}
}
