package openai

import (
	"bytes"
	"slices"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func (e *chatEncoder) messages() {
	e.Text(`,"messages":[`)
	if len(e.System) > 0 {
		e.say("system", 0, e.System)
	}
	for i := range e.Messages {
		switch m := &e.Messages[i]; m.Role {
		case llm.Assistant:
			e.assistant(m)
		case llm.System:
			e.say("system", m.At, m.Parts)
		default:
			e.asked(m)
		}
	}
	e.Text("]")
}

// open begins a message.
func (e *chatEncoder) open(role string) {
	if e.next {
		e.Text(",")
	}
	e.next = true
	e.Text(`{"role":"` + role + `"`)
}

// say writes a message that has only a role and a content.
func (e *chatEncoder) say(role string, at int, parts []llm.Part) {
	e.open(role)
	e.content(at, parts)
	e.Text("}")
}

// asked writes what the user's side says. Each result of a tool is a message of its own, and results come first: the API wants them
// right after their calls. It takes only texts in them, so images and files of a result follow in the user's message.
func (e *chatEncoder) asked(m *llm.Message) {
	var said, shown []llm.Part
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind != llm.Result {
			said = append(said, *p)
			continue
		}
		texts, media := splitMedia(p.Parts)
		if len(media) > 0 {
			shown = append(append(shown, llm.Part{Text: llm.Quote("The tool call " + p.ID + " returned:")}), media...)
		}
		if p.Failed {
			e.LeaveFailure()
		}
		e.open("tool")
		e.Text(`,"tool_call_id":`)
		e.Quote(p.ID)
		e.content(m.At, texts)
		e.cache(p.Cache)
		e.Text("}")
	}
	if said = append(shown, said...); len(said) > 0 || len(m.Parts) == 0 {
		e.say("user", m.At, said)
	}
}

// splitMedia splits the parts of a result into texts, with what only a vendor knows, and images and files.
func splitMedia(parts []llm.Part) (texts, media []llm.Part) {
	isMedia := func(p llm.Part) bool { return p.Kind == llm.Image || p.Kind == llm.File }
	if !slices.ContainsFunc(parts, isMedia) {
		return parts, nil
	}
	for _, p := range parts {
		if isMedia(p) {
			media = append(media, p)
		} else {
			texts = append(texts, p)
		}
	}
	return texts, media
}

// assistant writes what an earlier answer said.
func (e *chatEncoder) assistant(m *llm.Message) {
	var said, thoughts, calls []llm.Part
	for _, p := range m.Parts {
		switch {
		case p.Thought():
			thoughts = append(thoughts, p)
		case p.Kind == llm.ToolCall:
			calls = append(calls, p)
		default:
			said = append(said, p)
		}
	}
	e.open("assistant")
	if len(said) == 0 && len(calls) > 0 {
		e.Text(`,"content":null`)
	} else {
		e.content(m.At, said)
	}
	e.thoughts(thoughts)
	e.signature(said)
	sep := `,"tool_calls":[`
	for i := range calls {
		e.Text(sep)
		e.call(&calls[i])
		sep = ","
	}
	if len(calls) > 0 {
		e.Text("]")
		e.cacheCalls(calls)
	}
	e.Text("}")
}

// cacheCalls writes where a prompt cache may end among calls. Only the message can have the mark, which then applies after the last
// call.
func (e *chatEncoder) cacheCalls(calls []llm.Part) {
	last := len(calls) - 1
	for i := range calls[:last] {
		if calls[i].Cache != nil {
			e.Leave(CacheControl)
		}
	}
	e.cache(calls[last].Cache)
}

// thoughts writes reasoning: what is signed as thinking_blocks, all other as a text.
func (e *chatEncoder) thoughts(parts []llm.Part) {
	var text, blocks []byte
	for i := range parts {
		switch p := &parts[i]; {
		case len(p.Opaque.Inner()) > 0:
			if len(blocks) > 0 {
				blocks = append(blocks, ',')
			}
			blocks = appendThought(blocks, p.Kind, p.Maker, p.Text.Inner(), p.Opaque)
		case p.Kind == llm.Reasoning:
			text = append(text, p.Text.Inner()...)
		default: // it says nothing
			e.LeaveThoughts()
		}
	}
	if len(text) > 0 {
		e.Text(`,"reasoning_content":"`)
		e.Raw(text)
		e.Text(`"`)
	}
	if len(blocks) > 0 {
		e.Text(`,"` + ThinkingBlocks + `":[`)
		e.Raw(blocks)
		e.Text("]")
	}
}

// signature writes the signature of a text. A message has room for one.
func (e *chatEncoder) signature(said []llm.Part) {
	var last llm.JSON
	for i := range said {
		if len(said[i].Opaque.Inner()) == 0 {
			continue
		}
		if last != nil {
			e.LeaveThoughts()
		}
		last = said[i].Opaque
	}
	e.extra(last)
}

// extra writes a signature of Google's as a member of the object that is open.
func (e *chatEncoder) extra(signature llm.JSON) {
	if len(signature.Inner()) > 0 {
		e.Text(`,"` + ExtraContent + `":`)
		e.Out = appendExtra(e.Out, signature)
	}
}

// call writes a call of a tool.
func (e *chatEncoder) call(p *llm.Part) {
	e.Text(`{"id":`)
	e.Quote(p.ID)
	if input := freeInput(p.Args); input != nil && e.isCustom(p.Name) {
		e.Text(`,"type":"custom","custom":{"name":`)
		e.Raw(p.Name)
		e.Text(`,"` + customInput + `":`)
		e.Raw(input)
	} else {
		e.Text(`,"type":"function","function":{"name":`)
		e.Raw(p.Name)
		e.Text(`,"arguments":`)
		e.Out = llm.AppendQuote(e.Out, []byte(p.Args))
	}
	e.Text("}")
	e.extra(p.Opaque)
	e.Text("}")
}

// freeInput returns the text in the arguments of a custom tool's function, a string; nil if they are something else.
func freeInput(args llm.JSON) llm.JSON {
	rest, ok := bytes.CutPrefix(args, []byte(customOpen))
	input, closed := bytes.CutSuffix(rest, []byte("}"))
	if text := llm.JSON(input); ok && closed && text.Kind() == '"' && jsonwalk.Valid(input, jsonwalk.Options{}) == nil {
		return text
	}
	return nil
}

// content writes parts. A single text is a string.
func (e *chatEncoder) content(at int, parts []llm.Part) {
	e.Text(`,"content":`)
	switch {
	case len(parts) == 0:
		e.Text(`""`)
		return
	case len(parts) == 1 && parts[0].Kind == llm.Text && parts[0].Cache == nil:
		e.Raw(parts[0].Text)
		return
	}
	sep := "["
	for i := range parts {
		e.Text(sep)
		e.part(at, &parts[i])
		sep = ","
	}
	e.Text("]")
}

func (e *chatEncoder) part(at int, p *llm.Part) {
	switch {
	case p.Kind == llm.Native:
		e.Raw(p.Raw)
		return
	case p.Kind == llm.Text:
		e.Text(`{"type":"text","text":`)
		e.Raw(p.Text)
	case p.Kind == llm.Image:
		e.image(p)
	case p.Kind == llm.File && p.Data != nil:
		e.file(p)
	default:
		e.Impossible(at, "a part without its bytes, or in the wrong message")
	}
	e.cache(p.Cache)
	e.Text("}")
}

func (e *chatEncoder) image(p *llm.Part) {
	e.Text(`{"type":"image_url","image_url":{"url":`)
	if p.URL != nil {
		e.Raw(p.URL)
	} else {
		e.dataURL(p)
	}
	if p.Detail != nil {
		e.Text(`,"detail":`)
		e.Raw(p.Detail)
	}
	e.Text("}")
}

// file writes a file. Sound has a part of its own, which has no name.
func (e *chatEncoder) file(p *llm.Part) {
	if p.Name == nil && (p.Media == "audio/wav" || p.Media == "audio/mp3") {
		e.Text(`{"type":"input_audio","input_audio":{"data":"`)
		e.Raw(p.Data)
		e.Text(`","format":`)
		e.Quote(p.Media[len("audio/"):])
		e.Text("}")
		return
	}
	e.Text(`{"type":"file","file":{`)
	if p.Name != nil {
		e.Text(`"filename":`)
		e.Raw(p.Name)
		e.Text(",")
	}
	e.Text(`"file_data":`)
	e.dataURL(p)
	e.Text("}")
}

// dataURL writes bytes as an address that holds them.
func (e *chatEncoder) dataURL(p *llm.Part) {
	e.Text(`"data:`)
	e.Raw(llm.Quote(p.Media).Inner())
	e.Text(";base64,")
	e.Raw(p.Data)
	e.Text(`"`)
}
