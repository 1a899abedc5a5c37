package app

import (
	"fmt"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// models are those that the caller may use, for the admin API.
func (a *App) models(caller *auth.Principal) []admin.Model {
	all, now := a.gateway.Models(caller), time.Now()
	return shownModels(all, now, a.keyNames(caller), a.gateway.Table().Breakers(now))
}

// mostWarnings bounds the search for models that were probably meant, which compares a pattern with each of them letter by letter.
const mostWarnings = 10

// unmatched says of each of a key's patterns, up to a number, that it matches no model today, and which was probably meant.
func (a *App) unmatched(patterns []string) (warnings []string) {
	all := a.gateway.Models(&auth.Principal{})
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].ID
	}
	for _, pattern := range patterns {
		if len(warnings) == mostWarnings {
			break
		}
		if hint, none := config.MatchesNone(pattern, names); none {
			warnings = append(warnings, fmt.Sprintf("%q matches no model today%s", pattern, hint))
		}
	}
	return warnings
}

// ModelsOf are the models of a config, as a Weir with it would list them. It lacks what only a running one knows: the lists of
// providers, and the health of targets. Nothing is opened and no provider is called.
func ModelsOf(cfg *config.Config) ([]admin.Model, error) {
	a := &App{board: route.NewBoard(), memory: memory.NewAccount(memory.Unlimited), simURL: "http://127.0.0.1/v1"}
	made, err := a.build(cfg, nil)
	if err != nil {
		return nil, err
	}
	defer made.closeExcept(nil)
	none := func(string) ([]provider.ModelInfo, bool) { return nil, false }
	g := gateway.New(gateway.Options{Lists: none, Memory: a.memory, Snapshot: a.snapshot(cfg, made)})
	return shownModels(g.Models(&auth.Principal{}), time.Now(), nil, nil), nil
}

// shownModels are models as the admin API shows them; names is nil if the health of their targets is unknown. breakers are those
// of the config's targets.
func shownModels(all []gateway.Model, now time.Time, names keyNames, breakers []route.Breakers) []admin.Model {
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
			target := admin.ModelTarget{Target: t.Target.String(), Row: orNil(t.Row), Family: t.Family, Overridden: t.Takes != nil, Priced: priced(t.Target)}
			if names != nil {
				health := healthOf(&t.Sight, names, now)
				target.Health, target.ModelsDown = &health, modelsDown(t.Target, breakers)
			}
			one.Targets = append(one.Targets, target)
		}
		shown = append(shown, one)
	}
	return shown
}

// priced reports whether a price of a target is known, nil if that is for each of its models to say.
func priced(t *route.Target) *bool {
	if t.Wild() && t.Facts.Price == nil {
		return nil
	}
	return new(t.Facts.Price != nil)
}

// modelsDown counts the models below a target that ends in * with a breaker that is not closed.
func modelsDown(t *route.Target, breakers []route.Breakers) int {
	i := slices.IndexFunc(breakers, func(b route.Breakers) bool { return t.Wild() && b.Provider == t.Provider && b.Model == t.Model })
	if i < 0 {
		return 0
	}
	return breakers[i].Ill
}

// healthOf is the health of a target.
func healthOf(s *route.Sight, names keyNames, now time.Time) admin.Health {
	h := admin.Health{
		Breaker: s.Breaker.Phase.String(), OpenUntil: moment(s.Breaker.Until), InFlight: s.InFlight,
		Credentials: s.Credentials.All, CredentialsParked: s.Credentials.Parked, CredentialsResting: s.Credentials.Resting,
		RefusedFor: names(s.RefusedFor), DownFor: names(s.DownFor),
	}
	if s.Rest > 0 {
		h.RestingUntil = moment(now.Add(s.Rest))
	}
	if h.Full = s.Full; s.Window > 0 {
		h.FullUntil = moment(now.Add(s.Window))
	}
	if s.Credentials.Free.After(now) {
		h.CredentialsFreeAt = moment(s.Credentials.Free)
	}
	return h
}

// keyNames gives the names of keys, in their order, by the hashes under which routing knows them.
type keyNames func(hashes []uint64) []string

// keyNames are of the caller's key alone, or, without one, of all.
func (a *App) keyNames(caller *auth.Principal) keyNames {
	var known map[uint64]string
	return func(hashes []uint64) []string {
		if len(hashes) > 0 && known == nil {
			known = a.hashedKeys(caller)
		}
		names := []string{}
		for _, hash := range hashes {
			if name, ok := known[hash]; ok {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
}

func (a *App) hashedKeys(caller *auth.Principal) map[uint64]string {
	if caller.KeyID != "" {
		return map[uint64]string{route.Hash(caller.KeyID): caller.KeyName}
	}
	known := map[uint64]string{}
	for cursor := ""; ; {
		page, err := a.keys.List(cursor, 1000)
		for i := range page.Keys {
			known[route.Hash(page.Keys[i].ID)] = page.Keys[i].Name
		}
		if cursor = page.Next; err != nil || cursor == "" {
			return known
		}
	}
}
