package converse

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func (d *decoder) turn(i int, v llm.JSON) {
	path := fmt.Sprintf("messages[%d]", i)
	m := llm.Message{At: i}
	d.each(path, v, func(path, name string, v llm.JSON) {
		switch name {
		case "role":
			switch v.Text() {
			case user:
			case assistant:
				m.Role = llm.Assistant
			default:
				d.Wrong(llm.InvalidValue, path, fmt.Sprintf("'%s' must be user or assistant.", path))
			}
		case "content":
			m.Parts = d.blocks(path, v)
		default:
			d.Leave("messages[]." + name)
		}
	})
	d.Out.Messages = append(d.Out.Messages, m)
}

// blocks reads a list of blocks. A cache point is noted on the block before it.
func (d *decoder) blocks(path string, v llm.JSON) (parts []llm.Part) {
	if !d.Is(v, '[', path) {
		return nil
	}
	for i, v := range jsonwalk.Elements(v) {
		at := fmt.Sprintf("%s[%d]", path, i)
		if !d.Is(v, '{', at) {
			return nil
		}
		if cache := cacheOf(v); cache != nil && i > 0 && parts[len(parts)-1].Cache == nil {
			parts[len(parts)-1].Cache = cache
			continue
		}
		parts = append(parts, d.block(at, v))
	}
	return parts
}

// cacheOf is what a block says of where a prompt cache may end, as Anthropic spells it; nil if it is another block.
func cacheOf(block llm.JSON) llm.JSON {
	point := only(block, "cachePoint")
	ttl := member(point, "ttl")
	switch typ := member(point, "type").Text(); {
	case typ == "default" && count(point) == 1:
		return llm.JSON(`{"type":"ephemeral"}`)
	case typ == "default" && count(point) == 2 && ttl.Kind() == '"':
		return append(append(llm.JSON(`{"type":"ephemeral","ttl":`), ttl...), '}')
	}
	return nil
}

// block reads a block. One that the typed model does not know whole stays as it is.
func (d *decoder) block(path string, v llm.JSON) (p llm.Part) {
	known := false
	for name, inner := range jsonwalk.Members(v) {
		switch string(name) {
		case "text":
			p.Text = str(inner)
			known = p.Text != nil
		case "image":
			known = picture(inner, &p)
		case "document":
			known = document(inner, &p)
		case "toolUse":
			known = d.toolUse(path+".toolUse", inner, &p)
		case "toolResult":
			known = d.toolResult(path+".toolResult", inner, &p)
		case "reasoningContent":
			known = d.reasoning(inner, &p)
		}
	}
	if !known || count(v) != 1 {
		return llm.Part{Kind: llm.Native, Of: llm.Converse, Raw: v}
	}
	return p
}

// bytesOf are the bytes that a source has, nil if it has something else.
func bytesOf(source llm.JSON) []byte {
	if data := only(source, "bytes").Inner(); draft.Base64(data) {
		return data
	}
	return nil
}

func picture(v llm.JSON, p *llm.Part) bool {
	p.Kind, p.Media, p.Data = llm.Image, "image/"+member(v, "format").Text(), bytesOf(member(v, "source"))
	return count(v) == 2 && p.Data != nil && "image/"+imageFormat(p.Media) == p.Media
}

func document(v llm.JSON, p *llm.Part) bool {
	p.Kind, p.Name, p.Data = llm.File, str(member(v, "name")), bytesOf(member(v, "source"))
	p.Media = mediaOf(member(v, "format").Text())
	return count(v) == 3 && p.Name != nil && p.Data != nil && p.Media != ""
}

// toolUse reads the call of a tool. That of a tool of the vendor's own is not one that the typed model knows.
func (d *decoder) toolUse(path string, v llm.JSON, p *llm.Part) bool {
	kind, id, name := called(v)
	switch {
	case kind != llm.ToolCall:
		return false
	case id == nil:
		d.Missing(path + ".toolUseId")
	case name == nil:
		d.Missing(path + ".name")
	}
	*p = llm.Part{Kind: kind, ID: id.Text(), Name: name, Args: member(v, "input")}
	d.Is(p.Args, '{', path+".input")
	return count(v) == 3
}

func (d *decoder) toolResult(path string, v llm.JSON, p *llm.Part) bool {
	p.Kind = llm.Result
	known := true
	d.each(path, v, func(path, name string, v llm.JSON) {
		switch {
		case name == "toolUseId" && d.Is(v, '"', path):
			p.ID = v.Text()
		case name == "content":
			p.Parts = d.blocks(path, v)
		case name == "status" && (v.Text() == "success" || v.Text() == "error"):
			p.Failed = v.Text() == "error"
		default:
			known = false
		}
	})
	if p.ID == "" {
		d.Missing(path + ".toolUseId")
	}
	return known
}

func (d *decoder) reasoning(v llm.JSON, p *llm.Part) bool {
	p.Maker = d.maker
	if text := only(v, "reasoningText"); text != nil {
		p.Kind, p.Text, p.Opaque = llm.Reasoning, str(member(text, "text")), str(member(text, "signature"))
		return p.Text != nil && (count(text) == 1 || p.Opaque != nil && count(text) == 2)
	}
	p.Kind, p.Opaque = llm.Redacted, str(only(v, "redactedContent"))
	return p.Opaque != nil
}

func (d *decoder) toolConfig(path, name string, v llm.JSON) {
	switch name {
	case "tools":
		if d.Is(v, '[', path) {
			for i, tool := range jsonwalk.Elements(v) {
				d.tool(fmt.Sprintf("%s[%d]", path, i), tool)
			}
		}
	case "toolChoice":
		d.choice(path, v)
	default:
		d.Leave(path)
	}
}

func (d *decoder) choice(path string, v llm.JSON) {
	named := str(only(only(v, "tool"), "name"))
	switch {
	case bare(only(v, "auto")):
		d.Out.Choice.Kind = llm.ChoiceAuto
	case bare(only(v, "any")):
		d.Out.Choice.Kind = llm.ChoiceAny
	case named != nil:
		d.Out.Choice = llm.Choice{Kind: llm.ChoiceTool, Name: named}
	default:
		d.Wrong(llm.InvalidValue, path, fmt.Sprintf("'%s' must have one of auto, any and tool, the last with a name.", path))
	}
}

// bare reports whether there is a value with nothing in it.
func bare(v llm.JSON) bool { return v.Kind() == '{' && jsonwalk.Empty(v) }

// tool reads a tool, or a cache point after one.
func (d *decoder) tool(path string, v llm.JSON) {
	tools := d.Out.Tools
	if cache := cacheOf(v); cache != nil && len(tools) > 0 && tools[len(tools)-1].Raw == nil && tools[len(tools)-1].Cache == nil {
		tools[len(tools)-1].Cache = cache
		return
	}
	var t llm.Tool
	spec, known := only(v, "toolSpec"), true
	if spec != nil {
		d.each(path+".toolSpec", spec, func(path, name string, v llm.JSON) {
			switch {
			case name == "name" && d.Is(v, '"', path):
				t.Name = v
			case name == "description" && d.Is(v, '"', path):
				t.Description = v
			case name == "inputSchema" && only(v, "json").Kind() == '{':
				t.Schema = only(v, "json")
			case name == "strict" && d.Is(v, 't', path):
				t.Strict = v[0] == 't'
			default:
				known = false
			}
		})
	}
	switch {
	case spec == nil || !known:
		t = llm.Tool{Raw: v, Of: llm.Converse}
	case t.Name == nil:
		d.Missing(path + ".toolSpec.name")
	}
	d.Out.Tools = append(tools, t)
}

// mediaOf is the type of files that the API has a word for, "" if it has another.
func mediaOf(format string) string {
	for _, f := range fileFormats {
		if f.format == format {
			return f.media
		}
	}
	return ""
}

// validName reports whether a document may have that name.
func validName(name string) bool {
	for _, word := range strings.Split(name, " ") {
		if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !inName(r) }) {
			return false
		}
	}
	return len(name) <= maxName
}
