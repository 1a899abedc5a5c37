package budget

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// dollar is a price of 1 dollar a million tokens in and 10 out: 1,000 and 10,000 billionths a token.
func dollar() *money.Price { return money.Plain(1e6, 1e7) }

func TestAssess(t *testing.T) {
	t.Parallel()
	cached := dollar()
	cached.CacheWrite, cached.CacheWrite1h = 1.25e6, 2e6
	long := dollar()
	long.Long = []money.Step{{Above: 1000, Rates: money.Of(2e6, 2e7).Set()}}
	tiered := dollar()
	tiered.Tiers = []money.Tier{{Name: "priority", Rates: money.Of(3e6, 3e7).Set()}, {Name: "flex", Rates: money.Of(5e5, 5e6).Set()}}
	media := dollar()
	media.AudioIn, media.AudioOut = 4e7, 8e7
	fee := dollar()
	fee.Request = 5_000_000
	small := Prompt{Bytes: 104, Estimate: 20} // 616 tokens at most
	for _, tt := range []struct {
		name   string
		prompt Prompt
		answer Answer
		target Target
		habit  Habit
		worst  Amount
		usual  Amount
	}{
		{"a maximum", small, Answer{Most: 100}, Target{Price: dollar()}, Habit{}, Amount{616_000 + 1_000_000, 716}, Amount{20_000 + 1_000_000, 120}},
		{"no maximum", small, Answer{}, Target{Price: dollar(), MaxOutput: 4000}, Habit{}, Amount{616_000 + 40_000_000, 4616}, Amount{20_000 + 5_000_000, 520}},
		{"a maximum above the model's", small, Answer{Most: 9000}, Target{Price: dollar(), MaxOutput: 4000}, Habit{}, Amount{616_000 + 40_000_000, 4616}, Amount{20_000 + 5_000_000, 520}},
		{"only a context", small, Answer{}, Target{Price: dollar(), Context: 8000}, Habit{}, Amount{616_000 + 80_000_000, 8616}, Amount{20_000 + 5_000_000, 520}},
		{"reasoning that the maximum does not count", small, Answer{Most: 100}, Target{Price: dollar(), MaxOutput: 4000, Uncounted: true}, Habit{}, Amount{616_000 + 40_000_000, 4616}, Amount{20_000 + 1_000_000, 120}},
		{"several answers", small, Answer{Most: 100, N: 3}, Target{Price: dollar()}, Habit{}, Amount{616_000 + 3_000_000, 916}, Amount{20_000 + 3_000_000, 320}},
		{"no answer", small, Answer{None: true}, Target{Price: dollar()}, Habit{}, Amount{616_000, 616}, Amount{20_000, 20}},
		{"tools", Prompt{Bytes: 104, Tools: true}, Answer{None: true}, Target{Price: dollar()}, Habit{}, Amount{2_152_000, 2152}, Amount{}},
		{"more was seen to be added", small, Answer{None: true}, Target{Price: dollar(), Added: 5000}, Habit{}, Amount{5_104_000, 5104}, Amount{20_000, 20}},
		{"no more than the context", small, Answer{None: true}, Target{Price: dollar(), Context: 300, Added: 5000}, Habit{}, Amount{300_000, 300}, Amount{20_000, 20}},
		{"media", Prompt{Opaque: true, Estimate: 7}, Answer{None: true}, Target{Price: media, Context: 9000, MaxInput: 8000}, Habit{}, Amount{320_000_000, 8000}, Amount{7000, 7}},
		{"spoken answers", small, Answer{Most: 10, Media: true}, Target{Price: media}, Habit{}, Amount{616_000 + 800_000, 626}, Amount{20_000 + 100_000, 30}},
		{"a cache", small, Answer{None: true}, Target{Price: cached}, Habit{}, Amount{770_000, 616}, Amount{20_000, 20}},
		{"a cache for an hour", Prompt{Bytes: 104, Hour: true}, Answer{None: true}, Target{Price: cached}, Habit{}, Amount{1_232_000, 616}, Amount{}},
		{"a prompt that may be long", Prompt{Bytes: 1000, Estimate: 900}, Answer{Most: 1}, Target{Price: long}, Habit{}, Amount{1512*2000 + 20_000, 1513}, Amount{900_000 + 10_000, 901}},
		{"a prompt that may be at the step", Prompt{Bytes: 488}, Answer{None: true}, Target{Price: long}, Habit{}, Amount{1000 * 1000, 1000}, Amount{}},
		{"a prompt that may be just above it", Prompt{Bytes: 489}, Answer{None: true}, Target{Price: long}, Habit{}, Amount{1001 * 2000, 1001}, Amount{}},
		{"a dear tier", Prompt{Bytes: 104, Estimate: 20, Tier: "priority"}, Answer{Most: 1}, Target{Price: tiered}, Habit{}, Amount{616*3000 + 30_000, 617}, Amount{60_000 + 30_000, 21}},
		{"a cheap tier, which may be refused", Prompt{Bytes: 104, Estimate: 20, Tier: "flex"}, Answer{Most: 1}, Target{Price: tiered}, Habit{}, Amount{616_000 + 10_000, 617}, Amount{10_000 + 5000, 21}},
		{"a fee", small, Answer{None: true}, Target{Price: fee}, Habit{}, Amount{5_616_000, 616}, Amount{5_020_000, 20}},
		{"habits", small, Answer{}, Target{Price: dollar(), MaxOutput: 4000}, Habit{Output: 800, Told: 300, Reckoned: 200}, Amount{616_000 + 40_000_000, 4616}, Amount{30_000 + 8_000_000, 830}},
		{"habits above the maximum", small, Answer{Most: 10}, Target{Price: dollar()}, Habit{Output: 800}, Amount{616_000 + 100_000, 626}, Amount{20_000 + 100_000, 30}},
		{"an unknown price that is held", small, Answer{Most: 100}, Target{Unpriced: Unpriced{true, 50_000_000}}, Habit{}, Amount{50_000_000, 716}, Amount{50_000_000, 120}},
	} {
		n := Assess(&tt.prompt, &tt.answer, &tt.target, tt.habit)
		if got := (Amount{n.Worst.Money, n.Worst.Tokens}); got != tt.worst {
			t.Errorf("%s: at most %+v, want %+v", tt.name, got, tt.worst)
		}
		if got := (Amount{n.Usual.Money, n.Usual.Tokens}); got != tt.usual {
			t.Errorf("%s: usually %+v, want %+v", tt.name, got, tt.usual)
		}
		if n.Unbound != Bound || n.Unpriced || n.Tierless {
			t.Errorf("%s: %+v", tt.name, n)
		}
	}
}

// What is not known is said.
func TestAssessUnknown(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		prompt   Prompt
		answer   Answer
		target   Target
		unbound  Unbound
		unpriced bool
		tierless bool
	}{
		{"an answer", Prompt{}, Answer{}, Target{Price: dollar()}, NoMaximum, false, false},
		{"an answer that no maximum bounds", Prompt{}, Answer{Most: 5}, Target{Price: dollar(), Uncounted: true}, NoLimits, false, false},
		{"media", Prompt{Opaque: true}, Answer{Most: 5}, Target{Price: dollar()}, NoLimits, false, false},
		{"media and an answer", Prompt{Opaque: true}, Answer{}, Target{Price: dollar()}, NoLimits, false, false},
		{"a price", Prompt{}, Answer{Most: 5}, Target{}, Bound, true, false},
		{"a price that the config sets to nothing", Prompt{}, Answer{Most: 5}, Target{Unpriced: Unpriced{Allowed: true}}, Bound, false, false},
		{"a tier", Prompt{Tier: "turbo"}, Answer{Most: 5}, Target{Price: dollar()}, Bound, false, true},
		{"Claude's standard tier", Prompt{Tier: "standard_only"}, Answer{Most: 5}, Target{Price: dollar()}, Bound, false, false},
	} {
		n := Assess(&tt.prompt, &tt.answer, &tt.target, Habit{})
		if n.Unbound != tt.unbound || n.Unpriced != tt.unpriced || n.Tierless != tt.tierless {
			t.Errorf("%s: %+v", tt.name, n)
		}
	}
}

// No usage within the bound of tokens costs more than the worst, whatever classes, steps and tiers it falls into.
func TestWorstIsABound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Int64Range(0, 1e8)
		rates := func(name string) money.Rates {
			r := money.Of(rate.Draw(t, name), rate.Draw(t, name))
			for _, class := range [...]*money.PerToken{&r.CacheRead, &r.CacheWrite, &r.AudioIn, &r.Reasoning, &r.AudioOut} {
				if rapid.Bool().Draw(t, "own rate") {
					*class = rate.Draw(t, name)
				}
			}
			return r.Set()
		}
		price := &money.Price{Rates: rates("rate"), Request: rapid.Int64Range(0, 1e7).Draw(t, "fee")}
		price.Long = []money.Step{{Above: 700, Rates: rates("long")}}
		price.Tiers = []money.Tier{{Name: "flex", Rates: rates("flex"), Long: []money.Step{{Above: 800, Rates: rates("long flex")}}}}
		p := Prompt{Bytes: rapid.Int64Range(0, 2000).Draw(t, "bytes"), Hour: true, Tier: rapid.SampledFrom([]string{"", "flex"}).Draw(t, "tier")}
		a := Answer{Most: rapid.Int64Range(1, 2000).Draw(t, "most"), N: rapid.Int64Range(1, 3).Draw(t, "n")}
		n := Assess(&p, &a, &Target{Price: price}, Habit{})
		input, output := n.Worst.Tokens-n.Worst.Output, n.Worst.Output
		part := func(name string, of *int64) int64 {
			x := rapid.Int64Range(0, *of).Draw(t, name)
			*of -= x
			return x
		}
		u := llm.Usage{
			CacheRead: part("read", &input), CacheWrite: part("write", &input), CacheWrite1h: part("hour", &input), Fresh: part("fresh", &input),
			Reasoning: part("reasoning", &output), Text: part("text", &output), Tier: rapid.SampledFrom([]string{"", "default", p.Tier}).Draw(t, "served"),
		}
		if cost, _ := price.Cost(&u); cost > n.Worst.Money {
			t.Fatalf("%+v costs %d, at most %d", u, cost, n.Worst.Money)
		}
	})
}

// With the maximum that a refusal names, the call fits, and with a larger one it does not.
func TestRoomIsRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		target := &Target{Price: money.Plain(rapid.Int64Range(0, 1e8).Draw(t, "in"), rapid.Int64Range(1, 1e8).Draw(t, "out")), MaxOutput: 1 << 30}
		p := &Prompt{Bytes: rapid.Int64Range(0, 5000).Draw(t, "bytes")}
		answers := rapid.Int64Range(1, 4).Draw(t, "n")
		limit := rapid.Int64Range(1, 1e9).Draw(t, "limit")
		unit := rapid.SampledFrom([]Unit{Dollars, Tokens}).Draw(t, "unit")
		need := func(most int64) int64 {
			n := Assess(p, &Answer{Most: most, N: answers}, target, Habit{})
			return n.Worst.of(unit)
		}
		n := Assess(p, &Answer{N: answers}, target, Habit{})
		room := n.room(unit, limit)
		if room > 0 && need(room) > limit {
			t.Fatalf("max_tokens %d takes %d of %d", room, need(room), limit)
		}
		if room < money.MaxTokens/answers && need(room+2) <= limit-4 { // rounding may cost a token
			t.Fatalf("max_tokens %d takes %d of %d, and so would a larger one, %d", room, need(room), limit, need(room+2))
		}
	})
}

// Figures that no call has do not overflow.
func TestAssessHuge(t *testing.T) {
	t.Parallel()
	dear := money.Plain(money.MaxPerToken, money.MaxPerToken)
	dear.Request = 1 << 62
	n := Assess(&Prompt{Bytes: 1 << 40, Estimate: 1 << 40}, &Answer{Most: 1 << 53, N: 1 << 20}, &Target{Price: dear}, Habit{Output: 1 << 50, Told: 1 << 24, Reckoned: 1})
	for _, take := range [...]Take{n.Worst, n.Usual, n.Worst.grown(1 << 59)} {
		if min(take.Money, take.Tokens, take.Output, take.Prompt) < 0 || max(take.Money, take.Tokens, take.Output, take.Prompt) > largest {
			t.Errorf("%+v", take)
		}
	}
}
