package importer

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/budget"
)

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
		period, part, exact := periodOf(length, whole)
		if spec.Period = period; !exact {
			spec.Limit, spent = min(max(part(limit), 1), maxDollars*1e9), min(part(spent), maxDollars*1e9)
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
