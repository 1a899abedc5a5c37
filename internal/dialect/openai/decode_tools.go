package openai

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func (d *decoder) tools(value llm.JSON) {
	if !d.is(value, '[', "tools") {
		return
	}
	for i, tool := range jsonwalk.Elements(value) {
		d.tool(fmt.Sprintf("tools[%d]", i), tool)
	}
}

func (d *decoder) tool(path string, value llm.JSON) {
	if !d.is(value, '{', path) {
		return
	}
	var t llm.Tool
	var typ string
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "type":
			typ = llm.JSON(v).Text()
		case "cache_control":
			t.Cache = given(v)
		case "function":
			d.function(path, &t, v)
		}
	}
	switch {
	case typ != "function":
		d.impossible(path + ".type")
	case t.Name.Kind() != '"':
		d.wrong(llm.MissingParameter, path+".function.name", fmt.Sprintf("Missing required parameter: '%s.function.name'.", path))
	}
	d.out.Tools = append(d.out.Tools, t)
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
			if v != nil && d.is(v, '"', path+".function.description") {
				t.Description = v
			}
		case "parameters":
			if v != nil && d.is(v, '{', path+".function.parameters") {
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
			d.out.Choice.Kind = llm.ChoiceAuto
		case "none":
			d.out.Choice.Kind = llm.ChoiceNone
		case "required":
			d.out.Choice.Kind = llm.ChoiceAny
		default:
			d.wrong(llm.InvalidValue, name, "'tool_choice' must be none, auto, required or an object that names a function.")
		}
		return
	}
	if !d.is(value, '{', name) {
		return
	}
	for member, v := range jsonwalk.Members(value) {
		if string(member) != "function" {
			continue
		}
		for inner, text := range jsonwalk.Members(v) {
			if string(inner) == "name" && d.is(text, '"', name+".function.name") {
				d.out.Choice = llm.Choice{Kind: llm.ChoiceTool, Name: text}
			}
		}
	}
	if d.out.Choice.Kind != llm.ChoiceTool {
		d.impossible(name) // allowed_tools, custom tools
	}
}
