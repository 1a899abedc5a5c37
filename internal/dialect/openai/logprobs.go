package openai

import "github.com/weirproxy/weir/internal/llm"

// The text around the tokens in a choice's log probabilities.
const (
	openLogprobs  = `,"logprobs":{"content":[`
	closeLogprobs = `],"refusal":null}`
)

// appendTokens appends tokens as a list without brackets.
func appendTokens(dst []byte, tokens []llm.Token) []byte {
	for i := range tokens {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendToken(dst, &tokens[i]), `,"top_logprobs":[`...)
		for j := range tokens[i].Top {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendToken(dst, &tokens[i].Top[j]), '}')
		}
		dst = append(dst, "]}"...)
	}
	return dst
}

// appendToken appends a token without the closing brace. No dialect reports its bytes, and for a part of a character they
// differ from those of its text.
func appendToken(dst []byte, t *llm.Token) []byte {
	dst = append(append(append(dst, `{"token":`...), t.Text...), `,"logprob":`...)
	return append(append(dst, t.Logprob...), `,"bytes":null`...)
}
