package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/shape"
)

// keysFunc is a key service of one function.
type keysFunc func(string) (*auth.Principal, *llm.Error)

func (f keysFunc) Authenticate(key string) (*auth.Principal, *llm.Error) { return f(key) }

type noMetrics struct{}

func (noMetrics) RequestBegan()      {}
func (noMetrics) RequestDone(*Event) {}

func newGateway(log io.Writer, keys keysFunc, lists ModelLists, models ...*route.Model) *Gateway {
	return New(Options{
		Keys: keys, Lists: lists, Log: slog.New(slog.NewJSONHandler(log, nil)), Metrics: noMetrics{}, Via: "1.1 weir-test",
		Snapshot: &Snapshot{Table: route.NewTable(models, route.NewBoard(), nil), MaxBody: 1 << 20, MaxDepth: 64},
	})
}

// A panic anywhere in a request costs that request a 500 and nothing else, and its reason is in the log only.
func TestPanicEndsOneRequest(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	g := newGateway(&log, func(key string) (*auth.Principal, *llm.Error) {
		if key == "bad" {
			panic("the secret reason")
		}
		return &auth.Principal{KeyID: "k"}, nil
	}, nil)
	server := httptest.NewServer(shape.Handler(t, g))
	defer server.Close()
	for _, tt := range []struct {
		key    string
		status int
	}{{"bad", 500}, {"good", 200}} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/v1/models", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+tt.key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != tt.status || strings.Contains(string(body), "secret reason") {
			t.Fatalf("%d %s %v", resp.StatusCode, body, err)
		}
	}
	server.Close() // the log is written by then
	if !strings.Contains(log.String(), "the secret reason") || !strings.Contains(log.String(), `"level":"ERROR"`) {
		t.Errorf("the log does not tell:\n%s", &log)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/v1/chat/completions": "chat/completions", "/chat/completions": "chat/completions", "/v1/v1/chat/completions": "chat/completions",
		"//v1//chat///completions//": "chat/completions", "/v1/models/a%2Fb": "models/a%2Fb", "/v1/models/a/b/": "models/a/b",
		"/": "", "/v1": "v1", "/v1/": "v1", "/v2/models": "v2/models", "/models/v1": "models/v1", "/v1/models": "models",
		"/openai/v1/models": "models", "/v1/openai/models/a": "models/a", "/openai/deployments/a%2Fb/embeddings": "deployments/a%2Fb/embeddings", "/openai": "openai", "/models/openai/a": "models/openai/a",
	} {
		if got := clean(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestBearer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		header http.Header
		want   string
	}{
		{http.Header{"Authorization": {"Bearer k"}}, "k"},
		{http.Header{"Authorization": {" bearer   My API Key "}}, "My API Key"},
		{http.Header{"Authorization": {"BEARER\tk"}}, ""},
		{http.Header{"Authorization": {"Bearer"}}, ""},
		{http.Header{"Authorization": {"Basic k"}}, ""},
		{http.Header{"Authorization": {""}}, ""},
		{http.Header{"Authorization": {"Bearer a"}, "X-Api-Key": {"b"}, "Api-Key": {"c"}}, "a"},
		{http.Header{"X-Api-Key": {" b "}, "Api-Key": {"c"}}, "b"},
		{http.Header{"Api-Key": {"c"}}, "c"},
		{http.Header{}, ""},
	} {
		if got, err := bearer(tt.header); got != tt.want || err != nil {
			t.Errorf("%v: %q %v, want %q", tt.header, got, err, tt.want)
		}
	}
	for _, name := range keyHeaders {
		if got, err := bearer(http.Header{name: {"Bearer a", "Bearer a"}}); got == "" || err != nil {
			t.Errorf("%s, the same twice: %q %v", name, got, err)
		}
		if got, err := bearer(http.Header{name: {"Bearer a", "Bearer a", "Bearer b"}}); got != "" || err == nil || err.Kind != llm.InvalidValue {
			t.Errorf("%s, two values: %q %v", name, got, err)
		}
	}
}

func TestReadHeaders(t *testing.T) {
	t.Parallel()
	g := newGateway(io.Discard, nil, nil)
	for _, tt := range []struct {
		name, value string
		want        wishes
		kind        llm.Kind // Internal, the zero kind, for none
	}{
		{"X-Request-Timeout", "1.5", wishes{timeout: 1500 * time.Millisecond}, 0},
		{"X-Request-Timeout", "2m", wishes{timeout: 2 * time.Minute}, 0},
		{"X-Request-Timeout", "0", wishes{}, llm.InvalidValue},
		{"X-Request-Timeout", "-1s", wishes{}, llm.InvalidValue},
		{"X-Request-Timeout", "soon", wishes{}, llm.InvalidValue},
		{"Weir-Strict", "true", wishes{strict: true}, 0},
		{"Weir-Strict", "maybe", wishes{}, llm.InvalidValue},
		{"Weir-Budget", "1", wishes{}, llm.UnsupportedHeader},
		{"Weir-Priority", "a=b", wishes{}, llm.UnsupportedHeader},
		{"Weir-Tags", "b=2, a=x-1/:._", wishes{tags: []ledger.Tag{{Name: "a", Value: "x-1/:._"}, {Name: "b", Value: "2"}}}, 0},
		{"Weir-Tags", "a", wishes{}, llm.InvalidValue},
		{"Weir-Tags", "", wishes{}, llm.InvalidValue},
		{"Weir-Tags", "a=1,a=2", wishes{}, llm.InvalidValue},
		{"Weir-Tags", "a=\x00", wishes{}, llm.InvalidValue},
		{"Weir-Tags", "a=" + strings.Repeat("x", 65), wishes{}, llm.InvalidValue},
		{"Weir-Tags", "a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1", wishes{}, llm.InvalidValue},
		{"Weir-Explain", "true", wishes{}, llm.UnsupportedHeader},
		{"Weir-Explain", "false", wishes{}, 0},
		{"Weir-Explain", "yes, please", wishes{}, llm.InvalidValue},
		{"Idempotency-Key", "x", wishes{}, llm.UnsupportedHeader},
		{"Via", "1.1 nginx, 1.1 weir-other", wishes{}, 0},
		{"Via", "1.1 nginx, 1.1 weir-test", wishes{}, llm.LoopDetected},
		{"Via", strings.Repeat("1.1 a, ", 40), wishes{}, llm.LoopDetected},
		{"Openai-Beta", "x", wishes{}, 0},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header[tt.name] = []string{tt.value}
		got, err := g.readHeaders(r, &auth.Principal{})
		if (err != nil) != (tt.kind != 0) || err != nil && err.Kind != tt.kind {
			t.Errorf("%s: %s: %v", tt.name, tt.value, err)
		} else if err == nil && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %s: %+v", tt.name, tt.value, got)
		}
	}
	twice := httptest.NewRequest(http.MethodPost, "/", nil)
	twice.Header["X-Request-Timeout"] = []string{"30", "1ns"}
	if _, err := g.readHeaders(twice, &auth.Principal{}); err == nil {
		t.Error("a header that is there twice was read")
	}
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header["Weir-Explain"] = []string{"true"}
	if got, err := g.readHeaders(r, &auth.Principal{Explain: true}); err != nil || !got.explain {
		t.Errorf("a key that may ask what was tried: %+v, %v", got, err)
	}
	for _, tt := range []struct{ wish, total, want time.Duration }{
		{time.Hour, time.Minute, time.Minute}, // callers cannot make it longer
		{time.Second, time.Minute, time.Second},
		{time.Second, 0, time.Second},
		{0, time.Minute, time.Minute},
		{0, 0, 0},
	} {
		if limit := (wishes{timeout: tt.wish}).limit(tt.total); limit != tt.want {
			t.Errorf("%v of %v is %v, want %v", tt.wish, tt.total, limit, tt.want)
		}
	}
}

// The list and the request path are scoped by one function, so what is listed can be called and the reverse.
func TestModelsAreScopedLikeRequests(t *testing.T) {
	t.Parallel()
	target := func(provider, model string) []route.Target {
		return []route.Target{{Provider: provider, Model: model}}
	}
	models := []*route.Model{
		{Name: "smart", Targets: target("a", "gpt"), ContextLength: 8},
		{Name: "fast", Targets: target("b", "llama")},
		{Name: "a/*", Targets: target("a", "*")},
		{Name: "a/gpt-*", Targets: target("b", "gpt-*")},
		{Name: "b/*", Targets: target("c", "*")},
		{Name: "*", Targets: target("b", "llama")},
	}
	lists := func(name string) ([]provider.ModelInfo, bool) {
		switch name {
		case "a":
			return []provider.ModelInfo{{ID: "gpt", Created: 5}, {ID: "gpt-4"}, {ID: "o3/mini", Created: 7, DisplayName: "O3"}}, true
		case "b":
			return []provider.ModelInfo{{ID: "gpt-4"}, {ID: "llama"}}, true
		}
		return nil, false
	}
	for _, tt := range []struct {
		patterns []string
		want     string
	}{
		{nil, "a/gpt a/gpt-4 a/o3/mini fast smart"},
		{[]string{"fast"}, "fast"},
		{[]string{"a/*"}, "a/gpt a/gpt-4 a/o3/mini"},
		{[]string{"*mini", "s*"}, "a/o3/mini smart"},
		{[]string{"nothing"}, ""},
	} {
		caller := &auth.Principal{Models: tt.patterns}
		g := newGateway(io.Discard, nil, lists, models...)
		snap := g.snapshot.Load()
		var got []string
		for _, m := range g.models(snap, caller) {
			got = append(got, m.ID)
			if _, ok := snap.visible(caller, m.ID); !ok {
				t.Errorf("%v: %s is listed and cannot be called", tt.patterns, m.ID)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v: %v, want %s", tt.patterns, got, tt.want)
		}
	}
}

// The config decides what is shown of a model, else its provider's list, else what is known of it. At your own base URL
// nothing is known.
func TestModelsShowWhatIsKnown(t *testing.T) {
	t.Parallel()
	models := []*route.Model{
		{Name: "gpt-5", Targets: []route.Target{{Provider: "a", Model: "gpt-5"}}},
		{Name: "smart", Targets: []route.Target{{Provider: "a", Model: "gpt-5"}, {Provider: "own", Model: "x"}}, ContextLength: 7},
		{Name: "listed", Targets: []route.Target{{Provider: "a", Model: "o3"}}},
		{Name: "own", Targets: []route.Target{{Provider: "own", Model: "gpt-5"}}},
		{Name: "own/gpt-5", Targets: []route.Target{{Provider: "own", Model: "gpt-5", Like: "openai/gpt-5"}}},
		{Name: "told", Targets: []route.Target{{Provider: "own", Model: "x", Takes: &llm.Takes{Context: 5, MaxOutput: 3}}}},
		{Name: "a/*", Targets: []route.Target{{Provider: "a", Model: "*"}}},
	}
	lists := func(name string) ([]provider.ModelInfo, bool) {
		return []provider.ModelInfo{{ID: "gpt-5.7"}, {ID: "o3", ContextLength: 9, DisplayName: "Oh three"}}, name == "a"
	}
	g := newGateway(io.Discard, nil, lists, models...)
	snap := g.snapshot.Load()
	snap.Providers = make(map[string]*provider.Provider)
	for _, cfg := range []config.Provider{{Name: "a", Kind: "openai"}, {Name: "own", Kind: "openai", BaseURL: "http://127.0.0.1:1/v1"}} {
		p, err := provider.New(cfg, provider.Identity{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		snap.Providers[cfg.Name] = p
	}
	want := []modelObject{
		{ID: "a/gpt-5.7", OwnedBy: "a"}, // a family has no limits
		{ID: "a/o3", OwnedBy: "a", DisplayName: "Oh three", ContextLength: 9, MaxOutputTokens: 100_000},
		{ID: "gpt-5", OwnedBy: "weir", DisplayName: "GPT-5", ContextLength: 400_000, MaxOutputTokens: 128_000},
		{ID: "listed", OwnedBy: "weir", ContextLength: 9, MaxOutputTokens: 100_000},
		{ID: "own", OwnedBy: "weir"},
		{ID: "own/gpt-5", OwnedBy: "weir", DisplayName: "GPT-5", ContextLength: 400_000, MaxOutputTokens: 128_000},
		{ID: "smart", OwnedBy: "weir", ContextLength: 7, MaxOutputTokens: 128_000},
		{ID: "told", OwnedBy: "weir", ContextLength: 5, MaxOutputTokens: 3},
	}
	for i := range want {
		want[i].Object = "model"
	}
	if diff := cmp.Diff(want, g.models(snap, &auth.Principal{})); diff != "" {
		t.Error(diff)
	}
}

// What a POST refuses, a GET does not ignore; and a form counts as one whatever follows its type.
func TestRefusalsOnEveryRoute(t *testing.T) {
	t.Parallel()
	g := newGateway(io.Discard, func(string) (*auth.Principal, *llm.Error) { return &auth.Principal{}, nil }, nil)
	for _, tt := range []struct {
		method, path, name, value string
		status                    int
	}{
		{http.MethodGet, "/v1/models", "Idempotency-Key", "1", 400},
		{http.MethodGet, "/v1/models/m", "Weir-Priority", "1", 400},
		{http.MethodGet, "/v1/models", "Via", "1.1 weir-test", 508},
		{http.MethodPost, "/v1/chat/completions", "Content-Type", "application/x-www-form-urlencoded; x", 415},
		{http.MethodPost, "/v1/chat/completions", "Content-Type", "multipart/form-data; boundary=", 415},
	} {
		r := httptest.NewRequest(tt.method, tt.path, strings.NewReader("{}"))
		r.Header.Set("Authorization", "Bearer k")
		r.Header.Set(tt.name, tt.value)
		w := httptest.NewRecorder()
		if g.ServeHTTP(w, r); w.Code != tt.status {
			t.Errorf("%s %s with %s: %s: %d %s", tt.method, tt.path, tt.name, tt.value, w.Code, w.Body)
		}
	}
}

// stalled is a client that takes nothing; its writer gives up when the deadline has passed.
type stalled struct {
	http.ResponseWriter
	deadline time.Time
}

func (s *stalled) SetWriteDeadline(t time.Time) error {
	s.deadline = t
	return nil
}

func (s *stalled) Write([]byte) (int, error) {
	time.Sleep(time.Until(s.deadline))
	return 0, os.ErrDeadlineExceeded
}

// A client that leaves its answer unread holds it for half a minute, over HTTP/2 as over HTTP/1.
func TestUnreadAnswersAreGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w response
		w.begin(&stalled{ResponseWriter: httptest.NewRecorder()}, time.Now(), nil)
		start := time.Now()
		if _, err := w.Write(make([]byte, 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != writeStall {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// The body reader keeps a body to its limit, whatever its declared length, and copies it as little as it can.
func TestReadAll(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 300_000)
	for _, size := range []int64{0, 1, int64(len(text)), int64(len(text)) * 2} {
		got, err := readAll(strings.NewReader(text), size, int64(len(text)), new(memory.Hold))
		if err != nil || string(got) != text {
			t.Errorf("declared %d: %d bytes, %v", size, len(got), err)
		}
		if _, err := readAll(strings.NewReader(text+"x"), size, int64(len(text)), new(memory.Hold)); err == nil {
			t.Errorf("declared %d: a byte over the limit passed", size)
		}
	}
	small, err := readAll(strings.NewReader(text[:5000]), 5000, 1<<20, new(memory.Hold))
	if err != nil || cap(small) > 8<<10 { // rooms are powers of two
		t.Errorf("5,000 bytes took room for %d (%v)", cap(small), err)
	}
	large, err := readAll(strings.NewReader(text), int64(len(text)), 64<<20, new(memory.Hold))
	if err != nil || cap(large) > len(text)+64<<10 {
		t.Errorf("%d bytes took room for %d (%v)", len(text), cap(large), err)
	}
}

func TestRetrySeconds(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]int{0: 1, time.Millisecond: 1, time.Second: 1, 1001 * time.Millisecond: 2, time.Hour: 60} {
		if got := (&llm.Error{RetryAfter: d}).RetrySeconds(); got != want {
			t.Errorf("%v: %d, want %d", d, got, want)
		}
	}
}

// Whatever text an error carries, its body is one valid envelope with all four members.
func FuzzErrorBody(f *testing.F) {
	f.Add(`he said "no"`, "messages[0]")
	f.Add("\x00\xff\u2028", "")
	f.Fuzz(func(t *testing.T, message, param string) {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		render(w, r, &llm.Error{Kind: llm.UpstreamRateLimited, Message: message, Param: param, RetryAfter: time.Second})
		var body struct {
			Error map[string]json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || len(body.Error) != 4 {
			t.Fatalf("%s: %v", w.Body, err)
		}
		if got := w.Header().Get("Content-Length"); got != fmt.Sprint(w.Body.Len()) {
			t.Fatalf("Content-Length %s for %d bytes", got, w.Body.Len())
		}
	})
}
