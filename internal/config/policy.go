package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Policy is how a model's targets are ordered for one request.
type Policy string

var policies = [...]Policy{"ordered", "weighted", "fastest", "cheapest", "least_busy"}

// The policies that other options go with.
const (
	PolicyOrdered  Policy = "ordered"
	PolicyWeighted Policy = "weighted"
	PolicyCheapest Policy = "cheapest"
)

// UnmarshalText accepts the policies there are.
func (p *Policy) UnmarshalText(text []byte) error { return word(p, text, policies[:]) }

// Sticky is what the first target of a request goes by.
type Sticky string

var stickies = [...]Sticky{"none", "user", "prefix"}

// StickyNone is that nothing but the policy picks it.
const StickyNone Sticky = "none"

// UnmarshalText accepts what there is.
func (s *Sticky) UnmarshalText(text []byte) error { return word(s, text, stickies[:]) }

// Cause is why a model falls back on another.
type Cause string

var causes = [...]Cause{"error", "rate_limit", "context", "content_filter"}

// UnmarshalText accepts the causes there are.
func (c *Cause) UnmarshalText(text []byte) error { return word(c, text, causes[:]) }

// word accepts one of the words.
func word[T ~string](to *T, text []byte, words []T) error {
	if *to = T(text); slices.Contains(words, *to) {
		return nil
	}
	return fmt.Errorf("must be %s or %s", listing(words[:len(words)-1]), words[len(words)-1])
}

func listing[T ~string](words []T) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}

// Percent is a share, written as 10% or 2.5%, in millionths.
type Percent int64

// String writes the share as a file does.
func (p Percent) String() string { return strconv.FormatFloat(float64(p)/10_000, 'f', -1, 64) + "%" }

// UnmarshalText parses a share of at most 100%.
func (p *Percent) UnmarshalText(text []byte) error {
	digits, ok := strings.CutSuffix(string(text), "%")
	millionths, exact := decimal(digits, 4)
	if !ok || !exact || millionths > 1e6 {
		return errors.New("must be a share from 0% to 100%, such as 10%")
	}
	*p = Percent(millionths)
	return nil
}

// Lateness is after how long an answer is late: a duration above 0, or 0 for p95, what the target itself is seldom later than.
type Lateness Duration

const p95 = "p95"

// MarshalText writes what UnmarshalText reads.
func (l Lateness) MarshalText() ([]byte, error) {
	if l == 0 {
		return []byte(p95), nil
	}
	return Duration(l).MarshalText()
}

// UnmarshalText parses p95 or a duration.
func (l *Lateness) UnmarshalText(text []byte) error {
	*l = 0
	if string(text) == p95 {
		return nil
	}
	if err := (*Duration)(l).UnmarshalText(text); err != nil || *l == 0 {
		return errors.New("must be p95, or a duration above 0 such as 1500ms or 2s")
	}
	return nil
}

// Dollars is a price in US dollars, written as a decimal number, in millionths.
type Dollars int64

// maxDollars is the highest price that a million tokens can have.
const maxDollars = 10_000

// UnmarshalText parses a price exactly.
func (d *Dollars) UnmarshalText(text []byte) error {
	millionths, ok := decimal(string(text), 6)
	if !ok || millionths > maxDollars*1e6 {
		return fmt.Errorf("must be a price in US dollars from 0 to %d, such as 1.25, with at most six decimal places", maxDollars)
	}
	*d = Dollars(millionths)
	return nil
}

// Nano is the amount in billionths of a dollar.
func (d Dollars) Nano() int64 { return int64(d) * 1000 }

// decimal parses a number and returns it in units of 10 to the power of -digits. It fails if the number is not a whole
// multiple of the unit, or too large to be useful.
func decimal(text string, digits int) (int64, bool) {
	whole, fraction, point := strings.Cut(text, ".")
	if whole == "" || point && fraction == "" || len(fraction) > digits || len(whole) > 9 || strings.Trim(whole+fraction, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", digits-len(fraction)), 10, 64)
	return n, err == nil
}
