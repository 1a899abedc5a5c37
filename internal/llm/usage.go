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

// MaxCount is the largest count of tokens that is believed, so that sums of counts stay numbers.
const MaxCount = 1 << 53

// Count is a value as a count of tokens; ok is false for what is no whole number that can be one.
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

// Add adds what another call of the same request consumed. The sum has a cost only if both have one, and a tier only if it is the same.
func (u *Usage) Add(o *Usage) {
	if *u == (Usage{}) {
		*u = *o
		return
	}
	for _, class := range [...]struct{ sum, more *int64 }{
		{&u.Fresh, &o.Fresh},
		{&u.AudioIn, &o.AudioIn},
		{&u.ImageIn, &o.ImageIn},
		{&u.CacheRead, &o.CacheRead},
		{&u.CacheWrite, &o.CacheWrite},
		{&u.CacheWrite1h, &o.CacheWrite1h},
		{&u.Text, &o.Text},
		{&u.Reasoning, &o.Reasoning},
		{&u.AudioOut, &o.AudioOut},
		{&u.ImageOut, &o.ImageOut},
		{&u.Searches, &o.Searches},
	} {
		*class.sum = min(*class.sum+*class.more, MaxCount)
	}
	if u.Tier != o.Tier {
		u.Tier = ""
	}
	if u.Cost.Known && o.Cost.Known {
		u.Cost.Nanodollars = min(u.Cost.Nanodollars+o.Cost.Nanodollars, MaxCost)
		return
	}
	u.Cost = Cost{}
}
