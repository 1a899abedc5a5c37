// Package telemetry counts what happens, for Prometheus. Labels are bounded: models are the names that the
// config file gives, never what a caller typed. docs/reference/metrics.md lists every figure; names are stable.
package telemetry

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/weirproxy/weir/internal/alert"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/tracing"
)

// Metrics holds every figure of one process. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	running  prometheus.Gauge
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	first    *prometheus.HistogramVec
	overhead prometheus.Histogram
	attempts *prometheus.CounterVec
	skips    *prometheus.CounterVec
	hedges   *prometheus.CounterVec
	won      *prometheus.CounterVec
	tokens   *prometheus.CounterVec
	byTarget *prometheus.CounterVec
	cost     *prometheus.CounterVec
	drift    *prometheus.GaugeVec
	ignored  *prometheus.CounterVec
	repairs  *prometheus.CounterVec
	cut      *prometheus.CounterVec
	repeated *prometheus.CounterVec
	reloads  *prometheus.CounterVec
	warnings *prometheus.CounterVec
	alerts   *prometheus.CounterVec
	spans    *prometheus.CounterVec
	logins   *prometheus.CounterVec
	waits    prometheus.Histogram // registered where Weirs share a database

	conventional *conventional // nil without them
	loaded       prometheus.Gauge
	valid        prometheus.Gauge
}

// seconds are the bounds of the histograms of long things: a model takes from 50 ms to many minutes.
var seconds = []float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1280}

// New makes the figures, with version in weir_build_info, and those of the account.
func New(version string, account *memory.Account) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		running:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "weir_requests_running", Help: "Requests being served now."}),
		requests: counter("weir_requests_total", "Requests by endpoint, configured model, status and error code.", "endpoint", "model", "status", "error"),
		duration: histogram("weir_request_duration_seconds", "From the arrival of a request to the end of its answer.", "endpoint", "model"),
		first:    histogram("weir_time_to_first_content_seconds", "From the arrival of a request to the first content sent.", "endpoint", "model"),
		overhead: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "weir_overhead_seconds", Help: "Weir's own time before a request went upstream, without waiting for its body.",
			Buckets: []float64{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1},
		}),
		waits:    newWaits(),
		attempts: counter("weir_attempts_total", "Calls to upstreams by provider and outcome.", "provider", "outcome"),
		skips:    counter("weir_skips_total", "Targets that were considered for a request and not called, by provider and reason.", "provider", "reason"),
		hedges:   counter("weir_hedges_total", "Hedged requests: second attempts started because the first stream was slow, by configured model.", "model"),
		won:      counter("weir_hedges_won_total", "Hedged requests whose second attempt had content first, by configured model.", "model"),
		tokens:   counter("weir_tokens_total", "Tokens as upstreams reported them, or as Weir counted where they did not, by configured model, provider and class.", "model", "provider", "class"),
		byTarget: counter("weir_target_tokens_total", "The same tokens by configured target and class.", "provider", "upstream_model", "class"),
		cost:     counter("weir_cost_dollars_total", "What calls cost, by provider and by where that is known from: price is the target's, billed what the provider states.", "provider", "source"),
		drift: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "weir_cost_drift_dollars", Help: "What a provider billed since the start, less what the same calls cost by their targets' prices.",
		}, []string{"provider"}),
		ignored:  counter("weir_ignored_params_total", "Requests with a parameter that was left out, by provider.", "provider"),
		repairs:  counter("weir_repairs_total", "Repairs of answers that departed from the convention, by provider and kind.", "provider", "kind"),
		cut:      counter("weir_streams_cut_total", "Streams that ended with an error after their status was out, by configured model.", "model"),
		repeated: counter("weir_idempotent_requests_total", "Requests with an Idempotency-Key, by what became of them.", "outcome"),
		reloads:  counter("weir_config_reloads_total", "Attempts to reload the config, by result.", "result"),
		warnings: counter("weir_budget_warnings_total", "Shares of budgets that were spent and warned of, by whose the budget is: key or team.", "of"),
		alerts:   counter("weir_alerts_total", "Alerts by what became of them: sent, failed (given up after an hour, or not sent when Weir stopped) or dropped (too many waited).", "outcome"),
		spans:    counter("weir_trace_spans_total", "Spans by what became of them: sent, rejected (the collector did not want them), failed (given up after a minute, or not sent when Weir stopped) or dropped (too many waited).", "outcome"),
		logins:   counter("weir_console_logins_total", "Logins of browsers to the console, by what with: token is the admin token.", "with"),
		loaded:   prometheus.NewGauge(prometheus.GaugeOpts{Name: "weir_config_loaded_timestamp_seconds", Help: "When the config in force was loaded."}),
		valid:    prometheus.NewGauge(prometheus.GaugeOpts{Name: "weir_config_valid", Help: "1 if the config file as last read is in force, 0 if it was refused and the previous one still is."}),
	}
	for _, o := range alert.Outcomes() {
		m.alerts.WithLabelValues(string(o)) // 0 from the start, so that the first shows as a rise
	}
	for _, o := range tracing.Outcomes() {
		m.spans.WithLabelValues(string(o))
	}
	m.logins.WithLabelValues("token")
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "weir_build_info", Help: "Always 1; the version is the label.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(m.running, m.requests, m.duration, m.first, m.overhead, m.attempts, m.skips, m.hedges, m.won, m.tokens, m.byTarget, m.cost, m.drift, m.ignored, m.repairs, m.cut, m.repeated,
		m.reloads, m.warnings, m.alerts, m.spans, m.logins, m.loaded, m.valid, build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(memoryFigures(account)...)
	return m
}

// memoryFigures are read when a scraper asks for them, so that counting costs a request nothing.
func memoryFigures(account *memory.Account) []prometheus.Collector {
	figures := []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "weir_memory_held_bytes", Help: "What running requests hold: their bodies, answers and buffers."},
			func() float64 { return float64(account.Held()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "weir_memory_limit_bytes", Help: "What running requests may hold; +Inf without a limit."}, func() float64 {
			if account.Most() == memory.Unlimited {
				return math.Inf(1)
			}
			return float64(account.Most())
		}),
	}
	for _, stage := range memory.Stages() {
		figures = append(figures, prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "weir_memory_refusals_total", Help: "Requests refused, or cut, because they did not fit into memory, by stage.",
			ConstLabels: prometheus.Labels{"stage": stage.String()},
		}, func() float64 { return float64(account.Refused(stage)) }))
	}
	return figures
}

// Revocations adds the figures of revocations that the store does not have: how many there are, and how often they could not be
// saved. Both are asked when a scraper reads the figures.
func (m *Metrics) Revocations(unsaved func() int, failures func() int64) {
	m.registry.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "weir_revocations_unsaved", Help: "Revoked keys that this process refuses and whose revocation the store does not have yet.",
		}, func() float64 { return float64(unsaved()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "weir_revocation_save_failures_total", Help: "Failed attempts to write revocations to the store, repeated ones included.",
		}, func() float64 { return float64(failures()) }))
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: seconds}, labels)
}

// Handler serves the figures in Prometheus' text format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// LoggedIn counts a browser that was logged in to the console with the admin token.
func (m *Metrics) LoggedIn() { m.logins.WithLabelValues("token").Inc() }

// Reloaded counts an attempt to reload the config.
func (m *Metrics) Reloaded(ok bool, at time.Time) {
	if !ok {
		m.reloads.WithLabelValues("refused").Inc()
		m.valid.Set(0)
		return
	}
	m.reloads.WithLabelValues("applied").Inc()
	m.Loaded(at)
}

// Loaded notes when the config in force was loaded.
func (m *Metrics) Loaded(at time.Time) {
	m.loaded.Set(float64(at.UnixMilli()) / 1000)
	m.valid.Set(1)
}

// LogDropped has the lines counted that the log dropped. It is called once at most.
func (m *Metrics) LogDropped(count func() uint64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "weir_log_dropped_total", Help: "Log lines that were dropped because their reader did not keep up.",
	}, func() float64 { return float64(count()) }))
}

// ClientsRefused has the clients counted that the public listener refused before there was a request. It is called once at most.
func (m *Metrics) ClientsRefused(count func(listener.Reason) uint64) {
	for _, reason := range listener.Reasons() {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "weir_clients_refused_total", Help: "Clients that the public listener refused before there was a request, by reason.",
			ConstLabels: prometheus.Labels{"reason": reason.String()},
		}, func() float64 { return float64(count(reason)) }))
	}
}

// RequestBegan implements gateway.Metrics.
func (m *Metrics) RequestBegan() { m.running.Inc() }

// RequestDone implements gateway.Metrics.
func (m *Metrics) RequestDone(ev *gateway.Event) {
	m.running.Dec()
	code := ""
	if ev.Err != nil {
		code = ev.Err.Code()
	}
	m.requests.WithLabelValues(ev.Endpoint, ev.Route, strconv.Itoa(ev.Status), code).Inc()
	m.duration.WithLabelValues(ev.Endpoint, ev.Route).Observe(ev.Ended.Sub(ev.Started).Seconds())
	if ev.Idempotency != "" {
		m.repeated.WithLabelValues(string(ev.Idempotency)).Inc()
	}
	res := ev.Result
	if res == nil {
		return
	}
	m.countSkips(ev)
	if len(res.Calls) == 0 {
		return
	}
	m.overhead.Observe(ev.Overhead().Seconds())
	for i := range res.Calls {
		m.attempts.WithLabelValues(res.Calls[i].Target.Provider, res.Calls[i].Outcome).Inc()
		if m.conventional != nil {
			m.conventional.count(ev, &res.Calls[i])
		}
	}
	if res.Hedges > 0 {
		m.hedges.WithLabelValues(ev.Route).Add(float64(res.Hedges))
		m.won.WithLabelValues(ev.Route).Add(float64(res.HedgesWon))
	}
	if res.Cut {
		m.cut.WithLabelValues(ev.Route).Inc()
	}
	provider := res.Calls[len(res.Calls)-1].Target.Provider
	if len(res.Ignored) > 0 {
		m.ignored.WithLabelValues(provider).Inc()
	}
	res.Repairs.Each(func(kind string, n int) { m.repairs.WithLabelValues(provider, kind).Add(float64(n)) })
	if !res.FirstContent.IsZero() {
		m.first.WithLabelValues(ev.Endpoint, ev.Route).Observe(res.FirstContent.Sub(ev.Started).Seconds())
	}
	for i := range res.Calls { // each at its own target, for those that failed have to be paid for as well
		a := &res.Calls[i]
		u := &a.Usage
		m.countCost(a)
		m.countTokens(ev.Route, a.Target, u.Input()-u.CacheRead-u.CacheWrites(), u.CacheRead, u.CacheWrites(), u.Output())
	}
}

// countCost counts what a call cost. Where the provider states it, it is compared with the price.
func (m *Metrics) countCost(c *relay.Call) {
	const nano = 1e-9
	switch {
	case !c.HasUsage || c.Charge.Source == money.Unpriced:
	case c.Charge.Source == money.Billed:
		m.cost.WithLabelValues(c.Target.Provider, "billed").Add(float64(c.Charge.Cost) * nano)
		if c.Charge.Doubt&money.PriceUnknown == 0 {
			m.drift.WithLabelValues(c.Target.Provider).Add(float64(c.Charge.Cost-c.Charge.Listed) * nano)
		}
	default:
		m.cost.WithLabelValues(c.Target.Provider, "price").Add(float64(c.Charge.Cost) * nano)
	}
}

// classes are the disjoint classes of tokens, in the order of countTokens' arguments.
var classes = [...]string{"input_fresh", "cache_read", "cache_write", "output"}

func (m *Metrics) countTokens(model string, target *route.Target, counts ...int64) {
	for i, n := range counts {
		if n > 0 {
			m.tokens.WithLabelValues(model, target.Provider, classes[i]).Add(float64(n))
			m.byTarget.WithLabelValues(target.Provider, target.Configured(), classes[i]).Add(float64(n))
		}
	}
}
