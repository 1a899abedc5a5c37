package anthropic

import (
	"slices"

	"github.com/weirproxy/weir/internal/llm"
)

// tools writes the tools that the model may call.
func (e *encoder) tools() {
	tools := e.Tools
	if len(tools) == 0 {
		tools = e.called()
	}
	sep := `,"tools":[`
	for i := range tools {
		t := &tools[i]
		e.text(sep + `{"name":`)
		e.raw(t.Name)
		if t.Description != nil {
			e.text(`,"description":`)
			e.raw(t.Description)
		}
		e.text(`,"input_schema":`)
		e.schema(t.Schema)
		if t.Strict && e.model.schema {
			e.text(`,"strict":true`)
		} else if t.Strict {
			e.leave("tools[].function.strict")
		}
		if t.Cache != nil {
			e.text(`,"cache_control":`)
			e.raw(t.Cache)
		}
		e.text("}")
		sep = ","
	}
	if len(tools) > 0 {
		e.text("]")
	}
}

// schema writes the parameters of a tool, whose type has to be there.
func (e *encoder) schema(s llm.JSON) {
	switch {
	case !object(s):
		e.text(`{"type":"object","properties":{}}`)
	case hasMember(s, "type"):
		e.raw(s)
	case len(s) <= len("{}"):
		e.text(`{"type":"object"}`)
	default:
		e.text(`{"type":"object",`)
		e.raw(s[1:])
	}
}

// called are the tools that were called earlier in a conversation which is not given any now. The API wants to know them
// all the same; see choice.
func (e *encoder) called() []llm.Tool {
	var tools []llm.Tool
	for i := range e.Messages {
		for _, p := range e.Messages[i].Parts {
			same := func(t llm.Tool) bool { return string(t.Name) == string(p.Name) }
			if p.Kind == llm.ToolCall && !slices.ContainsFunc(tools, same) {
				tools = append(tools, llm.Tool{Name: p.Name})
			}
		}
	}
	return tools
}

// choice writes how free the model is to call tools.
func (e *encoder) choice() {
	if len(e.Tools) == 0 {
		if len(e.called()) > 0 {
			e.text(`,"tool_choice":{"type":"none"}`)
		}
		return
	}
	kind := e.Choice.Kind
	if e.model.neverMust && (kind == llm.ChoiceAny || kind == llm.ChoiceTool) {
		e.leave("tool_choice")
		kind = llm.ChoiceAuto
	}
	switch kind {
	case llm.ChoiceNone:
		e.text(`,"tool_choice":{"type":"none"}`)
		return
	case llm.ChoiceAny:
		e.text(`,"tool_choice":{"type":"any"`)
	case llm.ChoiceTool:
		e.text(`,"tool_choice":{"type":"tool","name":`)
		e.raw(e.Choice.Name)
	default:
		if kind == llm.ChoiceUnset && !e.Serial {
			return
		}
		e.text(`,"tool_choice":{"type":"auto"`)
	}
	if e.Serial {
		e.text(`,"disable_parallel_tool_use":true`)
	}
	e.text("}")
}
