package auth

import (
	"cmp"
	"time"
)

// Limits are what a key, or all keys of a team together, may use; 0 is no limit.
type Limits struct {
	Requests   int64 // a minute
	Tokens     int64 // a minute, of prompts and answers
	Concurrent int64 // requests at once
}

// MaxLimit is the highest limit that can be set.
const MaxLimit = 1_000_000_000

// Check reports the first limit that cannot be, as an *llm.Error with the member's name.
func (l Limits) Check() error {
	check := func(param string, n int64) error {
		if n < 0 || n > MaxLimit {
			return invalid(param, "%s is a whole number from 1 to %d, or null for no limit.", param, MaxLimit)
		}
		return nil
	}
	return cmp.Or(check("rpm", l.Requests), check("tpm", l.Tokens), check("concurrent", l.Concurrent))
}

// How long answers to requests with an Idempotency-Key may be kept.
const (
	MinIdempotency = time.Minute
	MaxIdempotency = 30 * 24 * time.Hour
)

// checkIdempotency checks how long answers are kept; 0 keeps none.
func checkIdempotency(keep time.Duration) error {
	if keep != 0 && (keep < MinIdempotency || keep > MaxIdempotency || keep%time.Second != 0) {
		return invalid("idempotency", "idempotency is a time in whole seconds from 1m to 720h, such as 24h, or null to keep no answers.")
	}
	return nil
}

// LimitsChange says which limits are replaced; nil leaves one as it is, 0 lifts it.
type LimitsChange struct{ Requests, Tokens, Concurrent *int64 }

// Check reports the first limit that cannot be.
func (c LimitsChange) Check() error {
	var l Limits
	c.apply(&l)
	return l.Check()
}

func (c LimitsChange) apply(l *Limits) {
	for _, one := range []struct{ from, to *int64 }{{c.Requests, &l.Requests}, {c.Tokens, &l.Tokens}, {c.Concurrent, &l.Concurrent}} {
		if one.from != nil {
			*one.to = *one.from
		}
	}
}
