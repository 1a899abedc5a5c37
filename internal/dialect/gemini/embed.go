package gemini

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// MaxInputs is how many inputs a model takes in one call.
func MaxInputs(string) int { return 100 }

// EncodeEmbeddings is the body of models/{model}:batchEmbedContents for some of the request's inputs, and what of the request
// had to be left out.
func EncodeEmbeddings(r *llm.EmbeddingRequest, inputs []llm.JSON) ([]byte, []string, *llm.Error) {
	d := draft.OfEmbeddings(r, inputs, 160)
	settings := embedSettings(r, &d)
	name := llm.Quote("models/" + strings.TrimPrefix(r.Model, "models/"))
	d.Text(`{"requests":[`)
	for i, text := range inputs {
		if i > 0 {
			d.Text(",")
		}
		d.Text(`{"model":`)
		d.Raw(name)
		d.Text(`,"content":{"parts":[{"text":`)
		d.Raw(text)
		d.Text(`}]}`)
		d.Raw(settings)
		d.Text(`}`)
	}
	d.Text(`]}`)
	return d.Done()
}

// embedSettings are the members that every input of a request has in addition to its text.
func embedSettings(r *llm.EmbeddingRequest, d *draft.Draft) []byte {
	var out []byte
	if r.Dimensions > 0 {
		out = strconv.AppendInt(append(out, `,"outputDimensionality":`...), r.Dimensions, 10)
	}
	for _, p := range r.Params {
		task := (p.Name == "task_type" || p.Name == "taskType") && p.Value.Kind() == '"'
		// These models get the task within the text itself (https://ai.google.dev/gemini-api/docs/embeddings).
		if !task || newer(r.Model) || strings.Contains(string(out), `"taskType"`) {
			d.Leave(p.Name)
			continue
		}
		out = append(append(out, `,"taskType":`...), p.Value...)
	}
	return out
}

// ReadEmbeddings finds the vectors in an answer.
func ReadEmbeddings(body []byte) (llm.Vectors, error) {
	var v llm.Vectors
	if err := jsonwalk.Valid(body, jsonwalk.Options{}); err != nil {
		return v, fmt.Errorf("%w: %w", llm.ErrNoAnswer, err)
	}
	for name, value := range jsonwalk.Members(body) {
		switch string(name) {
		case "error":
			return v, llm.ErrError
		case "embeddings":
			for _, one := range jsonwalk.Elements(value) {
				v.List = append(v.List, valuesOf(one))
			}
		case "usageMetadata":
			for name, n := range jsonwalk.Members(value) {
				if string(name) == "promptTokenCount" {
					v.Tokens, v.Told, v.Absurd = llm.JSON(n).Tokens()
					v.Told = v.Told && v.Tokens > 0
				}
			}
		}
	}
	return v, nil
}

// valuesOf is the vector of one embedding.
func valuesOf(embedding []byte) llm.JSON {
	for name, values := range jsonwalk.Members(embedding) {
		if string(name) == "values" {
			return values
		}
	}
	return nil
}
