package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Reserve is what a call holds of budgets while it runs.
type Reserve string

// ReserveStrict is the most that it can take.
const ReserveStrict Reserve = "strict"

var reserves = [...]Reserve{ReserveStrict, "expected"}

// UnmarshalText accepts the values there are.
func (r *Reserve) UnmarshalText(text []byte) error { return word(r, text, reserves[:]) }

// Share is a whole percentage of a budget, written as 50%.
type Share int

// MarshalText writes what UnmarshalText reads.
func (s Share) MarshalText() ([]byte, error) { return []byte(strconv.Itoa(int(s)) + "%"), nil }

// UnmarshalText parses a whole percentage.
func (s *Share) UnmarshalText(text []byte) error {
	digits, ok := strings.CutSuffix(string(text), "%")
	n, err := strconv.ParseUint(digits, 10, 8)
	if !ok || err != nil || n < 1 || n > 100 {
		return errors.New("must be a whole share from 1% to 100%, such as 50%")
	}
	*s = Share(n)
	return nil
}

// setText reads the short forms: deny and free.
func (p *PriceUnknown) setText(text string) ([]any, error) {
	switch text {
	case "deny":
	case "free":
		p.Free = true
	default:
		return nil, errors.New("must be deny, free or {hold: 0.05}")
	}
	return nil, nil
}

// MarshalJSON writes what is read.
func (p PriceUnknown) MarshalJSON() ([]byte, error) {
	switch {
	case p.Hold != nil:
		return []byte(`{"hold":` + strconv.FormatInt(int64(*p.Hold), 10) + `}`), nil
	case p.Free:
		return []byte(`"free"`), nil
	}
	return []byte(`"deny"`), nil
}

// The most that a key or a team has.
const (
	mostBudgets = 16
	mostShares  = 8
)

// checkSpending checks the budgets of a key or a team.
func (d *decoder) checkSpending(s *Spending) {
	for i := range s.Budgets {
		b := &s.Budgets[i]
		if at := slices.IndexFunc(s.Budgets[:i], b.Like); d.given(b) && at >= 0 && d.given(&s.Budgets[at]) {
			d.errorf(d.where(b), "the budgets %s and %s are of one unit and period: name one of them", s.Budgets[at], *b)
		}
	}
	for i := range s.Warn {
		if share := &s.Warn[i]; d.given(share) && slices.Contains(s.Warn[:i], *share) {
			d.errorf(d.where(share), "warn has %d%% twice", *share)
		}
	}
	if d.given(&s.Budgets) && (len(s.Budgets) == 0 || len(s.Budgets) > mostBudgets) {
		d.errorf(d.where(&s.Budgets), "budgets must have from 1 to %d, such as [50usd/month]; remove it for none", mostBudgets)
	}
	if d.given(&s.Warn) && len(s.Warn) > mostShares {
		d.errorf(d.where(&s.Warn), "warn has at most %d shares", mostShares)
	}
	for _, one := range []struct {
		name  string
		value any
	}{{"reserve", &s.Reserve}, {"cut", &s.Cut}, {"warn", &s.Warn}} {
		if d.given(one.value) && !d.present(&s.Budgets) {
			d.errorf(d.where(one.value), "%s says how budgets are kept, and a budget is missing: add budgets, such as [50usd/month], or remove it", one.name)
		}
	}
}
