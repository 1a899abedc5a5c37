package anthropic

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// tools writes the tools that the model may call.
func (e *encoder) tools() {
	tools := e.Tools
	if len(tools) == 0 {
		tools = e.Called() // the API wants to know them all the same; see choice
	}
	if e.form != nil {
		tools = append(slices.Clip(tools), *e.form)
	}
	sep := `,"tools":[`
	for i := range tools {
		t := &tools[i]
		e.Text(sep)
		sep = ","
		if t.Raw != nil {
			e.Raw(t.Raw)
			continue
		}
		e.Text(`{"name":`)
		e.Raw(t.Name)
		if t.Description != nil {
			e.Text(`,"description":`)
			e.Raw(t.Description)
		}
		typed := jsonwalk.Empty(t.Schema) || hasMember(t.Schema, "type") // otherwise it becomes that of an open object
		strict := t.Strict && typed && e.plan.Strict(t)
		e.Text(`,"input_schema":`)
		e.schema(t.Schema, strict)
		if strict {
			e.Text(`,"strict":true`)
		} else if t.Strict {
			e.Leave("tools[].function.strict")
		}
		if t.Cache != nil {
			e.Text(`,"cache_control":`)
			e.Raw(t.Cache)
		}
		e.Text("}")
	}
	if e.searching = e.Searching(e.Request, llm.Anthropic, e.Hosted == ""); e.searching {
		e.Text(sep)
		sep = ","
		e.search(e.Search)
	}
	if sep == "," {
		e.Text("]")
	}
}

// search writes the search of the web, in the version that all models take.
func (e *encoder) search(s *llm.Search) {
	e.Text(`{"type":"web_search_20250305","name":"web_search"`)
	for _, m := range [...]llm.Param{{Name: "allowed_domains", Value: s.Domains}, {Name: "blocked_domains", Value: s.Blocked}, {Name: "user_location", Value: s.Place}} {
		if m.Value != nil {
			e.Text(`,"` + m.Name + `":`)
			e.Raw(m.Value)
		}
	}
	e.Text("}")
}

// schema writes the parameters of a tool. Their type is required; a strict tool also forbids other parameters.
func (e *encoder) schema(s llm.JSON, strict bool) {
	switch {
	case strict && jsonwalk.Empty(s):
		e.Text(`{"type":"object","properties":{},"additionalProperties":false}`)
	case !object(s):
		e.Text(`{"type":"object","properties":{}}`)
	case hasMember(s, "type"):
		e.Raw(s)
	case jsonwalk.Empty(s):
		e.Text(`{"type":"object"}`)
	default:
		e.Text(`{"type":"object",`)
		e.Raw(s[1:])
	}
}

// choice writes how free the model is to call tools.
func (e *encoder) choice() {
	if e.form != nil {
		e.mustAnswer()
		return
	}
	if len(e.Tools) == 0 && !e.searching {
		if len(e.Called()) > 0 {
			e.Text(`,"tool_choice":{"type":"none"}`)
		}
		return
	}
	kind, name := e.Choice.Kind, e.Choice.Name
	if e.searching && e.Search.Forced {
		kind, name = llm.ChoiceTool, llm.JSON(`"web_search"`)
	}
	if e.plan.NeverMust && (kind == llm.ChoiceAny || kind == llm.ChoiceTool) {
		e.Leave("tool_choice")
		kind = llm.ChoiceAuto
	}
	switch kind {
	case llm.ChoiceNone:
		e.Text(`,"tool_choice":{"type":"none"}`)
		return
	case llm.ChoiceAny:
		e.Text(`,"tool_choice":{"type":"any"`)
	case llm.ChoiceTool:
		e.Text(`,"tool_choice":{"type":"tool","name":`)
		e.Raw(name)
	default:
		if kind == llm.ChoiceUnset && !e.Serial {
			return
		}
		e.Text(`,"tool_choice":{"type":"auto"`)
	}
	if e.Serial {
		e.Text(`,"disable_parallel_tool_use":true`)
	}
	e.Text("}")
}

// mustAnswer makes the model call the tool for the form of the answer, once, or any tool if the caller has some. It may search before that, but cannot
// be made to.
func (e *encoder) mustAnswer() {
	alone := len(e.Tools) == 0 && !e.searching || e.Choice.Kind == llm.ChoiceNone
	if e.searching && e.Search.Forced {
		e.Leave("tool_choice")
	}
	if alone {
		e.Text(`,"tool_choice":{"type":"tool","name":`)
		e.Raw(e.form.Name)
	} else {
		e.Text(`,"tool_choice":{"type":"any"`)
	}
	if alone || e.Serial {
		e.Text(`,"disable_parallel_tool_use":true`)
	}
	e.Text("}")
}
