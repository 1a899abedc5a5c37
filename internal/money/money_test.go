package money

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/llm"
)

// claude is Anthropic's price of a model with a cache, in dollars a million tokens: 3 in, 15 out, 0.30 read, 3.75 written.
func claude() *Price {
	p := Plain(3e6, 15e6)
	p.CacheRead, p.CacheWrite = 3e5, 3.75e6
	p.CacheWrite1h = 2 * p.Fresh
	long := Of(6e6, 22.5e6)
	long.CacheRead, long.CacheWrite = 6e5, 7.5e6
	p.Long = []Step{{Above: 200_000, Rates: long.Set()}}
	p.Tiers = []Tier{{Name: "flex", Rates: Of(1.5e6, 7.5e6).Set()}}
	return p
}

func TestCost(t *testing.T) {
	t.Parallel()
	searched := claude()
	searched.Search, searched.Request = new(Nano(10_000_000)), 5_000_000
	for _, tt := range []struct {
		name  string
		price *Price
		usage llm.Usage
		want  Nano
		doubt Flags
	}{
		{"nothing", claude(), llm.Usage{}, 0, 0},
		{"a prompt and an answer", claude(), llm.Usage{Fresh: 1000, Text: 100}, 4_500_000, 0},
		{"every class of a cache", claude(), llm.Usage{Fresh: 10, CacheRead: 1000, CacheWrite: 100, CacheWrite1h: 10, Text: 1, Reasoning: 1}, 30_000 + 300_000 + 375_000 + 60_000 + 30_000, 0},
		{"half a billionth is rounded up", Plain(500, 0), llm.Usage{Fresh: 1}, 1, 0},
		{"less is rounded down", Plain(499, 0), llm.Usage{Fresh: 1}, 0, 0},
		{"the sum is rounded, not its parts", Plain(400, 400), llm.Usage{Fresh: 1, Text: 1}, 1, 0},
		{"a prompt at the step", claude(), llm.Usage{Fresh: 200_000}, 600_000_000, 0},
		{"a prompt above it, cached tokens included", claude(), llm.Usage{Fresh: 1, CacheRead: 200_000, Text: 1}, 6000 + 120_000_000 + 22_500, 0},
		{"a tier", claude(), llm.Usage{Fresh: 1000, Tier: "flex"}, 1_500_000, 0},
		{"the standard tier by a name", claude(), llm.Usage{Fresh: 1000, Tier: "ON_DEMAND"}, 3_000_000, 0},
		{"a tier without a price", claude(), llm.Usage{Fresh: 1000, Tier: "priority"}, 3_000_000, TierUnpriced},
		{"fees", searched, llm.Usage{Fresh: 1, Searches: 3}, 3000 + 30_000_000 + 5_000_000, 0},
		{"searches without a fee", claude(), llm.Usage{Fresh: 1, Searches: 3}, 3000, FeeUnpriced},
		{"no price", nil, llm.Usage{Fresh: 1}, 0, PriceUnknown},
		{"free", Plain(0, 0), llm.Usage{Fresh: 1e6}, 0, 0},
		{"more tokens than can be", claude(), llm.Usage{Text: math.MaxInt64}, llm.MaxTokens * 15_000, Absurd},
		{"fewer than none", claude(), llm.Usage{Text: -5}, 0, Absurd},
	} {
		if got, doubt := tt.price.Cost(&tt.usage); got != tt.want || doubt != tt.doubt {
			t.Errorf("%s: %d (%b), want %d (%b)", tt.name, got, doubt, tt.want, tt.doubt)
		}
	}
}

// What a provider bills goes before the price, of which the cost is kept beside it.
func TestCharge(t *testing.T) {
	t.Parallel()
	billed := llm.Cost{Nanodollars: 7, Known: true}
	for _, tt := range []struct {
		name  string
		price *Price
		usage llm.Usage
		bills bool
		want  Charge
	}{
		{"by the price", claude(), llm.Usage{Fresh: 1}, true, Charge{3000, ByPrice, 3000, 0}},
		{"as billed", claude(), llm.Usage{Fresh: 1, Cost: billed}, true, Charge{7, Billed, 3000, 0}},
		{"billed as nothing", claude(), llm.Usage{Fresh: 1, Cost: llm.Cost{Known: true}}, true, Charge{0, Billed, 3000, 0}},
		{"stated, but not what is billed", claude(), llm.Usage{Fresh: 1, Cost: billed}, false, Charge{3000, ByPrice, 3000, 0}},
		{"fees are in what is billed", claude(), llm.Usage{Fresh: 1, Searches: 1, Tier: "priority", Cost: billed}, true, Charge{7, Billed, 3000, 0}},
		{"fees are not in the price", claude(), llm.Usage{Fresh: 1, Searches: 1}, true, Charge{3000, ByPrice, 3000, FeeUnpriced}},
		{"no price", nil, llm.Usage{Fresh: 1}, true, Charge{0, Unpriced, 0, PriceUnknown}},
		{"no price, but a bill", nil, llm.Usage{Fresh: 1, Cost: billed}, true, Charge{7, Billed, 0, PriceUnknown}},
	} {
		if got := tt.price.Charge(&tt.usage, tt.bills); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// A class without a price of its own costs what the plain class does.
func TestSet(t *testing.T) {
	t.Parallel()
	if got, want := Of(2, 9).Set(), (Rates{2, 2, 2, 2, 2, 2, 9, 9, 9, 9}); got != want {
		t.Errorf("%+v", got)
	}
	charged := Of(1000, 0)
	charged.CacheWrite = 1250
	if got := charged.Set().CacheWrite1h; got != 2000 {
		t.Errorf("an hour in a cache that costs: %d", got)
	}
	charged.CacheWrite = 100
	if got := charged.Set().CacheWrite1h; got != 100 {
		t.Errorf("an hour in a cache that saves: %d", got)
	}
}

// The cost is that of exact arithmetic, rounded half up, whatever the figures are; it is never negative and never wraps.
func TestCostIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		figure := func(name string, most int64) int64 {
			return rapid.OneOf(rapid.Int64Range(0, 10), rapid.Int64Range(0, most), rapid.Just(most)).Draw(t, name)
		}
		usage := llm.Usage{
			Fresh: figure("fresh", math.MaxInt64), AudioIn: figure("audio", llm.MaxTokens), ImageIn: figure("image", llm.MaxTokens), CacheRead: figure("read", llm.MaxTokens),
			CacheWrite: figure("write", llm.MaxTokens), CacheWrite1h: figure("hour", llm.MaxTokens), Text: figure("text", llm.MaxTokens), Reasoning: figure("reasoning", llm.MaxTokens),
			AudioOut: figure("spoken", llm.MaxTokens), ImageOut: figure("painted", llm.MaxTokens), Searches: figure("searches", llm.MaxTokens),
		}
		price := &Price{Request: figure("request", 1e15), Search: new(figure("search", 1e15))}
		for _, rate := range [...]*PerToken{
			&price.Fresh, &price.AudioIn, &price.ImageIn, &price.CacheRead, &price.CacheWrite, &price.CacheWrite1h, &price.Text, &price.Reasoning, &price.AudioOut, &price.ImageOut,
		} {
			*rate = figure("rate", MaxPerToken)
		}
		got, doubt := price.Cost(&usage)
		exact := new(big.Int)
		add := func(n, each int64) {
			exact.Add(exact, new(big.Int).Mul(big.NewInt(min(n, llm.MaxTokens)), big.NewInt(each)))
		}
		for _, class := range price.classes(&usage) {
			add(class.tokens, class.price)
		}
		exact.Add(exact, new(big.Int).Mul(big.NewInt(usage.Searches), new(big.Int).Mul(big.NewInt(*price.Search), big.NewInt(1000))))
		exact.Add(exact, new(big.Int).Mul(big.NewInt(price.Request), big.NewInt(1000)))
		exact.Div(exact.Add(exact, big.NewInt(500)), big.NewInt(1000))
		want := int64(math.MaxInt64)
		if exact.IsInt64() {
			want = exact.Int64()
		}
		if got != want || (!exact.IsInt64() || usage.Fresh > llm.MaxTokens) != (doubt&Absurd != 0) {
			t.Fatalf("%d (%b), want %d", got, doubt, want)
		}
		if items := price.Items(&usage); (items == nil) != (doubt&Absurd != 0) || items != nil && CostOf(items) != got {
			t.Fatalf("the items %v cost %d, want %d", items, CostOf(items), got)
		}
	})
}

func TestDollars(t *testing.T) {
	t.Parallel()
	for n, want := range map[Nano]string{
		0: "0", 1: "0.000000001", 125_000: "0.000125", 1_000_000_000: "1", 10_500_000_000: "10.5", 100: "0.0000001", 999_999_999_999: "999.999999999", 20_000_000_000: "20",
	} {
		if got := Dollars(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestID(t *testing.T) {
	t.Parallel()
	if one, same := claude(), claude(); one.ID() != same.ID() || one.ID() == 0 {
		t.Error("equal prices have different ids")
	}
	var unknown *Price
	if unknown.ID() != 0 {
		t.Error("an unknown price has an id")
	}
	for i, change := range []func(*Price){
		func(p *Price) { p.Fresh++ },
		func(p *Price) { p.Long[0].Above++ },
		func(p *Price) { p.Tiers[0].Name = "batch" },
		func(p *Price) { p.Search = new(Nano(0)) },
		func(p *Price) { p.Request = 1 },
	} {
		p := claude()
		if change(p); p.ID() == claude().ID() {
			t.Errorf("change %d keeps the id", i)
		}
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	price := Plain(3e6, 15e6)
	price.Search, price.Request = new(Nano(10_000_000)), 500
	want := []Item{{"input", 1000, 3e6}, {"cache_read", 20, 3e6}, {"output", 30, 15e6}, {"search", 2, 1e10}, {"request", 1, 500_000}}
	if diff := cmp.Diff(want, price.Items(&llm.Usage{Fresh: 1000, CacheRead: 20, Text: 30, Searches: 2})); diff != "" {
		t.Error(diff)
	}
	if got := CostOf(want); got != 3_000_000+60_000+450_000+20_000_000+500 {
		t.Error(got)
	}
	for name, items := range map[string][]Item{
		"no price": (*Price)(nil).Items(&llm.Usage{Fresh: 1}), "absurd": price.Items(&llm.Usage{Fresh: 1, Absurd: true}),
		"other tokens are charged": price.Items(&llm.Usage{Fresh: 9, Charged: llm.Charged{Input: 1, Known: true}}),
	} {
		if items != nil {
			t.Errorf("%s: %v", name, items)
		}
	}
	// The classes are those of Rates, by the same names.
	var rates map[string]int64
	if err := json.Unmarshal(price.JSON(), &rates); err != nil {
		t.Fatal(err)
	}
	for _, name := range classNames {
		if _, ok := rates[name]; !ok {
			t.Errorf("%s is no rate", name)
		}
	}
}
