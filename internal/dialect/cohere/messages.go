package cohere

import (
	"slices"

	"github.com/weirproxy/weir/internal/llm"
)

func (e *encoder) messages() {
	e.Text(`,"messages":[`)
	e.system()
	for i := range e.Messages {
		if m := &e.Messages[i]; m.Role == llm.Assistant {
			e.assistant(m)
		} else {
			e.user(m)
		}
	}
	e.Text("]")
}

// open begins a message.
func (e *encoder) open(role string) {
	if e.next {
		e.Text(",")
	}
	e.next = true
	e.Text(`{"role":"` + role + `"`)
}

// system writes the system and developer messages, which come before all others.
func (e *encoder) system() {
	own, all := members(e.System)
	var parts []llm.Part
	for _, p := range all {
		if p.Kind != llm.Text && p.Kind != llm.Native {
			e.Refuse(llm.UnsupportedParameter, "messages", "Unsupported parameter: 'messages' has a system message that holds more than text, which this model's provider does not take. Remove it, or use another model.")
		}
		if p.Kind == llm.Native || !p.Text.Blank() {
			parts = append(parts, p)
		}
	}
	if len(parts) > 0 {
		e.open("system")
		e.content(0, parts)
		e.close(own)
	}
}

// members splits parts: into what are members of a message of their own, which only this API knows, and all others.
func members(parts []llm.Part) (own, others []llm.Part) {
	named := func(p llm.Part) bool { return p.Kind == llm.Native && p.Name != nil }
	if !slices.ContainsFunc(parts, named) {
		return nil, parts
	}
	for _, p := range parts {
		if named(p) {
			own = append(own, p)
		} else {
			others = append(others, p)
		}
	}
	return own, others
}

// close ends a message, with those of its members that only this API knows.
func (e *encoder) close(own []llm.Part) {
	for _, p := range own {
		e.Text(",")
		e.Raw(p.Name)
		e.Text(":")
		e.Raw(p.Raw)
	}
	e.Text("}")
}

// user writes what the user's side says: each result of a tool is a message for itself.
func (e *encoder) user(m *llm.Message) {
	own, parts := members(m.Parts)
	var said []llm.Part
	for i := range parts {
		p := &parts[i]
		if p.Kind != llm.Result {
			said = append(said, *p)
			continue
		}
		e.cache(p)
		if p.Failed {
			e.LeaveFailure()
		}
		e.open("tool")
		e.Text(`,"tool_call_id":`)
		e.Quote(p.ID)
		for _, part := range p.Parts {
			if part.Kind == llm.Image {
				e.Impossible(m.At, "an image as the result of a tool")
			}
		}
		e.content(m.At, p.Parts)
		e.close(own)
	}
	if len(said) > 0 {
		e.open("user")
		e.content(m.At, said)
		e.close(own)
	}
}

// assistant writes what an earlier answer said. Thoughts are shown again to models that have some themselves, plans to all.
func (e *encoder) assistant(m *llm.Message) {
	var said, calls []llm.Part
	var plan llm.JSON
	own, parts := members(m.Parts)
	for _, p := range parts {
		switch {
		case p.Kind == llm.Reasoning && p.Name != nil:
			plan = p.Text
		case p.Kind == llm.ToolCall:
			calls = append(calls, p)
		case p.Kind == llm.Redacted || p.Unsigned() || p.Kind == llm.Reasoning && !e.model.thinks: // only its own model needs it
		case p.Kind == llm.Image:
			e.Impossible(m.At, "an image that the assistant is said to have shown")
		case p.Kind != llm.Text || !p.Text.Blank():
			said = append(said, p)
		}
	}
	if len(said)+len(calls)+len(plan)+len(own) == 0 {
		return // nothing was said
	}
	e.open("assistant")
	if len(said) > 0 {
		e.content(m.At, said)
	}
	if plan != nil {
		e.Text(`,"` + toolPlan + `":`)
		e.Raw(plan)
	}
	sep := `,"tool_calls":[`
	for i := range calls {
		c := &calls[i]
		e.cache(c)
		e.Text(sep + `{"id":`)
		e.Quote(c.ID)
		e.Text(`,"type":"function","function":{"name":`)
		e.Raw(c.Name)
		e.Text(`,"arguments":`)
		e.Out = llm.AppendQuote(e.Out, []byte(c.Args))
		e.Text("}}")
		sep = ","
	}
	if len(calls) > 0 {
		e.Text("]")
	}
	e.close(own)
}

// content writes parts; a single text becomes a string.
func (e *encoder) content(at int, parts []llm.Part) {
	e.Text(`,"content":`)
	if len(parts) == 0 {
		e.Text(`""`)
		return
	}
	if len(parts) == 1 && parts[0].Kind == llm.Text {
		e.cache(&parts[0])
		e.Raw(parts[0].Text)
		return
	}
	sep := "["
	for i := range parts {
		p := &parts[i]
		e.Text(sep)
		e.cache(p)
		switch p.Kind {
		case llm.Native:
			e.Raw(p.Raw)
		case llm.Text:
			e.Text(`{"type":"text","text":`)
			e.Raw(p.Text)
			e.Text("}")
		case llm.Image:
			e.Text(`{"type":"image_url","image_url":{"url":`)
			e.image(p)
			e.detail(p)
			e.Text("}}")
		case llm.Reasoning:
			e.Text(`{"type":"thinking","thinking":`)
			e.Raw(p.Text)
			e.Text("}")
		default:
			e.Impossible(at, "a file")
		}
		sep = ","
	}
	e.Text("]")
}

// image writes where an image is: in the request itself, if its bytes are known.
func (e *encoder) image(p *llm.Part) {
	if p.Data == nil {
		e.Raw(p.URL)
		return
	}
	e.Text(`"data:`)
	e.Raw(llm.Quote(p.Media).Inner())
	e.Text(";base64,")
	e.Raw(p.Data)
	e.Text(`"`)
}

// detail writes how closely to look at an image, in those of OpenAI's words that the API knows.
func (e *encoder) detail(p *llm.Part) {
	switch string(p.Detail) {
	case `"auto"`, `"low"`, `"high"`:
		e.Text(`,"detail":`)
		e.Raw(p.Detail)
	default:
		e.LeaveDetail(p)
	}
}

// cache notes that the API has no member for where a prompt cache may end.
func (e *encoder) cache(p *llm.Part) {
	if p.Cache != nil {
		e.Leave("cache_control")
	}
}
