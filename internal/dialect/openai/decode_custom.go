package openai

import (
	"fmt"
	"slices"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Custom tools take a text. No other dialect knows such: each is a function whose one parameter is that text.
const (
	customInput  = "input"
	customOpen   = `{"` + customInput + `":`
	customSchema = `{"type":"object","properties":{"` + customInput + `":{"type":"string"}},"required":["` + customInput + `"],"additionalProperties":false}`
)

// customTool reads a custom tool. Most dialects cannot carry a grammar: the model is given it as text, and may stray.
func (d *decoder) customTool(path string, t *llm.Tool, value llm.JSON) {
	t.Custom, t.Schema = true, llm.JSON(customSchema)
	var format llm.JSON
	for name, v := range jsonwalk.Members(value) {
		v := given(v)
		switch string(name) {
		case "name":
			t.Name = v
		case "description":
			if v != nil && d.Is(v, '"', path+".description") {
				t.Description = v
			}
		case "format":
			format = v
		}
	}
	if format == nil || !d.Is(format, '{', path+".format") {
		return
	}
	for name, v := range draft.Given(format) {
		if at := path + ".format.grammar"; string(name) == "grammar" && d.Is(v, '{', at) {
			d.grammar(at, t, v)
		}
	}
}

// grammar reads what the input of a tool has to follow.
func (d *decoder) grammar(path string, t *llm.Tool, grammar llm.JSON) {
	g := llm.Grammar{Description: t.Description, Param: "tools[].custom.format"}
	for name, v := range draft.Given(grammar) {
		switch string(name) {
		case "syntax":
			g.Syntax = v
		case "definition":
			g.Definition = v
		}
	}
	switch {
	case g.Syntax == nil:
		d.Missing(path + ".syntax")
	case g.Definition == nil:
		d.Missing(path + ".definition")
	case d.Is(g.Syntax, '"', path+".syntax"):
		d.Is(g.Definition, '"', path+".definition")
	}
	text := append(llm.JSON{'"'}, t.Description.Inner()...)
	if len(t.Description.Inner()) > 0 {
		text = append(text, `\n\n`...)
	}
	text = append(append(append(text, "The input has to follow this grammar ("...), g.Syntax.Inner()...), `):\n`...)
	t.Description, t.Grammar = append(append(text, g.Definition.Inner()...), '"'), &g
}

// customCall reads an earlier call of a custom tool: the arguments of its function.
func (d *decoder) customCall(path string, part *llm.Part, value llm.JSON) {
	input := llm.JSON(`""`)
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "name":
			part.Name = v
		case customInput:
			if v := given(v); v != nil && d.Is(v, '"', path+"."+customInput) {
				input = v
			}
		}
	}
	part.Args = append(append(llm.JSON(customOpen), input...), '}')
}

// allowed reads a choice among some of the tools.
func (d *decoder) allowed(value llm.JSON) {
	const name = "tool_choice.allowed_tools"
	var mode string
	for member, v := range jsonwalk.Members(value) {
		switch string(member) {
		case "mode":
			mode = llm.JSON(v).Text()
		case "tools":
			for i, tool := range jsonwalk.Elements(v) {
				d.allow(fmt.Sprintf("%s.tools[%d]", name, i), tool)
			}
		}
	}
	switch {
	case mode == "auto":
		d.Out.Choice.Kind = llm.ChoiceAuto
	case mode == "required":
		d.Out.Choice.Kind = llm.ChoiceAny
	default:
		d.Wrong(llm.InvalidValue, name+".mode", fmt.Sprintf("'%s.mode' must be auto or required.", name))
	}
	if len(d.only) == 0 {
		d.Wrong(llm.InvalidValue, name+".tools", fmt.Sprintf("'%s.tools' must name at least one tool.", name))
	}
}

func (d *decoder) allow(path string, tool llm.JSON) {
	for member, v := range jsonwalk.Members(tool) {
		if member := string(member); member != "function" && member != "custom" {
			continue
		}
		for inner, text := range jsonwalk.Members(v) {
			if string(inner) == "name" {
				d.only = append(d.only, llm.JSON(text).Text())
				return
			}
		}
	}
	d.Wrong(llm.InvalidValue, path, fmt.Sprintf("'%s' must name a tool.", path))
}

// offer keeps the tools that the model may choose among. No other dialect has both a list of tools and a list of allowed ones.
func (d *decoder) offer() {
	if d.only == nil {
		return
	}
	offered := map[string]bool{} // whether the choice names them
	for i := range d.Out.Tools {
		offered[d.Out.Tools[i].Name.Text()] = false
	}
	for _, name := range d.only {
		if _, known := offered[name]; !known {
			d.Wrong(llm.InvalidValue, "tool_choice", "'tool_choice' names a tool that is not among the tools.")
		}
		offered[name] = true
	}
	d.Out.Tools = slices.DeleteFunc(d.Out.Tools, func(t llm.Tool) bool { return !offered[t.Name.Text()] })
}
