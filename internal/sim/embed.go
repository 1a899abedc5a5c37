package sim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	google "github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/llm"
)

// embedAPI is a vendor's API for embeddings as its server sees it.
type embedAPI struct {
	// model is the one that the path names, "" if the body does; ok is false for a path of something else.
	model func(path string) (model string, ok bool)
	// answer is the correct answer and its tokens, or an error.
	answer func(c *call) (answer any, tokens int, err error)
	// failure is an error in the vendor's words.
	failure func(status int, message string) any
	// header holds what an answer with so many tokens bears; nil if nothing.
	header func(tokens int) http.Header
}

// embedAPIs are Gemini's, Vertex AI's, Cohere's and Bedrock's, each strict about what it takes.
func embedAPIs() []dialect {
	return []dialect{
		embedAPI{model: geminiModel, answer: geminiVectors, failure: geminiFailure},
		embedAPI{model: predictingModel, answer: vertexVectors, failure: geminiFailure},
		embedAPI{model: cohereModel, answer: cohereVectors, failure: cohereFailure},
		embedAPI{model: invokedModel, answer: invoked, failure: invokeFailure, header: func(tokens int) http.Header {
			return http.Header{"X-Amzn-Bedrock-Input-Token-Count": {fmt.Sprint(tokens)}}
		}},
	}
}

// route implements dialect.
func (a embedAPI) route(c *call) bool {
	model, ok := a.model(c.request.URL.Path)
	if !ok {
		return false
	}
	h := c.request.Header
	c.endpoint, c.pathModel = pathEmbeddings, model
	c.credential = cmp.Or(h.Get("X-Goog-Api-Key"), openAICredential(h))
	return true
}

// read implements dialect.
func (embedAPI) read(c *call) { openAI{}.read(c) }

// reply implements dialect.
func (a embedAPI) reply(c *call) reply {
	fail := func(status int, message string) reply {
		r := jsonReply(a.failure(status, message))
		r.status = status
		return r
	}
	switch {
	case c.script.Key != "" && c.credential != c.script.Key:
		return fail(http.StatusUnauthorized, "the credential is not valid")
	case c.request.Method != http.MethodPost:
		return fail(http.StatusNotFound, "not found")
	case modelExists(c) != nil:
		return fail(http.StatusNotFound, "model '"+c.model+"' not found")
	}
	answer, tokens, err := a.answer(c)
	if err != nil {
		return fail(http.StatusBadRequest, err.Error())
	}
	r := jsonReply(answer)
	r.prompt = tokens
	if a.header != nil {
		r.header = a.header(tokens)
	}
	return r
}

// refusal implements dialect.
func (a embedAPI) refusal(status int) reply {
	r := jsonReply(a.failure(status, "Simulated failure"))
	r.status = status
	return r
}

// streamError implements dialect: embeddings have no streams.
func (a embedAPI) streamError() []byte {
	return marshal(a.failure(http.StatusInternalServerError, "Simulated failure"))
}

// usage implements dialect: what a script answers is not counted.
func (embedAPI) usage(payload []byte) (prompt, completion int, ok bool) {
	var body struct {
		Meta struct {
			Billed *struct {
				Input int `json:"input_tokens"`
			} `json:"billed_units"`
		} `json:"meta"`
		Titan  *int `json:"inputTextTokenCount"`
		Google *struct {
			Prompt int `json:"promptTokenCount"`
		} `json:"usageMetadata"`
		Predictions []struct {
			Embeddings struct {
				Statistics struct {
					Tokens int `json:"token_count"`
				} `json:"statistics"`
			} `json:"embeddings"`
		} `json:"predictions"`
	}
	if json.Unmarshal(payload, &body) != nil {
		return 0, 0, false
	}
	for _, p := range body.Predictions {
		prompt += p.Embeddings.Statistics.Tokens
	}
	switch {
	case body.Meta.Billed != nil:
		return body.Meta.Billed.Input, 0, true
	case body.Titan != nil:
		return *body.Titan, 0, true
	case body.Google != nil:
		return body.Google.Prompt, 0, true
	}
	return prompt, 0, prompt > 0
}

// strictly decodes a body that has no members but those of v.
func (c *call) strictly(v any) error { return strictly(c.body, v) }

// strictly decodes an object that has no members but those of v.
func strictly(object []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(object))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// embed makes the vectors of texts, of as many numbers as asked for or else usual, where only some lengths are allowed.
func embed(texts []string, asked *int, usual int, allowed ...int) (vectors [][]float32, tokens int, err error) {
	if asked != nil {
		if !slices.Contains(allowed, *asked) {
			return nil, 0, fmt.Errorf("vectors have %v numbers, not %d", allowed, *asked)
		}
		usual = *asked
	}
	for _, text := range texts {
		if text == "" {
			return nil, 0, fmt.Errorf("a text is empty")
		}
		vectors = append(vectors, vectorOf(input{text: text}, usual))
		tokens += count(text)
	}
	return vectors, tokens, nil
}

func geminiModel(path string) (string, bool) {
	path, ok := strings.CutSuffix(path, ":batchEmbedContents")
	_, model, named := strings.Cut(path, "/models/")
	return model, ok && named
}

func geminiFailure(status int, message string) any {
	names := map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}
	type inner struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Status  string `json:"status"`
	}
	return struct {
		Error inner `json:"error"`
	}{inner{status, message, cmp.Or(names[status], "UNKNOWN")}}
}

// geminiVectors counts nothing for models of the first generation.
func geminiVectors(c *call) (any, int, error) {
	r, wrong := google.DecodeEmbeddings(c.body)
	switch {
	case wrong != nil:
		return nil, 0, wrong
	case len(r.Inputs) > 100:
		return nil, 0, fmt.Errorf("* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch, not %d", len(r.Inputs))
	case r.Model != c.model:
		return nil, 0, fmt.Errorf("the model of a request is %q", r.Model)
	}
	if task := embedParam(r, "task_type"); strings.ToUpper(task) != task {
		return nil, 0, fmt.Errorf("invalid task type %s", task)
	}
	v, err := googleVectors(r, 2, 4, 128, 768, 1536, 3072)
	if err != nil {
		return nil, 0, err
	}
	v.Told = strings.Contains(c.model, "embedding-2")
	return json.RawMessage(google.WriteEmbeddings(v)), int(v.Tokens), nil
}

// embedParam is a parameter as it is spelled, "" if it was not sent.
func embedParam(r *llm.EmbeddingRequest, name string) string {
	for _, p := range r.Params {
		if p.Name == name {
			return string(p.Value)
		}
	}
	return ""
}

// googleVectors are the vectors of all inputs, of as many numbers as were asked for.
func googleVectors(r *llm.EmbeddingRequest, allowed ...int) (v llm.Vectors, err error) {
	var asked *int
	if n := int(r.Dimensions); n > 0 {
		asked = &n
	}
	for _, text := range r.Inputs {
		vectors, tokens, err := embed([]string{text.Text()}, asked, 8, allowed...)
		if err != nil {
			return v, err
		}
		v.List, v.Each = append(v.List, marshal(vectors[0])), append(v.Each, int64(tokens))
		v.Tokens += int64(tokens)
	}
	v.Told = true
	return v, nil
}

func cohereModel(path string) (string, bool) { return "", strings.HasSuffix(path, "/v2/embed") }

func cohereFailure(_ int, message string) any {
	return struct {
		ID      string `json:"id"`
		Message string `json:"message"`
	}{"00000000-0000-4000-8000-000000000000", message}
}

// cohereAsked is what Cohere's models are asked with, here as on Bedrock.
type cohereAsked struct {
	Texts      []string `json:"texts"`
	InputType  string   `json:"input_type"`
	Types      []string `json:"embedding_types"`
	Dimensions *int     `json:"output_dimension"`
	Truncate   string   `json:"truncate"`
}

// vectors is what the model answers.
func (r cohereAsked) vectors(model string) ([][]float32, int, error) {
	switch {
	case len(r.Texts) == 0 || len(r.Texts) > 96:
		return nil, 0, fmt.Errorf("invalid request: total number of texts must be at most 96 and at least 1, not %d", len(r.Texts))
	case !slices.Contains([]string{"search_document", "search_query", "classification", "clustering"}, r.InputType):
		return nil, 0, fmt.Errorf("invalid request: valid input_type must be provided with this model, not %q", r.InputType)
	case !slices.Equal(r.Types, []string{"float"}):
		return nil, 0, fmt.Errorf("invalid request: the simulated provider makes floats, not %v", r.Types)
	case r.Truncate != "" && !slices.Contains([]string{"NONE", "START", "END"}, r.Truncate):
		return nil, 0, fmt.Errorf("invalid request: truncate is %q", r.Truncate)
	case r.Dimensions != nil && strings.Contains(model, "-v3"):
		return nil, 0, fmt.Errorf("invalid request: output_dimension is not supported by this model")
	}
	return embed(r.Texts, r.Dimensions, 8, 256, 512, 1024, 1536)
}

// floatLists are vectors as Cohere's models answer them.
type floatLists struct {
	Float [][]float32 `json:"float"`
}

func cohereVectors(c *call) (any, int, error) {
	var r struct {
		Model string `json:"model"`
		cohereAsked
	}
	if err := c.strictly(&r); err != nil {
		return nil, 0, err
	}
	vectors, tokens, err := r.vectors(c.model)
	type units struct {
		Input int `json:"input_tokens"`
	}
	type meta struct {
		Billed units `json:"billed_units"`
	}
	return struct {
		ID           string     `json:"id"`
		Embeddings   floatLists `json:"embeddings"`
		Texts        []string   `json:"texts"`
		Meta         meta       `json:"meta"`
		ResponseType string     `json:"response_type"`
	}{c.id(""), floatLists{vectors}, r.Texts, meta{units{tokens}}, "embeddings_by_type"}, tokens, err
}

func invokedModel(path string) (string, bool) {
	path, ok := strings.CutSuffix(path, "/invoke")
	_, model, named := strings.Cut(path, "/model/")
	return model, ok && named && !strings.Contains(model, claudeInvoked)
}

func invokeFailure(_ int, message string) any {
	return struct {
		Message string `json:"message"`
	}{message}
}

// invoked answers as the models of each family on Bedrock do. Except for Titan's, tokens are reported only in a
// header.
func invoked(c *call) (any, int, error) {
	switch {
	case strings.Contains(c.model, "cohere.embed"):
		var r cohereAsked
		if err := c.strictly(&r); err != nil {
			return nil, 0, err
		}
		vectors, tokens, err := r.vectors(c.model)
		return struct {
			Embeddings floatLists `json:"embeddings"`
		}{floatLists{vectors}}, tokens, err
	case strings.Contains(c.model, "nova-2-multimodal"):
		return novaVector(c)
	case strings.Contains(c.model, "titan-embed"):
		return titanVector(c)
	}
	return nil, 0, fmt.Errorf("the provided model identifier is invalid")
}

func titanVector(c *call) (any, int, error) {
	var r struct {
		Text       string `json:"inputText"`
		Dimensions *int   `json:"dimensions"`
		Normalize  *bool  `json:"normalize"`
	}
	if err := c.strictly(&r); err != nil {
		return nil, 0, err
	}
	if r.Dimensions != nil && strings.Contains(c.model, "-v1") {
		return nil, 0, fmt.Errorf("malformed input request: extraneous key [dimensions] is not permitted")
	}
	vectors, tokens, err := embed([]string{r.Text}, r.Dimensions, 8, 256, 512, 1024)
	if err != nil {
		return nil, 0, err
	}
	return struct {
		Embedding []float32 `json:"embedding"`
		Tokens    int       `json:"inputTextTokenCount"`
	}{vectors[0], tokens}, tokens, nil
}

func novaVector(c *call) (any, int, error) {
	var r struct {
		TaskType string `json:"taskType"`
		Params   struct {
			Purpose    string `json:"embeddingPurpose"`
			Dimensions *int   `json:"embeddingDimension"`
			Text       struct {
				Mode  string `json:"truncationMode"`
				Value string `json:"value"`
			} `json:"text"`
		} `json:"singleEmbeddingParams"`
	}
	if err := c.strictly(&r); err != nil {
		return nil, 0, err
	}
	if r.TaskType != "SINGLE_EMBEDDING" || r.Params.Purpose == "" || !slices.Contains([]string{"NONE", "START", "END"}, r.Params.Text.Mode) {
		return nil, 0, fmt.Errorf("malformed input request")
	}
	vectors, tokens, err := embed([]string{r.Params.Text.Value}, r.Params.Dimensions, 8, 256, 384, 1024, 3072)
	if err != nil {
		return nil, 0, err
	}
	type one struct {
		Type      string    `json:"embeddingType"`
		Embedding []float32 `json:"embedding"`
	}
	return struct {
		Embeddings []one `json:"embeddings"`
	}{[]one{{"TEXT", vectors[0]}}}, tokens, nil
}
