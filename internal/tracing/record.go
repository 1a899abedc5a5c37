package tracing

import (
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/trace"
)

// Bounds of what is kept of one request.
const (
	mostCalls = 16  // those that began last
	mostPath  = 256 // bytes of its path
)

// record is what is kept of a request that has ended. It holds nothing of the request itself, which may be large.
type record struct {
	trace            trace.Context
	id, clientID     string
	start            int64 // nanoseconds since 1970
	took             time.Duration
	overhead, waited time.Duration
	content          time.Duration // from the start to the first content, 0 without any
	path             []byte        // a copy: the event's is a piece of the request's first line, whose query may be long
	agent            string
	concealed        string // a key that what the caller wrote may repeat
	ingress          *dialect.Ingress
	keyID, team      string
	model            string // as configured
	idempotency      gateway.Idempotency
	status           int
	code             string // of the error
	stream, cut      bool
	attempts, hedges int
	answering        int // the number of the attempt that answered
	made             int // calls, also those that are not kept
	finish           string

	calls []call
	first [1]call // where the first is kept: most requests make no other
}

// call is what is kept of a call to an upstream.
type call struct {
	span         trace.SpanID
	target       *route.Target
	start        int64
	took, first  time.Duration
	attempt      int
	outcome      string
	status       int
	requestID    string
	answeredBy   string
	usage        llm.Usage
	failed       bool
	has, counted bool // counted: by Weir
	cost         int64
	priced       bool // cost is known
}

// fill makes r the record of a request.
func (r *record) fill(ev *gateway.Event) {
	r.trace, r.id, r.clientID = ev.Trace, ev.ID, ev.ClientID
	r.start, r.took, r.overhead, r.waited = ev.Started.UnixNano(), ev.Ended.Sub(ev.Started), ev.Overhead(), ev.WaitedFor()
	r.agent, r.concealed, r.ingress = ev.Agent(), ev.Concealed(), ev.Ingress
	path := ev.Path
	if len(path) > mostPath {
		path = strings.ToValidUTF8(cut(r.hide(path)), "\uFFFD") + "…" // half a key has not its form
	}
	r.path = append(r.path[:0], path...)
	r.keyID, r.team, r.model, r.idempotency = ev.KeyID, ev.TeamName, ev.Route, ev.Idempotency
	r.status, r.stream = ev.Status, ev.Stream
	r.code, r.content, r.cut, r.finish = "", 0, false, ""
	r.attempts, r.hedges, r.answering, r.made = 0, 0, 0, 0
	r.calls = r.first[:0]
	if ev.Err != nil {
		r.code = ev.Err.Code()
	}
	res := ev.Result
	if res == nil {
		return
	}
	r.cut, r.finish, r.attempts, r.hedges, r.answering, r.made = res.Cut, res.Finish, res.Attempts, res.Hedges, res.Answering, len(res.Calls)
	if !res.FirstContent.IsZero() {
		r.content = res.FirstContent.Sub(ev.Started)
	}
	kept := res.Calls[max(len(res.Calls)-mostCalls, 0):]
	if len(kept) > len(r.first) {
		r.calls = make([]call, 0, len(kept))
	}
	r.calls = r.calls[:len(kept)]
	for i := range kept {
		r.calls[i].fill(&kept[i])
	}
}

// cut is the beginning of a text.
func cut(text string) string { return text[:min(len(text), mostPath)] }

// fill makes c what is kept of a call.
func (c *call) fill(of *relay.Call) {
	c.span, c.target, c.start, c.took, c.first = of.Span, of.Target, of.Started.UnixNano(), of.Duration, of.First
	c.attempt, c.outcome, c.status, c.requestID, c.answeredBy = of.Attempt, of.Outcome, of.Status, of.RequestID, of.AnsweredBy
	c.failed = of.Failed()
	c.usage, c.has, c.counted = of.Usage, of.HasUsage, of.Estimated
	c.cost, c.priced = of.Charge.Cost, of.HasUsage && of.Charge.Source != money.Unpriced
}
