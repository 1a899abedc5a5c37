package converse

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect/claude"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// tools writes the tools that the model may call, and how free it is to. The API insists on the tools as soon as one was
// called in the conversation; it has no word for calling none.
func (e *encoder) tools() {
	tools, called := e.Tools, e.Called()
	if e.form != nil {
		e.answerTools(tools, called)
		return
	}
	if e.Choice.Kind == llm.ChoiceNone && len(tools) > 0 {
		if len(called) == 0 {
			return
		}
		e.Leave("tool_choice")
	}
	if len(tools) == 0 {
		tools = called
	}
	if len(tools) == 0 {
		return
	}
	e.list(tools)
	if len(e.Tools) > 0 {
		e.choose()
	}
	e.Text("}")
}

// list begins the toolConfig.
func (e *encoder) list(tools []llm.Tool) {
	sep := ""
	for i := range tools {
		e.open(&sep, `,"toolConfig":{"tools":[`)
		e.tool(&tools[i])
	}
	e.Text("]")
}

// answerTools makes the model call the tool for the form of the answer, or any tool if the caller has some.
func (e *encoder) answerTools(tools, called []llm.Tool) {
	free := len(tools) > 0 && e.Choice.Kind != llm.ChoiceNone
	if len(tools) == 0 {
		tools = called
	}
	e.list(append(slices.Clip(tools), *e.form))
	if free {
		e.Text(`,"toolChoice":{"any":{}}}`)
		return
	}
	e.Text(`,"toolChoice":{"tool":{"name":`)
	e.Raw(e.form.Name)
	e.Text("}}}")
}

func (e *encoder) tool(t *llm.Tool) {
	if t.Raw != nil {
		e.Raw(t.Raw)
		return
	}
	e.Text(`{"toolSpec":{"name":`)
	e.Raw(t.Name)
	if len(t.Description.Inner()) > 0 {
		e.Text(`,"description":`)
		e.Raw(t.Description)
	}
	strict, schema := t.Strict && e.family.schema && claude.Fits(t.Schema), t.Schema
	if e.flat {
		var lost bool
		if schema, lost = flatten(schema, &e.grown); lost {
			e.Leave("tools[].function.parameters")
		}
	}
	e.Text(`,"inputSchema":{"json":`)
	switch {
	case strict && jsonwalk.Empty(schema):
		e.Text(`{"type":"object","properties":{},"additionalProperties":false}`)
	case jsonwalk.Empty(schema):
		e.Text(`{"type":"object","properties":{}}`)
	case member(schema, "type") != nil:
		e.Raw(schema)
	default:
		e.Text(`{"type":"object",`)
		e.Raw(schema[1:])
	}
	e.Text("}")
	if strict {
		e.Text(`,"strict":true`)
	} else if t.Strict {
		e.Leave("tools[].function.strict")
	}
	e.Text("}}")
	e.cachePoint(t.Cache)
}

// choose writes a choice other than the model's own.
func (e *encoder) choose() {
	must := e.Choice.Kind == llm.ChoiceAny || e.Choice.Kind == llm.ChoiceTool
	switch {
	case must && (!e.choice || e.plan.NeverMust):
		e.Leave("tool_choice")
	case e.Choice.Kind == llm.ChoiceAny:
		e.Text(`,"toolChoice":{"any":{}}`)
	case e.Choice.Kind == llm.ChoiceTool:
		e.Text(`,"toolChoice":{"tool":{"name":`)
		e.Raw(e.Choice.Name)
		e.Text("}}")
	}
}

// serial has Claude call no more than one tool at a time, in the words of its own API.
func (e *encoder) serial() {
	kind := e.Choice.Kind
	switch {
	case e.plan.NeverMust:
		kind = llm.ChoiceAuto
	case e.form != nil:
		kind = llm.ChoiceAny
	}
	e.Text(`"tool_choice":{"type":`)
	switch kind {
	case llm.ChoiceAny:
		e.Text(`"any"`)
	case llm.ChoiceTool:
		e.Text(`"tool","name":`)
		e.Raw(e.Choice.Name)
	default:
		e.Text(`"auto"`)
	}
	e.Text(`,"disable_parallel_tool_use":true}`)
}

// cachePoint writes, after its subject, that a prompt cache may end there. cache is how Anthropic spells it.
func (e *encoder) cachePoint(cache llm.JSON) {
	switch ttl := member(cache, "ttl"); {
	case cache == nil:
	case !e.cache:
		e.Leave("cache_control")
	case ttl == nil:
		e.Text(`,{"cachePoint":{"type":"default"}}`)
	case e.ttl:
		e.Text(`,{"cachePoint":{"type":"default","ttl":`)
		e.Raw(ttl)
		e.Text("}}")
	default:
		e.Leave("cache_control.ttl")
		e.Text(`,{"cachePoint":{"type":"default"}}`)
	}
}
