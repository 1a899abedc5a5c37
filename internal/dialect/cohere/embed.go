package cohere

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// MaxInputs is how many inputs a model takes in one call.
func MaxInputs(string) int { return 96 }

// EncodeEmbeddings is the body of POST /v2/embed for some of the request's inputs, and what of the request had to be left
// out.
func EncodeEmbeddings(r *llm.EmbeddingRequest, inputs []llm.JSON) ([]byte, []string, *llm.Error) {
	d := draft.OfEmbeddings(r, inputs, 1)
	d.Text(`{"model":`)
	d.Quote(r.Model)
	d.Text(`,`)
	Embed(&d, r, inputs)
	d.Text(`}`)
	return d.Done()
}

// Embed writes the members that Cohere's models are asked with for embeddings, wherever they run.
func Embed(d *draft.Draft, r *llm.EmbeddingRequest, inputs []llm.JSON) {
	d.Text(`"texts":[`)
	for i, text := range inputs {
		if i > 0 {
			d.Text(",")
		}
		d.Raw(text)
	}
	d.Text(`],"embedding_types":["float"]`)
	kind := llm.JSON(`"search_document"`) // the API insists on one
	for _, p := range r.Params {
		switch {
		case p.Name == "input_type" && p.Value.Kind() == '"':
			kind = p.Value
		case p.Name == "truncate" && p.Value.Kind() == '"':
			d.Text(`,"truncate":`)
			d.Raw(p.Value)
		default:
			d.Leave(p.Name)
		}
	}
	d.Text(`,"input_type":`)
	d.Raw(kind)
	switch {
	case r.Dimensions == 0:
	case strings.Contains(r.Model, "-v3") || strings.Contains(r.Model, "-v2"): // each has one length
		d.Leave("dimensions")
	default:
		d.Number(`,"output_dimension":`, r.Dimensions)
	}
}

// ReadEmbeddings finds the vectors in an answer: lists by their type, or, from some older models, one list.
func ReadEmbeddings(body []byte) (llm.Vectors, error) {
	var v llm.Vectors
	if err := jsonwalk.Valid(body, jsonwalk.Options{}); err != nil {
		return v, fmt.Errorf("%w: %w", llm.ErrNoAnswer, err)
	}
	said := false
	for name, value := range jsonwalk.Members(body) {
		switch string(name) {
		case "message":
			said = llm.JSON(value).Kind() == '"'
		case "embeddings":
			v.List = vectors(value)
		case "meta":
			for name, units := range jsonwalk.Members(value) {
				if string(name) == "billed_units" {
					var billed figures
					billed.read(units)
					v.Tokens, v.Told, v.Absurd = billed.input, billed.told, billed.absurd
				}
			}
		}
	}
	if v.List == nil && said {
		return v, llm.ErrError
	}
	return v, nil
}

func vectors(value llm.JSON) (list []llm.JSON) {
	if value.Kind() == '{' {
		for name, floats := range jsonwalk.Members(value) {
			if string(name) == "float" {
				value = floats
			}
		}
	}
	for _, one := range jsonwalk.Elements(value) {
		list = append(list, one)
	}
	return list
}
