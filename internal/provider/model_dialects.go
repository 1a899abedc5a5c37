package provider

import (
	"net/http"
	"slices"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/dialect"
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
	return f.Dialect == caller && f.has(llm.Counting)
}

// Dialect is what the provider speaks to a model.
func (p *Provider) Dialect(model string) llm.Dialect { return p.face(model).Dialect }

// Takes reports whether a model takes the own bytes of a caller of the dialect that it is spoken to in, once what it can do without is left out:
// its provider has the endpoint, and takes all of the request.
// What the config adds has to be taken, too.
func (p *Provider) Takes(r dialect.Request, model string, added *llm.Added, d llm.Dialect) bool {
	f := p.faceFor(model, d)
	if !f.has(r.Scan().Endpoint) {
		return false
	}
	subset := f.Takes
	asked, portable := r.(dialect.Portable)
	if subset == nil || !portable {
		return true
	}
	beyond := func(param llm.Param) bool {
		return subset.Members != nil && !slices.Contains(subset.Members, param.Name)
	}
	return asked.Fits(subset) && !slices.ContainsFunc(added.Set, beyond) && !slices.ContainsFunc(added.Default, beyond)
}

// Pass completes the changes for a body of the caller's own that goes to a model in its dialect, with what its headers say.
func (p *Provider) Pass(c *dialect.Changes, r dialect.Request, model string, d llm.Dialect, caller http.Header) {
	f := p.faceFor(model, d)
	c.Hosted = f.Hosted
	for i := range f.Passes {
		if f.Passes[i].Body {
			c.Betas, _ = listed(&f.Passes[i], caller)
		}
	}
	if asked, ok := r.(dialect.Portable); ok && f.Takes != nil {
		c.Omit = append(slices.Clip(c.Omit), asked.Outside(f.Takes)...)
	}
}

// Carrier is the dialect in whose frames and errors a model's answers come for callers of a dialect; ok is false if it is the one that they are in.
func (p *Provider) Carrier(model string, d llm.Dialect) (carrier llm.Dialect, ok bool) {
	carrier = p.faceFor(model, d).Carrier
	return carrier, carrier != llm.OpenAI
}

// Hosted is the version of its dialect's API that a call has in its body in place of the model, or "".
func (p *Provider) Hosted(model string) string { return p.face(model).Hosted }

// Serves reports whether the provider has an endpoint for a model. Those of dialects other than OpenAI's are named in their kind's
// row.
func (p *Provider) Serves(e llm.Endpoint, model string) bool {
	return p.face(model).has(e)
}

// has reports whether there is an endpoint. All of OpenAI's chat API are there without a path of their own.
func (f *served) has(e llm.Endpoint) bool {
	return f.Dialect == llm.OpenAI && e <= llm.Embeddings || f.Paths[e] != ""
}
