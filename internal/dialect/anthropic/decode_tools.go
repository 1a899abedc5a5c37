package anthropic

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func (d *decoder) tools(v llm.JSON) {
	if !d.Is(v, '[', "tools") {
		return
	}
	for i, tool := range jsonwalk.Elements(v) {
		path := fmt.Sprintf("tools[%d]", i)
		if !d.Is(tool, '{', path) {
			continue
		}
		if t := d.tool(tool, path); t.Raw == nil || d.caller == nil {
			d.Out.Tools = append(d.Out.Tools, t)
		} else {
			d.caller.hosted = append(d.caller.hosted, hosted{path, typeOf(tool), memberOf(tool, "name").Text(), tool})
		}
	}
}

// tool is a function of the caller's. A tool of the vendor's own, or one that says what the typed model has no place for, stays as
// it is.
func (d *decoder) tool(v llm.JSON, path string) llm.Tool {
	var t llm.Tool
	for name, m := range draft.Given(v) {
		own := false
		switch string(name) {
		case "type":
			own = m.Text() != "custom"
		case "name":
			t.Name = m
		case "description":
			t.Description = m
		case "input_schema":
			t.Schema = m
		case "strict":
			t.Strict = d.flag(m, path+".strict")
		case "cache_control":
			t.Cache = m
		case "eager_input_streaming": // how large the pieces of the arguments are: it makes no other tool of it
			if d.flag(m, path+".eager_input_streaming"); d.caller != nil && !isVendors(v) {
				d.Leave(path + ".eager_input_streaming")
			}
		case "defer_loading":
			if own = d.caller == nil; !own && d.flag(m, path+".defer_loading") {
				d.caller.deferred[memberOf(v, "name").Text()] = true
			}
		default:
			if own = d.caller == nil; !own && !isVendors(v) {
				d.Leave(path + "." + string(name))
			}
		}
		if own {
			return llm.Tool{Raw: v, Of: llm.Anthropic}
		}
	}
	d.Is(t.Name, '"', path+".name")
	d.Is(t.Schema, '{', path+".input_schema")
	if t.Description != nil {
		d.Is(t.Description, '"', path+".description")
	}
	return t
}

// choice is how free the model is to call tools.
func (d *decoder) choice(v llm.JSON) {
	const path = "tool_choice"
	if !d.Is(v, '{', path) {
		return
	}
	typ := ""
	c := &d.Out.Choice
	for name, v := range draft.Given(v) {
		switch string(name) {
		case "type":
			typ = v.Text()
		case "name":
			c.Name = v
		case "disable_parallel_tool_use":
			d.Out.Serial = d.flag(v, path+"."+string(name))
		default:
			d.unknown(path, string(name))
		}
	}
	switch typ {
	case "auto":
		c.Kind = llm.ChoiceAuto
	case "none":
		c.Kind = llm.ChoiceNone
	case "any":
		c.Kind = llm.ChoiceAny
	case "tool":
		c.Kind = llm.ChoiceTool
		d.Is(c.Name, '"', path+".name")
	default:
		d.oneOf(path+".type", "auto, any, tool or none")
	}
	if c.Kind != llm.ChoiceTool && c.Name != nil {
		d.unknown(path, "name")
	}
}
