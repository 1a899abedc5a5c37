package sim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// converseRequest is a call of the Converse API.
type converseRequest struct{ *llm.Request }

// converseFields is where the members for what only some models take stand.
const converseFields = "additionalModelRequestFields."

// converseMembers are the members that the API, or a model behind it, knows and the typed model does not.
var converseMembers = map[string]bool{
	"serviceTier": true, "guardrailConfig": true, "performanceConfig": true,
	converseFields + "thinking": true, converseFields + "output_config": true, converseFields + "top_k": true, converseFields + "tool_choice": true, converseFields + "reasoning_effort": true,
	converseFields + "inferenceConfig": true, converseFields + "reasoningConfig": true, converseFields + "reasoning_config": true,
}

var (
	converseID   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	converseName = regexp.MustCompile(`^[a-zA-Z0-9()\[\]-]+( [a-zA-Z0-9()\[\]-]+)*$`)
)

// check is what the API itself says against the request, whatever the model; "" if nothing.
func (r converseRequest) check() string {
	for _, x := range r.Extras {
		if !converseMembers[x.Name] {
			return fmt.Sprintf("unknown field %q", x.Name)
		}
	}
	for _, name := range r.Left {
		return fmt.Sprintf("unknown field %q", name)
	}
	names := map[string]bool{}
	for j := range r.System {
		if refusal := checkBlock(&r.System[j], fmt.Sprintf("system.%d", j), names); refusal != "" {
			return refusal
		}
	}
	uses := false
	for i := range r.Messages {
		turn := &r.Messages[i]
		switch want := [...]llm.Role{llm.User, llm.Assistant}[i%2]; {
		case i == 0 && turn.Role != want:
			return "A conversation must start with a user message. Try again with a conversation that starts with a user message."
		case turn.Role != want:
			return "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again."
		case len(turn.Parts) == 0:
			return fmt.Sprintf("The content field in the Message object at messages.%d is empty. Add a ContentBlock object to the content field and try again.", i)
		}
		for j := range turn.Parts {
			p := &turn.Parts[j]
			if refusal := checkBlock(p, fmt.Sprintf("messages.%d.content.%d", i, j), names); refusal != "" {
				return refusal
			}
			uses = uses || p.Kind == llm.ToolCall || p.Kind == llm.Result
		}
	}
	if uses && len(r.Tools) == 0 {
		return "The toolConfig field must be defined when using toolUse and toolResult content blocks."
	}
	return ""
}

// checkBlock is what the API says against a block, "" if nothing. names are those of the documents so far.
func checkBlock(p *llm.Part, at string, names map[string]bool) string {
	switch name := p.Name.Text(); {
	case p.Kind == llm.Native && !slices.Contains([]string{"image", "document", "cachePoint"}, nativeBlock(p.Raw)):
		return fmt.Sprintf("ContentBlock object at %s must set one of the following keys: text, image, toolUse, toolResult, document, cachePoint, reasoningContent.", at)
	case p.Kind == llm.Text && strings.TrimSpace(p.Text.Text()) == "":
		return fmt.Sprintf("The text field in the ContentBlock object at %s is blank. Add text to the text field, and try again.", at)
	case (p.Kind == llm.ToolCall || p.Kind == llm.Result) && !converseID.MatchString(p.ID):
		return fmt.Sprintf("Value at '%s.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+", at)
	case p.Kind == llm.File && (!converseName.MatchString(name) || names[name]):
		return fmt.Sprintf("The document file name at %s can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets, and only once.", at)
	case p.Kind == llm.File:
		names[name] = true
	}
	for i := range p.Parts {
		if inner := &p.Parts[i]; inner.Kind != llm.Native || nativeBlock(inner.Raw) != "json" {
			if refusal := checkBlock(inner, fmt.Sprintf("%s.toolResult.content.%d", at, i), names); refusal != "" {
				return refusal
			}
		}
	}
	return ""
}

// nativeBlock is what a block is by its only member, "" if it has none, or several.
func nativeBlock(raw llm.JSON) (kind string) {
	n := 0
	for name := range jsonwalk.Members(raw) {
		kind = string(name)
		n++
	}
	if n != 1 {
		return ""
	}
	return kind
}

// actAsClaude is the request as the model behind the API gets it.
func actAsClaude(r *llm.Request) *llm.Request {
	const unsaid = 64000
	m := *r
	if m.MaxToken == 0 {
		m.MaxToken = unsaid
	}
	for _, x := range r.Extras {
		if typ := typeOf(x.Value); x.Name == converseFields+"thinking" && (typ == "enabled" || typ == "adaptive") {
			m.Effort = "high"
		}
	}
	m.Messages = slices.Clone(r.Messages)
	for i := range m.Messages {
		m.Messages[i].Parts = claudeParts(m.Messages[i].Parts)
	}
	return &m
}

// claudeParts are blocks as the model gets them: JSON as a text, where a cache may end not at all.
func claudeParts(parts []llm.Part) (list []llm.Part) {
	for _, p := range parts {
		switch kind := nativeBlock(p.Raw); {
		case kind == "cachePoint":
			continue
		case kind == "json":
			for _, value := range jsonwalk.Members(p.Raw) {
				p = llm.Part{Kind: llm.Text, Text: llm.Quote(string(value))}
			}
		case p.Kind == llm.Native:
			p = llm.Part{Kind: llm.Image}
		case p.Kind == llm.Result:
			p.Parts = claudeParts(p.Parts)
		}
		list = append(list, p)
	}
	return list
}
