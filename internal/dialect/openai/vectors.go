package openai

import (
	"fmt"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// ReadVectors reads an embeddings answer to a call for n inputs.
func ReadVectors(body []byte, n int) (llm.Vectors, error) {
	w := embeddingsWalk{inputs: n}
	if err := w.walk(body); err != nil {
		if w.IsError {
			err = llm.ErrError
		}
		return llm.Vectors{}, err
	}
	v := llm.Vectors{Tokens: w.Usage.Input(), Told: w.HasUsage}
	if w.model.End > 0 {
		v.Model = w.model.Of(body)
	}
	for _, one := range w.ordered {
		v.List = append(v.List, one.embedding.Of(body))
	}
	return v, nil
}

// AppendVectors appends vectors as the elements of an answer's data, in the form f. The first is that of input number first.
func (f VectorForm) AppendVectors(dst []byte, list []llm.JSON, first int) ([]byte, error) {
	var err error
	for i, v := range list {
		if !isVector(v) {
			return nil, fmt.Errorf("%w: vector %d is missing or invalid", llm.ErrNoAnswer, i)
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, `{"object":"embedding","index":`...), int64(first+i), 10)
		dst = append(dst, `,"embedding":`...)
		one := vector{embedding: jsonwalk.Span{End: len(v)}, index: first + i, text: v.Kind() == '"'}
		if dst, err = f.appendVector(dst, v, one); err != nil {
			return nil, err
		}
		dst = append(dst, '}')
	}
	return dst, nil
}

// JoinVectors makes an answer of what AppendVectors wrote, in the order of the inputs.
func JoinVectors(data [][]byte, model llm.JSON, tokens int64) []byte {
	size := 128 + len(model)
	for _, d := range data {
		size += len(d) + 1
	}
	dst := append(make([]byte, 0, size), `{"object":"list","data":[`...)
	for i, d := range data {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, d...)
	}
	dst = append(append(append(dst, `],"model":`...), model...), `,"usage":{"prompt_tokens":`...)
	dst = append(strconv.AppendInt(dst, tokens, 10), `,"total_tokens":`...)
	return append(strconv.AppendInt(dst, tokens, 10), `}}`...)
}

// isVector reports whether a value of a valid text is a vector: an array of numbers, or base64, and not empty.
func isVector(v llm.JSON) bool {
	return readVector(jsonwalk.NewScanner(v, jsonwalk.Options{}), v).End > 0
}
