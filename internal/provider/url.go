package provider

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/llm"
)

// place is where an endpoint is called.
type place struct {
	fixed *url.URL // nil if the path has the model's name
	path  string   // below the base URL, with catalog.ModelHere
	query string
}

// place is where an endpoint is called for a complete answer, or for a stream.
func (p *Provider) place(f *catalog.Face, e llm.Endpoint, stream bool) place {
	if p.apiVersion != "" { // https://learn.microsoft.com/azure/ai-services/openai/reference
		return place{path: "/openai/deployments/" + catalog.ModelHere + e.Path(), query: "api-version=" + url.QueryEscape(p.apiVersion)}
	}
	path, query, _ := strings.Cut(p.account.Replace(f.Path(e, stream)), "?")
	if strings.Contains(path, catalog.ModelHere) {
		return place{path: path, query: query}
	}
	u := *p.base
	u.Path += path
	u.RawPath = ""
	if query != "" {
		u.RawQuery = query
	}
	return place{fixed: &u}
}

// url is where an endpoint is called for a model that is spoken to so. It is not changed.
func (p *Provider) url(f *served, e llm.Endpoint, model string, stream bool) *url.URL {
	at := &f.places[e]
	if stream {
		at = &f.streams[e]
	}
	if at.fixed != nil {
		return at.fixed
	}
	u := *p.base
	u.RawPath = u.EscapedPath() + strings.Replace(at.path, catalog.ModelHere, segment(model), 1)
	u.Path += strings.Replace(at.path, catalog.ModelHere, model, 1)
	u.RawQuery = at.query
	return &u
}

// segment is a model's name as one segment of a path. Colons are escaped too: AWS's own clients do so, and what is signed
// depends on it.
func segment(model string) string {
	return strings.ReplaceAll(url.PathEscape(model), ":", "%3A")
}

// CanName reports whether the provider could have a model of that name. Where the model is a segment of the path,
// a caller's model that leads out of it must not be called. AWS's names of resources have slashes of their own.
func (p *Provider) CanName(model string) bool {
	if !slices.ContainsFunc(p.face(model).places[:], func(at place) bool { return at.fixed == nil }) {
		return true
	}
	parts := []string{model}
	if p.kind.Dialect == llm.Converse && strings.HasPrefix(model, "arn:") {
		parts = strings.Split(model, "/")
	}
	for _, part := range parts {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, `/\`) {
			return false
		}
	}
	return true
}

// modelsURL is where the provider lists its models. With deployments these are the models that they can be made of.
func (p *Provider) modelsURL() *url.URL {
	u := *p.base
	if p.apiVersion != "" {
		u.Path += "/openai"
		u.RawQuery = "api-version=" + url.QueryEscape(p.apiVersion)
	}
	models, query, _ := strings.Cut(cmp.Or(p.kind.Models, "/models"), "?")
	u.Path += models
	if query != "" {
		u.RawQuery = query
	}
	if p.kind.Models != "" {
		u.Path = path.Clean(u.Path)
	}
	return &u
}
