package budget

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Spec{
		"50usd/month":          {Dollars, Month, 50e9},
		"0.05usd/day":          {Dollars, Day, 5e7},
		"0.000000001usd/hour":  {Dollars, Hour, 1},
		"2Mtok/day":            {Tokens, Day, 2e6},
		"1.5ktok/week":         {Tokens, Week, 1500},
		"7tok/total":           {Tokens, Total, 7},
		"9000000usd/total":     {Dollars, Total, 9e15},
		"007.500usd/total":     {Dollars, Total, 75e8},
		"1000000000Mtok/total": {Tokens, Total, 1e15},
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "no period",
		"5":                           "no period",
		"5usd":                        "no period",
		"5/day":                       "no known unit",
		"5eur/month":                  "no known unit",
		"5USD/month":                  "no known unit",
		"usd/month":                   "plain number above 0",
		"-1usd/day":                   "plain number above 0",
		"+1usd/day":                   "plain number above 0",
		"0usd/day":                    "plain number above 0",
		"0.0usd/day":                  "plain number above 0",
		"1e99usd/day":                 "plain number above 0",
		"1.usd/day":                   "plain number above 0",
		".5usd/day":                   "plain number above 0",
		"1.2.3usd/day":                "plain number above 0",
		" 1usd/day":                   "plain number above 0",
		"5usd/day,7usd/day":           "has a comma: give each budget by itself",
		"5usd/fortnight":              `unknown period "fortnight"`,
		"5usd/Day":                    `unknown period "Day"`,
		"5usd/day/day":                `unknown period "day/day"`,
		"1.5tok/day":                  "finer",
		"0.0000000001usd/day":         "finer",
		"9000001usd/day":              "larger",
		"9000000.1usd/day":            "larger",
		"99999999999999999999tok/day": "larger",
		"9223372036854775807Mtok/day": "larger",
	} {
		got, err := Parse(text)
		if err == nil {
			t.Errorf("%s is %v", text, got)
			continue
		}
		if said := err.Error(); !strings.Contains(said, want) || !strings.Contains(said, "50usd/month") || !strings.Contains(said, `"`+text+`"`) {
			t.Errorf("%s: %s", text, said)
		}
	}
}

func TestParseAll(t *testing.T) {
	t.Parallel()
	if specs, err := ParseAll([]string{"5usd/day", "5usd/month", "5tok/day"}); err != nil || len(specs) != 3 {
		t.Errorf("%v, %v", specs, err)
	}
	_, err := ParseAll([]string{"5usd/day", "5usd/month", "6.5usd/day"})
	if err == nil || err.Error() != `budgets "5usd/day" and "6.5usd/day" are of one unit and period: name one of them` {
		t.Error(err)
	}
	if _, err := ParseAll([]string{"5usd/day", "x"}); err == nil {
		t.Error("what is not a budget is read")
	}
}

// A budget is read as it is written.
func TestSpecText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := Spec{
			Unit:   rapid.SampledFrom([]Unit{Dollars, Tokens}).Draw(t, "unit"),
			Period: rapid.SampledFrom([]Period{Hour, Day, Week, Month, Total}).Draw(t, "period"),
			Limit:  rapid.OneOf(rapid.Int64Range(1, 100), rapid.Int64Range(1, 1e15), rapid.Map(rapid.Int64Range(1, 1e6), func(n int64) int64 { return n * 1000 })).Draw(t, "limit"),
		}
		text, err := want.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var got Spec
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Fatalf("%s: %+v, %v, want %+v", text, got, err, want)
		}
	})
}

// Amounts are as short as they can be.
func TestAmounts(t *testing.T) {
	t.Parallel()
	tokens, dollars := Spec{Unit: Tokens}, Spec{Unit: Dollars}
	for want, got := range map[string]string{
		"0tok": tokens.Amount(0), "7tok": tokens.Amount(7), "3ktok": tokens.Amount(3000), "2Mtok": tokens.Amount(2e6), "0usd": dollars.Amount(0), "0.5usd": dollars.Amount(5e8),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
