package relay

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// While a translated stream runs, nothing of its request is held, large or small. No more is given back than was taken: the
// account of all requests would be wrong from then on.
func TestTranslatedStreamsGiveBackWhatTheyTook(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for _, data := range []string{
			`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}`,
			`{"type":"message_stop"}`,
		} {
			_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}))
	t.Cleanup(upstream.Close)
	p, err := provider.New(config.Provider{Name: "p", Kind: "anthropic", BaseURL: upstream.URL + "/v1"}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	for _, size := range []int{10, 60 << 10, 200 << 10} {
		body := []byte(`{"model":"m","stream":true,"messages":[{"role":"user","content":"` + strings.Repeat("a", size) + `"}]}`)
		parse := func() *passthrough.Request {
			call, refused := passthrough.ParseRequest(llm.Chat, body, 64)
			if refused != nil {
				t.Fatal(refused)
			}
			return call
		}
		memory := &counted{held: parse().Forget()} // as much as the gateway has counted for it
		result := Serve(t.Context(), httptest.NewRecorder(), &Request{
			Ingress: passthrough.Chat, Asked: parse(), Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "claude-haiku-4-5"}}},
			Providers: map[string]*provider.Provider{"p": p}, Memory: memory, MaxAnswer: 10 << 20,
		})
		if result.Err != nil || result.Status != http.StatusOK {
			t.Fatalf("%d %+v", result.Status, result.Err)
		}
		if memory.held != 0 {
			t.Errorf("a prompt of %d bytes leaves %d bytes", size, memory.held)
		}
	}
}
