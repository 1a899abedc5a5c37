package relay

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// leaver is a client that hangs up as soon as it reads what it waits for.
type leaver struct {
	*httptest.ResponseRecorder
	word  string
	leave context.CancelFunc
}

func (l *leaver) Write(b []byte) (int, error) {
	if strings.Contains(string(b), l.word) {
		defer l.leave()
	}
	return l.ResponseRecorder.Write(b)
}

// A stream whose caller hangs up took its prompt, and what was said: as reported, and counted from there on.
func TestStreamsThatCallersLeaveAreCounted(t *testing.T) {
	t.Parallel()
	const (
		chat   = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,"delta":{"content":"12345678"},"finish_reason":null}]}` + "\n\n"
		claude = `data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"c","usage":{"input_tokens":77,"output_tokens":1}}}` + "\n\n" +
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"12345678"}}` + "\n\n"
	)
	reported := strings.Replace(strings.Replace(chat, "12345678", "1234", 1), `}]}`, `}],"usage":{"prompt_tokens":77,"completion_tokens":1,"total_tokens":78}}`, 1)
	for name, tt := range map[string]struct {
		kind, sends string
		want        llm.Usage
	}{
		"nothing is reported":            {"openai", chat, llm.Usage{Fresh: 25, Text: 2}},
		"usage is reported on the way":   {"openai", reported + chat, llm.Usage{Fresh: 77, Text: 3}},
		"the prompt's is reported first": {"anthropic", claude, llm.Usage{Fresh: 77, Text: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, tt.sends)
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			}))
			t.Cleanup(upstream.Close)
			p := upstreamOf(t, upstreamCfg("p", tt.kind, upstream.URL+"/v1"))
			asked, refused := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m","stream":true,"messages":[{"role":"user","content":"`+strings.Repeat("a", 98)+`"}]}`), 64)
			if refused != nil {
				t.Fatal(refused)
			}
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			res := Serve(ctx, &leaver{httptest.NewRecorder(), "12345678", leave}, &Request{
				Ingress: passthrough.Chat, Asked: asked, Providers: map[string]*provider.Provider{"p": p}, MaxAnswer: 10 << 20,
				Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "claude-haiku-4-5"}}},
			})
			if res.Err == nil || res.Err.Kind != llm.Canceled || res.Usage != tt.want || !res.Estimated {
				t.Errorf("%v, %+v, counted %v", res.Err, res.Usage, res.Estimated)
			}
		})
	}
}
