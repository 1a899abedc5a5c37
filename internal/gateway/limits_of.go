package gateway

import (
	"context"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/route"
)

// OwnLimits are the limits of a caller's key and team, without those of models.
func (g *Gateway) OwnLimits(ctx context.Context, caller *auth.Principal) []LimitState {
	return g.learnt(ctx, caller, claimsOf(caller, nil))
}

// ModelLimits are those of the model that serves a name, of all callers together. ok is false if there is no such model.
func (g *Gateway) ModelLimits(ctx context.Context, name string) (states []LimitState, ok bool) {
	for _, m := range g.Table().Models() {
		if m.Name == name {
			return g.ofModel(ctx, m), true
		}
	}
	r, ok := g.Table().Resolve(name)
	if !ok {
		return nil, false
	}
	return g.ofModel(ctx, r.Model), true
}

func (g *Gateway) ofModel(ctx context.Context, m *route.Model) []LimitState {
	return g.learnt(ctx, &auth.Principal{}, limit.Claims{limit.OfModel: {ID: m.Name, Limits: m.Limits}})
}

// learnt is how limits stand, found out first where several Weirs share them.
func (g *Gateway) learnt(ctx context.Context, caller *auth.Principal, claims limit.Claims) []LimitState {
	g.limits.table.Learn(ctx, []limit.Claims{claims})
	return g.limitStates(caller, &claims)
}

// TargetLimits are those of a target of the config, as provider/model, for all models that have it. ok is false if there is no such target.
func (g *Gateway) TargetLimits(ctx context.Context, name string) (all []route.Allowed, ok bool) {
	return g.Table().Allowed(ctx, name, time.Now())
}
