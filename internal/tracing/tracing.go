// Package tracing makes spans of requests that have ended, and sends them to a collector of OpenTelemetry. Nothing of it is on the path of a
// request but the decision whether to keep it, and a copy of what is known of it into a bounded queue.
package tracing

import (
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/otlp"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/trace"
)

// Outcome is what became of a span.
type Outcome string

// The outcomes.
const (
	Sent     Outcome = "sent"     // the collector has taken it
	Rejected Outcome = "rejected" // the collector does not want it
	Failed   Outcome = "failed"   // it was given up, or the program ended before
	Dropped  Outcome = "dropped"  // too many waited
)

// Outcomes are all of them.
func Outcomes() []Outcome { return []Outcome{Sent, Rejected, Failed, Dropped} }

// Metrics counts what became of spans. It may be called from several goroutines, and must not block.
type Metrics interface {
	Spans(o Outcome, n int)
}

// Upstream is what spans say of a provider besides its name.
type Upstream interface {
	Convention() string
	Server() (host string, port int)
	Dialect(model string) llm.Dialect
}

// Terms say which requests are kept, and where their spans go.
type Terms struct {
	URL       string
	Header    http.Header // of each post, credentials included
	Slow      time.Duration
	Resource  []otlp.Attribute // in addition to what Weir says of itself, or in its place
	Transport http.RoundTripper
	Upstreams map[string]Upstream // by the names of providers
	Secrets   *secret.Mask        // what the collector may repeat of Header
}

// Options are what a Tracer needs.
type Options struct {
	Version  string // of Weir
	Instance string // names this process
	Log      *slog.Logger
	Metrics  Metrics
}

// Tracer keeps requests, and sends their spans. It is safe for concurrent use. It implements gateway.Traces.
type Tracer struct {
	o     Options
	terms atomic.Pointer[Terms] // nil keeps nothing
	many  chan struct{}         // has one if a whole batch waits

	mu    sync.Mutex // guards what follows; held for a copy at most
	queue queue
}

// New returns a Tracer that keeps nothing until it has Terms.
func New(o Options) *Tracer { return &Tracer{o: o, many: make(chan struct{}, 1)} }

// Set has requests that end from now on go by the terms, and what waits go where they say. With nil nothing is kept, and what waits is dropped.
func (t *Tracer) Set(terms *Terms) {
	t.terms.Store(terms)
	t.mu.Lock()
	defer t.mu.Unlock()
	if terms == nil {
		t.o.Metrics.Spans(Dropped, t.queue.spans())
		t.queue = queue{}
	} else if t.queue.waiting == nil {
		t.queue = newQueue(most)
	}
}

// RequestDone keeps a request that has ended, if it is to be kept. It does not wait.
func (t *Tracer) RequestDone(ev *gateway.Event) {
	terms := t.terms.Load()
	if terms == nil || !keeps(ev, terms.Slow) {
		return
	}
	t.mu.Lock()
	dropped, many := t.queue.add(ev)
	t.mu.Unlock()
	if dropped > 0 {
		t.o.Metrics.Spans(Dropped, dropped)
	}
	if many {
		select {
		case t.many <- struct{}{}:
		default:
		}
	}
}

// keeps reports whether the spans of a request are sent: those of its trace are recorded anyway, or it is worth a look. Without a key only the
// share of this Weir's own traces counts: what a traceparent says, and failures, anyone can make.
func keeps(ev *gateway.Event, slow time.Duration) bool {
	recorded := ev.Trace.Flags&trace.Sampled != 0
	if ev.KeyID == "" {
		return recorded && ev.Trace.Parent == 0
	}
	switch res := ev.Result; {
	case recorded, ev.Err != nil:
		return true
	case slow > 0 && ev.Ended.Sub(ev.Started) >= slow:
		return true
	default:
		return res != nil && (res.Cut || res.Attempts > 1)
	}
}
