package openai

import (
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/llm"
)

// EncodeEmbeddings is the body of POST /v1/embeddings for some of the request's inputs, and what of the request had to be left out. Vectors are asked
// for as numbers, which all servers have.
func EncodeEmbeddings(r *llm.EmbeddingRequest, inputs []llm.JSON) ([]byte, []string, *llm.Error) {
	d := draft.OfEmbeddings(r, inputs, 1)
	d.Text(`{"model":`)
	d.Quote(r.Model)
	d.Text(`,"input":[`)
	for i, text := range inputs {
		if i > 0 {
			d.Text(",")
		}
		d.Raw(text)
	}
	d.Text("]")
	if r.Dimensions > 0 {
		d.Number(`,"dimensions":`, r.Dimensions)
	}
	for _, p := range r.Params {
		d.Leave(p.Name)
	}
	d.Text("}")
	return d.Done()
}
