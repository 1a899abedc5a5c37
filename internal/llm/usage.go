package llm

import (
	"strconv"
	"strings"
)

// Usage is what one upstream call consumed: tokens in disjoint classes, so that each has one price, and what else is billed. Vendors
// report figures that overlap; a dialect splits them. The zero value means that nothing was reported.
type Usage struct {
	// What was read. Input is their sum.
	Fresh        int64 // text that was neither read from a prompt cache nor written to one
	AudioIn      int64
	ImageIn      int64
	CacheRead    int64
	CacheWrite   int64 // kept for the vendor's usual time; at Anthropic that is five minutes
	CacheWrite1h int64 // kept for an hour

	// What was written. Output is their sum.
	Text      int64 // everything that is not one of the others, calls of tools included
	Reasoning int64
	AudioOut  int64
	ImageOut  int64

	Searches int64  // web searches that the vendor made and bills by number
	Tier     string // the service tier that the vendor says it used, in its own word; "" if it does not say
	Cost     Cost   // what the vendor says it bills
	Charged  Charged
	Absurd   bool // a figure was reported that cannot be true; it was bounded
}

// Charged is how many tokens a vendor charges, where it says that these are fewer than it counts. It knows no classes.
type Charged struct {
	Input, Output int64
	Known         bool
}

// Cost is an amount of money that may be unknown.
type Cost struct {
	Nanodollars int64 // billionths of a US dollar
	Known       bool
}

// MaxCost is the largest cost that is believed, a million dollars: far more than a call can cost.
const MaxCost = 1e15

// Dollars is a number, or a string that holds one, as an amount in dollars, rounded half up to a billionth. Usage objects spell costs as
// decimals, with exponents for small ones (7.02e-05), which no binary fraction holds. It is unknown for anything else: what is
// negative, and above MaxCost.
func (j JSON) Dollars() Cost {
	text := string(j)
	if j.Kind() == '"' {
		text = j.Text()
	}
	const digits = 9
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	shift := digits
	if hasExponent {
		e, err := strconv.Atoi(exponent)
		if err != nil || e < -100 || e > 100 {
			return Cost{}
		}
		shift += e
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	if len(mantissa) > 64 || strings.Trim(whole+fraction, "0123456789") != "" || whole+fraction == "" {
		return Cost{}
	}
	// The amount is all, with this many of its digits after the point.
	switch after := len(fraction) - shift; {
	case all == "" || after > len(all):
		all = "0"
	case after > 0:
		all = all[:len(all)-after] + "." + all[len(all)-after:]
	default:
		all += strings.Repeat("0", -after)
	}
	return rounded(all)
}

// rounded reads a decimal number of billionths, rounding half up.
func rounded(text string) Cost {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(whole) > len("1000000000000000") {
		return Cost{}
	}
	n, _ := strconv.ParseInt("0"+whole, 10, 64) // digits alone, and few
	if fraction != "" && fraction[0] >= '5' {
		n++
	}
	if n > MaxCost {
		return Cost{}
	}
	return Cost{Nanodollars: n, Known: true}
}

// maxTier is the longest name of a service tier that is kept.
const maxTier = 40

// Tier is a string as the name of a service tier; "" for anything else, and for what is too long to be one.
func (j JSON) Tier() string {
	if len(j) > maxTier+2 {
		return ""
	}
	return j.Text()
}

// MaxTokens is the largest number of tokens of one class in one call that is believed. The largest context windows have a few million.
const MaxTokens = 1e8

// Tokens is a value as a number of tokens; told is false for null, and for what is no number. A number that cannot be true is absurd, and
// becomes the nearest that can; so is anything in place of a number. Some APIs write whole numbers with a fraction, which is cut off.
func (j JSON) Tokens() (n int64, told, absurd bool) {
	switch j.Kind() {
	case '0':
	case 'n', 0:
		return 0, false, false
	default:
		return 0, false, true
	}
	n, err := strconv.ParseInt(string(j), 10, 64)
	if err != nil {
		f, _ := strconv.ParseFloat(string(j), 64) // infinite for what is too large
		n = int64(min(max(f, -1), MaxTokens+1))
	}
	return min(max(n, 0), MaxTokens), true, n < 0 || n > MaxTokens
}

// Bound makes every class a number that can be true, and notes if one was not.
func (u *Usage) Bound() {
	for _, class := range u.figures() {
		if *class < 0 || *class > MaxTokens {
			*class, u.Absurd = min(max(*class, 0), MaxTokens), true
		}
	}
}

// figures are all numbers of a usage that are counted.
func (u *Usage) figures() [13]*int64 {
	return [...]*int64{
		&u.Fresh, &u.AudioIn, &u.ImageIn, &u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &u.Text, &u.Reasoning, &u.AudioOut, &u.ImageOut,
		&u.Searches, &u.Charged.Input, &u.Charged.Output,
	}
}

// MaxCount is the largest number that is read as one, so that sums stay numbers.
const MaxCount = 1 << 53

// Count is a value as a number of things; ok is false for what is no whole number that can be one.
func (j JSON) Count() (n int64, ok bool) {
	if j.Kind() != '0' {
		return 0, false // at no cost: objects of counts have other objects in them
	}
	n, err := strconv.ParseInt(string(j), 10, 64)
	return n, err == nil && n >= 0 && n <= MaxCount
}

// Input is the number of tokens read.
func (u *Usage) Input() int64 {
	return u.Fresh + u.AudioIn + u.ImageIn + u.CacheRead + u.CacheWrite + u.CacheWrite1h
}

// Output is the number of tokens written.
func (u *Usage) Output() int64 { return u.Text + u.Reasoning + u.AudioOut + u.ImageOut }

// CacheWrites is the number of tokens written to a prompt cache, for whatever time.
func (u *Usage) CacheWrites() int64 { return u.CacheWrite + u.CacheWrite1h }

// Add adds what another call of the same request consumed. The sum has a cost, and charged tokens, only if both have, and a tier only if it
// is the same.
func (u *Usage) Add(o *Usage) {
	if *u == (Usage{}) {
		*u = *o
		return
	}
	sums, more := u.figures(), o.figures()
	for i, sum := range sums {
		*sum = min(*sum+*more[i], MaxCount)
	}
	u.Charged.Known = u.Charged.Known && o.Charged.Known
	u.Absurd = u.Absurd || o.Absurd
	if u.Tier != o.Tier {
		u.Tier = ""
	}
	if u.Cost.Known && o.Cost.Known {
		u.Cost.Nanodollars = min(u.Cost.Nanodollars+o.Cost.Nanodollars, MaxCost)
		return
	}
	u.Cost = Cost{}
}
