package gemini

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
)

// WriteEmbeddings is an answer to batchEmbedContents, as the API's server words it.
func WriteEmbeddings(v llm.Vectors) []byte {
	dst := []byte(`{"embeddings":[`)
	for i, vector := range v.List {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValues(dst, vector)
	}
	return closeEmbeddings(append(dst, ']'), v)
}

// WriteVertexEmbeddings is an answer of Vertex AI to a call that EncodeVertexEmbeddings writes for a model.
func WriteVertexEmbeddings(model string, v llm.Vectors) []byte {
	if newer(model) && len(v.List) == 1 {
		return closeEmbeddings(appendValues([]byte(`{"embedding":`), v.List[0]), v)
	}
	dst := []byte(`{"predictions":[`)
	for i, vector := range v.List {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValues(append(dst, `{"embeddings":`...), vector)
		tokens := v.Tokens
		if v.Each != nil {
			tokens = v.Each[i]
		}
		if v.Told && (v.Each != nil || len(v.List) == 1) {
			dst = strconv.AppendInt(append(dst[:len(dst)-1], `,"statistics":{"token_count":`...), tokens, 10)
			dst = strconv.AppendBool(append(dst, `,"truncated":`...), v.Cut != nil && v.Cut[i])
			dst = append(dst, "}}"...)
		}
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

func closeEmbeddings(dst []byte, v llm.Vectors) []byte {
	if v.Told {
		dst = append(strconv.AppendInt(append(dst, `,"usageMetadata":{"promptTokenCount":`...), v.Tokens, 10), '}')
	}
	return append(dst, '}')
}

// appendValues appends a vector, which the API has in numbers only.
func appendValues(dst []byte, vector llm.JSON) []byte {
	dst = append(dst, `{"values":`...)
	if vector.Kind() != '"' {
		return append(append(dst, vector...), '}')
	}
	raw, _ := base64.StdEncoding.DecodeString(vector.Text()) // llm.Vectors are all valid
	dst = append(dst, '[')
	for i := 0; i+4 <= len(raw); i += 4 {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendFloat(dst, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[i:]))), 'g', -1, 32)
	}
	return append(dst, "]}"...)
}
