package importer

import (
	"encoding/json"
	"fmt"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/money"
)

// bounds are the limits and the budget of a key or a team, and what it has spent of the budget.
func (a *litellmAccounts) bounds(b *litellmBounds, table, at string) (all bounds) {
	for _, limit := range []struct {
		name string
		from *int64
		to   *int64
	}{{"rpm_limit", b.RPM, &all.limits.Requests}, {"tpm_limit", b.TPM, &all.limits.Tokens}, {"max_parallel_requests", b.Parallel, &all.limits.Concurrent}} {
		switch {
		case limit.from == nil:
		case *limit.from <= 0:
			all.none = true
			a.find(Approximate, table, at, fmt.Sprintf("%s is %d, which lets nothing through: it is revoked here, which is for good", limit.name, *limit.from))
		case *limit.from <= auth.MaxLimit:
			*limit.to = *limit.from
		default:
			a.find(Approximate, table, at, limit.name+" is more than Weir counts: no limit")
		}
	}
	a.parts(b, table, at)
	all.spent = nano(b.Spend)
	if reset, err := moment(b.ResetAt); err == nil && !reset.IsZero() && !reset.After(a.now) {
		all.spent = 0 // it is about to be set back
	}
	if b.MaxBudget != "" {
		var approximate string
		if all.policy, all.spent, approximate = policyOf(b, all.spent); approximate != "" {
			a.find(Approximate, table, at, approximate)
		}
	}
	if b.TPD != nil {
		if all.policy == nil {
			all.policy = &budget.Policy{}
		}
		all.policy.Budgets = append(all.policy.Budgets, budget.Spec{Unit: budget.Tokens, Period: budget.Day, Limit: min(max(*b.TPD, 1), money.MaxTokens)})
		a.find(Approximate, table, at, "tpd_limit is a budget of tokens by day, and begins unspent")
	}
	return all
}

// parts reports budgets and limits that hold for a part of the calls.
func (a *litellmAccounts) parts(b *litellmBounds, table, at string) {
	if !b.ModelBudget.empty() {
		a.find(Unsupported, table, at, "it has budgets of single models, which Weir does not have: they are lost")
	}
	var windows []struct {
		Budget   json.Number `json:"max_budget"`
		Duration string      `json:"budget_duration"`
	}
	if !b.Limits.empty() && (json.Unmarshal(b.Limits, &windows) != nil || len(windows) == 0) {
		a.find(Unsupported, table, at, "budget_limits has a form that is not known here: these budgets are lost")
	}
	for _, w := range windows {
		policy, _, _ := policyOf(&litellmBounds{MaxBudget: w.Budget, Duration: w.Duration}, 0)
		a.find(Manual, table, at, fmt.Sprintf("it has a further budget of $%s in %s, and what is spent of it is not in the database: give it one (weir keys update --budget %s)", w.Budget, w.Duration, policy.Budgets[0]))
	}
	var within struct { // limits that LiteLLM keeps in the metadata
		RPM      jsonObject  `json:"model_rpm_limit"`
		TPM      jsonObject  `json:"model_tpm_limit"`
		Parallel jsonObject  `json:"model_max_parallel_requests"`
		More     json.Number `json:"temp_budget_increase"`
		Member   string      `json:"team_member_budget_id"`
	}
	if b.Metadata.empty() {
		return
	}
	if json.Unmarshal(b.Metadata, &within) != nil {
		a.find(Manual, table, at, "its metadata has a form that is not known here: look whether it has limits")
		return
	}
	if !(within.RPM.empty() && within.TPM.empty() && within.Parallel.empty()) {
		a.find(Unsupported, table, at, "it has limits of single models, which Weir does not have: they are lost. Set rpm and tpm at the targets")
	}
	if within.More != "" {
		a.find(Manual, table, at, "its budget is raised for a time, which Weir does not do: raise it by hand (weir keys update --budget)")
	}
	if within.Member != "" {
		a.find(Unsupported, table, at, "each of its members has a budget, which Weir does not have: give them to the members' keys")
	}
}
