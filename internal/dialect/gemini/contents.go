package gemini

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// contents writes the system instruction and the turns. Successive messages of one side become one turn. Tool results
// are a turn of their own, because the API wants as many of them as calls.
func (e *encoder) contents() {
	system := e.parts(0, e.System)
	var ahead []llm.Part // what the first turn of the user begins with
	if e.model.noSystem || len(e.Messages) == 0 {
		system, ahead = nil, system
	}
	e.Text(`{"contents":[`)
	sep := ""
	write := func(role string, at int, parts []llm.Part) {
		if len(parts) > 0 {
			e.Text(sep + `{"role":"` + role + `","parts":[`)
			e.list(at, parts)
			e.Text("]}")
			sep = ","
		}
	}
	for i := 0; i < len(e.Messages); {
		from := i
		var parts []llm.Part
		for ; i < len(e.Messages) && e.Messages[i].Role == e.Messages[from].Role; i++ {
			parts = append(parts, e.parts(e.Messages[i].At, e.Messages[i].Parts)...)
		}
		at := e.Messages[from].At
		if e.Messages[from].Role == llm.Assistant {
			write("model", at, parts)
			continue
		}
		parts, ahead = append(ahead, parts...), nil
		for _, group := range byResults(parts) {
			if e.vertex && group[0].Kind == llm.Result {
				slices.SortStableFunc(group, func(a, b llm.Part) int { return e.called[a.ID].place - e.called[b.ID].place })
			}
			write("user", at, group)
		}
	}
	write("user", 0, ahead)
	if sep == "" && len(e.Messages) > 0 { // the API refuses a conversation without a turn, and takes one that says nothing
		e.Text(`{"role":"user","parts":[{"text":""}]}`)
	}
	e.Text("]")
	if len(system) > 0 {
		e.Text(`,"systemInstruction":{"parts":[`)
		e.list(0, system)
		e.Text("]}")
	}
}

// byResults cuts a turn where results of tools begin and end.
func byResults(parts []llm.Part) [][]llm.Part {
	var groups [][]llm.Part
	for from, i := 0, 0; i < len(parts); i++ {
		if i+1 == len(parts) || (parts[i].Kind == llm.Result) != (parts[i+1].Kind == llm.Result) {
			groups = append(groups, parts[from:i+1])
			from = i + 1
		}
	}
	return groups
}

// parts are those that can be sent. Reasoning is another vendor's, where it is not said to be Google's: that comes back as the signature
// of what it led to.
func (e *encoder) parts(at int, parts []llm.Part) []llm.Part {
	kept := make([]llm.Part, 0, len(parts))
	for i := range parts {
		p := &parts[i]
		e.uncached(p.Cache)
		switch {
		case p.Kind == llm.Reasoning && p.Maker != maker, p.Kind == llm.Redacted:
		case p.Kind == llm.Text && len(p.Text.Inner()) == 0 && len(p.Opaque.Inner()) == 0: // refused
		case (p.Kind == llm.Image || p.Kind == llm.File) && p.Data != nil && p.Media == "":
			e.Impossible(at, "data without a media type")
		case p.Kind == llm.File && p.Data == nil && typeOf(p) == "":
			e.Impossible(at, "a file by an address that does not end in the file's type")
		case p.Kind == llm.Image && p.Data == nil && e.vertex && typeOf(p) == "": // which it needs to know of what it fetches
			e.Impossible(at, "an image by an address that does not end in the image's type")
		default:
			kept = append(kept, *p)
		}
	}
	return kept
}

// list writes parts.
func (e *encoder) list(at int, parts []llm.Part) {
	called := false
	for i := range parts {
		if i > 0 {
			e.Text(",")
		}
		p := &parts[i]
		if p.Kind == llm.Native {
			e.Raw(p.Raw)
			continue
		}
		signature := p.Opaque
		if p.Kind == llm.ToolCall {
			if !called && len(signature.Inner()) == 0 && e.model.signed {
				signature = unsigned
			}
			called = true
		}
		e.part(at, p)
		if len(signature.Inner()) > 0 && p.Kind != llm.Result {
			e.Text(`,"thoughtSignature":`)
			e.Raw(signature)
		}
		e.Text("}")
	}
}

// unsigned replaces the signature of a call that another model made, or whose signature was not sent back. It is the
// value that the vendor's documentation gives for this, in base64.
var unsigned = llm.JSON(`"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="`)

// part writes a part but for its closing brace.
func (e *encoder) part(at int, p *llm.Part) {
	switch p.Kind {
	case llm.Text:
		e.Text(`{"text":`)
		e.Raw(p.Text)
	case llm.Reasoning:
		e.Text(`{"text":`)
		e.Raw(p.Text)
		e.Text(`,"thought":true`)
	case llm.Image, llm.File:
		e.media(p)
	case llm.ToolCall:
		e.called[p.ID] = called{p.Name, e.calls}
		e.calls++
		e.Text(`{"functionCall":{`)
		e.id(p.ID)
		e.Text(`"name":`)
		e.Raw(p.Name)
		e.Text(`,"args":`)
		e.Raw(p.Args)
		e.Text("}")
	case llm.Result:
		e.result(at, p)
	}
}

// id writes the id of a call, unless Weir made it up. Vertex AI, which gives none, refuses any as a name that it does not know:
// there a result belongs to a call by its place.
func (e *encoder) id(id string) {
	if !e.vertex && NamedCall(id) {
		e.Text(`"id":`)
		e.Quote(id)
		e.Text(",")
	}
}

// media writes what is no text, but for the closing brace.
func (e *encoder) media(p *llm.Part) {
	e.LeaveDetail(p)
	if p.Data != nil {
		e.Text(`{"inlineData":{"mimeType":`)
		e.Quote(p.Media)
		e.Text(`,"data":"`)
		e.Raw(p.Data)
		e.Text(`"}`)
		return
	}
	e.Text(`{"fileData":{`)
	if media := typeOf(p); media != "" {
		e.Text(`"mimeType":`)
		e.Quote(media)
		e.Text(",")
	}
	e.Text(`"fileUri":`)
	e.Raw(p.URL)
	e.Text("}")
}

// typeOf is the media type of an image or a file that is named by its address, "" if that is not known.
func typeOf(p *llm.Part) string { return cmp.Or(p.Media, mediaOf(p.URL.Text())) }

// mediaOf is the media type of an image or a document by the end of its address, "" if that is unknown.
func mediaOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	switch strings.ToLower(path.Ext(address)) {
	case ".pdf":
		return "application/pdf"
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".webp":
		return "image/webp"
	case ".gif":
		return "image/gif"
	case ".heic":
		return "image/heic"
	}
	return ""
}

// result writes the result of a tool but for the closing brace. The API wants the tool's name with it, and an object.
func (e *encoder) result(at int, p *llm.Part) {
	name := p.Name
	if name == nil {
		name = e.called[p.ID].name
	}
	if name == nil {
		e.unknown(p.ID)
		return
	}
	e.Text(`{"functionResponse":{`)
	e.id(p.ID)
	e.Text(`"name":`)
	e.Raw(name)
	text := []byte{'"'}
	var media []llm.Part
	for _, part := range e.parts(at, p.Parts) {
		if part.Kind == llm.Text {
			text = append(text, part.Text.Inner()...)
		} else {
			media = append(media, part)
		}
	}
	e.Text(`,"response":`)
	e.response(append(text, '"'), p.Failed)
	e.shown(at, media)
	e.Text("}")
}

// response writes what a tool answered: an object as it is, anything else as the output. What went wrong is the error.
func (e *encoder) response(text llm.JSON, failed bool) {
	object := objectIn(text)
	name := `{"output":`
	if failed {
		name = `{"error":`
	}
	switch {
	case object == "":
		e.Text(name)
		e.Raw(text)
		e.Text("}")
	case failed:
		e.Text(name + object + "}")
	default:
		e.Text(object)
	}
}

// objectIn is the object that a text spells, "" if it is not one.
func objectIn(text llm.JSON) string {
	if head := bytes.TrimLeft(text.Inner(), " \\nrt"); len(head) == 0 || head[0] != '{' {
		return ""
	}
	if object := strings.TrimSpace(text.Text()); isObject([]byte(object)) {
		return object
	}
	return ""
}

func isObject(text []byte) bool {
	return len(text) > 0 && text[0] == '{' && jsonwalk.Valid(text, jsonwalk.Options{MaxDepth: maxDepth, Unique: true}) == nil
}

// maxDepth is how deep an object of a tool's output may be: deeper ones are sent as text.
const maxDepth = 64

// shown writes the images of a tool's result. Only the models that also want signatures accept images there.
func (e *encoder) shown(at int, media []llm.Part) {
	for i := range media {
		p := &media[i]
		if p.Data == nil && !e.vertex || !e.model.signed {
			e.Impossible(at, "an image in a tool's result")
			return
		}
		e.Text([...]string{`,"parts":[`, ","}[min(i, 1)])
		e.media(p)
		e.Text("}")
	}
	if len(media) > 0 {
		e.Text("]")
	}
}

// unknown refuses the result of a call that was not made.
func (e *encoder) unknown(id string) {
	for i := range e.Messages {
		for _, p := range e.Messages[i].Parts {
			if p.Kind == llm.Result && p.ID == id {
				param := fmt.Sprintf("messages[%d].tool_call_id", e.Messages[i].At)
				e.Refuse(llm.InvalidValue, param, fmt.Sprintf("'%s' must be the id of a tool call in an earlier message.", param))
			}
		}
	}
}
