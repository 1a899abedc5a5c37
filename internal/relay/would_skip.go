package relay

import (
	"context"
	"sync"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/fetch"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// CanServe reports whether a provider can be asked for an answer of the endpoint by a model of that name.
func CanServe(p *provider.Provider, in *dialect.Ingress, model string) bool {
	r := Request{Ingress: in}
	return p.CanName(model) && (p.Serves(in.Endpoint, model) || r.asChats(p, model))
}

// WouldSkip says why no call would be made for the request at one of a model's targets. Nothing is fetched: whatever a caller names
// is taken for an image. If ask is not nil, it is asked before the calls, as an Account is, and none of them is made.
func WouldSkip(req *Request, model *route.Model, target *route.Target, ask func(*Call, Sent) *Refused) (route.Skip, *Refused) {
	look := &looker{ask: ask}
	aside := *req
	aside.Images, aside.Account = anyImage{}, look
	r := &run{Request: &aside, ctx: context.Background(), calls: new(calls), result: new(Result)}
	a, f := r.prepare(&route.Try{Target: target, Model: model})
	switch {
	case f != nil:
		return f.skip, nil
	case ask == nil:
		return route.NotSkipped, nil
	}
	defer a.release()
	_ = a.exchange.run(r.ctx, a) // it fails, because look lets no call be made
	if look.why != nil {
		return look.why.Skip, look.why
	}
	return route.NotSkipped, nil
}

// looker is an Account that lets no call be made.
type looker struct {
	ask func(*Call, Sent) *Refused

	mu  sync.Mutex
	why *Refused // of the first call that would be refused
}

// Open implements Account.
func (l *looker) Open(c *Call, sent Sent) (Entry, *Refused) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why == nil {
		l.why = l.ask(c, sent)
	}
	return nil, &Refused{Err: &llm.Error{Kind: llm.Internal, Message: "No call is made to look at what one would be."}}
}

// anyImage replaces images that are not fetched.
type anyImage struct{}

// Image implements Images.
func (anyImage) Image(context.Context, string, fetch.Room) (fetch.Image, error) {
	return fetch.Image{Media: "image/png", Data: []byte("AA==")}, nil
}
