package app

import (
	"crypto/x509"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/deliver"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/otlp"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/tracing"
)

// traceTerms say where spans go under cfg, nil for nowhere.
func traceTerms(cfg *config.Config, made providers) (*tracing.Terms, error) {
	traces := &cfg.Traces
	if traces.Endpoint == "" {
		return nil, nil //nolint:nilnil // no terms are terms too
	}
	var roots *x509.CertPool
	if traces.CAFile != "" {
		pem, err := os.ReadFile(traces.CAFile)
		if err != nil {
			return nil, fmt.Errorf("traces: ca_file: %w", err)
		}
		roots = x509.NewCertPool()
		if !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("traces: ca_file %s holds no certificate in PEM", traces.CAFile)
		}
	}
	terms := &tracing.Terms{
		URL: traces.Endpoint, Header: http.Header{}, Slow: traces.Slow.D(), Transport: deliver.Transport(dial.New(nil), roots),
		Upstreams: make(map[string]tracing.Upstream, len(made)),
	}
	var secrets []string
	for name, value := range traces.Headers {
		terms.Header[name] = []string{value.Reveal()}
		secrets = append(secrets, value.Reveal())
	}
	terms.Secrets = secret.NewMask(secrets, nil) // an end is hidden too: what follows Bearer
	for _, name := range slices.Sorted(maps.Keys(traces.Resource)) {
		terms.Resource = append(terms.Resource, otlp.String(name, traces.Resource[name]))
	}
	for name, p := range made {
		terms.Upstreams[name] = p.provider
	}
	return terms, nil
}

// upstream is a provider that requests are served by now.
func (a *App) upstream(name string) (tracing.Upstream, bool) {
	p, ok := a.gateway.Provider(name)
	return p, ok
}
