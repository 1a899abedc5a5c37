package provider

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// Provider is one upstream account, ready to be called. It is safe for concurrent use. Close frees its
// connections.
type Provider struct {
	Name string

	kind        kind
	base        *url.URL
	apiVersion  string
	credentials []secret.Text // never empty: a keyless provider has one empty credential
	turn        atomic.Uint64 // which credential is next
	headers     []http.Header // for each credential: what every call carries; shared, never changed
	forward     []string      // canonical names of the caller's headers to pass on

	rename   map[string]string
	omit     []string
	askUsage bool
	refused  atomic.Bool // the upstream refused stream_options, so it is not asked again

	private   []string // the values of the config's own headers, which may be credentials
	transport *http.Transport
}

// Identity is how this Weir names itself to upstreams.
type Identity struct {
	UserAgent string
	Via       string // the value of Via when the caller sent none
}

// New prepares a provider as the config file describes it.
func New(cfg config.Provider, id Identity) (*Provider, error) {
	k, ok := kindOf(cfg.Kind)
	if !ok {
		return nil, fmt.Errorf("provider %s: unknown kind %q", cfg.Name, cfg.Kind)
	}
	p := &Provider{Name: cfg.Name, kind: k, apiVersion: cfg.APIVersion, credentials: cfg.Credentials(), omit: k.omit, rename: k.rename}
	base := k.baseURL
	if cfg.BaseURL != "" {
		base, p.rename, p.omit = cfg.BaseURL, nil, nil
		p.kind.usage, p.kind.paths, p.kind.models = asks, nil, ""
	}
	var err error
	if p.base, err = url.Parse(base); err != nil {
		return nil, fmt.Errorf("provider %s: base_url: %w", cfg.Name, err)
	}
	if cfg.Params.Rename != nil {
		p.rename = cfg.Params.Rename
	}
	if cfg.Params.Omit != nil {
		p.omit = cfg.Params.Omit
	}
	p.askUsage = cfg.StreamUsage == config.StreamUsageAlways || cfg.StreamUsage != config.StreamUsageNever && p.kind.usage == asks
	for _, value := range cfg.Headers {
		p.private = append(p.private, value.Reveal())
	}
	if len(p.credentials) == 0 {
		p.credentials = []secret.Text{{}}
	}
	for _, name := range cfg.ForwardHeaders {
		p.forward = append(p.forward, http.CanonicalHeaderKey(name))
	}
	for _, credential := range p.credentials {
		p.headers = append(p.headers, p.header(cfg, credential, id))
	}
	if p.transport, err = newTransport(cfg); err != nil {
		return nil, fmt.Errorf("provider %s: %w", cfg.Name, err)
	}
	return p, nil
}

// header is what every call with the given credential carries.
func (p *Provider) header(cfg config.Provider, credential secret.Text, id Identity) http.Header {
	h := http.Header{
		"Content-Type": {"application/json"},
		"Accept":       {"application/json"},
		"User-Agent":   {id.UserAgent},
		"Via":          {id.Via},
		// A key without values is not sent, but it tells the transport that a call on a connection which
		// turned out to be dead may be sent once more on another.
		"Idempotency-Key": nil,
	}
	for name, value := range cfg.Headers {
		h.Set(name, value.Reveal())
	}
	switch {
	case credential.IsZero():
	case p.kind.header != "":
		h.Set(p.kind.header, credential.Reveal())
	default:
		h.Set("Authorization", "Bearer "+credential.Reveal())
	}
	return h
}

// Close frees the idle connections; calls under way go on.
func (p *Provider) Close() { p.transport.CloseIdleConnections() }

// Credentials is how many credentials the provider has, at least one.
func (p *Provider) Credentials() int { return len(p.credentials) }

// NextCredential returns the index of the credential whose turn it is.
func (p *Provider) NextCredential() int {
	if len(p.credentials) == 1 {
		return 0
	}
	return int((p.turn.Add(1) - 1) % uint64(len(p.credentials)))
}

// Changes is what has to change in the body of r for this provider's model.
func (p *Provider) Changes(r *openai.Request, model string) openai.Changes {
	c := openai.Changes{Model: model, Rename: p.rename, Omit: p.omit, DropOptions: p.kind.usage == sendsOnly}
	c.AskUsage = p.askUsage && !p.refused.Load() && r.Stream && !r.WantUsage && !slices.Contains(p.omit, "stream_options")
	return c
}

// RefusesUsage notes that the upstream does not know stream_options: Changes will not ask for usage again.
func (p *Provider) RefusesUsage() { p.refused.Store(true) }

// BadKey reports whether a 400 of this kind of provider means that it refused our credential.
func (p *Provider) BadKey(message string) bool {
	return p.kind.badKey != "" && strings.Contains(message, p.kind.badKey)
}

// Private returns the strings that must not reach a caller in an error of this provider.
func (p *Provider) Private() []string {
	private := []string{p.base.Host}
	for _, c := range p.credentials {
		private = append(private, c.Reveal())
	}
	return append(private, p.private...)
}

// Address is the address of an endpoint as messages to the operator show it: without query.
func (p *Provider) Address(e llm.Endpoint, model string) string { return p.url(e, model).EscapedPath() }
