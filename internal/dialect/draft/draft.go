// Package draft is what all dialects share when they write or read a request: its body, what it could not carry, and its faults.
package draft

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Draft is the body of a request while it is written.
type Draft struct {
	Out  []byte
	Left []string   // what was left out, each once
	Bad  *llm.Error // why the target cannot be asked at all, the first reason; nil if it can

	left names // those of Left, once there are many
}

// Of begins the draft of a request in a dialect, with room for about all that it will hold. What only another dialect knows is
// left out, or refused: the encoder meets none of it.
func Of(r *llm.Request, dialect llm.Dialect) Draft {
	d := Draft{Left: slices.Clone(r.Left)}
	n := 1024 + d.survey(dialect, 0, r.System)
	for i := range r.Messages {
		m := &r.Messages[i]
		n += 64 + d.survey(dialect, m.At, m.Parts)
	}
	d.plainFunctions(r, dialect)
	d.withoutGoogles(r, dialect)
	for i := range r.Tools {
		t := &r.Tools[i]
		n += 128 + len(t.Name) + len(t.Description) + len(t.Schema) + len(t.Raw)
		if t.Raw != nil && t.Of != dialect {
			d.foreign("tools")
		}
		if t.Grammar != nil && t.Grammar.Param != "" && dialect != llm.Responses {
			d.Leave(t.Grammar.Param)
		}
	}
	if dialect != llm.Anthropic && dialect != llm.Responses && dialect != llm.Gemini {
		d.Searching(r, dialect, false)
	}
	for i := range r.Extras {
		x := &r.Extras[i]
		n += 8 + len(x.Name) + len(x.Value)
		if x.Of != dialect && x.Value.Kind() != 'n' && !(x.Summarizes && dialect == llm.Responses) {
			d.Leave(x.Name)
		}
	}
	d.Out = make([]byte, 0, n+len(r.Format.Schema))
	return d
}

// plainFunctions takes from functions what only another dialect knows of them.
func (d *Draft) plainFunctions(r *llm.Request, dialect llm.Dialect) {
	more := func(t llm.Tool) bool { return t.Raw != nil && t.Of != dialect && t.Name != nil }
	if !slices.ContainsFunc(r.Tools, more) {
		return
	}
	r.Tools = slices.Clone(r.Tools)
	for i := range r.Tools {
		if t := &r.Tools[i]; more(*t) {
			d.Leave(t.Path)
			t.Raw = nil
		}
	}
}

// withoutGoogles leaves out the tools that only Google runs, if functions of the caller's remain: clients offer them beside these.
func (d *Draft) withoutGoogles(r *llm.Request, dialect llm.Dialect) {
	googles := func(t llm.Tool) bool { return t.Raw != nil && t.Of == llm.Gemini }
	if dialect == llm.Gemini || !slices.ContainsFunc(r.Tools, googles) || !slices.ContainsFunc(r.Tools, func(t llm.Tool) bool { return !googles(t) }) {
		return
	}
	for _, t := range r.Tools {
		for name := range jsonwalk.Members(t.Raw) {
			if googles(t) {
				d.Leave("tools[]." + string(name))
			}
		}
	}
	r.Tools = slices.DeleteFunc(slices.Clone(r.Tools), googles)
}

// Searching reports whether an encoder is to write the search of the web that a request asks for. takes says whether its target has one for it.
// Otherwise the search is left out, or the request refused if that leaves nothing of what was asked.
func (d *Draft) Searching(r *llm.Request, dialect llm.Dialect, takes bool) bool {
	s := r.Search
	switch {
	case s == nil:
		return false
	case takes:
		for _, member := range s.Lost {
			if s.Of != dialect {
				d.Leave(s.Path + "." + member)
			}
		}
		return true
	case len(r.Tools) == 0 || s.Forced:
		d.Refuse(llm.UnsupportedParameter, s.Path, fmt.Sprintf(
			"Unsupported parameter: '%s' is the tool %s, which this model's provider does not have. Remove it, or use another model.", s.Path, llm.Clip(s.Type)))
	default:
		d.Leave(s.Path + "." + s.Type)
	}
	return false
}

// survey is about how much room parts take. It refuses those that only another dialect knows.
func (d *Draft) survey(dialect llm.Dialect, at int, parts []llm.Part) int {
	n := 0
	for i := range parts {
		p := &parts[i]
		n += 96 + len(p.Text) + len(p.URL) + len(p.Data) + len(p.ID) + len(p.Name) + len(p.Args) + len(p.Opaque) + len(p.Raw) + d.survey(dialect, at, p.Parts)
		if p.Kind == llm.Native && p.Of != dialect {
			d.Impossible(at, "what only another provider knows")
		}
	}
	return n
}

// Extras are the members of a request that only this dialect knows and that belong below a parent, or in the request itself if
// that is "". The keys are their names there.
func Extras(r *llm.Request, dialect llm.Dialect, parent string) iter.Seq2[string, llm.JSON] {
	return func(yield func(string, llm.JSON) bool) {
		for i := range r.Extras {
			x := &r.Extras[i]
			above, name := "", x.Name
			if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
				above, name = name[:dot], name[dot+1:]
			}
			if x.Of == dialect && above == parent && !yield(name, x.Value) {
				return
			}
		}
	}
}

// OfEmbeddings begins the draft of a call of embeddings, with room for the inputs and for that many bytes next to
// each.
func OfEmbeddings(r *llm.EmbeddingRequest, inputs []llm.JSON, beside int) Draft {
	n := 512
	for _, text := range inputs {
		n += len(text) + beside
	}
	return Draft{Out: make([]byte, 0, n), Left: slices.Clone(r.Left)}
}

// Text appends a piece of JSON that is part of the program.
func (d *Draft) Text(s string) { d.Out = append(d.Out, s...) }

// Raw appends a value as it is spelled.
func (d *Draft) Raw(b []byte) { d.Out = append(d.Out, b...) }

// unnamedSchema is the name of a schema without one: OpenAI's APIs require a name, and other dialects do not.
const unnamedSchema = `"answer"`

// NamedSchema appends the members of a form's schema that OpenAI's APIs have in common, the first of which is its name.
func (d *Draft) NamedSchema(f *llm.Format) {
	d.Text(`"name":`)
	if f.Name.Kind() == '"' {
		d.Raw(f.Name)
	} else {
		d.Text(unnamedSchema)
	}
	if f.Description != nil {
		d.Text(`,"description":`)
		d.Raw(f.Description)
	}
	d.Text(`,"schema":`)
	d.Raw(f.Schema)
	if f.Strict {
		d.Text(`,"strict":true`)
	}
}

// Quote appends a string.
func (d *Draft) Quote(s string) { d.Out = llm.AppendQuote(d.Out, s) }

// Number appends the text before a number, and the number.
func (d *Draft) Number(before string, n int64) {
	d.Out = strconv.AppendInt(append(d.Out, before...), n, 10)
}

// Leave notes something that was left out.
func (d *Draft) Leave(name string) { d.Left = d.left.add(d.Left, name) }

// LeaveThoughts notes that reasoning was left out, which the model cannot read.
func (d *Draft) LeaveThoughts() { d.Leave("messages[].thinking_blocks") }

// LeaveDetail notes that the dialect cannot say how closely to look at an image.
func (d *Draft) LeaveDetail(p *llm.Part) {
	if p.Detail != nil && string(p.Detail) != `"auto"` {
		d.Leave("messages[].content[].image_url.detail")
	}
}

// Schema appends the schema of an answer. The description of the form goes into the schema, unless the schema has
// one.
func (d *Draft) Schema(f *llm.Format) {
	described := len(f.Description.Inner()) == 0
	for name := range jsonwalk.Members(f.Schema) {
		described = described || string(name) == "description"
	}
	if described {
		d.Raw(f.Schema)
		return
	}
	d.Text(`{"description":`)
	d.Raw(f.Description)
	if !jsonwalk.Empty(f.Schema) {
		d.Text(",")
	}
	d.Raw(f.Schema[1:])
}

// Impossible refuses the request, because content of message at can neither be carried nor left out.
func (d *Draft) Impossible(at int, what string) {
	param := fmt.Sprintf("messages[%d].content", at)
	d.Refuse(llm.UnsupportedParameter, param, fmt.Sprintf(
		"Unsupported parameter: '%s' holds %s, which this model's provider does not take. Remove it, or use another model.", param, what))
}

// foreign refuses a parameter for what is in it.
func (d *Draft) foreign(param string) {
	d.Refuse(llm.UnsupportedParameter, param, fmt.Sprintf(
		"Unsupported parameter: '%s' holds what only another provider knows, which this model's provider does not take. Remove it, or use another model.", param))
}

// LeaveFailure notes that the dialect cannot say that a tool failed; its output remains.
func (d *Draft) LeaveFailure() { d.Leave("messages[].content[].is_error") }

// Refuse refuses the request.
func (d *Draft) Refuse(kind llm.Kind, param, message string) {
	if d.Bad == nil {
		d.Bad = &llm.Error{Kind: kind, Param: param, Message: message}
	}
}

// NoTurns refuses a request whose messages all say nothing, for APIs that want at least one that does.
func (d *Draft) NoTurns(messages []llm.Message) {
	if len(messages) == 0 {
		return
	}
	at := messages[len(messages)-1].At
	d.Refuse(llm.InvalidValue, fmt.Sprintf("messages[%d].content", at), fmt.Sprintf("'messages[%d].content' is empty, and this model wants a message that says something. Give it a text.", at))
}

// Done is what an encoder returns.
func (d *Draft) Done() (body []byte, left []string, err *llm.Error) {
	if d.Bad != nil {
		return nil, nil, d.Bad
	}
	return d.Out, d.Left, nil
}
