// Package gemini is the dialect of Google's generateContent, as the Gemini API and Vertex AI speak it. It reads and writes
// requests, answers and streams. It is pure: the typed model in, bytes out, and the other way round.
//
// Source of the shapes: the vendor's discovery document of v1beta, its Go SDK, version 1.77.0, and recorded traffic.
package gemini

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/llm"
)

// Encode is the request as a body of generateContent, and what of it had to be left out. The error is about content
// that can neither be carried nor left out. The model, and whether to stream, are not in the body but in the path.
func Encode(r *llm.Request) ([]byte, []string, *llm.Error) {
	return encode(r, r.Takes.Sample("logprobs", false), false)
}

// EncodeVertex is the same for Vertex AI, where some models report log probabilities.
func EncodeVertex(r *llm.Request) ([]byte, []string, *llm.Error) {
	return encode(r, modelOf(r).scores, true)
}

// scores says that the model reports log probabilities if asked, in complete answers only.
func encode(r *llm.Request, scores, vertex bool) ([]byte, []string, *llm.Error) {
	r = r.Interjected()
	scored := scores && !r.Stream && asksLogprobs(r)
	e := encoder{Draft: draft.Of(r, llm.Gemini), Request: r, model: modelOf(r), vertex: vertex, scored: scored, called: map[string]called{}}
	e.contents()
	e.tools()
	e.toolConfig()
	e.config()
	for _, p := range r.Params {
		e.param(p)
	}
	for name, value := range draft.Extras(r, llm.Gemini, "") {
		e.Text(",")
		e.Quote(name)
		e.Text(":")
		e.Raw(value)
	}
	if len(r.User.Inner()) > 0 {
		e.Leave(r.UserName)
	}
	e.Text("}")
	return e.Done()
}

// encoder is the state of one Encode.
type encoder struct {
	draft.Draft
	*llm.Request
	model  model
	vertex bool   // the target is Vertex AI
	scored bool   // the answer will have log probabilities
	sep    string // the separator before the next member of generationConfig

	searching bool // the vendor's search of the web is offered

	called map[string]called // the calls of tools so far, by their ids
	calls  int               // how many they are
}

// called is a call of a tool.
type called struct {
	name  llm.JSON // name of the tool
	place int      // among all calls
}

// set begins a member of generationConfig.
func (e *encoder) set(name string) {
	e.Text(e.sep)
	e.Quote(name)
	e.Text(":")
	e.sep = ","
}

// config writes generationConfig.
func (e *encoder) config() {
	const open = `,"generationConfig":{`
	e.sep = open
	if e.MaxToken > 0 {
		e.set("maxOutputTokens")
		e.Number("", e.MaxToken)
	}
	for _, p := range e.Params {
		e.setting(p)
	}
	e.stop()
	e.format()
	e.thinking()
	for name, value := range draft.Extras(e.Request, llm.Gemini, "generationConfig") {
		e.set(name)
		e.Raw(value)
	}
	if e.sep != open {
		e.Text("}")
	}
}

// settings are the parameters that are members of generationConfig as they are.
var settings = map[string]string{
	"temperature": "temperature", "top_p": "topP", "top_k": "topK", "seed": "seed",
	"presence_penalty": "presencePenalty", "frequency_penalty": "frequencyPenalty",
	"logprobs": "responseLogprobs", "top_logprobs": "logprobs", "n": "candidateCount",
}

// setting writes a parameter that is a member of generationConfig, or notes that it cannot be one.
func (e *encoder) setting(p llm.Param) {
	switch name, known := settings[p.Name]; {
	case !known:
	case p.Name == "n":
		e.candidates(p)
	case !e.takes(p):
		e.Leave(p.Name)
	default:
		e.set(name)
		e.Raw(p.Value)
	}
}

// candidates writes how many answers are wanted. A higher number becomes the maximum, and is reported.
func (e *encoder) candidates(p llm.Param) {
	n, err := strconv.ParseInt(string(p.Value), 10, 32)
	several := e.model.several && !strings.Contains(e.Model, "preview") && err == nil && n > 1
	if !several || n > maxCandidates {
		e.Leave(p.Name)
	}
	if several {
		e.set(settings[p.Name])
		e.Number("", min(n, maxCandidates))
	}
}

// takes reports whether the API takes the value of a setting.
func (e *encoder) takes(p llm.Param) bool {
	n, notInt32 := strconv.ParseInt(string(p.Value), 10, 32)
	switch p.Name {
	case "logprobs":
		return e.scored
	case "top_logprobs":
		return e.scored && notInt32 == nil && n >= 1 && n <= maxTop
	case "seed":
		return notInt32 == nil
	}
	return p.Value.Kind() == '0'
}

// param writes a parameter that is a member of the request, or notes that it has no counterpart.
func (e *encoder) param(p llm.Param) {
	_, written := settings[p.Name]
	tier := tiers[string(p.Value)]
	switch {
	case written:
	case p.Name == "service_tier" && tier != "":
		e.Text(`,"serviceTier":` + tier)
	case p.Name == "safety_settings" && p.Value.Kind() == '[': // the API's own
		e.Text(`,"safetySettings":`)
		e.Raw(p.Value)
	case p.Name == "cached_content" && p.Value.Kind() == '"': // the API's own
		e.Text(`,"cachedContent":`)
		e.Raw(p.Value)
	default:
		e.Leave(p.Name)
	}
}

// maxStops is how many strings may end an answer.
const maxStops = 5

func (e *encoder) stop() {
	stops := slices.DeleteFunc(slices.Clone(e.Stop), func(s llm.JSON) bool { return len(s.Inner()) == 0 })
	if len(stops) > maxStops {
		e.Leave("stop")
		stops = stops[:maxStops]
	}
	for i, s := range stops {
		if i == 0 {
			e.set("stopSequences")
			e.Text("[")
		} else {
			e.Text(",")
		}
		e.Raw(s)
	}
	if len(stops) > 0 {
		e.Text("]")
	}
}

// format writes the form that the answer has to have.
func (e *encoder) format() {
	switch {
	case e.Format.Kind == llm.FormatText:
		return
	case (len(e.Tools) > 0 || e.searching) && !e.model.formsCalls: // refused together
		e.Leave("response_format")
		return
	}
	e.set("responseMimeType")
	e.Text(`"application/json"`)
	switch {
	case e.Format.Kind != llm.FormatSchema:
	case !e.model.schema:
		e.Leave("response_format")
	default:
		e.set("responseJsonSchema")
		e.Schema(&e.Format)
	}
}

// thinking writes how much the model should reason, in the form of its family. It also asks for the thoughts, unless the caller
// said otherwise.
func (e *encoder) thinking() {
	shown := e.Effort != "" && e.Effort != "none"
	sep := "{"
	set := func(name string) {
		if sep == "{" {
			e.set("thinkingConfig")
		}
		e.Text(sep)
		e.Quote(name)
		e.Text(":")
		sep = ","
	}
	switch {
	case e.Effort == "":
	case e.model.think == noThinking:
		if shown {
			e.Leave("reasoning_effort")
		}
		shown = false
	case e.Budget > 0 && e.model.think == byLevel: // these still take a number
		set("thinkingBudget")
		e.Number("", e.Budget)
	case e.model.think == byBudget:
		set("thinkingBudget")
		e.Number("", e.model.budget(e.Effort, e.Budget, e.MaxToken))
	default:
		set("thinkingLevel")
		e.Text(`"` + e.model.level(e.Effort) + `"`)
	}
	for name, value := range draft.Extras(e.Request, llm.Gemini, thinkingName) {
		if name == "includeThoughts" {
			shown = value.Kind() == 't'
			continue
		}
		set(name)
		e.Raw(value)
	}
	if shown {
		set("includeThoughts")
		e.Text("true")
	}
	if sep == "," {
		e.Text("}")
	}
}
