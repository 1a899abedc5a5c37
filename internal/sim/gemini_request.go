package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	google "github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/llm"
)

// geminiRequest is a call of generateContent.
type geminiRequest struct {
	*llm.Request
	vertex bool // asked of Vertex AI
}

// third reports whether the model is of Gemini 3 or later, which signs its calls and wants them back so.
func (r *geminiRequest) third() bool {
	return !strings.HasPrefix(r.Model, "gemini-2") && !strings.HasPrefix(r.Model, "gemini-1")
}

// param is a parameter, nil if it was not sent.
func (r *geminiRequest) param(name string) llm.JSON {
	for _, p := range r.Params {
		if p.Name == name {
			return p.Value
		}
	}
	return nil
}

// number is a parameter that is one; unless it was sent it is what holds then.
func (r *geminiRequest) number(name string, unsent float64) float64 {
	n, err := strconv.ParseFloat(string(r.param(name)), 64)
	if err != nil {
		return unsent
	}
	return n
}

// candidates is how many answers are asked for.
func (r *geminiRequest) candidates() int { return int(r.number("n", 1)) }

// levelled reports whether the request sets the amount of thinking in a word.
func (r *geminiRequest) levelled() bool { return r.Effort != "" && r.Effort != "none" && r.Budget == 0 }

const includeThoughts = "generationConfig.thinkingConfig.includeThoughts"

// shown reports whether thoughts are asked for.
func (r *geminiRequest) shown() bool {
	for _, x := range r.Extras {
		if x.Name == includeThoughts {
			return x.Value.Kind() == 't'
		}
	}
	return r.Effort != "" && r.Effort != "none"
}

// signCall is the signature of a call, which the model recognises, however its arguments are spelled: SDKs write them again.
func signCall(id, name, args string) string {
	var value any
	if json.Unmarshal([]byte(args), &value) == nil {
		if plain, err := json.Marshal(value); err == nil {
			args = string(plain)
		}
	}
	return sign(id + name + args)
}

// unsignedCall is what the documentation says to send in place of a missing signature, in base64.
const unsignedCall = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="

// check is why the API refuses the request, "" if it does not.
func (r *geminiRequest) check() string {
	warmth, seed, top := r.number("temperature", 1), r.number("seed", 0), r.number("top_k", 0)
	switch {
	case len(r.Messages) == 0:
		return "* GenerateContentRequest.contents: contents is not specified"
	case warmth < 0 || warmth > 2:
		return "temperature must be in the range [0.0, 2.0]."
	case seed != float64(int32(seed)):
		return "Invalid value at 'generation_config.seed' (TYPE_INT32)"
	case top != float64(int32(top)):
		return "Invalid value at 'generation_config.top_k' (TYPE_INT32)"
	case len(r.Stop) > 5:
		return "The number of stop sequences must be at most 5."
	case r.candidates() < 1 || r.candidates() > 8:
		return "The candidate count must be in the range of [1, 8]."
	case r.candidates() > 1 && (r.third() || strings.Contains(r.Model, "preview")):
		return "Multiple candidates is not enabled for this model"
	case r.levelled() && !r.third():
		return "Thinking level is not supported for this model."
	case r.Format.Kind != llm.FormatText && len(r.Tools) > 0 && !r.third():
		return "Function calling with a response mime type: 'application/json' is unsupported"
	}
	if wrong := r.checkUnknown(); wrong != "" {
		return wrong
	}
	for i := range r.Messages {
		if wrong := r.checkContent(i); wrong != "" {
			return wrong
		}
	}
	return r.checkScores()
}

// googleTools are the tools that only the API has. The simulated model does not use them.
var googleTools = []string{"codeExecution", "computerUse", "fileSearch", "googleMaps", "googleSearch", "googleSearchRetrieval", "urlContext"}

// googleExtras are members that change nothing of a simulated answer.
var googleExtras = []string{
	"generationConfig.mediaResolution", "generationConfig.responseModalities", "generationConfig.speechConfig", "generationConfig.imageConfig", "labels", "store",
	"toolConfig.retrievalConfig", "toolConfig.includeServerSideToolInvocations",
}

// checkUnknown is what the dialect lets pass as something that the API may know, and that this one does not.
func (r *geminiRequest) checkUnknown() string {
	for _, x := range r.Extras {
		switch x.Name {
		case includeThoughts, "generationConfig.thinkingConfig.thinkingBudget":
		case "serviceTier":
			if x.Value.Kind() != '"' {
				return "Invalid value at 'service_tier'"
			}
		case "generationConfig.responseJsonSchema":
			return "A response schema needs the response mime type application/json"
		default:
			if slices.Contains(googleExtras, x.Name) {
				continue
			}
			return fmt.Sprintf("Invalid JSON payload received. unknown field %q", x.Name)
		}
	}
	for i := range r.Tools {
		if raw := r.Tools[i].Raw; raw != nil && r.Tools[i].Name == nil && !isBuiltIn(raw, "", googleTools) {
			return fmt.Sprintf("Invalid JSON payload received. unknown field in %s", r.Tools[i].Raw)
		}
	}
	if raw := nativeOf(r.Request); raw != "" {
		return "Invalid JSON payload received. unknown field in " + raw
	}
	return ""
}

func (r *geminiRequest) checkContent(i int) string {
	called, results := geminiCalls(r.Messages, i-1), 0
	for _, p := range r.Messages[i].Parts {
		if r.vertex && (p.Kind == llm.ToolCall || p.Kind == llm.Result) && google.NamedCall(p.ID) {
			return fmt.Sprintf("Invalid JSON payload received. Unknown name \"id\" in contents[%d]: Cannot find field.", i)
		}
		if p.Kind != llm.Result {
			continue
		}
		results++
		if !slices.ContainsFunc(called, func(c llm.Part) bool { return c.ID == p.ID && c.Name.Text() == p.Name.Text() }) {
			return "Please ensure that function response turn comes immediately after a function call turn."
		}
	}
	calls := geminiCalls(r.Messages, i)
	if i > 0 && results != len(called) || i == len(r.Messages)-1 && len(calls) > 0 {
		return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
	}
	return r.checkSignatures(calls)
}

// geminiCalls are the tool calls in a turn; before the first turn it returns none.
func geminiCalls(turns []llm.Message, i int) []llm.Part {
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(turns[i].Parts), func(p llm.Part) bool { return p.Kind != llm.ToolCall })
}

// standard turns the alphabet of base64 for URLs into the usual one.
var standard = strings.NewReplacer("-", "+", "_", "/")

func (r *geminiRequest) checkSignatures(calls []llm.Part) string {
	for i, p := range calls {
		name, args := p.Name.Text(), string(p.Args)
		switch signature := p.Opaque.Text(); signature {
		case unsignedCall:
		case "":
			if i == 0 && r.third() {
				return fmt.Sprintf("Function call is missing a thought_signature in functionCall parts. Function call `%s`.", name)
			}
		default:
			// What had no id of its own has Weir's. The API takes both alphabets of base64, of which its SDK for Python writes the other one.
			if signature = standard.Replace(signature); signature != signCall(p.ID, name, args) && signature != signCall("", name, args) {
				return "Corrupted thought signature."
			}
		}
	}
	return ""
}
