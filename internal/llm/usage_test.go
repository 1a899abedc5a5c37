package llm

import "testing"

func TestDollars(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Cost{
		`0`:                       {0, true},
		`0.0`:                     {0, true},
		`1`:                       {1_000_000_000, true},
		`0.0001232`:               {123_200, true},
		`7.02e-05`:                {70_200, true},
		`1.5E+2`:                  {150_000_000_000, true},
		`"0.0000702"`:             {70_200, true},
		`0.0000000005`:            {1, true},
		`0.00000000049`:           {0, true},
		`4e-10`:                   {0, true},
		`1e-99`:                   {0, true},
		`0.1234567895`:            {123_456_790, true},
		`1e6`:                     {MaxCost, true},
		`1000000.000000001`:       {},
		`1e7`:                     {},
		`1e99`:                    {},
		`1e101`:                   {},
		`-1`:                      {},
		`null`:                    {},
		`""`:                      {},
		`"free"`:                  {},
		`{"total_cost":1}`:        {},
		`true`:                    {},
		`"1e"`:                    {},
		`".5"`:                    {500_000_000, true},
		`99999999999999999999999`: {},
	} {
		if got := JSON(text).Dollars(); got != want {
			t.Errorf("%s is %+v, want %+v", text, got, want)
		}
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	var sum Usage
	one := Usage{Fresh: 1, AudioIn: 2, ImageIn: 3, CacheRead: 4, CacheWrite: 5, CacheWrite1h: 6, Text: 7, Reasoning: 8, AudioOut: 9, ImageOut: 10, Searches: 11, Tier: "flex", Cost: Cost{12, true}, Charged: Charged{1, 2, true}}
	sum.Add(&one)
	if sum != one || sum.Input() != 21 || sum.Output() != 34 || sum.CacheWrites() != 11 {
		t.Errorf("%+v", sum)
	}
	sum.Add(&one)
	if want := (Usage{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, "flex", Cost{24, true}, Charged{2, 4, true}, false}); sum != want {
		t.Errorf("%+v", sum)
	}
	sum.Add(&Usage{Fresh: MaxCount})
	if sum.Fresh != MaxCount || sum.Tier != "" || sum.Cost.Known {
		t.Errorf("a sum with what has neither tier nor cost: %+v", sum)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		n            int64
		told, absurd bool
	}{
		`0`: {0, true, false}, `7`: {7, true, false}, `12.0`: {12, true, false}, `1.9e1`: {19, true, false}, `100000000`: {MaxTokens, true, false},
		`100000001`: {MaxTokens, true, true}, `9007199254740992`: {MaxTokens, true, true}, `9223372036854775808`: {MaxTokens, true, true}, `1e309`: {MaxTokens, true, true},
		`-1`: {0, true, true}, `-1e309`: {0, true, true}, `-0.5`: {0, true, false},
		`null`: {}, ``: {}, `"7"`: {0, false, true}, `{}`: {0, false, true}, `true`: {0, false, true}, `[7]`: {0, false, true},
	} {
		if n, told, absurd := JSON(text).Tokens(); n != want.n || told != want.told || absurd != want.absurd {
			t.Errorf("%s: %d, %v, %v", text, n, told, absurd)
		}
	}
}

func TestBound(t *testing.T) {
	t.Parallel()
	u := Usage{Fresh: MaxTokens + 1, Text: -1, Reasoning: MaxTokens}
	if u.Bound(); u != (Usage{Fresh: MaxTokens, Reasoning: MaxTokens, Absurd: true}) {
		t.Errorf("%+v", u)
	}
	u = Usage{Text: 5}
	if u.Bound(); u != (Usage{Text: 5}) {
		t.Errorf("%+v", u)
	}
}
