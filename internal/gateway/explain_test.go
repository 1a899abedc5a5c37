package gateway

import (
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// What would be tried comes first, what would be skipped last, with why; then the models that are fallen back on, with for what.
func TestExplain(t *testing.T) {
	t.Parallel()
	target := func(names ...string) (all []route.Target) {
		for _, name := range names {
			all = append(all, route.Target{Provider: name, Model: "m"})
		}
		return all
	}
	last := &route.Model{Name: "last", Targets: target("c")}
	smart := &route.Model{Name: "smart", Targets: target("a", "b", "chats"), Fallbacks: []route.Fallback{{On: route.OnRateLimit, To: []*route.Model{last}}}}
	hedged := &route.Model{Name: "hedged", Targets: target("a", "b"), Hedge: route.Hedge{After: time.Second, Budget: 0.5}}
	g := newGateway(io.Discard, nil, nil, smart, last, hedged)
	snap := g.snapshot.Load()
	snap.Providers = map[string]*provider.Provider{}
	for name, kind := range map[string]string{"a": "openai", "b": "openai", "c": "openai", "chats": "anthropic"} {
		p, err := provider.New(config.Provider{Name: name, Kind: kind, BaseURL: "http://127.0.0.1:1/v1"}, provider.Identity{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		snap.Providers[name] = p
	}
	now := time.Now()
	resolved, _ := snap.Table.Resolve("smart")
	for range 10 {
		health := resolved.Board.Health("a", "m")
		_, pass := health.Begin(now, route.Hash("k"), false)
		health.End(now, route.Failed, pass)
	}
	caller := &auth.Principal{KeyID: "k", KeyName: "name", Models: []string{"smart", "hedged"}}
	show := func(e Explanation) (all []string) {
		for _, p := range e.Plans {
			for _, sight := range p.Targets {
				all = append(all, p.Model.Name+" "+sight.Target.String()+" "+sight.Skip.String())
			}
			if p.On != 0 && p.On != route.OnRateLimit {
				t.Errorf("falls back on %v", p.On)
			}
		}
		return all
	}
	e, err := g.Explain(t.Context(), caller, "smart", nil)
	if err != nil {
		t.Fatal(err)
	}
	ok, down, none := route.NotSkipped.String(), route.TargetDown.String(), route.NoEndpoint.String()
	if diff := cmp.Diff([]string{"smart b/m " + ok, "smart chats/m " + ok, "smart a/m " + down, "last c/m " + ok}, show(e)); diff != "" || e.Model != "smart" || e.Hedge != nil {
		t.Errorf("%+v: %s", e, diff)
	}
	e, err = g.Explain(t.Context(), caller, "", []byte(`{"model":"smart","input":"hi"}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"smart b/m " + ok, "smart chats/m " + none, "smart a/m " + down, "last c/m " + ok}, show(e)); diff != "" || e.Model != "smart" {
		t.Errorf("%+v: %s", e, diff)
	}
	for body, want := range map[string]bool{"": true, `{"model":"hedged","messages":[{}],"stream":true}`: true, `{"model":"hedged","messages":[{}]}`: false} {
		var raw []byte
		if body != "" {
			raw = []byte(body)
		}
		e, err := g.Explain(t.Context(), caller, "hedged", raw)
		if err != nil || (e.Hedge != nil) != want || want && (e.Hedge.Late != time.Second || e.Hedge.Beside != nil) {
			t.Errorf("%s: %+v, %v", body, e.Hedge, err)
		}
	}
	for name, body := range map[string]string{"none": "", "last": "", "smart": `{"model":`} {
		var raw []byte
		if body != "" {
			raw = []byte(body)
		}
		if e, err := g.Explain(t.Context(), caller, name, raw); err == nil || body == "" && (err.Kind != llm.ModelNotFound || err.Param != "model") || body != "" && err.Kind != llm.InvalidJSON {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}
