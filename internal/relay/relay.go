// Package relay carries one request to the targets that may serve it and the answer back to the caller. It owns
// the attempts and the commit point. Before the first content has gone to the caller another target may be tried,
// after it no more.
package relay

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/fetch"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/trace"
)

// Request is one caller's request with all that was decided about it.
type Request struct {
	ID        string           // unique, of letters and digits: replaces ids that an upstream leaves out
	Ingress   *dialect.Ingress // the caller's dialect
	Asked     dialect.Request  // in it
	Route     route.Route
	Ask       route.Ask
	Providers map[string]*provider.Provider // has every provider that the route names
	Caller    http.Header
	Strict    bool // refuse instead of leaving parameters out
	Hide      bool // no weir-* headers but weir-ignored-params
	Explain   bool // report in a header what was tried
	Started   time.Time
	Wait      time.Duration // for a place at a target, if all are full
	Memory    Memory        // nil has room for anything; Serve may put another in front of it
	MaxAnswer int64         // bytes that are taken of an answer, after decompression; 0 takes any number
	Trace     trace.Context // that the request stands in
	Images    Images        // fetches what callers name by URL, where a provider's config allows it

	// Storing stores the answer; nil does not.
	Storing *Storing

	// Account records each call to an upstream; nil records nothing.
	Account Account

	// Settle gets the result once, when the usage of all calls is known. That is before the last byte of an answer is sent, or
	// when Serve ends without one, even with a panic. What is sent afterwards is still added to the result. nil does nothing.
	Settle func(*Result)

	// Watched lets others see how far the request has come; nil if none does.
	Watched *Watched
}

// Memory is asked before an answer takes more of it than every request may. A negative number gives bytes back. It is
// called while Serve runs, never from two goroutines at once.
type Memory interface {
	Grow(bytes int) bool
}

// Result is what became of a request.
type Result struct {
	Calls      []Call       // in the order of their start, but those of the attempt that answered come last
	Attempts   int          // at targets; one may take several calls
	Answering  int          // the number of the attempt whose answer the caller got, even if cut short; 0 if none
	Hedges     int          // second attempts that raced a late one
	HedgesWon  int          // hedges that were the first to answer
	Considered []route.Step // the targets, those that were skipped with the reason
	Status     int          // sent to the caller; 0 if no status was, and Err says why
	Err        *llm.Error   // why the request failed, nil if it did not
	Cut        bool         // the failure came after the status: the stream ended with an error event

	// Usage is what the calls of the attempt took that answered. The usage of other calls is only in those calls.
	Usage    llm.Usage
	HasUsage bool
	// Estimated says that the provider did not report all of Usage, so that Weir counted.
	Estimated bool
	Finish    string
	Ignored   []string
	Repairs   dialect.Repairs // made to the answer

	Waited       time.Duration // for a place at a target, before the first attempt
	Dispatched   time.Time     // when the first attempt was sent, zero if none was
	FirstContent time.Time     // when the first content went out, zero if none did
	BytesOut     int64
}

// Serve tries the targets of the request in order until one answers, and writes its answer to w. If none does,
// Result.Err says why; as long as no status is out (Result.Status is 0) writing the error is the caller's part.
// ctx ends when the client hangs up; if the cause of a cancellation is an *llm.Error, the caller gets that error.
// Serve returns after everything that it started has ended.
func Serve(ctx context.Context, w http.ResponseWriter, req *Request) *Result {
	run := newRun(ctx, w, req)
	defer run.close()
	if req.Asked.Scan().Stream {
		run.sink = newSink(w, &req.Ingress.Framing, req.Route.Model.Timeouts.Hold-time.Since(req.Started))
		defer run.sink.close()
		defer run.leave()
		run.share()
	}
	run.attempts()
	if run.result.Status == 0 {
		run.tell(run.tries.Steps())
	}
	return run.result
}

// close completes the result, however Serve ends.
func (r *run) close() {
	if r.settle(); r.result.Hedges > 0 { // the loser may have ended after its account was given
		r.account()
	}
	if r.sink != nil {
		r.result.BytesOut = r.sink.sent()
	}
}

// settle hands the result over, once.
func (r *run) settle() {
	if !r.calls.settle() {
		return
	}
	r.account()
	if r.Settle != nil {
		r.Settle(r.result)
	}
}

// account completes the result by what its calls came to.
func (r *run) account() {
	res := r.result
	res.Considered = r.steps()
	res.Calls, res.Attempts = r.calls.tried(res.Answering), r.calls.count()
	if res.Answering > 0 {
		res.Usage, res.HasUsage, res.Estimated = r.calls.used(res.Answering)
	}
}

// run is the state of one Serve.
type run struct {
	*Request
	ctx      context.Context
	w        http.ResponseWriter
	sink     *sink // for streams
	result   *Result
	calls    *calls // calls of the request; both runs of a race have it
	tries    route.Attempts
	last     *attempt   // the one made last
	room     room       // for what asks a target, used again for the next one
	names    [4]string  // headers of the answer that name the target
	length   [1]string  // the one that says how long it is
	failures []failure  // the last failure of each target that failed
	unfit    []failure  // failures of targets that lack the model or the endpoint
	lost     *llm.Error // why a target was skipped that cannot be sent the request
	barred   *Refused   // why a target was skipped that must not be called

	committed bool  // its attempt answers; in a race only that of the winner
	race      *race // of the running attempts
	handlers  race  // this, if it is the handler's run

	images     map[string]fetch.Image // that were fetched, by their URLs
	imageBytes int                    // what they take
}

// newRun is the handler's.
func newRun(ctx context.Context, w http.ResponseWriter, req *Request) *run {
	own := &struct {
		run
		result Result
		calls  calls
	}{}
	r := &own.run
	r.Request, r.ctx, r.w, r.result, r.calls = req, ctx, w, &own.result, &own.calls
	req.Watched.see(r.calls)
	r.race = &r.handlers
	r.race.begin(r)
	return r
}

// attempts is the one attempt loop; r.tries decides which are made.
func (r *run) attempts() {
	r.tries.Begin(r.Route, &r.Ask, time.Now())
	for more := true; more; more = r.queue() {
		for try, ok := r.tries.Next(time.Now()); ok; try, ok = r.tries.Next(time.Now()) {
			if r.try(try) {
				return
			}
		}
	}
	if r.ctx.Err() != nil {
		r.fail(Cancellation(r.ctx))
		return
	}
	r.fail(r.verdict())
}

// Await waits until a gate lets w in, ctx ends, or it is not worth waiting any longer. It returns the gate's number; if ok, w has a
// place there.
func Await(ctx context.Context, w *limit.Waiter) (number int, ok bool) {
	inVain := false
	if patience := w.Patience(); patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-w.Let():
		case <-ctx.Done():
		case <-timer.C:
			inVain = true
		}
	}
	return w.End(inVain, time.Now())
}

// queue waits for a place at a target that was passed over because it was full, and reports whether there is one now.
func (r *run) queue() bool {
	now := time.Now()
	waiter := r.tries.Queue(r.Wait, now)
	if waiter == nil {
		return false
	}
	number, ok := Await(r.ctx, waiter)
	if r.result.Dispatched.IsZero() {
		r.result.Waited += time.Since(now)
	}
	if ok {
		r.tries.Let(number)
	}
	return ok
}

// try makes one attempt, and races it with another if it is late. It reports whether the request is over, answered or
// not.
func (r *run) try(try route.Try) (over bool) {
	r.race.begin(r)
	return r.finish(r.make(try))
}

// make makes one attempt. It returns nil when the request is answered.
func (r *run) make(try route.Try) (f *failure) {
	outcome, wait, before := route.Canceled, time.Duration(0), r.calls.made() // this remains if the handler panics
	defer func() {
		if try.Target.Metered() {
			try.Used = r.calls.usedAt(try.Target, before)
		}
		r.race.ended(r, try, outcome, wait)
	}()
	if !r.pause(try.Wait) {
		return &failure{outcome: route.Canceled, target: try.Target, cause: context.Cause(r.ctx)}
	}
	if f = r.target(&try); f == nil {
		outcome = route.Answered
		return nil
	}
	outcome, wait, try.Skip, try.Silence = f.outcome, f.retryAfter, f.skip, f.silence
	return f
}

// failed notes how an attempt failed, and reports whether that ends the request.
func (r *run) failed(f *failure) bool {
	switch f.outcome {
	case route.Lost:
		return false
	case route.Skipped: // why is noted
	default:
		r.remember(f)
	}
	r.tell(nil)
	err := r.over(f)
	if err != nil {
		r.fail(err)
	}
	return err != nil
}

// pause waits, and reports whether the request goes on after it.
func (r *run) pause(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-r.ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// target makes an attempt at its target, and another if only a part of the request was refused that Weir can do without. It returns nil
// when the request is answered.
func (r *run) target(try *route.Try) *failure {
	next, f := r.prepare(try)
	if f != nil {
		return f
	}
	f = next.do()
	for range [...]refusable{askedUsage, encrypted, ownSummary} {
		if f == nil || f.refused == nothing || r.committed || r.ctx.Err() != nil { // a committed attempt has no request any more
			break
		}
		less := next.without(f.refused)
		if less == nil {
			break
		}
		refused := f.refused
		next, f = less, less.do()
		if refused == askedUsage && (f == nil || r.committed) { // otherwise it was the request: a caller can have it refused in words that name what we asked
			try.RefusedUsage()
		}
	}
	return f
}

// without is the attempt once more, without a part of the request; nil if it has no such part.
func (a *attempt) without(p refusable) *attempt {
	less := a.less(p)
	if less == nil {
		return nil
	}
	next := new(attempt)
	next.begin(a.run, a.provider, less, a.try)
	return next
}

// less is the exchange of without.
func (a *attempt) less(p refusable) exchange {
	if p == ownSummary { // any model can be asked for one in a chat
		chat, err := a.run.exchangeBy(a.provider, &a.try, table.Codec(a.provider.Dialect(a.target.Model)), new(pass))
		if err != nil || a.run.Strict && chat.loses() != "" {
			return nil
		}
		return chat
	}
	if x, ok := a.exchange.(divisible); ok {
		return x.without(p)
	}
	return nil
}

// prepare is the attempt to make, or why the target cannot be called. With another credential it is sent what was sent before.
func (r *run) prepare(try *route.Try) (*attempt, *failure) {
	if r.last != nil && r.last.target == try.Target {
		r.last = r.last.again(*try)
		return r.last, nil
	}
	target := try.Target
	p := r.Providers[target.Provider]
	if !p.CanName(target.Model) {
		return nil, r.unable(target, "has no such model")
	}
	if !p.Serves(r.Ingress.Endpoint, target.Model) && !r.asChats(p, target.Model) {
		return nil, r.unable(target, "has no "+r.Ingress.Endpoint.Path())
	}
	r.last = nil // its room is used again
	x, err := r.exchange(p, try)
	if err != nil {
		return nil, r.unsendable(target, err)
	}
	if r.Strict {
		if lost := x.loses(); lost != "" {
			return nil, r.unsendable(target, strictly(lost))
		}
	}
	r.last = &r.room.attempt
	*r.last = attempt{}
	r.last.begin(r, p, x, *try)
	return r.last, nil
}

// unable notes that a target cannot have a model of that name, or none for this endpoint.
func (r *run) unable(target *route.Target, reason string) *failure {
	r.unfit = append(r.unfit, failure{outcome: route.NoSuchModel, target: target, reason: reason})
	return &failure{outcome: route.Skipped, skip: route.NoEndpoint, target: target}
}

// unsendable notes why a target cannot be sent the request.
func (r *run) unsendable(target *route.Target, err *llm.Error) *failure {
	f := &failure{outcome: route.Skipped, target: target}
	if r.ctx.Err() == nil { // otherwise it ended while images were fetched
		r.lost, f.skip = r.named(err), route.Unsendable
	}
	return f
}

// named is an error about a parameter, which a codec names as OpenAI does, with the caller's name for it.
func (r *run) named(err *llm.Error) *llm.Error {
	if r.Ingress.Param == nil || err.Param == "" {
		return err
	}
	as := *err
	as.Param = r.Ingress.Param(err.Param)
	as.Message = strings.ReplaceAll(err.Message, "'"+err.Param+"'", "'"+as.Param+"'")
	return &as
}

// remember notes how the target failed. If a target fails several times, with other credentials or on a second
// try, the last failure counts. But a credential at its rate limit counts more than a refused one, and the
// shortest wait is kept.
func (r *run) remember(f *failure) {
	for i := range r.failures {
		before := &r.failures[i]
		if before.target != f.target {
			continue
		}
		if before.outcome == route.RateLimited && f.outcome == route.BadCredential {
			return
		}
		if before.outcome == f.outcome && before.retryAfter > 0 && (f.retryAfter == 0 || before.retryAfter < f.retryAfter) {
			f.retryAfter = before.retryAfter
		}
		*before = *f
		return
	}
	r.failures = append(r.failures, *f)
}

// over returns the error that ends the request, nil if another attempt may be made.
func (r *run) over(f *failure) *llm.Error {
	switch {
	case r.ctx.Err() != nil:
		return Cancellation(r.ctx)
	case f.outcome == route.Canceled:
		return &llm.Error{Kind: llm.Canceled, Message: "The client closed the connection, or stopped reading from it.", Cause: f.cause}
	case f.outcome == route.Refused, f.outcome == route.Moderated && !r.Route.FallsBack(route.OnContentFilter):
		return f.own
	case (f.outcome == route.Crowded || f.outcome == route.OutOfBudget) && f.own != nil:
		return f.own
	case f.outcome == route.Crowded: // another target's answer would be as large
		return &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is short of memory for an answer of this size at the moment. Send the request again.", Cause: f.cause}
	case !r.result.FirstContent.IsZero(): // the caller has read content: no other target may answer
		return verdict([]failure{*f}, r.Hide)
	}
	return nil
}

// Cancellation says why ctx ended.
func Cancellation(ctx context.Context) *llm.Error {
	if e, ok := context.Cause(ctx).(*llm.Error); ok {
		return e
	}
	return &llm.Error{Kind: llm.Canceled, Message: "The client closed the connection.", Cause: context.Cause(ctx)}
}

// fail ends the request with an error: as an event if the status of a stream is out, otherwise by leaving it to
// the caller.
func (r *run) fail(err *llm.Error) {
	r.result.Err = err
	if err.Kind == llm.Canceled {
		return // nothing listens
	}
	if r.sink == nil || !r.sink.shut() {
		return
	}
	r.result.Cut, r.result.Status = true, http.StatusOK
	r.settle()
	r.sink.fail(err)
}

// keep counts bytes that are held for as long as the request is.
func (r *run) keep(n int) bool { return r.Memory == nil || r.Memory.Grow(n) }

func noRoomToTranslate() *llm.Error {
	return &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is short of memory to translate a request of so many parts at the moment. Send it again."}
}
