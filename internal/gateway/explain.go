package gateway

import (
	"cmp"
	"context"
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
	Refused *llm.Error   // that of the limit, or of the budget, which would refuse the request, nil if none would
}

// Hedge is what would be done about the first attempt if its stream is late.
type Hedge struct {
	Late   time.Duration // after which without content it is; 0 if that is not known yet
	Beside *route.Target // which would be asked as well; nil if none can be
}

// Plan is what there is to try of one configured model.
type Plan struct {
	Model   *route.Model
	On      route.Causes // the causes that lead to it; 0 for the first
	Sticks  bool         // something of the request decides which target is first
	Targets []Sight      // in the order of trying, those that would be skipped last
}

// Sight is a target as the request would find it.
type Sight struct {
	route.Sight
	Barred *relay.Refused // why a budget has no room for a call there, nil if it has
}

// Explain says what Weir would do with the caller's request for a model. body is the request; without one nothing is known of
// it, but that it is a chat. A name that is given counts in place of the body's. No provider is called and nothing is changed.
func (g *Gateway) Explain(ctx context.Context, caller *auth.Principal, name string, body []byte) (Explanation, *llm.Error) {
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
	fits, err := g.fits(ctx, caller, snap, in, asked, &resolved)
	if err != nil {
		return Explanation{}, err
	}
	e := Explanation{Model: name, Plans: []Plan{plan(&resolved, &ask, fits, now)}}
	claims := claimsOf(caller, resolved.Model)
	e.Limits, e.Refused = g.limitStates(caller, &claims), g.wouldRefuse(caller, resolved.Model, asked)
	if asked == nil || asked.Scan().Stream {
		e.Hedge = e.Plans[0].hedge()
	}
	for i := range resolved.Model.Fallbacks {
		f := &resolved.Model.Fallbacks[i]
		for _, to := range f.To {
			fallback := resolved.FallBack(to)
			p := plan(&fallback, &ask, fits, now)
			p.On = f.On
			e.Plans = append(e.Plans, p)
		}
	}
	if e.Refused == nil {
		e.Refused = noRoom(e.Plans)
	}
	return e, nil
}

// fit says why no call would be made for a request at a model's target, and whether that is for want of room in a budget.
type fit func(*route.Model, *route.Target) (route.Skip, *relay.Refused)

// fits is what says so now. Without a request it is for a chat with no special needs.
func (g *Gateway) fits(ctx context.Context, caller *auth.Principal, snap *Snapshot, in *dialect.Ingress, asked dialect.Request, of *route.Route) (fit, *llm.Error) {
	budgeted, err := g.spending.apply(ctx, caller)
	if err != nil {
		return nil, err
	}
	given := asked != nil
	if !given {
		if asked, err = in.Parse([]byte(anyChat), dialect.ParseOptions{MaxDepth: snap.MaxDepth}); err != nil {
			return nil, err
		}
	}
	var room func(*relay.Call, relay.Sent) *relay.Refused
	if budgeted {
		room = g.held(caller, of.Model.Name, unpricedAt(of.Model), asked, asked.Profile(llm.Wants{Needs: media}).Needs&media != 0).Refuses
	}
	as := &relay.Request{Ingress: in, Asked: asked, Route: *of, Providers: snap.Providers, Strict: of.Model.Strict}
	return func(m *route.Model, t *route.Target) (route.Skip, *relay.Refused) {
		switch {
		case !given && !relay.CanServe(snap.Providers[t.Provider], in, t.Model):
			return route.NoEndpoint, nil
		case !given && room == nil:
			return route.NotSkipped, nil
		}
		return relay.WouldSkip(as, m, t, room)
	}, nil
}

// anyChat is a chat of which nothing is known.
const anyChat = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`

// noRoom is the refusal of a request for which budgets leave no target: that which ends soonest. It is nil if one is left. The models are
// those that are fallen back on when no target of the first can be called.
func noRoom(plans []Plan) *llm.Error {
	var least *relay.Refused
	for i := range plans {
		if i > 0 && plans[i].On&route.OnError == 0 {
			continue
		}
		for j := range plans[i].Targets {
			switch t := &plans[i].Targets[j]; {
			case t.Skip == route.NotSkipped:
				return nil
			case t.Barred != nil && (least == nil || t.Barred.Rank < least.Rank):
				least = t.Barred
			}
		}
	}
	if least == nil {
		return nil
	}
	return least.Err
}

// plan looks at the targets of a route.
func plan(r *route.Route, ask *route.Ask, fits fit, now time.Time) Plan {
	p := Plan{Model: r.Model, Sticks: r.Model.Sticky.Sticks(ask)}
	var skipped []Sight
	for _, of := range r.Look(ask, now) {
		sight := Sight{Sight: of}
		if why, barred := fits(r.Model, sight.Target); sight.Skip == route.NotSkipped || why == route.NoEndpoint {
			sight.Skip, sight.Barred = why, barred
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
	if i := slices.IndexFunc(p.Targets[1:], func(s Sight) bool { return s.Spare() }); i >= 0 {
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
