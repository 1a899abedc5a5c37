package importer

import (
	"fmt"
	"slices"
	"strings"
)

// bifrostAccount is what keys of a provider have in common that are used by turns: they are one provider here.
type bifrostAccount struct {
	at       *Node
	provider Provider
	share    float64
	all      bool     // it serves all models but those of not
	models   []string // else these
	not      []string
	aliases  []Setting // the provider's names of models
	within   Text      // what goes before the provider's names of those
}

// provider converts a provider with its keys, and adds the models that callers name as provider/model.
func (b *bifrost) provider(name string, n *Node) {
	custom := n.Get("custom_provider_config")
	v, ok := vendorOf(name)
	if base := custom.Get("base_provider_type"); base.Text() != "" {
		v, ok = vendorOf(base.Text())
		v.base = ""
		b.Exact(base, "kind of the provider")
	}
	switch {
	case isUnserved(name) && custom == nil:
		b.Unsupported(n, fmt.Sprintf("left out: Weir does not serve what %s is for", name))
		return
	case nameProblem(name) != "":
		b.Unsupported(n, "left out, because Weir takes no provider of that name: "+nameProblem(name))
		return
	case !ok && n.Get("network_config").Get("base_url").Text() == "":
		b.Unsupported(n, fmt.Sprintf("left out, because Weir has no kind of provider like %q", name))
		return
	case !ok:
		v = vendor{kind: openaiKind, tail: "/v1"}
		b.Approximate(n.Get("network_config"), fmt.Sprintf("Weir has no kind of provider like %q: its address is taken to speak as OpenAI does", name))
	}
	common := Provider{Name: name, At: n, Kind: v.kind, BaseURL: Text(v.base)}
	if !b.network(n, v, &common) {
		return
	}
	b.proxy(n.Get("proxy_config"), &common)
	var accounts []*bifrostAccount
	for _, key := range n.Get("keys").list() {
		accounts = b.key(key, v, common, accounts)
	}
	if len(n.Get("keys").list()) == 0 {
		if less, _ := custom.Get("is_key_less").Bool(); !less && v.kind != ollamaKind && v.kind != "vllm" && v.kind != bedrockKind && v.kind != vertexKind && common.BaseURL == "" {
			common.APIKeys = []Text{Variable(keyVariable(name))}
			b.about(n, Manual, fmt.Sprintf("it has no keys in the file, so they are in Bifrost's database: set the variable %s to one", keyVariable(name)))
		}
		if keys := n.Get("keys"); keys != nil {
			b.Exact(keys, "none in the file")
		}
		accounts = []*bifrostAccount{{at: n, provider: b.whereabouts(common), share: 1, all: true}}
	}
	b.places(n.Get("concurrency_and_buffer_size"), accounts)
	b.models(name, n, accounts)
	b.served = append(b.served, name)
	b.aside(n, custom)
}

// network converts network_config, but for what is of the models.
func (b *bifrost) network(n *Node, v vendor, to *Provider) bool {
	network := n.Get("network_config")
	if base := network.Get("base_url"); base.Text() != "" {
		address, ok := b.address(n, base, v)
		if !ok {
			return false
		}
		to.BaseURL = address
	}
	for _, f := range network.Get("extra_headers").fields() {
		b.header(to, f)
	}
	for _, f := range []struct {
		name string
		c    Class
		why  string
	}{
		{"retry_backoff_initial", Approximate, "not needed: Weir waits as it sees fit between attempts"},
		{"retry_backoff_max", Approximate, "not needed: Weir waits as it sees fit between attempts"},
		{"retry_backoff_initial_ms", Approximate, "not needed: Weir waits as it sees fit between attempts"},
		{"retry_backoff_max_ms", Approximate, "not needed: Weir waits as it sees fit between attempts"},
		{"stream_idle_timeout_in_seconds", Manual, "set timeouts.idle at the models, 2 minutes by default"},
		{"insecure_skip_verify", Unsupported, "Weir always verifies certificates: name the authority in ca_file"},
		{"ca_cert_pem", Manual, "write it to a file, and set ca_file at the provider"},
		{"max_conns_per_host", Approximate, "see concurrent"},
		{"enforce_http2", Approximate, "not needed: HTTP/2 is used where a provider has it"},
		{"allow_private_network", Exact, "always so in Weir: base_url may lead anywhere but to the metadata services of clouds"},
	} {
		if value := network.Get(f.name); value != nil {
			b.say(value, f.c, f.why)
		}
	}
	return true
}

// address is an address of a provider's API, with what Bifrost adds to it.
func (b *bifrost) address(n, base *Node, v vendor) (Text, bool) {
	tail := v.tail
	if v.kind == "perplexity" {
		tail = ""
	}
	if _, ok := b.secrets.refers(base.Text()); ok || isElsewhere(base.Text()) {
		address := b.value(base, v.kind+"_BASE_URL")
		if tail != "" {
			address += Text(tail)
			b.about(base, Approximate, fmt.Sprintf("base_url of the provider: %s was added to the variable, whose value must not end in it or in a slash", tail))
		} else if !base.said {
			b.Exact(base, "base_url of the provider")
		}
		return address, true
	}
	address, why := rootOf(base.Text(), tail)
	if why != "" {
		b.Unsupported(n, "the provider was left out, because "+strings.Replace(why, "api_base", "address", 1))
		return "", false
	}
	b.Exact(base, "base_url of the provider")
	return Literal(address), true
}

// header adds a header that goes with each call.
func (b *bifrost) header(to *Provider, f Field) {
	value := f.Value
	name := strings.ToLower(f.Name)
	switch {
	case ownHeader(name):
		b.Unsupported(f.Value, "left out: Weir sets this header itself")
		return
	case secretHeader(name, value.Text()):
		to.Headers = append(to.Headers, Setting{f.Name, b.secret(value, "HEADER_"+strings.ToUpper(name))})
	default:
		to.Headers = append(to.Headers, Setting{f.Name, b.value(value, "HEADER_"+name)})
	}
	if !value.said {
		b.Exact(f.Value, "a header of the provider")
	}
}

// proxy converts proxy_config.
func (b *bifrost) proxy(n *Node, to *Provider) {
	address := n.Get("url")
	switch kind := n.Get("type"); kind.Text() {
	case "":
	case "none", "environment":
		b.Approximate(n, "left out: without proxy, Weir does as HTTPS_PROXY and NO_PROXY say")
	default:
		if address.Text() == "" {
			b.Manual(n, "it has no url: set proxy at the provider")
			return
		}
		if isElsewhere(address.Text()) {
			to.Proxy = b.value(address, "PROXY_URL")
		} else {
			to.Proxy = b.secrets.address(address, "PROXY_URL")
		}
		b.Exact(kind, "proxy of the provider")
		if !address.said {
			b.Exact(address, "proxy of the provider")
		}
		for _, name := range []string{"username", "password"} {
			if f := n.Get(name); f.Text() != "" {
				b.Manual(f, "write it into the URL of proxy, by a variable")
			}
		}
	}
}

// places converts how many requests may be at a provider at once.
func (b *bifrost) places(n *Node, accounts []*bifrostAccount) {
	if buffer := n.Get("buffer_size"); buffer != nil {
		b.Approximate(buffer, "not needed: see limits.wait for how long requests wait")
	}
	most := n.Get("concurrency")
	if most == nil {
		return
	}
	value, ok := most.Int()
	if !ok || value < 1 || value > maxPlaces {
		b.Manual(most, "it is no number of requests: it was left out")
		return
	}
	if len(accounts) != 1 {
		b.Manual(most, "left out: the provider has become several, so share it out as concurrent among them")
		return
	}
	accounts[0].provider.Concurrent = value
	b.Exact(most, "concurrent of the provider")
}

// models adds the models that callers name as provider/model.
func (b *bifrost) models(name string, n *Node, accounts []*bifrostAccount) {
	var shares []float64
	wild := false
	var names []string
	add := func(model string) {
		if !slices.Contains(names, model) {
			names = append(names, model)
		}
	}
	for _, a := range accounts {
		shares = append(shares, a.share)
		wild = wild || a.all
		for _, alias := range a.aliases {
			add(alias.Name)
		}
		for _, model := range append(a.models, a.not...) {
			add(model)
		}
	}
	whole := weights(shares)
	made := make([]*Provider, len(accounts))
	for i, a := range accounts {
		made[i] = b.to.Provider(a.provider)
	}
	serve := func(model string) {
		var t tier
		for i, a := range accounts {
			if whole[i] == 0 && len(accounts) > 1 || !a.serves(model) {
				continue
			}
			t = append(t, &Target{At: a.at, Provider: made[i], Model: a.named(model), Weight: whole[i]})
		}
		if why := nameProblem(name + "/" + model); why != "" {
			b.about(n, Unsupported, fmt.Sprintf("the model %q was left out: %s", model, why))
			return
		}
		if len(t) == 0 || b.to.Model(name+"/"+model) != nil {
			return
		}
		m, _ := b.to.tiered(name+"/"+model, n, []tier{t})
		b.times(n.Get("network_config"), m)
	}
	for _, model := range names {
		serve(model)
	}
	if wild {
		serve("*")
	}
}

// serves reports whether an account serves a model; * is any.
func (a *bifrostAccount) serves(model string) bool {
	if a.all {
		return !slices.Contains(a.not, model)
	}
	return slices.Contains(a.models, model) || slices.ContainsFunc(a.aliases, func(s Setting) bool { return s.Name == model && len(a.models) == 0 })
}

// named is the provider's name of a model.
func (a *bifrostAccount) named(model string) string {
	for _, alias := range a.aliases {
		if alias.Name == model {
			return strings.ReplaceAll(string(a.within+alias.Value), "$$", "$")
		}
	}
	return model
}

// times converts timeouts and repeats.
func (b *bifrost) times(network *Node, m *Model) {
	if n := network.Get("default_request_timeout_in_seconds"); n != nil {
		span, ok := duration(n.Text())
		switch {
		case !ok:
			b.Manual(n, "it is no number of seconds: it was left out")
		default:
			m.Total = span
			b.once(n, "timeouts.total of the models: Weir counts the whole request with all attempts, Bifrost each attempt")
		}
	}
	if n := network.Get("max_retries"); n != nil {
		value, ok := n.Int()
		if !ok || value < 0 || value > 100 {
			b.Manual(n, "it is no number of repeats: it was left out")
			return
		}
		m.Attempts = value + int64(len(m.Targets))
		b.once(n, "retries.max_attempts of the models, their targets added: Weir counts all attempts of a request")
	}
}

// about reports something of a value of which parts are reported besides.
func (b *bifrost) about(n *Node, c Class, text string) {
	if len(n.Fields)+len(n.Items) == 0 {
		b.say(n, c, text)
		return
	}
	b.Add(Finding{n.File, n.Line, n.Column, c, n.Path, text})
}

// once reports a value that counts for several models.
func (b *bifrost) once(n *Node, text string) {
	if !n.said {
		b.Approximate(n, text)
	}
}

// aside reports what is left of a provider.
func (b *bifrost) aside(n, custom *Node) {
	for _, name := range []string{"send_back_raw_request", "send_back_raw_response", "store_raw_request_response"} {
		if f := n.Get(name); f != nil {
			b.Unsupported(f, "Weir neither keeps nor returns what was sent to a provider and what it answered as it was")
		}
	}
	for _, name := range []string{"allowed_requests", "request_path_overrides", "is_key_less"} {
		f := custom.Get(name)
		switch {
		case f == nil:
		case name == "is_key_less":
			b.Exact(f, "no api_key")
		case name == "allowed_requests":
			b.Approximate(f, "not needed: Weir serves chats, completions, responses and embeddings, and says 404 for all else")
		default:
			b.Manual(f, "Weir calls the paths of the kind: check base_url of the provider")
		}
	}
	if f := n.Get("openai_config"); f != nil {
		b.Approximate(f, "see speaks of the provider")
	}
	if f := n.Get("pricing_overrides"); f != nil {
		b.Manual(f, "set price at the targets")
	}
}
