package provider

import (
	"cmp"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// face is how a kind is spoken to about some of its models: clouds serve those of other vendors in the dialect of each.
type face struct {
	models  string // how their names begin; "" fits all
	dialect llm.Dialect
	hosted  string // the API's version, which goes into the body in place of the model's name
	table   string // its name in the table of capabilities, where that is not the kind's

	paths   map[llm.Endpoint]string // below the base URL, where they differ from OpenAI's; {model} is replaced by the model's name
	streams map[llm.Endpoint]string // the same for answers in events, where they are called elsewhere
}

// path of an endpoint below the base URL.
func (f *face) path(e llm.Endpoint, stream bool) string {
	if stream {
		return cmp.Or(f.streams[e], f.paths[e], e.Path())
	}
	return cmp.Or(f.paths[e], e.Path())
}

// served is a face with the places of its endpoints.
type served struct {
	face
	places  [llm.Embeddings + 1]place
	streams [llm.Embeddings + 1]place // the same for answers as events
}

// serve finds the places of a face.
func (p *Provider) serve(f face) served {
	s := served{face: f}
	for e := range s.places {
		s.places[e], s.streams[e] = p.place(&f, llm.Endpoint(e), false), p.place(&f, llm.Endpoint(e), true)
	}
	return s
}

// face is how a model is spoken to.
func (p *Provider) face(model string) *served {
	for i := range p.faces {
		if strings.HasPrefix(model, p.faces[i].models) {
			return &p.faces[i]
		}
	}
	return &p.own
}

// Dialect is what the provider speaks to a model.
func (p *Provider) Dialect(model string) llm.Dialect { return p.face(model).dialect }

// Hosted is the version of its dialect's API that a call has in its body in place of the model, or "".
func (p *Provider) Hosted(model string) string { return p.face(model).hosted }

// Serves reports whether the provider has an endpoint for a model. Those of dialects other than OpenAI's are named in their kind's
// row.
func (p *Provider) Serves(e llm.Endpoint, model string) bool {
	f := p.face(model)
	return f.dialect == llm.OpenAI || f.paths[e] != ""
}
