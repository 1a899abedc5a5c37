package gemini

import (
	"fmt"
	"iter"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Decode is a body of generateContent in the typed model, as the API's server reads it. The model, and whether to stream, are
// not in the body but in the path. Values keep their spelling and alias the body.
func Decode(body []byte) (*llm.Request, *llm.Error) {
	d := decoder{Reading: draft.ReadingOf(body)}
	if d.Bad != nil {
		return nil, d.Bad
	}
	var choice llm.JSON
	for name, v := range draft.Given(body) {
		switch string(camel(name)) {
		case "contents":
			for i, content := range d.list(v, contentsName) {
				d.content(i, content)
			}
		case "systemInstruction":
			d.Out.System = d.said(v, "systemInstruction").Parts
		case "tools":
			for i, tool := range d.list(v, "tools") {
				d.tool(fmt.Sprintf("tools[%d]", i), tool)
			}
		case "toolConfig":
			choice = v
		case "generationConfig":
			d.config(v)
		case "safetySettings":
			if d.Is(v, '[', "safetySettings") {
				d.param("safety_settings", v)
			}
		case "cachedContent":
			if d.Is(v, '"', "cachedContent") {
				d.param("cached_content", v)
			}
		case "serviceTier":
			d.tier(v)
		default:
			d.extra("", string(name), v)
		}
	}
	if choice != nil { // what it means depends on the tools
		d.choice(choice)
	}
	return d.Done()
}

const contentsName = "contents"

// decoder is the state of one Decode.
type decoder struct {
	draft.Reading
	waiting []unnamed // calls without an id that have no result so far
	calls   int       // without an id
}

// camel is a member's name as the API spells it: it also takes snake_case.
func camel(name []byte) []byte {
	for i, c := range name {
		if c == '_' {
			return append(name[:i:i], fold(name[i:])...)
		}
	}
	return name
}

func fold(name []byte) (out []byte) {
	up := false
	for _, c := range name {
		switch {
		case c == '_':
			up = true
			continue
		case up && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		up = false
		out = append(out, c)
	}
	return out
}

// list are the elements of a list. The API takes an object for a list of one.
func (d *decoder) list(value llm.JSON, param string) iter.Seq2[int, []byte] {
	if value.Kind() == '{' {
		return func(yield func(int, []byte) bool) { yield(0, value) }
	}
	d.Is(value, '[', param)
	return jsonwalk.Elements(value)
}

// param adds a parameter. If its name is spelled in two ways, the last value counts.
func (d *decoder) param(name string, value llm.JSON) {
	for i := range d.Out.Params {
		if d.Out.Params[i].Name == name {
			d.Out.Params[i].Value = value
			return
		}
	}
	d.Out.Params = append(d.Out.Params, llm.Param{Name: name, Value: value})
}

// extra adds a member that only this API knows.
func (d *decoder) extra(parent, name string, value llm.JSON) {
	if parent != "" {
		name = parent + "." + name
	}
	if strings.Count(name, ".") != strings.Count(parent, ".")+min(len(parent), 1) {
		d.Wrong(llm.InvalidValue, name, fmt.Sprintf("'%s' is an unknown field.", name))
	}
	d.Out.Extras = append(d.Out.Extras, llm.Extra{Of: llm.Gemini, Name: name, Value: value})
}

// number is a number, which the API also accepts as a string; nil for any other value.
func (d *decoder) number(value llm.JSON, param string) llm.JSON {
	if inner := llm.JSON(value.Inner()); inner.Kind() == '0' && jsonwalk.Valid(inner, jsonwalk.Options{}) == nil {
		return inner
	}
	if !d.Is(value, '0', param) {
		return nil
	}
	return value
}

// tiers are the API's words for OpenAI's service tiers.
var tiers = map[string]string{`"default"`: `"standard"`, `"flex"`: `"flex"`, `"priority"`: `"priority"`}

func (d *decoder) tier(value llm.JSON) {
	for openai, own := range tiers {
		if string(value) == own {
			d.param("service_tier", llm.JSON(openai))
			return
		}
	}
	d.extra("", "serviceTier", value)
}
