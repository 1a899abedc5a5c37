package app

import (
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// models are what the caller may use, for the admin API.
func (a *App) models(caller *auth.Principal) []admin.Model {
	return shownModels(a.gateway.Models(caller), time.Now(), true)
}

// ModelsOf are the models of a config, as a Weir would list them that runs with it, but for what only a running one knows: the lists
// of providers, and how targets stand. Nothing is opened and nobody is called.
func ModelsOf(cfg *config.Config) ([]admin.Model, error) {
	a := &App{board: route.NewBoard(), memory: memory.NewAccount(memory.Unlimited), simURL: "http://127.0.0.1/v1"}
	made, err := a.build(cfg, nil)
	if err != nil {
		return nil, err
	}
	defer made.closeExcept(nil)
	none := func(string) ([]provider.ModelInfo, bool) { return nil, false }
	g := gateway.New(gateway.Options{Lists: none, Memory: a.memory, Snapshot: a.snapshot(cfg, made)})
	return shownModels(g.Models(&auth.Principal{}), time.Now(), false), nil
}

// shownModels are models as the admin API shows them; healthy says that it is known how their targets stand.
func shownModels(all []gateway.Model, now time.Time, healthy bool) []admin.Model {
	shown := make([]admin.Model, 0, len(all))
	for i := range all {
		m := &all[i]
		one := admin.Model{
			ID: m.ID, Policy: m.Route.Policy.String(), Sticky: m.Route.Sticky.String(), Fallbacks: []admin.Fallback{}, Targets: []admin.ModelTarget{},
			DisplayName: orNil(m.DisplayName), ContextLength: orNil(m.ContextLength), MaxOutputTokens: orNil(m.MaxOutputTokens),
		}
		for _, f := range m.Route.Fallbacks {
			back := admin.Fallback{On: f.On.Words()}
			for _, to := range f.To {
				back.To = append(back.To, to.Name)
			}
			one.Fallbacks = append(one.Fallbacks, back)
		}
		for j := range m.Targets {
			t := &m.Targets[j]
			target := admin.ModelTarget{Target: t.Target.String(), Row: orNil(t.Row), Family: t.Family, Overridden: t.Takes != nil}
			if healthy && !t.Wild() {
				health := healthOf(&t.Sight, now)
				target.Health = &health
			}
			one.Targets = append(one.Targets, target)
		}
		shown = append(shown, one)
	}
	return shown
}

// healthOf is how a target stands.
func healthOf(s *route.Sight, now time.Time) admin.Health {
	h := admin.Health{
		Breaker: s.Breaker.Phase.String(), OpenUntil: moment(s.Breaker.Until), InFlight: s.InFlight,
		Credentials: s.Credentials.All, CredentialsParked: s.Credentials.Parked, CredentialsResting: s.Credentials.Resting,
	}
	if s.Rest > 0 {
		h.RestingUntil = moment(now.Add(s.Rest))
	}
	if s.Credentials.Free.After(now) {
		h.CredentialsFreeAt = moment(s.Credentials.Free)
	}
	return h
}
