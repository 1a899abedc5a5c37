package gemini

import (
	"fmt"
	"slices"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// tool adds the functions of a tool, and what of it is the API's own.
func (d *decoder) tool(param string, value llm.JSON) {
	if !d.Is(value, '{', param) {
		return
	}
	var functions llm.JSON
	var own [][]byte
	for name, v := range draft.Given(value) {
		if string(camel(name)) == "functionDeclarations" {
			functions = v
			continue
		}
		own = append(own, wrap(string(name), v))
	}
	if functions != nil {
		for i, f := range d.list(functions, param+".functionDeclarations") {
			d.function(fmt.Sprintf("%s.functionDeclarations[%d]", param, i), f)
		}
	} else if len(own) < 2 {
		own = [][]byte{value}
	}
	for _, raw := range own {
		d.Out.Tools = append(d.Out.Tools, llm.Tool{Raw: raw, Of: llm.Gemini, Path: param})
	}
}

// wrap is an object with one member.
func wrap(name string, value llm.JSON) []byte {
	return append(append(append(llm.AppendQuote([]byte{'{'}, name), ':'), value...), '}')
}

func (d *decoder) function(param string, value llm.JSON) {
	if !d.Is(value, '{', param) {
		return
	}
	var t llm.Tool
	known := true
	for name, v := range draft.Given(value) {
		own := string(camel(name))
		switch own {
		case "name":
			d.Is(v, '"', param+".name")
			t.Name = v
		case "description":
			d.Is(v, '"', param+".description")
			t.Description = v
		case "parameters", "parametersJsonSchema":
			known = known && t.Schema == nil && d.Is(v, '{', param+"."+own)
			t.Schema = d.schema(param, own, v)
		default:
			known, t.Path = false, param+"."+own
		}
	}
	if d.named(param, t.Name) && !known {
		t.Raw, t.Of = wrap("functionDeclarations", append(append(llm.JSON{'['}, value...), ']')), llm.Gemini
	}
	if jsonwalk.Empty(t.Schema) {
		t.Schema = nil
	}
	d.Out.Tools = append(d.Out.Tools, t)
}

// schema is a JSON schema, or one of the API's own kind.
func (d *decoder) schema(param, name string, value llm.JSON) llm.JSON {
	if name != "parameters" && name != "responseSchema" {
		return value
	}
	schema := jsonSchema(value)
	if jsonwalk.Valid(schema, jsonwalk.Options{Unique: true}) != nil {
		d.Wrong(llm.InvalidValue, param+"."+name, fmt.Sprintf("'%s.%s' names a field twice.", param, name))
	}
	return schema
}

// modes are how free the model is to call tools: the API's words, whose places in the list are their numbers.
var modes = []string{"MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"}

// choice reads toolConfig. What the typed model cannot say stays as it is.
func (d *decoder) choice(value llm.JSON) {
	const name = "toolConfig"
	if !d.Is(value, '{', name) {
		return
	}
	mode, allowed, known := 0, []llm.JSON(nil), true
	for member, v := range draft.Given(value) {
		if string(camel(member)) != "functionCallingConfig" || !d.Is(v, '{', name+".functionCallingConfig") {
			known = false
			continue
		}
		for member, v := range draft.Given(v) {
			switch string(camel(member)) {
			case "mode":
				mode = d.mode(v)
			case "allowedFunctionNames":
				for i, tool := range d.list(v, name+".functionCallingConfig.allowedFunctionNames") {
					d.Is(tool, '"', fmt.Sprintf("%s.functionCallingConfig.allowedFunctionNames[%d]", name, i))
					allowed = append(allowed, tool)
				}
			default:
				known = false
			}
		}
	}
	functions := slices.ContainsFunc(d.Out.Tools, func(t llm.Tool) bool { return t.Name != nil })
	switch word := modes[mode]; {
	case len(allowed) > 0 && word != "ANY" && word != "VALIDATED":
		d.Wrong(llm.InvalidValue, name+".functionCallingConfig.allowedFunctionNames", "Allowed function names need the mode ANY or VALIDATED.")
	case !known || mode > 0 && !functions || len(allowed) > 1 || len(allowed) == 1 && word != "ANY":
		d.extra("", name, value)
	case word == "AUTO":
		d.Out.Choice.Kind = llm.ChoiceAuto
	case len(allowed) == 1:
		d.Out.Choice = llm.Choice{Kind: llm.ChoiceTool, Name: allowed[0]}
	case word == "ANY":
		d.Out.Choice.Kind = llm.ChoiceAny
	case word == "NONE":
		d.Out.Choice.Kind = llm.ChoiceNone
	case word == "VALIDATED":
		for i := range d.Out.Tools {
			d.Out.Tools[i].Strict = d.Out.Tools[i].Raw == nil
		}
	}
}

// mode is a mode's number.
func (d *decoder) mode(value llm.JSON) int {
	const param = "toolConfig.functionCallingConfig.mode"
	for i, word := range modes {
		if value.Text() == word || string(value) == fmt.Sprint(i) {
			return i
		}
	}
	d.Wrong(llm.InvalidValue, param, fmt.Sprintf("Invalid value at 'tool_config.function_calling_config.mode': %s", value))
	return 0
}
