// Package app builds the whole program from its config, in one straight function, and runs it. It knows no
// signals, no flags and no environment, so that tests run the real thing in their own process.
package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/alert"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/deliver"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/live"
	"github.com/weirproxy/weir/internal/logging"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/internal/source"
	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/stored"
	"github.com/weirproxy/weir/internal/telemetry"
	"github.com/weirproxy/weir/internal/tracing"
	"github.com/weirproxy/weir/web"
)

// Options are what an App is made from.
type Options struct {
	Config  *config.Config
	Log     *slog.Logger // must not block
	Version string
	Now     func() time.Time // nil is time.Now
	Memory  int64            // bytes that the process may use; 0 is any amount
	Files   int              // that it may have open; 0 is any number

	// Socket is what callers connect to, if the process was given it; nil has one opened where the config says. It is closed with the App.
	Socket net.Listener

	Host string // the machine's name, by which others know this Weir; "" is "weir"

	LogDropped func() uint64 // returns how many lines of the log were dropped; nil counts none

	// Env reads the process's environment, which may hold its identity in a cloud; nil is an empty one.
	Env func(name string) (string, bool)

	// Reread reads the config again, for a reload; nil makes reloads fail.
	Reread func(context.Context) (*config.Config, error)

	// Secrets has what the config refers to elsewhere; nil for a config without that.
	Secrets *source.Book

	// Changed, if set, is asked every few seconds whether the config would differ if it were read again, for reasons that its files
	// do not show.
	Changed func(context.Context) bool

	// Unrecorded keeps calls out of the ledger. It is there to measure what recording costs: nothing else sets it.
	Unrecorded bool

	// Watch, if set, wraps what the public listener serves: tests look at every answer there.
	Watch func(http.Handler) http.Handler
}

// App is one running Weir.
type App struct {
	log      *slog.Logger
	now      func() time.Time
	reread   func(context.Context) (*config.Config, error)
	secrets  *source.Book
	changed  func(context.Context) bool
	identity provider.Identity

	keys       *auth.Keys
	gateway    *gateway.Gateway
	metrics    *telemetry.Metrics
	memory     *memory.Account
	ledger     *ledger.Ledger
	rows       rows           // of the ledger, in the store
	copier     copier         // of the store; nil for a database that has programs for that
	zone       *time.Location // whose days reports go by
	ages       ages           // by which rows are old
	budgets    *budget.Book
	shared     limit.Source // counts limits for all replicas; nil where nothing is shared
	chores     chores       // of which one replica does each; nil where nothing is shared
	alerts     *alert.Sender
	traces     *tracing.Tracer
	unanswered atomic.Bool // calls are made that count against budgets on expected, though others who share them cannot be asked
	board      *route.Board
	lists      *lists
	stored     stored.Store // of responses
	repeats    *idempotency.Book

	connections int // that the public listener holds at most

	public  *server
	private *server
	figures *server // nil without a listener for metrics
	token   secret.Text
	simURL  string

	host      string
	version   string
	started   *config.Config             // with what needs a restart to change
	known     *store.Snapshot            // keys of the store, for a start without it
	lostAfter time.Duration              // of others that share the store; 0 for never
	sharing   *sharing                   // with others; nil where the store is not shared
	live      live.Hub[*admin.LiveEvent] // for those who watch requests

	turn sync.Mutex // held while the config is read again and applied: one reload at a time

	// Guarded by reloading, which is held while a config is applied.
	reloading sync.Mutex
	config    *config.Config // the one in force
	loaded    time.Time      // when it was read
	reloaded  *admin.Reload  // the last one; nil before the first
	providers providers
	read      string // the state that the config's files were in when they were last read, in force or not
	refused   bool   // the config had errors when it was last read

	inUse      atomic.Pointer[[]*provider.Provider] // those whose model lists are wanted
	newInUse   chan struct{}
	background sync.WaitGroup // every goroutine of the app; stopped by stopBackground
	stopped    context.Context
	halt       context.CancelFunc
	undo       []undo // steps of New and Start that Stop undoes in reverse
}

type undo struct {
	name string
	f    func() error
}

// New builds the program: everything is opened and bound, nothing is served yet. If it fails, what was opened
// is closed again. It is one function on purpose: the order of the steps is the order of the dependencies.
func New(ctx context.Context, o Options) (_ *App, err error) {
	a := &App{log: o.Log, now: o.Now, reread: o.Reread, secrets: o.Secrets, changed: o.Changed, config: o.Config, started: o.Config, version: o.Version, host: cmp.Or(o.Host, "weir"), lostAfter: time.Duration(o.Config.LostAfter), board: route.NewBoard(), newInUse: make(chan struct{}, 1)}
	if a.now == nil {
		a.now = time.Now
	}
	a.stopped, a.halt = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			err = errors.Join(err, a.unwind())
		}
	}()
	cfg := o.Config
	share := memory.Divide(cmp.Or(o.Memory, memory.Unlimited))
	a.memory = memory.NewAccount(share.Requests)
	a.metrics = telemetry.New(o.Version, a.memory)
	most := boundsOf(cfg, share, o.Files)
	a.connections = most.connections
	a.read = fingerprint(cfg.Files)

	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the data folder: %w", err)
	}
	release, err := lock(cfg.Data)
	if err != nil {
		return nil, err
	}
	a.atStop("lock", release)

	db, away, err := a.openStore(ctx, cfg)
	if err != nil {
		return nil, err
	}
	a.atStop("store", db.Close)
	a.rows = db
	a.copier, _ = db.(copier)
	served := a.forRequests(db)

	if err := a.openKeys(ctx, served, cfg, away); err != nil {
		return nil, err
	}
	a.atStop("revocations", a.saveRevocations)
	if err := a.openLedger(ctx, cfg); err != nil {
		return nil, err
	}
	if err := a.openBudgets(ctx, db, away); err != nil {
		return nil, err
	}
	a.stored = served
	a.repeats = idempotency.Open(served, idempotency.Owner{Instance: a.ledger.Instance(), Epoch: rand.Text()}, a.commonNow)
	if a.lists, err = newLists(ctx, db, a.log, away); err != nil {
		return nil, err
	}
	if a.token, err = admin.Token(cfg.Data, cfg.Admin.Token, rand.Reader); err != nil {
		return nil, err
	}
	if !secret.Minted(a.token.Reveal()) {
		a.log = logging.Hiding(a.log, secret.NewMask(nil, []string{a.token.Reveal()}))
	}
	a.loaded = a.now()
	a.metrics.Loaded(a.loaded)
	a.useSecrets(cfg)
	if o.LogDropped != nil {
		a.metrics.LogDropped(o.LogDropped)
	}

	a.alerts = alert.New(alert.Options{
		Transport: deliver.Transport(dial.New(nil), nil), Agent: "weir/" + o.Version, Log: a.log, Metrics: a.metrics, Now: a.now,
	})
	a.alerts.Set(alertTerms(cfg))

	if err := a.startSim(cfg); err != nil {
		return nil, err
	}
	instance := rand.Text()[:8]
	a.traces = tracing.New(tracing.Options{Version: o.Version, Instance: instance, Log: a.log, Metrics: a.metrics})
	a.identity = provider.Identity{UserAgent: "weir/" + o.Version, Via: "1.1 weir-" + instance, Env: o.Env}
	if a.providers, err = a.build(cfg, nil); err != nil {
		return nil, err
	}
	a.atStop("providers", func() error { a.providers.closeExcept(nil); return nil })
	traced, err := traceTerms(cfg, a.providers)
	if err != nil {
		return nil, err
	}
	a.traces.Set(traced)
	snap := a.snapshot(cfg, a.providers)
	a.wantLists(snap)
	a.gateway = gateway.New(gateway.Options{
		Keys: a.keys, Lists: a.lists.get, Usage: served, Log: a.log, Metrics: a.metrics, Traces: a.traces, Live: shownLive{a}, Memory: a.memory, Ledger: a.recorder(o.Unrecorded), Repeats: a.repeats, Budgets: a.budgets, Limits: a.shared, Zone: a.zone, Snapshot: snap, Via: a.identity.Via,
	})
	a.metrics.Routing(a.gateway.Table)
	if cfg.Metrics.GenAI {
		a.metrics.GenAI(a.upstream)
	}
	a.metrics.Ledger(a.ledger.Stats, a.gateway.Unrecorded, a.rows.Unnamed)
	if a.sharing != nil {
		a.metrics.Sharing(a.shareFigures, a.heldOfBudgets)
	}
	a.metrics.Revocations(a.keys.Unsaved, a.keys.SaveFailures)

	public := http.Handler(a.gateway)
	if o.Watch != nil {
		public = o.Watch(public)
	}
	if a.public, err = listen(cfg.Listen, o.Socket, publicSetting, public, most, a.log); err != nil {
		return nil, err
	}
	a.atStop("public listener", a.public.close)
	a.metrics.ClientsRefused(a.public.bounded.Refused)
	if err := a.listenPrivately(cfg, operators(o.Files)); err != nil {
		return nil, err
	}
	warnHTTP2(cfg, runtime.Version(), a.log)
	warnOf(cfg, a.log)
	return a, nil
}

// inUseError is what the lock of the data folder says to a second process.
func inUseError(dir string) error {
	return fmt.Errorf("another Weir is using the data folder %s; stop it, or give this one a folder of its own (data: in the config, or WEIR_DATA)", dir)
}

// listenPrivately opens the admin listener, and that for metrics if the config has one.
func (a *App) listenPrivately(cfg *config.Config, most bounds) (err error) {
	handler := a.adminHandler(cfg)
	if a.private, err = listen(cfg.Admin.Listen, nil, adminSetting, listener.Tracked(handler), most, a.log); err != nil {
		return err
	}
	a.atStop("admin listener", a.private.close)
	a.atStop("watchers", func() error { a.live.Close(); return nil })
	at := cfg.Metrics.Listen
	if at == nil {
		return nil
	}
	if a.figures, err = listen(*at, nil, metricsSetting, listener.Tracked(handler.Figures(at.Addr)), scrapers(), a.log); err != nil {
		return err
	}
	a.atStop("metrics listener", a.figures.close)
	return nil
}

// servers are the listeners there are.
func (a *App) servers() []*server {
	all := []*server{a.public, a.private}
	if a.figures != nil {
		all = append(all, a.figures)
	}
	return all
}

// adminHandler is what the admin listener serves.
func (a *App) adminHandler(cfg *config.Config) *admin.Handler {
	var console func(unknown http.Handler) http.Handler
	if cfg.Console {
		console = func(unknown http.Handler) http.Handler { return web.Handler(web.Manual(a.version, unknown)) }
	}
	return admin.New(admin.Options{
		Console: console, TokenLogin: admin.TokenLogin(cfg.Admin.TokenLogin), LoggedIn: a.metrics.LoggedIn,
		Keys: a.keys, Token: a.token, Log: a.log, Config: a.contents, Reload: a.Reload, Ready: a.gateway.Ready, Models: a.models, Limits: a.limits, Unmatched: a.unmatched, Explain: a.explain, Settings: a.settings, Reports: a.rows, Journal: a.compareJournal, Correct: a.correct, Backup: a.backup,
		Running: a.runningRequests, Cut: a.cutRequest, CallersURL: a.URL,
		Live:      &a.live,
		Providers: a.providerStates, ResetProvider: a.resetProvider,
		Now:     func() time.Time { return a.now().In(a.zone) },
		Metrics: a.metrics.Handler(), Gateway: a.gateway, MetricsToken: cfg.Metrics.Token, Listen: cfg.Admin.Listen.Addr, URL: cfg.Admin.URL,
	})
}

// startSim runs the built-in simulated provider, if the config has one, on a port of its own.
func (a *App) startSim(cfg *config.Config) error {
	if a.simURL != "" || !slices.ContainsFunc(cfg.Providers, func(p config.Provider) bool { return p.Kind == catalog.SimKind }) {
		return nil
	}
	s, err := listen(config.Listener{Addr: "127.0.0.1:0"}, nil, "kind: sim", sim.New(sim.BuiltIn()), bounds{}, a.log)
	if err != nil {
		return err
	}
	a.simURL = s.url() + "/v1"
	a.atStop("simulated provider", s.close)
	a.run("simulated provider", s.serve)
	return nil
}

// Start begins to serve and to do what is done in the background. It returns at once.
func (a *App) Start() {
	a.run("public listener", a.public.serve)
	a.run("admin listener", a.private.serve)
	if a.figures != nil {
		a.run("metrics listener", a.figures.serve)
	}
	a.background.Go(func() {
		keepFresh(a.stopped, func() []*provider.Provider { return *a.inUse.Load() }, a.lists.refresh, a.newInUse)
	})
	a.background.Go(func() { a.watch(a.stopped) })
	a.background.Go(func() { a.keys.Persist(a.stopped, a.log) })
	a.background.Go(func() { a.keys.Follow(a.stopped, followEvery, a.log) })
	a.background.Go(func() { stored.Expire(a.stopped, a.stored, a.now, a.log) })
	a.background.Go(func() { a.repeats.Expire(a.stopped, a.log) })
	a.background.Go(func() { a.forget(a.stopped) })
	a.background.Go(func() { a.reach(a.stopped) })
	a.background.Go(func() { a.keepSnapshot(a.stopped) })
	a.background.Go(func() { a.alerts.Run(a.stopped) })
	a.background.Go(func() { a.traces.Run(a.stopped) })
	a.background.Go(func() { a.public.bounded.LogRefused(a.stopped, a.log) })
	a.background.Go(func() { a.ask(a.stopped) })
}

// run serves in the background. Failing to accept connections is nothing that the rest can make up for, but
// ending the process would cut the requests that still run.
func (a *App) run(name string, serve func() error) {
	a.background.Go(func() {
		if err := serve(); err != nil {
			a.log.Error("a listener has failed; restart Weir", "listener", name, "reason", err.Error())
		}
	})
}

// Stop ends the program in the way that the config's drain says. At once it is not ready. New requests are still
// served during the delay. Then the listener closes. As long as requests run, and for a moment more, requests are served
// on connections that are open: a balancer that checks no /readyz may use one just then, such as one whose stream
// has ended, and cannot know whether its request was served. Requests that still run after the timeout end with an
// error. Cancelling ctx skips the waiting.
func (a *App) Stop(ctx context.Context) error { return a.stop(ctx, nil) }

// StopIdle is Stop at a terminal, where no load balancer looks: the delay is over as soon as no request runs.
func (a *App) StopIdle(ctx context.Context) error { return a.stop(ctx, a.gateway.Idle()) }

func (a *App) stop(ctx context.Context, idle <-chan struct{}) error {
	drain := a.currentConfig().Drain
	a.gateway.Drain()
	wait(ctx, time.Duration(drain.Delay), idle)
	patience, cancel := context.WithTimeout(ctx, time.Duration(drain.Timeout))
	defer cancel()
	a.public.refuse()
	wait(patience, time.Duration(drain.Timeout), a.gateway.Idle())
	wait(patience, min(time.Duration(drain.Delay), unused), idle)
	if err := a.public.http.Shutdown(patience); err != nil { // requests are still running
		a.gateway.CutAll()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), cutGrace)
		defer cancel()
		_ = a.public.http.Shutdown(last) // what does not end by then is closed below
	}
	return a.unwind()
}

// unused is how long connections that no request uses stay open after the listener has closed.
const unused = time.Second

// cutGrace is how long a request that is cut may take to say so to its client.
const cutGrace = 2 * time.Second

// wait waits for d, or until ctx ends or enough is closed.
func wait(ctx context.Context, d time.Duration, enough <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-enough:
	case <-timer.C:
	}
}

// atStop registers the undoing of the step just done.
func (a *App) atStop(name string, f func() error) { a.undo = append(a.undo, undo{name, f}) }

// unwind undoes the steps, the last first, and waits for every goroutine. A running reload ends before, and no other begins after
// it, because its effects would not be undone.
func (a *App) unwind() error {
	a.endReloads()
	var errs []error
	for _, u := range slices.Backward(a.undo) {
		if u.name == "lock" || u.name == "store" {
			a.background.Wait() // nothing may use them any more
		}
		if err := u.f(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", u.name, err))
		}
	}
	a.undo = nil
	a.background.Wait()
	return errors.Join(errs...)
}

// endReloads has a reload that reads the config now give up, and waits until it has.
func (a *App) endReloads() {
	a.halt()
	a.turn.Lock()
	defer a.turn.Unlock()
}

// close ends the server and its connections at once.
func (s *server) close() error { return s.http.Close() }

func (a *App) currentConfig() *config.Config {
	a.reloading.Lock()
	defer a.reloading.Unlock()
	return a.config
}

// files are those of the config in force, the state in which they were last read, and whether they had errors then.
func (a *App) files() (names []string, read string, refused bool) {
	a.reloading.Lock()
	defer a.reloading.Unlock()
	return a.config.Files, a.read, a.refused
}

// URL is where callers reach the gateway from this machine, without /v1.
func (a *App) URL() string { return a.public.url() }

// AdminURL is where the admin API is reached from this machine.
func (a *App) AdminURL() string { return a.private.url() }

// MetricsURL is the URL of the metrics listener from this machine, "" without one.
func (a *App) MetricsURL() string {
	if a.figures == nil {
		return ""
	}
	return a.figures.url()
}

// AdminToken is the bearer token of the admin API.
func (a *App) AdminToken() secret.Text { return a.token }

// Keys is the key service, for the first key of a first start.
func (a *App) Keys() *auth.Keys { return a.keys }
