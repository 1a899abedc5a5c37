package responses

import (
	"bytes"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// input writes the conversation as items. What the system says keeps its place.
func (e *encoder) input() {
	e.Text(`,"input":[`)
	if len(e.System) > 0 {
		e.say("system", 0, e.System)
	}
	for i := range e.Messages {
		switch m := &e.Messages[i]; m.Role {
		case llm.Assistant:
			e.answered(m)
		case llm.System:
			e.say("system", m.At, m.Parts)
		default:
			e.asked(m)
		}
	}
	e.Text("]")
}

// item begins an item.
func (e *encoder) item(begin string) {
	if e.items > 0 {
		e.Text(",")
	}
	e.items++
	e.Text(begin)
}

// say writes a message.
func (e *encoder) say(role string, at int, parts []llm.Part) {
	e.item(`{"role":"` + role + `","content":`)
	e.content(role, at, parts)
	e.Text("}")
}

// asked writes what the user's side says. Each result of a tool is an item of its own.
func (e *encoder) asked(m *llm.Message) {
	from := 0
	flush := func(to int) {
		if to > from {
			e.say("user", m.At, m.Parts[from:to])
		}
		from = to + 1
	}
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == llm.Result {
			flush(i)
			e.result(m.At, p)
		}
	}
	flush(len(m.Parts))
	if len(m.Parts) == 0 {
		e.say("user", m.At, nil)
	}
}

// result writes what a tool answered.
func (e *encoder) result(at int, p *llm.Part) {
	if p.Failed {
		e.LeaveFailure()
	}
	e.uncached(p.Cache)
	kind := "function_call_output"
	if e.customCalls[p.ID] {
		kind = "custom_tool_call_output"
	}
	e.item(`{"type":"` + kind + `","call_id":`)
	e.Quote(callID(p.ID))
	e.Text(`,"output":`)
	e.content("user", at, p.Parts)
	e.Text("}")
}

// answered writes what an earlier answer said: texts that follow each other are one message, all else is an item of its own.
func (e *encoder) answered(m *llm.Message) {
	var said []llm.Part
	flush := func() {
		if len(said) > 0 {
			e.say("assistant", m.At, said)
		}
		said = said[:0]
	}
	for i := range m.Parts {
		switch p := &m.Parts[i]; {
		case p.Thought():
			if e.thinks(p) {
				flush()
				e.thought(p)
			}
		case p.Kind == llm.ToolCall:
			flush()
			e.call(p)
		default:
			said = append(said, *p)
		}
	}
	flush()
	if len(m.Parts) == 0 {
		e.say("assistant", m.At, nil)
	}
}

// thinks reports whether the model can be sent an earlier reasoning: what its maker encrypted, and a text if it does not encrypt any.
func (e *encoder) thinks(p *llm.Part) bool {
	switch {
	case e.encrypted(p):
		return true
	case p.Kind == llm.Reasoning && !e.model.encrypts && (p.Unsigned() || p.Maker == e.maker) && len(p.Text.Inner()) > 0:
		return true
	case !p.Unsigned():
		e.LeaveThoughts()
	}
	return false
}

// encrypted reports whether a part is reasoning that the model's own maker encrypted.
func (e *encoder) encrypted(p *llm.Part) bool {
	return p.Maker == e.maker && len(p.Opaque.Inner()) > 0
}

// thought writes an earlier reasoning. What is encrypted is bound to the id that it had, so it is given no other. Servers with open models insist on
// one.
func (e *encoder) thought(p *llm.Part) {
	if !e.encrypted(p) {
		e.item(`{"type":"reasoning","id":"rs_`)
		e.Number("", int64(e.items))
		e.Text(`","summary":[],"content":[{"type":"reasoning_text","text":`)
		e.Raw(p.Text)
		e.Text("}]}")
		return
	}
	e.item(`{"type":"reasoning","summary":[`)
	if p.Kind == llm.Reasoning && len(p.Text.Inner()) > 0 {
		e.Text(`{"type":"summary_text","text":`)
		e.Raw(p.Text)
		e.Text("}")
	}
	e.Text(`],"encrypted_content":`)
	e.Raw(p.Opaque)
	e.Text("}")
}

// call writes an earlier call of a tool. A signature of another vendor's is nothing to this one.
func (e *encoder) call(p *llm.Part) {
	e.uncached(p.Cache)
	if input := freeInput(p.Args); input != nil && e.isCustom(p.Name) {
		e.customCalls[p.ID] = true
		e.item(`{"type":"custom_tool_call","call_id":`)
		e.Quote(callID(p.ID))
		e.Text(`,"name":`)
		e.Raw(p.Name)
		e.Text(`,"input":`)
		e.Raw(input)
		e.Text("}")
		return
	}
	e.item(`{"type":"function_call","call_id":`)
	e.Quote(callID(p.ID))
	e.Text(`,"name":`)
	e.Raw(p.Name)
	e.Text(`,"arguments":`)
	e.Out = llm.AppendQuote(e.Out, []byte(p.Args))
	e.Text("}")
}

// customOpen is how the arguments of a custom tool begin that were decoded from its input.
const customOpen = `{"` + customInput + `":`

// freeInput is the text in the arguments of a custom tool, a string; nil if they are something else.
func freeInput(args llm.JSON) llm.JSON {
	rest, ok := bytes.CutPrefix(args, []byte(customOpen))
	input, closed := bytes.CutSuffix(rest, []byte("}"))
	if text := llm.JSON(input); ok && closed && text.Kind() == '"' && jsonwalk.Valid(input, jsonwalk.Options{}) == nil {
		return text
	}
	return nil
}

// content writes parts. A single text is a string.
func (e *encoder) content(role string, at int, parts []llm.Part) {
	switch {
	case len(parts) == 0:
		e.Text(`""`)
		return
	case len(parts) == 1 && parts[0].Kind == llm.Text:
		e.uncached(parts[0].Cache)
		e.Raw(parts[0].Text)
		return
	}
	sep := "["
	for i := range parts {
		e.Text(sep)
		e.part(role, at, &parts[i])
		sep = ","
	}
	e.Text("]")
}

func (e *encoder) part(role string, at int, p *llm.Part) {
	e.uncached(p.Cache)
	switch {
	case p.Kind == llm.Native:
		e.Raw(p.Raw)
		return
	case p.Kind == llm.Text && role == "assistant":
		e.Text(`{"type":"output_text","text":`)
		e.Raw(p.Text)
	case p.Kind == llm.Text:
		e.Text(`{"type":"input_text","text":`)
		e.Raw(p.Text)
	case role != "user":
		e.Impossible(at, "an image or a file that the user has not sent")
	case p.Kind == llm.Image:
		e.image(p)
	case p.Kind == llm.File && (p.Data != nil || p.URL != nil) && !isSound(p):
		e.file(p)
	default:
		e.Impossible(at, "sound, or a part without its bytes")
	}
	e.Text("}")
}

// isSound reports whether a file is what a caller says to the model, and no document.
func isSound(p *llm.Part) bool {
	return p.Name == nil && (p.Media == "audio/wav" || p.Media == "audio/mp3")
}

func (e *encoder) image(p *llm.Part) {
	e.Text(`{"type":"input_image","image_url":`)
	if p.URL != nil {
		e.Raw(p.URL)
	} else {
		e.dataURL(p)
	}
	e.Text(`,"detail":`) // some servers insist on it
	if p.Detail != nil {
		e.Raw(p.Detail)
	} else {
		e.Text(`"auto"`)
	}
}

// unnamedFile is the name of a file without one, which the API refuses.
const unnamedFile = `"file"`

func (e *encoder) file(p *llm.Part) {
	if p.Data == nil { // the API refuses a name beside an address
		e.Text(`{"type":"input_file","file_url":`)
		e.Raw(p.URL)
		return
	}
	e.Text(`{"type":"input_file","filename":`)
	if p.Name != nil {
		e.Raw(p.Name)
	} else {
		e.Text(unnamedFile)
	}
	e.Text(`,"file_data":`)
	e.dataURL(p)
}

// dataURL writes bytes as an address that holds them.
func (e *encoder) dataURL(p *llm.Part) {
	e.Text(`"data:`)
	e.Raw(llm.Quote(p.Media).Inner())
	e.Text(";base64,")
	e.Raw(p.Data)
	e.Text(`"`)
}
