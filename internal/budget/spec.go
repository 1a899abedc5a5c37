// Package budget keeps calls within what their keys and teams may spend. What a call may take is held before it is made, in all budgets that
// it counts against or in none, and becomes what it took when it ends. It is pure: the time is a parameter, and what was spent before comes
// from a Source.
package budget

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/money"
)

// Unit is what a budget counts.
type Unit uint8

// The units.
const (
	Dollars Unit = iota // in nanodollars
	Tokens              // read and written, cached ones included
)

// Spec is one budget: so much in a period.
type Spec struct {
	Unit   Unit
	Period Period
	Limit  int64 // above 0: nanodollars or tokens
}

// The largest budgets. Sums of spendings stay numbers below them.
const (
	maxDollars = 9_000_000 // as far as the ledger adds up
	maxTokens  = 1_000_000_000_000_000
)

// example ends the messages about what is not a budget.
const example = "write it like 50usd/month, 0.5usd/hour or 2Mtok/day"

// units are the names of units, with what one of them is. A name that ends another comes after it.
var units = [...]struct {
	name string
	unit Unit
	of   int64
}{
	{"usd", Dollars, 1e9},
	{"ktok", Tokens, 1e3},
	{"Mtok", Tokens, 1e6},
	{"tok", Tokens, 1},
}

// Parse reads a budget as users write it: an amount, a unit and a period, such as 50usd/month. The error says what is wrong, and has an
// example.
func Parse(text string) (Spec, error) {
	if strings.Contains(text, ",") {
		return Spec{}, fmt.Errorf("budget %q has a comma: give each budget by itself, and %s", text, example)
	}
	amount, period, ok := strings.Cut(text, "/")
	if !ok {
		return Spec{}, fmt.Errorf("budget %q has no period: %s", text, example)
	}
	p, ok := parsePeriod(period)
	if !ok {
		return Spec{}, fmt.Errorf("budget %q has the unknown period %q, not one of %s: %s", text, period, strings.Join(periods[:], ", "), example)
	}
	for _, u := range units {
		number, ok := strings.CutSuffix(amount, u.name)
		if !ok {
			continue
		}
		limit, why := parseAmount(number, u.of, u.unit)
		if why != "" {
			return Spec{}, fmt.Errorf("budget %q %s: %s", text, why, example)
		}
		return Spec{u.unit, p, limit}, nil
	}
	return Spec{}, fmt.Errorf("budget %q has no known unit, which are usd and tok, ktok, Mtok: %s", text, example)
}

// parseAmount reads a decimal number of units, each of so many of what is counted. why says what is wrong with it, "" for nothing.
func parseAmount(number string, of int64, unit Unit) (n int64, why string) {
	whole, fraction, point := strings.Cut(number, ".")
	if whole == "" || point && fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return 0, "has no amount that is a plain number above 0"
	}
	most := int64(maxTokens)
	if unit == Dollars {
		most = maxDollars * 1e9
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole) > len("1000000000000000") {
		return 0, "is larger than a budget can be"
	}
	n, _ = strconv.ParseInt("0"+whole, 10, 64) // digits alone, and few
	if n > most/of {
		return 0, "is larger than a budget can be"
	}
	n *= of
	for _, digit := range []byte(strings.TrimRight(fraction, "0")) {
		if of%10 != 0 {
			return 0, "is finer than a budget can be"
		}
		of /= 10
		n += int64(digit-'0') * of
	}
	switch {
	case n == 0:
		return 0, "has no amount that is a plain number above 0"
	case n > most:
		return 0, "is larger than a budget can be"
	}
	return n, ""
}

// ParseAll reads several budgets. There is at most one of a unit and period.
func ParseAll(texts []string) ([]Spec, error) {
	specs := make([]Spec, 0, len(texts))
	for _, text := range texts {
		spec, err := Parse(text)
		if err != nil {
			return nil, err
		}
		for _, other := range specs {
			if other.Like(spec) {
				return nil, fmt.Errorf("budgets %q and %q are of one unit and period: name one of them", other, spec)
			}
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// String is the budget as Parse reads it.
func (s Spec) String() string { return s.amount() + "/" + s.Period.String() }

// Amount is an amount in the budget's unit, as people write it.
func (s Spec) Amount(n int64) string { return Spec{Unit: s.Unit, Limit: n}.amount() }

// amount is the limit in the shortest unit that has a whole number of it.
func (s Spec) amount() string {
	switch {
	case s.Unit == Dollars:
		return money.Dollars(s.Limit) + "usd"
	case s.Limit == 0:
		return "0tok"
	case s.Limit%1e6 == 0:
		return strconv.FormatInt(s.Limit/1e6, 10) + "Mtok"
	case s.Limit%1e3 == 0:
		return strconv.FormatInt(s.Limit/1e3, 10) + "ktok"
	}
	return strconv.FormatInt(s.Limit, 10) + "tok"
}

// MarshalText and UnmarshalText let files and bodies have budgets as users write them.
func (s Spec) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Spec) UnmarshalText(text []byte) (err error) {
	*s, err = Parse(string(text))
	return err
}
