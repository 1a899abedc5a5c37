package telemetry

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Secrets are what is counted of the values that the config refers to in one source.
type Secrets struct {
	InForce, Failing int
	Read, Failed     uint64
}

// Secrets adds the figures of one source, which are asked for when a scraper reads them. It is called once for each at most.
func (m *Metrics) Secrets(source string, figures func() Secrets) {
	labels := prometheus.Labels{"source": source}
	gauge := func(name, help string, value func(Secrets) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels}, func() float64 { return float64(value(figures())) })
	}
	count := func(result string, value func(Secrets) uint64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "weir_secret_reads_total", Help: "Readings of values that the config refers to elsewhere, by source and result.",
			ConstLabels: prometheus.Labels{"source": source, "result": result},
		}, func() float64 { return float64(value(figures())) })
	}
	m.registry.MustRegister(
		gauge("weir_secrets", "Values that the config in force refers to elsewhere, by source.", func(s Secrets) int { return s.InForce }),
		gauge("weir_secrets_failing", "Those of them that cannot be read again, so that their last value stays in use.", func(s Secrets) int { return s.Failing }),
		count("read", func(s Secrets) uint64 { return s.Read - s.Failed }),
		count("failed", func(s Secrets) uint64 { return s.Failed }),
	)
}

// VaultExpires adds when the login to Vault ends. It is called once at most.
func (m *Metrics) VaultExpires(when func() time.Time) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "weir_vault_token_expires_timestamp_seconds", Help: "When the token for Vault ends, unless it is renewed; 0 if it does not end, or without one.",
	}, func() float64 {
		at := when()
		if at.IsZero() {
			return 0
		}
		return float64(at.Unix())
	}))
}
