package telemetry

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/route"
)

// Routing makes the metrics report the health of targets and credentials in the current table. It is called once. They are
// read when a scraper asks for them.
func (m *Metrics) Routing(table func() *route.Table) {
	m.registry.MustRegister(&routing{
		table: table,
		breakers: prometheus.NewDesc("weir_breakers", "Breakers by configured target and state: one for each target; for a target that ends in *, one for each known model.",
			[]string{"provider", "upstream_model", "state"}, nil),
		ofKeys: prometheus.NewDesc("weir_breakers_of_keys", "Keys whose own breaker of a target is open or trying, by configured target.",
			[]string{"provider", "upstream_model"}, nil),
		parked: prometheus.NewDesc("weir_credentials_parked", "Credentials that their provider refused and that are not used for a while, by one key or by all.", []string{"provider"}, nil),
	})
}

// routing is what is known of the upstreams of a table.
type routing struct {
	table                    func() *route.Table
	breakers, ofKeys, parked *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (r *routing) Describe(out chan<- *prometheus.Desc) {
	out <- r.breakers
	out <- r.ofKeys
	out <- r.parked
}

// Collect implements prometheus.Collector.
func (r *routing) Collect(out chan<- prometheus.Metric) {
	table, now := r.table(), time.Now()
	gauge := func(desc *prometheus.Desc, n int, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(n), labels...)
	}
	for _, b := range table.Breakers(now) {
		gauge(r.breakers, b.Closed, b.Provider, b.Model, route.Closed.String())
		gauge(r.breakers, b.Open, b.Provider, b.Model, route.Open.String())
		gauge(r.breakers, b.Trying, b.Provider, b.Model, route.Trying.String())
		gauge(r.ofKeys, b.Keys, b.Provider, b.Model)
	}
	for provider, standing := range table.Credentials(now) {
		gauge(r.parked, standing.Parked, provider)
	}
}

// countSkips counts the targets that were considered for a request and not tried.
func (m *Metrics) countSkips(ev *gateway.Event) {
	for i := range ev.Result.Considered {
		if s := &ev.Result.Considered[i]; s.Skip != route.NotSkipped {
			m.skips.WithLabelValues(s.Provider, s.Skip.String()).Inc()
		}
	}
}
