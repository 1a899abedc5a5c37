package passthrough

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
)

// Splits reports whether the request can go upstream in several calls, each for some of the inputs.
func (r *Request) Splits(c dialect.Changes) bool {
	return r.Inputs > 1 && !r.cut(r.input(), c)
}

// input is the place of the inputs among the members.
func (r *Request) input() int {
	return slices.IndexFunc(r.members, func(m member) bool { return m.name == "input" })
}

// InputSpans are the places of the inputs, if they are a list.
func (r *Request) InputSpans() []jsonwalk.Span {
	list := r.members[r.input()].Value
	spans := make([]jsonwalk.Span, 0, r.Inputs)
	s := jsonwalk.NewScanner(list.Of(r.Raw), jsonwalk.Options{})
	for ok := s.EnterArray(); ok && s.NextElement(); {
		at := s.Skip()
		spans = append(spans, jsonwalk.Span{Start: list.Start + at.Start, End: list.Start + at.End})
	}
	return spans
}

// EncodeInputs is Encode for the inputs of a list within a span, if not all go into one call.
func (r *Request) EncodeInputs(c dialect.Changes, inputs jsonwalk.Span) dialect.Body {
	edits, _ := r.edits(nil, c)
	list := r.members[r.input()].Value
	edits = append(edits,
		jsonwalk.Edit{Span: jsonwalk.Span{Start: list.Start + 1, End: inputs.Start}},
		jsonwalk.Edit{Span: jsonwalk.Span{Start: inputs.End, End: list.End - 1}})
	slices.SortStableFunc(edits, func(a, b jsonwalk.Edit) int { return a.Start - b.Start })
	return r.Splice(edits)
}
