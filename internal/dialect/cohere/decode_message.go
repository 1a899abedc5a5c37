package cohere

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// message is an element of messages as it was found, before its role says what it means.
type message struct {
	path           string
	role           string
	content, calls llm.JSON
	plan, callID   llm.JSON
	own            []llm.Part // members that only this API knows
}

func (d *decoder) message(i int, v llm.JSON) {
	m := message{path: fmt.Sprintf("messages[%d]", i)}
	if !d.Is(v, '{', m.path) {
		return
	}
	for name, v := range draft.Given(v) {
		switch string(name) {
		case "role":
			m.role = v.Text()
		case "content":
			m.content = v
		case "tool_calls":
			m.calls = v
		case "tool_plan":
			if d.Is(v, '"', m.path+".tool_plan") {
				m.plan = v
			}
		case "tool_call_id":
			m.callID = v
		default:
			m.own = append(m.own, llm.Part{Kind: llm.Native, Of: llm.Cohere, Name: llm.Quote(string(name)), Raw: v})
		}
	}
	d.speak(i, m)
}

// speak adds a message as its role has it.
func (d *decoder) speak(i int, m message) {
	role, parts := llm.User, d.content(m)
	switch {
	case m.role == "assistant":
	case m.content == nil:
		d.Missing(m.path + ".content")
	case m.calls != nil || m.plan != nil:
		d.Wrong(llm.InvalidValue, m.path, fmt.Sprintf("'%s' has what only the assistant's messages may have: tool_calls or tool_plan.", m.path))
	}
	if m.callID != nil && m.role != "tool" {
		d.Leave("messages[].tool_call_id")
	}
	switch m.role {
	case "system":
		d.Out.System = append(append(d.Out.System, parts...), m.own...)
		return
	case "user":
	case "assistant":
		role = llm.Assistant
		if m.plan != nil {
			parts = append(parts, llm.Part{Kind: llm.Reasoning, Name: llm.Quote(toolPlan), Text: m.plan, Maker: maker})
		}
		parts = append(parts, d.calls(m)...)
	case "tool":
		if !d.Is(m.callID, '"', m.path+".tool_call_id") {
			return
		}
		parts = []llm.Part{{Kind: llm.Result, ID: m.callID.Text(), Parts: parts}}
	default:
		d.Wrong(llm.InvalidValue, m.path+".role", fmt.Sprintf("'%s.role' must be system, user, assistant or tool.", m.path))
	}
	d.Out.Messages = append(d.Out.Messages, llm.Message{Role: role, At: i, Parts: append(parts, m.own...)})
}

// maker is whose reasoning it is: that of the vendor's models.
const maker = "command"

// content is the content of a message: a string or a list.
func (d *decoder) content(m message) []llm.Part {
	path := m.path + ".content"
	switch m.content.Kind() {
	case 0:
		return nil
	case '"':
		return []llm.Part{{Kind: llm.Text, Text: m.content}}
	}
	if !d.Is(m.content, '[', path) {
		return nil
	}
	var parts []llm.Part
	for i, v := range jsonwalk.Elements(m.content) {
		if d.Is(v, '{', fmt.Sprintf("%s[%d]", path, i)) {
			parts = append(parts, part(v))
		}
	}
	return parts
}

// part reads an element of a content. One that the typed model does not know whole stays as it is.
func part(v llm.JSON) llm.Part {
	var p llm.Part
	var typ, member string
	var image, detail llm.JSON
	members := 0
	for name, v := range jsonwalk.Members(v) {
		switch members++; string(name) {
		case "type":
			typ = llm.JSON(v).Text()
		case "text", "thinking":
			member, p.Text = string(name), str(v)
		case "image_url":
			image, detail = imageURL(v)
		}
	}
	const whole = 2 // the type and what is of that type
	switch {
	case members != whole, member != "" && member != typ:
	case typ == "text" && p.Text != nil:
		return p
	case typ == "thinking" && p.Text != nil:
		p.Kind, p.Maker = llm.Reasoning, maker
		return p
	case typ == "image_url" && image != nil:
		p.Kind, p.URL, p.Detail = llm.Image, image, detail
		p.Media, p.Data = draft.DataURL(image)
		return p
	}
	return llm.Part{Kind: llm.Native, Of: llm.Cohere, Raw: v}
}

// imageURL is the address of an image, and how closely to look at it; no address if something else is said of it.
func imageURL(image llm.JSON) (url, detail llm.JSON) {
	for name, v := range jsonwalk.Members(image) {
		switch s := string(v); {
		case string(name) == "url":
			url = str(v)
		case string(name) == "detail" && (s == `"auto"` || s == `"low"` || s == `"high"`):
			detail = v
		default:
			return nil, nil
		}
	}
	return url, detail
}

// calls are the calls of tools of an earlier answer.
func (d *decoder) calls(m message) (parts []llm.Part) {
	path := m.path + ".tool_calls"
	if m.calls == nil || !d.Is(m.calls, '[', path) {
		return nil
	}
	for i, v := range jsonwalk.Elements(m.calls) {
		at, c := fmt.Sprintf("%s[%d]", path, i), readCall(v)
		d.strayed(v)
		args := []byte(c.args.Text())
		switch {
		case c.id == nil || c.name == nil:
			d.Wrong(llm.MissingParameter, at, fmt.Sprintf("'%s' must have an id and a function with a name.", at))
		case c.nothing():
			args = []byte("{}")
		case !object(args):
			d.Wrong(llm.InvalidValue, at+".function.arguments", fmt.Sprintf("'%s.function.arguments' must be a JSON object, as a string.", at))
		}
		parts = append(parts, llm.Part{Kind: llm.ToolCall, ID: c.id.Text(), Name: c.name, Args: args})
	}
	return parts
}

// strayed leaves out members of a tool call that the API does not know.
func (d *decoder) strayed(call llm.JSON) {
	const path = "messages[].tool_calls[]."
	for name, v := range jsonwalk.Members(call) {
		switch name := string(name); {
		case name == "function":
			for inner := range jsonwalk.Members(v) {
				if inner := string(inner); inner != "name" && inner != "arguments" {
					d.Leave(path + "function." + inner)
				}
			}
		case name != "id" && (name != "type" || string(v) != `"function"`):
			d.Leave(path + name)
		}
	}
}

// object reports whether a text is a JSON object.
func object(text []byte) bool {
	s := jsonwalk.NewScanner(text, jsonwalk.Options{})
	return s.Kind() == '{' && jsonwalk.Valid(text, jsonwalk.Options{}) == nil
}
