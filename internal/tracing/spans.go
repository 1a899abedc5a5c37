package tracing

import (
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/genai"
	"github.com/weirproxy/weir/internal/otlp"
	"github.com/weirproxy/weir/internal/secret"
)

// appendSpans appends those of a record: the request's own, and one for each call.
func (r *record) appendSpans(all []otlp.Span, upstreams map[string]Upstream) []otlp.Span {
	own := otlp.Span{
		Trace: r.trace.ID, ID: r.trace.Span, Parent: r.trace.Parent, Flags: r.trace.Flags, Remote: r.trace.Parent != 0,
		Name: method + " " + routeOf(r.ingress), Kind: otlp.Server, Start: r.start, End: r.start + int64(r.took), Attributes: r.attributes(),
		Failed: r.status >= 500 || r.cut, // the caller's own errors are none of the server's
	}
	all = append(all, own)
	for i := range r.calls {
		all = append(all, r.span(&r.calls[i], upstreams[r.calls[i].target.Provider]))
	}
	return all
}

// method is that of every request that becomes a span: endpoints which call models take no other.
const method = http.MethodPost

// routeOf is the path of an endpoint, with {model} for what callers choose.
func routeOf(in *dialect.Ingress) string {
	if table.At(in.Path) != nil {
		return "/v1/" + in.Path
	}
	return "/v1beta/models/{model}:" + in.Path
}

// list is a list of attributes that grows.
type list []otlp.Attribute

func (l *list) text(name, value string) {
	if value != "" {
		*l = append(*l, otlp.String(name, value))
	}
}

func (l *list) number(name string, value int64) { *l = append(*l, otlp.Int(name, value)) }

func (l *list) positive(name string, value int64) {
	if value > 0 {
		l.number(name, value)
	}
}

func (l *list) flag(name string, value bool) {
	if value {
		*l = append(*l, otlp.Bool(name, true))
	}
}

func (l *list) milliseconds(name string, d time.Duration) {
	if d > 0 {
		*l = append(*l, otlp.Float(name, float64(d.Round(time.Microsecond))/float64(time.Millisecond)))
	}
}

// attributes are those of the request's own span.
func (r *record) attributes() []otlp.Attribute {
	l := make(list, 0, 24)
	l.text("http.request.method", method)
	l.text("http.route", routeOf(r.ingress))
	l.number("http.response.status_code", int64(r.status))
	l.text("url.path", r.hide(string(r.path)))
	l.text("user_agent.original", r.hide(r.agent))
	l.text("error.type", r.code)
	l.text("weir.request.id", r.id)
	l.text("weir.client_request.id", r.hide(r.clientID))
	l.text("weir.key.id", r.keyID)
	l.text("weir.team", r.team)
	l.text("weir.model", r.model)
	l.flag("weir.stream", r.stream)
	l.flag("weir.cut", r.cut)
	l.text("weir.idempotency", string(r.idempotency))
	l.milliseconds("weir.waited_ms", r.waited)
	if r.made == 0 {
		return l
	}
	l.number("weir.attempts", int64(r.attempts))
	l.positive("weir.hedges", int64(r.hedges))
	if r.made > r.attempts {
		l.number("weir.calls", int64(r.made))
	}
	l.milliseconds("weir.overhead_ms", r.overhead)
	l.milliseconds("weir.first_content_ms", r.content)
	if cost, known := r.cost(); known {
		l.number("weir.cost.nanodollars", cost)
	}
	l.text("weir.usage.source", r.usageSource())
	return l
}

// hide hides keys in what a caller wrote.
func (r *record) hide(text string) string {
	return secret.HideOne(secret.Hide(text), r.concealed)
}

// cost is what the calls cost together. It is known if it is of each that took anything, and all were kept.
func (r *record) cost() (sum int64, known bool) {
	if r.made != len(r.calls) {
		return 0, false
	}
	for i := range r.calls {
		if c := &r.calls[i]; c.has {
			if !c.priced {
				return 0, false
			}
			sum, known = sum+c.cost, true
		}
	}
	return sum, known
}

// usageSource says who counted the tokens of the attempt that answered: the provider, or Weir for lack of that; "" without usage.
func (r *record) usageSource() (source string) {
	for i := range r.calls {
		switch c := &r.calls[i]; {
		case c.attempt != r.answering || !c.has:
		case c.counted:
			return counted
		default:
			source = reported
		}
	}
	return source
}

// Who counted the tokens of a call.
const reported, counted = "provider", "counted"

// span is that of a call.
func (r *record) span(c *call, up Upstream) otlp.Span {
	model := r.hide(c.target.Model)
	operation, system := genai.OperationOf(r.ingress.Endpoint, r.ingress.Dialect), c.target.Provider
	l := make(list, 0, 24)
	if up != nil {
		operation, system = genai.OperationOf(r.ingress.Endpoint, up.Dialect(c.target.Model)), up.Convention()
		host, port := up.Server()
		l.text("server.address", host)
		l.number("server.port", int64(port))
	}
	l.text(genai.Operation, operation)
	l.text(genai.Provider, system)
	l.text(genai.RequestModel, model)
	l.flag(genai.RequestStream, r.stream)
	l.text(genai.ResponseModel, r.hide(c.answeredBy))
	if c.attempt == r.answering && r.finish != "" {
		l = append(l, otlp.Strings(genai.FinishReasons, r.finish))
	}
	if r.stream && c.first > 0 {
		l = append(l, otlp.Float(genai.TimeToFirstChunk, c.first.Seconds()))
	}
	l.used(c)
	if c.failed {
		l.text("error.type", c.outcome)
	}
	l.positive("http.response.status_code", int64(c.status))
	l.text("weir.provider", c.target.Provider)
	l.number("weir.attempt", int64(c.attempt))
	l.text("weir.outcome", c.outcome)
	l.text("weir.upstream_request.id", c.requestID)
	return otlp.Span{
		Trace: r.trace.ID, ID: c.span, Parent: r.trace.Span, Flags: r.trace.Flags, Name: operation + " " + model, Kind: otlp.Client,
		Start: c.start, End: c.start + int64(c.took), Attributes: l, Failed: c.failed,
	}
}

// used adds what a call took. The totals of the conventions include the parts.
func (l *list) used(c *call) {
	if !c.has {
		return
	}
	u := &c.usage
	l.number(genai.InputTokens, u.Input())
	l.positive(genai.CacheRead, u.CacheRead)
	l.positive(genai.CacheCreation, u.CacheWrites())
	l.positive(genai.AudioIn, u.AudioIn)
	l.positive(genai.ImageIn, u.ImageIn)
	l.number(genai.OutputTokens, u.Output())
	l.positive(genai.Reasoning, u.Reasoning)
	l.positive(genai.AudioOut, u.AudioOut)
	if c.counted {
		l.text("weir.usage.source", counted)
	} else {
		l.text("weir.usage.source", reported)
	}
	if c.priced {
		l.number("weir.cost.nanodollars", c.cost)
	}
}
