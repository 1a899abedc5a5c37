package openai

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// DecodeEmbeddings is the embeddings request in the typed model, for targets of another dialect. The members named in omit
// are left out, and listed as such.
func (r *Request) DecodeEmbeddings(omit []string) (*llm.EmbeddingRequest, *llm.Error) {
	out := &llm.EmbeddingRequest{}
	d := decoder{Reading: draft.Reading{Out: new(llm.Request)}}
	for i := range r.members {
		m := &r.members[i]
		switch value := llm.JSON(m.Value.Of(r.Raw)); {
		case m.null:
		case slices.Contains(omit, m.name):
			out.Left = append(out.Left, m.name)
		default:
			d.embeddings(out, m.name, value)
		}
	}
	if r.Other {
		d.impossible("encoding_format")
	}
	if d.Bad != nil {
		return nil, d.Bad
	}
	return out, nil
}

func (d *decoder) embeddings(out *llm.EmbeddingRequest, name string, value llm.JSON) {
	switch name {
	case "model", "encoding_format", "stream": // read by ParseRequest; no answer of this endpoint is a stream
	case "input":
		out.Inputs = d.inputs(value)
	case "dimensions":
		n, err := strconv.ParseInt(string(value), 10, 32)
		if err != nil || n < 1 {
			d.Wrong(llm.InvalidValue, name, "'dimensions' must be a whole number above zero.")
		}
		out.Dimensions = n
	default:
		out.Params = append(out.Params, llm.Param{Name: name, Value: value})
	}
}

// inputs are the texts. Tokens belong to one vendor's tokenizer, and mean nothing to other models.
func (d *decoder) inputs(value llm.JSON) []llm.JSON {
	const name = "input"
	if value.Kind() == '"' {
		return []llm.JSON{value}
	}
	var texts []llm.JSON
	if value.Kind() == '[' {
		for _, text := range jsonwalk.Elements(value) {
			if llm.JSON(text).Kind() != '"' {
				texts = nil
				break
			}
			texts = append(texts, text)
		}
	}
	switch {
	case len(texts) > 0:
	case value.Kind() == '[' && emptyContainer(value):
		d.Wrong(llm.InvalidValue, name, "'input' is empty; it needs at least one text.")
	default:
		d.Wrong(llm.UnsupportedParameter, name, "Unsupported parameter: 'input' must be a string or a list of strings: this model's provider takes no tokens, and nothing else. Send text, or use another model.")
	}
	return texts
}

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
	edits, _ := r.edits(c)
	list := r.members[r.input()].Value
	edits = append(edits,
		jsonwalk.Edit{Span: jsonwalk.Span{Start: list.Start + 1, End: inputs.Start}},
		jsonwalk.Edit{Span: jsonwalk.Span{Start: inputs.End, End: list.End - 1}})
	slices.SortStableFunc(edits, func(a, b jsonwalk.Edit) int { return a.Start - b.Start })
	return dialect.Splice(r.Raw, edits)
}

// ReadVectors reads an embeddings answer to a call for n of the inputs of r.
func (r *Request) ReadVectors(body []byte, n int) (llm.Vectors, error) {
	part := Request{Scanned: dialect.Scanned{Endpoint: r.Endpoint, Inputs: n}, Other: true}
	var w embeddingsWalk
	if err := w.walk(&part, body); err != nil {
		if w.IsError {
			err = llm.ErrError
		}
		return llm.Vectors{}, err
	}
	v := llm.Vectors{Tokens: w.Usage.Input(), Told: w.HasUsage}
	if w.model.End > 0 {
		v.Model = w.model.Of(body)
	}
	for _, one := range w.ordered {
		v.List = append(v.List, one.embedding.Of(body))
	}
	return v, nil
}

// AppendVectors appends vectors as the elements of an answer's data, in the encoding that r asks for. The first is that of
// input number first.
func (r *Request) AppendVectors(dst []byte, list []llm.JSON, first int) ([]byte, error) {
	var err error
	for i, v := range list {
		if !isVector(v) {
			return nil, fmt.Errorf("%w: vector %d is missing or invalid", llm.ErrNoAnswer, i)
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, `{"object":"embedding","index":`...), int64(first+i), 10)
		dst = append(dst, `,"embedding":`...)
		one := vector{embedding: jsonwalk.Span{End: len(v)}, index: first + i, text: v.Kind() == '"'}
		if dst, err = r.appendVector(dst, v, one); err != nil {
			return nil, err
		}
		dst = append(dst, '}')
	}
	return dst, nil
}

// JoinVectors makes an answer of what AppendVectors wrote, in the order of the inputs.
func (r *Request) JoinVectors(data [][]byte, model llm.JSON, tokens int64) []byte {
	size := 128 + len(model)
	for _, d := range data {
		size += len(d) + 1
	}
	dst := append(make([]byte, 0, size), `{"object":"list","data":[`...)
	for i, d := range data {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, d...)
	}
	dst = append(append(append(dst, `],"model":`...), model...), `,"usage":{"prompt_tokens":`...)
	dst = append(strconv.AppendInt(dst, tokens, 10), `,"total_tokens":`...)
	return append(strconv.AppendInt(dst, tokens, 10), `}}`...)
}

// isVector reports whether a value of a valid text is a vector: an array of numbers, or base64, and not empty.
func isVector(v llm.JSON) bool {
	return readVector(jsonwalk.NewScanner(v, jsonwalk.Options{}), v).End > 0
}
