package gemini

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// VertexTokens is how many tokens the inputs of one call of embeddings may have together on Vertex AI
// (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings).
const VertexTokens = 20000

// VertexInputs is how many inputs a model takes in one call on Vertex AI.
func VertexInputs(model string) int {
	if strings.HasPrefix(model, "gemini-") {
		return 1
	}
	return 250
}

// EncodeVertexEmbeddings returns the body of a Vertex AI call for some of the request's inputs, and the parameters that it left out.
// Newer models are asked with :embedContent, all others with :predict.
func EncodeVertexEmbeddings(r *llm.EmbeddingRequest, inputs []llm.JSON) ([]byte, []string, *llm.Error) {
	d := draft.OfEmbeddings(r, inputs, 64)
	task, truncate := vertexParams(r, &d)
	if newer(r.Model) {
		d.Text(`{"content":{"parts":[{"text":`)
		d.Raw(inputs[0])
		d.Text(`}]},"embedContentConfig":{`)
	} else {
		d.Text(`{"instances":[`)
		for i, text := range inputs {
			if i > 0 {
				d.Text(",")
			}
			d.Text(`{"content":`)
			d.Raw(text)
			if task != nil {
				d.Text(`,"task_type":`)
				d.Raw(task)
			}
			d.Text(`}`)
		}
		d.Text(`],"parameters":{`)
	}
	d.Text(`"autoTruncate":`)
	d.Raw(truncate)
	if r.Dimensions > 0 {
		d.Number(`,"outputDimensionality":`, r.Dimensions)
	}
	d.Text(`}}`)
	return d.Done()
}

// newer reports whether a model gets the task within the text itself.
func newer(model string) bool { return strings.Contains(model, "gemini-embedding-2") }

// vertexParams are the task of every input, nil if unset, and whether texts that are too long are cut. Without the latter the API
// refuses them, as OpenAI's does.
func vertexParams(r *llm.EmbeddingRequest, d *draft.Draft) (task, truncate llm.JSON) {
	truncate = llm.JSON("false")
	for _, p := range r.Params {
		kind := p.Value.Kind()
		switch {
		case (p.Name == "task_type" || p.Name == "taskType") && kind == '"' && task == nil && !newer(r.Model):
			task = p.Value
		case (p.Name == "auto_truncate" || p.Name == "autoTruncate") && (kind == 't' || kind == 'f'):
			truncate = p.Value
		default:
			d.Leave(p.Name)
		}
	}
	return task, truncate
}

// ReadVertexEmbeddings finds the vectors in an answer of Vertex AI: one, or a list of predictions, each with its own count.
func ReadVertexEmbeddings(body []byte) (llm.Vectors, error) {
	v, err := ReadEmbeddings(body)
	if err != nil {
		return v, err
	}
	for name, value := range jsonwalk.Members(body) {
		switch string(name) {
		case "embedding":
			v.List = []llm.JSON{valuesOf(value)}
		case "predictions":
			v.Told = true
			for _, one := range jsonwalk.Elements(value) {
				values, tokens, cut, reported := prediction(one)
				v.List, v.Each, v.Cut = append(v.List, values), append(v.Each, tokens), append(v.Cut, cut)
				v.Tokens, v.Told = v.Tokens+tokens, v.Told && reported
			}
		}
	}
	if v.List == nil {
		return v, fmt.Errorf("%w: it has no vectors", llm.ErrNoAnswer)
	}
	return v, nil
}

// prediction is the vector of one prediction, the tokens that its input took, which may be spelled as a float, and whether it was cut.
func prediction(one []byte) (values llm.JSON, tokens int64, cut, reported bool) {
	for name, embeddings := range jsonwalk.Members(one) {
		if string(name) != "embeddings" {
			continue
		}
		values = valuesOf(embeddings)
		for name, statistics := range jsonwalk.Members(embeddings) {
			if string(name) != "statistics" {
				continue
			}
			for name, n := range jsonwalk.Members(statistics) {
				switch string(name) {
				case "token_count":
					count, err := strconv.ParseFloat(string(n), 64)
					tokens, reported = int64(count), err == nil && count >= 0 && count < 1<<53
				case "truncated":
					cut = string(n) == "true"
				}
			}
		}
	}
	return values, tokens, cut, reported
}
