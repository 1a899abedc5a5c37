package openai

import (
	"iter"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// DecodeEmbeddings is the embeddings request with the members in the typed model, for targets of another dialect. The members named
// in omit are left out, and listed as such.
func DecodeEmbeddings(members iter.Seq2[string, llm.JSON], omit []string) (*llm.EmbeddingRequest, *llm.Error) {
	out, form := &llm.EmbeddingRequest{}, VectorForm{}
	d := decoder{Reading: draft.Reading{Out: new(llm.Request)}}
	for name, value := range members {
		if name == encodingFormat {
			form = VectorFormOf(value)
		}
		if slices.Contains(omit, name) {
			out.Left = append(out.Left, name)
		} else {
			d.embeddings(out, name, value)
		}
	}
	if form.Other {
		d.impossible(encodingFormat)
	}
	if d.Bad != nil {
		return nil, d.Bad
	}
	return out, nil
}

func (d *decoder) embeddings(out *llm.EmbeddingRequest, name string, value llm.JSON) {
	switch name {
	case "model", encodingFormat, "stream": // read where the body is parsed; no answer of this endpoint is a stream
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
	case value.Kind() == '[' && jsonwalk.Hollow(value):
		d.Wrong(llm.InvalidValue, name, "'input' is empty; it needs at least one text.")
	default:
		d.Wrong(llm.UnsupportedParameter, name, "Unsupported parameter: 'input' must be a string or a list of strings: this model's provider takes no tokens, and nothing else. Send text, or use another model.")
	}
	return texts
}
