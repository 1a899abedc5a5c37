package app

import (
	"context"
	"fmt"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/money"
)

// warnOfBudget says in the log and in a metric that a share of a budget is spent.
func (a *App) warnOfBudget(w budget.Warning) {
	of, name := "key", ""
	if w.Owner.Kind == budget.Team {
		of = "team"
		if team, err := a.keys.ShowTeam(w.Owner.ID); err == nil {
			name = team.Name
		}
	} else if key, err := a.keys.Show(w.Owner.ID); err == nil {
		name = key.Name
	}
	reset := "never"
	if !w.Reset.IsZero() {
		reset = w.Reset.Format(time.RFC3339)
	}
	a.metrics.BudgetWarning(of)
	a.log.Warn("a share of a budget is spent", "of", of, "id", w.Owner.ID, "name", name, "budget", w.Spec.String(), "percent", w.Percent,
		"used", w.Spec.Amount(w.Used), "reset", reset)
}

// spendingOf are budgets of the config, nil for none.
func spendingOf(b *config.Spending) *budget.Policy {
	if len(b.Budgets) == 0 {
		return nil
	}
	p := &budget.Policy{Budgets: b.Budgets, Strict: b.Reserve == config.ReserveStrict, Cut: b.Cut}
	for _, share := range b.Warn {
		p.Warn = append(p.Warn, int(share))
	}
	return p
}

// unpricedOf is what a model's calls are charged whose price is unknown, nil if none are to be made that count against dollars.
func unpricedOf(p *config.PriceUnknown) *money.Nano {
	switch {
	case p.Hold != nil:
		return new(p.Hold.Nano())
	case p.Free:
		return new(money.Nano)
	}
	return nil
}

// budgetUses are the budgets that apply to a caller, for the admin API.
func (a *App) budgetUses(ctx context.Context, caller *auth.Principal) ([]admin.BudgetUse, error) {
	states, refused := a.gateway.Budgets(ctx, caller)
	if refused != nil {
		return nil, refused
	}
	shown := make([]admin.BudgetUse, len(states))
	for i := range states {
		s := &states[i]
		u := admin.BudgetUse{
			Of: "key", ID: s.Owner.ID, Name: caller.KeyName, Budget: s.Spec, Unit: "tokens", Most: s.Spec.Limit, Used: s.Used, Held: s.Held, Remaining: s.Remaining,
		}
		if team := caller.Team(); s.Owner.Kind == budget.Team {
			if u.Of, u.Name = "team", s.Owner.ID; team != nil {
				u.Name = team.Name
			}
		}
		if s.Spec.Unit == budget.Dollars {
			u.Unit = "nanodollars"
		}
		if !s.Reset.IsZero() {
			u.Reset = &s.Reset
		}
		shown[i] = u
	}
	return shown, nil
}

// usedUp says which budget has nothing left, nil if none is so.
func usedUp(budgets []admin.BudgetUse) *string {
	for i := range budgets {
		if b := &budgets[i]; b.Used >= b.Most {
			said := fmt.Sprintf("The budget %s of the %s %s is used up.", b.Budget, b.Of, b.Name)
			return &said
		}
	}
	return nil
}
