package relay

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// The caller learns what its request cost: all calls together, by the target's price, or as billed by a provider that says so.
func TestCostOfAnAnswer(t *testing.T) {
	t.Parallel()
	const (
		cohere = `{"id":"c","message":{"role":"assistant","content":[{"type":"text","text":"A"}]},"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":3,"output_tokens":4}}}`
		bare   = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}]}`
		chat   = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
	)
	price := money.Plain(1_000_000, 10_000_000) // a dollar and ten for a million
	ok := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
	}
	told := `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7,"cost":0.5}}`
	for name, tt := range map[string]struct {
		kind     string
		price    *money.Price
		answers  http.HandlerFunc
		endpoint llm.Endpoint
		request  string
		want     string
	}{
		"by the price":                              {"openai", price, ok(told), llm.Chat, chat, "0.000043"},
		"of a target of another dialect":            {"cohere", price, ok(cohere), llm.Chat, chat, "0.000043"},
		"of all prompts":                            {"cohere", price, ok(cohere), llm.Completions, `{"model":"m","prompt":["a","b"]}`, "0.000086"},
		"no price":                                  {"openai", nil, ok(told), llm.Chat, chat, ""},
		"no usage":                                  {"openai", price, ok(bare), llm.Chat, chat, "0.000011"},
		"told, but by who knows whom":               {"openrouter", price, ok(told), llm.Chat, chat, "0.000043"}, // at a base_url of its own
		"embeddings that Weir counted":              {"cohere", price, ok(`{"embeddings":{"float":[[1]]}}`), llm.Embeddings, `{"model":"m","input":["abcd"]}`, "0.000001"},
		"a stream, whose head comes before its end": {"openai", price, ok("data: " + told + "\n\n"), llm.Chat, `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := httptest.NewServer(tt.answers)
			t.Cleanup(upstream.Close)
			p, err := provider.New(config.Provider{Name: "p", Kind: tt.kind, BaseURL: upstream.URL}, provider.Identity{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			call, refused := passthrough.ParseRequest(tt.endpoint, []byte(tt.request), 64)
			if refused != nil {
				t.Fatal(refused)
			}
			w := httptest.NewRecorder()
			Serve(t.Context(), w, &Request{
				Ingress: ingressOf(call), Asked: call, Providers: map[string]*provider.Provider{"p": p}, MaxAnswer: 10 << 20, Started: time.Now(),
				Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "m", Facts: route.Facts{Price: tt.price}}}},
			})
			if got := w.Header().Get("Weir-Cost"); got != tt.want {
				t.Errorf("%q, want %q: %s", got, tt.want, w.Body)
			}
		})
	}
}

// For kinds that report their bill, the reported cost counts, at their own address.
func TestProvidersThatBill(t *testing.T) {
	t.Parallel()
	for cfg, bills := range map[[3]string]bool{
		{"avian"}: true, {"openrouter"}: true, {"xai"}: true, {"perplexity"}: true, {"vercel"}: true, {"openai"}: false, {"groq"}: false,
		{"openrouter", "http://own.test/v1"}: false, {"openrouter", "http://own.test/v1", "reported"}: true, {"openai", "http://own.test/v1", "reported"}: true,
		{"xai", "", "listed"}: false, {"xai", "", "reported"}: true,
	} {
		kind := cfg[0]
		p, err := provider.New(config.Provider{Name: "p", Kind: kind, BaseURL: cfg[1], Cost: config.CostSource(cfg[2])}, provider.Identity{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		a := &attempt{provider: p, target: &route.Target{Facts: route.Facts{Price: money.Plain(1_000_000, 0)}}}
		want := int64(1000)
		if bills {
			want = 7
		}
		got := a.charge(&llm.Usage{Fresh: 1, Cost: llm.Cost{Nanodollars: 7, Known: true}}, true)
		if got.Cost != want || got.Listed != 1000 || (got.Source == money.Billed) != bills || got.Doubt != 0 {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}
