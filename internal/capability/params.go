package capability

import "strings"

// The letters of the column params: what a model refuses.
const (
	noMaxTokens   = 'm' // max_tokens: it must be called max_completion_tokens
	noSampling    = 's' // the parameters of sampling
	whenReasoning = 'n' // the same, unless reasoning_effort is "none"
	whenAsked     = 'u' // the same, if there is a reasoning_effort other than "none"
	noTemperature = 't' // temperature alone
	noPenalties   = 'p' // the penalties and stop
	noStop        = 'x' // stop
	noEffort      = 'r' // reasoning_effort: it does not reason, or not at a requested effort
	noEffortTools = 'f' // reasoning_effort other than "none", with tools; comes before the letters that depend on it
)

// renamed is for models that refuse max_tokens.
var renamed = map[string]string{"max_tokens": "max_completion_tokens"}

var (
	sampling  = []string{"temperature", "top_p", "presence_penalty", "frequency_penalty", "logit_bias", "logprobs", "top_logprobs"}
	penalties = []string{"presence_penalty", "frequency_penalty", "stop"}
)

// Params are the top-level members of an OpenAI chat request that a vendor's model takes only under another name, and those that it
// refuses. They may depend on the requested reasoning effort ("" without one) and on whether the request has tools. What they return
// is not to be changed.
func Params(vendor, model, effort string, tools bool) (rename map[string]string, omit []string) {
	var letters string
	if line := find(vendor, model); line != "" {
		for range 3 {
			_, line, _ = strings.Cut(line, "\t")
		}
		letters, _, _ = strings.Cut(line, "\t")
	} else {
		_, letters = family(vendor, bare(model))
	}
	for _, letter := range letters {
		switch letter {
		case noMaxTokens:
			rename = renamed
		case noSampling:
			omit = append(omit, sampling...)
		case whenReasoning:
			if effort != "none" {
				omit = append(omit, sampling...)
			}
		case whenAsked:
			if effort != "none" && effort != "" {
				omit = append(omit, sampling...)
			}
		case noTemperature:
			omit = append(omit, "temperature")
		case noPenalties:
			omit = append(omit, penalties...)
		case noStop:
			omit = append(omit, "stop")
		case noEffort:
			omit = append(omit, "reasoning_effort")
		case noEffortTools:
			if tools && effort != "none" && effort != "" {
				omit, effort = append(omit, "reasoning_effort"), ""
			}
		}
	}
	return rename, omit
}
