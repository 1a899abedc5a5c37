package openai

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// With returns the request as a caller would have sent it with the members, and the first of the caller's members whose value was
// replaced, "" if none was. It is r itself if nothing changes. The config sees to it that no name is one by which Weir routes or relays.
func (r *Request) With(e *llm.Added) (with *Request, replaced string, err *llm.Error) {
	var edits []jsonwalk.Edit
	var added strings.Builder
	add := func(p llm.Param, force bool) {
		i := slices.IndexFunc(r.members, func(m member) bool { return strings.EqualFold(m.name, p.Name) })
		switch {
		case i < 0:
			added.WriteString("," + quote(p.Name) + ":" + string(p.Value))
		case r.members[i].null:
			edits = append(edits, jsonwalk.Edit{Span: r.members[i].Value, New: string(p.Value)})
		case force && string(r.members[i].Value.Of(r.Raw)) != string(p.Value):
			edits = append(edits, jsonwalk.Edit{Span: r.members[i].Value, New: string(p.Value)})
			if replaced == "" {
				replaced = r.members[i].name
			}
		}
	}
	for _, p := range e.Set {
		add(p, true)
	}
	for _, p := range e.Default {
		add(p, false)
	}
	if added.Len() > 0 {
		end := r.members[len(r.members)-1].Value.End
		edits = append(edits, jsonwalk.Edit{Span: jsonwalk.Span{Start: end, End: end}, New: added.String()})
	}
	if len(edits) == 0 {
		return r, "", nil
	}
	slices.SortFunc(edits, func(a, b jsonwalk.Edit) int { return a.Start - b.Start })
	with, err = ParseRequestFor(r.Model, nil, r.Endpoint, jsonwalk.Apply(make([]byte, 0, len(r.Raw)+e.Len()), r.Raw, edits), 0)
	return with, replaced, err
}
