package anthropic

import (
	"bytes"
	"encoding/base64"
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func (d *decoder) messages(v llm.JSON) {
	if !d.Is(v, '[', "messages") {
		return
	}
	d.Out.Messages = []llm.Message{}
	for i, message := range jsonwalk.Elements(v) {
		path := fmt.Sprintf("messages[%d]", i)
		if d.Is(message, '{', path) {
			d.message(i, path, message)
		}
	}
}

func (d *decoder) message(i int, path string, v llm.JSON) {
	m := llm.Message{At: i}
	var role, content llm.JSON
	for name, v := range draft.Given(v) {
		switch string(name) {
		case "role":
			role = v
		case "content":
			content = v
		default:
			d.unknown(path, string(name))
		}
	}
	switch role.Text() {
	case "user":
		m.Role = llm.User
	case "assistant":
		m.Role = llm.Assistant
	default:
		if role.Text() == "system" && (i > 0 || d.caller != nil) {
			m.Role = llm.System
			break
		}
		d.oneOf(path+".role", "user or assistant")
	}
	if content == nil {
		d.Missing(path + ".content")
		return
	}
	path += ".content"
	m.Parts = d.content(content, path)
	for j := range m.Parts {
		if !speaks(m.Role, &m.Parts[j]) {
			at := fmt.Sprintf("%s[%d]", path, j)
			d.Wrong(llm.InvalidValue, at, fmt.Sprintf("'%s' cannot be said by the %s.", at, role.Text()))
		}
	}
	d.Out.Messages = append(d.Out.Messages, m)
}

// speaks reports whether a role may say a part.
func speaks(role llm.Role, p *llm.Part) bool {
	switch {
	case p.Kind == llm.Result:
		return role == llm.User
	case p.Kind == llm.ToolCall || p.Thought():
		return role == llm.Assistant
	}
	return true
}

// content is a list of blocks, or a string in place of one text.
func (d *decoder) content(v llm.JSON, path string) []llm.Part {
	if v.Kind() == '"' {
		return []llm.Part{{Kind: llm.Text, Text: v}}
	}
	if !d.Is(v, '[', path) {
		return nil
	}
	var parts []llm.Part
	for i, block := range jsonwalk.Elements(v) {
		at := fmt.Sprintf("%s[%d]", path, i)
		if d.Is(block, '{', at) {
			parts = append(parts, d.part(block, at))
		}
	}
	return parts
}

// said is a block as it was found, before its type says what it means.
type said struct {
	typ                     string
	text, opaque            llm.JSON
	id, name, input         llm.JSON
	content, failed, source llm.JSON
	cache                   llm.JSON
}

// read takes a member; false if the typed model has no place for it in a block of this type.
func (s *said) read(name string, v llm.JSON) bool {
	var to *llm.JSON
	switch s.typ + " " + name {
	case "text text", "thinking thinking":
		to = &s.text
	case "thinking signature", "redacted_thinking data":
		to = &s.opaque
	case "tool_use id", "tool_result tool_use_id":
		to = &s.id
	case "tool_use name", "document title", "tool_reference tool_name":
		to = &s.name
	case "tool_use input":
		to = &s.input
	case "tool_result content":
		to = &s.content
	case "tool_result is_error":
		to = &s.failed
	case "image source", "document source":
		to = &s.source
	default:
		switch name {
		case "type":
			return true
		case "cache_control":
			to = &s.cache
		default:
			return false
		}
	}
	*to = v
	return true
}

// part is a block. One that the typed model has no words for stays as it is.
func (d *decoder) part(v llm.JSON, path string) llm.Part {
	native := llm.Part{Kind: llm.Native, Raw: v, Of: llm.Anthropic}
	s := said{typ: typeOf(v)}
	if s.typ == "" {
		d.Missing(path + ".type")
	}
	for name, v := range draft.Given(v) {
		if !s.read(string(name), v) && !d.lets(&s, path, string(name)) {
			return native
		}
	}
	p := llm.Part{Cache: s.cache}
	switch s.typ {
	case "text":
		d.Is(s.text, '"', path+".text")
		p.Kind, p.Text = llm.Text, s.text
	case "thinking":
		d.Is(s.text, '"', path+".thinking")
		if s.opaque != nil || d.caller == nil {
			d.Is(s.opaque, '"', path+".signature")
		}
		p.Kind, p.Text, p.Opaque = llm.Reasoning, s.text, s.opaque
	case "redacted_thinking":
		d.Is(s.opaque, '"', path+".data")
		p.Kind, p.Opaque = llm.Redacted, s.opaque
	case "tool_use":
		d.Is(s.id, '"', path+".id")
		d.Is(s.name, '"', path+".name")
		d.Is(s.input, '{', path+".input")
		p.Kind, p.ID, p.Name, p.Args = llm.ToolCall, s.id.Text(), s.name, s.input
	case "tool_result":
		d.Is(s.id, '"', path+".tool_use_id")
		p.Kind, p.ID, p.Parts = llm.Result, s.id.Text(), d.result(s.content, path+".content")
		p.Failed = s.failed != nil && d.flag(s.failed, path+".is_error")
	case "image", "document":
		if !d.source(&p, s, path+".source") {
			d.unknowable(path+".source", "a source of its own")
			return native
		}
	default:
		if s.typ == toolReference && d.caller != nil {
			return d.reference(s, path)
		}
		d.unknowable(path+".type", "a "+llm.Clip(s.typ)+" block")
		return native
	}
	return p
}

// result is what a tool answered, which is no part of the conversation itself.
func (d *decoder) result(v llm.JSON, path string) []llm.Part {
	if v == nil {
		return nil
	}
	parts := d.content(v, path)
	for i := range parts {
		switch parts[i].Kind {
		case llm.Text, llm.Image, llm.File, llm.Native:
		default:
			at := fmt.Sprintf("%s[%d]", path, i)
			d.Wrong(llm.InvalidValue, at, fmt.Sprintf("'%s' cannot be the result of a tool.", at))
		}
	}
	return parts
}

// source is where an image or a document is; false if that is a place that only the API knows.
func (d *decoder) source(p *llm.Part, s said, path string) bool {
	if !d.Is(s.source, '{', path) {
		return true
	}
	var media, data, url llm.JSON
	for name, v := range draft.Given(s.source) {
		switch string(name) {
		case "type":
		case "media_type":
			media = v
		case "data":
			data = v
		case "url":
			url = v
		default:
			return false
		}
	}
	p.Name, p.Media = s.name, media.Text()
	at := typeOf(s.source)
	if at == "url" && (media != nil || data != nil) || at != "url" && url != nil { // mixes two sources
		return false
	}
	switch s.typ + " " + at {
	case "image url":
		p.Kind, p.URL = llm.Image, url
		return d.Is(url, '"', path+".url")
	case "document url":
		p.Kind, p.URL, p.Media = llm.File, url, pdf // which is all that may be there
		return d.Is(url, '"', path+".url")
	case "image base64":
		p.Kind = llm.Image
	case "document base64":
		p.Kind = llm.File
		if p.Media != pdf {
			return false
		}
	case "document text":
		p.Kind = llm.File
		p.Data = base64.StdEncoding.AppendEncode([]byte{}, []byte(data.Text()))
		return d.Is(data, '"', path+".data") && p.Media == "text/plain"
	default:
		return false
	}
	d.Is(media, '"', path+".media_type")
	if d.Is(data, '"', path+".data") {
		p.Data = data.Inner()
		if bytes.IndexByte(p.Data, '\\') >= 0 {
			p.Data = []byte(data.Text())
		}
		if !draft.Base64(p.Data) {
			d.Wrong(llm.InvalidValue, path+".data", fmt.Sprintf("'%s.data' must be base64.", path))
		}
	}
	return true
}

const pdf = "application/pdf"

// typeOf is the type of a block, or of something in it.
func typeOf(object llm.JSON) string {
	for name, v := range jsonwalk.Members(object) {
		if string(name) == "type" {
			return llm.JSON(v).Text()
		}
	}
	return ""
}
