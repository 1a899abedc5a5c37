package importer

import (
	"fmt"
	"net/url"
	"strings"
)

// provider is the account that a deployment uses.
func (l *litellm) provider(d *deployment, vendor string, kind litellmKind, model string) (*Provider, bool) {
	if name := d.params.Get("litellm_credential_name"); name.Text() != "" {
		if l.credentials[name.Text()] == nil {
			l.Manual(name, "credential_list has no such credential, so it is in LiteLLM's database: add its values to the provider")
		} else {
			l.Exact(name, "the provider's credentials")
		}
	}
	p := Provider{Name: vendor, At: d.at, Kind: kind.kind}
	if vendor == "azure_ai" {
		kind = l.azureAI(d, &p, kind, model)
	}
	if !l.address(d, &p, kind) {
		return nil, false
	}
	switch p.Kind {
	case bedrockKind:
		l.bedrock(d, &p)
	case vertexKind:
		l.vertex(d, &p)
	case azureKind:
		l.azure(d, &p)
	}
	l.key(d, &p, kind)
	l.headers(d, &p)
	return l.to.Provider(p), true
}

// azureAI decides which API of Microsoft's Foundry a deployment uses.
func (l *litellm) azureAI(d *deployment, p *Provider, kind litellmKind, model string) litellmKind {
	base := d.param(l, "api_base", "base_url").Text()
	switch {
	case strings.HasPrefix(model, "claude"):
		p.Kind, kind.tail = anthropicKind, "/v1"
	case strings.Contains(base, ".services.ai.azure.com") || strings.Contains(base, ".openai.azure.com"):
		p.Kind = azureKind
	}
	kind.kind = p.Kind
	return kind
}

// belowBase are the paths below an API's root that LiteLLM takes as part of an address, the longer first.
var belowBase = []string{"/chat/completions", "/completions", "/embeddings", "/responses", "/messages", "/v1/chat", "/v2/chat", "/api/generate", "/api/chat"}

// address sets base_url.
func (l *litellm) address(d *deployment, p *Provider, kind litellmKind) bool {
	base := d.param(l, "api_base", "base_url", "aws_bedrock_runtime_endpoint")
	if base.Text() == "" {
		if p.Kind == azureKind || kind.kind == openaiKind && p.Name == "litellm_proxy" || p.Name == "azure_ai" {
			variable := map[string]string{"azure": "AZURE_API_BASE", "litellm_proxy": "LITELLM_PROXY_API_BASE"}[p.Name]
			if variable == "" {
				variable = "AZURE_AI_API_BASE"
			}
			p.BaseURL = Variable(variable)
			l.Approximate(d.params.Get("model"), fmt.Sprintf("it has no api_base, which LiteLLM then reads from %s: so does this", variable))
			return true
		}
		p.BaseURL = Text(kind.base)
		return true
	}
	if strings.HasPrefix(base.Text(), environment) {
		p.BaseURL = l.value(base)
		if kind.tail != "" && p.Kind != azureKind {
			p.BaseURL += Text(kind.tail)
			l.Approximate(base, fmt.Sprintf("base_url of provider: %s was added to the variable, whose value must not end in it or in a slash", kind.tail))
			return true
		}
		l.Exact(base, "base_url of the provider; what the variable holds must be the root of the API, without /chat/completions")
		return true
	}
	address, why := rootOf(base.Text(), kind.tail)
	if why != "" {
		l.leaveOut(d.at, "the model was left out, because "+why)
		return false
	}
	p.BaseURL = Literal(address)
	l.Exact(base, "base_url of the provider")
	return true
}

// rootOf is the root of an API whose address LiteLLM was given, and why it cannot be used.
func rootOf(address, tail string) (root, why string) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", "its api_base is no http or https URL"
	}
	if u.User != nil {
		return "", "its api_base holds credentials, which Weir takes as api_key or headers"
	}
	u.RawQuery, u.Fragment, u.ForceQuery = "", "", false
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	for _, end := range belowBase {
		u.Path = strings.TrimSuffix(u.Path, end)
	}
	if tail != "" && !strings.HasSuffix(u.Path, tail) {
		u.Path += tail
	}
	return u.String(), ""
}

// azure sets what kind azure needs: an address with the version of the API, or that of the API without versions.
func (l *litellm) azure(d *deployment, p *Provider) {
	const current = "/openai/v1"
	version := d.param(l, "api_version")
	base := string(p.BaseURL)
	if at := strings.Index(base, "/openai/deployments/"); at >= 0 { // LiteLLM takes the deployment's own address, too
		base = base[:at]
	}
	base = strings.TrimSuffix(base, "/models")
	dated := version.Text() != "" && version.Text() != "latest" && version.Text() != "preview" && version.Text() != "v1"
	switch {
	case strings.HasSuffix(base, "/v1"):
		if version != nil {
			l.Approximate(version, "left out: the address is that of the API without dated versions")
		}
	case dated:
		base = strings.TrimSuffix(base, "/openai")
		p.APIVersion = l.value(version)
		l.Exact(version, "api_version of the provider")
	default:
		base = strings.TrimSuffix(base, "/openai") + current
		if version != nil {
			l.Exact(version, "the API without dated versions")
		} else {
			l.Approximate(d.params.Get("model"), "it has no api_version: Weir then calls the API without dated versions, at "+current)
		}
	}
	p.BaseURL = Text(base)
	names := map[string]string{"tenant_id": "tenant", "client_id": "client_id", "client_secret": "client_secret", "azure_scope": "scope"}
	for _, name := range []string{"tenant_id", "client_id", "client_secret", "azure_scope"} {
		n := d.param(l, name)
		if n.Text() == "" {
			continue
		}
		value := l.value(n)
		if name == "client_secret" {
			value = l.secret(n, "AZURE_CLIENT_SECRET")
		}
		p.Entra, p.SignsIn = append(p.Entra, Setting{names[name], value}), true
		if !n.said {
			l.Exact(n, "entra."+names[name]+" of the provider")
		}
	}
	if token := d.param(l, "azure_ad_token"); token.Text() != "" {
		p.SignsIn = true
		l.Manual(token, "a token of Microsoft Entra expires: Weir signs in instead. entra: {} takes the sign-in of the environment or the machine; add tenant, client_id and client_secret for others")
	}
}

// bedrock sets the region, and whose credentials sign the calls.
func (l *litellm) bedrock(d *deployment, p *Provider) {
	region := d.param(l, "aws_region_name", "region_name", "aws_region")
	switch {
	case region.Text() != "":
		p.Region = l.value(region)
		l.Exact(region, "region of the provider")
	default:
		p.Region = Variable("AWS_REGION")
		l.Approximate(d.params.Get("model"), "it has no aws_region_name, which LiteLLM then reads from AWS_REGION_NAME or AWS_REGION: this reads AWS_REGION")
	}
	for _, f := range []struct{ theirs, ours, variable string }{
		{"aws_access_key_id", "access_key_id", "AWS_ACCESS_KEY_ID"},
		{"aws_secret_access_key", "secret_access_key", "AWS_SECRET_ACCESS_KEY"},
		{"aws_session_token", "session_token", "AWS_SESSION_TOKEN"},
		{"aws_profile_name", "profile", ""},
	} {
		n := d.param(l, f.theirs)
		if n.Text() == "" {
			continue
		}
		value := l.value(n)
		if f.variable != "" {
			value = l.secret(n, f.variable)
		}
		p.AWS = append(p.AWS, Setting{f.ours, value})
		if !n.said {
			l.Exact(n, "aws."+f.ours+" of the provider")
		}
	}
	for _, name := range []string{"aws_role_name", "aws_session_name", "aws_web_identity_token", "aws_sts_endpoint", "aws_external_id"} {
		if n := d.param(l, name); n != nil {
			l.Manual(n, "Weir takes on a role by a profile: write one with role_arn into ~/.aws/config, and set aws: {profile: NAME}")
		}
	}
}

// vertex sets the project, the region and the credentials.
func (l *litellm) vertex(d *deployment, p *Provider) {
	for _, f := range []struct {
		theirs   []string
		ours     string
		to       *Text
		variable string
	}{
		{[]string{"vertex_project", "vertex_ai_project"}, "project", &p.Project, "VERTEXAI_PROJECT"},
		{[]string{"vertex_location", "vertex_ai_location"}, "region", &p.Region, "VERTEXAI_LOCATION"},
	} {
		n := d.param(l, f.theirs...)
		if n.Text() == "" {
			*f.to = Variable(f.variable)
			l.Approximate(d.params.Get("model"), fmt.Sprintf("it has no %s, which LiteLLM then reads from %s: so does this", f.theirs[0], f.variable))
			continue
		}
		*f.to = l.value(n)
		l.Exact(n, f.ours+" of the provider")
	}
	n := d.param(l, "vertex_credentials", "vertex_ai_credentials")
	switch {
	case n.IsNull():
	case n.IsMap() || strings.HasPrefix(strings.TrimSpace(n.Text()), "{"):
		l.Manual(n, "the credentials stand in the file, and are not copied: write them to a file, and set credentials_file")
	default:
		p.CredentialsFile = l.value(n)
		if strings.HasPrefix(n.Text(), environment) {
			l.Approximate(n, "credentials_file of the provider: the variable must hold the path of a file, not its content")
		} else {
			l.Exact(n, "credentials_file of the provider")
		}
	}
}

// key sets api_key.
func (l *litellm) key(d *deployment, p *Provider, kind litellmKind) {
	n := d.param(l, "api_key")
	switch {
	case n.Text() != "" && p.Kind == vertexKind:
		l.Manual(n, "kind vertex takes no key: give the process an identity of Google, or set credentials_file")
	case n.Text() != "" && (len(p.AWS) > 0 || p.SignsIn):
		l.Approximate(n, "left out: the provider signs in otherwise")
	case n.Text() != "":
		name := kind.env
		if name == "" {
			name = keyVariable(p.Name)
		}
		p.APIKeys = []Text{l.secret(n, name)}
		if !n.said {
			l.Exact(n, "api_key of the provider")
		}
	case kind.env != "" && !p.SignsIn && p.Kind != vertexKind && (p.BaseURL == Text(kind.base) || p.Kind == azureKind || p.Name == "azure_ai"):
		p.APIKeys = []Text{Variable(kind.env)} // as LiteLLM does
	}
}

// headers sets headers and what else goes into them.
func (l *litellm) headers(d *deployment, p *Provider) {
	if n := d.param(l, "organization"); n.Text() != "" {
		p.Headers = append(p.Headers, Setting{"OpenAI-Organization", l.value(n)})
		l.Exact(n, "a header of the provider")
	}
	for _, name := range []string{"extra_headers", "headers"} {
		all := d.param(l, name)
		if !all.IsMap() {
			continue
		}
		for _, f := range all.Fields {
			l.header(p, f)
		}
	}
}

// header adds one header. Those that Weir or the connection sets are left out.
func (l *litellm) header(p *Provider, f Field) {
	name := strings.ToLower(f.Name)
	switch {
	case ownHeader(name):
		l.Unsupported(f.Value, "left out: Weir sets this header itself")
		return
	case (name == "authorization" || name == "api-key" || name == "x-api-key" || name == "x-goog-api-key") && len(p.APIKeys) > 0:
		p.APIKeys = nil
	}
	value := l.value(f.Value)
	if secretHeader(name, f.Value.Text()) {
		value = l.secret(f.Value, "HEADER_"+strings.ToUpper(name))
	}
	p.Headers = append(p.Headers, Setting{f.Name, value})
	if !f.Value.said {
		l.Exact(f.Value, "a header of the provider")
	}
}
