package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
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

	// For those who look on.
	ev    *Event // what is known before the request runs does not change any more
	out   *response
	relay relay.Watched
}

// enter returns the context under which a request is relayed. It ends with the client, after limit from started (0
// is no limit), with the revocation of the caller's key if that cuts requests, with Cut, and with CutAll. Its cause then is
// an *llm.Error. The request must be ended by done. Of r only what is for those who look on has been set.
func (rs *requests) enter(parent context.Context, r *running, caller *auth.Principal, limit time.Duration, started time.Time) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	r.among, r.caller, r.cancel = rs, caller, cancel
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

// list has the requests that run, in no order.
func (rs *requests) list() []*running {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	list := make([]*running, 0, len(rs.all))
	for r := range rs.all {
		list = append(list, r)
	}
	return list
}

// Revoke implements auth.Cuttable.
func (r *running) Revoke() {
	r.cancel(&llm.Error{Kind: llm.InvalidKey, Message: "This API key was revoked while the request was running."})
}

// cutOff ends the request as an operator wants.
func (r *running) cutOff() {
	r.cancel(&llm.Error{Kind: llm.CutOff, NoRetry: true, Message: "An operator of this Weir ended the request while it was running. Ask them before you send it again."})
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
