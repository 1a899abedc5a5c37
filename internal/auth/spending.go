package auth

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/budget"
)

// The most that one key or team has.
const (
	maxBudgets  = 16
	maxWarnings = 8
)

// CheckSpending returns the first invalid value among budgets as an *llm.Error that names its member, nil if all are valid.
func CheckSpending(p *budget.Policy) error {
	if p == nil {
		return nil
	}
	if len(p.Budgets) == 0 {
		return withoutBudget(p.Strict, p.Cut, p.Warn)
	}
	if err := checkBudgets(p.Budgets); err != nil {
		return err
	}
	return checkWarn(p.Warn)
}

// withoutBudget reports the first thing that only budgets have.
func withoutBudget(strict, cut bool, warn []int) error {
	for _, one := range []struct {
		name  string
		given bool
	}{{"reserve", strict}, {"cut", cut}, {"warn", len(warn) > 0}} {
		if one.given {
			return invalid(one.name, "%s says how budgets are kept, and a budget is missing: give a budget, such as 50usd/month, or leave it out.", one.name)
		}
	}
	return nil
}

func checkBudgets(list []budget.Spec) error {
	if len(list) > maxBudgets {
		return invalid("budgets", "A key or a team has at most %d budgets.", maxBudgets)
	}
	for i, spec := range list {
		if spec.Limit <= 0 {
			return invalid("budgets", "A budget is more than nothing, such as 50usd/month.")
		}
		if at := slices.IndexFunc(list[:i], spec.Like); at >= 0 {
			return invalid("budgets", "The budgets %s and %s are of one unit and period: name one of them.", list[at], spec)
		}
	}
	return nil
}

func checkWarn(warn []int) error {
	if len(warn) > maxWarnings {
		return invalid("warn", "warn has at most %d percentages.", maxWarnings)
	}
	for i, percent := range warn {
		if percent < 1 || percent > 100 {
			return invalid("warn", "warn has whole percentages from 1%% to 100%%, such as 50%%.")
		}
		if slices.Contains(warn[:i], percent) {
			return invalid("warn", "warn has %d%% twice.", percent)
		}
	}
	return nil
}

// SpendingChange says what of the budgets is replaced; nil leaves a thing as it is.
type SpendingChange struct {
	Budgets *[]budget.Spec // an empty list takes all away, and what the others say with them
	Strict  *bool
	Cut     *bool
	Warn    *[]int // an empty list warns of nothing
}

// Check reports the first thing that no budgets can be, whatever there was before.
func (c SpendingChange) Check() error {
	if c.Budgets != nil {
		if err := checkBudgets(*c.Budgets); err != nil {
			return err
		}
	}
	if c.Warn != nil {
		return checkWarn(*c.Warn)
	}
	return nil
}

// apply makes the change of budgets, which are nil without any.
func (c SpendingChange) apply(to **budget.Policy) error {
	if c == (SpendingChange{}) {
		return nil
	}
	var p budget.Policy
	if *to != nil {
		p = **to
	}
	if c.Budgets != nil {
		p.Budgets = slices.Clone(*c.Budgets)
		if len(p.Budgets) == 0 {
			p = budget.Policy{}
		}
	}
	if c.Strict != nil {
		p.Strict = *c.Strict
	}
	if c.Cut != nil {
		p.Cut = *c.Cut
	}
	if c.Warn != nil {
		p.Warn = slices.Clone(*c.Warn)
	}
	if err := CheckSpending(&p); err != nil {
		return err
	}
	*to = nil
	if len(p.Budgets) > 0 {
		*to = &p
	}
	return nil
}

// cloneSpending is a policy that shares nothing with p; nil for one without budgets.
func cloneSpending(p *budget.Policy) *budget.Policy {
	if p == nil || len(p.Budgets) == 0 {
		return nil
	}
	q := *p
	q.Budgets, q.Warn = slices.Clone(p.Budgets), slices.Clone(p.Warn)
	return &q
}

// bounds are what few keys have: limits, budgets, and answers that are kept.
type bounds struct {
	limits      Limits
	spending    *spending // nil for a key that never had budgets here
	idempotency time.Duration
}

// spending has the budgets of a key as they are now. All records of the key share it, so that a request finds what holds now,
// whenever it began.
type spending struct {
	now     atomic.Pointer[budget.Policy]
	version atomic.Int64 // of the change that set it, or of one before
}

// Spending is what the key may spend as of now, nil without budgets; its team's is in Team. Not to be changed.
func (p *Principal) Spending() *budget.Policy {
	if p.bounds == nil || p.bounds.spending == nil {
		return nil
	}
	return p.bounds.spending.now.Load()
}

// SpendingVersion is the version of the change that set what Spending returns after it, or of one before: 0 for a key of the config file.
func (p *Principal) SpendingVersion() Version {
	if p.bounds == nil || p.bounds.spending == nil {
		return 0
	}
	return Version(p.bounds.spending.version.Load())
}

// boundsOf are those of a key, nil without any. before is the key's previous record, nil for a new one.
func boundsOf(key *Key, before *record) *bounds {
	var shared *spending
	if before != nil && before.principal.bounds != nil {
		shared = before.principal.bounds.spending
	}
	if shared == nil && key.Spending != nil {
		shared = new(spending)
	}
	if shared == nil && key.Limits == (Limits{}) && key.Idempotency == 0 {
		return nil
	}
	if shared != nil {
		shared.now.Store(key.Spending)
		shared.version.Store(int64(key.Version))
	}
	return &bounds{limits: key.Limits, spending: shared, idempotency: key.Idempotency}
}
