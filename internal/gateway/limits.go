package gateway

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/usual"
)

// limits is what keys, teams and models have used of their limits.
type limits struct {
	table *limit.Table
	began time.Time    // where its clock starts, which is monotonic: a system clock that is set changes nothing
	seen  *budget.Seen // what is usual of models
}

func (l *limits) now() limit.Instant { return limit.Instant(time.Since(l.began)) }

// claimsOf are the limits of a caller's requests to a model, or, if that is nil, to whichever.
func claimsOf(caller *auth.Principal, m *route.Model) (c limit.Claims) {
	c[limit.OfKey] = limit.Claim{ID: caller.KeyID, Limits: limit.Limits(caller.Limits())}
	if team := caller.Team(); team != nil {
		c[limit.OfTeam] = limit.Claim{ID: team.ID, Limits: limit.Limits(team.Limits)}
	}
	if m != nil {
		c[limit.OfModel] = limit.Claim{ID: m.Name, Limits: m.Limits}
	}
	return c
}

// needs is about how many tokens a request takes, prompt and answers.
func (l *limits) needs(p *llm.Profile, m *route.Model) int64 {
	return usual.Request(int64(p.Prompt), l.seen.Usual(m.Name), int64(p.Output), int64(p.Answers))
}

// profile is what is to be known of a request: what its route wants, and what its limits of tokens and its budgets want, which is whether it
// needs any of these abilities. The prompt is walked over once for all.
func profile(asked dialect.Request, wants llm.Wants, tokens int64, needs llm.Ability) (ofRoute, all llm.Profile) {
	wide := wants
	wide.Needs |= needs
	if tokens > 0 {
		wide.Tokens = true
		if wide.Least == 0 || tokens < int64(wide.Least) {
			wide.Least = int(tokens)
		}
	}
	all = asked.Profile(wide)
	ofRoute = all
	ofRoute.Needs &= wants.Needs
	if wants.Least == 0 {
		ofRoute.Least = 0
	}
	if !wants.Tokens {
		ofRoute.Prompt, ofRoute.Output, ofRoute.Answers = 0, 0, 0
	}
	return ofRoute, all
}

// taken is what a request has taken of its limits, from take until settle.
type taken struct {
	limits    *limits
	claims    limit.Claims
	admission limit.Admission
	model     *route.Model
	answers   int64 // that were asked for
	budgeted  bool  // the length of its answers is remembered by its budgets
}

// take takes what a request needs of its limits, or nothing. p is what is known of the request.
func (t *taken) take(l *limits, caller *auth.Principal, m *route.Model, p *llm.Profile) *llm.Error {
	if !t.claims.Any() {
		return nil
	}
	tokens, of := t.claims.Tokens()
	if tokens > 0 && int64(p.Least) > tokens {
		return &llm.Error{Kind: llm.ExceedsLimit, Message: fmt.Sprintf(
			"The prompt has at least %d tokens, and %s may use %d a minute, so the request can never be admitted. Shorten it, or ask for a higher limit.", p.Least, owner(of, caller, m), tokens)}
	}
	need := int64(0)
	if tokens > 0 {
		need = l.needs(p, m)
	}
	t.limits, t.model, t.answers = l, m, int64(p.Answers)
	if refused, ok := l.table.Admit(&t.admission, &t.claims, need, l.now()); !ok {
		return refusal(&refused, caller, m)
	}
	return nil
}

// tokens is the lowest limit of tokens, 0 without one.
func (t *taken) tokens() int64 {
	n, _ := t.claims.Tokens()
	return n
}

// begin has what was taken count. It is called when the request has a place.
func (t *taken) begin() {
	if t.limits != nil {
		t.admission.Begin(t.limits.now())
	}
}

// settle ends what take began, whether or not the request was relayed: of the tokens, those count that all of its calls used.
func (t *taken) settle(ev *Event) {
	if t.limits == nil {
		return
	}
	used := int64(0)
	if ev.Result != nil {
		for i := range ev.Result.Calls {
			if call := &ev.Result.Calls[i]; call.HasUsage {
				used += call.Usage.Input() + call.Usage.Output()
			}
		}
		if out := ev.Result.Usage.Output(); out > 0 && ev.Err == nil && t.tokens() > 0 && !t.budgeted {
			t.limits.seen.Note(t.model.Name, out, t.answers)
		}
	}
	t.admission.Settle(used, t.limits.now())
}

// limited says in the headers of an answer what is left of the strictest limits: for a request to a model as soon as it has taken from
// them, and for any other of a caller when the head of its answer goes out.
type limited struct {
	limits *limits
	caller *auth.Principal // nil if nothing is to be said, or has been
}

// end says it, if it was not said.
func (d *limited) end(h http.Header) {
	if d.caller != nil {
		claims := claimsOf(d.caller, nil)
		d.show(h, &claims)
	}
}

// show says what is left of the limits of claims.
func (d *limited) show(h http.Header, claims *limit.Claims) {
	d.caller = nil
	if !claims.Any() {
		return
	}
	var room [9]limit.State
	var values [6]string
	states := d.limits.table.States(room[:0], claims, d.limits.now())
	if s := strictest(states, limit.Requests); s != nil {
		h["X-Ratelimit-Limit-Requests"], h["X-Ratelimit-Remaining-Requests"], h["X-Ratelimit-Reset-Requests"] = headersOf(s, values[:3])
	}
	if s := strictest(states, limit.Tokens); s != nil {
		h["X-Ratelimit-Limit-Tokens"], h["X-Ratelimit-Remaining-Tokens"], h["X-Ratelimit-Reset-Tokens"] = headersOf(s, values[3:])
	}
}

// headersOf are the values of a limit's headers, which are kept in three strings.
func headersOf(s *limit.State, in []string) (most, left, reset []string) {
	var room [64]byte
	text := strconv.AppendInt(room[:0], s.Limit, 10)
	first := len(text)
	text = strconv.AppendInt(text, s.Remaining, 10)
	second := len(text)
	all := string(append(text, roundUp(s.Reset, time.Millisecond).String()...)) // one piece of memory
	in[0], in[1], in[2] = all[:first], all[first:second], all[second:]
	return in[0:1:1], in[1:2:2], in[2:3:3]
}

// strictest is the limit of which the least is left, nil without one.
func strictest(states []limit.State, what limit.What) (least *limit.State) {
	for i := range states {
		s := &states[i]
		if s.What == what && (least == nil || cmp.Or(cmp.Compare(s.Remaining, least.Remaining), cmp.Compare(s.Limit, least.Limit)) < 0) {
			least = s
		}
	}
	return least
}

// roundUp is d, rounded up to a multiple of unit.
func roundUp(d, unit time.Duration) time.Duration { return (d + unit - 1) / unit * unit }

// refusal is what a caller gets that a limit does not let in. A caller alone on its limits that waits as it says is admitted.
func refusal(r *limit.Refusal, caller *auth.Principal, m *route.Model) *llm.Error {
	err := &llm.Error{Kind: llm.RequestLimit, RetryAfter: roundUp(r.Wait, time.Millisecond)}
	what, so := fmt.Sprintf("%d requests a minute", r.Limit), ", and has sent them"
	switch r.What {
	case limit.Requests:
	case limit.Tokens:
		err.Kind = llm.TokenLimit
		what, so = fmt.Sprintf("%d tokens a minute", r.Limit), ", and fewer are left than this request needs"
	case limit.Concurrent:
		what, so = fmt.Sprintf("%d requests at once", r.Limit), ", and has them running"
	}
	said := "Rate limit reached"
	if r.Unanswered {
		err.Kind, said, so = llm.LedgerUnavailable, "Rate limits cannot be checked", ", and the store that counts them does not answer"
	}
	err.Message = fmt.Sprintf("%s: %s may have %s%s. Please try again in %ds.", said, owner(r.Of, caller, m), what, so, roundUp(r.Wait, time.Second)/time.Second)
	return err
}

// owner says whose a limit is.
func owner(of limit.Kind, caller *auth.Principal, m *route.Model) string {
	switch of {
	case limit.OfTeam:
		if team := caller.Team(); team != nil {
			return "the team " + team.Name
		}
		return "the team"
	case limit.OfModel:
		return "the model " + m.Name + ", for all callers together,"
	default:
		return "the key " + caller.KeyName
	}
}

// LimitState is one limit that applies to a caller.
type LimitState struct {
	limit.State
	ID, Name string // of the key or team; both the name of the model
}

// Limits are all limits that apply to a caller: its own, its team's, and those of the models that it may use. Those that several Weirs share
// are asked for, which takes a moment.
func (g *Gateway) Limits(ctx context.Context, caller *auth.Principal) (states []LimitState) {
	all := []limit.Claims{claimsOf(caller, nil)}
	for _, m := range g.Table().Models() {
		if caller.Allows(m.Name) {
			all = append(all, limit.Claims{limit.OfModel: {ID: m.Name, Limits: m.Limits}})
		}
	}
	g.limits.table.Learn(ctx, all)
	for i := range all {
		states = append(states, g.limitStates(caller, &all[i])...)
	}
	return states
}

func (g *Gateway) limitStates(caller *auth.Principal, claims *limit.Claims) (all []LimitState) {
	for _, s := range g.limits.table.States(nil, claims, g.limits.now()) {
		one := LimitState{State: s, ID: claims[s.Of].ID, Name: claims[s.Of].ID}
		switch team := caller.Team(); {
		case s.Of == limit.OfKey:
			one.Name = caller.KeyName
		case s.Of == limit.OfTeam && team != nil:
			one.Name = team.Name
		}
		all = append(all, one)
	}
	return all
}

// wouldRefuse says which limit would refuse a request now, nil if none would. Without a request it is a short chat.
func (g *Gateway) wouldRefuse(caller *auth.Principal, m *route.Model, asked dialect.Request) *llm.Error {
	t := taken{claims: claimsOf(caller, m)}
	var p llm.Profile
	if tokens, _ := t.claims.Tokens(); asked != nil {
		_, p = profile(asked, llm.Wants{}, tokens, 0)
	}
	err := t.take(&g.limits, caller, m, &p)
	if t.limits != nil {
		t.admission.Settle(0, t.limits.now()) // it never began, so this leaves no trace
	}
	return err
}
