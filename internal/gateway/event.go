package gateway

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/logging"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/trace"
)

// Event is what is known of one request. It is filled along the way by the one goroutine that serves the
// request, and logged once when that is done. docs/reference/log.md lists the fields of the log.
type Event struct {
	ID       string // minted here
	ClientID string // the caller's X-Request-Id, "" if it sent none that can be echoed

	Started  time.Time
	Ended    time.Time
	BodyWait time.Duration // spent on reading the caller's body
	Waited   time.Duration // for a place among the requests that run

	Trace trace.Context

	client client
	key    string    // the request's key, if it has no form that reveals it as one
	echoed [1]string // the header that tells the caller the request's id

	Method, Path string
	Endpoint     string           // "" for what is not relayed
	Ingress      *dialect.Ingress // nil for what is not relayed
	KeyID        string
	KeyName      string
	TeamID       string // "" without one
	TeamName     string
	Tags         []ledger.Tag
	Model        string // as the caller named it
	Route        string // the configured model that serves it; "" until it is resolved
	Stream       bool
	BytesIn      int64

	Status int
	Err    *llm.Error
	Result *relay.Result // nil if the request was not relayed

	Idempotency Idempotency // "" for a request without an Idempotency-Key

	account *account    // of the request, if it was admitted
	once    *once       // a request whose answer is to be kept, nil for others
	answer  http.Header // of the answer
	limited limited     // what its head has to say of limits
	hold    memory.Hold // what the request holds of the memory, until finish
	Counted bool        // the metrics saw it begin
	Quiet   bool        // health checks are logged at debug level
}

// begin fills in what is known at once. It fills what is there, because a copy would take stack as long as the request runs.
func (ev *Event) begin(r *http.Request, snap *Snapshot) {
	now := time.Now()
	id := newID(now)
	ev.ID, ev.Started, ev.Method, ev.Path, ev.client = id.String(), now, r.Method, r.URL.Path, clientOf(r, snap.Proxies)
	ev.Trace = traceOf(r.Header, id, snap)
}

// prepare sets the id under which the caller finds this request again.
func (ev *Event) prepare(h http.Header, r *http.Request) {
	ev.answer = h
	if id := r.Header.Get("X-Request-Id"); echoable(id) {
		ev.ClientID = secret.Hide(id)
	}
	id := ev.ID
	if ev.ClientID != "" {
		id = ev.ClientID
	}
	ev.echoed[0] = id
	h["X-Request-Id"] = ev.echoed[:]
}

// echoable reports whether a caller's request id may be repeated in a header and in a log.
func echoable(id string) bool {
	return id != "" && len(id) <= 128 && strings.IndexFunc(id, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

func (ev *Event) fail(err *llm.Error) { ev.Err = err }

// finish ends a request: a panic becomes an error, the log gets its event, the metrics their counts.
func (g *Gateway) finish(w *response, r *http.Request, ev *Event, panicked any) {
	if panicked != nil && panicked != http.ErrAbortHandler { //nolint:errorlint // recover gives a value, not an error chain
		err := llm.AsError(fmt.Errorf("panic: %v\n%s", panicked, debug.Stack()))
		ev.fail(err)
		if w.status == 0 {
			w.refuse(r, err)
			panicked = nil
		}
	}
	ev.Status, ev.Ended = w.status, time.Now()
	if ev.Status == 0 {
		ev.Status = http.StatusOK // net/http sends it with the first byte
	}
	ev.once.end(g, ev, panicked != nil)
	g.showEnd(ev, w)
	if ev.Counted {
		g.metrics.RequestDone(ev)
		if g.traces != nil && ev.Trace.Span != 0 {
			g.traces.RequestDone(ev)
		}
	}
	if panicked == nil {
		w.complete(r)
	}
	ev.write(g.log)
	w.done()
	ev.hold.End()
	if panicked != nil { // half an answer is out: only a broken connection shows the failure
		panic(http.ErrAbortHandler)
	}
}

// fields are lists of them that are used again.
var fields = sync.Pool{New: func() any { return new([]slog.Attr) }}

// write logs the event.
func (ev *Event) write(log *slog.Logger) {
	kept := fields.Get().(*[]slog.Attr)
	attrs := ev.attrs((*kept)[:0])
	if said := ev.said(); said != nil && log.Enabled(context.Background(), slog.LevelDebug) {
		attrs = append(attrs, slog.Any("upstream_said", said))
	}
	logging.Event(context.Background(), log, ev.Ended, ev.level(), "request", attrs)
	clear(attrs)
	*kept = attrs
	fields.Put(kept)
}

func (ev *Event) level() slog.Level {
	switch {
	case ev.Err != nil && ev.Err.Kind == llm.Internal:
		return slog.LevelError
	case ev.Quiet:
		return slog.LevelDebug
	case ev.Status >= 500 || ev.Result != nil && ev.Result.Cut:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

// Agent is the caller's User-Agent, "" without one.
func (ev *Event) Agent() string { return ev.client.agent }

// Concealed is the request's key, if it has no form that reveals it as one: what callers wrote may repeat it. It is "" for others.
func (ev *Event) Concealed() string { return ev.key }

// attrs appends the fields of the log event. What is not known is left out.
func (ev *Event) attrs(a []slog.Attr) []slog.Attr {
	text := func(name, value string) {
		if value != "" {
			a = append(a, slog.String(name, secret.HideOne(value, ev.key)))
		}
	}
	text("request_id", ev.ID)
	text("client_request_id", ev.ClientID)
	if ev.Trace.Parent != 0 {
		text("trace_id", ev.Trace.ID.String())
		text("span_id", ev.Trace.Parent.String())
	}
	text("client_address", ev.client.address)
	text("user_agent", ev.client.agent)
	text("method", shown(ev.Method))
	text("path", shown(ev.Path))
	text("endpoint", ev.Endpoint)
	text("key_id", ev.KeyID)
	text("key", ev.KeyName)
	text("team_id", ev.TeamID)
	text("team", ev.TeamName)
	text("model", ev.Model)
	text("route", ev.Route)
	a = append(a, slog.Int("status", ev.Status))
	if ev.Err != nil {
		text("error", ev.Err.Code())
		text("reason", secret.Hide(ev.reason()))
	}
	a = append(a, slog.Float64("duration_ms", milliseconds(ev.Ended.Sub(ev.Started))))
	if ev.Endpoint != "" {
		a = append(a, slog.Bool("stream", ev.Stream), slog.Int64("bytes_in", ev.BytesIn))
	}
	if waited := ev.WaitedFor(); waited > 0 {
		a = append(a, slog.Float64("waited_ms", milliseconds(waited)))
	}
	text("idempotency", string(ev.Idempotency))
	if ev.Result != nil {
		a = ev.appendResult(a)
	}
	return a
}

// WaitedFor is how long the request waited for places before its first attempt.
func (ev *Event) WaitedFor() time.Duration {
	if ev.Result == nil {
		return ev.Waited
	}
	return ev.Waited + ev.Result.Waited
}

// reason is what the log has about an error. It must not repeat a piece of the body, as the caller's own message and
// an upstream's words may.
func (ev *Event) reason() string {
	switch {
	case ev.Err.Kind == llm.InvalidJSON:
		return ""
	case ev.Result != nil && ev.Err == ev.Result.Err && ev.Err.Cause != nil:
		return ev.Err.Cause.Error()
	default:
		return ev.Err.Error()
	}
}

// said is what upstreams said of the failed attempts, for a log with every detail.
func (ev *Event) said() []string {
	var all []string
	if ev.Result != nil {
		for _, a := range ev.Result.Calls {
			if a.Said != "" {
				all = append(all, a.Target.String()+": "+a.Said)
			}
		}
	}
	return all
}

func (ev *Event) appendResult(a []slog.Attr) []slog.Attr {
	res := ev.Result
	if n := len(res.Calls); n > 0 {
		last := &res.Calls[n-1]
		a = append(a, slog.String("provider", last.Target.Provider), slog.String("upstream_model", secret.HideOne(last.Target.Model, ev.key)))
		if last.RequestID != "" {
			a = append(a, slog.String("upstream_request_id", last.RequestID))
		}
		a = append(a, slog.Int("attempts", res.Attempts))
		if n > res.Attempts {
			a = append(a, slog.Int("calls", n))
		}
		if n > 1 || ev.Err != nil { // for a single call that answered, the other fields say the same
			a = append(a, slog.Any("tried", ev.hideAll(tried(res))))
		}
	}
	if skipped := skipped(res.Considered); len(skipped) > 0 {
		a = append(a, slog.Any("skipped", ev.hideAll(skipped)))
	}
	if len(res.Ignored) > 0 {
		a = append(a, slog.Any("ignored_params", res.Ignored))
	}
	if res.HasUsage {
		u := res.Usage
		a = append(a,
			slog.Int64("input_tokens", u.Input()), slog.Int64("cache_read_tokens", u.CacheRead), slog.Int64("cache_write_tokens", u.CacheWrites()),
			slog.Int64("output_tokens", u.Output()), slog.Int64("reasoning_tokens", u.Reasoning))
		source := "provider"
		if res.Estimated {
			source = "counted"
		}
		a = append(a, slog.String("usage_source", source))
	}
	if res.Usage.Tier != "" {
		a = append(a, slog.String("service_tier", res.Usage.Tier))
	}
	if res.Finish != "" {
		a = append(a, slog.String("finish_reason", res.Finish))
	}
	if !res.FirstContent.IsZero() {
		a = append(a, slog.Float64("ttft_ms", milliseconds(res.FirstContent.Sub(ev.Started))))
	}
	if !res.Dispatched.IsZero() {
		a = append(a, slog.Float64("overhead_ms", milliseconds(ev.Overhead())))
	}
	return append(a, slog.Int64("bytes_out", res.BytesOut), slog.Bool("cut", res.Cut))
}

// hideAll hides the request's key in lines that name models, as the caller may have called one so.
func (ev *Event) hideAll(lines []string) []string {
	for i := range lines {
		lines[i] = secret.HideOne(lines[i], ev.key)
	}
	return lines
}

// Overhead is what Weir itself took before the first attempt was sent: everything but waiting for the
// caller's body and for places is in it. It is 0 for a request that was not relayed.
func (ev *Event) Overhead() time.Duration {
	if ev.Result == nil || ev.Result.Dispatched.IsZero() {
		return 0
	}
	return ev.Result.Dispatched.Sub(ev.Started) - ev.BodyWait - ev.WaitedFor()
}

// tried writes each call as a line: "openai/gpt-5 failed 500 12ms (upstream status 500)". Tokens used by failed calls appear nowhere
// else: "groq/llama lost 200 2s (another target was faster; 12 input and 3 output tokens)".
func tried(res *relay.Result) []string {
	lines := make([]string, 0, len(res.Calls))
	for i := range res.Calls {
		a := &res.Calls[i]
		status, reason := "", ""
		if a.Status != 0 {
			status = " " + strconv.Itoa(a.Status)
		}
		if a.Err != nil {
			reason = a.Err.Error()
		}
		if a.HasUsage && a.Attempt != res.Answering {
			tokens := fmt.Sprintf("%d input and %d output tokens", a.Usage.Input(), a.Usage.Output())
			reason = strings.TrimPrefix(reason+"; "+tokens, "; ")
		}
		if reason != "" {
			reason = " (" + reason + ")"
		}
		lines = append(lines, a.Target.String()+" "+a.Outcome+status+" "+a.Duration.Round(time.Millisecond).String()+reason)
	}
	return lines
}

// skipped names each target that was not tried and why: "openai/gpt-5 down".
func skipped(considered []route.Step) []string {
	var lines []string
	for i := range considered {
		if s := &considered[i]; s.Skip != route.NotSkipped {
			lines = append(lines, s.Target.String()+" "+s.Skip.String())
		}
	}
	return lines
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}
