package importer

import (
	"encoding/json"
	"math/big"
	"strings"
)

// maxDollars is the largest budget, in dollars.
const maxDollars = 9_000_000

// Of a number, so many characters are read, and so large an exponent: more would take minutes to work out, and no amount is so long.
const (
	maxDigits   = 400
	maxExponent = 1000
)

// rational is a number that is written as a decimal, with all its digits; ok is false for anything else.
func rational(text string) (r *big.Rat, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) > maxDigits || strings.Trim(text, "+-.0123456789eE") != "" {
		return nil, false
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		exponent, ok := new(big.Int).SetString(text[at+1:], 10)
		if !ok || exponent.CmpAbs(big.NewInt(maxExponent)) > 0 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

// nano is an amount in dollars in nanodollars, rounded up; 0 for none and for what is below 0.
func nano(dollars json.Number) int64 {
	r, ok := rational(dollars.String())
	if !ok || r.Sign() <= 0 {
		return 0
	}
	if r.Cmp(big.NewRat(maxDollars, 1)) > 0 {
		return maxDollars * 1e9
	}
	r.Mul(r, big.NewRat(1e9, 1))
	n := new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1)))
	return n.Div(n, r.Denom()).Int64()
}

// maxPrice is the highest price of a million tokens, and of a request, that Weir takes, in dollars.
const maxPrice = 10_000

// priceOf is a price in dollars as the config spells it, with at most six decimals. What is above 0 stays so. ok is false for one that is too high
// or below 0.
func priceOf(dollars *big.Rat) (text string, exact, ok bool) {
	if dollars.Sign() < 0 || dollars.Cmp(big.NewRat(maxPrice, 1)) > 0 {
		return "", false, false
	}
	text = dollars.FloatString(6)
	held, _ := new(big.Rat).SetString(text)
	exact = held.Cmp(dollars) == 0
	if dollars.Sign() > 0 && held.Sign() == 0 {
		text = "0.000001"
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), "."), exact, true
}

// perMillion is a price for a million tokens, given that for one.
func perMillion(one string) (text string, exact, ok bool) {
	r, ok := rational(one)
	if !ok {
		return "", false, false
	}
	return priceOf(r.Mul(r, big.NewRat(1_000_000, 1)))
}
