package importer

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/budget"
)

// maxDollars is the largest budget, in dollars.
const maxDollars = 9_000_000

// nano is an amount in dollars in nanodollars, rounded up; 0 for none and for what is below 0.
func nano(dollars json.Number) int64 {
	r, ok := new(big.Rat).SetString(dollars.String())
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

// periods are those of budgets, the longest first, with their usual lengths.
var periods = []struct {
	period budget.Period
	length time.Duration
}{{budget.Month, 30 * 24 * time.Hour}, {budget.Week, 7 * 24 * time.Hour}, {budget.Day, 24 * time.Hour}, {budget.Hour, time.Hour}}

// policyOf is the budget that LiteLLM's columns describe, and what of it is spent. approximate says what differs, "" for nothing. LiteLLM's periods
// end with the hour, the day, the week from Monday and the month, as Weir's do. Of any other length a budget becomes one of the next shorter
// period, with its part of the amount.
func policyOf(b *litellmBounds, spent int64) (policy *budget.Policy, left int64, approximate string) {
	limit := nano(b.MaxBudget)
	spec := budget.Spec{Unit: budget.Dollars, Period: budget.Total, Limit: max(limit, 1)}
	if limit == 0 {
		policy = &budget.Policy{Budgets: []budget.Spec{spec}}
		return policy, max(spent, 1), "max_budget is not above 0: the budget is one in total that is spent"
	}
	length, whole := span(b.Duration)
	switch {
	case b.Duration == "":
	case length == 0:
		approximate = fmt.Sprintf("budget_duration %q is not known: the budget is one in total", b.Duration)
	default:
		at := len(periods) - 1
		for i, p := range periods {
			if length >= p.length {
				at = i
				break
			}
		}
		spec.Period = periods[at].period
		if length != periods[at].length && !whole {
			part := func(n int64) int64 {
				r := new(big.Int).Mul(big.NewInt(n), big.NewInt(int64(periods[at].length)))
				return r.Div(r, big.NewInt(int64(length))).Int64()
			}
			spec.Limit, spent = min(max(part(limit), 1), maxDollars*1e9), part(spent)
			approximate = fmt.Sprintf("budget_duration %s is no period of Weir's: the budget is %s, its part of max_budget", b.Duration, spec)
		}
	}
	policy = &budget.Policy{Budgets: []budget.Spec{spec}}
	if soft := nano(b.SoftBudget); soft > 0 && limit > 0 {
		if share := soft * 100 / limit; share >= 1 && share <= 100 {
			policy.Warn = []int{int(share)}
		}
	}
	return policy, spent, approximate
}

var spans = regexp.MustCompile(`^(\d+)(s|m|h|d|w|mo)$`)

// span is a length of time as LiteLLM spells it, 0 for what is none. whole says that it is one month of the calendar.
func span(text string) (length time.Duration, whole bool) {
	m := spans.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 32)
	if err != nil || n < 1 {
		return 0, false
	}
	units := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour, "mo": 30 * 24 * time.Hour}
	if n > int64(100*365*24*time.Hour/units[m[2]]) {
		return 0, false
	}
	return time.Duration(n) * units[m[2]], n == 1 && m[2] == "mo"
}
