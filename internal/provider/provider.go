// Package provider calls upstreams. What a provider speaks and how it authenticates is its kind, a row of package catalog. One kind with
// an address scheme of its own, azure, has a few lines in url.go.
package provider

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// Provider is one upstream account, ready to be called. It is safe for concurrent use. Close frees its
// connections.
type Provider struct {
	Name string

	kind        catalog.Kind
	base        *url.URL
	account     *strings.Replacer // puts the region and the project into an address
	own         served            // how its models are spoken to
	faces       []served          // how some of them are otherwise
	also        []served          // how all of them are in other dialects, for callers of these
	apiVersion  string
	credentials []secret.Text // never empty: a keyless provider has one empty credential
	headers     []headers     // for each credential
	forward     []string      // canonical names of the caller's headers to pass on

	rename   map[string]string
	omit     []string
	fixed    struct{ rename, omit bool } // the config sets them, so that what is known of a model does not count
	table    string                      // the vendor in the table of capabilities, "" if who answers is not known
	askUsage bool
	bills    bool // the cost in its usage is what it bills
	traced   bool // calls say which trace they are part of
	images   bool // those that callers name by URL are fetched for it

	secrets     secrets
	way         way
	connections *pool
	authority   authority // nil where a credential is a fixed header
}

// headers are what every call with one credential carries, for answers in one piece and for streams. They are shared and
// never changed.
type headers struct{ whole, stream http.Header }

// Identity is how this Weir names itself to upstreams.
type Identity struct {
	UserAgent string
	Via       string // the value of Via when the caller sent none

	Env func(name string) (string, bool) // the process's environment, which may hold its identity in a cloud; nil is an empty one
}

// New prepares a provider as the config file describes it.
func New(cfg config.Provider, id Identity) (*Provider, error) {
	return NewWith(cfg, id, dial.New(nil), http.ProxyFromEnvironment)
}

// NewWith is New with another way out: a dialer, and what chooses the proxy of a call.
func NewWith(cfg config.Provider, id Identity, dialer *net.Dialer, proxy func(*http.Request) (*url.URL, error)) (*Provider, error) {
	k, ok := catalog.Find(cfg.Kind)
	if !ok {
		return nil, fmt.Errorf("provider %s: unknown kind %q", cfg.Name, cfg.Kind)
	}
	p := &Provider{Name: cfg.Name, kind: k, apiVersion: cfg.APIVersion, credentials: cfg.Credentials(), omit: k.Omit, rename: k.Rename, bills: bills(cfg, k)}
	p.account = strings.NewReplacer(config.RegionHere, cfg.Region, catalog.ProjectHere, cfg.Project)
	base := p.account.Replace(cmp.Or(k.Regions[cfg.Region], k.BaseURL))
	if cfg.BaseURL != "" {
		base, p.rename, p.omit = cfg.BaseURL, nil, nil
		if k.Dialect == llm.OpenAI { // what is not said there is part of another dialect
			p.kind.Usage, p.kind.Paths, p.kind.Streams, p.kind.Models, p.kind.NoFloat, p.kind.Int8 = catalog.Asks, nil, nil, "", false, false
			if k.Hosts == "" {
				p.kind.Also = nil
			}
		}
	}
	if cfg.APIVersion != "" { // an older address, which has the model in the path
		p.kind.Also, p.kind.Faces = nil, nil
	}
	var err error
	if p.base, err = url.Parse(base); err != nil {
		return nil, fmt.Errorf("provider %s: base_url: %w", cfg.Name, err)
	}
	// The host as clients name it: a signature is over it.
	p.base.Host = strings.TrimSuffix(p.base.Host, map[string]string{"https": ":443", "http": ":80"}[p.base.Scheme])
	if cfg.BaseURL == "" || k.Hosts != "" && strings.HasSuffix(p.base.Hostname(), k.Hosts) {
		p.table = k.Vendor("")
	}
	p.serveAll(cfg)
	if cfg.Params.Rename != nil {
		p.rename, p.fixed.rename = cfg.Params.Rename, true
	}
	if cfg.Params.Omit != nil {
		p.omit, p.fixed.omit = cfg.Params.Omit, true
	}
	p.images, p.traced = cfg.FetchImages, cfg.Traceparent
	p.askUsage = cfg.StreamUsage == config.StreamUsageAlways || cfg.StreamUsage != config.StreamUsageNever && p.kind.Usage == catalog.Asks
	if p.way, err = wayOf(cfg, dialer, proxy); err != nil {
		return nil, fmt.Errorf("provider %s: %w", cfg.Name, err)
	}
	p.secrets.fixed(p.credentials, cfg.Headers, p.base, p.way.proxy)
	if len(p.credentials) == 0 {
		p.credentials = []secret.Text{{}}
	}
	for _, name := range cfg.ForwardHeaders {
		p.forward = append(p.forward, http.CanonicalHeaderKey(name))
	}
	for _, credential := range p.credentials {
		whole := p.header(cfg, credential, id)
		stream := whole.Clone()
		stream.Set("Accept", cmp.Or(k.Accept, "text/event-stream"))
		p.headers = append(p.headers, headers{whole, stream})
	}
	if p.authority, err = authorityOf(k, cfg, p.way, id); err != nil {
		return nil, fmt.Errorf("provider %s: %w", cfg.Name, err)
	}
	p.connections = newPool(func() *transport { return newTransport(p.base, p.way.proxy, p.way.secure) })
	return p, nil
}

// serveAll finds the places of everything that the provider speaks.
func (p *Provider) serveAll(cfg config.Provider) {
	pinned := func(h catalog.Passed) bool { _, ok := cfg.Headers[h.Header]; return ok }
	own := catalog.Face{Dialect: p.kind.Dialect, Paths: p.kind.Paths, Streams: p.kind.Streams, Passes: p.kind.Passes}
	if slices.Contains(cfg.Speaks, config.APIResponses) && !slices.Contains(cfg.Speaks, config.APIChat) {
		own = catalog.ResponsesFace
	}
	own.Passes = slices.DeleteFunc(slices.Clone(own.Passes), pinned)
	p.own = p.serve(own)
	faces := p.kind.Faces
	if p.table == "" && p.kind.Dialect == llm.OpenAI { // a server of one's own may have models of any name
		faces = nil
	}
	for _, f := range faces {
		f.Passes = slices.DeleteFunc(slices.Clone(f.Passes), pinned)
		p.faces = append(p.faces, p.serve(f))
	}
	also := slices.Clone(p.kind.Also)
	if slices.Contains(cfg.Speaks, config.APIMessages) {
		also = append(also, catalog.MessagesFace)
	}
	if slices.Contains(cfg.Speaks, config.APIResponses) {
		also = append(also, catalog.ResponsesFace)
	}
	for _, f := range also {
		f.Passes = slices.DeleteFunc(slices.Clone(f.Passes), pinned)
		p.also = append(p.also, p.serve(f))
	}
}

// header is what every call with the given credential carries.
func (p *Provider) header(cfg config.Provider, credential secret.Text, id Identity) http.Header {
	h := http.Header{
		"Content-Type": {"application/json"},
		"Accept":       {"application/json"},
		"User-Agent":   {id.UserAgent},
		"Via":          {id.Via},
		// A key without values is not sent. But it says to the transport that a call on a connection that turned out to be
		// dead may be sent once more on another.
		"Idempotency-Key": nil,
	}
	if name, value := p.kind.Version[0], p.kind.Version[1]; name != "" {
		h.Set(name, value)
	}
	for name, value := range cfg.Headers {
		h.Set(name, value.Reveal())
	}
	switch {
	case credential.IsZero():
	case p.kind.Header != "":
		h.Set(p.kind.Header, credential.Reveal())
	default:
		h.Set("Authorization", "Bearer "+credential.Reveal())
	}
	return h
}

// FetchesImages reports whether the config lets Weir fetch the images that callers name by URL.
func (p *Provider) FetchesImages() bool { return p.images }

// Traced reports whether calls say which trace they are part of.
func (p *Provider) Traced() bool { return p.traced }

// Convention is what OpenTelemetry's conventions call the vendor.
func (p *Provider) Convention() string { return cmp.Or(p.kind.GenAI, p.kind.Name) }

// Server is the host that calls go to, and its port.
func (p *Provider) Server() (host string, port int) {
	port, _ = strconv.Atoi(p.base.Port())
	if port == 0 {
		port = map[string]int{"https": 443, "http": 80}[p.base.Scheme]
	}
	return p.base.Hostname(), port
}

// MaxInputs is how many inputs the provider takes in one call of embeddings, 0 if that is not known.
func (p *Provider) MaxInputs() int { return p.kind.Inputs }

// Close frees the idle connections; calls under way go on.
func (p *Provider) Close() {
	p.connections.close()
	if p.authority != nil {
		p.authority.Close()
	}
}

// Credentials is how many credentials the provider has, at least one.
func (p *Provider) Credentials() int { return len(p.credentials) }

// Changes is what must change in the body of r for this provider's model. like is as for About; takes are the capabilities in the
// config. What a request is Without by that comes on top.
func (p *Provider) Changes(r dialect.Asking, model, like string, takes *llm.Takes) dialect.Changes {
	c := dialect.Changes{Model: model, DropOptions: p.kind.Usage == catalog.SendsOnly, DropFloat: p.kind.NoFloat, Int8: p.kind.Int8}
	c.Rename, c.Omit = p.params(r, model, like, takes)
	c.History = p.history(like)
	c.AskUsage = p.askUsage && r.Scan().Stream && !r.Scan().WantUsage && !slices.Contains(p.omit, "stream_options")
	return c
}

// Routing are the top-level members of a request with which a caller would choose models or providers of this provider.
func (p *Provider) Routing() []string { return p.kind.Routing }

// Bills reports whether the cost in this provider's usage is what it bills. A server at a base_url of one's own may report anything, so there
// it is by the config alone.
func (p *Provider) Bills() bool { return p.bills }

// UncountedReasoning reports whether reasoning does not count among the tokens that a caller allows an answer.
func (p *Provider) UncountedReasoning() bool { return p.kind.Uncounted }

func bills(cfg config.Provider, k catalog.Kind) bool {
	return cfg.Cost == config.CostReported || cfg.Cost == "" && cfg.BaseURL == "" && k.Bills
}

// BadKey reports whether a 400 or 403 of this kind of provider means that it refused our credential. Words in the middle of a
// message do not count: the caller may have written them, and no caller may have a credential parked.
func (p *Provider) BadKey(message string) bool {
	says := p.kind.BadKey
	return says != "" && (strings.HasPrefix(message, says) || strings.HasSuffix(message, says))
}

// LacksVersion is the path of the kind's own base_url, such as /v1, that base_url lacks. It is "" if base_url has an API version in
// its path, or needs none.
func (p *Provider) LacksVersion() string {
	if p.apiVersion != "" || versioned.MatchString(p.base.Path) {
		return ""
	}
	own := cmp.Or(p.kind.BaseURL, p.kind.Account, "https://127.0.0.1/v1") // the simulated provider is called as OpenAI's
	_, own, _ = strings.Cut(own, "://")
	_, path, _ := strings.Cut(own, "/")
	if path = "/" + path; !versioned.MatchString(path) {
		return ""
	}
	return path
}

// versioned matches a path with an API version.
var versioned = regexp.MustCompile(`/v\d+((alpha|beta)\d*)?(/|$)`)

// Address is the address of an endpoint for calls in a dialect as messages to the operator show it: without query.
func (p *Provider) Address(e llm.Endpoint, model string, stream bool, d llm.Dialect) string {
	return p.url(p.faceFor(model, d), e, model, stream).EscapedPath()
}
