// Package admin is the admin API and its Go client. The API manages keys and teams, shows models and what was used, and reloads the config. What the API takes
// and gives is described by openapi.json, which a test compares with the routes.
package admin

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/live"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// Options are what a Handler needs. All are required, but for Journal, Correct, MetricsToken, Console, Listen and URL.
type Options struct {
	Keys  *auth.Keys
	Token secret.Text // the bearer token of the admin API
	Log   *slog.Logger
	Now   func() time.Time // in the time zone of reports; nil is time.Now in UTC

	Config func() Contents                                                 // describes the config in force
	Reload func(context.Context) (ReloadResult, error)                     // any error is the config's, and is shown whole
	Ready  func() bool                                                     // whether requests may be sent here
	Models func(*auth.Principal) []Model                                   // what a caller sees; it is not changed
	Limits func(context.Context, Limited) ([]LimitUse, []BudgetUse, error) // all limits and budgets of what is asked about

	Running func(*RunningQuery) RunningList      // requests that run at this Weir; Next is not filled in
	Live    *live.Hub[*LiveEvent]                // what begins and ends
	Cut     func(request string) (Running, bool) // ends one, by its id; false if it does not run here

	Providers     func() []Provider             // those of the config in force
	ResetProvider func(provider, target string) // both exist; "" is all targets and the credentials

	// Unmatched says of each pattern that matches no model today which it is, and which model was probably meant.
	Unmatched func(patterns []string) []string

	CallersURL func() string // where this machine reaches the listener for callers

	Metrics http.Handler // GET /metrics
	Gateway http.Handler // what callers call, for operators who try a model

	// Explain says what Weir would do with a caller's request for a model. The body, nil without one, may name another
	// model. Errors are *llm.Error.
	Explain func(ctx context.Context, caller *auth.Principal, model string, body []byte) (Explanation, error)

	Settings func(context.Context) Settings // the config in force, value by value

	Reports ledger.Reports // of what was used

	// Journal compares the rows of the journal with those of the store. It returns how many it compared, and how many wait to be shipped. It is
	// nil without a journal.
	Journal func(ctx context.Context, differ func(ledger.Difference)) (looked, waiting int64, err error)

	// Correct records the true cost of a call, as ledger.Ledger does, and charges budgets. It is nil without a ledger.
	Correct func(context.Context, *ledger.Correction) (*ledger.Row, error)

	// Backup copies the store, when it has every row that was recorded before. begin is called with the size of the copy, and returns where to
	// write it.
	Backup func(ctx context.Context, begin func(size int64) (io.Writer, error)) error

	MetricsToken bool // ask for the token on /metrics too

	// Console makes what serves the pages of the console, and leaves the rest to unknown. nil removes the pages, and with them all sessions.
	Console    func(unknown http.Handler) http.Handler
	TokenLogin TokenLogin // from where the token makes a session; "" is FromLoopback
	LoggedIn   func()     // is called when it has made one

	Listen string // host:port that the API is served on
	URL    string // the URL at which others call it, "" for none; requests with another Host than these two or a loopback name are refused
}

// ReloadResult is what a reload of the config did.
type ReloadResult struct {
	Applied      bool     `json:"applied"`
	NeedsRestart []string `json:"needs_restart"` // settings that differ now and wait for a restart; never null
	Removed      Contents `json:"removed"`       // what the config before had
}

// Contents are the names of what a config serves. No list is null.
type Contents struct {
	Providers []string `json:"providers"`
	Models    []string `json:"models"`
	Teams     []string `json:"teams"` // those of the config alone, as the keys
	Keys      []string `json:"keys"`
}

// Config is what the config in force has, in which time zone dates are meant, and where callers are served.
type Config struct {
	Contents
	Timezone string `json:"timezone"`
	URL      string `json:"url"` // of the listener for callers, as this machine reaches it
}

// Handler is the admin API. It is safe for concurrent use.
type Handler struct {
	Options
	tokenDigest [sha256.Size]byte
	guesses     guesses
	sessions    sessions
	origins     *http.CrossOriginProtection
	calledByTLS bool       // URL begins with https
	verifying   sync.Mutex // one caller at a time
	copying     sync.Mutex // the same, for backups
	desk        *desk
	explaining  chan struct{} // has an element while a large request is explained
	served      http.Handler
}

//go:embed openapi.json
var openAPI []byte

// handlerFunc answers one call with a value that is sent as JSON, or an error, which is sent in the envelope. A value that is an http.Handler writes
// the answer itself.
type handlerFunc func(*http.Request) (any, error)

// route is one path of the listener.
type route struct {
	pattern string // the pattern for http.ServeMux
	list    bool   // GET answers a list, which can be had as CSV
	atDesk  bool   // it reads the ledger
	methods operations
	largest int64 // bytes of a body; 0 is maxBody
	relayed bool  // the gateway bounds its bodies
}

// New makes the admin API.
func New(o Options) *Handler {
	if o.Now == nil {
		o.Now = func() time.Time { return time.Now().UTC() }
	}
	h := &Handler{Options: o, tokenDigest: sha256.Sum256([]byte(o.Token.Reveal())), desk: newDesk(runtime.GOMAXPROCS(0)), explaining: make(chan struct{}, 1), origins: originsOf(o.URL), calledByTLS: strings.HasPrefix(o.URL, "https://")}
	mux := http.NewServeMux()
	for _, r := range h.routes() {
		mux.Handle(r.pattern, h.serve(r))
	}
	mux.Handle("/admin/", h.known(OwnSession, http.HandlerFunc(unknownURL)))
	mux.Handle("/", h.pages())
	h.served = hardened(h.protected(hostsOf(o.Listen, o.URL).checked(mux)))
	return h
}

// routes are all paths, with what each method needs.
func (h *Handler) routes() []route {
	routes := []route{
		{pattern: "/admin/v1/keys", list: true, methods: operations{"GET": {ReadKeys, h.listKeys}, "POST": {WriteKeys, h.createKey}}},
		{pattern: "/admin/v1/keys/{key}", methods: operations{"GET": {ReadKeys, h.showKey}, "PATCH": {WriteKeys, h.updateKey}, "DELETE": {WriteKeys, h.revokeKey}}},
		{pattern: "/admin/v1/keys/{key}/rotate", methods: operations{"POST": {WriteKeys, h.rotateKey}}},
		{pattern: "/admin/v1/teams", list: true, methods: operations{"GET": {ReadTeams, h.listTeams}, "POST": {WriteTeams, h.createTeam}}},
		{pattern: "/admin/v1/teams/{team}", methods: operations{"GET": {ReadTeams, h.oneTeam}, "PATCH": {WriteTeams, h.updateTeam}, "DELETE": {WriteTeams, h.revokeTeam}}},
		{pattern: "/admin/v1/config", methods: operations{"GET": {ReadConfig, h.showConfig}}},
		{pattern: "/admin/v1/settings", methods: operations{"GET": {ReadSettings, h.showSettings}}},
		{pattern: "/admin/v1/explain", methods: operations{"GET": {ReadModels, h.explain}, "POST": {ReadModels, h.explain}}, largest: maxExplained},
		{pattern: "/admin/v1/limits", list: true, methods: operations{"GET": {ReadUsage, h.listLimits}}},
		{pattern: "/admin/v1/models", list: true, methods: operations{"GET": {ReadModels, h.listModels}}},
		{pattern: "/admin/v1/usage", list: true, atDesk: true, methods: operations{"GET": {ReadUsage, h.usage}}},
		{pattern: "/admin/v1/latency", list: true, atDesk: true, methods: operations{"GET": {ReadUsage, h.latency}}},
		{pattern: "/admin/v1/requests", list: true, atDesk: true, methods: operations{"GET": {ReadRequests, h.requests}}},
		{pattern: "/admin/v1/requests/{request}", atDesk: true, methods: operations{"GET": {ReadRequests, h.oneRequest}}},
		{pattern: "/admin/v1/running", list: true, methods: operations{"GET": {ReadRequests, h.running}}},
		{pattern: "/admin/v1/running/{request}", methods: operations{"DELETE": {CutRequests, h.cut}}},
		{pattern: "/admin/v1/providers", list: true, methods: operations{"GET": {ReadModels, h.listProviders}}},
		{pattern: "/admin/v1/providers/{provider}/reset", methods: operations{"POST": {ResetProviders, h.resetProvider}}},
		{pattern: "/admin/v1/live", methods: operations{"GET": {ReadRequests, h.watch}}},
		{pattern: "/admin/v1/attempts", list: true, atDesk: true, methods: operations{"GET": {ReadRequests, h.attempts}}},
		{pattern: "/admin/v1/adjustments", methods: operations{"POST": {CorrectCosts, h.adjust}}},
		{pattern: "/admin/v1/verify", methods: operations{"GET": {VerifyLedger, h.verify}}},
		{pattern: "/admin/v1/reload", methods: operations{"POST": {ReloadConfig, h.reload}}},
		{pattern: "/admin/v1/backup", methods: operations{"GET": {CopyStore, h.backup}}},
		{pattern: "/admin/v1/openapi.json", methods: operations{"GET": {OwnSession, describe}}},
		{pattern: "/healthz", methods: operations{"GET": {open, alive}}},
		{pattern: "/readyz", methods: operations{"GET": {open, h.ready}}},
		h.metrics(),
	}
	routes = append(routes, h.playground()...)
	if h.Console != nil {
		routes = append(routes, route{pattern: "/admin/v1/session", methods: operations{"POST": {open, h.logIn}, "GET": {OwnSession, h.whoAmI}, "DELETE": {OwnSession, h.logOut}}, largest: maxLogin})
	}
	return routes
}

// pages are what is served beside the routes: the console, whose pages ask for a session themselves.
func (h *Handler) pages() http.Handler {
	if h.Console == nil {
		return http.HandlerFunc(unknownURL)
	}
	return h.Console(http.HandlerFunc(unknownURL))
}

// metrics is the route of the figures, which are no JSON.
func (h *Handler) metrics() route {
	needs := open
	if h.MetricsToken {
		needs = ReadMetrics
	}
	return route{pattern: "/metrics", methods: operations{"GET": {needs, func(*http.Request) (any, error) { return h.Metrics, nil }}}}
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.served.ServeHTTP(w, r) }

// Figures is what a listener at host:port serves for those who only measure: /metrics, and whether this Weir lives.
func (h *Handler) Figures(listen string) http.Handler {
	mux := http.NewServeMux()
	for _, r := range h.routes() {
		if isHealth(r.pattern) || r.pattern == "/metrics" {
			mux.Handle(r.pattern, h.serve(r))
		}
	}
	mux.Handle("/health", h.serve(route{methods: operations{"GET": {open, alive}}}))
	mux.Handle("/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		render(w, r, &llm.Error{Kind: llm.UnknownURL, Message: "This listener has /metrics, /healthz, /health and /readyz only. Models are served on the public address, the admin API on the admin listener."})
	}))
	names := hostsOf(listen, "")
	names.network = !loopback(listen)
	return h.protected(names.checked(mux))
}

// protected serves next within bounds. A panic ends one call, with an error, and not the process.
func (h *Handler) protected(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			reason := recover()
			if reason == nil {
				return
			}
			if reason == http.ErrAbortHandler {
				panic(reason)
			}
			h.Log.Error("the admin API panicked", "method", r.Method, "path", llm.Clip(secret.Hide(r.URL.Path)), "panic", reason)
			render(w, r, shown(nil))
		}()
		// As on the public listener: a proxy in front that goes by another length of the body would see the end of the request elsewhere.
		if len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) {
			w.Header().Set("Connection", "close")
		}
		// A body that trickles in, or that a refusal leaves unread, holds a connection for so long at most. A server
		// that knows no deadlines has no such connections.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
		next.ServeHTTP(w, r)
	})
}

// serve is the adapter between a route and HTTP: the one place that checks, calls, renders and logs.
func (h *Handler) serve(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op, ok := rt.operation(r.Method)
		needs := op.needs
		if !ok {
			needs = rt.least()
		}
		h.known(needs, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !ok {
				methodNotAllowed(w, r, rt.methods)
				return
			}
			if rt.atDesk {
				h.atDesk(w, r, func(w http.ResponseWriter) { h.call(w, r, &rt, op.answer) })
				return
			}
			h.call(w, r, &rt, op.answer)
		})).ServeHTTP(w, r)
	})
}

// call calls what answers, and sends what it returns.
func (h *Handler) call(w http.ResponseWriter, r *http.Request, rt *route, answer handlerFunc) {
	if !rt.relayed {
		r.Body = http.MaxBytesReader(w, r.Body, cmp.Or(rt.largest, maxBody))
	}
	csv, err := false, checkURL(r.URL)
	if err == nil && rt.list && r.Method != http.MethodPost {
		csv, err = inCSV(r)
	}
	var value any
	if err == nil {
		value, err = answer(r)
	}
	h.note(r, value, err)
	own, itself := value.(http.Handler)
	switch {
	case err != nil:
		render(w, r, shown(err))
	case itself:
		own.ServeHTTP(w, r)
	case csv:
		answerCSV(w, r, value)
	default:
		respond(w, r, http.StatusOK, value)
	}
}

// shown is err as a caller sees it: what is no *llm.Error is our failure, and stays in the log. There is one exception: why the
// store could not be written. The caller here is the operator, who must know it.
func shown(err error) *llm.Error {
	var unwritten *auth.StoreError
	if errors.As(err, &unwritten) {
		return &llm.Error{Kind: llm.Internal, Message: fmt.Sprintf("Nothing was changed: %v. A key can be revoked all the same: it is refused at once.", unwritten.Err), Cause: err}
	}
	failure := llm.AsError(err)
	if failure.Kind == llm.Internal {
		return &llm.Error{Kind: llm.Internal, Message: "Weir could not do this; its log says why.", Cause: err}
	}
	return failure
}

// note logs failures that are ours, and every call that may have changed something, with the key that it was about.
func (h *Handler) note(r *http.Request, value any, err error) {
	if err == nil && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		return
	}
	attributes := []any{"method", r.Method, "path", llm.Clip(secret.Hide(r.URL.Path)), "remote", r.RemoteAddr}
	if who := operatorOf(r); who != nil {
		attributes = append(attributes, "via", who.via())
	}
	if about, ok := value.(interface{ fields() []any }); ok && err == nil {
		attributes = append(attributes, about.fields()...)
	} else if key, err := h.Keys.Show(r.PathValue("key")); err == nil {
		attributes = append(attributes, "key_id", key.ID, "key", key.Name)
	} else if team, err := h.Keys.ShowTeam(r.PathValue("team")); err == nil {
		attributes = append(attributes, "team_id", team.ID, "team", team.Name)
	}
	switch failure := llm.AsError(err); {
	case err == nil:
		h.Log.Info("admin call", attributes...)
	case failure.Kind == llm.Internal:
		h.Log.Error("admin call failed", append(attributes, "reason", err.Error())...)
	default:
		h.Log.Info("admin call refused", append(attributes, "code", failure.Code(), "reason", secret.Hide(failure.Message))...)
	}
}

func describe(*http.Request) (any, error) { return json.RawMessage(openAPI), nil }

// status is the answer of the two probes.
type status struct {
	Status string `json:"status"`
}

func alive(*http.Request) (any, error) { return status{"ok"}, nil }

func (h *Handler) ready(*http.Request) (any, error) {
	if !h.Ready() {
		return nil, &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is shutting down and takes no new requests."}
	}
	return status{"ready"}, nil
}

// showConfig answers what the config in force has, so that a file can be compared with it.
func (h *Handler) showConfig(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	return Config{h.Config(), h.Now().Location().String(), h.CallersURL()}, nil
}

func (h *Handler) reload(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	if err := readObject(r); err != nil {
		return nil, err
	}
	result, err := h.Reload(context.WithoutCancel(r.Context())) // a caller that hangs up must not leave half a reload
	if err != nil {
		return nil, &llm.Error{Kind: llm.InvalidValue, Message: "The config was not reloaded, the one before stays in force:\n" + err.Error()}
	}
	if result.NeedsRestart == nil {
		result.NeedsRestart = []string{}
	}
	return result, nil
}
