package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

// attempt is the state of one call to an upstream.
type attempt struct {
	*run
	provider   *provider.Provider
	target     *route.Target
	try        route.Try
	body       *openai.Request // the caller's, with what the target adds
	replaced   string          // the first member of the caller's whose value the target's config replaces, "" if none
	changes    openai.Changes
	translated *translation // nil for a target of the caller's dialect
	embedding  *embedding   // nil for what goes out in one call, in the caller's dialect

	applied openai.Applied
	number  int   // among the request's attempts, from 1
	call    *Call // the one under way; of calls that are made side by side, the first
	started time.Time
	cancel  context.CancelCauseFunc // for streams, which end for reasons of their own
	watch   *watch                  // for streams
	room    sync.Mutex              // guards counted, and keeps Memory to one goroutine at a time
	counted int                     // bytes of Memory that the attempt holds
	sent    int                     // of these, for what is sent
	prompt  int                     // of a call of /completions that is made of chats, which one is answered
}

// Bounds on what is taken from an upstream, which is trusted no more than a caller.
const (
	maxErrorBody = 1 << 20
	maxPending   = 64 << 10 // events kept back before the first content

	// What an embedding may take, whatever limits.answer says: 4,096 numbers of 20 digits are 90 KB. The APIs that
	// tell how many inputs they take in one call take 2,048.
	maxVector, maxVectors = 128 << 10, 2048
)

// maxAnswer is how many bytes are taken of an answer: what is allowed, or what was asked for if that is more.
func (r *run) maxAnswer() int64 {
	switch {
	case r.MaxAnswer == 0:
		return 1 << 40
	case r.Call.Endpoint != llm.Embeddings:
		return r.MaxAnswer
	default:
		return max(r.MaxAnswer, int64(min(r.Call.Inputs, maxVectors))*maxVector)
	}
}

// do makes the call and relays its answer. It returns nil when the request is answered.
func (a *attempt) do() *failure {
	defer a.release()
	a.started = time.Now()
	if a.result.Dispatched.IsZero() {
		a.result.Dispatched = a.started
	}
	a.number = a.calls.attempt()
	ended := &failure{outcome: route.Canceled} // this stands if the handler panics
	defer func() { a.calls.endAttempt(a.number, ended) }()
	a.watchFor()
	ctx := a.ctx
	if a.Call.Stream {
		ctx, a.cancel = context.WithCancelCause(ctx)
		defer a.cancel(nil)
		timeouts := &a.Route.Model.Timeouts
		a.watch = newWatch(timeouts.FirstToken, timeouts.Idle, a.cancel, a.sink)
		defer a.watch.stop()
	}
	f := a.relay(ctx)
	if f != nil && a.beaten() {
		f = a.outrun()
	}
	if f != nil && f.outcome == route.Canceled && a.result.FirstContent.IsZero() {
		f.silence = route.Silence{Lasted: time.Since(a.started), Whole: !a.Call.Stream}
	}
	ended = f
	return f
}

// relay makes the call, or the calls, and relays the answer.
func (a *attempt) relay(ctx context.Context) *failure {
	if a.embedding != nil {
		return a.embed(ctx)
	}
	if a.chats() > 0 {
		a.begin(0)
		if !a.Call.Stream {
			return a.completeTexts(ctx)
		}
	}
	resp, err := a.send(ctx)
	if err != nil {
		return a.broken(ctx, err)
	}
	defer resp.Body.Close()
	return a.answer(ctx, resp)
}

// send sends the call, and returns when the headers of its answer are there.
func (a *attempt) send(ctx context.Context) (*http.Response, error) {
	if n := a.bodyTakes(); n > freeBuffer {
		if !a.Grow(n) {
			return nil, errNoRoom
		}
		a.sent += n
	}
	body, applied := a.encode()
	a.apply(applied)
	a.call = a.begun()
	return a.provider.Do(ctx, provider.Call{
		Endpoint: a.endpoint(), Model: a.target.Model, Body: body, Stream: a.Call.Stream,
		Credential: a.try.Credential, Caller: a.Caller, ConnectTimeout: a.Route.Model.Timeouts.Connect,
	})
}

// apply notes what the caller must be told of the body that is sent.
func (a *attempt) apply(applied openai.Applied) {
	if a.replaced != "" {
		applied.Ignored = append(applied.Ignored, a.replaced)
	}
	a.applied = openai.Applied{Ignored: announced(applied.Ignored), Renamed: applied.Renamed}
}

// begun is a call that begins.
func (a *attempt) begun() *Call {
	return a.calls.begin(Call{Target: a.target, Credential: a.try.Credential, Attempt: a.number, Started: time.Now()})
}

// upstreamRequestID is the id that the upstream gave to the call, in the header that its kind uses. Secrets in it are hidden.
func (a *attempt) upstreamRequestID(h http.Header) string {
	for _, name := range [...]string{"X-Request-Id", "Request-Id", "Apim-Request-Id", "X-Generation-Id", "X-Debug-Trace-Id", "X-Amzn-Requestid"} {
		if v := h[name]; len(v) > 0 && len(v[0]) <= 128 && strings.IndexFunc(v[0], func(r rune) bool { return r <= ' ' || r > '~' }) < 0 {
			return secret.HideKnown(a.provider.Secrets(), v[0])
		}
	}
	return ""
}

// broken classifies a failure to get an answer, or to go on reading one.
func (a *attempt) broken(ctx context.Context, err error) *failure {
	var unsent *provider.ConnectError
	var lacking *provider.CredentialError
	f := &failure{outcome: route.Failed, target: a.target, reason: "broke off the connection", cause: provider.Wordless(err)}
	switch cause := context.Cause(ctx); {
	case a.overdue():
		f.outcome, f.reason = route.TimedOut, "did not answer in time"
	case a.run.ctx.Err() != nil:
		f.outcome = route.Canceled
	case cause == errFirstToken || cause == errIdle:
		f.outcome, f.reason, f.cause = route.TimedOut, cause.Error(), cause
	case errors.As(err, &lacking):
		f.outcome, f.reason = route.BadCredential, "was not called, because Weir could not get credentials for it (its log says why)"
	case errors.As(err, &unsent) && unsent.Exhausted():
		f.outcome, f.reason, f.own = route.Crowded, "was not called, because Weir has no file descriptor left", noFiles(unsent)
	case errors.As(err, &unsent):
		f.outcome, f.reason = route.Unreachable, "could not be reached"
	case errors.Is(err, provider.ErrEncoding):
		f.outcome, f.reason = route.Malformed, "answered in a compression that cannot be read"
	case errors.Is(err, eventstream.ErrFrame):
		f.outcome, f.reason = route.Malformed, "sent a stream that cannot be read"
	case errors.Is(err, errNoRoom) || errors.Is(err, sse.ErrNoRoom) || errors.Is(err, eventstream.ErrNoRoom):
		f.outcome, f.reason = route.Crowded, "sent an answer for which there is no room"
	case errors.Is(err, errTooLarge) || errors.Is(err, sse.ErrEventTooLarge) || errors.Is(err, eventstream.ErrTooLarge):
		f.outcome, f.reason = route.Malformed, fmt.Sprintf("sent an answer larger than the %d bytes that Weir takes (limits.answer)", a.maxAnswer())
	}
	return f
}

// overdue reports whether the request ended because its model's limit was over, and the attempt had half of that for itself at least and
// brought no content. That speaks against the target, as first_token does; a limit of the caller's own, or what was left of the model's
// when others had taken most of it, does not.
func (a *attempt) overdue() bool {
	end, ok := context.Cause(a.run.ctx).(*llm.Error)
	total := a.Route.Model.Timeouts.Total
	return ok && end.Kind == llm.Timeout && total > 0 && time.Since(a.Started) >= total && 2*time.Since(a.started) >= total && a.result.FirstContent.IsZero()
}

// answer takes the upstream's answer from its status on.
func (a *attempt) answer(ctx context.Context, resp *http.Response) *failure {
	a.heard(a.call, resp)
	if resp.StatusCode != http.StatusOK {
		return a.refusal(ctx, resp)
	}
	if a.Call.Stream {
		return a.stream(ctx, resp)
	}
	buf := getBuffer()
	defer buf.release()
	if err := buf.read(resp.Body, resp.ContentLength, a.maxAnswer(), a); err != nil {
		return a.broken(ctx, err)
	}
	body, err := a.asOpenAI(buf.text())
	if err != nil {
		return a.unreadable(buf.text(), err)
	}
	return a.complete(body, a.translated == nil)
}

// heard notes what the head of an answer says.
func (a *attempt) heard(c *Call, resp *http.Response) {
	a.calls.heard(c, resp.StatusCode, a.upstreamRequestID(resp.Header))
}

// refusal takes an answer that is not a 200.
func (a *attempt) refusal(ctx context.Context, resp *http.Response) *failure {
	buf := getBuffer()
	defer buf.release()
	err := buf.read(io.LimitReader(resp.Body, maxErrorBody), -1, maxErrorBody, a)
	if err != nil && (len(buf.data) == 0 || errors.Is(err, errNoRoom)) {
		return a.broken(ctx, err)
	}
	f := a.classify(a.statusOf(resp, buf.text()), resp.Header, bytes.Clone(buf.text()))
	if f.outcome == route.BadCredential && f.status == http.StatusUnauthorized && a.provider.Renews(resp) {
		f.outcome = route.StaleCredential
	}
	// The caller is sent it when the attempt is over.
	if f.own != nil && len(buf.data) > freeBuffer && !a.growFor(len(buf.data)) {
		return a.broken(ctx, errNoRoom)
	}
	return f
}

// growFor counts bytes that outlive the attempt.
func (a *attempt) growFor(n int) bool {
	a.room.Lock()
	defer a.room.Unlock()
	return a.Memory == nil || a.Memory.Grow(n)
}

// complete relays a complete answer that was read whole. It tells what the call took, unless that is noted.
func (a *attempt) complete(body []byte, tells bool) *failure {
	var answer openai.Answer
	var err error
	out := body
	switch {
	case a.Call.Endpoint == llm.Embeddings && a.changes.Int8:
		out, answer, err = a.Call.ParseInt8(body, a.echo())
	case a.Call.Endpoint == llm.Embeddings:
		out, answer, err = a.Call.ParseEmbeddings(body, a.echo())
	default:
		answer, err = a.Call.ParseAnswer(body, a.stand())
	}
	if err != nil {
		return a.noAnswer(body, answer.IsError, err)
	}
	if len(out) > max(len(body), freeBuffer) && !a.Grow(len(out)-len(body)) { // numbers are longer than base64
		return a.broken(a.run.ctx, errNoRoom)
	}
	if tells {
		a.calls.took(a.call, answer.Usage, answer.HasUsage)
	}
	a.result.Answering = a.number
	a.result.Finish, a.result.Repairs = answer.Finish, answer.Repairs
	a.result.Status, a.result.Ignored = http.StatusOK, a.applied.Ignored
	now := time.Now()
	a.result.FirstContent = now
	a.try.Whole(now.Sub(a.started), now)
	a.setHeaders(a.w.Header())
	if a.Call.Endpoint == llm.Embeddings {
		a.result.BytesOut = writeJSON(a.w, a.Caller, out)
		return nil
	}
	a.result.BytesOut = writeEdited(a.w, a.Caller, out, answer.Edits)
	return nil
}

// vain notes what an answer took that cannot be told, if it says so: it has to be paid for all the same.
func (a *attempt) vain(u llm.Usage) {
	if u != (llm.Usage{}) {
		a.calls.took(a.call, u, true)
	}
}

// noAnswer classifies a 200 whose body is an error, a web page or nothing.
func (a *attempt) noAnswer(body []byte, isError bool, err error) *failure {
	f := &failure{outcome: route.Malformed, target: a.target, status: http.StatusOK, cause: err, reason: "answered with something that is no answer"}
	switch {
	case isError:
		return a.inBand(body)
	case openai.IsHTML(body):
		f.cause = errors.New("a web page")
		a.misplace(f)
		f.reason = "answered with a web page" + strings.TrimPrefix(f.reason, "answered 200")
	case len(bytes.TrimSpace(body)) == 0:
		f.reason = "answered with nothing"
	}
	return f
}

// inBand classifies an error that came inside a 200, as a body or as an event. Vendors who answer so put the
// status that they mean into the code.
func (a *attempt) inBand(body []byte) *failure {
	var e openai.UpstreamError
	if len(body) <= maxErrorBody { // nobody has that much to say
		e = openai.ParseError(body)
	}
	status, _ := strconv.Atoi(e.Code)
	if status < 400 || status > 599 { // a code of the vendor's own
		status = a.meantStatus(e)
	}
	if status >= 400 && status < 600 {
		return a.classify(status, nil, body)
	}
	message := shorten(a.mask(e.Message))
	return &failure{
		outcome: route.Failed, target: a.target, status: http.StatusOK,
		reason: "answered with an error", said: message, cause: errors.New("an error inside a 200"),
	}
}

func (a *attempt) mask(text string) string {
	return string(openai.Mask([]byte(secret.HideKnown(a.provider.Secrets(), text))))
}

// echo is the model's name to answer with, "" to leave the upstream's.
func (a *attempt) echo() string {
	if a.Route.Model.EchoModel {
		return a.Call.Model
	}
	return ""
}

// stand is what stands in for members that the upstream leaves out.
func (a *attempt) stand() openai.Stand {
	return openai.Stand{Model: a.echo(), Asked: a.target.Model, Name: a.ID, Now: a.Started.Unix()}
}

// setHeaders puts the headers that name the target into an answer.
func (a *attempt) setHeaders(h http.Header) {
	setIgnored(h, a.applied)
	if a.Hide {
		return
	}
	if a.Explain {
		a.explain(h)
	}
	id := a.call.RequestID
	values := [...]string{a.provider.Name, a.target.Model, strconv.Itoa(a.calls.count()), id}
	h["Weir-Provider"], h["Weir-Model"], h["Weir-Attempts"] = values[0:1:1], values[1:2:2], values[2:3:3]
	if id != "" {
		h["Weir-Upstream-Request-Id"] = values[3:4:4]
	}
}
