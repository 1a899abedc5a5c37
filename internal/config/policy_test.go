package config

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDecimals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "1.25": 1_250_000, "10": 10_000_000, "0.000001": 1, "0.10": 100_000, "10000": 10_000_000_000, "10000.000000": 10_000_000_000,
		"": -1, ".5": -1, "5.": -1, "-1": -1, "+1": -1, "1e3": -1, "0.0000001": -1, "10000.000001": -1, "1,5": -1, "1_0": -1, "99999999999999999999": -1, ".": -1, "1.2.3": -1,
	} {
		var d Dollars
		if err := d.UnmarshalText([]byte(text)); (err != nil) != (want < 0) || err == nil && int64(d) != want {
			t.Errorf("%q is %d: %v", text, d, err)
		}
	}
	for text, want := range map[string]int64{
		"10%": 100_000, "2.5%": 25_000, "0%": 0, "100%": 1_000_000, "0.0001%": 1,
		"10": -1, "": -1, "%": -1, "101%": -1, "100.0001%": -1, "0.00001%": -1, "-1%": -1, "10 %": -1,
	} {
		var p Percent
		if err := p.UnmarshalText([]byte(text)); (err != nil) != (want < 0) || err == nil && int64(p) != want {
			t.Errorf("%q is %d: %v", text, p, err)
		}
	}
}

func TestLateness(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Lateness{
		"p95": 0, "1500ms": Lateness(1500 * time.Millisecond), "2s": Lateness(2 * time.Second),
		"0": -1, "0s": -1, "": -1, "p99": -1, "-1s": -1, "P95": -1, "5": -1,
	} {
		var l Lateness
		if err := l.UnmarshalText([]byte(text)); (err != nil) != (want < 0) || err == nil && l != want {
			t.Errorf("%q is %d: %v", text, l, err)
		}
		if written, err := want.MarshalText(); want >= 0 && (err != nil || l.UnmarshalText(written) != nil || l != want) {
			t.Errorf("%q is written %q: %v", text, written, err)
		}
	}
}

// Both forms of fallbacks, and what holds without any option.
func TestRoutingOptions(t *testing.T) {
	t.Parallel()
	cfg := parse(t, `
providers: {p: {kind: sim}}
models:
  plain: {targets: [p/a]}
  short: {targets: [p/a], fallbacks: [plain, p/x]}
  long: {targets: [{provider: p, model: a, price: {input: 0.1, output: "${TEN}"}}, p/b], policy: "${POLICY:-cheapest}", fallbacks: {to: [short]}}
  named: {targets: [p/a], fallbacks: {on: [content_filter], to: [long]}, retries: {budget: 0%}}
  "p/*": {targets: ["p/*"]}
`)
	usual := []Cause{"error", "rate_limit", "context"}
	for i, want := range []Fallbacks{{}, {On: usual, To: []string{"plain", "p/x"}}, {On: usual, To: []string{"short"}}, {On: []Cause{"content_filter"}, To: []string{"long"}}} {
		if diff := cmp.Diff(want, cfg.Models[i].Fallbacks); diff != "" {
			t.Errorf("%s: %s", cfg.Models[i].Name, diff)
		}
	}
	plain, long := &cfg.Models[0], &cfg.Models[2]
	if plain.Policy != "ordered" || plain.Sticky != "none" || plain.Retries.Budget != 100_000 || cfg.Models[3].Retries.Budget != 0 {
		t.Errorf("defaults: %+v", plain)
	}
	if long.Policy != "cheapest" || long.Targets[0].Price.Rates != (Rates{Input: 100_000, Output: 10_000_000}) || long.Targets[1].Price != nil {
		t.Errorf("%+v", long)
	}
}

// Two models may fall back on each other, because the fallbacks of fallbacks are not followed. None may fall back on itself.
func TestFallbacksOnOneAnother(t *testing.T) {
	t.Parallel()
	const head = "providers: {p: {kind: sim}}\nmodels:\n"
	for _, tt := range []struct{ name, models, want string }{
		{"each other", "  a: {targets: [p/a], fallbacks: [b]}\n  b: {targets: [p/b], fallbacks: [a]}\n", ""},
		{"round", "  a: {targets: [p/a], fallbacks: [b]}\n  b: {targets: [p/b], fallbacks: [c]}\n  c: {targets: [p/c], fallbacks: [a]}\n", ""},
		{"past a pattern", "  a: {targets: [p/a], fallbacks: [x1]}\n  x1: {targets: [p/x]}\n  \"x*\": {targets: [p/x], fallbacks: [x1]}\n", ""},
		{"itself", "  a: {targets: [p/a], fallbacks: [a]}\n", "weir.yaml:3:35: model \"a\" falls back on itself: remove \"a\""},
		{"itself by a pattern", "  \"x*\": {targets: [p/x], fallbacks: [x1]}\n", "weir.yaml:3:38: model \"x*\" falls back on itself: remove \"x1\""},
	} {
		_, err := testLoader().Parse("weir.yaml", []byte(head+tt.models))
		if got := fmt.Sprint(err); err == nil && tt.want != "" || err != nil && got != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// All settings of a model's targets can be used together: prices say what requests cost, under every policy.
func TestPriceBesideAnyPolicy(t *testing.T) {
	t.Parallel()
	for _, policy := range []Policy{PolicyOrdered, PolicyWeighted, "fastest", PolicyCheapest, "least_busy"} {
		order, weight := "", ""
		if policy != PolicyOrdered {
			order, weight = "\n    sticky: prefix", ", weight: 2"
		}
		cfg := parse(t, `
providers:
  near: {kind: ollama}
  far: {kind: ollama}
models:
  clever:
    targets: [near/small, {provider: far, model: large`+weight+`, price: {input: 2.5, cache_read: 0.25, cache_write: 3.125, output: 15, long: [{above: 9, input: 5, cache_read: 0, output: 20, reasoning: 0.25}, {above: 99, input: 6, output: 21}], searches: 10, request: 0.005, tiers: {flex: {input: 1, output: 2}}}}]
    policy: `+string(policy)+order+`
    fallbacks: [quick]
    timeouts: {connect: 10s, first_token: 10m, idle: 2m, total: 30m, hold: 20s}
    retries: {max_attempts: 3, budget: 10%}
    hedge: {after: p95, budget: 5%}
    strict: false
  quick: {targets: [near/small]}
`)
		free, cached := Dollars(0), Dollars(250_000)
		want := &Price{
			Rates: Rates{Input: 2_500_000, CacheRead: &cached, CacheWrite: new(Dollars(3_125_000)), Output: 15_000_000}, Request: new(Dollars(5000)), Searches: new(Dollars(10_000_000)),
			Long: []LongPrice{
				{Above: 9, Rates: Rates{Input: 5_000_000, CacheRead: &free, Reasoning: &cached, Output: 20_000_000}},
				{Above: 99, Rates: Rates{Input: 6_000_000, Output: 21_000_000}},
			},
			Tiers: []TierPrice{{Name: "flex", Rates: Rates{Input: 1_000_000, Output: 2_000_000}}},
		}
		if diff := cmp.Diff(want, cfg.Models[0].Targets[1].Price); diff != "" {
			t.Errorf("%s: %s", policy, diff)
		}
	}
}
