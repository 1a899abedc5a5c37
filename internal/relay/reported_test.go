package relay

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// serveFrom serves a body from a server that answers so. It is of a caller of chat completions, or of another dialect if foreigner is true.
func serveFrom(ctx context.Context, t *testing.T, w http.ResponseWriter, foreigner bool, body string, answers http.HandlerFunc) *Result {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		answers(w, r)
	}))
	t.Cleanup(upstream.Close)
	in := foreign()
	if !foreigner {
		in.Dialect = llm.OpenAI
	}
	asked, refused := in.Parse([]byte(body), dialect.ParseOptions{MaxDepth: 64})
	if refused != nil {
		t.Fatal(refused)
	}
	return Serve(ctx, w, &Request{
		ID: "id", Ingress: in, Asked: asked, MaxAnswer: 10 << 20,
		Providers: map[string]*provider.Provider{"p": upstreamOf(t, upstreamCfg("p", "openai", upstream.URL+"/v1"))},
		Route:     route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "up"}}},
	})
}

// sends answers with a text, and with no more until the call ends.
func sends(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, text)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

// askedLong has 100 bytes of a prompt, which are 25 tokens.
var askedLong = `{"model":"m","stream":true,"messages":[{"role":"user","content":"` + strings.Repeat("a", 98) + `"}]}`

// OpenAI names the service tier in every chunk. That is no report of usage, so what a cut stream took is counted all the same.
func TestATierIsNoUsage(t *testing.T) {
	t.Parallel()
	const (
		head  = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"up","service_tier":"flex","choices":[{"index":0,`
		role  = head + `"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n"
		words = head + `"delta":{"content":"12345678"},"finish_reason":null}]}` + "\n\n"
	)
	for _, tt := range []struct {
		name, sends string
		foreigner   bool
		want        llm.Usage
	}{
		{"passed", role + words + words, false, llm.Usage{Fresh: 25, Text: 4, Tier: "flex"}},
		{"translated", role + words + words, true, llm.Usage{Fresh: 25, Text: 4, Tier: "flex"}},
		{"passed, nothing was said", role, false, llm.Usage{Fresh: 25, Tier: "flex"}},
		{"translated, nothing was said", role, true, llm.Usage{Fresh: 25, Tier: "flex"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := serveFrom(t.Context(), t, httptest.NewRecorder(), tt.foreigner, askedLong, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, tt.sends) })
			if c := res.Calls[0]; res.Err == nil || c.Usage != tt.want || !c.HasUsage || !c.Estimated {
				t.Errorf("%v, %+v, reported %v, counted %v", res.Err, c.Usage, c.HasUsage, c.Estimated)
			}
		})
	}
}

// A complete answer, given where a stream was asked, says what it took. A caller that leaves while it is relayed changes nothing.
func TestCompleteAnswersThatCallersLeave(t *testing.T) {
	t.Parallel()
	const answer = `{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[` +
		`{"index":0,"message":{"role":"assistant","content":"12345678"},"finish_reason":"stop"},{"index":1,"message":{"role":"assistant","content":"12345678"},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":77,"completion_tokens":9,"total_tokens":86}}`
	for name, foreigner := range map[string]bool{"passed": false, "translated": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := serveFrom(t.Context(), t, &gone{httptest.NewRecorder(), 0}, foreigner, askedLong, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) })
			want := llm.Usage{Fresh: 77, Text: 9}
			if c := res.Calls[0]; res.Err == nil || res.Err.Kind != llm.Canceled || c.Usage != want || !c.HasUsage || c.Estimated {
				t.Errorf("%v, %+v, counted %v", res.Err, c.Usage, c.Estimated)
			}
		})
	}
}

// A body without an answer may still say what it took, and is billed.
func TestNoAnswerThatTookTokens(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"id":"c","choices":[],"usage":{"prompt_tokens":77,"completion_tokens":9,"total_tokens":86}}`,
		`{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"error"}],"usage":{"prompt_tokens":77,"completion_tokens":9,"total_tokens":86}}`,
	} {
		for _, body := range []string{`{"model":"m","messages":[{"role":"user","content":"a"}]}`, askedLong} {
			for _, foreigner := range []bool{false, true} {
				res := serveFrom(t.Context(), t, httptest.NewRecorder(), foreigner, body, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) })
				if c := res.Calls[0]; res.Err == nil || c.Usage != (llm.Usage{Fresh: 77, Text: 9}) || !c.HasUsage || c.Estimated {
					t.Errorf("%s, translated %v: %v, %+v", answer, foreigner, res.Err, c.Usage)
				}
			}
		}
	}
}

// The word that ends a stream ends it, though the answer is not whole: the connection may stay open for long.
func TestADoneThatComesTooSoon(t *testing.T) {
	t.Parallel()
	const done = "data: [DONE]\n\n"
	call := `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"i","type":"function","function":{"name":"f","arguments":"{"}}]},"finish_reason":null}]}` + "\n\n"
	for name, text := range map[string]string{"nothing came": done, "a call is open": call + done} {
		for _, foreigner := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				res := serveFrom(t.Context(), t, httptest.NewRecorder(), foreigner, askedLong, sends(text))
				if res.Err == nil || res.Calls[0].Outcome != "failed" {
					t.Errorf("translated %v: %v, %+v", foreigner, res.Err, res.Calls)
				}
			})
		}
	}
}

// What a model says to refuse counts as said, in a whole answer and in a stream.
func TestRefusalsAreCounted(t *testing.T) {
	t.Parallel()
	const (
		whole = `{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"12345678"},"finish_reason":"stop"}]}`
		chunk = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,"delta":{"role":"assistant","refusal":"12345678"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	)
	for _, foreigner := range []bool{false, true} {
		for body, answer := range map[string]string{askedLong: chunk, strings.Replace(askedLong, `"stream":true,`, "", 1): whole} {
			res := serveFrom(t.Context(), t, httptest.NewRecorder(), foreigner, body, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) })
			if res.Err != nil || res.Usage != (llm.Usage{Fresh: 25, Text: 2}) || !res.Estimated {
				t.Errorf("translated %v: %v, %+v", foreigner, res.Err, res.Usage)
			}
		}
	}
}
