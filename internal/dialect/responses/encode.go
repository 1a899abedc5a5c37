package responses

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/llm"
)

// Encode returns the request as the body of POST /v1/responses, and the names of what it had to leave out, as OpenAI's chats have them. The
// error is about content that can neither be carried nor left out. Nothing is stored: what brings reasoning back is in the answer.
func Encode(r *llm.Request) ([]byte, []string, *llm.Error) {
	r = r.Settled()
	e := encoder{Request: r, Draft: draft.Of(r, llm.Responses), model: madeBy(r.Model), maker: Maker(r.Model, r.Account), custom: r.CustomTools(), customCalls: map[string]bool{}}
	e.Text(`{"model":`)
	e.Quote(r.Model)
	if r.Stream {
		e.Text(`,"stream":true`)
	}
	e.input()
	e.tools()
	e.choice()
	if r.Serial {
		e.Text(`,"parallel_tool_calls":false`)
	}
	e.bound()
	e.reasoning()
	e.text()
	e.params()
	e.include()
	if len(r.Stop) > 0 {
		e.Leave("stop")
	}
	for name, value := range draft.Extras(r, llm.Responses, "") {
		e.member(name, value)
	}
	e.Text(`,"store":false}`)
	return e.Done()
}

// encoder is the state of one Encode.
type encoder struct {
	*llm.Request
	draft.Draft
	model       made
	maker       string          // as Maker names it
	custom      []string        // the names of the tools that take a text
	customCalls map[string]bool // the ids of their calls
	items       int             // written
	verbosity   llm.JSON
	scores      bool // log probabilities are asked for
	searching   bool // the vendor's search of the web is offered
}

// member writes a top-level member.
func (e *encoder) member(name string, value llm.JSON) {
	e.Text(",")
	e.Quote(name)
	e.Text(":")
	e.Raw(value)
}

// uncached notes that the API has no marks for where a prompt cache may end.
func (e *encoder) uncached(mark llm.JSON) {
	if mark != nil {
		e.Leave("cache_control")
	}
}

func (e *encoder) tools() {
	sep := `,"tools":[`
	for i := range e.Tools {
		e.Text(sep)
		e.tool(&e.Tools[i])
		sep = ","
	}
	if e.searching = e.Searching(e.Request, llm.Responses, e.model.searches()); e.searching {
		e.Text(sep)
		sep = ","
		e.search(e.Search)
	}
	if sep == "," {
		e.Text("]")
	}
}

// search writes the search of the web.
func (e *encoder) search(s *llm.Search) {
	e.Text(`{"type":"web_search"`)
	if s.Domains != nil {
		e.Text(`,"filters":{"allowed_domains":`)
		e.Raw(s.Domains)
		e.Text("}")
	}
	if s.Blocked != nil {
		e.Leave(s.Path + ".blocked_domains")
	}
	if s.Place != nil {
		e.Text(`,"user_location":`)
		e.Raw(s.Place)
	}
	e.Text("}")
}

// tool writes a tool. A function without strict counts as strict in this API, so it is always said.
func (e *encoder) tool(t *llm.Tool) {
	e.uncached(t.Cache)
	if t.Raw != nil {
		e.Raw(t.Raw)
		return
	}
	kind, description := "function", t.Description
	if t.Custom {
		kind = "custom"
	}
	if t.Grammar != nil {
		description = t.Grammar.Description
	}
	e.Text(`{"type":"` + kind + `","name":`)
	e.Raw(t.Name)
	if description != nil {
		e.Text(`,"description":`)
		e.Raw(description)
	}
	switch {
	case t.Grammar != nil:
		e.Text(`,"format":{"type":"grammar","syntax":`)
		e.Raw(t.Grammar.Syntax)
		e.Text(`,"definition":`)
		e.Raw(t.Grammar.Definition)
		e.Text("}")
	case t.Custom:
	case t.Schema == nil:
		e.Text(`,"parameters":{"type":"object","properties":{}}`)
	default:
		e.Text(`,"parameters":`)
		e.Raw(t.Schema)
	}
	switch {
	case t.Custom:
	case t.Strict:
		e.Text(`,"strict":true`)
	default:
		e.Text(`,"strict":false`)
	}
	e.Text("}")
}

// isCustom reports whether a name, a JSON string, is that of a tool that takes a text.
func (e *encoder) isCustom(name llm.JSON) bool {
	return len(e.custom) > 0 && slices.Contains(e.custom, name.Text())
}

func (e *encoder) choice() {
	if e.searching && e.Search.Forced {
		e.Text(`,"tool_choice":{"type":"web_search"}`)
		return
	}
	if kind := e.Choice.Kind; (kind == llm.ChoiceAny || kind == llm.ChoiceTool) && !e.Takes.Can(llm.TakesChoice, true) {
		e.Leave("tool_choice")
		return
	}
	switch e.Choice.Kind {
	case llm.ChoiceAuto:
		e.Text(`,"tool_choice":"auto"`)
	case llm.ChoiceNone:
		e.Text(`,"tool_choice":"none"`)
	case llm.ChoiceAny:
		e.Text(`,"tool_choice":"required"`)
	case llm.ChoiceTool:
		kind := "function"
		if e.isCustom(e.Choice.Name) {
			kind = "custom"
		}
		e.Text(`,"tool_choice":{"type":"` + kind + `","name":`)
		e.Raw(e.Choice.Name)
		e.Text("}")
	}
}

// leastBound is the least number of tokens that the API lets an answer be bounded by.
const leastBound = 16

// bound writes how long the answer may be.
func (e *encoder) bound() {
	n := e.MaxToken
	if n == 0 {
		return
	}
	if n < leastBound {
		n = leastBound
		e.Leave("max_completion_tokens")
	}
	e.Number(`,"max_output_tokens":`, n)
}

// reasoning writes how much the model is to reason, and whether to show a summary of it.
func (e *encoder) reasoning() {
	sep := `,"reasoning":{`
	switch {
	case e.Effort == "":
	case !e.Takes.Reasons(true):
		e.Leave("reasoning_effort")
	default:
		e.Text(sep + `"effort":`)
		e.Quote(e.Effort)
		sep = ","
	}
	if e.Summary != nil {
		e.Text(sep + `"summary":`)
		e.Raw(e.Summary)
		sep = ","
	}
	for name, value := range draft.Extras(e.Request, llm.Responses, "reasoning") {
		e.Text(sep)
		e.Quote(name)
		e.Text(":")
		e.Raw(value)
		sep = ","
	}
	if sep == "," {
		e.Text("}")
	}
}

// text writes the form of the answer, and how wordy it is.
func (e *encoder) text() {
	for _, p := range e.Params {
		if p.Name == "verbosity" {
			e.verbosity = p.Value
		}
	}
	f := &e.Format
	sep := `,"text":{`
	switch {
	case f.Kind == llm.FormatJSON && e.searching: // refused together (https://github.com/stanfordnlp/dspy/issues/8958)
		e.Leave("response_format")
	case f.Kind == llm.FormatJSON:
		e.Text(sep + `"format":{"type":"json_object"}`)
		sep = ","
	case f.Kind == llm.FormatSchema && !e.Takes.Can(llm.TakesSchema, true):
		e.Leave("response_format")
	case f.Kind == llm.FormatSchema:
		e.Text(sep + `"format":{"type":"json_schema",`)
		e.NamedSchema(f)
		e.Text("}")
		sep = ","
	}
	if e.verbosity != nil {
		e.Text(sep + `"verbosity":`)
		e.Raw(e.verbosity)
		sep = ","
	}
	if sep == "," {
		e.Text("}")
	}
}

// ownParams are the parameters of chats that the API has by the same name.
var ownParams = []string{"metadata", "prompt_cache_key", "prompt_cache_retention", "service_tier", "temperature", "top_p", "user"}

// params writes all other parameters that the API knows.
func (e *encoder) params() {
	top := llm.JSON(nil)
	for _, p := range e.Params {
		switch {
		case p.Name == "verbosity": // in text
		case p.Name == "logprobs":
			e.scores = string(p.Value) == "true"
		case p.Name == "top_logprobs":
			top = p.Value
		case slices.Contains(ownParams, p.Name):
			e.member(p.Name, p.Value)
		default:
			e.Leave(p.Name)
		}
	}
	if top != nil {
		e.member("top_logprobs", top)
		e.scores = true
	}
	switch {
	case e.User == nil:
	case e.UserName == "safety_identifier":
		e.member(e.UserName, e.User)
	default:
		e.member("user", e.User)
	}
}

// include asks for what the API answers only then. A model that does not encrypt its reasoning refuses to be asked for that.
func (e *encoder) include() {
	sep := `,"include":[`
	if e.model.encrypts && e.Takes.Reasons(true) {
		e.Text(sep + `"` + includeEncrypted + `"`)
		sep = ","
	}
	if e.scores {
		e.Text(sep + `"` + includeLogprobs + `"`)
		sep = ","
	}
	if sep == "," {
		e.Text("]")
	}
}

// What a request can ask for besides the answer.
const (
	includeEncrypted = "reasoning.encrypted_content"
	includeLogprobs  = "message.output_text.logprobs"
)

// longestID is how long the id of a call may be.
const longestID = 64

// callID is the id of a call as the API takes it: one that is too long becomes another, always the same.
func callID(id string) string {
	if len(id) <= longestID {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:16])
}
