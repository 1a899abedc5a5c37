package anthropic

import (
	"encoding/base64"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// system writes the system and developer messages, which come before all others.
func (e *encoder) system() {
	var parts []llm.Part
	for _, p := range e.System {
		if p.Kind == llm.Native || p.Kind == llm.Text && !p.Text.Blank() {
			parts = append(parts, p)
		}
	}
	switch {
	case len(parts) == 0:
	case len(parts) == 1 && parts[0].Kind == llm.Text && parts[0].Cache == nil:
		e.Text(`,"system":`)
		e.Raw(parts[0].Text)
	default:
		e.Text(`,"system":`)
		e.blocks(0, parts)
	}
}

// messages writes the turns. What one side says in several messages is one turn: the API wants the results of all tool
// calls in the message that follows them. What the system says between turns keeps its place, so that the prompt cache keeps what comes
// before it.
func (e *encoder) messages() {
	e.Text(`,"messages":[`)
	sep := ""
	for i := 0; i < len(e.Messages); {
		role, from := e.Messages[i].Role, i
		for i < len(e.Messages) && e.Messages[i].Role == role {
			i++
		}
		if e.turn(sep, role, e.Messages[from:i]) {
			sep = ","
		}
	}
	e.Text("]")
	if sep == "" {
		e.NoTurns(e.Messages)
	}
}

// turn writes one turn, unless nothing is in it.
func (e *encoder) turn(sep string, role llm.Role, messages []llm.Message) bool {
	var parts []llm.Part
	for i := range messages {
		for _, p := range messages[i].Parts {
			if e.fits(messages[i].At, &p) {
				parts = append(parts, p)
			}
		}
	}
	if len(parts) == 0 {
		return false
	}
	name := [...]string{llm.User: "user", llm.Assistant: "assistant", llm.System: "system"}[role]
	e.Text(sep + `{"role":"` + name + `","content":`)
	if len(parts) == 1 && parts[0].Kind == llm.Text && parts[0].Cache == nil {
		e.Raw(parts[0].Text)
	} else {
		e.blocks(messages[0].At, parts)
	}
	e.Text("}")
	return true
}

// fits reports whether a part is to be sent: the API refuses texts of nothing, and the model reasoning that is not its own.
func (e *encoder) fits(at int, p *llm.Part) bool {
	switch {
	case p.Kind == llm.File && p.Data == nil && e.Hosted != "":
		e.Impossible(at, "a file by its address")
	case p.Kind == llm.File && p.Data == nil && p.Media == "": // the API takes it for a PDF
	case p.Kind == llm.File && p.Media != "application/pdf" && !strings.HasPrefix(p.Media, "text/"):
		e.Impossible(at, "a file that is not a PDF or text")
	case p.Unsigned():
		return false
	case p.Thought() && !e.plan.Reads(p):
		e.LeaveThoughts()
		return false
	}
	return p.Kind != llm.Text || !p.Text.Blank()
}

func (e *encoder) blocks(at int, parts []llm.Part) {
	e.Text("[")
	for i := range parts {
		if i > 0 {
			e.Text(",")
		}
		e.block(at, &parts[i])
	}
	e.Text("]")
}

func (e *encoder) block(at int, p *llm.Part) {
	switch p.Kind {
	case llm.Native:
		e.Raw(p.Raw)
		return
	case llm.Text:
		e.Text(`{"type":"text","text":`)
		e.Raw(p.Text)
	case llm.Image:
		e.image(p)
	case llm.File:
		e.file(at, p)
	case llm.ToolCall:
		e.Text(`{"type":"tool_use","id":"` + toolID(p.ID) + `","name":`)
		e.Raw(p.Name)
		e.Text(`,"input":`)
		e.Raw(p.Args)
	case llm.Result:
		e.result(at, p)
	case llm.Reasoning:
		e.Text(`{"type":"thinking","thinking":`)
		e.Raw(p.Text)
		e.Text(`,"signature":`)
		e.Raw(p.Opaque)
	case llm.Redacted:
		e.Text(`{"type":"redacted_thinking","data":`)
		e.Raw(p.Opaque)
	}
	if p.Cache != nil {
		e.Text(`,"cache_control":`)
		e.Raw(p.Cache)
	}
	e.Text("}")
}

func (e *encoder) image(p *llm.Part) {
	e.LeaveDetail(p)
	if p.Data == nil {
		e.Text(`{"type":"image","source":{"type":"url","url":`)
		e.Raw(p.URL)
		e.Text("}")
		return
	}
	e.Text(`{"type":"image","source":{"type":"base64","media_type":`)
	e.Quote(p.Media)
	e.Text(`,"data":"`)
	e.Raw(p.Data)
	e.Text(`"}`)
}

func (e *encoder) file(at int, p *llm.Part) {
	if p.Data == nil {
		e.Text(`{"type":"document","source":{"type":"url","url":`)
		e.Raw(p.URL)
		e.Text(`}`)
	} else if p.Media == "application/pdf" {
		e.Text(`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"`)
		e.Raw(p.Data)
		e.Text(`"}`)
	} else {
		text, err := base64.StdEncoding.AppendDecode(nil, p.Data)
		if err != nil {
			e.Impossible(at, "a file whose data is not base64")
		}
		e.Text(`{"type":"document","source":{"type":"text","media_type":"text/plain","data":`)
		e.Out = llm.AppendQuote(e.Out, text)
		e.Text(`}`)
	}
	if len(p.Name.Inner()) > 0 {
		e.Text(`,"title":`)
		e.Raw(p.Name)
	}
}

func (e *encoder) result(at int, p *llm.Part) {
	e.Text(`{"type":"tool_result","tool_use_id":"` + toolID(p.ID) + `"`)
	var parts []llm.Part
	for _, part := range p.Parts {
		if e.fits(at, &part) {
			parts = append(parts, part)
		}
	}
	switch {
	case len(parts) == 0:
	case len(parts) == 1 && parts[0].Kind == llm.Text && parts[0].Cache == nil:
		e.Text(`,"content":`)
		e.Raw(parts[0].Text)
	default:
		e.Text(`,"content":`)
		e.blocks(at, parts)
	}
	if p.Failed {
		e.Text(`,"is_error":true`)
	}
}

// toolID is an id as the API takes it: other vendors' have other characters too. The same one always becomes the same.
func toolID(id string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, id)
}
