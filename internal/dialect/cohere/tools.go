package cohere

import (
	"bytes"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// tools writes the tools that the model may call, and how free it is to do so.
func (e *encoder) tools() {
	kind := e.Choice.Kind
	must := kind == llm.ChoiceAny || kind == llm.ChoiceTool
	tools := e.offered()
	if len(tools) == 0 {
		if must {
			e.Leave("tool_choice")
		}
		return
	}
	if kind == llm.ChoiceNone && e.model.free {
		return // what it is not shown it does not call
	}
	if e.Serial {
		e.Leave("parallel_tool_calls")
	}
	e.list(tools)
	switch {
	case must && e.model.free:
		e.Leave("tool_choice")
	case must:
		e.Text(`,"tool_choice":"REQUIRED"`)
	case kind == llm.ChoiceNone:
		e.Text(`,"tool_choice":"NONE"`)
	}
}

// offered are the tools to show to the model: all, or the one that it must call, because the API cannot name one.
func (e *encoder) offered() []llm.Tool {
	if e.Choice.Kind != llm.ChoiceTool || e.model.free {
		return e.Tools
	}
	for i := range e.Tools {
		if e.Tools[i].Name.Text() == e.Choice.Name.Text() {
			return e.Tools[i : i+1]
		}
	}
	e.Refuse(llm.InvalidValue, "tool_choice", "'tool_choice' names a function that is not among the tools.")
	return nil
}

func (e *encoder) list(tools []llm.Tool) {
	sep := `,"tools":[`
	strict, able := 0, true
	for i := range tools {
		t := &tools[i]
		e.Text(sep)
		sep = ","
		if t.Raw != nil {
			e.Raw(t.Raw)
			continue
		}
		e.Text(`{"type":"function","function":{"name":`)
		e.Raw(t.Name)
		if t.Description != nil {
			e.Text(`,"description":`)
			e.Raw(t.Description)
		}
		e.Text(`,"parameters":`)
		if t.Schema != nil {
			e.Raw(t.Schema)
		} else {
			e.Text(`{"type":"object","properties":{}}`)
		}
		e.Text("}}")
		if t.Strict {
			strict++
		}
		able = able && requires(t.Schema)
		if t.Cache != nil {
			e.Leave("cache_control")
		}
	}
	e.Text("]")
	switch { // all tools are strict, or none of them
	case strict == 0:
	case strict < len(tools) || !able:
		e.Leave("tools[].function.strict")
	default:
		e.Text(`,"strict_tools":true`)
	}
}

// requires reports whether a tool has a parameter that must be there: the API refuses others as strict.
// https://docs.cohere.com/docs/structured-outputs#structured-outputs-tools
func requires(schema llm.JSON) bool {
	for name, v := range jsonwalk.Members(schema) {
		if string(name) == "required" {
			return llm.JSON(v).Kind() == '[' && len(bytes.Trim(v, "[] \t\r\n")) > 0
		}
	}
	return false
}
