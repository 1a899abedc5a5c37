// Package draft is what all dialects share when they write a request: its body, and what it could not carry.
package draft

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
)

// Draft is the body of a request while it is written.
type Draft struct {
	Out  []byte
	Left []string   // what was left out, each once
	Bad  *llm.Error // why the target cannot be asked at all, the first reason; nil if it can
}

// Of begins the draft of a request, with room for about all that will be in it.
func Of(r *llm.Request) Draft {
	n := 1024 + sizeOf(r.System)
	for i := range r.Messages {
		n += 64 + sizeOf(r.Messages[i].Parts)
	}
	for _, t := range r.Tools {
		n += 128 + len(t.Name) + len(t.Description) + len(t.Schema)
	}
	return Draft{Out: make([]byte, 0, n+len(r.Format.Schema)), Left: slices.Clone(r.Left)}
}

func sizeOf(parts []llm.Part) int {
	n := 0
	for i := range parts {
		p := &parts[i]
		n += 96 + len(p.Text) + len(p.URL) + len(p.Data) + len(p.ID) + len(p.Name) + len(p.Args) + len(p.Opaque) + sizeOf(p.Parts)
	}
	return n
}

// OfEmbeddings begins the draft of a call of embeddings, with room for the inputs and what stands beside each.
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

// Quote appends a string.
func (d *Draft) Quote(s string) { d.Out = llm.AppendQuote(d.Out, s) }

// Number appends what stands before a number, and the number.
func (d *Draft) Number(before string, n int64) {
	d.Out = strconv.AppendInt(append(d.Out, before...), n, 10)
}

// Leave notes something that was left out.
func (d *Draft) Leave(name string) {
	if !slices.Contains(d.Left, name) {
		d.Left = append(d.Left, name)
	}
}

// LeaveThoughts notes that reasoning was left out, which the model cannot read.
func (d *Draft) LeaveThoughts() { d.Leave("messages[].thinking_blocks") }

// Impossible refuses the request for what the content of message at holds, which can neither be carried nor left out.
func (d *Draft) Impossible(at int, what string) {
	param := fmt.Sprintf("messages[%d].content", at)
	d.Refuse(llm.UnsupportedParameter, param, fmt.Sprintf(
		"Unsupported parameter: '%s' holds %s, which this model's provider does not take. Remove it, or use another model.", param, what))
}

// Refuse refuses the request.
func (d *Draft) Refuse(kind llm.Kind, param, message string) {
	if d.Bad == nil {
		d.Bad = &llm.Error{Kind: kind, Param: param, Message: message}
	}
}

// Done is what an encoder returns.
func (d *Draft) Done() (body []byte, left []string, err *llm.Error) {
	if d.Bad != nil {
		return nil, nil, d.Bad
	}
	return d.Out, d.Left, nil
}
