package gateway

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
)

// Explanation is what would become of a request at this moment.
type Explanation struct {
	Model string // as a caller names it
	Plans []Plan // of the configured model that serves it, then of those that it falls back on
}

// Plan is what there is to try of one configured model.
type Plan struct {
	Model   *route.Model
	On      route.Causes // for which it is fallen back on; 0 for the first
	Sticks  bool         // something of the request decides which target is first
	Targets []Prospect   // in the order of trying, those that would be skipped last
}

// Prospect is one target of a plan.
type Prospect struct {
	route.Sight
	NoEndpoint bool // its provider has none for such a request, so it is skipped
}

// Explain tells what would become of the caller's request for a model. body is the request; without one nothing is known of
// it, but that it is a chat. A name that is given counts in place of the body's. Nobody is called and nothing is changed.
func (g *Gateway) Explain(caller *auth.Principal, name string, body []byte) (Explanation, *llm.Error) {
	snap := g.snapshot.Load()
	var req *openai.Request
	endpoint := llm.Chat
	if body != nil {
		endpoint = openai.EndpointOf(body)
		var err *llm.Error
		if req, err = openai.ParseRequest(endpoint, body, snap.MaxDepth); err != nil {
			return Explanation{}, err
		}
		if name == "" {
			name = req.Model
		}
	}
	resolved, err := snap.known(caller, name)
	if err != nil {
		return Explanation{}, err
	}
	ask := route.Ask{Caller: route.Hash(caller.KeyID), Seed: rand.Uint64()}
	if req != nil {
		ask.Profile = req.Profile(resolved.Wants())
	}
	now := time.Now()
	e := Explanation{Model: name, Plans: []Plan{snap.plan(&resolved, &ask, endpoint, now)}}
	for i := range resolved.Model.Fallbacks {
		f := &resolved.Model.Fallbacks[i]
		for _, to := range f.To {
			fallback := resolved.FallBack(to)
			plan := snap.plan(&fallback, &ask, endpoint, now)
			plan.On = f.On
			e.Plans = append(e.Plans, plan)
		}
	}
	return e, nil
}

// plan looks at the targets of a route.
func (s *Snapshot) plan(r *route.Route, ask *route.Ask, endpoint llm.Endpoint, now time.Time) Plan {
	p := Plan{Model: r.Model, Sticks: r.Model.Sticky.Sticks(ask)}
	var skipped []Prospect
	for _, sight := range r.Look(ask, now) {
		able := relay.CanServe(s.Providers[sight.Provider], endpoint, sight.Target.Model)
		if sight.Skip != route.NotSkipped || !able {
			skipped = append(skipped, Prospect{sight, !able})
			continue
		}
		p.Targets = append(p.Targets, Prospect{Sight: sight})
	}
	p.Targets = append(p.Targets, skipped...)
	return p
}

// known resolves a name for the operator, who is told more than a caller: whether there is no such model, or the key may not
// use it.
func (s *Snapshot) known(caller *auth.Principal, name string) (route.Route, *llm.Error) {
	if resolved, ok := s.visible(caller, name); ok {
		return resolved, nil
	}
	message := fmt.Sprintf("There is no model %q, and no pattern stands for it; weir models shows all.", clip(name))
	if _, ok := s.Table.Resolve(name); ok && openai.ValidModelName(name) {
		message = fmt.Sprintf("There is a model %q, but the key %s may use only %s.", clip(name), caller.KeyName, strings.Join(caller.Models, ", "))
	}
	return route.Route{}, &llm.Error{Kind: llm.ModelNotFound, Param: "model", Message: message}
}
