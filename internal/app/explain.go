package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// explain says what Weir would do with a request, for the admin API.
func (a *App) explain(ctx context.Context, caller *auth.Principal, model string, body []byte) (admin.Explanation, error) {
	e, err := a.gateway.Explain(ctx, caller, model, body)
	if err != nil {
		return admin.Explanation{}, err
	}
	now, names := time.Now(), a.keyNames(caller)
	shown := admin.Explanation{Model: e.Model, MaxAttempts: e.Plans[0].Model.MaxAttempts, Limits: limitUses(e.Limits), Budgets: []admin.BudgetUse{}}
	if budgets, err := a.budgetUses(ctx, caller); err != nil {
		return admin.Explanation{}, err
	} else if budgets != nil {
		shown.Budgets = budgets
	}
	if e.Refused != nil {
		shown.Refused = &e.Refused.Message
	}
	if h := e.Hedge; h != nil {
		up := h.Late + time.Millisecond - 1 // so that a known value is not 0
		shown.Hedge = &admin.Hedge{LateMS: orNil(up.Milliseconds()), Budget: e.Plans[0].Model.Hedge.Budget}
		if h.Beside != nil {
			shown.Hedge.Target = orNil(h.Beside.String())
		}
	}
	for _, p := range e.Plans {
		plan := admin.Plan{
			Route: p.Model.Name, On: p.On.Words(), Policy: p.Model.Policy.String(), Drawn: p.Model.Policy.Drawn(), Sticky: p.Model.Sticky.String(), Sticks: p.Sticks,
		}
		for i := range p.Targets {
			plan.Targets = append(plan.Targets, prospect(&p.Targets[i], i+1, names, now))
		}
		shown.Plans = append(shown.Plans, plan)
	}
	return shown, nil
}

// prospect is one target, whose turn it is if it is not skipped.
func prospect(p *gateway.Sight, turn int, names keyNames, now time.Time) admin.Prospect {
	shown := admin.Prospect{Target: p.Target.String(), Probe: p.Probe, Last: p.Last, Health: healthOf(&p.Sight, names, now)}
	if p.Skip != route.NotSkipped {
		shown.Skip = orNil(p.Skip.String())
	} else {
		shown.Turn = &turn
	}
	if p.Barred != nil {
		shown.Barred = &p.Barred.Err.Message
	}
	if p.Rates != nil {
		shown.Price = &admin.Price{Rates: *p.Rates, Request: p.Facts.Price.Request, Search: p.Facts.Price.Search}
	}
	if p.Cost >= 0 {
		shown.Cost = &p.Cost
	}
	return shown
}

// moment is nil for the zero time.
func moment(t time.Time) *time.Time { return orNil(t.UTC().Round(time.Millisecond)) }

// limits are those of what the admin API is asked about.
func (a *App) limits(ctx context.Context, of admin.Limited) ([]admin.LimitUse, []admin.BudgetUse, error) {
	switch {
	case of.Caller != nil:
		budgets, err := a.budgetUses(ctx, of.Caller)
		return limitUses(a.gateway.Limits(ctx, of.Caller)), budgets, err
	case of.Team != nil:
		budgets, err := a.budgetUses(ctx, of.Team)
		return limitUses(a.gateway.OwnLimits(ctx, of.Team)), budgets, err
	case of.Model != "":
		states, ok := a.gateway.ModelLimits(ctx, of.Model)
		if !ok {
			return nil, nil, &llm.Error{Kind: llm.NotFound, Param: "model", Message: fmt.Sprintf("The config has no model that serves %q; weir models lists them.", of.Model)}
		}
		return limitUses(states), nil, nil
	}
	allowed, ok := a.gateway.TargetLimits(ctx, of.Target)
	if !ok {
		return nil, nil, &llm.Error{Kind: llm.NotFound, Param: "target", Message: fmt.Sprintf("The config has no target %q, which is a provider and its name of a model, as in openai/gpt-5; weir models lists them.", of.Target)}
	}
	return allowances(of.Target, allowed), nil, nil
}

// allowances are the limits of a target. Those over all targets of a provider are the provider's.
func allowances(target string, allowed []route.Allowed) (uses []admin.LimitUse) {
	for _, one := range allowed {
		use := limitUses([]gateway.LimitState{{State: one.State, ID: target, Name: target}})[0]
		if one.Provider {
			use.Of = "provider"
			use.ID, _, _ = strings.Cut(target, "/")
			use.Name = use.ID
		}
		uses = append(uses, use)
	}
	return uses
}

func limitUses(all []gateway.LimitState) []admin.LimitUse {
	shown := make([]admin.LimitUse, len(all))
	for i := range all {
		s := &all[i]
		shown[i] = admin.LimitUse{
			Of: s.Of.String(), ID: s.ID, Name: s.Name, Limit: s.What.String(), Most: s.Limit, Used: s.Limit - s.Remaining, Remaining: s.Remaining,
		}
		if s.What != limit.Concurrent {
			up := (s.Reset + time.Millisecond - 1).Milliseconds()
			shown[i].ResetMS = &up
		}
	}
	return shown
}
