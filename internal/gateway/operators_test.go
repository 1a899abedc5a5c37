package gateway

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// Operators see the models that a key may use, by id. Each target is in the config's order, with its health for that key, and its
// own row of the table.
func TestModelsAsOperatorsSeeThem(t *testing.T) {
	t.Parallel()
	models := []*route.Model{
		{Name: "smart", Targets: []route.Target{{Provider: "b", Model: "x"}, {Provider: "a", Model: "gpt-5"}}, DisplayName: "Smart", ContextLength: 7, MaxOutputTokens: 3},
		{Name: "a/*", Targets: []route.Target{{Provider: "a", Model: "*"}}},
		{Name: "other", Targets: []route.Target{{Provider: "b", Model: "x"}}},
	}
	lists := func(name string) ([]provider.ModelInfo, bool) { return []provider.ModelInfo{{ID: "o3"}}, name == "a" }
	g := newGateway(io.Discard, nil, lists, models...)
	snap := g.snapshot.Load()
	snap.Providers = providersOf(t, "a", "b")
	if g.Table() != snap.Table {
		t.Error("the table in force is another")
	}
	select {
	case <-g.Idle():
	default:
		t.Error("nothing is relayed")
	}
	now := time.Now()
	health := snap.Table
	resolved, _ := health.Resolve("smart")
	for range 10 {
		_, pass := resolved.Board.Health("a", "gpt-5").Begin(now, route.Hash("k"), false)
		resolved.Board.Health("a", "gpt-5").End(now, route.Failed, pass)
	}
	var got []string
	for _, m := range g.Models(&auth.Principal{KeyID: "k", Models: []string{"smart", "a/*"}}) {
		line := fmt.Sprintf("%s (%s) %q %d %d:", m.ID, m.Route.Name, m.DisplayName, m.ContextLength, m.MaxOutputTokens)
		for _, s := range m.Targets {
			line += fmt.Sprintf(" %s %s %q %v;", s.Target, s.Skip, s.Row, s.Family)
		}
		got = append(got, line)
	}
	want := []string{
		`a/* (a/*) "" 0 0: a/*  "" false;`,
		`a/o3 (a/*) "o3" 200000 100000: a/o3  "openai/o3" false;`,
		`smart (smart) "Smart" 7 3: b/x  "" false; a/gpt-5 down "openai/gpt-5" false;`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func providersOf(t *testing.T, names ...string) map[string]*provider.Provider {
	t.Helper()
	all := map[string]*provider.Provider{}
	for _, name := range names {
		cfg := config.Provider{Name: name, Kind: "openai"}
		if name != "a" {
			cfg.BaseURL = "http://127.0.0.1:1/v1"
		}
		p, err := provider.New(cfg, provider.Identity{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		all[name] = p
	}
	return all
}

// A plan mentions hedging only where there is a budget for it, and a first target that can be asked.
func TestHedgeOfAPlan(t *testing.T) {
	t.Parallel()
	one, two := &route.Target{Provider: "a", Model: "m"}, &route.Target{Provider: "b", Model: "m"}
	well := func(t *route.Target) Sight { return Sight{Sight: route.Sight{Target: t, P95: 2 * time.Second}} }
	down := Sight{Sight: route.Sight{Target: one, Skip: route.TargetDown}}
	for name, tt := range map[string]struct {
		hedge   route.Hedge
		targets []Sight
		want    *Hedge
	}{
		"no budget":           {route.Hedge{After: time.Second}, []Sight{well(one), well(two)}, nil},
		"no target":           {route.Hedge{After: time.Second, Budget: 1}, nil, nil},
		"none that is well":   {route.Hedge{After: time.Second, Budget: 1}, []Sight{down}, nil},
		"one":                 {route.Hedge{After: time.Second, Budget: 1}, []Sight{well(one)}, &Hedge{Late: time.Second}},
		"two":                 {route.Hedge{After: time.Second, Budget: 1}, []Sight{well(one), well(two)}, &Hedge{Late: time.Second, Beside: two}},
		"as late as it seems": {route.Hedge{Budget: 1}, []Sight{well(one), well(two)}, &Hedge{Late: 2 * time.Second, Beside: two}},
	} {
		p := &Plan{Model: &route.Model{Hedge: tt.hedge}, Targets: tt.targets}
		got := p.hedge()
		if (got == nil) != (tt.want == nil) || got != nil && (got.Late != tt.want.Late || got.Beside != tt.want.Beside) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// A name is valid if it can be printed and holds no key.
func TestNamesThatModelsMayHave(t *testing.T) {
	t.Parallel()
	_, key, err := auth.Mint(strings.NewReader(strings.Repeat("some random bits", 20)), "")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"m": true, "a/b c": true, "a\nb": false, key.Reveal(): false, "x/" + key.Reveal(): false} {
		if validName(name) != want {
			t.Errorf("%q is not %v", name, want)
		}
	}
	for escaped, want := range map[string]string{"a%2Fb": "a/b", "a/b": "a/b", "a%zz": "a%zz", "a%20b": "a b"} {
		if got := unescape(escaped); got != want {
			t.Errorf("%s: %q", escaped, got)
		}
	}
}

// An encoding that cannot be decoded is refused, by its name. Without memory for a window nothing is decoded.
func TestEncodings(t *testing.T) {
	t.Parallel()
	room := memory.NewAccount(1 << 30).Of()
	for encoding, want := range map[string]bool{"": true, "identity": true, "gzip": true, "x-gzip": true, "zstd": true, "br": false, "deflate": false, "gzip,gzip": false} {
		r, done, err := decoder(strings.NewReader(""), encoding, &room)
		if (err == nil) != want {
			t.Errorf("%q: %v", encoding, err)
		}
		if err != nil {
			if err.Kind != llm.UnsupportedMediaType || !strings.Contains(err.Message, encoding) || r != nil {
				t.Errorf("%q: %v", encoding, err)
			}
			continue
		}
		done()
	}
	none := memory.NewAccount(maxZstdWindow - 1).Of()
	if _, _, err := decoder(strings.NewReader(""), "zstd", &none); err == nil || err.Kind != llm.Overloaded {
		t.Errorf("without room: %v", err)
	}
	for media, want := range map[string]bool{"": true, "application/json": true, "text/plain; charset=x": true, "nonsense;;": true, "multipart/form-data; boundary=x": false, "Application/X-WWW-Form-Urlencoded": false, "multipart/x;;": false} {
		r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
		r.Header.Set("Content-Type", media)
		if err := checkType(r); (err == nil) != want || err != nil && err.Kind != llm.UnsupportedMediaType {
			t.Errorf("%q: %v", media, err)
		}
	}
}

// A list larger than any request's share of memory is counted while it is sent, or refused.
func TestLargeListsAreCounted(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]int{memory.PerRequest - 2: http.StatusOK, memory.PerRequest - 1: 0} {
		full := memory.NewAccount(1).Of()
		rec := httptest.NewRecorder()
		rec.Code = 0
		ev := &Event{hold: full}
		err := answerJSON(rec, httptest.NewRequest(http.MethodGet, "/", http.NoBody), ev, strings.Repeat("a", size))
		if rec.Code != want || (err == nil) != (want != 0) {
			t.Errorf("%d bytes: %d, %v", size+2, rec.Code, err)
		}
	}
	rec := httptest.NewRecorder()
	if err := answerJSON(rec, httptest.NewRequest(http.MethodHead, "/", http.NoBody), &Event{}, "text"); err != nil || rec.Body.Len() != 0 || rec.Header().Get("Content-Length") != "6" {
		t.Errorf("HEAD: %v, %q, %v", err, rec.Body, rec.Header())
	}
	if err := answerJSON(rec, httptest.NewRequest(http.MethodGet, "/", http.NoBody), &Event{}, func() {}); err == nil || !errors.As(error(err), new(*llm.Error)) {
		t.Errorf("what cannot be told: %v", err)
	}
}

// A path says which endpoint is asked for, and of Azure's clients which model.
func TestEndpointsOfPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"chat/completions": "/chat/completions ", "completions": "/completions ", "embeddings": "/embeddings ",
		"deployments/m/chat/completions": "/chat/completions m", "deployments/m/completions": "/completions m", "deployments/m/embeddings": "/embeddings m",
		"deployments/a%2Fb/embeddings": "/embeddings a/b", "deployments/a/b/completions": "/completions a/b",
		"deployments/m": "", "deployments/m/other": "", "models": "", "": "",
	} {
		got := ""
		if in, model := relayed(path, new(url.URL)); in != nil {
			got = in.Endpoint.Path() + " " + model
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
