package app

import (
	"context"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/alert"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/money"
)

// warnOfBudget says in the log, in a metric and by an alert that a share of a budget is spent.
func (a *App) warnOfBudget(w budget.Warning) {
	e := alert.Event{
		Time: a.now(), Of: "key", OwnerID: w.Owner.ID, Budget: w.Spec.String(), Unit: unitOf(w.Spec), Period: w.Spec.Period.String(),
		Limit: w.Spec.Limit, Used: w.Used, Percent: w.Percent, Reset: w.Reset,
	}
	if w.Owner.Kind == budget.Team {
		e.Of = "team"
		if team, err := a.keys.ShowTeam(w.Owner.ID); err == nil {
			e.Name = team.Name
		}
	} else if key, err := a.keys.Show(w.Owner.ID); err == nil {
		e.Name = key.Name
	}
	reset := "never"
	if !w.Reset.IsZero() {
		reset = w.Reset.Format(time.RFC3339)
	}
	a.metrics.BudgetWarning(e.Of)
	a.log.Warn("a share of a budget is spent", "of", e.Of, "id", e.OwnerID, "name", e.Name, "budget", e.Budget, "percent", e.Percent,
		"used", w.Spec.Amount(w.Used), "reset", reset)
	a.alerts.Send(&e)
}

// alertTerms say where alerts go, nil for nowhere.
func alertTerms(cfg *config.Config) *alert.Terms {
	if cfg.Alerts.URL == "" {
		return nil
	}
	return &alert.Terms{URL: cfg.Alerts.URL, Key: cfg.Alerts.Key()}
}

// unitOf is what a budget counts, in the words of the admin API.
func unitOf(s budget.Spec) string {
	if s.Unit == budget.Dollars {
		return "nanodollars"
	}
	return "tokens"
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
	if a.sharing != nil && len(states) > 0 {
		patient, end := a.budgets.While(ctx)
		defer end()
		a.sharing.countAll(patient, states, a.now())
	}
	shown := make([]admin.BudgetUse, len(states))
	for i := range states {
		s := &states[i]
		u := admin.BudgetUse{
			Of: "key", ID: s.Owner.ID, Name: caller.KeyName, Budget: s.Spec, Unit: unitOf(s.Spec), Most: s.Spec.Limit, Used: s.Used, Held: s.Held, Remaining: s.Remaining,
		}
		if team := caller.Team(); s.Owner.Kind == budget.Team {
			if u.Of, u.Name = "team", s.Owner.ID; team != nil {
				u.Name = team.Name
			}
		}
		if !s.Reset.IsZero() {
			u.Reset = &s.Reset
		}
		if n, ok := s.Spec.Forecast(s.Used, a.now(), a.zone); ok {
			u.Forecast = &n
		}
		shown[i] = u
	}
	return shown, nil
}
