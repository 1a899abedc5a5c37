package gateway

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
)

// Idempotency is what became of a request with an Idempotency-Key, also the word in logs and metrics.
type Idempotency string

// What can become of one.
const (
	Kept        Idempotency = "kept"        // it ran, and repeats get its answer
	NotFinal    Idempotency = "not_final"   // it ran and failed, so that a repeat runs again
	TooLarge    Idempotency = "too_large"   // its answer is not kept, because it is larger than any that is
	NoMemory    Idempotency = "no_memory"   // its answer is not kept, because memory had no room for a copy
	NotStored   Idempotency = "not_stored"  // its answer is not kept, because the store failed
	Replayed    Idempotency = "replayed"    // it got the answer of the first one
	InProgress  Idempotency = "in_progress" // it was refused, because the first one runs, or has lost its answer
	Mismatch    Idempotency = "mismatch"    // it was refused, because the first one was another request
	Unavailable Idempotency = "unavailable" // it was refused, because the store failed
)

const idempotencyKey = "Idempotency-Key"

// maxIdempotencyKey is the longest Idempotency-Key, in bytes.
const maxIdempotencyKey = 255

// readIdempotencyKey reads the header, which only keys may send whose answers are kept.
func (g *Gateway) readIdempotencyKey(values []string, caller *auth.Principal) (string, *llm.Error) {
	if caller.Idempotency() == 0 || g.repeats == nil {
		return "", &llm.Error{
			Kind: llm.UnsupportedHeader, Param: strings.ToLower(idempotencyKey),
			Message: "The answers to this key's requests are not kept, so the header \"idempotency-key\" cannot be honoured. Remove it, or have the operator allow it: weir keys update NAME --idempotency 24h, or idempotency: 24h in the config.",
		}
	}
	value := only(values)
	if value == "" || len(value) > maxIdempotencyKey || strings.IndexFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
		return "", badHeader(idempotencyKey, "is sent once, and has 1 to 255 printable ASCII characters, such as a UUID")
	}
	return value, nil
}

// notOnce refuses the header where no answer is kept.
func (h wishes) notOnce() *llm.Error {
	if h.once == "" {
		return nil
	}
	return &llm.Error{
		Kind: llm.UnsupportedHeader, Param: strings.ToLower(idempotencyKey),
		Message: "Idempotency-Key works only on requests that are sent to a provider, and this one can be repeated without it. Remove the header idempotency-key.",
	}
}

// repeatable is a request with an Idempotency-Key.
type repeatable struct {
	caller  *auth.Principal
	key     string // the header
	ingress *dialect.Ingress
	model   *route.Model
	body    []byte
}

// repeat answers a request as the first one with its Idempotency-Key was answered, and reports whether it did. If not, this is the first
// one, or has none.
func (g *Gateway) repeat(w *response, r *http.Request, ev *Event, snap *Snapshot, of repeatable) (repeated bool, refused *llm.Error) {
	if of.key == "" {
		return false, nil
	}
	ev.Route = of.model.Name
	form := strconv.AppendBool(nil, of.ingress.Framing.Array) // the query decides it
	run, before, err := g.repeats.Begin(r.Context(), of.caller.KeyID, of.key, []byte(clean(r.URL.EscapedPath())), form, of.body)
	switch {
	case err != nil:
		return false, ev.notRun(r.Context(), err)
	case before != nil:
		return true, ev.replay(w, r, snap, before)
	}
	ev.once = &once{run: run, keep: of.caller.Idempotency(), copied: copied{hold: g.memory.Of()}}
	w.copied = &ev.once.copied
	return false, nil
}

// notRun says why a request with an Idempotency-Key is neither run nor answered as before.
func (ev *Event) notRun(ctx context.Context, err error) *llm.Error {
	switch {
	case errors.Is(err, idempotency.ErrMismatch):
		ev.Idempotency = Mismatch
		return &llm.Error{Kind: llm.IdempotencyMismatch, Message: "This Idempotency-Key was sent with another request, to another path or with another body. Send each request with a key of its own."}
	case errors.Is(err, idempotency.ErrInProgress):
		ev.Idempotency = InProgress
		return &llm.Error{Kind: llm.IdempotencyInProgress, RetryAfter: time.Second, Message: "The first request with this Idempotency-Key is still running. Send this one again later, and get its answer."}
	case errors.Is(err, idempotency.ErrLost):
		ev.Idempotency = InProgress
		return &llm.Error{Kind: llm.IdempotencyInProgress, NoRetry: true, Message: "The first request with this Idempotency-Key was answered, but Weir could not store the answer. To run the request again, send it with another key."}
	case ctx.Err() != nil:
		return relay.Cancellation(ctx)
	default:
		ev.Idempotency = Unavailable
		return &llm.Error{Kind: llm.IdempotencyUnavailable, RetryAfter: time.Second, Cause: err, Message: "Weir cannot find out at the moment whether a request with this Idempotency-Key ran before, so it is not run. Send it again later; the operator finds the reason in the log."}
	}
}

// replay sends the answer that the first request got.
func (ev *Event) replay(w *response, r *http.Request, snap *Snapshot, before *idempotency.Answer) *llm.Error {
	if !ev.hold.Grow(2 * len(before.Body)) { // as it was stored, and as it goes out
		return overloaded()
	}
	h, body := w.Header(), io.Reader(bytes.NewReader(before.Body))
	unpack := before.Header.Get("Content-Encoding") != "" && !relay.AcceptsGzip(r.Header) // the first caller did accept it
	if unpack {
		var err error
		if body, err = gzip.NewReader(body); err != nil {
			return llm.AsError(err)
		}
	}
	ev.Idempotency = Replayed
	for name, values := range before.Header {
		if snap.Hide && strings.HasPrefix(name, "Weir-") && name != "Weir-Ignored-Params" {
			continue
		}
		h[name] = append(h[name], values...)
	}
	h["Idempotent-Replayed"] = []string{"true"}
	if unpack {
		delete(h, "Content-Encoding")
		delete(h, "Content-Length")
	}
	w.WriteHeader(before.Status)
	_, _ = io.Copy(w, body) // the client is gone if this fails
	return nil
}

// once is a request that is the first with its Idempotency-Key.
type once struct {
	run    *idempotency.Run
	keep   time.Duration // the answer
	copied copied
}

// afterLimit is how long after its time limit a request has surely ended.
const afterLimit = time.Minute

// claim writes down that the request is about to run, if it has an Idempotency-Key. limit is how long it may take, 0 for any time.
func (ev *Event) claim(ctx context.Context, limit time.Duration) *llm.Error {
	if ev.once == nil {
		return nil
	}
	most := ev.once.keep
	if limit > 0 {
		most = limit + afterLimit
	}
	if err := ev.once.run.Claim(ctx, most); err != nil {
		return ev.notRun(ctx, err)
	}
	return nil
}

// settled gets what became of a request, before the last byte of its answer goes out.
func (ev *Event) settled(result *relay.Result) {
	ev.Result = result
	if ev.once != nil {
		ev.once.run.Ending()
	}
}

// end keeps the answer, or lets repeats run. It is called however the request ends; o is nil for one without an Idempotency-Key.
func (o *once) end(g *Gateway, ev *Event, panicked bool) {
	if o == nil {
		return
	}
	defer o.copied.hold.End()
	var answer *idempotency.Answer
	outcome := o.outcome(ev, panicked)
	if outcome == Kept {
		answer = &idempotency.Answer{Status: o.copied.status, Header: o.copied.header, Body: o.copied.body}
	}
	if err := o.run.End(answer, o.keep); err != nil {
		g.log.LogAttrs(context.Background(), slog.LevelWarn, "what became of a request with an Idempotency-Key could not be stored", slog.String("request_id", ev.ID), slog.String("key_id", ev.KeyID), slog.String("reason", err.Error()))
		if answer != nil {
			outcome = NotStored
		}
	}
	if ev.Idempotency == "" {
		ev.Idempotency = outcome
	}
}

// outcome says whether the answer is kept.
func (o *once) outcome(ev *Event, panicked bool) Idempotency {
	switch {
	case panicked || ev.Result != nil && ev.Result.Cut || ev.Err != nil && !final(ev.Err):
		return NotFinal
	case o.copied.lost != "":
		return o.copied.lost
	case !o.copied.whole():
		return NotFinal
	case !o.copied.hold.Grow(2 * len(o.copied.body)): // to seal it
		return NoMemory
	}
	return Kept
}

// final reports whether a repeat would get the same error: it is the request's own fault, whatever the state of keys, limits and
// providers.
func final(err *llm.Error) bool {
	switch err.Kind {
	case llm.UpstreamRefused:
		switch err.HTTPStatus() {
		case http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
			return true
		}
		return false
	case llm.InvalidJSON, llm.MissingParameter, llm.InvalidType, llm.InvalidValue, llm.ModelNotFound, llm.UnsupportedParameter, llm.TooLarge:
		return true
	default:
		return false
	}
}
