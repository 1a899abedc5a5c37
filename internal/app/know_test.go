package app

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// What is known of a target comes from the table, except for its price if the config sets one. A target without a row is
// unknown.
func TestKnow(t *testing.T) {
	t.Parallel()
	made := providers{}
	for _, p := range []config.Provider{{Name: "google", Kind: "gemini"}, {Name: "own", Kind: "openai", BaseURL: "http://127.0.0.1:1/v1"}, {Name: "deepseek", Kind: "deepseek"}} {
		built, err := provider.New(p, provider.Identity{})
		if err != nil {
			t.Fatal(err)
		}
		made[p.Name] = builtProvider{p, built}
	}
	target := route.Target{Provider: "google", Model: "gemini-2.5-pro"}
	made.know(&target)
	f := target.Facts
	if f.Context != 1_048_576 || f.MaxOutput != 65_536 || f.Price.Fresh != 1_250_000 || len(f.Price.Long) != 1 || f.Price.Long[0].Above != 200_000 || f.Price.Long[0].Fresh != 2_500_000 ||
		f.Price.CacheWrite != f.Price.Fresh || f.Price.Reasoning != 10_000_000 {
		t.Errorf("%+v", f)
	}
	own := money.Plain(7, 0)
	target = route.Target{Provider: "google", Model: "gemini-2.5-pro", Facts: route.Facts{Price: own}}
	if made.know(&target); target.Facts.Price != own || target.Facts.Context != f.Context {
		t.Errorf("with a price of its own: %+v", target.Facts)
	}
	target = route.Target{Provider: "own", Model: "gpt-4o", Takes: &llm.Takes{Lacks: llm.TakesImages, Context: 7, MaxOutput: 3}}
	if made.know(&target); target.Facts != (route.Facts{Lacks: llm.TakesImages, Context: 7, MaxOutput: 3}) {
		t.Errorf("what the config says of a model of which nothing is known: %+v", target.Facts)
	}
	for _, model := range []string{"deepseek-v4-pro", "unheard-of"} {
		target = route.Target{Provider: "deepseek", Model: model}
		if made.know(&target); target.Facts.Lacks&llm.TakesSchema == 0 {
			t.Errorf("%s takes a schema", model)
		}
		target = route.Target{Provider: "deepseek", Model: model, Takes: &llm.Takes{Has: llm.TakesSchema}}
		if made.know(&target); target.Facts.Lacks&llm.TakesSchema != 0 {
			t.Errorf("%s takes no schema, though the config says so", model)
		}
	}
	cached := config.Dollars(2)
	cfg := &config.Config{Models: []config.Model{{Name: "m", Targets: []config.Target{{
		Provider: "google", Model: "gemini-2.5-pro", Price: &config.Price{
			Rates: config.Rates{Input: 1, Output: 2, CacheWrite: &cached}, Request: &cached,
			Searches: &cached,
			Long:     []config.LongPrice{{Above: 3, Rates: config.Rates{Input: 4, CacheRead: &cached, Output: 5, Reasoning: &cached}}, {Above: 7, Rates: config.Rates{Input: 6}}},
			Tiers:    []config.TierPrice{{Name: "flex", Rates: config.Rates{Output: 1}}},
		},
		Capabilities: &config.Capabilities{ContextLength: 9},
	}}}}}
	target = models(cfg, made)[0].Targets[0]
	made.know(&target)
	want := money.Plain(1, 2)
	want.CacheWrite, want.CacheWrite1h, want.Request = 2, 2, 2000
	long := money.Of(4, 5)
	long.CacheRead, long.Reasoning = 2, 2
	want.Long = []money.Step{{Above: 3, Rates: long.Set()}, {Above: 7, Rates: money.Of(6, 0).Set()}}
	want.Search = new(money.Nano(2))
	want.Tiers = []money.Tier{{Name: "flex", Rates: money.Of(0, 1).Set()}}
	if diff := cmp.Diff(want, target.Facts.Price); diff != "" || target.Facts.Context != 9 || target.Facts.MaxOutput != 65_536 {
		t.Errorf("by the config: %+v\n%s", target.Facts, diff)
	}
	for _, unknown := range []route.Target{{Provider: "own", Model: "gpt-4o"}, {Provider: "google", Model: "gemini-2.5-of-my-own"}} {
		if made.know(&unknown); unknown.Facts != (route.Facts{}) {
			t.Errorf("%s: %+v", unknown.Model, unknown.Facts)
		}
	}
}
