package llm

import (
	"slices"
	"strings"
)

// Dialect is a wire format.
type Dialect uint8

// The dialects.
const (
	OpenAI    Dialect = iota
	Anthropic         // Messages
	Gemini            // generateContent
	Converse          // Bedrock's
	Cohere            // version 2
	Vertex            // Gemini's on Vertex AI: chats are nearly the same, embeddings are asked for otherwise
	Responses         // OpenAI's
)

// Request is a chat request in no particular dialect: the form between the caller's dialect and a target's different
// one. Its values alias the bytes that it was decoded from.
type Request struct {
	Model    string // the target's name of the model
	Account  string // who is asked, by a name of the config; "" if that is not known
	Hosted   string // the version of the dialect's API, where the body has it in place of the model; "" elsewhere
	Takes    *Takes // what the config says of the model, nil if nothing
	MaxOut   int64  // the most that the model can answer with, in tokens; 0 if that is not known
	Stream   bool
	System   []Part // system and developer messages, in their order
	Messages []Message

	Tools    []Tool
	Search   *Search // nil without a search of the web
	Choice   Choice
	Serial   bool     // no more than one tool call at a time
	Format   Format   // format of the answer
	Effort   string   // reasoning effort, "" if not asked for: none, minimal, low, medium, high, xhigh, max
	Summary  JSON     // how detailed a summary of the reasoning to show, a string as OpenAI has it; nil if none was asked for
	Budget   int64    // tokens to reason with, where the caller gave a number besides the word in Effort; 0 if not
	MaxToken int64    // what the answer may take, reasoning included; 0 if not said
	Graded   bool     // Effort is the nearest word to what the caller's dialect has, so that it may become another that the target knows
	Bounded  bool     // the caller's dialect requires MaxToken, so that it may be far above what any model answers with
	Stop     []JSON   // strings that end the answer
	User     JSON     // the end user of the request, a string
	UserName string   // the parameter that says so
	Params   []Param  // everything else, in the order of the request
	Extras   []Extra  // what only one dialect knows, in the order of the request
	Left     []string // what the decoder had to leave out, by its path in the request
}

// Extra is a member of a request that only one dialect knows: its encoder writes it, all others leave it out. One that is null says
// nothing, so nothing is lost by leaving it out.
type Extra struct {
	Of    Dialect
	Name  string // where members nest, with the names around it: generationConfig.mediaResolution
	Value JSON

	Summarizes bool // Request.Summary says it as well
}

// Param is a parameter that a dialect takes as it is, or leaves out. Parameters that say what is the default
// anyway are not among them.
type Param struct {
	Name  string // OpenAI's
	Value JSON
}

// Added are top-level members of OpenAI's convention that a target adds to every request.
type Added struct {
	Default []Param // where the caller says nothing, or null
	Set     []Param // whatever the caller says
}

// convention are the parameters that OpenAI's chats and completions have, by its reference of November 2026. Sorted.
var convention = []string{
	"audio", "best_of", "cache_control", "echo", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens", "max_tokens",
	"messages", "metadata", "modalities", "model", "moderation", "n", "parallel_tool_calls", "prediction", "presence_penalty", "prompt", "prompt_cache_key",
	"prompt_cache_options", "prompt_cache_retention", "reasoning_effort", "response_format", "safety_identifier", "seed", "service_tier", "stop", "store", "stream",
	"stream_options", "suffix", "temperature", "tool_choice", "tools", "top_k", "top_logprobs", "top_p", "user", "verbosity", "web_search_options",
}

// IsConvention reports whether a parameter has its meaning from OpenAI's API, or from what most servers add to that.
func IsConvention(name string) bool {
	_, known := slices.BinarySearch(convention, strings.ToLower(name))
	return known
}

// SameParam reports whether two names mean one parameter. OpenAI has two for the bound on an answer, and refuses both side by side.
func SameParam(a, b string) bool { return strings.EqualFold(a, b) || isBound(a) && isBound(b) }

func isBound(name string) bool {
	return strings.EqualFold(name, "max_tokens") || strings.EqualFold(name, "max_completion_tokens")
}

// Empty reports whether it adds nothing.
func (e *Added) Empty() bool { return len(e.Default) == 0 && len(e.Set) == 0 }

// Has reports whether a member of the name is among them.
func (e *Added) Has(name string) bool {
	same := func(p Param) bool { return SameParam(p.Name, name) }
	return slices.ContainsFunc(e.Set, same) || slices.ContainsFunc(e.Default, same)
}

// Len is about how many bytes they add to a body.
func (e *Added) Len() (n int) {
	for _, list := range [...][]Param{e.Default, e.Set} {
		for _, p := range list {
			n += len(p.Name) + len(p.Value) + len(`,"":`)
		}
	}
	return n
}

// ThinkingBudget is how many tokens an effort means for a model that takes a number.
func ThinkingBudget(effort string) int64 {
	switch effort {
	case "minimal":
		return 1024
	case "low":
		return 2048
	case "medium":
		return 10000
	case "high":
		return 16384
	default:
		return 32768
	}
}

// Role is who speaks.
type Role uint8

// The roles. What a tool said is a Result part of the user's.
const (
	User Role = iota
	Assistant
	System // between two turns; what it says before the first is Request.System
)

// EffortOf is the least effort that means at least so many tokens: the word for a caller's number.
func EffortOf(budget int64) string {
	for _, effort := range [...]string{"minimal", "low", "medium", "high"} {
		if budget <= ThinkingBudget(effort) {
			return effort
		}
	}
	return "xhigh"
}

// Message is one turn, or a part of one: several in a row may have the same role.
type Message struct {
	Role  Role
	At    int // its place in the caller's list
	Parts []Part
}

// PartKind says what a part is.
type PartKind uint8

// The kinds of parts.
const (
	Text      PartKind = iota
	Image              // Data or URL
	File               // Data or URL
	ToolCall           // ID, Name, Args
	Result             // ID, Parts
	Reasoning          // Text and Opaque
	Redacted           // reasoning that only its model can read: Opaque
	Native             // what only one dialect knows: Raw, Of
)

// Part is a piece of a message.
type Part struct {
	Kind   PartKind
	Text   JSON   // a string
	URL    JSON   // of an image or a file: a string
	Detail JSON   // how closely an image is to be looked at, a string; nil if that is left to the model
	Media  string // the media type of Data, or of what is at URL if known
	Data   []byte // in base64
	ID     string // id of a tool call, or of the call that this is the result of
	Name   JSON   // name of a tool or a file, a string. For Reasoning and Native parts: the member of Cohere's message, nil for a piece of the content. For a result: its tool, if the dialect names it
	Args   JSON   // an object
	Parts  []Part // parts of a result: texts, images and files
	Opaque JSON   // a string by which the model recognises its reasoning: Maker's of Reasoning and Redacted, Gemini's of Text and ToolCall
	Maker  string // the model that made Reasoning or Redacted, which no other can read; "" for Anthropic
	Cache  JSON   // where a prompt cache may end: an object, as Anthropic spells it
	Failed bool   // for a result: the tool failed

	// Raw is a Native part as its dialect spells it, whole; it is as much to no other.
	Raw JSON
	Of  Dialect
}

// Thought reports whether a part is reasoning.
func (p *Part) Thought() bool { return p.Kind == Reasoning || p.Kind == Redacted }

// UnsaidMaker is the Maker of reasoning that a caller sends back as a text alone, so that its origin is not known.
const UnsaidMaker = "?"

// Unsigned reports whether a part is such reasoning. Models that sign theirs cannot be sent it; to leave it out loses nothing that they could
// read.
func (p *Part) Unsigned() bool { return p.Kind == Reasoning && p.Maker == UnsaidMaker }

// strangeMaker is the Maker of reasoning that no model at hand can read.
const strangeMaker = "??"

// Estrange takes the reasoning of earlier turns that only its maker can read from the model that is asked, so that its codec leaves it out. What
// signs calls and texts goes, too.
func (r *Request) Estrange() {
	for i := range r.Messages {
		for j := range r.Messages[i].Parts {
			switch p := &r.Messages[i].Parts[j]; {
			case p.Opaque == nil:
			case p.Thought():
				p.Maker = strangeMaker
			default:
				p.Opaque = nil
			}
		}
	}
}

// Tool is a function that the model may call, or a vendor's own.
type Tool struct {
	Name, Description JSON // strings
	Schema            JSON // schema of its parameters, an object; nil without one
	Strict            bool
	Custom            bool // a custom tool: its one parameter is a text
	Grammar           *Grammar
	Cache             JSON // as in Part

	// Raw is a tool as only one dialect has it: a search of its vendor's, which has nothing else, or a function that says more than the members above,
	// which other dialects are sent.
	Raw  JSON
	Of   Dialect
	Path string // where the caller has what only Raw says, "" if that is not known
}

// Grammar is what the text of a custom tool has to follow; nil for any text. The tool's Description has it in words, for models that are not
// held to it.
type Grammar struct {
	Syntax, Definition JSON   // strings
	Description        JSON   // the tool's without it
	Param              string // what is announced where the model is not held to it, "" for nothing
}

// CustomTools lists the names of the custom tools, which take one text.
func (r *Request) CustomTools() (names []string) {
	for i := range r.Tools {
		if r.Tools[i].Custom {
			names = append(names, r.Tools[i].Name.Text())
		}
	}
	return names
}

// Called are the tools that were called earlier in the conversation, by their names alone.
func (r *Request) Called() (tools []Tool) {
	known := map[string]bool{}
	for i := range r.Messages {
		for j := range r.Messages[i].Parts {
			if p := &r.Messages[i].Parts[j]; p.Kind == ToolCall && !known[string(p.Name)] {
				known[string(p.Name)] = true
				tools = append(tools, Tool{Name: p.Name})
			}
		}
	}
	return tools
}

// ChoiceKind says how free the model is to call tools.
type ChoiceKind uint8

// The choices.
const (
	ChoiceUnset ChoiceKind = iota
	ChoiceAuto
	ChoiceNone
	ChoiceAny
	ChoiceTool // the one named
)

// Choice is a tool choice.
type Choice struct {
	Kind ChoiceKind
	Name JSON // a string
}

// FormTool is the tool that makes a model give its answer a form, if it has no other way. The arguments of its call are the
// answer.
const FormTool = "weir_answer"

// FormatKind is the form that an answer has to have.
type FormatKind uint8

// The forms.
const (
	FormatText FormatKind = iota
	FormatJSON
	FormatSchema
)

// Format is the form that an answer has to have.
type Format struct {
	Kind        FormatKind
	Name        JSON // name of the schema, a string
	Description JSON // description of the schema, a string, where a dialect has one
	Schema      JSON // spelled as the caller did: the order of its members is that of the answer
	Strict      bool
}
