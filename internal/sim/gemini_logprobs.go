package sim

import (
	"fmt"

	"github.com/weirproxy/weir/internal/llm"
)

// checkScores is why the API refuses to report log probabilities, "" if it does not. Vertex AI reports them for complete
// answers of models before Gemini 3; the Gemini API refuses.
func (r *geminiRequest) checkScores() string {
	top := r.param("top_logprobs")
	switch n := r.number("top_logprobs", 1); {
	case r.param("logprobs") == nil:
		if top != nil {
			return "Logprobs can only be set if response_logprobs is true."
		}
	case !r.vertex:
		return "Logprobs is not enabled for this model"
	case r.third():
		return "Unable to submit request because Logprobs is not supported for this model."
	case r.Stream:
		return "Unable to submit request because Logprobs is not supported for streaming."
	case n < 1 || n > 20:
		return "The number of logprobs must be in the range of [1, 20]."
	}
	return ""
}

// scores are those of a text's tokens.
func (r *geminiRequest) scores(text string) (list []llm.Token) {
	return likely(text, int(r.number("top_logprobs", 0)))
}

// likely are the log probabilities of a text's tokens, with so many alternatives: each was likelier than the others in its place, and than the one
// before it.
func likely(text string, top int) (list []llm.Token) {
	token := func(text string, id int, logprob float64) llm.Token {
		return llm.Token{Text: llm.Quote(text), ID: marshal(id), Logprob: marshal(logprob)}
	}
	for i, piece := range split(text) {
		chosen := token(piece, i, -0.5/float64(i+1))
		if top > 0 {
			chosen.Top = append(chosen.Top, chosen)
		}
		for j := 1; j < top; j++ {
			chosen.Top = append(chosen.Top, token(fmt.Sprintf("%s%d", piece, j), 1000+j, -float64(j)))
		}
		list = append(list, chosen)
	}
	return list
}
