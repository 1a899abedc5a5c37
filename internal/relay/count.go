package relay

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// Bounds on asking for the number of tokens: agents ask often, and go on without an answer.
const (
	countPatience = 10 * time.Second
	maxCount      = 64 << 10 // bytes of an answer
)

// Count asks the first target of a request that speaks the caller's dialect how many tokens the prompt has. The call is free, and leaves no trace in
// the health of targets. ok is false if there is no such target, or it does not say.
func Count(ctx context.Context, req *Request) (tokens int64, ok bool) {
	r := &run{Request: req, ctx: ctx}
	for _, sight := range req.Route.Look(&req.Ask, time.Now()) {
		p := req.Providers[sight.Provider]
		if sight.Skip != route.NotSkipped || !p.Counts(sight.Model, req.Ingress.Dialect) || !p.CanName(sight.Model) {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, countPatience)
		defer cancel()
		o := order{run: r, provider: p, target: sight.Target, body: req.Asked}
		passing, ok := o.body.(dialect.Passing)
		if !ok {
			return 0, false
		}
		body, _ := passing.Encode(o.changesTo(&route.Try{Target: sight.Target, Model: req.Route.Model}))
		return ask(ctx, p, req, provider.Call{Endpoint: llm.Counting, Model: sight.Model, Body: body, Caller: req.Caller, Dialect: req.Ingress.Dialect, Own: true})
	}
	return 0, false
}

// ask makes the call.
func ask(ctx context.Context, p *provider.Provider, req *Request, c provider.Call) (tokens int64, ok bool) {
	resp, err := p.Do(ctx, c)
	if err != nil {
		return 0, false
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxCount))
	if err != nil || resp.StatusCode != http.StatusOK {
		return 0, false
	}
	return req.Ingress.Counting.Read(body)
}
