package gateway

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

// call is what a request's path asks for.
type call struct {
	ingress *dialect.Ingress
	model   string // "" if the body names it
}

// serve is the story of a request. Its stages are in the order in which they happen; each may end it with an
// error. The event is filled along the way and logged once, by the caller.
func (g *Gateway) serve(w *response, r *http.Request, ev *Event, snap *Snapshot, c call) *llm.Error {
	g.begin(w, ev, c.ingress)

	// Authenticate, and refuse what needs no body: a refusal must not wait for an upload.
	caller, wishes, err := g.receive(r, ev, snap)
	if err != nil {
		return refuseEarly(w, r, err)
	}

	// Scan: the body is read once and walked once.
	body, err := ev.readBody(w, r, snap)
	if err != nil {
		return err
	}
	asked, storing, err := g.parse(r.Context(), c, body, caller, snap, ev)
	if err != nil {
		return err
	}
	scan := asked.Scan()
	ev.Model, ev.Stream = secret.Hide(scan.Model), scan.Stream

	// Resolve the model to its targets.
	resolved, ok := snap.visible(caller, scan.Model)
	if !ok {
		return modelNotFound(scan.Model)
	}
	// A repeat is answered as the first request with its Idempotency-Key was.
	if repeated, err := g.repeat(w, r, ev, snap, repeatable{caller, wishes.once, c.ingress, resolved.Model, body}); repeated || err != nil {
		return err
	}
	// Find out what decides among the targets, if anything does, and take from the limits. However the request ends, that is settled.
	own := &relaying{running: running{ev: ev, out: w}}
	ask, err := g.weigh(own, asked, &resolved, caller, ev, r)
	if err != nil {
		return err
	}
	defer own.taken.settle(ev)

	// Admit. From here on the request can be cut: by its deadline, a revocation, the end of a drain.
	limit := wishes.limit(resolved.Model.Timeouts.Total)
	ctx := g.enter(r.Context(), own, caller, limit)
	defer own.running.done()
	if err := g.admit(ctx, ev, snap, ask.Caller, &own.taken); err != nil {
		return err
	}
	defer g.places.Leave(ask.Caller)
	if err := ev.claim(ctx, limit); err != nil {
		return err
	}

	// Relay.
	to := &own.asked // filled in place: a copy would take stack as long as the request runs
	to.ID, to.Ingress, to.Asked, to.Route, to.Ask, to.Providers, to.Caller = ev.ID[len(idPrefix):], c.ingress, asked, resolved, ask, snap.Providers, takeHeader(r)
	to.Strict, to.Hide, to.Explain, to.Started = wishes.strict || resolved.Model.Strict, snap.Hide, wishes.explain && !snap.Hide, ev.Started
	to.Storing, to.Wait, to.Memory, to.MaxAnswer, to.Images, to.Trace = storing, snap.Wait, &ev.hold, snap.MaxAnswer, snap.Images, ev.Trace
	to.Account, to.Settle, to.Watched = g.account(&own.account, ev, caller, snap, asked), ev.settled, &own.running.relay
	relay.Serve(ctx, w, to)
	recycle(scan.Raw) // nothing, after a stream
	return ev.served(r)
}

// readBody reads the whole body.
func (ev *Event) readBody(w http.ResponseWriter, r *http.Request, snap *Snapshot) ([]byte, *llm.Error) {
	waiting := time.Now()
	body, err := readBody(w, r, snap.MaxBody, &ev.hold)
	ev.BodyWait, ev.BytesIn = time.Since(waiting), int64(len(body))
	return body, err
}

// served returns the error that the caller is to get, if it got no answer. An answer that was cut has its error in it.
func (ev *Event) served(r *http.Request) *llm.Error {
	if ev.Result.Cut {
		ev.fail(ev.Result.Err)
		listener.PartAfter(r)
		return nil
	}
	return ev.Result.Err
}

// weigh is what decides among the targets. It takes what the request needs of its limits, and finds out whether budgets apply.
func (g *Gateway) weigh(own *relaying, asked dialect.Request, to *route.Route, caller *auth.Principal, ev *Event, r *http.Request) (ask route.Ask, err *llm.Error) {
	ev.Route = to.Model.Name
	of := &own.taken
	of.claims = claimsOf(caller, to.Model)
	budgeted, known := g.spending.known(caller)
	if !known {
		g.limits.table.Expect(&of.claims)
		if err := g.spending.renew(r.Context(), caller); err != nil {
			return ask, err
		}
	}
	own.account.budgeted, of.budgeted = budgeted, budgeted
	own.account.unpriced = unpricedAt(to.Model)
	wants := to.Wants()
	var needs llm.Ability
	if own.account.budgeted {
		needs = media
	}
	decides, weighs := profile(asked, wants, of.tokens(), needs)
	own.account.media = weighs.Needs&media != 0
	ask = route.Ask{Profile: inSession(decides, wants, r.Header), Caller: route.Hash(caller.KeyID), Seed: rand.Uint64()}
	err = of.take(&g.limits, caller, to.Model, &weighs)
	ev.limited.show(ev.answer, &of.claims)
	return ask, err
}

// relaying is what a request has while it is relayed, in one piece of memory.
type relaying struct {
	running running
	taken   taken
	asked   relay.Request
	account account
}

// takeHeader is a request's header, which it then does not have any more: who keeps it lets go of it as soon as it can. net/http is
// done with it.
func takeHeader(r *http.Request) http.Header {
	header := r.Header
	r.Header = nil
	return header
}

func parseOptions(c call, snap *Snapshot, ev *Event) dialect.ParseOptions {
	o := dialect.ParseOptions{Model: c.model, MaxDepth: snap.MaxDepth, Room: &ev.hold}
	if snap.Stored != nil {
		o.StoreAs = strings.TrimPrefix(ev.ID, idPrefix)
	}
	return o
}

// begin counts a request to an endpoint.
func (g *Gateway) begin(w http.ResponseWriter, ev *Event, in *dialect.Ingress) {
	ev.Endpoint, ev.Ingress = in.Name, in
	in.Errors.Identify(w.Header())
	g.metrics.RequestBegan()
	ev.Counted = true
}

// receive does what needs no body. A request that would find no place and should not wait for one ends here.
func (g *Gateway) receive(r *http.Request, ev *Event, snap *Snapshot) (*auth.Principal, wishes, *llm.Error) {
	caller, err := g.authenticate(r, ev)
	if err != nil {
		return nil, wishes{}, err
	}
	wishes, err := g.readHeaders(r, caller)
	ev.Tags = wishes.tags
	if err == nil && g.places.TurnsAway(snap.MaxRequests, route.Hash(caller.KeyID), snap.Wait, time.Now()) {
		err = full()
	}
	return caller, wishes, err
}

// authenticate finds out whose key the request carries.
func (g *Gateway) authenticate(r *http.Request, ev *Event) (*auth.Principal, *llm.Error) {
	presented, err := bearer(r.Header)
	if err != nil {
		return nil, err
	}
	if presented == "" {
		presented = keyInQuery(r)
	}
	if presented == "" {
		return nil, &llm.Error{
			Kind:    llm.MissingKey,
			Message: "You didn't provide an API key. Send it in an Authorization header, as in: Authorization: Bearer YOUR_KEY.",
		}
	}
	caller, err := g.keys.Authenticate(presented)
	if err != nil {
		return nil, err
	}
	ev.KeyID, ev.KeyName = caller.KeyID, caller.KeyName
	if team := caller.Team(); team != nil {
		ev.TeamID, ev.TeamName = team.ID, team.Name
	}
	ev.limited.limits, ev.limited.caller = &g.limits, caller
	if !secret.Minted(presented) {
		ev.key = strings.Clone(presented) // without the rest of the header
	}
	return caller, nil
}

// keyInQuery is the key in a request's query, "" without one, and where clients do not send it so.
func keyInQuery(r *http.Request) string {
	if r.URL.RawQuery == "" {
		return ""
	}
	if !table.KeyInQuery(clean(r.URL.EscapedPath())) {
		return ""
	}
	return r.URL.Query().Get("key")
}

// validName reports whether a model may have the name. One that holds a key of Weir is a mistake, and no provider is to read it.
func validName(name string) bool {
	return llm.ValidModelName(name) && secret.Hide(name) == name
}

// visible is what a caller may use: the one rule for the list of models and for requests.
func (s *Snapshot) visible(caller *auth.Principal, name string) (route.Route, bool) {
	if !validName(name) || !caller.Allows(name) {
		return route.Route{}, false
	}
	return s.Table.Resolve(name)
}

// modelNotFound is the same for a model that does not exist and for one that the key may not use.
func modelNotFound(name string) *llm.Error {
	return &llm.Error{
		Kind: llm.ModelNotFound, Param: "model",
		Message: "The model `" + shown(name) + "` does not exist or you do not have access to it. GET /v1/models lists the models that your key may use.",
	}
}

// limit is how long the request may take: the model's limit, or the caller's if that is shorter.
func (h wishes) limit(total time.Duration) time.Duration {
	if h.timeout > 0 && (total == 0 || h.timeout < total) {
		return h.timeout
	}
	return total
}
