package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/weirproxy/weir/internal/alert"
	"github.com/weirproxy/weir/internal/ledger"
)

// Ledger adds the figures of the ledger, of calls that were made without it, and of those that sums have under other. They are asked when a
// scraper reads the figures.
func (m *Metrics) Ledger(stats func() ledger.Stats, unrecorded func() int64, unnamed func() ledger.Unnamed) {
	gauge := func(name, help string, value func(*ledger.Stats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			s := stats()
			return value(&s)
		})
	}
	counter := func(name, help string, value func() int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
	}
	m.registry.MustRegister(
		gauge("weir_ledger_pending_rows", "Calls that are recorded in the journal and not yet in the store.", func(s *ledger.Stats) float64 { return float64(s.Pending) }),
		gauge("weir_ledger_pending_dollars", "What the pending calls cost. A disk that is lost with the data folder loses them.", func(s *ledger.Stats) float64 { return float64(s.Worth) / 1e9 }),
		gauge("weir_ledger_behind_seconds", "How old the oldest of the pending calls is.", func(s *ledger.Stats) float64 { return s.Behind.Seconds() }),
		gauge("weir_ledger_journal_bytes", "Size of the journal.", func(s *ledger.Stats) float64 { return float64(s.Bytes) }),
		gauge("weir_ledger_journal_limit_bytes", "Size that the journal may have. When it is full, calls are refused.", func(s *ledger.Stats) float64 { return float64(s.Bound) }),
		gauge("weir_ledger_waiting_settlements", "Ends of calls that could not be written to the journal yet, and are held in memory.", func(s *ledger.Stats) float64 { return float64(s.Waiting) }),
		gauge("weir_ledger_orphaned", "Calls that the last start found without an end. They are charged what was held for them.", func(s *ledger.Stats) float64 { return float64(s.Orphaned) }),
		gauge("weir_ledger_damaged_segments", "Segments of the journal with a record that cannot be read.", func(s *ledger.Stats) float64 { return float64(s.Damaged) }),
		gauge("weir_ledger_failing", "1 if the journal cannot be written or made durable, else 0.", func(s *ledger.Stats) float64 {
			if s.Failing {
				return 1
			}
			return 0
		}),
		counter("weir_ledger_unrecorded_total", "Calls that were made although they could not be recorded (ledger.unrecorded: serve).", unrecorded),
		counter("weir_ledger_other_tags_total", "Tags of calls that sums have under other, because their key has 1,000 others on that day.", func() int64 { return unnamed().Tags }),
		counter("weir_ledger_other_targets_total", "Calls whose target sums have under other, because callers have named 10,000 targets by patterns.", func() int64 { return unnamed().Targets }))
}

// BudgetWarning counts a share of a budget that is spent: of a key or of a team.
func (m *Metrics) BudgetWarning(of string) { m.warnings.WithLabelValues(of).Inc() }

// Alert implements alert.Metrics.
func (m *Metrics) Alert(o alert.Outcome) { m.alerts.WithLabelValues(string(o)).Inc() }
