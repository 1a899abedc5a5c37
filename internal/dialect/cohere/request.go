// Package cohere is the dialect of Cohere's Chat API, version 2, from both sides: requests and answers are written, and read, streams
// included. It is pure: the typed model in, bytes out, and the other way round.
//
// Source of the shapes: the types of the vendor's Go SDK, version 2.16, with their comments, and recorded traffic.
package cohere

import (
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/llm"
)

// Encode is the request as a body of POST /v2/chat, and what of it had to be left out. The error is about content
// that can neither be carried nor left out.
func Encode(r *llm.Request) ([]byte, []string, *llm.Error) {
	r = r.Interjected()
	e := encoder{Request: r, Draft: draft.Of(r, llm.Cohere), model: modelOf(r)}
	e.Text(`{"model":`)
	e.Quote(r.Model)
	e.Text(`,"stream":` + strconv.FormatBool(r.Stream))
	e.messages()
	e.tools()
	if r.MaxToken > 0 {
		e.Number(`,"max_tokens":`, r.MaxToken)
	}
	e.stop()
	e.format()
	e.reasoning()
	if r.User != nil {
		e.Leave(r.UserName)
	}
	for _, p := range r.Params {
		e.param(p)
	}
	for name, value := range draft.Extras(r, llm.Cohere, "") {
		e.Text(",")
		e.Quote(name)
		e.Text(":")
		e.Raw(value)
	}
	e.Text("}")
	return e.Done()
}

// encoder is the state of one Encode.
type encoder struct {
	*llm.Request
	draft.Draft
	model model
	next  bool // a message was written
}

// maxStops is how many strings the API takes that end an answer.
const maxStops = 5

func (e *encoder) stop() {
	if len(e.Stop) == 0 {
		return
	}
	if len(e.Stop) > maxStops {
		e.Leave("stop")
	}
	sep := `,"stop_sequences":[`
	for _, s := range e.Stop[:min(len(e.Stop), maxStops)] {
		e.Text(sep)
		e.Raw(s)
		sep = ","
	}
	e.Text("]")
}

// format writes the form of the answer, which the API does not accept together with tools or documents.
func (e *encoder) format() {
	switch {
	case e.Format.Kind == llm.FormatText:
	case len(e.Tools) > 0 || e.has("documents"), e.Format.Kind == llm.FormatSchema && !e.Takes.Can(llm.TakesSchema, true):
		e.Leave("response_format")
	case e.Format.Kind == llm.FormatSchema:
		e.Text(`,"response_format":{"type":"json_object","json_schema":`)
		e.Schema(&e.Format)
		e.Text("}")
	default:
		e.Text(`,"response_format":{"type":"json_object"}`)
	}
}

func (e *encoder) has(param string) bool {
	for _, p := range e.Params {
		if p.Name == param {
			return true
		}
	}
	return false
}

// reasoning writes thinking. Models that can think do so unless it is switched off.
func (e *encoder) reasoning() {
	switch {
	case e.Effort == "":
	case e.Effort == "none" && e.model.thinks:
		e.Text(`,"thinking":{"type":"disabled"}`)
	case e.Effort == "none":
	case !e.model.thinks:
		e.Leave("reasoning_effort")
	default:
		budget := e.Budget
		if budget == 0 {
			if budget = llm.ThinkingBudget(e.Effort); e.MaxToken > 0 { // something must be left for the answer itself
				budget = min(budget, max(1, e.MaxToken/4*3))
			}
		}
		budget = e.Takes.Budget(budget)
		e.Number(`,"thinking":{"type":"enabled","token_budget":`, budget)
		e.Text("}")
	}
}

// param writes a parameter that stays what it is, or notes that it has no counterpart.
func (e *encoder) param(p llm.Param) {
	switch p.Name {
	case "temperature":
		e.number(p.Name, p, 0, 1e9)
	case "top_p":
		e.number("p", p, 0.01, 0.99)
	case "top_k":
		e.number("k", p, 0, 500)
	case "seed":
		e.number(p.Name, p, -1<<63, 1<<64)
	case "presence_penalty", "frequency_penalty":
		e.number(p.Name, p, 0, 1)
	case "documents", "citation_options", "safety_mode", "priority": // the API's own
		e.Text(`,"` + p.Name + `":`)
		e.Raw(p.Value)
	default:
		e.Leave(p.Name)
	}
}

// number writes a parameter that has bounds. A value beyond a bound becomes the bound, and is reported.
func (e *encoder) number(name string, p llm.Param, least, most float64) {
	n, err := strconv.ParseFloat(string(p.Value), 64)
	if err != nil {
		e.Leave(p.Name)
		return
	}
	e.Text(`,"` + name + `":`)
	if bound := min(max(n, least), most); bound != n {
		e.Leave(p.Name)
		e.Out = strconv.AppendFloat(e.Out, bound, 'f', -1, 64)
		return
	}
	e.Raw(p.Value)
}
