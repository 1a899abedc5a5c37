// Package anthropic is the dialect of the Anthropic Messages API, from the client's side: requests are written, answers
// and streams are read. It is pure: the typed model in, bytes out, and the other way round.
//
// Source of the shapes: the types of the vendor's Go SDK, version 1.84.0, and recorded traffic.
package anthropic

import (
	"bytes"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/claude"
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Encode is the request as a body of POST /v1/messages, or of its like at another host, and what of it had to be left out. The error is about what can
// neither be carried nor left out.
func Encode(r *llm.Request) ([]byte, []string, *llm.Error) {
	e := encoder{Request: r, Draft: draft.Of(r, llm.Anthropic), plan: claude.PlanOf(r, r.Model)}
	e.form = e.plan.Form(r, e.plan.Schema)
	if e.plan.Loses {
		e.Leave(claude.EffortParam)
	}
	if r.Hosted != "" { // the model is named elsewhere
		e.Text(`{"anthropic_version":`)
		e.Quote(r.Hosted)
	} else {
		e.Text(`{"model":`)
		e.Quote(r.Model)
	}
	e.Number(`,"max_tokens":`, e.plan.Max)
	if r.Stream {
		e.Text(`,"stream":true`)
	}
	e.system()
	e.messages()
	e.tools()
	e.choice()
	e.stop()
	e.reasoning()
	e.user()
	for _, p := range r.Params {
		e.param(p)
	}
	for name, value := range draft.Extras(r, llm.Anthropic, "") {
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
	plan claude.Plan
	form *llm.Tool // that stands for the form of the answer, nil if none does
}

func (e *encoder) stop() {
	sep := `,"stop_sequences":[`
	for _, s := range e.Stop {
		if s.Blank() { // the API refuses white space
			e.Leave("stop")
			continue
		}
		e.Text(sep)
		e.Raw(s)
		sep = ","
	}
	if sep == "," {
		e.Text("]")
	}
}

// reasoning writes thinking and output_config.
func (e *encoder) reasoning() {
	effort := ""
	switch {
	case e.plan.Thinks && e.plan.Think == claude.ByBudget:
		e.Number(`,"thinking":{"type":"enabled","budget_tokens":`, e.plan.Budget)
		e.Text("}")
	case e.plan.Thinks:
		e.Text(`,"thinking":{"type":"adaptive","display":"summarized"}`)
		effort = e.plan.EffortOf(e.Effort)
	case e.Effort == "none" && e.plan.Think == claude.Adaptive:
		e.Text(`,"thinking":{"type":"disabled"}`)
	}
	var schema llm.JSON
	switch {
	case e.Format.Kind == llm.FormatSchema && e.plan.Schema:
		schema = e.Format.Schema
	case e.Format.Kind != llm.FormatText && e.form == nil:
		e.Leave("response_format")
	}
	sep := `,"output_config":{`
	if effort != "" {
		e.Text(sep + `"effort":`)
		e.Quote(effort)
		sep = ","
	}
	if schema != nil {
		e.Text(sep + `"format":{"type":"json_schema","schema":`)
		e.Raw(schema)
		e.Text("}")
		sep = ","
	}
	if sep == "," {
		e.Text("}")
	}
}

// user passes on who stands behind the request, unless it is a person's address, which the API refuses.
func (e *encoder) user() {
	id := e.User.Inner()
	switch {
	case len(id) == 0:
	case len(id) > 256 || bytes.IndexByte(id, '@') >= 0:
		e.Leave(e.UserName)
	default:
		e.Text(`,"metadata":{"user_id":`)
		e.Raw(e.User)
		e.Text("}")
	}
}

// param writes a parameter that stays what it is, or notes that it has no counterpart.
func (e *encoder) param(p llm.Param) {
	switch p.Name {
	case "temperature":
		e.temperature(p.Value)
	case "top_p", "top_k":
		if !e.plan.Samples(e.Request, p.Name) || p.Value.Kind() != '0' {
			e.Leave(p.Name)
			return
		}
		e.Text(`,"` + p.Name + `":`)
		e.Raw(p.Value)
	case "service_tier":
		if string(p.Value) != `"default"` {
			e.Leave(p.Name)
			return
		}
		e.Text(`,"service_tier":"standard_only"`)
	case "cache_control": // the API's own
		e.Text(`,"cache_control":`)
		e.Raw(p.Value)
	default:
		e.Leave(p.Name)
	}
}

// temperature has half of OpenAI's range: what is above becomes 1, and is told.
func (e *encoder) temperature(value llm.JSON) {
	t, err := strconv.ParseFloat(string(value), 64)
	switch {
	case err != nil || !e.plan.Sampling || e.plan.Thinks && t != 1:
		e.Leave("temperature")
	case t > 1:
		e.Leave("temperature")
		e.Text(`,"temperature":1`)
	default:
		e.Text(`,"temperature":`)
		e.Raw(value)
	}
}

// object reports whether a value is an object.
func object(value llm.JSON) bool { return value.Kind() == '{' }

// hasMember reports whether an object has a member.
func hasMember(value llm.JSON, name string) bool {
	for n := range jsonwalk.Members(value) {
		if string(n) == name {
			return true
		}
	}
	return false
}
