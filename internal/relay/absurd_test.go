package relay

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// absurdFigures are no numbers of tokens.
var absurdFigures = []string{"9223372036854775807", "-9223372036854775808", "9007199254740992", "100000001", "99999999999999999999", "1e309", "-1e309", "-1", `"12"`, "{}", "true"}

// Figures that cannot be true are flagged, whatever the dialect, and what the call took is counted instead. No cost is negative.
func TestAbsurdUsage(t *testing.T) {
	t.Parallel()
	const (
		chat     = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"12345678"}]}`
		response = `{"model":"m","input":"12345678"}`
		google   = `{"contents":[{"role":"user","parts":[{"text":"12345678"}]}]}`
	)
	answers := map[string]string{
		"openai": `{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[{"index":0,"message":{"role":"assistant","content":"1234"},"finish_reason":"stop"}],"usage":{"prompt_tokens":%[1]s,"completion_tokens":3,"total_tokens":4,` +
			`"prompt_tokens_details":{"cached_tokens":%[1]s,"audio_tokens":%[1]s},"completion_tokens_details":{"reasoning_tokens":%[1]s}}}`,
		"responses": `{"id":"r","object":"response","created_at":1,"model":"up","status":"completed","output":[{"type":"message","id":"i","role":"assistant","status":"completed","content":[{"type":"output_text","text":"1234","annotations":[]}]}],` +
			`"usage":{"input_tokens":5,"output_tokens":%[1]s,"total_tokens":%[1]s,"input_tokens_details":{"cached_tokens":%[1]s},"output_tokens_details":{"reasoning_tokens":%[1]s}}}`,
		"anthropic": `{"id":"a","type":"message","role":"assistant","model":"up","content":[{"type":"text","text":"1234"}],"stop_reason":"end_turn",` +
			`"usage":{"input_tokens":%[1]s,"cache_creation_input_tokens":%[1]s,"cache_read_input_tokens":%[1]s,"output_tokens":%[1]s,"cache_creation":{"ephemeral_1h_input_tokens":%[1]s}}}`,
		"gemini": `{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"text":"1234"}]}}],"modelVersion":"up",` +
			`"usageMetadata":{"promptTokenCount":7,"toolUsePromptTokenCount":%[1]s,"candidatesTokenCount":%[1]s,"thoughtsTokenCount":%[1]s,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":%[1]s}]}}`,
		"bedrock": `{"output":{"message":{"role":"assistant","content":[{"text":"1234"}]}},"stopReason":"end_turn","usage":{"inputTokens":%[1]s,"cacheReadInputTokens":%[1]s,"cacheWriteInputTokens":%[1]s,"outputTokens":%[1]s,` +
			`"cacheDetails":[{"ttl":"1h","inputTokens":%[1]s}]}}`,
		"cohere": `{"id":"c","finish_reason":"COMPLETE","message":{"role":"assistant","content":[{"type":"text","text":"1234"}]},"usage":{"cached_tokens":%[1]s,"tokens":{"input_tokens":%[1]s,"output_tokens":%[1]s},"billed_units":{"input_tokens":%[1]s}}}`,
	}
	for _, tt := range []struct{ path, body, kind, answer string }{
		{"chat/completions", chat, "openai", "openai"},
		{"messages", chat, "openai", "openai"},
		{"responses", response, "openai", "responses"},
		{"messages", chat, "anthropic", "anthropic"},
		{"chat/completions", chat, "anthropic", "anthropic"},
		{"models/m:generateContent", google, "gemini", "gemini"},
		{"chat/completions", chat, "gemini", "gemini"},
		{"chat/completions", chat, "bedrock", "bedrock"},
		{"chat/completions", chat, "cohere", "cohere"},
	} {
		for _, figure := range absurdFigures {
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				_, _ = fmt.Fprintf(w, answers[tt.answer], figure)
			}))
			cfg := upstreamCfg("p", tt.kind, upstream.URL+"/v1")
			if tt.answer == "responses" {
				cfg.Speaks = []config.API{config.APIResponses}
			}
			in := table.At(tt.path)
			if in == nil {
				in, _ = table.Verb("v1beta/" + tt.path)
			}
			asked, refused := in.Parse([]byte(tt.body), dialect.ParseOptions{MaxDepth: 64, Model: "m"})
			if refused != nil {
				t.Fatal(refused)
			}
			res := Serve(t.Context(), httptest.NewRecorder(), &Request{
				ID: "id", Ingress: in, Asked: asked, MaxAnswer: 10 << 20, Providers: map[string]*provider.Provider{"p": upstreamOf(t, cfg)},
				Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "up", Facts: route.Facts{Price: money.Plain(1_000_000, 2_000_000)}}}},
			})
			upstream.Close()
			c := res.Calls[0]
			if want := (llm.Usage{Fresh: tokensOf(int64(asked.Scan().Heard)), Text: 1, Absurd: true}); res.Err != nil || c.Usage != want || !c.Estimated || !c.HasUsage {
				t.Errorf("%s at %s, %s: %v, %+v, counted %v", tt.path, tt.kind, figure, res.Err, c.Usage, c.Estimated)
			}
			if want := (money.Charge{Cost: 1000*c.Usage.Fresh + 2000, Listed: 1000*c.Usage.Fresh + 2000, Doubt: money.Absurd}); c.Charge != want {
				t.Errorf("%s at %s, %s: %+v, want %+v", tt.path, tt.kind, figure, c.Charge, want)
			}
		}
	}
}
