package app

import (
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/route"
)

// providerStates are the providers of the config in force, for the admin API.
func (a *App) providerStates() []admin.Provider {
	a.reloading.Lock()
	cfg, made := a.config, a.providers
	a.reloading.Unlock()
	now := time.Now()
	models := a.models(&auth.Principal{})
	all := make([]admin.Provider, 0, len(cfg.Providers))
	for _, p := range cfg.Providers {
		shown := admin.Provider{Provider: p.Name, Kind: p.Kind, Targets: []admin.ProviderTarget{}, Credentials: []admin.Credential{}}
		for i, h := range a.board.Holders(p.Name, made[p.Name].provider.Credentials(), now) {
			shown.Credentials = append(shown.Credentials, shownCredential(i, h))
		}
		for _, m := range models {
			for i := range m.Targets {
				a.addTarget(&shown, m.ID, &m.Targets[i])
			}
		}
		all = append(all, shown)
	}
	return all
}

// addTarget adds a model's target, if it is the provider's.
func (a *App) addTarget(p *admin.Provider, model string, t *admin.ModelTarget) {
	name, ok := strings.CutPrefix(t.Target, p.Provider+"/")
	if !ok || t.Health == nil {
		return
	}
	at := slices.IndexFunc(p.Targets, func(has admin.ProviderTarget) bool { return has.Target == t.Target })
	if at >= 0 {
		p.Targets[at].Models = append(p.Targets[at].Models, model)
		return
	}
	p.Targets = append(p.Targets, admin.ProviderTarget{
		Target: t.Target, Models: []string{model}, ModelsDown: t.ModelsDown, Health: *t.Health,
		OpenSince: moment(a.board.OpenSince(&route.Target{Provider: p.Provider, Model: name})),
	})
}

// The reasons why a credential is not ready.
const (
	refusedCredential = "the provider refused it"
	limitedCredential = "it is at its rate limit"
)

func shownCredential(number int, h route.Holder) admin.Credential {
	shown := admin.Credential{Number: number, State: "ready", Since: moment(h.Since), Until: moment(h.Until)}
	switch {
	case h.Parked:
		shown.State, shown.Reason = "parked", orNil(refusedCredential)
	case h.Rests:
		shown.State, shown.Reason = "resting", orNil(limitedCredential)
	}
	return shown
}

// resetProvider has a provider, or one of its targets, be tried again at once.
func (a *App) resetProvider(name, target string) {
	a.board.Reset(name, strings.TrimPrefix(target, name+"/"))
}
