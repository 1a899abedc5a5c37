package relay

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// serving is a server that answers chats from the given targets, in order, and explains itself.
func serving(t *testing.T, targets ...*provider.Provider) *httptest.Server {
	t.Helper()
	model := &route.Model{Name: "m", MaxAttempts: len(targets), Timeouts: route.Timeouts{Hold: time.Millisecond}}
	providers := map[string]*provider.Provider{}
	for i, p := range targets {
		name := "p" + strconv.Itoa(i)
		providers[name] = p
		model.Targets = append(model.Targets, route.Target{Provider: name, Model: "claude-haiku-4-5"})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		call, refused := passthrough.ParseRequest(llm.Chat, body, 64)
		if refused != nil {
			t.Error(refused)
			return
		}
		Serve(r.Context(), w, &Request{
			Ingress: ingressOf(call), Asked: call, Providers: providers, MaxAnswer: 10 << 20, Caller: r.Header, Started: time.Now(), Explain: true,
			Route: route.Route{Board: route.NewBoard(), Model: model, Targets: model.Targets},
		})
	}))
	t.Cleanup(server.Close)
	return server
}

// chat posts a chat with the members; encoding is its Accept-Encoding.
func chat(ctx context.Context, t *testing.T, server *httptest.Server, members, encoding string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"a"}]`+members+`}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", encoding)
	resp, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// saying is a provider that answers with a text.
func saying(t *testing.T, text string) *provider.Provider {
	return racer(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":%q}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`, text)
	})
}

// A complete answer says that it is JSON and how long it is. A long one is compressed, if the caller takes that.
func TestHeadersOfCompleteAnswers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long answer ", 2000)
	for _, tt := range []struct{ name, text, accept, encoding, vary string }{
		{"short", "short", "gzip", "", ""},
		{"long, compressed", long, "gzip", "gzip", "Accept-Encoding"},
		{"long, for a caller that takes no gzip", long, "identity", "", "Accept-Encoding"},
	} {
		resp := chat(t.Context(), t, serving(t, saying(t, tt.text)), "", tt.accept)
		h := resp.Header
		if h.Get("Content-Type") != "application/json" || h.Get("Content-Encoding") != tt.encoding || h.Get("Vary") != tt.vary || resp.ContentLength <= 0 {
			t.Errorf("%s: %v", tt.name, h)
		}
		body := io.Reader(resp.Body)
		if tt.encoding == "gzip" {
			z, err := gzip.NewReader(body)
			if err != nil {
				t.Fatal(err)
			}
			body = z
		}
		if got, err := io.ReadAll(body); err != nil || !strings.Contains(string(got), tt.text) {
			t.Errorf("%s: %v, %.200s", tt.name, err, got)
		}
	}
}
