package auth

import "cmp"

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
