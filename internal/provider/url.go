package provider

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// url is where an endpoint is called for a model. It is not changed.
func (p *Provider) url(e llm.Endpoint, model string) *url.URL {
	if p.apiVersion != "" {
		return p.deploymentURL(e, model)
	}
	return p.urls[e]
}

// endpointURL is where an endpoint is called for any model.
func (p *Provider) endpointURL(e llm.Endpoint) *url.URL {
	u := *p.base
	u.Path += p.kind.path(e)
	u.RawPath = ""
	return &u
}

// CanName reports whether the provider could have a model of that name. Where the model is a segment of the path,
// a caller's model that leads out of it must not be called.
func (p *Provider) CanName(model string) bool {
	return p.apiVersion == "" || model != "." && model != ".." && !strings.ContainsAny(model, `/\`)
}

// modelsURL is where the provider lists its models. With deployments these are the models that they can be made of.
func (p *Provider) modelsURL() *url.URL {
	u := *p.base
	if p.apiVersion != "" {
		u.Path += "/openai"
		u.RawQuery = "api-version=" + url.QueryEscape(p.apiVersion)
	}
	models, query, _ := strings.Cut(cmp.Or(p.kind.models, "/models"), "?")
	u.Path += models
	if query != "" {
		u.RawQuery = query
	}
	if p.kind.models != "" {
		u.Path = path.Clean(u.Path)
	}
	return &u
}

// deploymentURL is Azure's dated API: the model is a deployment and stands in the path.
// https://learn.microsoft.com/azure/ai-services/openai/reference
func (p *Provider) deploymentURL(e llm.Endpoint, deployment string) *url.URL {
	u := *p.base
	u.RawPath = u.EscapedPath() + "/openai/deployments/" + url.PathEscape(deployment) + e.Path()
	u.Path += "/openai/deployments/" + deployment + e.Path()
	u.RawQuery = "api-version=" + url.QueryEscape(p.apiVersion)
	return &u
}
