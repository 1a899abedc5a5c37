package dialect

import "github.com/weirproxy/weir/internal/llm"

// AppendTokens appends tokens with their log probabilities as OpenAI's APIs list them, without brackets. No dialect reports the bytes of a token, and for a
// part of a character they differ from those of its text: bytes is what the API has where they are unknown.
func AppendTokens(dst []byte, tokens []llm.Token, bytes string) []byte {
	for i := range tokens {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendToken(dst, &tokens[i], bytes), `,"top_logprobs":[`...)
		for j := range tokens[i].Top {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendToken(dst, &tokens[i].Top[j], bytes), '}')
		}
		dst = append(dst, "]}"...)
	}
	return dst
}

// appendToken appends a token without the closing brace.
func appendToken(dst []byte, t *llm.Token, bytes string) []byte {
	dst = append(append(append(dst, `{"token":`...), t.Text...), `,"logprob":`...)
	return append(append(append(dst, t.Logprob...), `,"bytes":`...), bytes...)
}
