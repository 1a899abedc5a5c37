package passthrough

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
)

// omits reports whether a member of the name is left out. A target that refuses a member may read it by another case, so that counts as the
// same.
func omits(c *dialect.Changes, name string) bool {
	return slices.ContainsFunc(c.Omit, func(omitted string) bool { return strings.EqualFold(omitted, name) })
}

// Encode returns the body for a target: the caller's bytes with the changes spliced in. The pieces alias the
// caller's bytes; a 400 KB prompt is not copied.
func (r *Request) Encode(c dialect.Changes) (dialect.Body, dialect.Applied) {
	var few [4]jsonwalk.Edit // most requests need no more, and Splice keeps none
	edits, applied := r.edits(few[:0], c)
	return r.Splice(edits), applied
}

// edits appends the changes to make in the caller's bytes.
func (r *Request) edits(edits []jsonwalk.Edit, c dialect.Changes) ([]jsonwalk.Edit, dialect.Applied) {
	var applied dialect.Applied
	var cutter jsonwalk.Cutter
	named := false
	for i := range r.members {
		m := &r.members[i]
		if m.name != "model" && r.cut(i, c) {
			edits = cutter.Cut(edits, m.Span())
			if !r.quietly(i, c) {
				applied.Ignored = append(applied.Ignored, m.name)
			}
			continue
		}
		edits = cutter.Keep(edits, m.Span())
		switch {
		case m.name == "model":
			edits, named = append(edits, jsonwalk.Edit{Span: m.Value, New: quote(c.Model)}), true
		case c.Rename[m.name] != "":
			edits = append(edits, jsonwalk.Edit{Span: m.Name, New: quote(c.Rename[m.name])})
			if !m.null && !m.ours {
				applied.Renamed = append(applied.Renamed, m.name+"="+c.Rename[m.name])
			}
		case m.name == "messages":
			edits = r.rewrite(edits, m.Value, &c.History)
		case m.name == "tools":
			edits = r.rewriteTools(edits, m.Value, &c.History)
		case c.AskUsage && i == r.options.index:
			edits = append(edits, r.askInOptions())
		}
	}
	edits = cutter.End(edits)
	end := r.members[len(r.members)-1].Value.End
	if !named {
		edits = append(edits, jsonwalk.Edit{Span: jsonwalk.Span{Start: end, End: end}, New: `,"model":` + quote(c.Model)})
	}
	if c.AskUsage && r.Stream && !r.WantUsage && r.options.index < 0 {
		edits = append(edits, jsonwalk.Edit{Span: jsonwalk.Span{Start: end, End: end}, New: `,"stream_options":{"include_usage":true}`})
	}
	if lost := r.earlier.loses(&c.History); lost != "" && !slices.Contains(applied.Ignored, lost) {
		applied.Ignored = append(applied.Ignored, lost)
	}
	return edits, applied
}

// Loses returns the first member of the request that a target with these changes cannot carry, "" if none.
func (r *Request) Loses(c dialect.Changes) string {
	for i := range r.members {
		if r.members[i].name != "model" && !r.quietly(i, c) && r.cut(i, c) {
			return r.members[i].name
		}
	}
	return r.earlier.loses(&c.History)
}

// cut reports whether member i is left out: it is named so, or its new name is taken by another member.
func (r *Request) cut(i int, c dialect.Changes) bool {
	name := r.members[i].name
	if omits(&c, name) || c.DropOptions && i == r.options.index || r.floats(i, c) || name == openai.CacheControl && slices.Contains(c.History.Refuses, name) {
		return true
	}
	other := c.Rename[name]
	return other != "" && slices.ContainsFunc(r.members, func(m member) bool { return m.name == other })
}

// quietly reports whether member i can be left out without a word, because nothing is lost.
func (r *Request) quietly(i int, c dialect.Changes) bool {
	m := &r.members[i]
	return m.null || m.ours || c.DropOptions && i == r.options.index || r.floats(i, c) || openai.IsDefault(m.name, m.Value.Of(r.Raw)) || openai.IsUsual(m.name, m.Value.Of(r.Raw))
}

// floats reports whether member i says what an upstream with these changes does without.
func (r *Request) floats(i int, c dialect.Changes) bool {
	return r.members[i].name == "encoding_format" && !r.Other && (c.Int8 || c.DropFloat && !r.Base64)
}

// askInOptions makes the caller's stream_options ask for usage.
func (r *Request) askInOptions() jsonwalk.Edit {
	o, value := r.options, r.members[r.options.index].Value
	switch {
	case o.include != jsonwalk.Span{}:
		return jsonwalk.Edit{Span: o.include, New: "true"}
	case o.object && !o.empty:
		return jsonwalk.Edit{Span: jsonwalk.Span{Start: value.Start + 1, End: value.Start + 1}, New: `"include_usage":true,`}
	default:
		return jsonwalk.Edit{Span: value, New: `{"include_usage":true}`}
	}
}

// quote is s as a JSON string, without escaping what HTML would want escaped.
func quote(s string) string {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			b, err := json.Marshal(s)
			if err != nil { // strings always marshal
				panic(err)
			}
			return string(b)
		}
	}
	return `"` + s + `"`
}
