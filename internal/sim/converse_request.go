package sim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// converseRequest is a call of the Converse API.
type converseRequest struct{ *llm.Request }

// converseFields is the place of members that only some models take.
const converseFields = "additionalModelRequestFields."

// converseMembers are the members that the API, or a model that it serves, knows and the typed model does not, each with its kind.
var converseMembers = map[string]byte{
	"serviceTier": '{', "guardrailConfig": '{', "performanceConfig": '{',
	converseFields + "thinking": '{', converseFields + "output_config": '{', converseFields + "top_k": '0', converseFields + "tool_choice": '{', converseFields + "reasoning_effort": '"',
	converseFields + "inferenceConfig": '{', converseFields + "reasoningConfig": '{', converseFields + "reasoning_config": '"',
}

// converseExtra is what Claude takes in its own API's words and the typed model lacks.
type converseExtra struct {
	Thinking struct {
		Type    string `json:"type"`
		Budget  int64  `json:"budget_tokens"`
		Display string `json:"display"`
	}
	Choice struct {
		Type   string `json:"type"`
		Name   string `json:"name"`
		Serial bool   `json:"disable_parallel_tool_use"`
	}
}

// extra reads it.
func (r converseRequest) extra() (e converseExtra, err error) {
	for _, x := range r.Extras {
		switch x.Name {
		case converseFields + "thinking":
			err = cmp.Or(err, strictly(x.Value, &e.Thinking))
		case converseFields + "tool_choice":
			err = cmp.Or(err, strictly(x.Value, &e.Choice))
		}
	}
	return e, err
}

// converseOwn is a block that the typed model has no words for.
type converseOwn struct {
	Image    json.RawMessage `json:"image"`
	Document *struct {
		Format string          `json:"format"`
		Name   string          `json:"name"`
		Source json.RawMessage `json:"source"`
	} `json:"document"`
	Cache *struct {
		Type string `json:"type"`
		TTL  string `json:"ttl"`
	} `json:"cachePoint"`
}

var (
	converseID   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	converseName = regexp.MustCompile(`^[a-zA-Z0-9()\[\]-]+( [a-zA-Z0-9()\[\]-]+)*$`)
)

// check is what the API itself says against the request, whatever the model; "" if nothing.
func (r converseRequest) check() string {
	for _, x := range r.Extras {
		switch kind := converseMembers[x.Name]; kind {
		case 0:
			return fmt.Sprintf("unknown field %q", x.Name)
		case x.Value.Kind():
		default:
			return fmt.Sprintf("the field %q is of another type", x.Name)
		}
	}
	if _, err := r.extra(); err != nil {
		return err.Error()
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
	var own converseOwn
	var err error
	name, file := p.Name.Text(), p.Kind == llm.File
	if p.Kind == llm.Native {
		if err = strictly(p.Raw, &own); own.Document != nil {
			name, file = own.Document.Name, true
		}
	}
	switch {
	case err != nil || p.Kind == llm.Native && nativeBlock(p.Raw) == "":
		return fmt.Sprintf("ContentBlock object at %s must set one of the following keys: text, image, toolUse, toolResult, document, cachePoint, reasoningContent.", at)
	case own.Cache != nil && own.Cache.Type != "default":
		return fmt.Sprintf("Value at '%s.cachePoint.type' failed to satisfy constraint: Member must satisfy enum value set: [default]", at)
	case p.Kind == llm.Text && strings.TrimSpace(p.Text.Text()) == "":
		return fmt.Sprintf("The text field in the ContentBlock object at %s is blank. Add text to the text field, and try again.", at)
	case (p.Kind == llm.ToolCall || p.Kind == llm.Result) && !converseID.MatchString(p.ID):
		return fmt.Sprintf("Value at '%s.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+", at)
	case file && (!converseName.MatchString(name) || names[name]):
		return fmt.Sprintf("The document file name at %s can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets, and only once.", at)
	case file:
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

// nativeBlock is the kind of a block by its only member, "" if it has none, or several.
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
	extra, _ := converseRequest{r}.extra() // check found nothing wrong with it
	switch extra.Thinking.Type {
	case "enabled":
		m.Effort, m.Budget = "high", max(extra.Thinking.Budget, 1) // no number counts as too small a number
	case "adaptive":
		m.Effort, m.Budget = "high", 0
	}
	switch extra.Choice.Type {
	case "any":
		m.Choice.Kind = llm.ChoiceAny
	case "tool":
		m.Choice = llm.Choice{Kind: llm.ChoiceTool, Name: llm.Quote(extra.Choice.Name)}
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
