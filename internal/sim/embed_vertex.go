package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	google "github.com/weirproxy/weir/internal/dialect/gemini"
)

// predictingModel is the model of a call of embeddings to Vertex AI. Those of Gemini's own API with one content are not served.
func predictingModel(path string) (string, bool) {
	_, rest, named := strings.Cut(path, "/publishers/google/models/")
	model, method, _ := strings.Cut(rest, ":")
	return model, named && (method == "predict" || method == "embedContent")
}

// vertexVectors answers as the models of both methods do; each method has its own models.
func vertexVectors(c *call) (any, int, error) {
	newer := strings.Contains(c.model, "gemini-embedding-2")
	switch {
	case newer != strings.HasSuffix(c.request.URL.Path, ":embedContent"):
		return nil, 0, fmt.Errorf("the model %s is not supported by this method", c.model)
	case newer:
		return vertexContent(c)
	}
	return vertexPredictions(c)
}

// vertexContent is the vector of one content.
func vertexContent(c *call) (any, int, error) {
	r, wrong := google.DecodeVertexEmbeddings(c.body)
	switch {
	case wrong != nil:
		return nil, 0, wrong
	case len(r.Inputs) != 1:
		return nil, 0, fmt.Errorf("there are %d contents", len(r.Inputs))
	}
	v, err := googleVectors(r, 2, 4, 128, 768, 1536, 3072)
	if err != nil {
		return nil, 0, err
	}
	return json.RawMessage(google.WriteVertexEmbeddings(c.model, v)), int(v.Tokens), nil
}

// Bounds of one call, and of one text.
const (
	vertexTexts  = 250
	vertexTokens = 20000
	vertexLength = 2048
)

// vertexPredictions are the vectors of several texts, each with what it took.
func vertexPredictions(c *call) (any, int, error) {
	r, wrong := google.DecodeVertexEmbeddings(c.body)
	if wrong != nil {
		return nil, 0, wrong
	}
	most, n := vertexTexts, len(r.Inputs)
	if strings.HasPrefix(c.model, "gemini-") {
		most = 1
	}
	task := embedParam(r, "task_type")
	v, err := googleVectors(r, 2, 4, 128, 256, 768)
	switch {
	case n > most:
		return nil, 0, fmt.Errorf("%d instances are allowed per prediction, not %d", most, n)
	case err != nil:
		return nil, 0, err
	case task != "" && !slices.Contains(vertexTasks[:], strings.Trim(task, `"`)):
		return nil, 0, fmt.Errorf("invalid task type %s", task)
	}
	v.Tokens = 0
	for i, tokens := range v.Each {
		if tokens > vertexLength && embedParam(r, "auto_truncate") == "false" {
			return nil, 0, fmt.Errorf("the input token count is %d but the model supports up to %d", tokens, vertexLength)
		}
		v.Cut = append(v.Cut, tokens > vertexLength)
		v.Each[i] = min(tokens, vertexLength)
		v.Tokens += v.Each[i]
	}
	if v.Tokens > vertexTokens {
		return nil, 0, fmt.Errorf("the input token count is %d but the model supports up to %d", v.Tokens, vertexTokens)
	}
	return json.RawMessage(google.WriteVertexEmbeddings(c.model, v)), int(v.Tokens), nil
}

// vertexTasks are what texts can be for.
var vertexTasks = [...]string{
	"RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT", "SEMANTIC_SIMILARITY", "CLASSIFICATION", "CLUSTERING", "QUESTION_ANSWERING", "FACT_VERIFICATION",
	"CODE_RETRIEVAL_QUERY",
}
