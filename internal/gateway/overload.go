package gateway

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
)

// overloaded refuses what does not fit into memory. What runs ends within seconds, as a rule.
func overloaded() *llm.Error {
	return &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is short of memory for a request of this size at the moment. Send it again."}
}

// full refuses a request that finds no place among the running ones.
func full() *llm.Error {
	return &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is at its limit of concurrent requests. Retry this request."}
}

// admit gives the request a place among those that run, if need be after a wait. It keeps it until places.Leave. From then on what it has
// taken of its limits counts.
func (g *Gateway) admit(ctx context.Context, ev *Event, snap *Snapshot, key uint64, of *taken) *llm.Error {
	if g.places.Enter(snap.MaxRequests, key) {
		of.begin()
		return nil
	}
	began, waiter := time.Now(), limit.NewWaiter(key)
	waiter.Join(&g.places, snap.MaxRequests, 0, snap.Wait, began)
	_, ok := relay.Await(ctx, waiter)
	ev.Waited = time.Since(began)
	switch {
	case ok:
		of.begin()
		return nil
	case ctx.Err() != nil:
		return relay.Cancellation(ctx)
	default:
		return full()
	}
}

// admitHeader counts a header that is larger than usual, or that came over HTTP/2, where its size is not known.
// It does not wait for whatever body there is: the header is in the way.
func (g *Gateway) admitHeader(w http.ResponseWriter, r *http.Request, ev *Event, arrived int64) *llm.Error {
	if arrived <= listener.FreeHeader && r.ProtoMajor == 1 || ev.hold.Take(headerSize(r.Header)) {
		return nil
	}
	closeAfter(w, r)
	_ = http.NewResponseController(w).SetReadDeadline(time.Now()) // a writer without deadlines is a test's
	return overloaded()
}

// HeaderRefusal is what a caller gets whose header found no room while it was read.
func HeaderRefusal() *http.Response {
	refusal := &http.Response{Header: http.Header{}}
	err := overloaded()
	body := describe(refusal.Header, err, &dialect.Own)
	refusal.StatusCode, refusal.ContentLength, refusal.Body = err.HTTPStatus(), int64(len(body)), io.NopCloser(bytes.NewReader(body))
	return refusal
}

// headerSize is about what a header takes, once it is parsed.
func headerSize(h http.Header) int64 {
	size := int64(0)
	for name, values := range h {
		size += 128 + int64(len(name))
		for _, v := range values {
			size += 32 + int64(len(v))
		}
	}
	return size
}
