package converse

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/cohere"
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// embedder is what a family of models is asked with for embeddings. Bedrock passes that on as it is, so each vendor's are asked
// in its own way (https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html).
type embedder struct {
	part  string // part of the model's id
	most  int    // inputs in one call
	write func(d *draft.Draft, r *llm.EmbeddingRequest, inputs []llm.JSON)
}

// embedders is the table; the first row whose part the model's id contains counts.
var embedders = []embedder{
	{"cohere.embed-", 96, cohereEmbed},
	{"amazon.titan-embed-image", 1, titanImage},
	{"amazon.titan-embed-text-v2", 1, titan2},
	{"amazon.titan-embed", 1, titan1},
	{"amazon.nova-2-multimodal-embeddings", 1, nova},
}

func embedderOf(model string) (embedder, bool) {
	for _, e := range embedders {
		if strings.Contains(model, e.part) {
			return e, true
		}
	}
	return embedder{}, false
}

// MaxInputs is how many inputs a model takes in one call.
func MaxInputs(model string) int {
	e, _ := embedderOf(model)
	return max(e.most, 1)
}

// EncodeEmbeddings is the body of /model/{model}/invoke for some of the request's inputs, and what of the request had to be
// left out.
func EncodeEmbeddings(r *llm.EmbeddingRequest, inputs []llm.JSON) ([]byte, []string, *llm.Error) {
	e, ok := embedderOf(r.Model)
	if !ok {
		return nil, nil, &llm.Error{
			Kind: llm.InvalidValue, Param: "model",
			Message: "Weir does not know this model as an embedding model. On Bedrock it supports Amazon Titan, Amazon Nova and Cohere.",
		}
	}
	d := draft.OfEmbeddings(r, inputs, 1)
	d.Text("{")
	e.write(&d, r, inputs)
	d.Text("}")
	return d.Done()
}

func cohereEmbed(d *draft.Draft, r *llm.EmbeddingRequest, inputs []llm.JSON) {
	cohere.Embed(d, r, inputs)
}

func titan1(d *draft.Draft, r *llm.EmbeddingRequest, inputs []llm.JSON) {
	d.Text(`"inputText":`)
	d.Raw(inputs[0])
	if r.Dimensions > 0 { // they have one length
		d.Leave("dimensions")
	}
	leaveAll(d, r.Params)
}

func titan2(d *draft.Draft, r *llm.EmbeddingRequest, inputs []llm.JSON) {
	d.Text(`"inputText":`)
	d.Raw(inputs[0])
	if r.Dimensions > 0 {
		d.Number(`,"dimensions":`, r.Dimensions)
	}
	for _, p := range r.Params {
		if kind := p.Value.Kind(); p.Name != "normalize" || kind != 't' && kind != 'f' {
			d.Leave(p.Name)
			continue
		}
		d.Text(`,"normalize":`)
		d.Raw(p.Value)
	}
}

func titanImage(d *draft.Draft, r *llm.EmbeddingRequest, inputs []llm.JSON) {
	d.Text(`"inputText":`)
	d.Raw(inputs[0])
	if r.Dimensions > 0 {
		d.Number(`,"embeddingConfig":{"outputEmbeddingLength":`, r.Dimensions)
		d.Text("}")
	}
	leaveAll(d, r.Params)
}

// nova refuses a text that is too long, as OpenAI's API does.
func nova(d *draft.Draft, r *llm.EmbeddingRequest, inputs []llm.JSON) {
	purpose := llm.JSON(`"GENERIC_INDEX"`)
	for _, p := range r.Params {
		if p.Name != "embeddingPurpose" || p.Value.Kind() != '"' {
			d.Leave(p.Name)
			continue
		}
		purpose = p.Value
	}
	d.Text(`"taskType":"SINGLE_EMBEDDING","singleEmbeddingParams":{"embeddingPurpose":`)
	d.Raw(purpose)
	if r.Dimensions > 0 {
		d.Number(`,"embeddingDimension":`, r.Dimensions)
	}
	d.Text(`,"text":{"truncationMode":"NONE","value":`)
	d.Raw(inputs[0])
	d.Text(`}}`)
}

func leaveAll(d *draft.Draft, params []llm.Param) {
	for _, p := range params {
		d.Leave(p.Name)
	}
}

// ReadEmbeddings finds the vectors in an answer, whichever model's it is. Some are counted in a header only.
func ReadEmbeddings(body []byte) (llm.Vectors, error) {
	v, err := cohere.ReadEmbeddings(body)
	if err != nil {
		return v, err
	}
	for i, one := range v.List {
		if one.Kind() == '{' { // Nova's
			v.List[i] = nil
			for name, value := range jsonwalk.Members(one) {
				if string(name) == "embedding" {
					v.List[i] = value
				}
			}
		}
	}
	for name, value := range jsonwalk.Members(body) { // Titan's
		switch string(name) {
		case "embedding":
			v.List = []llm.JSON{value}
		case "inputTextTokenCount":
			v.Tokens, v.Told, v.Absurd = llm.JSON(value).Tokens()
		}
	}
	if v.List == nil {
		return v, fmt.Errorf("%w: it has no vectors", llm.ErrNoAnswer)
	}
	return v, nil
}
