package relay

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/converse"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// The usage that an upstream reports is recorded for the attempt, even if the answer cannot be relayed or the stream breaks off. It
// is billed anyway. If some of a stream was relayed, the usage is the request's, too.
func TestSpentInVain(t *testing.T) {
	t.Parallel()
	const (
		googleUsage = `"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}`
		google      = `{"candidates":[{"content":{"parts":[{"text":"A"}]},"finishReason":"MALFORMED_FUNCTION_CALL"}],` + googleUsage + `}`
		googleBegun = `data: {"candidates":[{"content":{"parts":[{"text":"A"}]}}],` + googleUsage + "}\n\n"

		claude      = `{"type":"message","content":[{"type":"tool_use","id":"toolu_1","input":{}}],"usage":{"input_tokens":3,"output_tokens":4}}`
		claudeBegun = `data: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":3,"output_tokens":4}}}` + "\n\n" +
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"A"}}` + "\n\n"

		aws         = `{"output":{"message":{"content":[{"text":"A"}]}},"stopReason":"malformed_tool_use","usage":{"inputTokens":3,"outputTokens":4}}`
		aws2        = `{"output":{"message":{"content":[{"toolUse":{"name":"f"}}]}},"stopReason":"tool_use","usage":{"inputTokens":3,"outputTokens":4}}`
		awsPayloads = `{"type":"messageStart","role":"assistant"}|{"type":"contentBlockDelta","contentBlockIndex":0,"delta":{"text":"A"}}|` +
			`{"type":"messageStop","stopReason":"malformed_model_output"}|{"type":"metadata","usage":{"inputTokens":3,"outputTokens":4}}`
		cohere = `{"id":"c","message":{"role":"assistant","content":[]},"finish_reason":"ERROR","usage":{"tokens":{"input_tokens":3,"output_tokens":4}}}`

		cohereBegun = `data: {"id":"c","type":"message-start","delta":{"message":{"role":"assistant"}}}` + "\n\n" +
			`data: {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"A"}}}}` + "\n\n"
		cohereFailed = `data: {"type":"message-end","delta":{"finish_reason":"ERROR","usage":{"tokens":{"input_tokens":3,"output_tokens":4}}}}` + "\n\n"
	)
	var frames []byte
	for payload := range strings.SplitSeq(awsPayloads, "|") {
		frames = converse.AppendFrame(frames, []byte(payload))
	}
	for name, tt := range map[string]struct {
		kind, body    string
		streams, told bool // told: some of it was relayed
	}{
		"gemini":                         {"gemini", google, false, false},
		"gemini, asked for a stream":     {"gemini", google, true, false},
		"gemini, streamed":               {"gemini", "data: " + google + "\n\n", true, true},
		"gemini, cut":                    {"gemini", googleBegun, true, true},
		"anthropic":                      {"anthropic", claude, false, false},
		"anthropic, cut":                 {"anthropic", claudeBegun, true, true},
		"anthropic, not begun":           {"anthropic", strings.SplitAfter(claudeBegun, "\n\n")[0], true, false},
		"bedrock":                        {"bedrock", aws, false, false},
		"bedrock, a call without an id":  {"bedrock", aws2, false, false},
		"bedrock, streamed":              {"bedrock", string(frames), true, true},
		"cohere":                         {"cohere", cohere, false, false},
		"cohere, streamed":               {"cohere", cohereBegun + cohereFailed, true, true},
		"cohere, a stream of no content": {"cohere", strings.SplitAfter(cohereBegun, "\n\n")[0] + cohereFailed, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				_, _ = io.WriteString(w, tt.body)
			}))
			t.Cleanup(upstream.Close)
			p := upstreamOf(t, config.Provider{Name: "p", Kind: tt.kind, BaseURL: upstream.URL})
			body := `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
			if tt.streams {
				body = strings.Replace(body, `"m"`, `"m","stream":true`, 1)
			}
			call, refused := passthrough.ParseRequest(llm.Chat, []byte(body), 64)
			if refused != nil {
				t.Fatal(refused)
			}
			res := Serve(t.Context(), httptest.NewRecorder(), &Request{
				Ingress: ingressOf(call), Asked: call, Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "m"}}},
				Providers: map[string]*provider.Provider{"p": p}, MaxAnswer: 10 << 20,
			})
			if res.Err == nil {
				t.Fatal("it was answered")
			}
			want := llm.Usage{Fresh: 3, Text: 4}
			if name == "anthropic, cut" { // it reports no more until its end: what it says meanwhile is counted
				want.Text++
			}
			if a := &res.Calls[0]; a.Usage != want || !a.HasUsage {
				t.Errorf("the attempt took %+v (%v)", a.Usage, a.HasUsage)
			}
			if !tt.told {
				want = llm.Usage{}
			}
			if res.Usage != want || res.HasUsage != tt.told {
				t.Errorf("the answer took %+v (%v)", res.Usage, res.HasUsage)
			}
		})
	}
}
