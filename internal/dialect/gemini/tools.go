package gemini

import (
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// tools writes the tools that the model may call.
func (e *encoder) tools() {
	s := e.Search
	forbidden := s != nil && s.Of != llm.Gemini && e.Choice.Kind == llm.ChoiceNone                                        // which the API says of functions alone
	e.searching = !forbidden && e.Searching(e.Request, llm.Gemini, s != nil && (s.Of == llm.Gemini || len(e.Tools) == 0)) // most models take no functions beside it
	if len(e.Tools) == 0 && !e.searching {
		return
	}
	e.Text(`,"tools":[`)
	before, behind := `{"functionDeclarations":[`, ""
	for i := range e.Tools {
		t := &e.Tools[i]
		if t.Raw != nil {
			continue
		}
		e.Text(before + `{"name":`)
		before, behind = ",", "]}"
		e.Raw(t.Name)
		if t.Description != nil {
			e.Text(`,"description":`)
			e.Raw(t.Description)
		}
		if !jsonwalk.Empty(t.Schema) {
			e.Text(`,"parametersJsonSchema":`)
			e.Raw(t.Schema)
		}
		e.Text("}")
		e.uncached(t.Cache)
	}
	e.Text(behind)
	for i := range e.Tools {
		if t := &e.Tools[i]; t.Raw != nil {
			if behind != "" {
				e.Text(",")
			}
			e.Raw(t.Raw)
			behind = ","
		}
	}
	if e.searching {
		if behind != "" {
			e.Text(",")
		}
		e.search(s)
	}
	e.Text("]")
}

// search writes the search of the web. What it is narrowed to elsewhere, the API has no words for.
func (e *encoder) search(s *llm.Search) {
	if s.Of == llm.Gemini {
		e.Raw(s.Raw)
		return
	}
	for _, m := range [...]llm.Param{{Name: "allowed_domains", Value: s.Domains}, {Name: "blocked_domains", Value: s.Blocked}, {Name: "user_location", Value: s.Place}} {
		if m.Value != nil {
			e.Leave(s.Path + "." + m.Name)
		}
	}
	if s.Forced {
		e.Leave("tool_choice")
	}
	e.Text(`{"googleSearch":{}}`)
}

// toolConfig writes how free the model is to call tools. That a tool is strict is a matter of all tools here.
func (e *encoder) toolConfig() {
	if len(e.Tools) == 0 {
		return
	}
	if e.Serial {
		e.Leave("parallel_tool_calls")
	}
	mode, strict := "", false
	for i := range e.Tools {
		strict = strict || e.Tools[i].Strict
	}
	kind := e.Choice.Kind
	if (kind == llm.ChoiceAny || kind == llm.ChoiceTool) && !e.Takes.Can(llm.TakesChoice, true) {
		e.Leave("tool_choice")
		kind = llm.ChoiceAuto
	}
	switch {
	case kind == llm.ChoiceNone:
		mode = "NONE"
	case kind == llm.ChoiceAny, kind == llm.ChoiceTool:
		mode = "ANY" // holds to the schemas, too
	case strict:
		mode = "VALIDATED"
	case kind == llm.ChoiceAuto:
		mode = "AUTO"
	default:
		return
	}
	e.Text(`,"toolConfig":{"functionCallingConfig":{"mode":"` + mode + `"`)
	if kind == llm.ChoiceTool {
		e.Text(`,"allowedFunctionNames":[`)
		e.Raw(e.Choice.Name)
		e.Text("]")
	}
	e.Text("}}")
}

// uncached notes that the API has no member for where a prompt cache may end: it decides that itself.
func (e *encoder) uncached(cache llm.JSON) {
	if cache != nil {
		e.Leave("cache_control")
	}
}
