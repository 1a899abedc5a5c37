package money

import (
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// Costs that were worked out by hand, each from a price list as a vendor writes it: dollars for a million tokens, and for a thousand searches.
// A token at d dollars a million costs 1000·d billionths of a dollar.
func TestCostsWorkedOutByHand(t *testing.T) {
	t.Parallel()
	// Every class has a price of its own: 1 in, 2 audio, 3 images, 0.1 read from a cache, 1.25 written, 2.5 for an hour; 10 out, 11 reasoning,
	// 20 audio, 40 images. Above 200,000 tokens everything is twice that, above 1,000,000 three times. Flex is half, and 10 a thousand searches.
	times := func(n int64) Rates {
		return Rates{
			Fresh: n * 1_000_000 / 2, AudioIn: n * 2_000_000 / 2, ImageIn: n * 3_000_000 / 2, CacheRead: n * 100_000 / 2, CacheWrite: n * 1_250_000 / 2, CacheWrite1h: n * 2_500_000 / 2,
			Text: n * 10_000_000 / 2, Reasoning: n * 11_000_000 / 2, AudioOut: n * 20_000_000 / 2, ImageOut: n * 40_000_000 / 2,
		}
	}
	price := &Price{
		Rates: times(2), Long: []Step{{200_000, times(4)}, {1_000_000, times(6)}}, Search: new(Nano(10_000_000)), Request: 5_000_000,
		Tiers: []Tier{{Name: "flex", Rates: times(1), Long: []Step{{200_000, times(2)}}}},
	}
	const request = 5_000_000 // half a cent
	for _, tt := range []struct {
		name  string
		usage llm.Usage
		want  Nano
	}{
		{"a hundred tokens of the prompt: 100 × $1 / 10⁶", llm.Usage{Fresh: 100}, 100_000},
		{"of audio: 100 × $2 / 10⁶", llm.Usage{AudioIn: 100}, 200_000},
		{"of images: 100 × $3 / 10⁶", llm.Usage{ImageIn: 100}, 300_000},
		{"read from the cache: 100 × $0.10 / 10⁶", llm.Usage{CacheRead: 100}, 10_000},
		{"written to it: 100 × $1.25 / 10⁶", llm.Usage{CacheWrite: 100}, 125_000},
		{"written for an hour: 100 × $2.50 / 10⁶", llm.Usage{CacheWrite1h: 100}, 250_000},
		{"of text: 100 × $10 / 10⁶", llm.Usage{Text: 100}, 1_000_000},
		{"of reasoning: 100 × $11 / 10⁶", llm.Usage{Reasoning: 100}, 1_100_000},
		{"of spoken audio: 100 × $20 / 10⁶", llm.Usage{AudioOut: 100}, 2_000_000},
		{"of painted images: 100 × $40 / 10⁶", llm.Usage{ImageOut: 100}, 4_000_000},
		{"three searches: 3 × $10 / 1000", llm.Usage{Searches: 3}, 30_000_000},
		{"at the first step: 200,000 × $1 / 10⁶", llm.Usage{Fresh: 200_000}, 200_000_000},
		{"above it by one cached token: 200,000 × $2 + 1 × $0.20 + 10 × $20, by 10⁶", llm.Usage{Fresh: 200_000, CacheRead: 1, Text: 10}, 400_000_000 + 200 + 200_000},
		{"above the second: 1,000,001 × $3 / 10⁶", llm.Usage{Fresh: 1_000_001}, 3_000_003_000},
		{"a long answer is no long prompt: 300,000 × $10 / 10⁶", llm.Usage{Text: 300_000}, 3_000_000_000},
		{"flex: 100 × $0.50 + 10 × $5, by 10⁶", llm.Usage{Fresh: 100, Text: 10, Tier: "flex"}, 50_000 + 50_000},
		{"flex above its step: 200,001 × $1 / 10⁶", llm.Usage{Fresh: 200_001, Tier: "flex"}, 200_001_000},
		{"charged 7 and 2 of 100 and 20: 7 × $1 + 2 × $10, by 10⁶", llm.Usage{Fresh: 90, CacheRead: 10, Text: 20, Charged: llm.Charged{Input: 7, Output: 2, Known: true}}, 7_000 + 20_000},
		{
			"all classes at once",
			llm.Usage{Fresh: 1, AudioIn: 1, ImageIn: 1, CacheRead: 1, CacheWrite: 1, CacheWrite1h: 1, Text: 1, Reasoning: 1, AudioOut: 1, ImageOut: 1},
			1000 + 2000 + 3000 + 100 + 1250 + 2500 + 10_000 + 11_000 + 20_000 + 40_000,
		},
	} {
		if got, doubt := price.Cost(&tt.usage); got != tt.want+request || doubt != 0 {
			t.Errorf("%s: %d (%b), want %d", tt.name, got, doubt, tt.want+request)
		}
	}
}
