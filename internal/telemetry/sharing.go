package telemetry

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/weirproxy/weir/internal/budget"
)

// Sharing are the figures of a Weir that shares its database with others.
type Sharing struct {
	Replicas                            int64 // that share it
	Answers                             bool  // the database does
	RoundTrips, Failed, Undone, Refused int64
	Statements                          int64         // of what it keeps and wants
	Doubt                               budget.Amount // what forgotten replicas may have spent
	Ahead                               time.Duration // how far the database's clock is ahead
}

// Sharing adds the figures of a Weir that shares its database. They are asked when a scraper reads the figures. held is what may be spent here without asking, or is
// held by calls; it takes as long as there are budgets.
func (m *Metrics) Sharing(stats func() Sharing, held func() budget.Amount) {
	gauge := func(name, help string, value func(*Sharing) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			s := stats()
			return value(&s)
		})
	}
	counter := func(name, help string, labels prometheus.Labels, value func(*Sharing) int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels}, func() float64 {
			s := stats()
			return float64(value(&s))
		})
	}
	const trips, help = "weir_replica_round_trips_total", "Round trips to the database that Weirs share, by outcome."
	m.registry.MustRegister(
		gauge("weir_replicas", "Weirs that share the database, as it said last.", func(s *Sharing) float64 { return float64(s.Replicas) }),
		gauge("weir_replica_store_answers", "1 if the database that Weirs share answers, else 0.", func(s *Sharing) float64 {
			if s.Answers {
				return 1
			}
			return 0
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "weir_replica_held_dollars", Help: "What this Weir has of budgets in dollars: held by calls, or to be spent without asking."}, func() float64 { return float64(held().Money) / 1e9 }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "weir_replica_held_tokens", Help: "The same of budgets in tokens."}, func() float64 { return float64(held().Tokens) }),
		gauge("weir_replica_in_doubt_dollars", "What Weirs that were forgotten may have spent of budgets in dollars. It is charged.", func(s *Sharing) float64 { return float64(s.Doubt.Money) / 1e9 }),
		gauge("weir_replica_in_doubt_tokens", "The same of budgets in tokens.", func(s *Sharing) float64 { return float64(s.Doubt.Tokens) }),
		gauge("weir_replica_clock_ahead_seconds", "How far the database's clock is ahead of this Weir's.", func(s *Sharing) float64 { return s.Ahead.Seconds() }),
		counter(trips, help, prometheus.Labels{"outcome": "answered"}, func(s *Sharing) int64 { return s.RoundTrips }),
		counter(trips, help, prometheus.Labels{"outcome": "failed"}, func(s *Sharing) int64 { return s.Failed }),
		counter(trips, help, prometheus.Labels{"outcome": "undone"}, func(s *Sharing) int64 { return s.Undone }),
		counter("weir_replica_statements_total", "Statements to that database of what this Weir keeps and wants.", nil, func(s *Sharing) int64 { return s.Statements }),
		m.waits,
		counter("weir_replica_refused_total", "Calls for which this Weir had not enough of a shared budget.", nil, func(s *Sharing) int64 { return s.Refused }))
}

// Waited counts a wait of a request for the database that Weirs share.
func (m *Metrics) Waited(d time.Duration) { m.waits.Observe(d.Seconds()) }

// newWaits counts waits, which end after 25 ms at the latest, but for the first one for a budget.
func newWaits() prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "weir_replica_wait_seconds", Help: "How long requests waited for the database that Weirs share, of those that did.",
		Buckets: []float64{0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.026, 0.1, 1},
	})
}
