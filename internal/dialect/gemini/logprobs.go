package gemini

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// maxTop is the largest number of alternatives for each token of an answer.
const maxTop = 20

// asksLogprobs reports whether a request asks how likely the tokens of its answer are.
func asksLogprobs(r *llm.Request) bool {
	return slices.ContainsFunc(r.Params, func(p llm.Param) bool { return p.Name == "logprobs" && string(p.Value) == "true" })
}

// score sends the log probabilities of a piece's tokens. The two lists have an element for each of them.
func (st *Stream) score(result llm.JSON) {
	var chosen, top llm.JSON
	for name, v := range jsonwalk.Members(result) {
		switch string(name) {
		case "chosenCandidates":
			chosen = v
		case "topCandidates":
			top = v
		}
	}
	tokens, steps := readTokens(chosen)
	next := 0
	for i, step := range jsonwalk.Elements(top) {
		if next == len(tokens) {
			break
		}
		if i == steps[next] {
			tokens[next].Top = readTop(step)
			next++
		}
	}
	if len(tokens) > 0 {
		st.event(llm.Event{Kind: llm.Scored, Tokens: tokens})
	}
}

// readTokens reads a list of tokens; steps are their places in it. A token without text or number is left out.
func readTokens(list llm.JSON) (tokens []llm.Token, steps []int) {
	for i, v := range jsonwalk.Elements(list) {
		if t := readToken(v); t.Text != nil && t.Logprob != nil {
			tokens, steps = append(tokens, t), append(steps, i)
		}
	}
	return tokens, steps
}

// readTop reads the likeliest tokens of a step.
func readTop(step llm.JSON) (tokens []llm.Token) {
	for name, v := range jsonwalk.Members(step) {
		if string(name) == "candidates" {
			tokens, _ = readTokens(v)
		}
	}
	return tokens
}

func readToken(value llm.JSON) (t llm.Token) {
	for name, v := range jsonwalk.Members(value) {
		v := llm.JSON(v)
		switch string(name) {
		case "token":
			t.Text = str(v)
		case "tokenId":
			if v.Kind() == '0' {
				t.ID = v
			}
		case "logProbability":
			switch {
			case v.Kind() == '0':
				t.Logprob = v
			case string(v) == `"-Infinity"`:
				t.Logprob = llm.JSON("-9999.0") // OpenAI's number for it
			}
		}
	}
	return t
}

// scores are how likely tokens were, as they are written.
type scores struct {
	chosen, top []byte // lists without brackets
	ranked      bool   // some token has alternatives
}

func (s *scores) add(tokens []llm.Token) {
	for i := range tokens {
		if len(s.chosen) > 0 {
			s.chosen, s.top = append(s.chosen, ','), append(s.top, ',')
		}
		s.chosen = appendToken(s.chosen, &tokens[i])
		sep := `{"candidates":[`
		for j := range tokens[i].Top {
			s.top = appendToken(append(s.top, sep...), &tokens[i].Top[j])
			sep, s.ranked = ",", true
		}
		if sep != "," {
			s.top = append(s.top, sep...)
		}
		s.top = append(s.top, "]}"...)
	}
}

// append appends them as a member after others, or nothing.
func (s *scores) append(dst []byte) []byte {
	if len(s.chosen) == 0 {
		return dst
	}
	dst = append(dst, `,"logprobsResult":{`...)
	if s.ranked {
		dst = append(append(append(dst, `"topCandidates":[`...), s.top...), "],"...)
	}
	return append(append(append(dst, `"chosenCandidates":[`...), s.chosen...), "]}"...)
}

func appendToken(dst []byte, t *llm.Token) []byte {
	dst = append(append(dst, `{"token":`...), t.Text...)
	if t.ID != nil {
		dst = append(append(dst, `,"tokenId":`...), t.ID...)
	}
	return append(append(append(dst, `,"logProbability":`...), t.Logprob...), '}')
}
