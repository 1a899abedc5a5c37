// Package gateway is the public HTTP surface. It has the routes, the story of a request (serve.go), the one
// renderer of errors, and the one log event for each request.
package gateway

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/stored"
	"github.com/weirproxy/weir/internal/trace"
)

// Keys says whose key a caller presents. Authenticate is called once for each request, from many goroutines. It
// must not touch storage, and it must refuse a revoked key within a second of the revocation.
type Keys interface {
	Authenticate(presented string) (*auth.Principal, *llm.Error)
}

// Metrics counts. Its methods are called from many goroutines and must not block.
type Metrics interface {
	// RequestBegan and RequestDone frame each call of a relaying endpoint.
	RequestBegan()
	RequestDone(*Event)
}

// Traces records requests that have ended. It is called from many goroutines and must not block. What it keeps of an Event it copies.
type Traces interface {
	RequestDone(*Event)
}

// Live shows requests to those who watch. It is called from many goroutines, must not block, and may keep what it gets.
type Live interface {
	// Watched reports whether anyone watches. If not, nothing is shown.
	Watched() bool
	Began(*Running)
	Ended(*Ended)
}

// ModelLists gives the provider's own model list and whether it is known yet. It is called from many
// goroutines, and what it returns is not changed.
type ModelLists func(provider string) ([]provider.ModelInfo, bool)

// Snapshot is everything that the config file decides about requests. It is immutable; a request keeps the one
// it started with.
type Snapshot struct {
	Table     *route.Table
	Providers map[string]*provider.Provider // has every provider that the table names
	MaxBody   int64                         // bytes, after decompression
	MaxDepth  int                           // depth of a body's JSON
	MaxAnswer int64                         // bytes of an upstream's answer, after decompression

	MaxRequests int            // that are relayed at once; 0 is any number
	Wait        time.Duration  // for a place among them, and for one at a target
	Origins     []string       // that may call from a browser; none turns CORS off
	Hide        bool           // no weir-* headers but weir-ignored-params
	Proxies     []netip.Prefix // proxies that name the addresses of their clients, as the log has them
	Stored      *stored.Book   // answers that callers can go on from; nil stores none
	Images      relay.Images   // fetches those that callers name by URL; required if a provider's config allows it

	Traced     bool        // requests become spans
	TraceRatio trace.Ratio // of the traces that begin here, recorded whatever becomes of the request

	ServeUnrecorded bool // serve requests whose calls cannot be recorded
}

// Options are what a Gateway needs. All but Traces, Live, Memory, Ledger, Repeats, Budgets, Limits and Zone are required.
type Options struct {
	Keys     Keys
	Lists    ModelLists
	Usage    Usage
	Log      *slog.Logger
	Metrics  Metrics
	Traces   Traces            // records the requests of snapshots that are Traced; nil records none
	Live     Live              // shows requests as they begin and end; nil shows none
	Memory   *memory.Account   // what requests may hold; nil is any amount
	Ledger   Ledger            // records the calls; nil records nothing
	Repeats  *idempotency.Book // what becomes of requests with an Idempotency-Key; nil refuses them
	Budgets  *budget.Book      // what keys and teams may spend, which needs a Ledger; nil keeps no budgets
	Limits   limit.Source      // counts the limits of keys, teams and models for several Weirs; nil counts them for this one
	Zone     *time.Location    // whose days reports of usage go by; nil is UTC
	Snapshot *Snapshot
	Via      string // how this process names itself in Via: "1.1 weir-…"
}

// Gateway serves callers. It is an http.Handler, safe for concurrent use.
type Gateway struct {
	keys     Keys
	lists    ModelLists
	usage    Usage
	log      *slog.Logger
	metrics  Metrics
	traces   Traces
	live     Live
	memory   *memory.Account
	via      string
	snapshot atomic.Pointer[Snapshot]
	draining atomic.Bool
	places   limit.Gate // of the running requests
	limits   limits     // of keys, teams and models
	spending spending   // budgets of keys and teams
	running  requests
	books    books
	zone     *time.Location    // of reports
	repeats  *idempotency.Book // nil refuses requests with an Idempotency-Key
	counting chan struct{}     // an element for each prompt that a provider counts

	reporting *turns // of keys that ask for their usage
}

// New makes a gateway that is ready at once.
func New(o Options) *Gateway {
	g := &Gateway{keys: o.Keys, lists: o.Lists, usage: o.Usage, log: o.Log, metrics: o.Metrics, traces: o.Traces, live: o.Live, memory: o.Memory, via: o.Via}
	g.snapshot.Store(o.Snapshot)
	g.counting, g.reporting = make(chan struct{}, mostCounts), newTurns(mostReports)
	g.books.ledger, g.zone, g.repeats = o.Ledger, cmp.Or(o.Zone, time.UTC), o.Repeats
	g.books.known.Store(&map[money.ID]bool{})
	g.books.spending = &g.spending
	g.spending.book, g.spending.inForce, g.spending.wanted = o.Budgets, map[budget.Owner]*budget.Policy{}, map[budget.Owner]terms{}
	g.limits = limits{table: limit.NewShared(o.Limits), began: time.Now(), seen: &g.spending.seen}
	g.running.all = map[*running]struct{}{}
	return g
}

// Apply makes requests that begin from now on follow another snapshot.
func (g *Gateway) Apply(s *Snapshot) {
	g.snapshot.Store(s)
}

// Table is the table of models in force.
func (g *Gateway) Table() *route.Table { return g.snapshot.Load().Table }

// Provider finds a provider that requests are served by.
func (g *Gateway) Provider(name string) (*provider.Provider, bool) {
	p, ok := g.snapshot.Load().Providers[name]
	return p, ok
}

// Drain makes the gateway not ready: /readyz refuses, and each answer asks its client to open a new connection.
func (g *Gateway) Drain() { g.draining.Store(true) }

// Idle returns a channel that is closed as soon as no request is running: at once, if that is already so.
func (g *Gateway) Idle() <-chan struct{} { return g.running.whenIdle() }

// CutAll ends the running requests with an error, for the end of a drain.
func (g *Gateway) CutAll() { g.running.cut() }

// Unrecorded is how many calls were made that could not be recorded.
func (g *Gateway) Unrecorded() int64 { return g.books.unrecorded.Load() }

// Ready reports whether the gateway may take traffic.
func (g *Gateway) Ready() bool { return !g.draining.Load() }

// ServeHTTP implements http.Handler. Whatever happens inside, a panic included, ends in one answer and one log
// event, and never in the end of the process.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	busy := listener.Track(r)
	defer busy.Done()
	snap := g.snapshot.Load()
	own := new(struct { // one piece of memory
		Event
		response
	})
	ev, out := &own.Event, &own.response
	ev.begin(r, snap)
	ev.hold = g.memory.Of()
	out.begin(w, ev.Started, &ev.limited)
	defer func() { g.finish(out, r, ev, recover()) }()
	ev.prepare(out.Header(), r)
	// A chunked request may have carried a Content-Length too, which net/http drops. A proxy in front of us that used it would
	// see the end of the request elsewhere (RFC 9112 § 6.1), so nothing after the request is read. HTTP/1.0 has no chunks: there
	// net/http drops the Transfer-Encoding itself, so each such request may have carried one.
	if g.draining.Load() || len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) || listener.Parts(r) {
		out.Header()["Connection"] = []string{"close"}
	}
	boundBody(out, r)
	if cors(out.Header(), r, snap.Origins) {
		answerEarly(out, r, func() { out.WriteHeader(http.StatusNoContent) })
		return
	}
	err := g.admitHeader(out, r, ev, busy.Arrived)
	if err == nil {
		err = g.dispatch(out, r, ev, snap)
	}
	if err != nil {
		ev.fail(err)
		out.refuse(r, err)
	}
}
