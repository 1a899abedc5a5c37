package gateway

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
)

// Explanation is what would become of a request at this moment.
type Explanation struct {
	Model string // as a caller names it
	Plans []Plan // those of the configured model that serves it, then those of its fallbacks
	Hedge *Hedge // nil if it is not hedged

	Limits  []LimitState // those that apply
	Refused *llm.Error   // that of the limit which would refuse the request, nil if none would
}

// Hedge is what would be done about the first attempt if its stream is late.
type Hedge struct {
	Late   time.Duration // after which without content it is; 0 if that is not known yet
	Beside *route.Target // which would be asked as well; nil if none can be
}

// Plan is what there is to try of one configured model.
type Plan struct {
	Model   *route.Model
	On      route.Causes  // the causes that lead to it; 0 for the first
	Sticks  bool          // something of the request decides which target is first
	Targets []route.Sight // in the order of trying, those that would be skipped last
}

// Explain says what Weir would do with the caller's request for a model. body is the request; without one nothing is known of
// it, but that it is a chat. A name that is given counts in place of the body's. No provider is called and nothing is changed.
func (g *Gateway) Explain(caller *auth.Principal, name string, body []byte) (Explanation, *llm.Error) {
	snap := g.snapshot.Load()
	in := table.Of(body)
	var asked dialect.Request
	if body != nil {
		var err *llm.Error
		if asked, err = in.Parse(body, dialect.ParseOptions{MaxDepth: snap.MaxDepth}); err != nil {
			return Explanation{}, err
		}
		if name == "" {
			name = asked.Scan().Model
		}
	}
	resolved, err := snap.known(caller, name)
	if err != nil {
		return Explanation{}, err
	}
	ask := route.Ask{Caller: route.Hash(caller.KeyID), Seed: rand.Uint64()}
	if asked != nil {
		wants := resolved.Wants()
		wants.Tokens = true // to compute what it costs
		ask.Profile = asked.Profile(wants)
	}
	now := time.Now()
	unfit := snap.unfit(in, asked, &resolved)
	e := Explanation{Model: name, Plans: []Plan{plan(&resolved, &ask, unfit, now)}}
	claims := claimsOf(caller, resolved.Model)
	e.Limits, e.Refused = g.limitStates(caller, &claims), g.wouldRefuse(caller, resolved.Model, asked)
	if asked == nil || asked.Scan().Stream {
		e.Hedge = e.Plans[0].hedge()
	}
	for i := range resolved.Model.Fallbacks {
		f := &resolved.Model.Fallbacks[i]
		for _, to := range f.To {
			fallback := resolved.FallBack(to)
			p := plan(&fallback, &ask, unfit, now)
			p.On = f.On
			e.Plans = append(e.Plans, p)
		}
	}
	return e, nil
}

// unfit says why no call would be made for the request to a target. Without a request it assumes a chat with no special
// needs.
func (s *Snapshot) unfit(in *dialect.Ingress, req dialect.Request, of *route.Route) func(*route.Model, *route.Target) route.Skip {
	if req == nil {
		return func(_ *route.Model, t *route.Target) route.Skip {
			if !relay.CanServe(s.Providers[t.Provider], in, t.Model) {
				return route.NoEndpoint
			}
			return route.NotSkipped
		}
	}
	asked := &relay.Request{Ingress: in, Asked: req, Route: *of, Providers: s.Providers, Strict: of.Model.Strict}
	return func(m *route.Model, t *route.Target) route.Skip { return relay.WouldSkip(asked, m, t) }
}

// plan looks at the targets of a route.
func plan(r *route.Route, ask *route.Ask, unfit func(*route.Model, *route.Target) route.Skip, now time.Time) Plan {
	p := Plan{Model: r.Model, Sticks: r.Model.Sticky.Sticks(ask)}
	var skipped []route.Sight
	for _, sight := range r.Look(ask, now) {
		if why := unfit(r.Model, sight.Target); sight.Skip == route.NotSkipped || why == route.NoEndpoint {
			sight.Skip = why
		}
		if sight.Skip != route.NotSkipped {
			skipped = append(skipped, sight)
			continue
		}
		p.Targets = append(p.Targets, sight)
	}
	p.Targets = append(p.Targets, skipped...)
	return p
}

// hedge is what the plan's model does about streams that are late.
func (p *Plan) hedge() *Hedge {
	h := p.Model.Hedge
	if h.Budget == 0 || len(p.Targets) == 0 || p.Targets[0].Skip != route.NotSkipped {
		return nil
	}
	told := &Hedge{Late: cmp.Or(h.After, p.Targets[0].P95)}
	if i := slices.IndexFunc(p.Targets[1:], route.Sight.Spare); i >= 0 {
		told.Beside = p.Targets[1+i].Target
	}
	return told
}

// scope says what a key may use.
func scope(caller *auth.Principal) string {
	var parts []string
	if len(caller.Models) > 0 {
		parts = append(parts, strings.Join(caller.Models, ", "))
	}
	if team := caller.Team(); team != nil && len(team.Models) > 0 {
		parts = append(parts, fmt.Sprintf("%s of its team %s", strings.Join(team.Models, ", "), team.Name))
	}
	return strings.Join(parts, ", and what matches ")
}

// known resolves a name for the operator, who learns more than a caller: whether the model does not exist, or the key may
// not use it.
func (s *Snapshot) known(caller *auth.Principal, name string) (route.Route, *llm.Error) {
	if resolved, ok := s.visible(caller, name); ok {
		return resolved, nil
	}
	message := fmt.Sprintf("Model %q does not exist, and no pattern matches it; weir models shows all.", shown(name))
	if _, ok := s.Table.Resolve(name); ok && validName(name) {
		message = fmt.Sprintf("There is a model %q, but the key %s may use only %s.", shown(name), caller.KeyName, scope(caller))
	}
	return route.Route{}, &llm.Error{Kind: llm.ModelNotFound, Param: "model", Message: message}
}
