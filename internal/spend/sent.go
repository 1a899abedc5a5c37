package spend

import (
	"math"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// reading is what a body that is sent says about what its call may take. It is read from what is sent, and not from what the caller
// asked for: the config adds and omits members, and codecs write others. What has no name that is known here bounds nothing, so that
// more is held, and not less.
type reading struct {
	dialect llm.Dialect
	most    int64 // tokens that each answer may have, 0 without a bound
	unread  bool  // a bound cannot be read: it may be any
	n, best int64 // answers to each prompt, and those that are written to choose from
	prompts int64 // of a legacy request
	tools   bool
	hosted  bool // the vendor may add to the prompt what is not in the body
	tier    string
	fast    bool // Claude is to answer faster, which has a price as tiers do
}

// fast is the name of that, as the usage of its answers has it.
const fast = "fast"

// severalTiers stands for tiers that differ, under spellings of one name: servers choose among them in their own ways. It has no price.
const severalTiers = "several tiers"

// mostAnswers is how many answers are written in all.
func mostAnswers(prompts, each int64) int64 {
	if each > math.MaxInt32 {
		return math.MaxInt32 // of which none has room
	}
	return min(prompts*each, math.MaxInt32)
}

// member reads a member at the top, whose name is in lower case, and which is not null. Of several spellings of one name the server
// may take any: the largest counts.
func (r *reading) member(name string, value llm.JSON) {
	r.hosted = r.hosted || adds(name, value)
	switch name {
	case "n":
		r.n = max(r.n, several(value))
	case "best_of":
		r.best = max(r.best, several(value))
	case "prompt":
		r.prompts = max(r.prompts, prompts(value))
	case "service_tier", "servicetier":
		r.choose(tierOf(value))
	case "speed":
		r.fast = r.fast || r.dialect == llm.Anthropic && value.Text() == fast
	case "tools", "toolconfig", "tool_config", "functions", "response_format", "output_format", "output_config", "text":
		r.tools = true
	case "generationconfig", "generation_config", "inferenceconfig", "additionalmodelrequestfields":
		for name, value := range jsonwalk.Members(value) {
			r.setting(strings.ToLower(string(name)), value)
		}
	default:
		r.bound(name, value)
	}
}

// choose reads the service tier that is asked for.
func (r *reading) choose(tier string) {
	if r.tier != "" && r.tier != tier {
		tier = severalTiers
	}
	r.tier = tier
}

// setting reads a member of an object of settings, which Gemini and Converse have.
func (r *reading) setting(name string, value llm.JSON) {
	switch name {
	case "candidatecount", "candidate_count":
		r.n = max(r.n, several(value))
	case "responseschema", "response_schema", "responsejsonschema", "response_json_schema":
		r.tools = true
	default:
		r.bound(name, value)
	}
}

// bound reads the bound on an answer. Of several, which no API documents, the largest counts, and one that cannot be read is none at all.
func (r *reading) bound(name string, value llm.JSON) {
	if !bounds(r.dialect, name) || string(value) == "null" {
		return
	}
	n, ok := number(value)
	r.most, r.unread = max(r.most, n), r.unread || !ok
}

// bounds reports whether a member bounds how many tokens an answer has. Servers ignore what is another dialect's name for that.
func bounds(d llm.Dialect, name string) bool {
	switch d {
	case llm.OpenAI:
		return name == "max_tokens" || name == "max_completion_tokens"
	case llm.Responses:
		return name == "max_output_tokens"
	case llm.Gemini, llm.Vertex:
		return name == "maxoutputtokens" || name == "max_output_tokens"
	case llm.Converse:
		return name == "maxtokens" || name == "max_tokens"
	default:
		return name == "max_tokens"
	}
}

// longestNumber is how many bytes a text may have that is read as a number. An outline has texts as short as that to their ends.
const longestNumber = 64

// number is a number as servers may read it: whole, with a fraction, or in a text.
func number(value llm.JSON) (n int64, ok bool) {
	text := string(value)
	if value.Kind() == '"' {
		if len(value) > longestNumber {
			return 0, false
		}
		text = value.Text()
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != f {
		return 0, false
	}
	return int64(min(max(math.Ceil(f), 0), math.MaxInt32)), true
}

// several is how many answers are asked for. What cannot be read may be any number.
func several(value llm.JSON) int64 {
	if n, ok := number(value); ok {
		return n
	}
	return math.MaxInt32
}

// prompts is how many prompts a legacy request has: one, or a list of texts or of lists of tokens.
func prompts(value llm.JSON) (n int64) {
	for _, prompt := range jsonwalk.Elements(value) {
		if llm.JSON(prompt).Kind() == '0' {
			return 1 // one, as its tokens
		}
		n++
	}
	return max(n, 1)
}

// tierOf is the service tier that is asked for.
func tierOf(value llm.JSON) string {
	if value.Kind() == '{' { // Converse's
		for name, of := range jsonwalk.Members(value) {
			if string(name) == "type" {
				return llm.JSON(of).Text()
			}
		}
		return ""
	}
	return value.Text()
}
