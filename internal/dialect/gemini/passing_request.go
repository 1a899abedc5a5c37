package gemini

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/incoming"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Encode implements dialect.Passing. The model is in the path.
func (r *Request) Encode(c dialect.Changes) (dialect.Body, dialect.Applied) {
	e := r.editing(&c)
	edits, applied := r.Edits(&e.changes, &e.terms)
	edits = e.nested.Rest(edits, r.End(), !r.Keeps(&e.changes, &e.terms))
	applied.Ignored = append(applied.Ignored, e.nested.Left...)
	if e.foreign {
		applied.Ignored = append(applied.Ignored, nameOf("messages[].thinking_blocks"))
	}
	return r.Splice(edits), applied
}

// Loses implements dialect.Passing.
func (r *Request) Loses(c dialect.Changes) string {
	_, applied := r.Encode(c)
	if len(applied.Ignored) > 0 {
		return applied.Ignored[0]
	}
	return ""
}

// Places implements dialect.Passing. The turns are written again, and calls may be signed.
func (r *Request) Places(c dialect.Changes) int {
	n := 0
	if r.foreign || r.bare || c.OmitEncrypted {
		n = 2 * len(r.Raw)
	}
	if r.bare || c.OmitEncrypted {
		n += 2 * (len(unsigned) + len(signatureMember)) * (bytes.Count(r.Raw, []byte("functionCall")) + bytes.Count(r.Raw, []byte("function_call")))
	}
	return n
}

// editing is the state of one Encode.
type editing struct {
	r       *Request
	changes dialect.Changes // with the names of this API
	terms   incoming.Terms
	nested  incoming.Nested
	model   model
	foreign bool // reasoning was left out
}

// editing works out what changes for a target. What a config names has the names of OpenAI's chats.
func (r *Request) editing(c *dialect.Changes) *editing {
	e := &editing{r: r, changes: *c, model: modelOf(&llm.Request{Model: c.Model})}
	e.nested.Plain = func(name string) string { return string(camel([]byte(name))) }
	e.terms = incoming.Terms{Within: e.within}
	e.changes.Omit = nil
	for _, name := range c.Omit {
		parent, child, _ := strings.Cut(nameOf(name), ".")
		if child != "" {
			e.nested.Cut(parent, child)
			continue
		}
		for i := range r.Members {
			if own := r.Members[i].Name; e.nested.Plain(own) == parent {
				e.changes.Omit = append(e.changes.Omit, own)
			}
		}
	}
	if r.added != nil {
		e.add(c)
	}
	return e
}

// add adds what the config adds: what the codec would write of it.
func (e *editing) add(c *dialect.Changes) {
	with, without := &llm.Request{Model: c.Model}, &llm.Request{Model: c.Model}
	d := decoder{Reading: draft.Reading{Out: with}}
	for _, p := range slices.Concat(e.r.added.Default, e.r.added.Set) {
		if !slices.Contains(c.Omit, p.Name) {
			d.Chat(p.Name, nameOf(p.Name), p.Value)
		}
	}
	if d.Bad != nil {
		return
	}
	if with.Effort != "" { // which says nothing of whether the caller wants to read the reasoning
		shown := llm.JSON("null")
		if thinking := e.r.find(thinkingName); inObject(thinking, "includeThoughts").Kind() == 't' {
			shown = llm.JSON("true")
		}
		d.extra(thinkingName, "includeThoughts", shown)
	}
	body, _, refused := Encode(with)
	plain, _, alsoRefused := Encode(without)
	if refused != nil || alsoRefused != nil {
		return
	}
	for name, v := range jsonwalk.Members(body) {
		if string(name) != configName {
			if !bytes.Equal(v, inObject(plain, string(name))) {
				e.nested.Add(string(name), "", v)
			}
			continue
		}
		usual := inObject(plain, configName)
		for name, v := range jsonwalk.Members(v) {
			if !bytes.Equal(v, inObject(usual, string(name))) {
				e.nested.Add(configName, string(name), v)
			}
		}
	}
}

// within appends the edits within a member of the caller's.
func (e *editing) within(edits []jsonwalk.Edit, m *incoming.Member) []jsonwalk.Edit {
	if e.nested.Plain(m.Name) == contentsName && (e.r.foreign || e.r.bare && e.model.signed || e.changes.OmitEncrypted) {
		return append(edits, jsonwalk.Edit{Span: m.At.Value, New: string(e.contents(m.At.Value.Of(e.r.Raw)))})
	}
	return e.nested.Within(e.r.Raw, edits, m)
}

// contents are the turns without what another maker's model reasoned, or all models if that was refused, and with a signature for calls that have none where the model insists on
// one.
func (e *editing) contents(list llm.JSON) []byte {
	if list.Kind() != '[' {
		return list
	}
	out := make([]byte, 0, len(list)+64)
	out = append(out, '[')
	for _, content := range jsonwalk.Elements(list) {
		before := len(out)
		if before > 1 {
			out = append(out, ',')
		}
		var stays bool
		if out, stays = e.content(out, content); !stays {
			out = out[:before]
		}
	}
	return append(out, ']')
}

// content appends one turn; one of which nothing is left does not stay.
func (e *editing) content(out []byte, content llm.JSON) (with []byte, stays bool) {
	if content.Kind() != '{' {
		return append(out, content...), true
	}
	out, stays = append(out, '{'), true
	first := true
	for name, v := range jsonwalk.Members(content) {
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(llm.AppendQuote(out, name), ':')
		if string(name) != "parts" || llm.JSON(v).Kind() != '[' {
			out = append(out, v...)
			continue
		}
		out, stays = e.parts(out, v)
	}
	return append(out, '}'), stays
}

// parts appends the parts of a turn. They do not stay if there were some and none is left.
func (e *editing) parts(out []byte, list llm.JSON) (with []byte, stay bool) {
	out = append(out, '[')
	start, said, called := len(out), false, false
	for _, part := range jsonwalk.Elements(list) {
		said = true
		before := len(out)
		if before > start {
			out = append(out, ',')
		}
		from := len(out)
		if out = e.part(out, part, &called); len(out) == from { // it went
			out = out[:before]
		}
	}
	return append(out, ']'), !said || len(out) > start
}

// part appends a part, unless it is another maker's reasoning. called says that a call came before it in its turn.
func (e *editing) part(dst []byte, part llm.JSON, called *bool) []byte {
	signature := inObject(part, "thoughtSignature")
	call := inObject(part, "functionCall") != nil
	first := call && !*called
	*called = *called || call
	made, wrapped := madeElsewhere(signature)
	if e.changes.OmitEncrypted && len(signature.Inner()) > 0 && !bytes.Equal(signature, unsigned) {
		wrapped, e.foreign = true, true
	}
	switch {
	case wrapped && (inObject(part, "thought").Kind() == 't' || strings.HasPrefix(made, redactedMark)):
		e.foreign = true
		return dst
	case !wrapped && (len(signature.Inner()) > 0 || !first || !e.model.signed):
		return append(dst, part...)
	}
	dst = append(dst, '{')
	for name, v := range jsonwalk.Members(part) {
		if string(camel(bytes.Clone(name))) == "thoughtSignature" {
			continue
		}
		dst = append(append(llm.AppendQuote(dst, name), ':'), v...)
		dst = append(dst, ',')
	}
	if first && e.model.signed {
		return append(append(append(dst, signatureMember...), unsigned...), '}')
	}
	return append(bytes.TrimSuffix(dst, []byte(",")), '}')
}

// signatureMember is the name of the member that signs a part.
const signatureMember = `"thoughtSignature":`

// wrapHead is how a signature begins that Weir wrapped.
var wrapHead = base64.StdEncoding.EncodeToString([]byte(wrapMark))

// madeElsewhere reports whether Weir wrapped a signature, and with which maker.
func madeElsewhere(signature llm.JSON) (maker string, wrapped bool) {
	if !bytes.HasPrefix(signature.Inner(), []byte(wrapHead)) {
		return "", false
	}
	if text, err := base64.StdEncoding.DecodeString(signature.Text()); err == nil { // otherwise it was changed on its way
		maker, _, _ = strings.Cut(string(text[len(wrapMark):]), ".")
	}
	return maker, true
}
