package anthropic

import (
	"bytes"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/incoming"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

const (
	versionMember = "anthropic_version"
	betaMember    = "anthropic_beta"
)

// Encode implements dialect.Passing. A host that names the model in its path gets the API's version in its place.
func (r *Request) Encode(c dialect.Changes) (dialect.Body, dialect.Applied) {
	terms, e := r.editing(&c)
	edits, applied := r.Edits(&c, &terms)
	if e != nil && e.thoughts {
		applied.Ignored = append(applied.Ignored, paramOf("messages[].thinking_blocks"))
	}
	if c.Hosted == "" && !r.Names("model") {
		edits = append(edits, jsonwalk.Edit{Span: r.End(), New: `,"model":` + string(llm.Quote(c.Model))})
	}
	if c.Hosted != "" && !r.Names(versionMember) {
		edits = append(edits, jsonwalk.Edit{Span: r.End(), New: `,"` + versionMember + `":` + string(llm.Quote(c.Hosted))})
	}
	if len(c.Betas) > 0 && !r.Names(betaMember) {
		edits = append(edits, jsonwalk.Edit{Span: r.End(), New: `,"` + betaMember + `":[` + quoted(c.Betas) + `]`})
	}
	return r.Splice(edits), applied
}

// quoted is a list of texts as the elements of an array.
func quoted(texts []string) string {
	var list []byte
	for i, text := range texts {
		if i > 0 {
			list = append(list, ',')
		}
		list = llm.AppendQuote(list, text)
	}
	return string(list)
}

// editing is what one Encode changes within members of the body.
type editing struct {
	r        *Request
	changes  dialect.Changes
	thoughts bool // reasoning of earlier turns was left out
}

// editing says how the body is changed; e is nil if nothing changes within its members. What goes with earlier reasoning is added to c.
func (r *Request) editing(c *dialect.Changes) (t incoming.Terms, e *editing) {
	t = incoming.Terms{Model: c.Model, Quiet: isDefault}
	if c.Hosted != "" {
		t.Model, t.Quiet = "", isDefaultOrPlaced
	}
	if c.OmitEncrypted {
		c.Omit = append(slices.Clip(c.Omit), r.thoughtless()...)
	}
	if r.foreign || c.Hosted != "" || c.OmitEncrypted {
		e = &editing{r: r, changes: *c}
		t.Within = e.within
	}
	return t, e
}

// within appends the edits within a member of the caller's.
func (e *editing) within(edits []jsonwalk.Edit, m *incoming.Member) []jsonwalk.Edit {
	c, raw := &e.changes, e.r.Raw
	switch {
	case m.Name == versionMember && c.Hosted != "":
		return append(edits, jsonwalk.Edit{Span: m.At.Value, New: string(llm.Quote(c.Hosted))})
	case m.Name == betaMember && len(c.Betas) > 0:
		return append(edits, withBetas(raw, m.At.Value, c.Betas))
	case m.Name == "messages" && (e.r.foreign || c.OmitEncrypted):
		return e.withoutThoughts(edits, raw, m.At.Value)
	}
	return edits
}

// withBetas adds to the body's own list of experimental parts. What is no list becomes one.
func withBetas(raw []byte, own jsonwalk.Span, betas []string) jsonwalk.Edit {
	list := llm.JSON(own.Of(raw))
	if list.Kind() != '[' || jsonwalk.NoElements(list) {
		return jsonwalk.Edit{Span: own, New: "[" + quoted(betas) + "]"}
	}
	at := own.End - 1
	return jsonwalk.Edit{Span: jsonwalk.Span{Start: at, End: at}, New: "," + quoted(betas)}
}

// isDefaultOrPlaced is isDefault for a host whose path says whether the answer streams.
func isDefaultOrPlaced(name string, value llm.JSON) bool {
	return name == "stream" || isDefault(name, value)
}

// isDefault reports whether a member says nothing that the API would not do without it.
func isDefault(name string, value llm.JSON) bool {
	switch name {
	case "temperature", "top_p":
		return value.One()
	case "service_tier":
		return value.Text() == "auto"
	}
	return false
}

// Loses implements dialect.Passing.
func (r *Request) Loses(c dialect.Changes) string {
	_, applied := r.Encode(c)
	if len(applied.Ignored) > 0 {
		return applied.Ignored[0]
	}
	return ""
}

// perEdit is about what an edit takes, with the pieces of the body around it.
const perEdit = 128

// Places implements dialect.Passing. Each object may be a block that is left out.
func (r *Request) Places(c dialect.Changes) int {
	if r.foreign || c.OmitEncrypted {
		return perEdit * bytes.Count(r.Raw, []byte{'{'})
	}
	return 0
}

// With implements dialect.Request. The parameters have OpenAI's names. Those that the API has too are added under its own; those that only
// OpenAI's has are not.
func (r *Request) With(added *llm.Added, _ llm.Endpoint, unheard []string) (with dialect.Request, replaced string, err *llm.Error) {
	made := r.Extend(added, unheard, ownParam)
	if made.Raw == nil {
		return r, "", nil
	}
	extended, err := ParseRequest(made.Raw, dialect.ParseOptions{Model: r.Model})
	if err != nil {
		return nil, "", err
	}
	made.Mark(&extended.Body)
	return extended, made.Replaced, nil
}

// foreignParams are parameters of OpenAI's API that this one lacks, or has in another form. Sorted.
var foreignParams = []string{
	"audio", "best_of", "echo", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "metadata", "modalities", "n",
	"parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key", "reasoning_effort", "response_format", "safety_identifier", "seed",
	"service_tier", "store", "stream_options", "suffix", "tool_choice", "tools", "top_logprobs", "user", "verbosity", "web_search_options",
}

// ownParam is a parameter of OpenAI's convention as the API has it; ok is false if it does not.
func ownParam(p llm.Param) (own llm.Param, ok bool) {
	switch name := strings.ToLower(p.Name); name {
	case "max_tokens", "max_completion_tokens":
		return llm.Param{Name: "max_tokens", Value: p.Value}, true
	case "stop":
		if p.Value.Kind() == '"' {
			p.Value = slices.Concat(llm.JSON("["), p.Value, llm.JSON("]"))
		}
		return llm.Param{Name: "stop_sequences", Value: p.Value}, true
	default:
		_, foreign := slices.BinarySearch(foreignParams, name)
		return p, !foreign
	}
}

// paramOf is the API's name of a parameter that is named as in OpenAI's API.
func paramOf(name string) string {
	switch name {
	case "max_completion_tokens":
		return "max_tokens"
	case "stop":
		return "stop_sequences"
	case "reasoning_effort":
		return "thinking"
	case "response_format":
		return "output_config.format"
	case "parallel_tool_calls":
		return "tool_choice.disable_parallel_tool_use"
	case "user", "safety_identifier":
		return "metadata.user_id"
	case "messages[].thinking_blocks":
		return "messages[].content[].thinking"
	case "messages[].content[].image_url.detail":
		return "messages[].content[].source"
	}
	return strings.Replace(name, "tools[].function.", "tools[].", 1)
}
