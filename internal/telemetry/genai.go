package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/genai"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/tracing"
)

// conventional are the figures of OpenTelemetry's conventions. Their labels are bounded: a model is called as the config calls it.
type conventional struct {
	upstreams func(provider string) (tracing.Upstream, bool)
	duration  *prometheus.HistogramVec
	first     *prometheus.HistogramVec
	tokens    *prometheus.HistogramVec
}

// GenAI adds the figures of OpenTelemetry's conventions for generative AI. upstreams finds providers by their names; it is called from many
// goroutines. GenAI is called once at most, before there are requests.
func (m *Metrics) GenAI(upstreams func(provider string) (tracing.Upstream, bool)) {
	doubling := prometheus.ExponentialBuckets(0.01, 2, 14)
	of := func(name, help string, buckets []float64, more string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets},
			[]string{genai.OperationLabel, genai.ProviderLabel, genai.ModelLabel, more})
	}
	m.conventional = &conventional{
		upstreams: upstreams,
		duration:  of(genai.DurationMetric, "How long calls to upstreams took, by OpenTelemetry's conventions.", doubling, genai.ErrorLabel),
		first:     of(genai.FirstMetric, "From the start of a call to its first content, for streams, by OpenTelemetry's conventions.", doubling, genai.ErrorLabel),
		tokens:    of(genai.TokensMetric, "Tokens of calls to upstreams, by OpenTelemetry's conventions.", prometheus.ExponentialBuckets(1, 4, 14), genai.TokenTypeLabel),
	}
	m.registry.MustRegister(m.conventional.duration, m.conventional.first, m.conventional.tokens)
}

// count counts a call of a request.
func (g *conventional) count(ev *gateway.Event, c *relay.Call) {
	var spoken llm.Dialect
	system := c.Target.Provider
	if up, ok := g.upstreams(c.Target.Provider); ok {
		spoken, system = up.Dialect(c.Target.Model), up.Convention()
	}
	operation, model, failure := genai.OperationOf(ev.Ingress.Endpoint, spoken), c.Target.Configured(), ""
	if c.Failed() {
		failure = c.Outcome
	}
	g.duration.WithLabelValues(operation, system, model, failure).Observe(c.Duration.Seconds())
	if ev.Stream && c.First > 0 {
		g.first.WithLabelValues(operation, system, model, failure).Observe(c.First.Seconds())
	}
	if c.HasUsage {
		g.tokens.WithLabelValues(operation, system, model, genai.InputTokenType).Observe(float64(c.Usage.Input()))
		g.tokens.WithLabelValues(operation, system, model, genai.OutputTokenType).Observe(float64(c.Usage.Output()))
	}
}

// Spans implements tracing.Metrics.
func (m *Metrics) Spans(o tracing.Outcome, n int) { m.spans.WithLabelValues(string(o)).Add(float64(n)) }
