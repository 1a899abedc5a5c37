package openai

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func (d *decoder) tools(value llm.JSON) {
	if !d.Is(value, '[', "tools") {
		return
	}
	for i, tool := range jsonwalk.Elements(value) {
		d.tool(fmt.Sprintf("tools[%d]", i), tool)
	}
}

func (d *decoder) tool(path string, value llm.JSON) {
	if !d.Is(value, '{', path) {
		return
	}
	var t llm.Tool
	var typ string
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "type":
			typ = llm.JSON(v).Text()
		case CacheControl:
			t.Cache = given(v)
		case "function":
			d.function(path, &t, v)
		case "custom":
			if v := given(v); v != nil {
				d.customTool(path+".custom", &t, v)
			}
		}
	}
	switch {
	case typ != "function" && typ != "custom":
		d.impossible(path + ".type")
	case t.Name.Kind() != '"' || t.Custom != (typ == "custom"):
		d.Missing(path + "." + typ + ".name")
	}
	d.Out.Tools = append(d.Out.Tools, t)
}

// given is a value, nil if it is null.
func given(v llm.JSON) llm.JSON {
	if v.Kind() == 'n' {
		return nil
	}
	return v
}

func (d *decoder) function(path string, t *llm.Tool, value llm.JSON) {
	for name, v := range jsonwalk.Members(value) {
		v := given(v)
		switch string(name) {
		case "name":
			t.Name = v
		case "description":
			if v != nil && d.Is(v, '"', path+".function.description") {
				t.Description = v
			}
		case "parameters":
			if v != nil && d.Is(v, '{', path+".function.parameters") {
				t.Schema = v
			}
		case "strict":
			t.Strict = v.Kind() == 't'
		}
	}
}

func (d *decoder) choice(value llm.JSON) {
	const name = "tool_choice"
	if value.Kind() == '"' {
		switch value.Text() {
		case "auto":
			d.Out.Choice.Kind = llm.ChoiceAuto
		case "none":
			d.Out.Choice.Kind = llm.ChoiceNone
		case "required":
			d.Out.Choice.Kind = llm.ChoiceAny
		default:
			d.Wrong(llm.InvalidValue, name, "'tool_choice' must be none, auto, required or an object that names a function.")
		}
		return
	}
	if !d.Is(value, '{', name) {
		return
	}
	for member, v := range jsonwalk.Members(value) {
		switch member := string(member); member {
		case "allowed_tools":
			if v := given(v); v != nil {
				d.allowed(v)
			}
		case "function", "custom":
			for inner, text := range jsonwalk.Members(v) {
				if string(inner) == "name" && d.Is(text, '"', name+"."+member+".name") {
					d.Out.Choice = llm.Choice{Kind: llm.ChoiceTool, Name: text}
				}
			}
		}
	}
	if d.Out.Choice.Kind == llm.ChoiceUnset {
		d.impossible(name)
	}
}
