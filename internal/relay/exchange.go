package relay

import (
	"context"
	"slices"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/refusal"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// exchange is how a target is asked, and how what it answers becomes the caller's answer. There are three. pass sends the
// caller's own bytes. translated writes the request in another dialect. parts make several calls for one request (texts
// one after the other, vectors in parallel). It is made once for a target, and used by all attempts there.
type exchange interface {
	// endpoint is the one that is called.
	endpoint() llm.Endpoint
	// loses is the first parameter that the target cannot be sent, "" if none.
	loses() string
	// run makes the call of an attempt, or the calls, and relays the answer. It returns nil when the request is answered.
	run(ctx context.Context, a *attempt) *failure
}

// refusable is what an upstream may refuse of a request that it would take otherwise.
type refusable uint8

// What is refusable.
const (
	nothing    refusable = iota
	askedUsage           // stream_options, which Weir asks for on its own account
	encrypted            // reasoning of earlier turns that the upstream does not know for its own
	ownSummary           // an endpoint for summaries, which many servers of its dialect lack
)

// divisible is an exchange that can be made without a part of what it sends.
type divisible interface {
	// without is the same, but for the part; nil if nothing would be left out, or if it must not be.
	without(p refusable) exchange
}

// order is the request as one target is to have it.
type order struct {
	run      *run
	provider *provider.Provider
	target   *route.Target
	body     dialect.Request // the caller's, with what the target adds
	replaced string          // the first member of the caller's whose value the target's config replaces, "" if none
	changes  dialect.Changes
}

// exchange chooses how the target of a try is asked.
func (r *run) exchange(p *provider.Provider, try *route.Try) (exchange, *llm.Error) {
	return r.exchangeBy(p, try, r.codec(p, try.Target.Model, &try.Target.Added), &r.room.pass)
}

// exchangeBy is exchange with a codec, nil for the caller's own bytes. What it makes may be in direct.
func (r *run) exchangeBy(p *provider.Provider, try *route.Try, c *dialect.Codec, direct *pass) (exchange, *llm.Error) {
	*direct = pass{order: order{run: r, provider: p, target: try.Target, body: r.Asked}}
	o := &direct.order
	e := r.embedder(p, try.Target.Model)
	switch {
	case e != nil && e.Own != nil:
		return o.rewriteInputs(try, e)
	case c != nil && c.Own != nil && e == nil:
		return o.rewrite(try, c)
	}
	if err := o.extend(); err != nil {
		return nil, err
	}
	o.changes = o.changesTo(try)
	switch {
	case r.Ingress.Endpoint == llm.Embeddings:
		if e != nil {
			return o.embedded(o.body.(dialect.Embeddings), e)
		}
		if asked := o.body.(dialect.Inputs); o.splits(asked) {
			return o.inputs(asked)
		}
	case c == nil:
	case r.Ingress.Endpoint == llm.Completions:
		return o.texts(o.body.(dialect.Prompts), c)
	default:
		return o.translate(o.body.(dialect.Chat), c)
	}
	direct.asked, direct.sent = r.Asked.(dialect.Passing), o.body.(dialect.Passing)
	p.Pass(&o.changes, o.body, try.Target.Model, r.Ingress.Dialect, r.Caller)
	direct.left = o.betas(true)
	return direct, nil
}

// codec writes and reads a chat with a model of another dialect than the caller's, or one that does not take all of the caller's; nil if the
// caller's own bytes are sent. added is what the config adds.
func (r *Request) codec(p *provider.Provider, model string, added *llm.Added) *dialect.Codec {
	d := p.DialectFor(model, r.Ingress.Dialect)
	if _, passing := r.Asked.(dialect.Passing); passing && d == r.Ingress.Dialect {
		if p.Takes(r.Asked, model, added, d) {
			return nil
		}
		d = p.Dialect(model)
	}
	return table.Codec(d)
}

// readBy is how the errors of an exchange are read, and whose frames carry its streams, nil for none.
func (r *Request) readBy(x exchange, p *provider.Provider, model string) (*refusal.Vendor, *dialect.Codec) {
	d := p.Dialect(model)
	if _, passes := x.(*pass); passes {
		d = r.Ingress.Dialect
		if carrier, ok := p.Carrier(model, d); ok {
			return table.Refusals(carrier), table.Codec(carrier)
		}
	}
	return table.Refusals(d), nil
}

// embedder is codec for embeddings; nil for other endpoints, too.
func (r *Request) embedder(p *provider.Provider, model string) *dialect.Embedder {
	if r.Ingress.Endpoint != llm.Embeddings {
		return nil
	}
	d := p.Dialect(model)
	if _, passing := r.Asked.(dialect.Passing); passing && d == r.Ingress.Dialect {
		return nil
	}
	return table.Embedder(d)
}

// asChats reports whether chats can be made of the request for a model whose provider does not have its endpoint.
func (r *Request) asChats(p *provider.Provider, model string) bool {
	return r.Ingress.Endpoint == llm.Completions && r.codec(p, model, nil) != nil && p.Serves(llm.Chat, model)
}

// extend puts what the target adds to every request into the body.
func (o *order) extend() (err *llm.Error) {
	added := &o.target.Added
	if added.Empty() {
		return nil
	}
	if n := len(o.body.Scan().Raw) + added.Len(); n > freeBuffer && !o.run.keep(n) {
		return noRoomToTranslate()
	}
	endpoint := o.run.Ingress.Endpoint
	if o.run.asChats(o.provider, o.target.Model) {
		endpoint = llm.Chat
	}
	o.body, o.replaced, err = o.run.Asked.With(added, endpoint, o.routing())
	return err
}

// changesTo is what has to change in the body for the target: what the model's config says counts most.
func (o *order) changesTo(try *route.Try) dialect.Changes {
	target, model, p := o.target, try.Model, o.provider
	c := p.Changes(o.body, target.Model, target.Like, target.Takes)
	c.AskUsage = c.AskUsage && !try.RefusesUsage()
	for _, rename := range [...]map[string]string{model.Rename, target.Rename} {
		if rename != nil {
			c.Rename = rename
		}
	}
	for _, omit := range [...][]string{model.Omit, target.Omit} {
		if omit == nil {
			continue
		}
		c.Omit = omit
		c.AskUsage = c.AskUsage && !slices.Contains(c.Omit, "stream_options")
	}
	if without := p.Without(o.body, target.Model, target.Takes); len(without) > 0 {
		c.Omit = slices.Concat(c.Omit, without)
	}
	for _, name := range o.routing() {
		if !target.Added.Has(name) { // otherwise the config set it
			c.Omit = append(slices.Clip(c.Omit), name)
		}
	}
	return c
}

// routing are the members with which a caller would choose models or providers without permission.
func (o *order) routing() []string {
	if o.target.PassRouting {
		return nil
	}
	return o.provider.Routing()
}

// decoded holds room for the typed form of the request, which takes more than its text does, until the function that it returns is called.
func (o *order) decoded() (done func(), err *llm.Error) {
	n := o.body.Typed()
	if o.run.Memory == nil || n <= freeBuffer {
		return func() {}, nil
	}
	if !o.run.Memory.Grow(n) {
		return nil, noRoomToTranslate()
	}
	return func() { o.run.giveBack(n) }, nil
}

// direct has a request go to the target's model.
func (o *order) direct(r *llm.Request) {
	t := o.target
	r.Model, r.Account, r.Hosted, r.Takes = t.Model, o.provider.Name, o.provider.Hosted(t.Model), t.Takes
	if r.MaxOut = o.provider.MaxOutput(t.Model, t.Like); t.Takes != nil && t.Takes.MaxOutput > 0 {
		r.MaxOut = int64(t.Takes.MaxOutput)
	}
	if r.Bounded && r.MaxOut > 0 {
		r.MaxToken = min(r.MaxToken, r.MaxOut)
	}
	// One that it knows, given as a word or as the number of tokens for the word.
	r.Effort, _ = t.Takes.Effort(r.Effort)
}

// announced are the omitted parameters that the caller must hear of, as it calls them; those that only the config set are not among them.
func (o *order) announced(left []string) []string {
	left = slices.DeleteFunc(left, o.body.Ours)
	if param := o.run.Ingress.Param; param != nil {
		for i := range left {
			left[i] = param(left[i])
		}
	}
	return left
}

// betas are the experimental parts of the API that the caller's header asks for and the target does not hear of.
func (o *order) betas(own bool) []string {
	r := o.run
	if r.Ingress.Betas == "" {
		return nil
	}
	return o.provider.LeavesOut(r.Ingress.Betas, o.target.Model, r.Ingress.Dialect, own, r.Caller)
}

// lost is the first parameter of the caller that was replaced or left out.
func (o *order) lost(left []string) string {
	switch {
	case o.replaced != "":
		return o.replaced
	case len(left) > 0:
		return left[0]
	}
	return ""
}
