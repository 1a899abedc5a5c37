package money

import (
	"math"
	"math/bits"

	"github.com/weirproxy/weir/internal/llm"
)

// Flags say what about a cost is doubtful.
type Flags uint8

// The flags.
const (
	Absurd       Flags = 1 << iota // more tokens than a call can have, or more money than an amount can hold
	TierUnpriced                   // the service tier has no price; the standard one was taken
	FeeUnpriced                    // searches were made whose price is unknown; they are not in the cost
	PriceUnknown                   // no price is known; the cost is zero
)

// Source says where the amount of a Charge comes from.
type Source uint8

// The sources. Their places are in the ledger, so they keep them.
const (
	ByPrice  Source = iota // from what was counted, by the price
	Billed                 // the provider stated it
	Unpriced               // no price is known; the amount is zero
	Fixed                  // no price is known; the config says what such a call costs
)

// String is the word in reports.
func (s Source) String() string { return [...]string{"price", "provider", "unpriced", "fixed"}[s] }

// Charge is what a call is charged. The zero value is that of a call that took nothing.
type Charge struct {
	Cost   Nano
	Source Source
	Listed Nano  // what it costs by the price, whatever the provider states; 0 without a price
	Doubt  Flags // about Cost; PriceUnknown is about Listed
}

// Charge returns what the usage is charged by this price. If the provider bills the cost that it states, bills is true, and that is charged.
func (p *Price) Charge(u *llm.Usage, bills bool) Charge {
	listed, doubt := p.Cost(u)
	c := Charge{Cost: listed, Listed: listed, Doubt: doubt}
	switch {
	case bills && u.Cost.Known:
		c.Cost, c.Source, c.Doubt = u.Cost.Nanodollars, Billed, doubt&(Absurd|PriceUnknown)
	case p == nil:
		c.Source = Unpriced
	}
	return c
}

// MaxTokens is the largest number of tokens of one class in one call that has a cost.
const MaxTokens = llm.MaxTokens

// Cost returns what the usage costs by this price, rounded half up to a billionth of a dollar. It goes by what was counted: whether a cost
// that the provider states goes before it is not decided here.
func (p *Price) Cost(u *llm.Usage) (cost Nano, doubt Flags) {
	if p == nil {
		return 0, PriceUnknown
	}
	rates, priced := p.For(u.Input(), u.Tier)
	if !priced {
		doubt |= TierUnpriced
	}
	if u.Absurd {
		doubt |= Absurd
	}
	if u.Charged.Known { // by none of the classes that were counted
		u = &llm.Usage{Fresh: u.Charged.Input, Text: u.Charged.Output, Searches: u.Searches}
	}
	var sum total
	for _, class := range rates.classes(u) {
		doubt |= sum.add(class.tokens, class.price)
	}
	switch {
	case p.Search != nil:
		doubt |= sum.add(u.Searches, *p.Search*pico)
	case u.Searches > 0:
		doubt |= FeeUnpriced
	}
	doubt |= sum.add(1, p.Request*pico)
	cost, over := sum.nano()
	return cost, doubt | over
}

const pico = 1000 // of a billionth

// total is a sum in units of 10⁻¹² dollars, in 128 bits: the products of hostile figures fit into it.
type total struct{ high, low uint64 }

// add adds n things at a price each. Figures that cannot be true are bounded.
func (t *total) add(n, price int64) (doubt Flags) {
	if n < 0 || n > llm.MaxTokens {
		n, doubt = min(max(n, 0), llm.MaxTokens), Absurd
	}
	high, low := bits.Mul64(uint64(n), uint64(max(price, 0)))
	var carry uint64
	t.low, carry = bits.Add64(t.low, low, 0)
	t.high, _ = bits.Add64(t.high, high, carry)
	return doubt
}

// nano is the sum, rounded half up.
func (t *total) nano() (amount Nano, doubt Flags) {
	low, carry := bits.Add64(t.low, 500, 0)
	high := t.high + carry
	if high >= 1000 { // the quotient does not fit 64 bits
		return math.MaxInt64, Absurd
	}
	quotient, _ := bits.Div64(high, low, 1000)
	if quotient > math.MaxInt64 {
		return math.MaxInt64, Absurd
	}
	return Nano(quotient), 0
}
