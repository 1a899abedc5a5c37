package gemini

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// content adds a turn.
func (d *decoder) content(i int, value llm.JSON) {
	m := d.said(value, fmt.Sprintf("%s[%d]", contentsName, i))
	m.At = i
	d.Out.Messages = append(d.Out.Messages, m)
}

// said is what one side says. The role may be left out of what the user says.
func (d *decoder) said(value llm.JSON, param string) (m llm.Message) {
	if !d.Is(value, '{', param) {
		return m
	}
	for name, v := range draft.Given(value) {
		switch string(name) {
		case "role":
			switch v.Text() {
			case "user", "":
			case "model":
				m.Role = llm.Assistant
			default:
				d.Wrong(llm.InvalidValue, param+".role", "Please use a valid role: user, model.")
			}
		case "parts":
			for j, part := range d.list(v, param+".parts") {
				m.Parts = append(m.Parts, d.part(fmt.Sprintf("%s.parts[%d]", param, j), part))
			}
		default:
			d.Wrong(llm.InvalidValue, param+"."+string(name), fmt.Sprintf("'%s' has an unknown field %q.", param, name))
		}
	}
	if len(m.Parts) == 0 {
		d.Wrong(llm.MissingParameter, param+".parts", fmt.Sprintf("* GenerateContentRequest.%s.parts: contents.parts must not be empty.", param))
	}
	return m
}

// part reads a part. What has members that the typed model has no place for stays as it is.
func (d *decoder) part(param string, value llm.JSON) llm.Part {
	native := llm.Part{Kind: llm.Native, Raw: value, Of: llm.Gemini}
	if !d.Is(value, '{', param) {
		return native
	}
	var p llm.Part
	known, data, thought := true, 0, false
	for name, v := range draft.Given(value) {
		own := string(camel(name))
		at := param + "." + own
		switch own {
		case "text":
			data++
			d.Is(v, '"', at)
			p.Text = v
		case "thought":
			thought = d.Is(v, 't', at) && v[0] == 't'
		case "thoughtSignature":
			if d.Is(v, '"', at) && len(v.Inner()) > 0 {
				p.Opaque = v
			}
		case "inlineData", "fileData":
			data++
			known = d.media(at, &p, v) && known
		case "functionCall":
			data++
			known = d.call(at, &p, v) && known
		case "functionResponse":
			data++
			known = d.result(at, &p, v) && known
		default:
			known = false
		}
	}
	switch {
	case data > 1, known && data == 0:
		d.Wrong(llm.InvalidValue, param, fmt.Sprintf("* GenerateContentRequest.%s.data: required oneof field 'data' must have one initialized field", param))
	case !known, thought && p.Kind != llm.Text, p.Kind == llm.Result && p.Opaque != nil:
		return native
	case thought:
		p.Kind, p.Maker = llm.Reasoning, maker
	}
	return p
}

// maker is whose reasoning the thoughts in a request are, as in llm.Part.
const maker = "google"

// media reads a part that is not text, inline or by reference. It reports whether other dialects can use it: they cannot reach the
// API's own file stores.
func (d *decoder) media(param string, p *llm.Part, value llm.JSON) (known bool) {
	if !d.Is(value, '{', param) {
		return false
	}
	known = true
	var inline bool
	for name, v := range draft.Given(value) {
		own := string(camel(name))
		switch own {
		case "mimeType":
			if p.Media = v.Text(); strings.ContainsAny(p.Media, "\"\\") {
				d.Wrong(llm.InvalidValue, param+".mimeType", fmt.Sprintf("'%s.mimeType' must be a media type.", param))
			}
		case "data":
			inline = true
			if p.Data = []byte(v.Text()); !draft.Base64(p.Data) {
				d.Wrong(llm.InvalidValue, param+".data", fmt.Sprintf("'%s.data' must be in base64.", param))
			}
		case "fileUri":
			p.URL = v
		default:
			known = false
		}
		if known {
			d.Is(v, '"', param+"."+own)
		}
	}
	image := strings.HasPrefix(p.Media, "image/")
	switch p.Kind = llm.File; {
	case inline == (p.URL != nil):
		d.Wrong(llm.InvalidValue, param, fmt.Sprintf("'%s' must have data, or a fileUri.", param))
	case inline && p.Media == "":
		d.Missing(param + ".mimeType")
	case !inline && (!image && p.Media != "application/pdf" || !public(p.URL.Text())):
		known = false
	case image:
		p.Kind = llm.Image
	}
	return known
}

// public reports whether an address is one that others can reach, too.
func public(address string) bool {
	return strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "https://generativelanguage.googleapis.com/") ||
		strings.HasPrefix(address, "http://")
}

// unnamedID begins the ids of calls that came without one, as those of models before Gemini 3 do. It is not sent.
const unnamedID = "weir_call_"

// NamedCall reports whether the id of a call, or of its result, came from the request.
func NamedCall(id string) bool { return !strings.HasPrefix(id, unnamedID) }

// unnamed is a call without an id, and the one that it got.
type unnamed struct{ name, id string }

// ownID is the id of a call, "" if it came without one.
func (d *decoder) ownID(param string, value llm.JSON) string {
	if id := value.Text(); d.Is(value, '"', param+".id") && !strings.HasPrefix(id, unnamedID) {
		return id
	}
	return ""
}

func (d *decoder) newID() string {
	d.calls++
	return unnamedID + strconv.Itoa(d.calls-1)
}

// call reads a call of a tool, and reports whether that is all.
func (d *decoder) call(param string, p *llm.Part, value llm.JSON) (known bool) {
	known, p.Kind, p.Args = true, llm.ToolCall, llm.JSON("{}")
	if !d.Is(value, '{', param) {
		return known
	}
	for name, v := range draft.Given(value) {
		switch string(camel(name)) {
		case "id":
			p.ID = d.ownID(param, v)
		case "name":
			p.Name = v
		case "args":
			d.Is(v, '{', param+".args")
			p.Args = v
		default:
			known = false
		}
	}
	if known && d.named(param, p.Name) && p.ID == "" {
		p.ID = d.newID()
		d.waiting = append(d.waiting, unnamed{p.Name.Text(), p.ID})
	}
	return known
}

// named reports whether a tool has its name.
func (d *decoder) named(param string, name llm.JSON) bool {
	if len(name.Inner()) == 0 {
		d.Missing(param + ".name")
	}
	return len(name.Inner()) > 0
}

// result reads the result of a tool, and reports whether that is all.
func (d *decoder) result(param string, p *llm.Part, value llm.JSON) (known bool) {
	known, p.Kind = true, llm.Result
	if !d.Is(value, '{', param) {
		return known
	}
	said := llm.Part{Kind: llm.Text, Text: llm.JSON(`"{}"`)}
	var shown []llm.Part
	for name, v := range draft.Given(value) {
		own := string(camel(name))
		switch own {
		case "id":
			p.ID = d.ownID(param, v)
		case "name":
			p.Name = v
		case "response":
			known = d.Is(v, '{', param+".response") && isObject(v) && known
			said.Text, p.Failed = answered(v)
		case "parts":
			var ok bool
			shown, ok = d.shown(param+".parts", v)
			known = ok && known
		default:
			known = false
		}
	}
	if known && d.named(param, p.Name) && p.ID == "" {
		p.ID = d.awaited(p.Name.Text())
	}
	p.Parts = append([]llm.Part{said}, shown...)
	return known
}

// awaited is the id of the first call of a tool that has no result yet: results without ids come in the order of their calls.
func (d *decoder) awaited(tool string) string {
	i := slices.IndexFunc(d.waiting, func(u unnamed) bool { return u.name == tool })
	if i < 0 {
		return d.newID()
	}
	id := d.waiting[i].id
	d.waiting = slices.Delete(d.waiting, i, i+1)
	return id
}

// answered is what a tool answered, as a string: the text in {"output": …} or {"error": …}, else the object as it is.
func answered(object llm.JSON) (text llm.JSON, failed bool) {
	members := 0
	for name, v := range jsonwalk.Members(object) {
		members++
		value := llm.JSON(v)
		plain := value.Kind() == '"' && objectIn(value) == ""
		switch {
		case string(name) == "output" && plain:
			text = value
		case string(name) == "error" && plain:
			text, failed = value, true
		case string(name) == "error" && value.Kind() == '{':
			text, failed = llm.AppendQuote(nil, v), true
		}
	}
	if members != 1 || text == nil {
		return llm.AppendQuote(nil, []byte(object)), false
	}
	return text, failed
}

// shown reads the media of a result, and reports whether there is nothing else.
func (d *decoder) shown(param string, value llm.JSON) (parts []llm.Part, known bool) {
	known = true
	for i, part := range d.list(value, param) {
		at := fmt.Sprintf("%s[%d]", param, i)
		if !d.Is(part, '{', at) {
			return parts, false
		}
		var p llm.Part
		for name, v := range draft.Given(part) {
			own := camel(name)
			known = known && (bytes.Equal(own, []byte("inlineData")) || bytes.Equal(own, []byte("fileData"))) && d.media(at+"."+string(own), &p, v)
		}
		parts = append(parts, p)
	}
	return parts, known
}
