package anthropic

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Decode implements dialect.Chat.
func (r *Request) Decode(omit []string) (*llm.Request, *llm.Error) {
	d := decoder{Reading: draft.Reading{Out: &llm.Request{}}, caller: &received{deferred: map[string]bool{}, found: map[string]bool{}}}
	for i := range r.Members {
		switch m := &r.Members[i]; {
		case m.Null:
		case slices.ContainsFunc(omit, func(name string) bool { return strings.EqualFold(name, m.Name) }):
			d.Leave(m.Name)
		default:
			d.member(m.Name, m.At.Value.Of(r.Raw))
		}
	}
	d.Out.Model = r.Model // in the path, perhaps
	d.complete()
	return d.Done()
}

// received is what a decoder remembers of a caller's request.
type received struct {
	hosted []hosted // tools that the API runs itself, or has trained its models for
	// deferred are the names of tools that the API shows its model once a block of the type toolReference names them, and found those that one does.
	deferred, found map[string]bool
}

const toolReference = "tool_reference"

// hosted is one of those tools.
type hosted struct {
	path, typ, name string
	raw             llm.JSON
}

// lets reports whether the block of a caller goes without a member that other dialects have no place for.
func (d *decoder) lets(s *said, path, name string) bool {
	switch {
	case d.caller == nil:
		return false
	case s.typ == "text" && name == "citations", s.typ == "tool_use" && name == "caller": // of answers, which clients send back
	case !isKnown(s.typ): // it is refused as a whole
	default:
		d.Leave(path + "." + name)
	}
	return true
}

// isKnown reports whether the typed model has a place for blocks of a type.
func isKnown(typ string) bool {
	switch typ {
	case "text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", "document", toolReference:
		return true
	}
	return false
}

// isVendors reports whether a tool is not the caller's own.
func isVendors(tool llm.JSON) bool {
	typ := typeOf(tool)
	return typ != "" && typ != "custom"
}

// isObject reports whether a string holds a JSON object.
func isObject(v llm.JSON) bool {
	text := []byte(strings.TrimSpace(v.Text()))
	return len(text) > 0 && text[0] == '{' && jsonwalk.Valid(text, jsonwalk.Options{}) == nil
}

// unknowable refuses a caller's content that no other dialect can carry. Claude Code 2.1.331 sends a turn again, without blocks of the type tool_addition, if
// the refusal names them and says "not supported on this model".
func (d *decoder) unknowable(param, what string) {
	if d.caller != nil {
		d.Wrong(llm.UnsupportedParameter, param, fmt.Sprintf("Unsupported parameter: '%s' holds %s, which is not supported on this model: only Anthropic's API has it. Remove it, or use another model.", param, what))
	}
}

// reference is a tool that a search of the caller's found. The model gets to know its name, and the request has it from then on.
func (d *decoder) reference(s said, path string) llm.Part {
	d.Is(s.name, '"', path+".tool_name")
	d.caller.found[s.name.Text()] = true
	return llm.Part{Kind: llm.Text, Text: llm.Quote("The tool " + s.name.Text() + " is available."), Cache: s.cache}
}

// withoutDeferred leaves out the tools that the API would not show its model either. Where the API itself would search them, nothing else could: all
// remain.
func (d *decoder) withoutDeferred() {
	searches := func(t hosted) bool { return strings.HasPrefix(t.typ, "tool_search_tool_") }
	if len(d.caller.deferred) == 0 || slices.ContainsFunc(d.caller.hosted, searches) {
		return
	}
	d.Out.Tools = slices.DeleteFunc(d.Out.Tools, func(t llm.Tool) bool {
		name := t.Name.Text()
		return d.caller.deferred[name] && !d.caller.found[name] && d.Out.Choice.Name.Text() != name
	})
}

// bill leaves out the text with which Claude Code says to its vendor who pays. It differs with each request, so prompt caches of others
// would never fit.
func (d *decoder) bill() {
	if s := d.Out.System; d.caller != nil && len(s) > 0 && isBilling(s[0].Text) {
		d.Out.System = s[1:]
		d.Leave("system[0]")
	}
}

// received completes a caller's request.
func (d *decoder) received() {
	if effort := d.effort.Text(); effort != "" && d.Out.Effort != "none" {
		d.Out.Effort = effort
	}
	d.Out.Bounded, d.Out.Graded = true, true
	d.Out.Format.Strict = d.Out.Format.Strict && closed(d.Out.Format.Schema)
	d.withoutDeferred()
	d.withoutHosted()
	called := map[string]bool{}
	messages := d.Out.Messages[:0]
	for i := range d.Out.Messages {
		m := d.Out.Messages[i]
		m.Parts = d.recall(&m, called)
		if m.Role == llm.System && len(messages) == 0 {
			d.Out.System = append(d.Out.System, m.Parts...)
			continue
		}
		messages = append(messages, m)
	}
	if d.Out.Messages = messages; len(messages) == 0 && len(d.Out.System) > 0 && d.Bad == nil { // otherwise nothing would be asked
		d.Out.Messages, d.Out.System = []llm.Message{{Role: llm.User, Parts: d.Out.System}}, nil
	}
}

// closed reports whether a schema names all members of its objects and requires each: vendors other than Anthropic hold answers strictly to no
// other.
func closed(schema llm.JSON) bool {
	properties, required := 0, 0
	open, object := true, false
	for name, v := range jsonwalk.Members(schema) {
		switch string(name) {
		case "properties":
			object = true
			for _, property := range jsonwalk.Members(v) {
				properties++
				if !closed(property) {
					return false
				}
			}
		case "items":
			if !closed(v) {
				return false
			}
		case "required":
			for range jsonwalk.Elements(v) {
				required++
			}
		case "additionalProperties":
			open = string(v) != "false"
		case "type":
			object = object || string(v) == `"object"`
		}
	}
	return !object || !open && required == properties
}

// recall are the parts of a message with what Weir carries in them taken out again: the maker of reasoning, and the signature in the id of a
// call.
func (d *decoder) recall(m *llm.Message, called map[string]bool) []llm.Part {
	parts := m.Parts[:0]
	for j := range m.Parts {
		p := m.Parts[j]
		switch p.Kind {
		case llm.ToolCall:
			p.ID, p.Opaque = splitID(p.ID)
			called[p.ID] = true
		case llm.Result:
			if p.ID, _ = splitID(p.ID); !called[p.ID] {
				param := fmt.Sprintf("messages[%d].content[%d].tool_use_id", m.At, j)
				d.Wrong(llm.InvalidValue, param, fmt.Sprintf("'%s' is the id of no tool call before it. Send the call and its result together.", param))
			}
		case llm.Reasoning, llm.Redacted:
			if !reclaim(&p) {
				continue
			}
		}
		parts = append(parts, p)
	}
	return parts
}

// reclaim gives reasoning its maker. It reports false for what nothing can be done with: a signature that was changed on its way.
func reclaim(p *llm.Part) bool {
	switch {
	case isWrapped(p.Opaque):
		maker, opaque, ok := unwrap(p.Opaque)
		p.Maker, p.Opaque = maker, opaque
		return ok
	case len(p.Opaque.Inner()) == 0:
		p.Maker, p.Opaque = llm.UnsaidMaker, nil
		return p.Kind == llm.Reasoning
	}
	return true
}

// search takes the search of the web, which other vendors have, too.
func (d *decoder) search(t hosted) {
	s := llm.Search{Path: t.path, Type: t.typ, Raw: t.raw, Of: llm.Anthropic}
	for name, v := range draft.Given(t.raw) {
		switch string(name) {
		case "type", "name", "cache_control":
		case "allowed_domains":
			s.Domains = v
		case "blocked_domains":
			s.Blocked = v
		case "user_location":
			s.Place = v
		default:
			s.Lost = append(s.Lost, string(name))
		}
	}
	choice := &d.Out.Choice
	named := choice.Kind == llm.ChoiceTool && choice.Name.Text() == t.name
	if s.Forced = named || choice.Kind == llm.ChoiceAny && len(d.Out.Tools) == 0; s.Forced {
		*choice = llm.Choice{}
	}
	d.Out.Search = &s
}

// withoutHosted leaves out the tools that only the API has, unless nothing would remain of what was asked.
func (d *decoder) withoutHosted() {
	choice := &d.Out.Choice
	for i, t := range d.caller.hosted {
		if d.Out.Search == nil && strings.HasPrefix(t.typ, "web_search_") {
			d.search(t)
			continue
		}
		if len(d.Out.Tools) == 0 && d.Out.Search == nil || choice.Kind == llm.ChoiceTool && choice.Name.Text() == t.name {
			d.Wrong(llm.UnsupportedParameter, t.path, fmt.Sprintf(
				"Unsupported parameter: '%s' is the tool %s, which only Anthropic's API has, and this model's provider does not. Use a model that Anthropic serves.", t.path, llm.Clip(t.typ)))
		}
		if i < 64 {
			d.Leave(t.path + "." + t.typ)
		}
	}
}

// The signature of a call, which Google's models need again, has no place in a block. It follows the id of the call, as for callers of other
// dialects.
const thoughtMark = "__thought__"

// appendID appends the id of a call in the characters that the API takes, with its signature.
func appendID(dst []byte, id, signature llm.JSON) []byte {
	dst = append(append(dst, '"'), toolID(id.Text())...)
	if len(signature.Inner()) > 0 {
		carried := slices.Concat([]byte(`{"google":{"thought_signature":`), signature, []byte(`}}`))
		dst = base64.RawURLEncoding.AppendEncode(append(dst, thoughtMark...), carried)
	}
	return append(dst, '"')
}

// splitID is an id without what Weir appended, and the signature in that; nil without one.
func splitID(id string) (own string, signature llm.JSON) {
	own, behind, ok := strings.Cut(id, thoughtMark)
	if !ok {
		return id, nil
	}
	carried, err := base64.RawURLEncoding.DecodeString(behind)
	if err != nil || jsonwalk.Valid(carried, jsonwalk.Options{MaxDepth: 8}) != nil {
		return id, nil
	}
	if s := memberOf(memberOf(carried, "google"), "thought_signature"); len(s.Inner()) > 0 {
		return own, s
	}
	return own, nil
}
