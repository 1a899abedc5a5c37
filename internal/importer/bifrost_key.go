package importer

import (
	"fmt"
	"slices"
	"strings"
)

// key converts a key of a provider. One that differs from another in nothing but its secret is used by turns with that.
func (b *bifrost) key(n *Node, v vendor, common Provider, accounts []*bifrostAccount) []*bifrostAccount {
	if enabled, ok := n.Get("enabled").Bool(); ok {
		if !enabled {
			b.Approximate(n, "left out: it is switched off")
			return accounts
		}
		b.Exact(n.Get("enabled"), "used")
	}
	a := &bifrostAccount{at: n, provider: common, share: 1}
	a.provider.At = n
	if w := n.Get("weight"); w != nil {
		share, ok := w.float()
		if !ok || share < 0 {
			b.Manual(w, "it is no weight: 1 is used")
			share = 1
		}
		a.share = share
	}
	if !b.cloud(n, v, a) {
		return accounts
	}
	b.allowed(n, a)
	b.aliases(n, a)
	b.apiKey(n, a)
	for _, f := range []struct{ name, why string }{{"name", "not needed: a provider's keys have no names"}, {"id", "not needed: a provider's keys have no ids"}, {"description", "not needed"}, {"use_for_batch_api", "not needed: Weir serves no batches"}, {"use_for_batch_apis", "not needed: Weir serves no batches"}} {
		if value := n.Get(f.name); value != nil {
			b.Exact(value, f.why)
		}
	}
	if w := n.Get("weight"); w != nil && !w.said {
		b.Exact(w, "the share of the key among the provider's")
	}
	for _, other := range accounts {
		if other.joins(a) {
			other.provider.APIKeys = append(other.provider.APIKeys, a.provider.APIKeys...)
			return accounts
		}
	}
	return append(accounts, a)
}

// joins reports whether other differs in its secret alone.
func (a *bifrostAccount) joins(other *bifrostAccount) bool {
	one, two := a.provider, other.provider
	if len(one.APIKeys) == 0 || len(two.APIKeys) == 0 {
		return false
	}
	one.APIKeys, two.APIKeys = nil, nil
	return one.identity() == two.identity() && a.share == other.share && a.all == other.all && a.within == other.within &&
		slices.Equal(a.models, other.models) && slices.Equal(a.not, other.not) && slices.Equal(a.aliases, other.aliases)
}

// allowed reads which models a key is for.
func (b *bifrost) allowed(n *Node, a *bifrostAccount) {
	models := n.Get("models")
	a.all = b.everything(models)
	if !a.all {
		for _, model := range models.Texts() {
			if why := nameProblem(model); why != "" || strings.Contains(model, "*") {
				b.Manual(models, fmt.Sprintf("the model %q was left out: add it to models", model))
				continue
			}
			a.models = append(a.models, model)
		}
	}
	if models != nil && !models.said {
		b.Exact(models, "models of these names, with the provider's before")
	}
	if not := n.Get("blacklisted_models"); not != nil {
		a.not = not.Texts()
		if len(a.not) > 0 && a.all {
			b.Approximate(not, "models of these names go to the other keys; without any, the pattern of the provider takes them: restrict models of keys")
		} else {
			a.models = slices.DeleteFunc(a.models, func(m string) bool { return slices.Contains(a.not, m) })
			b.Exact(not, "no models of these names")
		}
	}
}

// aliases reads the provider's own names of models, which earlier versions have within the settings of the clouds.
func (b *bifrost) aliases(n *Node, a *bifrostAccount) {
	for _, all := range []*Node{
		n.Get("aliases"), n.Get("azure_key_config").Get("deployments"), n.Get("bedrock_key_config").Get("deployments"),
		n.Get("vertex_key_config").Get("deployments"), n.Get("replicate_key_config").Get("deployments"),
	} {
		if isElsewhere(all.Text()) {
			b.Manual(all, "the provider's names of models are encrypted in Bifrost's database: set them at the targets")
		}
		for _, f := range all.fields() {
			value := f.Value
			if value.IsMap() || value.Text() == "" {
				b.Manual(f.Value, "the provider's name of the model is not known here: set it at the target")
				continue
			}
			a.aliases = append(a.aliases, Setting{f.Name, b.value(value, a.provider.Name+"_MODEL")})
			b.Exact(f.Value, "the target's model")
		}
	}
}

// apiKey sets api_key.
func (b *bifrost) apiKey(n *Node, a *bifrostAccount) {
	value := n.Get("value")
	switch {
	case value.Text() == "":
		if value != nil {
			b.Exact(n.Get("value"), "no api_key")
		}
	case a.provider.SignsIn || len(a.provider.AWS) > 0 || a.provider.Kind == vertexKind:
		b.Approximate(n.Get("value"), "left out: the provider signs in otherwise")
	default:
		a.provider.APIKeys = []Text{b.secret(value, keyVariable(a.provider.Name))}
		if !value.said {
			b.Exact(n.Get("value"), "api_key of the provider")
		}
	}
}

// cloud sets what the clouds and servers of one's own need.
func (b *bifrost) cloud(n *Node, v vendor, a *bifrostAccount) bool {
	p := &a.provider
	set := func(into *Text, f *Node, where string) bool {
		value := f
		if value.Text() == "" {
			return false
		}
		*into = b.value(value, p.Name+"_"+where)
		if !value.said {
			b.Exact(f, where+" of the provider")
		}
		return true
	}
	for _, name := range []string{"ollama_key_config", "vllm_key_config", "sgl_key_config"} {
		server := n.Get(name)
		if address := server.Get("url"); address.Text() != "" {
			base, ok := b.address(n, address, v)
			if !ok {
				return false
			}
			p.BaseURL = base
		}
		if model := server.Get("model_name"); model.Text() != "" {
			a.models = append(a.models, model.Text())
			b.Exact(model, "a model of the provider")
		}
	}
	switch p.Kind {
	case azureKind:
		b.azure(n.Get("azure_key_config"), p, set)
	case bedrockKind:
		config := n.Get("bedrock_key_config")
		set(&p.Region, config.Get("region"), "region")
		for _, f := range []struct{ theirs, ours string }{{"access_key", "access_key_id"}, {"secret_key", "secret_access_key"}, {"session_token", "session_token"}} {
			if value := config.Get(f.theirs); value.Text() != "" {
				p.AWS = append(p.AWS, Setting{f.ours, b.secret(value, "AWS_"+strings.ToUpper(f.ours))})
				if !value.said {
					b.Exact(config.Get(f.theirs), "aws."+f.ours+" of the provider")
				}
			}
		}
		if arn := config.Get("arn"); arn.Text() != "" {
			a.within = b.value(arn, p.Name+"_ARN") + "/"
			b.once(config.Get("arn"), "put before the provider's names of models that have one")
		}
		for _, name := range []string{"role_arn", "external_id", "session_name"} {
			if f := config.Get(name); f.Text() != "" {
				b.Manual(f, "Weir takes on a role by a profile: write one with role_arn into ~/.aws/config, and set aws: {profile: NAME}")
			}
		}
	case vertexKind:
		b.vertex(n.Get("vertex_key_config"), p, set)
	}
	*p = b.whereabouts(*p)
	return true
}

// vertex sets the project and the region.
func (b *bifrost) vertex(config *Node, p *Provider, set func(*Text, *Node, string) bool) {
	set(&p.Project, config.Get("project_id"), "project")
	set(&p.Region, config.Get("region"), "region")
	if f := config.Get("project_number"); f != nil {
		b.Exact(f, "not needed: project says it")
	}
	if f := config.Get("auth_credentials"); f.Text() != "" {
		b.Manual(f, "Weir reads credentials from a file: write them to one, and set credentials_file; without, the identity of the machine counts")
	} else if f != nil {
		b.Exact(f, "the identity of the machine")
	}
}

// whereabouts fills in what a cloud needs and the file does not say.
func (b *bifrost) whereabouts(p Provider) Provider {
	variable := strings.ToUpper(variableName(p.Name))
	lacking := func(into *Text, name string) {
		if *into == "" {
			*into = Variable(variable + name)
		}
	}
	switch p.Kind {
	case bedrockKind:
		lacking(&p.Region, "_REGION")
	case vertexKind:
		lacking(&p.Region, "_REGION")
		lacking(&p.Project, "_PROJECT")
	case azureKind, "databricks", "snowflake", "cloudflare":
		lacking(&p.BaseURL, "_BASE_URL")
	}
	return p
}

// azure sets the address of a resource, and who signs in.
func (b *bifrost) azure(config *Node, p *Provider, set func(*Text, *Node, string) bool) {
	endpoint := config.Get("endpoint")
	if endpoint.Text() != "" {
		if _, ok := b.secrets.refers(endpoint.Text()); ok || isElsewhere(endpoint.Text()) {
			set(&p.BaseURL, config.Get("endpoint"), "base_url")
		} else if address, why := rootOf(endpoint.Text(), ""); why == "" {
			p.BaseURL = Literal(strings.TrimSuffix(strings.TrimSuffix(address, "/openai"), "/"))
			b.Exact(config.Get("endpoint"), "base_url of the provider")
		} else {
			b.Manual(config.Get("endpoint"), strings.Replace(why, "its api_base", "it", 1)+": set base_url")
		}
	}
	var version Text
	set(&version, config.Get("api_version"), "api_version")
	switch {
	case strings.HasSuffix(string(p.BaseURL), "/v1") || p.BaseURL == "":
	case version == "" || version == "v1" || version == "preview" || version == "latest":
		p.BaseURL += "/openai/v1"
	default:
		p.APIVersion = version
	}
	for _, f := range []struct{ theirs, ours string }{{"tenant_id", "tenant"}, {"client_id", "client_id"}, {"client_secret", "client_secret"}} {
		value := config.Get(f.theirs)
		if value.Text() == "" {
			continue
		}
		p.SignsIn = true
		p.Entra = append(p.Entra, Setting{f.ours, b.secret(value, "AZURE_"+strings.ToUpper(f.theirs))})
		if !value.said {
			b.Exact(config.Get(f.theirs), "entra."+f.ours+" of the provider")
		}
	}
}
