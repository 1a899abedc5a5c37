package gateway

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

// mostCounts is how many prompts providers are asked to count at once. Beyond that Weir estimates: agents ask many times at once.
const mostCounts = 16

// count says how many tokens a prompt has: as the target counts, if it speaks the caller's dialect, else as Weir estimates. Nothing is billed.
func (g *Gateway) count(w http.ResponseWriter, r *http.Request, ev *Event, snap *Snapshot, c call) *llm.Error {
	ev.Endpoint = c.ingress.Name
	c.ingress.Errors.Identify(w.Header())
	caller, wishes, err := g.receive(r, ev, snap)
	if err == nil {
		err = wishes.notOnce()
	}
	if err != nil {
		return refuseEarly(w, r, err)
	}
	body, err := readBody(w, r, snap.MaxBody, &ev.hold)
	ev.BytesIn = int64(len(body))
	if err != nil {
		return err
	}
	asked, _, err := g.parse(r.Context(), c, body, caller, snap, ev)
	if err != nil {
		return err
	}
	scan := asked.Scan()
	ev.Model = secret.Hide(scan.Model)
	resolved, ok := snap.visible(caller, scan.Model)
	if !ok {
		return modelNotFound(scan.Model)
	}
	ev.Route = resolved.Model.Name
	tokens, ok := g.countThere(r.Context(), &relay.Request{
		Ingress: c.ingress, Asked: asked, Route: resolved, Ask: route.Ask{Caller: route.Hash(caller.KeyID), Seed: rand.Uint64()},
		Providers: snap.Providers, Caller: r.Header,
	})
	h := w.Header()
	if !ok {
		tokens = estimate(scan.Heard)
		h["Weir-Estimated"] = []string{"true"}
	}
	answer := c.ingress.Counting.Write(tokens)
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(answer))}
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(answer) // the client is gone if this fails
	return nil
}

// countThere has the target count, unless too many prompts are being counted.
func (g *Gateway) countThere(ctx context.Context, req *relay.Request) (tokens int64, ok bool) {
	select {
	case g.counting <- struct{}{}:
		defer func() { <-g.counting }()
		return relay.Count(ctx, req)
	default:
		return 0, false
	}
}

// estimate is how many tokens so many bytes of a prompt have at most, as a rule. Agents that go by too few shorten their conversations too late.
func estimate(heard int) int64 { return (int64(heard)*2 + 4) / 5 }
