package passthrough

import (
	"iter"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// given are the members that are not null.
func (r *Request) given() iter.Seq2[string, llm.JSON] {
	return func(yield func(string, llm.JSON) bool) {
		for i := range r.members {
			if m := &r.members[i]; !m.null && !yield(m.name, m.Value.Of(r.Raw)) {
				return
			}
		}
	}
}

// Decode implements dialect.Chat.
func (r *Request) Decode(omit []string) (*llm.Request, *llm.Error) {
	return openai.Decode(r.given(), omit)
}

// DecodeCompletion implements dialect.Prompts.
func (r *Request) DecodeCompletion(omit []string) (*llm.Request, []llm.JSON, *llm.Error) {
	return openai.DecodeCompletion(r.given(), omit)
}

// DecodeEmbeddings implements dialect.Embeddings.
func (r *Request) DecodeEmbeddings(omit []string) (*llm.EmbeddingRequest, *llm.Error) {
	return openai.DecodeEmbeddings(r.given(), omit)
}

// Typed is about how many bytes the typed form takes in addition to the caller's bytes.
func (r *Request) Typed() int { return openai.Typed(r.Raw, r.given()) }

// Writer implements dialect.Chat and dialect.Prompts.
func (r *Request) Writer(w dialect.Writing) dialect.Writer {
	p := openai.Producer{Now: w.Now, Asked: w.Asked, Echo: w.Echo, Name: w.Name, Maker: w.Maker, Custom: w.Custom}
	if r.Endpoint == llm.Completions {
		return &openai.Texts{Producer: p}
	}
	return &p
}

// ReadVectors reads an answer of OpenAI's dialect to a call for n of the inputs.
func (r *Request) ReadVectors(body []byte, n int) (llm.Vectors, error) {
	return openai.ReadVectors(body, n)
}

// JoinVectors makes an answer of what AppendVectors wrote, in the order of the inputs.
func (r *Request) JoinVectors(data [][]byte, model llm.JSON, tokens int64) []byte {
	return openai.JoinVectors(data, model, tokens)
}
