package config

import (
	"fmt"
	"maps"
	"net/netip"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/weirproxy/weir/internal/secret"
)

func (d *decoder) checkProviders(providers []Provider) {
	for i := range providers {
		p := &providers[i]
		if err := checkProviderName(p.Name); err != nil {
			d.errorf(d.name(p), "provider name %q %v", p.Name, err)
		}
		if !d.usable(p) {
			continue
		}
		d.checkKind(p)
		d.checkBaseURL(p)
		d.checkCredentials(p)
		d.checkProxy(p)
		d.checkAuthorities(&p.CAFile)
		d.checkHeaders(p)
		d.checkForwarded(p)
		d.checkParams(&p.Params)
		d.checkPlaces("concurrent", &p.Concurrent)
		switch p.StreamUsage {
		case StreamUsageAuto, StreamUsageAlways, StreamUsageNever:
		default:
			d.errorf(d.where(&p.StreamUsage), "stream_usage must be auto, always or never, not %s", d.quote(&p.StreamUsage, string(p.StreamUsage)))
		}
	}
}

// checkSpeaks reports what a server cannot be said to speak. What a vendor's own address speaks is known.
func (d *decoder) checkSpeaks(p *Provider, kind Kind) {
	if !d.given(&p.Speaks) {
		return
	}
	name := d.name(&p.Speaks)
	switch {
	case kind.Translated:
		d.errorf(name, "kind %s speaks one API, its vendor's: remove speaks", p.Kind)
		return
	case p.BaseURL == "" && !kind.local() && p.Kind != SimKind:
		d.errorf(name, "speaks is for servers of your own, but base_url is that of kind %s: add base_url, or remove speaks", p.Kind)
	}
	for i, api := range p.Speaks {
		if api != APIChat && api != APIMessages && api != APIResponses {
			d.errorf(d.where(&p.Speaks[i]), "speaks must list chat, messages or responses, not %s", d.quote(&p.Speaks[i], string(api)))
		}
	}
	if !slices.Contains(p.Speaks, APIChat) && !slices.Contains(p.Speaks, APIResponses) {
		d.errorf(name, "speaks lacks chat, which servers of kind %s speak: add it or responses, or choose kind anthropic for a server that speaks messages alone", p.Kind)
	}
}

func checkProviderName(name string) error {
	if strings.ContainsAny(name, "/*") {
		return fmt.Errorf("must not contain / or *: targets are provider/model")
	}
	return checkName(name)
}

// kinds are the kinds there are, the simulated provider always among them.
func (l *Loader) kinds() []Kind {
	if slices.ContainsFunc(l.Kinds, func(k Kind) bool { return k.Name == SimKind }) {
		return l.Kinds
	}
	return append(slices.Clone(l.Kinds), Kind{Name: SimKind})
}

// kindNames are for people to choose from: the servers of one's own machine come first, because most begin with one.
func (l *Loader) kindNames() []string {
	var local, names []string
	for _, k := range l.kinds() {
		if k.local() {
			local = append(local, k.Name)
		} else {
			names = append(names, k.Name)
		}
	}
	return append(local, names...)
}

func (l *Loader) kind(name string) (Kind, bool) {
	kinds := l.kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// checkKind reports an unknown kind, and fields that the kind does not have or cannot do without.
func (d *decoder) checkKind(p *Provider) {
	if !d.usable(&p.Kind) {
		return
	}
	kind, ok := d.loader.kind(p.Kind)
	if !ok {
		d.errorf(d.where(&p.Kind), "unknown kind %s%s", d.quote(&p.Kind, p.Kind), suggest(p.Kind, d.loader.kindNames(), "the kinds are"))
		return
	}
	if d.given(&p.APIVersion) && !kind.APIVersion {
		d.errorf(d.name(&p.APIVersion), "kind %s has no api_version: remove it", p.Kind)
	}
	d.checkRegion(p, kind)
	d.checkCloud(p, kind)
	if d.present(&p.Params.Rename) && kind.Translated {
		d.errorf(d.name(&p.Params.Rename), "kind %s takes no params.rename, because Weir translates its requests: remove it", p.Kind)
	}
	if p.FetchImages && !kind.Translated {
		d.errorf(d.name(&p.FetchImages), "kind %s is sent the URLs of images as they are, nothing is fetched for it: remove fetch_images", p.Kind)
	}
	if d.given(&p.Cost) && kind.Translated {
		d.errorf(d.name(&p.Cost), "kind %s takes no cost, because its answers state none: remove it, or write price at its targets", p.Kind)
	}
	if d.given(&p.StreamUsage) && kind.Translated {
		d.errorf(d.name(&p.StreamUsage), "kind %s takes no stream_usage, because its streams always report usage: remove it", p.Kind)
	}
	d.checkSpeaks(p, kind)
	if p.Kind == SimKind {
		d.checkSim(p)
		return
	}
	if kind.DefaultBaseURL == "" && d.usable(&p.BaseURL) && p.BaseURL == "" {
		example := ""
		if kind.ExampleBaseURL != "" {
			example = ", as " + kind.ExampleBaseURL
		}
		d.errorf(d.name(p), "provider %q lacks base_url, and kind %s has no default: add the root of its API%s", p.Name, p.Kind, example)
	}
	// Another server at a base URL of one's own may well ask for no key.
	atDefault := !d.present(&p.BaseURL) || kind.DefaultBaseURL == ""
	if kind.NeedsKey && atDefault && !d.present(&p.APIKey) && !d.present(&p.APIKeys) && !hasAuthorization(p) && !d.cloudInstead(p, kind) {
		example := "api_key: \"${…}\""
		if kind.EnvVar != "" {
			example = fmt.Sprintf("api_key: \"${%s}\"", kind.EnvVar)
		}
		if kind.Cloud == EntraCloud {
			example += ", or entra: {} to sign in to Microsoft Entra"
		}
		d.errorf(d.name(p), "provider %q has no key: set %s", p.Name, example)
	}
}

// checkRegion reports a region that is missing, out of place, or could lead to another host than the vendor's.
func (d *decoder) checkRegion(p *Provider, kind Kind) {
	switch set, based := d.given(&p.Region), d.present(&p.BaseURL) && kind.Cloud != GoogleCloud; { // Google's is in the path too
	case d.present(&p.Region) && !kind.Region:
		d.errorf(d.name(&p.Region), "kind %s has no region: remove it", p.Kind)
	case set && based && (kind.Cloud != AWSCloud || d.present(&p.APIKey) || d.present(&p.APIKeys)): // otherwise calls are signed for it
		d.errorf(d.name(&p.Region), "both base_url and region are set: use one of them")
	case set && !regionName(p.Region):
		d.errorf(d.where(&p.Region), "region %s must be a name in small letters, digits and dashes, such as eu-central-1", d.quote(&p.Region, p.Region))
	case kind.Region && !d.present(&p.Region) && !based:
		d.errorf(d.name(p), "provider %q lacks region, which is part of its address: add it, as region: eu-central-1", p.Name)
	}
}

// regionName reports whether s can be the name of a region: one label of a host name.
func regionName(s string) bool {
	other := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }
	return s != "" && len(s) <= 63 && !strings.ContainsFunc(s, other) && s[0] != '-' && s[len(s)-1] != '-'
}

// present reports whether the file sets value, right or wrong.
func (d *decoder) present(value any) bool {
	_, ok := d.at[value]
	return ok
}

// checkSim refuses what the built-in simulated provider has no use for.
func (d *decoder) checkSim(p *Provider) {
	for _, f := range []struct {
		name  string
		value any
	}{
		{"base_url", &p.BaseURL},
		{"api_key", &p.APIKey},
		{"api_keys", &p.APIKeys},
		{"proxy", &p.Proxy},
		{"ca_file", &p.CAFile},
		{"headers", &p.Headers},
	} {
		if d.present(f.value) {
			d.errorf(d.name(f.value), "kind sim is built in and has no %s: remove it (for a `weir sim` elsewhere use kind: openai)", f.name)
		}
	}
}

func (d *decoder) checkBaseURL(p *Provider) {
	if !d.given(&p.BaseURL) {
		return
	}
	u, err := url.Parse(p.BaseURL)
	var problem string
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		problem = "must be a full http or https URL such as https://api.example.com/v1"
	case linkLocal(u.Hostname()):
		problem = "is a link-local address, where machines hand out credentials: Weir never connects there"
	case u.User != nil:
		problem = "must not hold credentials: use api_key or headers"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(p.BaseURL, "#"):
		problem = "must not have a query or a fragment: for Azure's api-version use api_version"
	default:
		p.BaseURL = strings.TrimRight(p.BaseURL, "/")
		problem = d.basePath(p, strings.TrimRight(u.Path, "/"))
	}
	if problem != "" {
		d.failed[&p.BaseURL] = true
		d.errorf(d.where(&p.BaseURL), "base_url %s", problem)
	}
}

// linkLocal recognises an address that every call would fail at. What names lead to is checked when they are
// called.
func linkLocal(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLinkLocalUnicast()
}

// belowBase are the paths that Weir itself puts below a base URL. One that ends in another follows it.
var belowBase = []string{"/chat/completions", "/completions", "/embeddings", "/models"}

// basePath says what is wrong with the path of the provider's base URL, "" if nothing is.
func (d *decoder) basePath(p *Provider, path string) (problem string) {
	for _, end := range belowBase {
		if strings.HasSuffix(path, end) {
			return "must be the root of the provider's API (Weir adds the rest): drop " + end
		}
	}
	kind, ok := d.loader.kind(p.Kind)
	if !ok || !kind.APIVersion || !d.usable(&p.Kind) || !d.usable(&p.APIVersion) {
		return ""
	}
	for _, end := range []string{"/openai/v1", "/v1"} {
		if p.APIVersion != "" && strings.HasSuffix(path, end) {
			return fmt.Sprintf("ends in %s, which is the API without dated versions: drop api_version, or drop %s for the dated one", end, end)
		}
	}
	if p.APIVersion == "" && path == "" {
		return "has no path: append /openai/v1, or set api_version for the dated API"
	}
	return ""
}

func (d *decoder) checkCredentials(p *Provider) {
	if d.present(&p.APIKey) && d.present(&p.APIKeys) {
		d.errorf(d.name(&p.APIKeys), "both api_key and api_keys are set: use one of them")
	}
	if d.given(&p.APIKeys) && len(p.APIKeys) == 0 {
		d.errorf(d.where(&p.APIKeys), "api_keys is empty: add a key, or remove the line")
	}
	if d.given(&p.APIKey) && !headerValue(p.APIKey) {
		d.errorf(d.where(&p.APIKey), "provider %q: api_key holds a line break or another control character: check where it comes from", p.Name)
	}
	seen := map[string]bool{}
	for i := range p.APIKeys {
		key := &p.APIKeys[i]
		if !d.given(key) {
			continue
		}
		if !headerValue(*key) {
			d.errorf(d.where(key), "provider %q: api_keys[%d] holds a line break or another control character: check where it comes from", p.Name, i)
		}
		if seen[key.Reveal()] {
			d.errorf(d.where(key), "api_keys[%d] is the same key as one before it: remove it", i)
		}
		seen[key.Reveal()] = true
	}
}

// headerValue reports whether a secret can be sent in an HTTP header.
func headerValue(s secret.Text) bool {
	return !strings.ContainsFunc(s.Reveal(), func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

func (d *decoder) checkProxy(p *Provider) {
	if !d.given(&p.Proxy) {
		return
	}
	u, err := url.Parse(p.Proxy.Reveal())
	if err == nil && u.Hostname() != "" && (u.Path == "" || u.Path == "/") && u.RawQuery == "" {
		switch u.Scheme {
		case "http", "https", "socks5", "socks5h":
			return
		}
	}
	d.errorf(d.where(&p.Proxy), "proxy must be an http, https or socks5 URL such as http://proxy:3128")
}

// setByWeir are the headers that Weir or the connection sets, so that no one else may. Sorted.
var setByWeir = []string{
	"Accept", "Accept-Encoding", "Connection", "Expect", "Host", "Keep-Alive", "Proxy-Authenticate",
	"Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "Via",
}

// callersOwn are the headers that say who the caller is, here or elsewhere; they never go upstream. Sorted.
var callersOwn = []string{"Api-Key", "Authorization", "Cookie", "Openai-Organization", "Openai-Project", "X-Api-Key", "X-Goog-Api-Key"}

// reserved reports whether the header, in canonical form, is one that Weir or the connection sets.
func reserved(header string) bool {
	_, found := slices.BinarySearch(setByWeir, header)
	return found || strings.HasPrefix(header, "Content-")
}

// headerName reports whether s can be the name of a header (RFC 9110, token).
func headerName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

// credentialHeaders are those that can hold a provider's credential: the first two with any kind, the others with kinds that
// speak another dialect.
var credentialHeaders = []string{"Authorization", "Api-Key", "X-Api-Key", "X-Goog-Api-Key"}

func hasAuthorization(p *Provider) bool {
	for name := range p.Headers {
		if slices.Contains(credentialHeaders, textproto.CanonicalMIMEHeaderKey(name)) {
			return true
		}
	}
	return false
}

// traceHeaders are what traceparent: true sends.
var traceHeaders = []string{"Traceparent", "Tracestate"}

// checkHeaders brings the names of the provider's own headers into canonical form.
func (d *decoder) checkHeaders(p *Provider) {
	canonical := d.canonical(&p.Headers, func(header string) string {
		if p.Traceparent && slices.Contains(traceHeaders, header) {
			return "is sent by traceparent: true: remove it"
		}
		return ""
	})
	credentials := credentialHeaders[:2]
	if kind, _ := d.loader.kind(p.Kind); kind.Translated {
		credentials = credentialHeaders
	}
	for _, header := range credentials {
		if _, ok := canonical[header]; ok && (d.present(&p.APIKey) || d.present(&p.APIKeys)) {
			d.errorf(d.name(&p.Headers), "both a key and the header %s are set: use one of them", header)
		}
	}
	if len(canonical) > 0 {
		p.Headers = canonical
	}
}

// checkForwarded brings the names of forwarded headers into canonical form.
func (d *decoder) checkForwarded(p *Provider) {
	seen := map[string]bool{}
	for i := range p.ForwardHeaders {
		name := &p.ForwardHeaders[i]
		if !d.usable(name) {
			continue
		}
		header := textproto.CanonicalMIMEHeaderKey(*name)
		_, own := p.Headers[header]
		_, private := slices.BinarySearch(callersOwn, header)
		switch {
		case !headerName(*name):
			d.errorf(d.where(name), "%s cannot be the name of a header", d.quote(name, *name))
		case private:
			d.errorf(d.where(name), "header %s says who the caller is and is never passed on: remove it", header)
		case reserved(header):
			d.errorf(d.where(name), "header %s is set by Weir itself: remove it", d.quote(name, *name))
		case own:
			d.errorf(d.where(name), "header %s is set under headers too: remove one", d.quote(name, *name))
		case p.Traceparent && slices.Contains(traceHeaders, header):
			d.errorf(d.where(name), "header %s is sent by traceparent: true: remove it", header)
		case seen[header]:
			d.errorf(d.where(name), "header %s is here twice: remove one", d.quote(name, *name))
		}
		seen[header] = true
		*name = header
	}
}

// readByWeir are the members of a request that Weir itself reads or writes. Sorted.
var readByWeir = []string{"input", "messages", "model", "prompt", "stream", "stream_options"}

// checkExtra checks the members that are added to requests.
func (d *decoder) checkExtra(params *Params) {
	for _, list := range [...]struct {
		label  string
		values *map[string]JSON
	}{{"default", &params.Default}, {"set", &params.Set}} {
		for _, name := range slices.Sorted(maps.Keys(*list.values)) {
			id := entry{list.values, name}
			if !d.usable(id) {
				continue
			}
			same := func(other string) bool { return strings.EqualFold(other, name) }
			_, both := params.Set[name]
			switch {
			case name == "" || strings.ContainsFunc(name, unicode.IsControl):
				d.errorf(d.name(id), "%q cannot be the name of a member", name)
			case slices.ContainsFunc(readByWeir, same), same("encoding_format"):
				d.errorf(d.name(id), "%q cannot be in %s: Weir reads this member itself", name, list.label)
			case slices.ContainsFunc(params.Omit, same):
				d.errorf(d.name(id), "%q is both in %s and left out: remove one", name, list.label)
			case list.label == "default" && both:
				d.errorf(d.name(id), "%q is both in default and in set: remove one", name)
			}
		}
	}
}

func (d *decoder) checkParams(params *Params) {
	d.checkExtra(params)
	target := map[string]string{} // new name → old
	for _, from := range slices.Sorted(maps.Keys(params.Rename)) {
		id, to := entry{&params.Rename, from}, params.Rename[from]
		if !d.usable(id) {
			continue
		}
		_, reads := slices.BinarySearch(readByWeir, from)
		_, writes := slices.BinarySearch(readByWeir, to)
		other, taken := target[to]
		_, chained := params.Rename[to]
		switch {
		case reads || writes:
			d.errorf(d.name(id), "%q: Weir reads the old or the new member itself, so it cannot be renamed", from)
		case from == to || chained:
			d.errorf(d.name(id), "%q: its new name is renamed itself; write each old name with its last new one", from)
		case taken:
			d.errorf(d.name(id), "%q and %q are renamed to the same: remove one", other, from)
		}
		target[to] = from
	}
	seen := map[string]bool{}
	for i := range params.Omit {
		name := &params.Omit[i]
		if !d.usable(name) {
			continue
		}
		_, reads := slices.BinarySearch(readByWeir, *name)
		_, renamed := params.Rename[*name]
		switch {
		case reads && *name != "stream_options": // some upstreams refuse it
			d.errorf(d.where(name), "%s cannot be left out: Weir reads this member itself", d.quote(name, *name))
		case renamed:
			d.errorf(d.where(name), "%s is both renamed and left out: remove one", d.quote(name, *name))
		case seen[*name]:
			d.errorf(d.where(name), "%s is here twice: remove one", d.quote(name, *name))
		}
		seen[*name] = true
	}
}
