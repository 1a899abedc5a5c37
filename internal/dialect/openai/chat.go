package openai

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/llm"
)

// Encode returns the request as the body of a chat completion, and the names of what it had to leave out. The error is about
// content that can neither be carried nor left out. The body follows OpenAI's own API. What else a target needs (names, roles, ids,
// usage of a stream) are Changes, as for a caller's bytes: parse the body, and Request.Encode makes them.
func Encode(r *llm.Request) ([]byte, []string, *llm.Error) {
	r = r.Settled()
	e := chatEncoder{Request: r, Draft: draft.Of(r, llm.OpenAI), custom: r.CustomTools()}
	e.Text(`{"model":`)
	e.Quote(r.Model)
	if r.Stream {
		e.Text(`,"stream":true`)
	}
	e.messages()
	e.tools()
	e.choice()
	if r.Serial {
		e.Text(`,"parallel_tool_calls":false`)
	}
	e.format()
	if r.Effort != "" {
		e.Text(`,"reasoning_effort":`)
		e.Quote(r.Effort)
	}
	if r.MaxToken > 0 {
		e.Number(`,"max_completion_tokens":`, r.MaxToken)
	}
	e.stop()
	e.user()
	for _, p := range r.Params {
		if !slices.Contains(ownParams, p.Name) { // callers of other dialects send what some servers refuse the whole request for
			e.Leave(p.Name)
			continue
		}
		e.member(p.Name, p.Value)
	}
	for name, value := range draft.Extras(r, llm.OpenAI, "") {
		e.member(name, value)
	}
	e.Text("}")
	return e.Done()
}

// ownParams are the parameters of chats in OpenAI's API, but for those that the typed model has a place for.
var ownParams = []string{
	"audio", "cache_control", "frequency_penalty", "logit_bias", "logprobs", "metadata", "modalities", "n", "prediction", "presence_penalty", "prompt_cache_key",
	"prompt_cache_retention", "seed", "service_tier", "store", "temperature", "top_logprobs", "top_p", "verbosity", "web_search_options",
}

// chatEncoder is the state of one Encode.
type chatEncoder struct {
	*llm.Request
	draft.Draft
	custom []string // the names of the tools that take a text
	next   bool     // a message was written
}

// member writes a top-level member.
func (e *chatEncoder) member(name string, value llm.JSON) {
	e.Text(",")
	e.Quote(name)
	e.Text(":")
	e.Raw(value)
}

// isCustom reports whether a name, a JSON string, is that of a tool that takes a text.
func (e *chatEncoder) isCustom(name llm.JSON) bool {
	return len(e.custom) > 0 && slices.Contains(e.custom, name.Text())
}

func (e *chatEncoder) tools() {
	sep := `,"tools":[`
	for i := range e.Tools {
		e.Text(sep)
		e.tool(&e.Tools[i])
		sep = ","
	}
	if len(e.Tools) > 0 {
		e.Text("]")
	}
}

func (e *chatEncoder) tool(t *llm.Tool) {
	if t.Raw != nil {
		e.Raw(t.Raw)
		return
	}
	kind := "function"
	if t.Custom {
		kind = "custom"
	}
	e.Text(`{"type":"` + kind + `","` + kind + `":{"name":`)
	e.Raw(t.Name)
	if t.Description != nil {
		e.Text(`,"description":`)
		e.Raw(t.Description)
	}
	if t.Schema != nil && !t.Custom {
		e.Text(`,"parameters":`)
		e.Raw(t.Schema)
	}
	if t.Strict && !t.Custom {
		e.Text(`,"strict":true`)
	}
	e.Text("}")
	e.cache(t.Cache)
	e.Text("}")
}

// cache writes where a prompt cache may end, as a member of the object that is open.
func (e *chatEncoder) cache(mark llm.JSON) {
	if mark != nil {
		e.Text(`,"` + CacheControl + `":`)
		e.Raw(mark)
	}
}

func (e *chatEncoder) choice() {
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
		e.Text(`,"tool_choice":{"type":"` + kind + `","` + kind + `":{"name":`)
		e.Raw(e.Choice.Name)
		e.Text("}}")
	}
}

func (e *chatEncoder) format() {
	switch f := &e.Format; f.Kind {
	case llm.FormatJSON:
		e.Text(`,"response_format":{"type":"json_object"}`)
	case llm.FormatSchema:
		e.Text(`,"response_format":{"type":"json_schema","json_schema":{`)
		e.NamedSchema(f)
		e.Text("}}")
	}
}

func (e *chatEncoder) stop() {
	sep := `,"stop":[`
	for _, s := range e.Stop {
		e.Text(sep)
		e.Raw(s)
		sep = ","
	}
	if len(e.Stop) > 0 {
		e.Text("]")
	}
}

// user writes who sent the request. Other dialects have names of their own for that.
func (e *chatEncoder) user() {
	switch {
	case e.User == nil:
	case e.UserName == "safety_identifier":
		e.member(e.UserName, e.User)
	default:
		e.member("user", e.User)
	}
}
