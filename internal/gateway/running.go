package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

// requests are those being relayed, so that the end of a drain can cut them.
type requests struct {
	mu    sync.Mutex // guards what follows
	all   map[*running]struct{}
	ended bool
	idle  chan struct{} // closed when no request is left; nil if nothing waits for that
}

// running is one request being relayed.
type running struct {
	among  *requests
	caller *auth.Principal
	cancel context.CancelCauseFunc
	late   *time.Timer // nil if the request may take any time
}

// enter returns the context under which a request is relayed. It ends with the client, after limit from started (0
// is no limit), with the revocation of the caller's key if that cuts requests, and with CutAll. Its cause then is
// an *llm.Error. The request must be ended by done. r is new.
func (rs *requests) enter(parent context.Context, r *running, caller *auth.Principal, limit time.Duration, started time.Time) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	*r = running{among: rs, caller: caller, cancel: cancel}
	caller.Enter(r)
	if limit > 0 {
		r.late = time.AfterFunc(limit-time.Since(started), func() {
			cancel(&llm.Error{Kind: llm.Timeout, Message: "The request took longer than its limit of " + limit.String() + "."})
		})
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.ended {
		r.end()
	}
	rs.all[r] = struct{}{}
	return ctx
}

// whenIdle returns a channel that is closed as soon as no request is running: at once, if that is already so.
func (rs *requests) whenIdle() <-chan struct{} {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.idle == nil {
		rs.idle = make(chan struct{})
	}
	idle := rs.idle
	rs.tellIdle()
	return idle
}

// tellIdle closes the channel of those who wait if no request is left. The lock is held.
func (rs *requests) tellIdle() {
	if rs.idle != nil && len(rs.all) == 0 {
		close(rs.idle)
		rs.idle = nil
	}
}

// cut ends all requests, and those that come.
func (rs *requests) cut() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.ended = true
	for r := range rs.all {
		r.end()
	}
}

// Revoke implements auth.Cuttable.
func (r *running) Revoke() {
	r.cancel(&llm.Error{Kind: llm.InvalidKey, Message: "This API key was revoked while the request was running."})
}

func (r *running) end() {
	r.cancel(&llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is shutting down and could not wait for this request any longer. Send it again."})
}

// done is called when the request is over.
func (r *running) done() {
	r.among.mu.Lock()
	delete(r.among.all, r)
	r.among.tellIdle()
	r.among.mu.Unlock()
	r.caller.Leave(r)
	if r.late != nil {
		r.late.Stop()
	}
	r.cancel(nil)
}
