package gateway

import (
	"context"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

// enter returns the context under which a request is relayed. It ends with the client, after limit from
// started (0 is none), with the revocation of the caller's key if that is to cut requests, and with CutAll; its
// cause then is an *llm.Error. done must be called when the request is over.
func (g *Gateway) enter(parent context.Context, caller *auth.Principal, limit time.Duration, started time.Time) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(parent)
	revoked := caller.OnCut(func() {
		cancel(&llm.Error{Kind: llm.InvalidKey, Message: "This API key was revoked while the request was running."})
	})
	ended := context.AfterFunc(g.ending, func() {
		cancel(&llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is shutting down and could not wait for this request any longer. Send it again."})
	})
	late := func() bool { return true }
	if limit > 0 {
		late = time.AfterFunc(limit-time.Since(started), func() {
			cancel(&llm.Error{Kind: llm.Timeout, Message: "The request took longer than its limit of " + limit.String() + "."})
		}).Stop
	}
	return ctx, func() {
		revoked()
		ended()
		late()
		cancel(nil)
	}
}
