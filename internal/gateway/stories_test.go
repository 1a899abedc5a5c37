package gateway

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

var update = flag.Bool("update", false, "write what happens into testdata")

// story is one request, and what the gateway is like when it comes.
type story struct {
	name, method, path, body string
	headers                  string // "Name: value", one a line; "-Authorization" leaves the key out
	gateway                  func(*Gateway, *Snapshot)
}

const hello = `{"model":"%s","messages":[{"role":"user","content":"hi"}]%s}`

func chatWith(model, members string) string { return fmt.Sprintf(hello, model, members) }

var stories = []story{
	{name: "a chat", path: "/v1/chat/completions", body: chatWith("smart", "")},
	{name: "a stream", path: "/v1/chat/completions", body: chatWith("smart", `,"stream":true`)},
	{name: "a stream with usage", path: "/v1/chat/completions", body: chatWith("smart", `,"stream":true,"stream_options":{"include_usage":true}`)},
	{name: "an old completion", path: "/v1/completions", body: `{"model":"smart","prompt":"hi"}`},
	{name: "embeddings", path: "/v1/embeddings", body: `{"model":"smart","input":"hi"}`},
	{name: "a deployment of Azure's clients", path: "/openai/deployments/smart/chat/completions?api-version=1", body: `{"messages":[{"role":"user","content":"hi"}]}`, headers: "-Authorization\nApi-Key: good"},
	{name: "a model that is passed through", path: "/v1/chat/completions", body: chatWith("up/any", "")},
	{name: "the second target answers", path: "/v1/chat/completions", body: chatWith("second", "")},
	{name: "a model that does not exist", path: "/v1/chat/completions", body: chatWith("none", "")},
	{name: "a model that the key may not use", path: "/v1/chat/completions", body: chatWith("hidden", "")},
	{name: "a refusal of the upstream", path: "/v1/chat/completions", body: chatWith("refuses", "")},
	{name: "a rate limit of the upstream", path: "/v1/chat/completions", body: chatWith("limited", "")},
	{name: "a failure of the upstream", path: "/v1/chat/completions", body: chatWith("fails", "")},
	{name: "a stream that is cut short", path: "/v1/chat/completions", body: chatWith("cut", `,"stream":true`)},
	{name: "a parameter that is left out", path: "/v1/chat/completions", body: chatWith("smart", `,"logit_bias":{"1":1}`)},
	{name: "the same in strict mode", path: "/v1/chat/completions", body: chatWith("smart", `,"logit_bias":{"1":1}`), headers: "Weir-Strict: true"},
	{name: "told what was tried", path: "/v1/chat/completions", body: chatWith("second", ""), headers: "Weir-Explain: true"},
	{name: "targets' names are hidden", path: "/v1/chat/completions", body: chatWith("fails", ""), gateway: func(_ *Gateway, s *Snapshot) { s.Hide = true }},

	{name: "no key", path: "/v1/chat/completions", body: chatWith("smart", ""), headers: "-Authorization"},
	{name: "a wrong key", path: "/v1/chat/completions", body: chatWith("smart", ""), headers: "Authorization: Bearer wrong"},
	{name: "not JSON", path: "/v1/chat/completions", body: `{"model":`},
	{name: "a body that is too large", path: "/v1/chat/completions", body: chatWith("smart", `,"x":"`+strings.Repeat("x", 5000)+`"`)},
	{name: "a form", path: "/v1/chat/completions", body: "a=b", headers: "Content-Type: application/x-www-form-urlencoded"},
	{name: "an encoding that is not known", path: "/v1/chat/completions", body: "x", headers: "Content-Encoding: br"},
	{name: "gzip that is none", path: "/v1/chat/completions", body: "x", headers: "Content-Encoding: gzip"},
	{name: "a header that is not supported", path: "/v1/chat/completions", body: chatWith("smart", ""), headers: "Idempotency-Key: 1"},
	{name: "a loop", path: "/v1/chat/completions", body: chatWith("smart", ""), headers: "Via: 1.1 weir-test"},
	{name: "the caller's id", path: "/v1/chat/completions", body: chatWith("smart", ""), headers: "X-Request-Id: mine"},
	{name: "an id that cannot be echoed", path: "/v1/chat/completions", body: chatWith("smart", ""), headers: "X-Request-Id: größer"},
	{name: "an id that is too long", path: "/v1/chat/completions", body: chatWith("smart", ""), headers: "X-Request-Id: " + strings.Repeat("x", 129)},
	{name: "the longest id", path: "/v1/models", method: "GET", headers: "X-Request-Id: " + strings.Repeat("x", 128)},

	{name: "the list", method: "GET", path: "/v1/models"},
	{name: "the list by HEAD", method: "HEAD", path: "/v1/models"},
	{name: "one model", method: "GET", path: "/v1/models/smart"},
	{name: "one that is passed through", method: "GET", path: "/v1/models/up%2Flisted"},
	{name: "one that is passed through and not listed", method: "GET", path: "/v1/models/up/unlisted"},
	{name: "one that does not exist", method: "GET", path: "/v1/models/none"},
	{name: "the list without a key", method: "GET", path: "/v1/models", headers: "-Authorization"},
	{name: "the list, told what was tried", method: "GET", path: "/v1/models", headers: "Weir-Explain: true"},
	{name: "alive", method: "GET", path: "/healthz", headers: "-Authorization"},
	{name: "alive, by another name", method: "GET", path: "/v1/health", headers: "-Authorization"},
	{name: "ready", method: "GET", path: "/readyz", headers: "-Authorization"},
	{name: "no more", method: "GET", path: "/readyz", headers: "-Authorization", gateway: func(g *Gateway, _ *Snapshot) { g.Drain() }},
	{name: "the last requests", path: "/v1/chat/completions", body: chatWith("smart", ""), gateway: func(g *Gateway, _ *Snapshot) { g.Drain() }},
	{name: "after the last requests", path: "/v1/chat/completions", body: chatWith("smart", ""), gateway: func(g *Gateway, _ *Snapshot) { g.CutAll() }},
	{name: "all places are taken", path: "/v1/chat/completions", body: chatWith("smart", ""), gateway: func(g *Gateway, s *Snapshot) { s.MaxRequests = 1; g.places.Enter(1, 9) }},
	{name: "all places stay taken", path: "/v1/chat/completions", body: chatWith("smart", ""), gateway: func(g *Gateway, s *Snapshot) { s.MaxRequests, s.Wait = 1, time.Microsecond; g.places.Enter(1, 9) }},
	{name: "the wrong method", method: "GET", path: "/v1/chat/completions"},
	{name: "the wrong method for the list", method: "DELETE", path: "/v1/models"},
	{name: "an unknown path", path: "/v1/nothing", body: "{}"},
	{name: "a deployment's unknown path", path: "/openai/deployments/smart/images", body: "{}"},
	{name: "the Responses API", path: "/v1/responses", body: "{}"},
	{name: "the Messages API", path: "/v1/messages", body: "{}"},

	{name: "a preflight", method: "OPTIONS", path: "/v1/models", headers: "Origin: https://page.test\nAccess-Control-Request-Method: POST\nAccess-Control-Request-Headers: x-a, x-b", gateway: origins("https://page.test")},
	{name: "a preflight from elsewhere", method: "OPTIONS", path: "/v1/models", headers: "Origin: https://other.test\nAccess-Control-Request-Method: POST", gateway: origins("https://page.test")},
	{name: "a preflight without CORS", method: "OPTIONS", path: "/v1/models", headers: "Origin: https://page.test\nAccess-Control-Request-Method: POST"},
	{name: "OPTIONS that is no preflight", method: "OPTIONS", path: "/v1/models", headers: "Origin: https://page.test", gateway: origins("https://page.test")},
	{name: "a page", method: "GET", path: "/v1/models/smart", headers: "Origin: https://page.test", gateway: origins("https://page.test")},
	{name: "a page from elsewhere", method: "GET", path: "/v1/models/smart", headers: "Origin: https://other.test", gateway: origins("https://page.test")},
	{name: "a page from anywhere", method: "GET", path: "/v1/models/none", headers: "Origin: https://other.test", gateway: origins("*")},
	{name: "no page", method: "GET", path: "/v1/models/smart", gateway: origins("*")},
}

func origins(all ...string) func(*Gateway, *Snapshot) {
	return func(_ *Gateway, s *Snapshot) { s.Origins = all }
}

// What callers get, and what the log says of it: each request alone, with the upstream as its model's name says.
func TestStories(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(http.HandlerFunc(speak))
	t.Cleanup(upstream.Close)
	var b strings.Builder
	for i := range stories {
		fmt.Fprintf(&b, "=== %s\n", stories[i].name)
		stories[i].happen(t, &b, upstream.URL+"/v1")
	}
	const path = "testdata/stories.txt"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s says something else; -update writes it:\n%s", path, diff)
	}
}

// speak is the upstream.
func speak(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	is := func(model string) bool { return bytes.Contains(body, []byte(`"`+model+`"`)) }
	w.Header().Set("X-Request-Id", "up-1")
	switch stream := bytes.Contains(body, []byte(`"stream":true`)); {
	case is("refuses"):
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":"Not so.","type":"invalid_request_error","param":"messages","code":"no"}}`)
	case is("limited"):
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	case is("fails"):
		w.WriteHeader(http.StatusInternalServerError)
	case strings.HasSuffix(r.URL.Path, "/embeddings"):
		_, _ = io.WriteString(w, `{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[1,2]}],"usage":{"prompt_tokens":2,"total_tokens":2}}`)
	case strings.HasSuffix(r.URL.Path, "/v1/completions"):
		_, _ = io.WriteString(w, `{"id":"c","object":"text_completion","created":1,"model":"m","choices":[{"index":0,"text":"Hi","logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":3,"total_tokens":5}}`)
	case stream:
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}`+"\n\n")
		if !is("cut") {
			_, _ = io.WriteString(w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\n"+
				`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":2,"completion_tokens":3,"total_tokens":5}}`+"\n\ndata: [DONE]\n\n")
		}
	default:
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":3,"total_tokens":5}}`)
	}
}

// happen serves the story by a gateway of its own, and writes what came of it.
func (s *story) happen(t *testing.T, b *strings.Builder, upstream string) {
	t.Helper()
	target := func(models ...string) (all []route.Target) {
		for _, m := range models {
			all = append(all, route.Target{Provider: "up", Model: m})
		}
		return all
	}
	model := func(name string, targets ...string) *route.Model {
		return &route.Model{Name: name, Targets: target(targets...), MaxAttempts: 3, Repeats: 10, Timeouts: route.Timeouts{Hold: time.Hour}}
	}
	keys := func(key string) (*auth.Principal, *llm.Error) {
		if key != "good" {
			return nil, &llm.Error{Kind: llm.InvalidKey, Message: "no"}
		}
		return &auth.Principal{KeyID: "key-id", KeyName: "key-name", Explain: strings.Contains(s.name, "tried"), Models: []string{"smart", "second", "refuses", "limited", "fails", "cut", "up/*", "none"}}, nil
	}
	lists := func(string) ([]provider.ModelInfo, bool) {
		return []provider.ModelInfo{{ID: "listed", Created: 7, DisplayName: "Listed", ContextLength: 9}}, true
	}
	var log bytes.Buffer
	g := newGateway(io.Discard, keys, lists, model("smart", "m"), model("second", "fails", "m"), model("refuses", "refuses"), model("limited", "limited"), model("fails", "fails"), model("cut", "cut"), model("hidden", "m"), model("up/*", "*"))
	g.log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	p, err := provider.New(config.Provider{Name: "up", Kind: "openai", BaseURL: upstream, APIKeys: []secret.Text{secret.New("upstream-key")}, Params: config.Params{Omit: []string{"logit_bias"}}}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	snap := g.snapshot.Load()
	snap.Providers, snap.MaxBody, snap.MaxAnswer = map[string]*provider.Provider{"up": p}, 4<<10, 1<<20
	if s.gateway != nil {
		s.gateway(g, snap)
	}
	method := s.method
	if method == "" {
		method = http.MethodPost
	}
	r := httptest.NewRequestWithContext(context.WithoutCancel(t.Context()), method, s.path, strings.NewReader(s.body))
	r.Header.Set("Authorization", "Bearer good")
	for line := range strings.Lines(s.headers) {
		if name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); ok {
			r.Header.Set(name, value)
		} else {
			r.Header.Del(strings.TrimPrefix(name, "-"))
		}
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	fmt.Fprintf(b, "%d\n", w.Code)
	for _, name := range slices.Sorted(maps.Keys(w.Header())) {
		fmt.Fprintf(b, "%s: %s\n", strings.ToLower(name), varying.Replace(strings.Join(w.Header()[name], ", ")))
	}
	fmt.Fprintf(b, "%s\n%s", strings.TrimSpace(varying.Replace(w.Body.String())), varying.Replace(log.String()))
}

// changing is what is another in each run: ids that were made up, and times.
type changing []struct {
	pattern *regexp.Regexp
	by      string
}

var varying = changing{
	{regexp.MustCompile(`req_[0-9A-V]{26}`), "req_ID"},
	{regexp.MustCompile(`_ms=[0-9.e-]+`), "_ms=N"},
	{regexp.MustCompile(`\b([0-9.]+ms|0s)\b`), "T"},
	{regexp.MustCompile(`127\.0\.0\.1:[0-9]+`), "UPSTREAM"},
}

// Replace puts names in the places of what changes.
func (c changing) Replace(text string) string {
	for _, v := range c {
		text = v.pattern.ReplaceAllString(text, v.by)
	}
	return text
}
