package sim

import "fmt"

// How likely the tokens of an answer were. Vertex AI tells it of answers that are no streams, of models before Gemini 3; the Gemini
// API refuses to.
type (
	geminiScores struct {
		Top    []geminiTop   `json:"topCandidates,omitempty"`
		Chosen []geminiToken `json:"chosenCandidates"`
	}
	geminiTop struct {
		Candidates []geminiToken `json:"candidates"`
	}
	geminiToken struct {
		Token   string  `json:"token"`
		ID      int     `json:"tokenId"`
		Logprob float64 `json:"logProbability"`
	}
)

// checkScores is why the API refuses to tell how likely the tokens were, "" if it does not.
func (r *geminiRequest) checkScores() string {
	config := &r.Config
	switch {
	case config.Top != nil && !config.Scores:
		return "Logprobs can only be set if response_logprobs is true."
	case !config.Scores:
		return ""
	case !r.vertex:
		return "Logprobs is not enabled for this model"
	case r.third():
		return "Unable to submit request because Logprobs is not supported for this model."
	case r.stream:
		return "Unable to submit request because Logprobs is not supported for streaming."
	case config.Top != nil && (*config.Top < 1 || *config.Top > 20):
		return "The number of logprobs must be in the range of [1, 20]."
	}
	return ""
}

// scores are those of a text's tokens: each was likelier than the others in its place, and than the one before it.
func (r *geminiRequest) scores(text string) *geminiScores {
	s := &geminiScores{Chosen: []geminiToken{}}
	for i, token := range split(text) {
		chosen := geminiToken{token, i, -0.5 / float64(i+1)}
		s.Chosen = append(s.Chosen, chosen)
		if r.Config.Top == nil {
			continue
		}
		top := geminiTop{[]geminiToken{chosen}}
		for j := 1; j < *r.Config.Top; j++ {
			top.Candidates = append(top.Candidates, geminiToken{fmt.Sprintf("%s%d", token, j), 1000 + j, -float64(j)})
		}
		s.Top = append(s.Top, top)
	}
	return s
}
