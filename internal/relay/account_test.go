package relay

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

// serve serves a request from upstreams, which are asked in order, and returns what was recorded.
func (b *books) serve(ctx context.Context, t *testing.T, w http.ResponseWriter, request string, m *route.Model, upstreams ...config.Provider) *Result {
	t.Helper()
	asked, refused := passthrough.ParseRequest(llm.Chat, []byte(request), 64)
	if refused != nil {
		t.Fatal(refused)
	}
	providers, targets := map[string]*provider.Provider{}, []route.Target{}
	for _, u := range upstreams {
		providers[u.Name] = upstreamOf(t, u)
		targets = append(targets, route.Target{Provider: u.Name, Model: "up"})
	}
	return Serve(ctx, w, &Request{
		ID: "id", Ingress: passthrough.Chat, Asked: asked, Providers: providers, MaxAnswer: 10 << 20, Started: time.Now(), Account: b,
		Route: route.Route{Board: route.NewBoard(), Model: m, Targets: targets},
	})
}

const (
	askedWhole  = `{"model":"m","messages":[{"role":"user","content":"12345678"}]}`
	askedStream = `{"model":"m","stream":true,"messages":[{"role":"user","content":"12345678"}]}`
	word        = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,"delta":{"content":"1234"},"finish_reason":null}]}` + "\n\n"
)

// Every way in which a call may fail has its figures.
func TestCallsThatFailAreAccounted(t *testing.T) {
	t.Parallel()
	says := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
		}
	}
	breaksOff := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, text)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}
	silent := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}
	const read = 3 // tokens that the prompt likely has
	for name, tt := range map[string]struct {
		request string
		answers http.HandlerFunc
		model   route.Model
		leaves  bool // the caller does, when the upstream has the request
		want    llm.Usage
		ends    Ends
	}{
		"refused":                      {askedWhole, says(400, `{"error":{"message":"no"}}`), route.Model{}, false, llm.Usage{}, 0},
		"a failure of the upstream":    {askedWhole, says(500, `{"error":{"message":"no"}}`), route.Model{}, false, llm.Usage{}, 0},
		"an error inside a 200":        {askedWhole, says(200, `{"error":{"message":"no"}}`), route.Model{}, false, llm.Usage{}, 0},
		"a web page":                   {askedWhole, says(200, `<html>`), route.Model{}, false, llm.Usage{}, 0},
		"nothing":                      {askedWhole, says(200, ``), route.Model{}, false, llm.Usage{}, 0},
		"reset after it was sent":      {askedWhole, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, route.Model{}, false, llm.Usage{Fresh: read}, InDoubt},
		"reset within the answer":      {askedWhole, breaksOff(`{"id":`), route.Model{}, false, llm.Usage{Fresh: read}, Truncated},
		"a stream reset at its head":   {askedStream, breaksOff(`: hello` + "\n\n"), route.Model{}, false, llm.Usage{Fresh: read}, Truncated},
		"a stream reset after content": {askedStream, breaksOff(word), route.Model{}, false, llm.Usage{Fresh: read, Text: 1}, Truncated},
		"a stream that ends too soon":  {askedStream, says(200, word), route.Model{}, false, llm.Usage{Fresh: read, Text: 1}, Truncated},
		"no first content in time":     {askedStream, silent, route.Model{Timeouts: route.Timeouts{FirstToken: time.Millisecond}}, false, llm.Usage{Fresh: read}, TimedOut},
		"the caller leaves":            {askedStream, silent, route.Model{}, true, llm.Usage{Fresh: read}, Cancelled},
		"the caller of a whole leaves": {askedWhole, silent, route.Model{}, true, llm.Usage{Fresh: read}, Cancelled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if tt.leaves {
					leave()
				}
				tt.answers(w, r)
			}))
			t.Cleanup(upstream.Close)
			tt.model.MaxAttempts = 1
			b := &books{}
			b.serve(ctx, t, httptest.NewRecorder(), tt.request, &tt.model, upstreamCfg("p", "openai", upstream.URL+"/v1"))
			if len(b.settled) != 1 {
				t.Fatalf("%d calls", len(b.settled))
			}
			c := b.settled[0]
			if tt.ends == TimedOut && c.Ends == tt.ends|Unsent { // before it could connect
				tt.want, tt.ends = llm.Usage{}, c.Ends
			}
			if c.Usage != tt.want || c.HasUsage != (tt.want != llm.Usage{}) || c.Estimated != c.HasUsage || c.Ends != tt.ends {
				t.Errorf("%s: %+v, %s", c.Outcome, c.Usage, c.Ends)
			}
		})
	}
}

// A call whose connection is not made costs nothing.
func TestCallsThatDidNotLeave(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	t.Cleanup(upstream.Close)
	b := &books{}
	b.serve(t.Context(), t, httptest.NewRecorder(), askedWhole, &route.Model{MaxAttempts: 3},
		upstreamCfg("gone", "openai", "http://"+closed.Addr().String()+"/v1"), upstreamCfg("bad", "openai", upstream.URL+"/v1"))
	if len(b.settled) < 2 {
		t.Fatalf("%d calls", len(b.settled))
	}
	first, next := &b.settled[0], &b.settled[1]
	if first.Ends != Unsent || first.HasUsage {
		t.Errorf("the first: %s %s, %+v", first.Outcome, first.Ends, first.Usage)
	}
	if next.Ends != 0 || next.HasUsage || next.Status != http.StatusInternalServerError {
		t.Errorf("the next: %s %s, %+v", next.Outcome, next.Ends, next.Usage)
	}
}

// What cannot be recorded is not called, and no other target is asked.
func TestCallsThatMustNotBeMade(t *testing.T) {
	t.Parallel()
	var called atomic.Int32
	upstream := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called.Add(1) }))
	t.Cleanup(upstream.Close)
	why := &llm.Error{Kind: llm.Overloaded, Message: "no"}
	for _, request := range []string{askedWhole, askedStream} {
		res := (&books{refuse: why}).serve(t.Context(), t, httptest.NewRecorder(), request, &route.Model{MaxAttempts: 3},
			upstreamCfg("one", "openai", upstream.URL+"/v1"), upstreamCfg("two", "openai", upstream.URL+"/v1"))
		if res.Err != why || len(res.Calls) != 0 || called.Load() != 0 {
			t.Errorf("%v, %d calls recorded, %d made", res.Err, len(res.Calls), called.Load())
		}
	}
}

// A call is settled before the caller has the last byte of its answer.
func TestCallsAreSettledFirst(t *testing.T) {
	t.Parallel()
	const whole = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}`
	ends := strings.Replace(word, "null}", `"stop"}`, 1) + "data: [DONE]\n\n"
	for request, answer := range map[string]string{askedWhole: whole, askedStream: ends} {
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) }))
		t.Cleanup(upstream.Close)
		w := httptest.NewRecorder()
		sent := "?"
		b := &books{watch: func(*Call) { sent = w.Body.String() }}
		res := b.serve(t.Context(), t, w, request, &route.Model{MaxAttempts: 1}, upstreamCfg("p", "openai", upstream.URL+"/v1"))
		if res.Err != nil || len(b.settled) != 1 {
			t.Fatalf("%v, %d calls", res.Err, len(b.settled))
		}
		if strings.Contains(sent, "[DONE]") || request == askedWhole && sent != "" {
			t.Errorf("%q was sent before the call was settled", sent)
		}
		if c := b.settled[0]; c.First <= 0 || c.Ends != 0 || c.Outcome != "ok" {
			t.Errorf("%+v", c)
		}
	}
}

// Each credential that is tried has a call of its own: what one refused costs nothing, and the other's is charged.
func TestCallsOfEachCredential(t *testing.T) {
	t.Parallel()
	var first atomic.Bool
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if first.CompareAndSwap(false, true) {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"message":"no such key","code":"invalid_api_key"}}`)
			return
		}
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}`)
	}))
	defer upstream.Close()
	cfg := upstreamCfg("p", "openai", upstream.URL+"/v1")
	cfg.APIKeys = []secret.Text{secret.New("a-first-key-of-ours"), secret.New("another-key-of-ours")}
	asked, refused := passthrough.ParseRequest(llm.Chat, []byte(askedWhole), 64)
	if refused != nil {
		t.Fatal(refused)
	}
	b := new(books)
	res := Serve(t.Context(), httptest.NewRecorder(), &Request{
		Ingress: ingressOf(asked), Asked: asked, MaxAnswer: 10 << 20, Providers: map[string]*provider.Provider{"p": upstreamOf(t, cfg)}, Account: b,
		Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 3}, Targets: []route.Target{{Provider: "p", Model: "up", Credentials: 2}}},
	})
	if res.Err != nil || len(b.settled) != 2 {
		t.Fatalf("%v: %+v", res.Err, b.settled)
	}
	no, yes := &b.settled[0], &b.settled[1]
	if no.HasUsage || no.Usage != (llm.Usage{}) || no.Status != 401 || no.Attempt != 1 || yes.Usage != (llm.Usage{Fresh: 3, Text: 4}) || yes.Attempt != 2 || no.Credential == yes.Credential {
		t.Errorf("%+v, %+v", no, yes)
	}
}
