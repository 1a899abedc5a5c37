package sim

import (
	"fmt"
	"slices"
	"strings"
)

// predictingModel is the model of a call of embeddings to Vertex AI. Those of Gemini's own API with one content are not served.
func predictingModel(path string) (string, bool) {
	_, rest, named := strings.Cut(path, "/publishers/google/models/")
	model, method, _ := strings.Cut(rest, ":")
	return model, named && (method == "predict" || method == "embedContent")
}

// vertexVectors answers as the models of both methods do, each of which has its own.
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
	var r struct {
		Content struct {
			Parts []struct {
				Text string `json:"text"`
			} `json:"parts"`
		} `json:"content"`
		Config struct {
			AutoTruncate *bool `json:"autoTruncate"`
			Dimensions   *int  `json:"outputDimensionality"`
		} `json:"embedContentConfig"`
	}
	if err := c.strictly(&r); err != nil {
		return nil, 0, err
	}
	if len(r.Content.Parts) != 1 {
		return nil, 0, fmt.Errorf("the content has %d parts", len(r.Content.Parts))
	}
	vectors, tokens, err := embed([]string{r.Content.Parts[0].Text}, r.Config.Dimensions, 8, 2, 4, 128, 768, 1536, 3072)
	if err != nil {
		return nil, 0, err
	}
	type values struct {
		Values []float32 `json:"values"`
	}
	type usage struct {
		Tokens int `json:"promptTokenCount"`
	}
	return struct {
		Embedding values `json:"embedding"`
		Usage     usage  `json:"usageMetadata"`
	}{values{vectors[0]}, usage{tokens}}, tokens, nil
}

// Bounds of one call, and of one text.
const (
	vertexTexts  = 250
	vertexTokens = 20000
	vertexLength = 2048
)

// vertexPredictions are the vectors of several texts, each with what it took.
func vertexPredictions(c *call) (any, int, error) {
	var r struct {
		Instances []struct {
			Content  string `json:"content"`
			TaskType string `json:"task_type"`
		} `json:"instances"`
		Parameters struct {
			AutoTruncate *bool `json:"autoTruncate"`
			Dimensions   *int  `json:"outputDimensionality"`
		} `json:"parameters"`
	}
	if err := c.strictly(&r); err != nil {
		return nil, 0, err
	}
	most, n := vertexTexts, len(r.Instances)
	if strings.HasPrefix(c.model, "gemini-") {
		most = 1
	}
	if n == 0 || n > most {
		return nil, 0, fmt.Errorf("%d instances are allowed per prediction, not %d", most, n)
	}
	type statistics struct {
		Tokens    int  `json:"token_count"`
		Truncated bool `json:"truncated"`
	}
	type embeddings struct {
		Values     []float32  `json:"values"`
		Statistics statistics `json:"statistics"`
	}
	type prediction struct {
		Embeddings embeddings `json:"embeddings"`
	}
	var answer struct {
		Predictions []prediction `json:"predictions"`
	}
	cut, total := r.Parameters.AutoTruncate == nil || *r.Parameters.AutoTruncate, 0
	for _, one := range r.Instances {
		vectors, tokens, err := embed([]string{one.Content}, r.Parameters.Dimensions, 8, 2, 4, 128, 256, 768)
		long := tokens > vertexLength
		switch {
		case err != nil:
			return nil, 0, err
		case one.TaskType != "" && !slices.Contains(vertexTasks[:], one.TaskType):
			return nil, 0, fmt.Errorf("invalid task type %q", one.TaskType)
		case long && !cut:
			return nil, 0, fmt.Errorf("the input token count is %d but the model supports up to %d", tokens, vertexLength)
		case long:
			tokens = vertexLength
		}
		total += tokens
		answer.Predictions = append(answer.Predictions, prediction{embeddings{vectors[0], statistics{tokens, long}}})
	}
	if total > vertexTokens {
		return nil, 0, fmt.Errorf("the input token count is %d but the model supports up to %d", total, vertexTokens)
	}
	return answer, total, nil
}

// vertexTasks are what texts can be for.
var vertexTasks = [...]string{
	"RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT", "SEMANTIC_SIMILARITY", "CLASSIFICATION", "CLUSTERING", "QUESTION_ANSWERING", "FACT_VERIFICATION",
	"CODE_RETRIEVAL_QUERY",
}
