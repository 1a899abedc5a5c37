package provider

import (
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/llm"
)

// served is a face with the places of its endpoints.
type served struct {
	catalog.Face
	places  [llm.Endpoints]place
	streams [llm.Endpoints]place // the same for answers as events
}

// serve finds the places of a face.
func (p *Provider) serve(f catalog.Face) served {
	s := served{Face: f}
	for e := range s.places {
		s.places[e], s.streams[e] = p.place(&f, llm.Endpoint(e), false), p.place(&f, llm.Endpoint(e), true)
	}
	return s
}

// face is how a model is spoken to.
func (p *Provider) face(model string) *served {
	for i := range p.faces {
		if p.faces[i].Of(model) {
			return &p.faces[i]
		}
	}
	return &p.own
}

// faceFor is how a model is spoken to in a dialect, or as face says if the provider does not speak it.
func (p *Provider) faceFor(model string, d llm.Dialect) *served {
	f := p.face(model)
	if f.Dialect == d {
		return f
	}
	for i := range p.also {
		if p.also[i].Dialect == d && p.also[i].Answers(model) {
			return &p.also[i]
		}
	}
	return f
}

// DialectFor is what the provider speaks to a model for a caller of a dialect: that, if it can, else what it speaks best.
func (p *Provider) DialectFor(model string, caller llm.Dialect) llm.Dialect {
	return p.faceFor(model, caller).Dialect
}

// Counts reports whether the provider says, for free, how many tokens the prompt of a caller of a dialect has.
func (p *Provider) Counts(model string, caller llm.Dialect) bool {
	f := p.faceFor(model, caller)
	return f.Dialect == caller && f.Paths[llm.Counting] != ""
}

// Dialect is what the provider speaks to a model.
func (p *Provider) Dialect(model string) llm.Dialect { return p.face(model).Dialect }

// Hosted is the version of its dialect's API that a call has in its body in place of the model, or "".
func (p *Provider) Hosted(model string) string { return p.face(model).Hosted }

// Serves reports whether the provider has an endpoint for a model. Those of dialects other than OpenAI's are named in their kind's
// row.
func (p *Provider) Serves(e llm.Endpoint, model string) bool {
	f := p.face(model)
	return f.Dialect == llm.OpenAI && e != llm.Counting || f.Paths[e] != ""
}
