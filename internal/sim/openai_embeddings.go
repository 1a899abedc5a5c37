package sim

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"net/http"

	codec "github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// embeddingRequest is what the simulated provider reads of an embeddings call.
type embeddingRequest struct {
	Input          *inputs `json:"input"`
	EncodingFormat string  `json:"encoding_format"`
	Dimensions     *int    `json:"dimensions"`
}

const (
	defaultDimensions = 256
	maxDimensions     = 3072
	maxInputs         = 2048
)

// embeddings answers /embeddings.
func (openAI) embeddings(c *call) (reply, error) {
	var r embeddingRequest
	if err := c.decode(&r); err != nil {
		return reply{}, err
	}
	if err := r.check(); err != nil {
		return reply{}, err
	}
	dimensions := defaultDimensions
	if r.Dimensions != nil {
		dimensions = *r.Dimensions
	}
	list, tokens := make([]llm.JSON, len(*r.Input)), 0
	for i, in := range *r.Input {
		tokens += in.count()
		list[i] = marshal(vectorOf(in, dimensions))
	}
	data, err := codec.VectorForm{Base64: r.EncodingFormat == "base64"}.AppendVectors(nil, list, 0)
	if err != nil {
		return reply{}, err
	}
	body := codec.JoinVectors([][]byte{data}, llm.Quote(c.model), int64(tokens))
	return reply{status: http.StatusOK, contentType: typeJSON, body: body, prompt: tokens}, nil
}

func (r *embeddingRequest) check() error {
	switch {
	case r.Input == nil:
		return bad("input", "missing_required_parameter", "Missing required parameter: 'input'.")
	case len(*r.Input) == 0:
		return bad("input", "empty_array", "Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	case len(*r.Input) > maxInputs:
		return bad("input", "array_above_max_length", "Invalid 'input': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", maxInputs, len(*r.Input))
	case r.EncodingFormat != "" && r.EncodingFormat != "float" && r.EncodingFormat != "base64":
		return bad("encoding_format", "invalid_value", "Invalid value: '%s'. Supported values are: 'float' and 'base64'.", r.EncodingFormat)
	case r.Dimensions != nil && *r.Dimensions < 1:
		return bad("", "", "%d is less than the minimum of 1 - 'dimensions'", *r.Dimensions)
	case r.Dimensions != nil && *r.Dimensions > maxDimensions:
		return bad("dimensions", "", "Invalid value for 'dimensions' = %d. Must be less than or equal to %d.", *r.Dimensions, maxDimensions)
	}
	for _, in := range *r.Input {
		if in.count() == 0 {
			return bad("input", "", "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.")
		}
	}
	return nil
}

// vectorOf is the input's embedding: a direction that its hash alone decides, of length 1.
func vectorOf(in input, dimensions int) []float32 {
	random := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(in.String()))))
	long := make([]float64, dimensions)
	var square float64
	for i := range long {
		long[i] = random.NormFloat64()
		square += long[i] * long[i]
	}
	length := math.Sqrt(square)
	vector := make([]float32, dimensions)
	for i, x := range long {
		vector[i] = float32(x / length)
	}
	return vector
}
