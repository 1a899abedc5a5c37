package importer

import (
	"fmt"
	"slices"
	"strings"
)

// target converts a config that names one provider, nil if it cannot be one.
func (p *portkey) target(n *Node, in passed) *Target {
	model := in.override["model"]
	account, named := "", model.Text()
	if rest, ok := strings.CutPrefix(named, "@"); ok && !strings.HasPrefix(rest, "cf/") && !strings.HasPrefix(rest, "hf/") { // names of Cloudflare's begin so
		account, named, _ = strings.Cut(rest, "/")
	}
	vaulted := member(n, "virtual_key")
	provider := member(n, "provider")
	if rest, ok := strings.CutPrefix(provider.Text(), "@"); ok {
		account, vaulted = rest, provider
	}
	if vaulted.Text() != "" && account == "" {
		account = vaulted.Text()
		if name, ok := substituted(account); ok {
			account = strings.ToLower(name)
		}
	}
	at := p.prefer(vaulted, provider, model, n)
	v, ok := vendorOf(provider.Text())
	switch {
	case account != "":
		v, ok = vendorNamed(account, named)
	case provider.Text() == "":
		p.Manual(n, "left out: callers name its provider in headers, and Weir has providers in its config: add one, and a model with it")
		return nil
	case isUnserved(provider.Text()):
		p.Unsupported(n, fmt.Sprintf("left out: Weir does not serve what %s is for", provider.Text()))
		return nil
	}
	if !ok && in.host == nil {
		p.leaveOut(n, at, account, provider)
		return nil
	}
	if !ok {
		v = vendor{kind: openaiKind}
		p.Approximate(at, "Weir has no kind of provider like it: its custom_host is taken to speak as OpenAI does")
	}
	draft := Provider{Name: p.called(account, provider), At: n, Kind: v.kind, BaseURL: Text(v.base)}
	if !p.address(n, &draft, in) {
		return nil
	}
	t := &Target{At: n, Model: p.cloud(n, &draft, named)}
	if t.Model == "" {
		t.Model = in.name
		if strings.HasSuffix(in.name, "*") {
			t.Model = "*"
		}
	}
	if why := nameProblem(t.Model); why != "" {
		p.Unsupported(n, "left out, because the provider's name of its model cannot be used: "+why)
		return nil
	}
	p.key(n, &draft, account, vaulted)
	t.Provider = p.to.Provider(draft)
	p.say(at, model, account, t)
	p.override(in, t)
	return t
}

// prefer is the first value that there is.
func (p *portkey) prefer(all ...*Node) *Node {
	for _, n := range all {
		if n != nil {
			return n
		}
	}
	return nil
}

// called is the name of the provider.
func (p *portkey) called(account string, provider *Node) string {
	if account != "" {
		return account
	}
	return provider.Text()
}

// leaveOut reports a target whose provider is not known.
func (p *portkey) leaveOut(n, at *Node, account string, provider *Node) {
	if account != "" {
		p.Manual(n, fmt.Sprintf("left out: the account %s is in Portkey's vault, and its name does not say of which provider it is: add that, and a target with it", account))
		return
	}
	p.Unsupported(n, fmt.Sprintf("left out, because Weir has no kind of provider like %q", provider.Text()))
}

// say says where the provider and the model are in the result.
func (p *portkey) say(at, model *Node, account string, t *Target) {
	if account != "" && at != nil && !at.said {
		p.Manual(at, fmt.Sprintf("the account %s is in Portkey's vault, and its kind was taken to be %s: set the variables that the provider %s names", account, t.Provider.Kind, t.Provider.Name))
	} else if at != nil && at != model && at != t.At && !at.said {
		p.Exact(at, "kind of the provider "+t.Provider.Name)
	}
	if model != nil && !model.said {
		p.Exact(model, fmt.Sprintf("the target %s/%s", t.Provider.Name, t.Model))
	}
}

// address sets base_url and forward_headers.
func (p *portkey) address(n *Node, to *Provider, in passed) bool {
	if in.host != nil {
		tail := map[string]string{ollamaKind: "/v1", geminiKind: "/v1beta"}[to.Kind]
		if _, ok := substituted(in.host.Text()); ok {
			to.BaseURL = p.secrets.value(in.host) + Text(tail)
		} else {
			address, why := rootOf(in.host.Text(), tail)
			if why != "" {
				p.Unsupported(n, "the target was left out, because "+strings.Replace(why, "api_base", "custom_host", 1))
				return false
			}
			to.BaseURL = Literal(address)
		}
		if !in.host.said {
			p.Exact(in.host, "base_url of the provider")
		}
	}
	if in.forward != nil {
		credentials := []string{"authorization", "cookie", "x-api-key", "api-key", "x-goog-api-key", "host", "content-length", "content-type", "connection"}
		for _, name := range in.forward.Texts() {
			if !slices.Contains(credentials, strings.ToLower(name)) && !strings.HasPrefix(strings.ToLower(name), "x-portkey-") {
				to.ForwardHeaders = append(to.ForwardHeaders, name)
			}
		}
		if in.forward.said {
			return true
		}
		if len(to.ForwardHeaders) == len(in.forward.Items) {
			p.Exact(in.forward, "forward_headers of the provider")
		} else {
			p.Approximate(in.forward, "forward_headers of the provider, without those that carry credentials or describe the connection")
		}
	}
	return true
}

// cloud sets what the clouds need, and returns the provider's name of the model.
func (p *portkey) cloud(n *Node, to *Provider, model string) string {
	variable := strings.ToUpper(variableName(to.Name))
	set := func(into *Text, where string, names ...string) *Node {
		for _, name := range names {
			if f := member(n, name); f.Text() != "" {
				*into = p.secrets.value(f)
				if !f.said {
					p.Exact(f, where+" of the provider")
				}
				return f
			}
		}
		return nil
	}
	switch to.Kind {
	case azureKind:
		return p.azure(n, to, model, set)
	case bedrockKind:
		if set(&to.Region, "region", "aws_region") == nil {
			to.Region = Variable(variable + "_REGION")
		}
		p.aws(n, to)
	case vertexKind:
		if set(&to.Project, "project", "vertex_project_id") == nil {
			to.Project = Variable(variable + "_PROJECT")
		}
		if set(&to.Region, "region", "vertex_region") == nil {
			to.Region = Variable(variable + "_REGION")
		}
		if f := member(n, "vertex_service_account_json"); f != nil {
			p.Manual(f, "the credentials are not copied: write them to a file, and set credentials_file")
		}
	case "cloudflare":
		var account Text
		if set(&account, "part of base_url", "workers_ai_account_id") == nil {
			account = Variable(variable + "_ACCOUNT")
		}
		to.BaseURL = "https://api.cloudflare.com/client/v4/accounts/" + account + "/ai/v1"
	case "databricks", "snowflake":
		if to.BaseURL == "" {
			to.BaseURL = Variable(variable + "_BASE_URL")
		}
	case openaiKind:
		for _, f := range []struct{ name, header string }{{"openai_organization", "OpenAI-Organization"}, {"openai_project", "OpenAI-Project"}} {
			var value Text
			if set(&value, "a header", f.name) != nil {
				to.Headers = append(to.Headers, Setting{f.header, value})
			}
		}
	}
	return model
}

// aws sets an access key.
func (p *portkey) aws(n *Node, to *Provider) {
	for _, f := range []struct{ theirs, ours string }{{"aws_access_key_id", "access_key_id"}, {"aws_secret_access_key", "secret_access_key"}, {"aws_session_token", "session_token"}} {
		if value := member(n, f.theirs); value.Text() != "" {
			to.AWS = append(to.AWS, Setting{f.ours, p.secrets.secret(value, strings.ToUpper(f.theirs))})
			if !value.said {
				p.Exact(value, "aws."+f.ours+" of the provider")
			}
		}
	}
	for _, name := range []string{"aws_role_arn", "aws_auth_type", "aws_external_id"} {
		if f := member(n, name); f != nil {
			p.Manual(f, "Weir takes on a role by a profile: write one with role_arn into ~/.aws/config, and set aws: {profile: NAME}")
		}
	}
}

// azure sets the address of a resource.
func (p *portkey) azure(n *Node, to *Provider, model string, set func(*Text, string, ...string) *Node) string {
	var resource, version, deployment Text
	switch {
	case to.BaseURL != "":
	case set(&resource, "part of base_url", "azure_resource_name", "resource_name") != nil:
		to.BaseURL = "https://" + resource + ".openai.azure.com"
	default:
		to.BaseURL = Variable(strings.ToUpper(variableName(to.Name)) + "_BASE_URL")
	}
	switch set(&version, "api_version", "azure_api_version", "api_version"); {
	case version == "" || version == "v1" || version == "preview" || version == "latest":
		to.BaseURL += "/openai/v1"
	default:
		to.APIVersion = version
	}
	for _, f := range []struct{ theirs, ours string }{{"azure_entra_tenant_id", "tenant"}, {"azure_entra_client_id", "client_id"}, {"azure_entra_client_secret", "client_secret"}, {"azure_entra_scope", "scope"}} {
		if value := member(n, f.theirs); value.Text() != "" {
			to.SignsIn = true
			to.Entra = append(to.Entra, Setting{f.ours, p.secrets.secret(value, "AZURE_CLIENT_SECRET")})
			if !value.said {
				p.Exact(value, "entra."+f.ours+" of the provider")
			}
		}
	}
	if mode := member(n, "azure_auth_mode"); mode != nil {
		to.SignsIn = true
		p.Exact(mode, "entra of the provider")
	}
	set(&deployment, "the target's model", "azure_deployment_id", "deployment_id")
	if name := member(n, "azure_model_name"); name != nil {
		p.Exact(name, "not needed: the deployment is called")
	}
	if deployment != "" {
		return strings.ReplaceAll(string(deployment), "$$", "$")
	}
	return model
}

// key sets api_key.
func (p *portkey) key(n *Node, to *Provider, account string, vaulted *Node) {
	f := member(n, "api_key")
	switch {
	case to.SignsIn || len(to.AWS) > 0 || to.Kind == vertexKind:
		if f != nil {
			p.Approximate(f, "left out: the provider signs in otherwise")
		}
	case f.Text() != "":
		to.APIKeys = []Text{p.secrets.secret(f, keyVariable(to.Name))}
		if !f.said {
			p.Exact(f, "api_key of the provider")
		}
	case account != "" && to.Kind != bedrockKind:
		to.APIKeys = []Text{Variable(keyVariable(account))}
	case account == "" && to.BaseURL == "" && to.Kind != ollamaKind && to.Kind != bedrockKind:
		to.APIKeys = []Text{Variable(keyVariable(to.Name))}
		p.Add(Finding{n.File, n.Line, n.Column, Manual, n.Path, fmt.Sprintf("callers send its key themselves, and Weir has keys in its config: set the variable %s", keyVariable(to.Name))})
	}
}

// override converts override_params, which go before what callers give.
func (p *portkey) override(in passed, t *Target) {
	for _, name := range in.order {
		value := in.override[name]
		switch {
		case name == "model":
		case reads(name):
			p.Unsupported(value, "left out: Weir reads this member of requests itself")
		default:
			t.Set = append(t.Set, JSON{name, value.JSON()})
			if !value.said {
				p.Exact(value, "params.set of the target")
			}
		}
	}
}
