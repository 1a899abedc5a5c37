package relay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/dialect/refusal"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/trace"
)

// attempt is the state of one try at a target.
type attempt struct {
	run      *run
	provider *provider.Provider
	target   *route.Target
	try      route.Try
	exchange exchange
	refusals *refusal.Vendor // how its errors are read
	carrier  *dialect.Codec  // in whose frames the payloads of the caller's dialect come; nil for none
	codec    *dialect.Codec  // codec of its exchange, nil if the caller's own bytes pass

	number    int        // among the request's attempts, from 1
	call      *Call      // the one under way; of calls that are made side by side, the first
	head      *llm.Usage // what the head of its answer says that it took, nil if nothing
	applied   dialect.Applied
	asksUsage bool // for a stream, on Weir's own account
	started   time.Time
	cancel    context.CancelCauseFunc // for streams, which end for reasons of their own
	watch     *watch                  // for streams
	room      sync.Mutex              // guards counted, and keeps Memory to one goroutine at a time
	counted   int                     // bytes of Memory that the attempt holds
	sent      int                     // Changes for what is sent
}

// begin makes a, which is new, an attempt at a target.
func (a *attempt) begin(r *run, p *provider.Provider, x exchange, try route.Try) {
	a.run, a.provider, a.target, a.try, a.exchange = r, p, try.Target, try, x
	a.refusals, a.carrier = r.readBy(x, p, try.Target.Model)
}

// again is another attempt at the same target.
func (a *attempt) again(try route.Try) *attempt {
	next := new(attempt)
	next.begin(a.run, a.provider, a.exchange, try)
	return next
}

// room is what a run asks one target after the other with. Only the one asked last is in it, so that nothing of the others is held.
type room struct {
	attempt attempt
	pass    pass
}

// Bounds on what is taken from an upstream, which is trusted no more than a caller.
const (
	maxErrorBody = 1 << 20
	maxPending   = 64 << 10 // events kept back before the first content

	// An embedding may take this much, whatever limits.answer says: 4,096 numbers of 20 digits are 90 KB. The APIs
	// that document how many inputs they take in one call take 2,048.
	maxVector, maxVectors = 128 << 10, 2048
)

// maxAnswer is how many bytes are taken of an answer: what is allowed, or what was asked for if that is more.
func (r *run) maxAnswer() int64 {
	switch {
	case r.MaxAnswer == 0:
		return 1 << 40
	case r.Asked.Scan().Endpoint != llm.Embeddings:
		return r.MaxAnswer
	default:
		return max(r.MaxAnswer, int64(min(r.Asked.Scan().Inputs, maxVectors))*maxVector)
	}
}

// do makes the attempt and relays its answer. It returns nil when the request is answered.
func (a *attempt) do() *failure {
	r := a.run
	defer a.release()
	a.started = time.Now()
	if r.result.Dispatched.IsZero() {
		r.result.Dispatched = a.started
	}
	a.number = r.calls.attempt()
	ended := abandoned // this remains if the handler panics
	defer func() { r.calls.endAttempt(a.number, ended) }()
	a.watchFor()
	ctx := r.ctx
	if r.Asked.Scan().Stream {
		ctx, a.cancel = context.WithCancelCause(ctx)
		defer a.cancel(nil)
		timeouts := &r.Route.Model.Timeouts
		a.watch = newWatch(r.firstToken(), timeouts.Idle, a.cancel, r.sink)
		defer a.watch.stop()
	}
	f := a.exchange.run(ctx, a)
	if f != nil && f.outcome == route.Skipped && r.calls.unmade(a.number) {
		r.result.Dispatched = time.Time{}
	}
	if f != nil && r.beaten() {
		f = a.outrun(f)
	}
	if f != nil && f.outcome == route.Canceled && !r.committed {
		f.silence = route.Silence{Lasted: time.Since(a.started), Whole: !r.Asked.Scan().Stream}
	}
	ended = f
	return f
}

// dialect is that of the calls.
func (a *attempt) dialect() llm.Dialect {
	if a.codec == nil {
		return a.run.Ingress.Dialect
	}
	return a.provider.Dialect(a.target.Model)
}

// firstToken is how long the first content of a stream is waited for: by default no longer than the caller's client does.
func (r *run) firstToken() time.Duration {
	t := &r.Route.Model.Timeouts
	if p := r.Ingress.Patience; t.Usual && p > 0 {
		return min(t.FirstToken, p)
	}
	return t.FirstToken
}

// abandoned is how a call ends if a panic takes its goroutine away from it.
var abandoned = &failure{outcome: route.Canceled, ends: Cut}

// open makes a call, and returns its answer when its head is there and says that it is one. size is about how much memory the
// sent body takes in addition to the caller's, and heard about how many bytes of it the model reads.
func (a *attempt) open(ctx context.Context, e llm.Endpoint, body dialect.Body, size, heard int) (*http.Response, *failure) {
	if size > freeBuffer {
		if !a.Grow(size) {
			return nil, a.broken(ctx, errNoRoom)
		}
		a.sent += size
	}
	call, f := a.begun(tokensOf(int64(heard)), body)
	if f != nil {
		return nil, f
	}
	a.call, a.head = call, nil
	resp, f := a.send(ctx, call, e, body)
	if f == nil {
		a.head = headUsage(resp.Header)
	}
	return resp, f
}

// send makes a call that has begun.
func (a *attempt) send(ctx context.Context, c *Call, e llm.Endpoint, body dialect.Body) (*http.Response, *failure) {
	r := a.run
	resp, err := a.provider.Do(ctx, provider.Call{
		Endpoint: e, Model: a.target.Model, Body: body, Stream: r.Asked.Scan().Stream,
		Credential: a.try.Credential, Caller: r.Caller, Dialect: a.dialect(), Own: a.codec == nil, ConnectTimeout: r.Route.Model.Timeouts.Connect,
		Trace: a.traced(c),
	})
	if err != nil {
		return nil, a.broken(ctx, err)
	}
	r.calls.heard(c, resp.StatusCode, a.upstreamRequestID(resp.Header))
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, a.refusal(ctx, resp)
	}
	return resp, nil
}

// traced is what a call says of the trace that it is part of, nil for nothing.
func (a *attempt) traced(c *Call) *provider.Trace {
	t := &a.run.Trace
	if t.ID == (trace.ID{}) || !a.provider.Traced() {
		return nil
	}
	told := &provider.Trace{Parent: t.Traceparent(cmp.Or(c.Span, t.Parent))}
	if t.Parent != 0 {
		told.State = a.run.Caller["Tracestate"]
	}
	return told
}

// whole reads a complete answer and has it taken. What of it is kept must be copied.
func (a *attempt) whole(ctx context.Context, resp *http.Response, room Memory, take func(body []byte) *failure) *failure {
	buf := getBuffer()
	defer buf.release()
	if err := buf.read(resp.Body, resp.ContentLength, a.run.maxAnswer(), room); err != nil {
		return a.broken(ctx, err)
	}
	return take(buf.text())
}

// commit notes that this attempt answers.
func (a *attempt) commit(now time.Time) {
	a.run.committed = true
	res := a.run.result
	res.Answering, res.Status, res.FirstContent, res.Ignored = a.number, http.StatusOK, now, a.applied.Ignored
}

// settle completes the account of the request: what the caller is sent afterwards is the end of its answer.
func (a *attempt) settle() {
	a.run.calls.endAttempt(a.number, nil)
	a.run.settle()
}

// deliver sends a complete answer.
func (a *attempt) deliver(body []byte) {
	now := time.Now()
	a.commit(now)
	a.run.calls.began(a.call, now)
	a.try.Whole(now.Sub(a.started), now)
	a.setHeaders(a.run.w.Header())
	a.settle()
	a.run.result.BytesOut = a.run.writeJSON(a.run.Storing.answer(body))
}

// forget lets go of what only calls need, once no other will be made.
func (a *attempt) forget() {
	a.Grow(-a.sent)
	a.sent = 0
	a.run.letGo()
}

// apply notes what the caller must know about the body that is sent.
func (a *attempt) apply(o *order, applied dialect.Applied) {
	if o.replaced != "" {
		applied.Ignored = append(applied.Ignored, o.replaced)
	}
	a.applied = dialect.Applied{Ignored: announced(applied.Ignored), Renamed: applied.Renamed}
}

// begun is a call that begins, whose prompt has about so many tokens, or why it must not be made.
func (a *attempt) begun(prompt int64, body dialect.Body) (*Call, *failure) {
	c := a.run.calls.room() // filled in place: a copy would take stack that the goroutine of a stream then keeps
	c.Target, c.Credential, c.Attempt, c.Started = a.target, a.try.Credential, a.number, time.Now()
	c.Prompt, c.Answers, c.Waited = prompt, a.run.Ingress.Endpoint != llm.Embeddings, a.run.result.Waited
	c.Uncounted = a.provider.UncountedReasoning()
	if a.run.calls.opens(a.number) {
		c.Passed = a.run.passed()
	}
	if a.run.Trace.Span != 0 {
		c.Span = trace.SpanOf(rand.Uint64())
	}
	if why := a.run.calls.begin(a.run.Account, c, Sent{Dialect: a.dialect(), body: body, room: a}); why != nil {
		return nil, a.barred(why)
	}
	return c, nil
}

// barred is how an attempt ends whose call must not be made. Once the caller has content, no other target may be called instead.
func (a *attempt) barred(why *Refused) *failure {
	r := a.run
	if why.Skip == route.NotSkipped || r.committed {
		return &failure{outcome: route.OutOfBudget, target: a.target, reason: "was not called", own: why.Err, cause: why.Err}
	}
	if r.barred == nil || why.Rank < r.barred.Rank {
		r.barred = why
	}
	return &failure{outcome: route.Skipped, skip: why.Skip, target: a.target}
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
	if errors.As(err, &unsent) || errors.As(err, &lacking) {
		f.ends = Unsent
	}
	switch cause := context.Cause(ctx); {
	case a.overdue():
		f.outcome, f.reason = route.TimedOut, "did not answer in time"
		f.ends |= TimedOut
	case a.run.ctx.Err() != nil:
		f.outcome = route.Canceled
		f.ends |= endedBy(a.run.ctx)
	case cause == errFirstToken || cause == errIdle:
		f.outcome, f.reason, f.cause = route.TimedOut, cause.Error(), cause
		f.ends |= TimedOut
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
		f.outcome, f.reason = route.Crowded, "sent an answer that does not fit into memory"
		f.ends |= Cut
	case errors.Is(err, errTooLarge) || errors.Is(err, sse.ErrEventTooLarge) || errors.Is(err, eventstream.ErrTooLarge):
		f.outcome, f.reason = route.Malformed, fmt.Sprintf("sent an answer larger than the %d bytes that Weir takes (limits.answer)", a.run.maxAnswer())
		f.ends |= Cut
	default:
		f.ends |= Truncated // if the answer had begun; see failure.ran
	}
	return f
}

// endedBy says what ended a request before its answer was whole.
func endedBy(ctx context.Context) Ends {
	switch Cancellation(ctx).Kind {
	case llm.Canceled:
		return Cancelled
	case llm.Timeout:
		return TimedOut
	default: // a revocation, the end of a drain
		return Cut
	}
}

// overdue reports whether the request ended by its model's limit, and this attempt had at least half of that time and brought no
// content. That counts against the target, as first_token does. A caller's own limit does not, nor does the rest of the model's
// limit after others had used most of it.
func (a *attempt) overdue() bool {
	end, ok := context.Cause(a.run.ctx).(*llm.Error)
	total := a.run.Route.Model.Timeouts.Total
	return ok && end.Kind == llm.Timeout && total > 0 && time.Since(a.run.Started) >= total && 2*time.Since(a.started) >= total && !a.run.committed
}

// refusal takes an answer that is not a 200.
func (a *attempt) refusal(ctx context.Context, resp *http.Response) *failure {
	buf := getBuffer()
	defer buf.release()
	err := buf.read(io.LimitReader(resp.Body, maxErrorBody), -1, maxErrorBody, a)
	if err != nil && (len(buf.data) == 0 || errors.Is(err, errNoRoom)) {
		return a.broken(ctx, err)
	}
	f := a.classify(a.refusals.StatusOf(resp.StatusCode, resp.Header, buf.text()), resp.Header, bytes.Clone(buf.text()))
	if f.outcome == route.BadCredential && f.status == http.StatusUnauthorized && a.provider.Renews(resp) {
		f.outcome = route.StaleCredential
	}
	// The caller is sent it when the attempt is over.
	if f.own != nil && len(buf.data) > freeBuffer && !a.keep(len(buf.data)) {
		return a.broken(ctx, errNoRoom)
	}
	return f
}

// keep counts bytes that outlive the attempt.
func (a *attempt) keep(n int) bool {
	a.room.Lock()
	defer a.room.Unlock()
	return a.run.keep(n)
}

// took notes the usage of a call; reported is false if the upstream reported only the tier.
func (a *attempt) took(c *Call, u llm.Usage, reported bool) {
	u.Bound()
	a.run.calls.took(c, &u, a.charge(&u, reported), reported, false)
}

// estimated notes the usage that Weir counts for a call, because its upstream does not report it.
func (a *attempt) estimated(c *Call, u llm.Usage) {
	u.Bound()
	a.run.calls.took(c, &u, a.charge(&u, true), true, true)
}

// answeredBy notes which model answers a call, by the upstream's name of it. Secrets in it are hidden.
func (a *attempt) answeredBy(c *Call, model string) {
	if model != "" {
		a.run.calls.named(c, secret.HideKnown(a.provider.Secrets(), model))
	}
}

// charge is what a usage costs at this target: nothing if none was reported.
func (a *attempt) charge(u *llm.Usage, reported bool) money.Charge {
	if !reported {
		return money.Charge{}
	}
	return a.target.Facts.Price.Charge(u, a.provider.Bills())
}

// spent records the usage of an answer that could not be relayed, if it reports any. It is billed anyway.
func (a *attempt) spent(u llm.Usage) {
	switch {
	case u.Absurd:
		a.estimated(a.call, countedUsage(a.run.Asked.Scan().Heard, 0, &u))
	case isReported(u):
		a.took(a.call, u, true)
	}
}

// unreadable classifies a 200 that cannot be translated.
func (a *attempt) unreadable(body []byte, err error) *failure {
	if errors.Is(err, errNoRoom) {
		return a.broken(a.run.ctx, err)
	}
	f := a.noAnswer(body, errors.Is(err, llm.ErrError), err)
	a.quote(f, err)
	return f
}

// quote completes a failure with the upstream's own words: the model ended its answer with them.
func (a *attempt) quote(f *failure, err error) {
	var ended *llm.EndedError
	if errors.As(err, &ended) {
		f.reason, f.said = "ended its answer with "+ended.Reason, shorten(a.mask(ended.Said))
	}
}

// noAnswer classifies a 200 whose body is an error, a web page or nothing.
func (a *attempt) noAnswer(body []byte, isError bool, err error) *failure {
	f := &failure{outcome: route.Malformed, target: a.target, status: http.StatusOK, void: true, cause: err, reason: "answered with something that is no answer"}
	switch {
	case isError:
		return a.inBand(body)
	case refusal.IsHTML(body):
		f.cause = errors.New("a web page")
		a.misplace(f)
		f.reason = "answered with a web page" + strings.TrimPrefix(f.reason, "answered 200")
	case len(bytes.TrimSpace(body)) == 0:
		f.reason = "answered with nothing"
	}
	return f
}

// inBand classifies an error that came inside a 200, as a body or as an event.
func (a *attempt) inBand(body []byte) *failure {
	e, status := a.refusals.Inside(body)
	if status != 0 {
		f := a.classify(status, nil, body)
		f.void = true
		return f
	}
	message := shorten(a.mask(e.Message))
	return &failure{
		outcome: route.Failed, target: a.target, status: http.StatusOK, void: true,
		reason: "answered with an error", said: message, cause: errors.New("an error inside a 200"),
	}
}

func (a *attempt) mask(text string) string {
	return string(refusal.Mask([]byte(secret.HideKnown(a.provider.Secrets(), text))))
}

// echo is the model's name to answer with, "" to leave the upstream's.
func (r *run) echo() string {
	if r.Route.Model.EchoModel {
		return r.Asked.Scan().Model
	}
	return ""
}

// stand has replacements for members that the upstream leaves out.
func (a *attempt) stand() dialect.Stand {
	return dialect.Stand{Echo: a.run.echo(), Asked: a.target.Model, Name: a.run.ID, Now: a.run.Started.Unix()}
}

// setHeaders puts the headers that name the target into an answer.
func (a *attempt) setHeaders(h http.Header) {
	setIgnored(h, a.applied)
	if a.run.Hide {
		return
	}
	if a.run.Explain {
		a.explain(h)
	}
	id := a.call.RequestID
	values := &a.run.names
	*values = [...]string{a.provider.Name, a.target.Model, strconv.Itoa(a.run.calls.count()), id}
	h["Weir-Provider"], h["Weir-Model"], h["Weir-Attempts"] = values[0:1:1], values[1:2:2], values[2:3:3]
	if id != "" {
		h["Weir-Upstream-Request-Id"] = values[3:4:4]
	}
	if cost := a.run.calls.cost(); cost.Known && !a.run.Asked.Scan().Stream { // that of a stream is known at its end
		h["Weir-Cost"] = []string{money.Dollars(cost.Nanodollars)}
	}
}
