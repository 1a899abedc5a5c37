package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// geminiRequest is a call of generateContent. What is not here the API does not know, and refuses.
type geminiRequest struct {
	model          string
	vertex, stream bool // asked of Vertex AI, as a stream

	Contents    []geminiContent `json:"contents"`
	System      *geminiContent  `json:"systemInstruction"`
	Config      geminiConfig    `json:"generationConfig"`
	Tools       []geminiTools   `json:"tools"`
	ToolConfig  geminiChoice    `json:"toolConfig"`
	Safety      json.RawMessage `json:"safetySettings"`
	Cached      string          `json:"cachedContent"`
	ServiceTier string          `json:"serviceTier"`
}

type (
	geminiContent struct {
		Role  string       `json:"role,omitempty"`
		Parts []geminiPart `json:"parts"`
	}
	geminiPart struct {
		Text      *string         `json:"text,omitempty"`
		Thought   bool            `json:"thought,omitempty"`
		Inline    json.RawMessage `json:"inlineData,omitempty"`
		File      json.RawMessage `json:"fileData,omitempty"`
		Call      *geminiCall     `json:"functionCall,omitempty"`
		Response  *geminiResponse `json:"functionResponse,omitempty"`
		Signature string          `json:"thoughtSignature,omitempty"`
	}
	geminiCall struct {
		ID   string          `json:"id,omitempty"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	}
	geminiResponse struct {
		ID       string          `json:"id"`
		Name     string          `json:"name"`
		Response json.RawMessage `json:"response"`
		Parts    json.RawMessage `json:"parts"`
	}
	geminiConfig struct {
		Max         int             `json:"maxOutputTokens"`
		Temperature *float64        `json:"temperature"`
		TopP        *float64        `json:"topP"`
		TopK        *int            `json:"topK"`
		Seed        *int32          `json:"seed"`
		Presence    *float64        `json:"presencePenalty"`
		Frequency   *float64        `json:"frequencyPenalty"`
		Stop        []string        `json:"stopSequences"`
		Candidates  *int            `json:"candidateCount"`
		MimeType    string          `json:"responseMimeType"`
		Schema      json.RawMessage `json:"responseJsonSchema"`
		Thinking    geminiThinking  `json:"thinkingConfig"`
		Scores      bool            `json:"responseLogprobs"`
		Top         *int            `json:"logprobs"`
	}
	geminiThinking struct {
		Include bool   `json:"includeThoughts"`
		Budget  *int   `json:"thinkingBudget"`
		Level   string `json:"thinkingLevel"`
	}
	geminiTools struct {
		Functions []geminiFunction `json:"functionDeclarations"`
	}
	geminiFunction struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"parametersJsonSchema"`
	}
	geminiChoice struct {
		Calling struct {
			Mode    string   `json:"mode"`
			Allowed []string `json:"allowedFunctionNames"`
		} `json:"functionCallingConfig"`
	}
)

// third reports whether the model is of Gemini 3 or later, which signs its calls and wants them back so.
func (r *geminiRequest) third() bool {
	return !strings.HasPrefix(r.model, "gemini-2") && !strings.HasPrefix(r.model, "gemini-1")
}

// candidates is how many answers are asked for.
func (r *geminiRequest) candidates() int {
	if r.Config.Candidates == nil {
		return 1
	}
	return *r.Config.Candidates
}

// said is what a part says.
func (p *geminiPart) said() string {
	switch {
	case p.Text != nil:
		return *p.Text
	case p.Call != nil:
		return string(p.Call.Args)
	case p.Response != nil:
		return string(p.Response.Response)
	}
	return ""
}

func (t *geminiContent) text() string {
	var text string
	for i := range t.Parts {
		text += t.Parts[i].said()
	}
	return text
}

// signCall is the signature of a call, by which it is known again.
func signCall(f *geminiCall) string { return sign(f.ID + f.Name + string(f.Args)) }

// unsignedCall is what the documentation says to send in place of a signature that there is none of, in base64.
const unsignedCall = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="

// toolsToCall are the named tool or the first, until it has answered; two calls if the user's text speaks of parallel ones.
func (r *geminiRequest) toolsToCall(last geminiContent) []geminiFunction {
	calling := r.ToolConfig.Calling
	if len(r.Tools) == 0 || calling.Mode == "NONE" || last.Parts[0].Response != nil {
		return nil
	}
	all := r.Tools[0].Functions
	first, second := all[0], all[min(1, len(all)-1)]
	for _, f := range all {
		if slices.Contains(calling.Allowed, f.Name) {
			first, second = f, f
		}
	}
	if strings.Contains(strings.ToLower(last.text()), "parallel") {
		return []geminiFunction{first, second}
	}
	return []geminiFunction{first}
}

// check is why the API refuses the request, "" if it does not.
func (r *geminiRequest) check() string {
	config, mode := &r.Config, r.ToolConfig.Calling.Mode
	switch {
	case len(r.Contents) == 0:
		return "* GenerateContentRequest.contents: contents is not specified"
	case config.Temperature != nil && (*config.Temperature < 0 || *config.Temperature > 2):
		return "temperature must be in the range [0.0, 2.0]."
	case len(config.Stop) > 5:
		return "The number of stop sequences must be at most 5."
	case r.candidates() < 1 || r.candidates() > 8:
		return "The candidate count must be in the range of [1, 8]."
	case r.candidates() > 1 && (r.third() || strings.Contains(r.model, "preview")):
		return "Multiple candidates is not enabled for this model"
	case config.Thinking.Level != "" && config.Thinking.Budget != nil:
		return "You can only set only one of thinking budget and thinking level."
	case config.Thinking.Level != "" && !r.third():
		return "Thinking level is not supported for this model."
	case config.MimeType != "" && len(r.Tools) > 0 && !r.third():
		return "Function calling with a response mime type: 'application/json' is unsupported"
	case config.Schema != nil && config.MimeType != "application/json":
		return "A response schema needs the response mime type application/json"
	case mode != "" && !slices.Contains([]string{"AUTO", "ANY", "NONE", "VALIDATED"}, mode):
		return fmt.Sprintf("Invalid value at 'tool_config.function_calling_config.mode': %q", mode)
	case len(r.ToolConfig.Calling.Allowed) > 0 && mode != "ANY" && mode != "VALIDATED":
		return "Allowed function names need the mode ANY or VALIDATED."
	}
	for i := range r.Contents {
		if wrong := r.checkContent(i); wrong != "" {
			return wrong
		}
	}
	return r.checkScores()
}

func (r *geminiRequest) checkContent(i int) string {
	content := &r.Contents[i]
	if content.Role != "user" && content.Role != "model" {
		return "Please use a valid role: user, model."
	}
	if len(content.Parts) == 0 {
		return fmt.Sprintf("* GenerateContentRequest.contents[%d].parts: contents.parts must not be empty.", i)
	}
	calls, results := content.calls(), 0
	for j := range content.Parts {
		p := &content.Parts[j]
		switch {
		case p.Text != nil && *p.Text == "" && p.Signature == "" || p.Text == nil && p.Call == nil && p.Response == nil && p.Inline == nil && p.File == nil:
			return fmt.Sprintf("* GenerateContentRequest.contents[%d].parts[%d].data: required oneof field 'data' must have one initialized field", i, j)
		case p.Response != nil:
			results++
			if i == 0 || !slices.ContainsFunc(r.Contents[i-1].calls(), p.Response.answers) {
				return "Please ensure that function response turn comes immediately after a function call turn."
			}
		}
	}
	if i > 0 && results != len(r.Contents[i-1].calls()) || i == len(r.Contents)-1 && len(calls) > 0 {
		return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
	}
	return r.checkSignatures(content)
}

// calls are the calls of tools in a turn, with their signatures.
func (t *geminiContent) calls() []geminiPart {
	return slices.DeleteFunc(slices.Clone(t.Parts), func(p geminiPart) bool { return p.Call == nil })
}

// answers reports whether this is the result of the call.
func (f *geminiResponse) answers(p geminiPart) bool {
	return f.Name == p.Call.Name && f.ID == p.Call.ID && strings.HasPrefix(string(f.Response), "{")
}

func (r *geminiRequest) checkSignatures(content *geminiContent) string {
	for i, p := range content.calls() {
		switch p.Signature {
		case unsignedCall:
		case "":
			if i == 0 && r.third() {
				return fmt.Sprintf("Function call is missing a thought_signature in functionCall parts. Function call `%s`.", p.Call.Name)
			}
		default:
			unnamed := *p.Call // what had no id of its own has Weir's
			if unnamed.ID = ""; p.Signature != signCall(p.Call) && p.Signature != signCall(&unnamed) {
				return "Corrupted thought signature."
			}
		}
	}
	return ""
}
