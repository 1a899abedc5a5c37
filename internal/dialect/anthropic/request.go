// Package anthropic is the dialect of the Anthropic Messages API, from both sides: requests are written and read, and so are
// answers and streams. It is pure: the typed model in, bytes out, and the other way round.
//
// Source of the shapes: the types of the vendor's Go SDK, version 1.84.0, and recorded traffic.
package anthropic

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/claude"
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Encode returns the request as a body of POST /v1/messages, or of its equivalent at another host, and the parameters that it left
// out. The error is about content that can neither be carried nor left out.
func Encode(r *llm.Request) ([]byte, []string, *llm.Error) {
	e := encoder{Request: r, Draft: draft.Of(r, llm.Anthropic), plan: claude.PlanOf(r, r.Model)}
	if e.Request = r.Interjected(); e.plan.Interjects {
		e.Request = r.Placed()
	}
	var fits bool
	e.sent, e.lost, fits = e.plan.Told(r.Format)
	e.schemas = e.plan.Schema && fits
	e.form = e.plan.Form(r, e.schemas)
	if e.plan.Loses {
		e.Leave(claude.EffortParam)
	}
	if at, refused := e.plan.Refused(r); refused {
		e.Impossible(at, claude.Begun)
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
	e.thinking()
	e.output()
	e.user()
	for _, p := range r.Params {
		e.param(p)
	}
	e.extras(",", "")
	e.Text("}")
	return e.Done()
}

// Maker is who made the model of that name, as llm.Part has it.
func Maker(model string) string { return claude.Maker(model) }

// encoder is the state of one Encode.
type encoder struct {
	*llm.Request
	draft.Draft
	plan claude.Plan
	form *llm.Tool // the tool for the form of the answer, or nil

	searching bool // the vendor's search of the web is offered

	sent    llm.Format // what the model is sent about the form, if schemas
	schemas bool       // a schema can set the form of the answer
	lost    bool       // that loses its bounds
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

// extras writes the members below a parent that only this API knows, with sep before the first. It returns the separator for
// the next member.
func (e *encoder) extras(sep, parent string) string {
	for name, value := range draft.Extras(e.Request, llm.Anthropic, parent) {
		if value.Kind() == 'n' {
			continue
		}
		e.Text(sep)
		e.Quote(name)
		e.Text(":")
		e.Raw(value)
		sep = ","
	}
	return sep
}

// has reports whether a member that only this API knows was given, even as null.
func (e *encoder) has(name string) bool {
	return slices.ContainsFunc(e.Extras, func(x llm.Extra) bool { return x.Of == llm.Anthropic && x.Name == name })
}

// thinking writes how the model is to reason.
func (e *encoder) thinking() {
	switch {
	case e.plan.Thinks && e.plan.Think == claude.ByBudget:
		e.Number(`,"thinking":{"type":"enabled","budget_tokens":`, e.plan.Budget)
	case e.plan.Thinks:
		e.Text(`,"thinking":{"type":"adaptive"`)
		if !e.has("thinking.display") {
			e.Text(`,"display":` + summarized)
		}
	case e.Effort == "none" && e.plan.Think == claude.Adaptive:
		e.Text(`,"thinking":{"type":"disabled"`)
	default:
		return
	}
	e.extras(",", "thinking")
	e.Text("}")
}

// output writes output_config.
func (e *encoder) output() {
	var schema llm.JSON
	switch {
	case e.Format.Kind == llm.FormatSchema && e.schemas:
		schema = e.sent.Schema
		if e.lost {
			e.Leave(claude.SchemaParam)
		}
	case e.Format.Kind != llm.FormatText && e.form == nil:
		e.Leave("response_format")
	}
	sep := `,"output_config":{`
	if e.plan.Tries && !e.has("output_config.effort") {
		e.Text(sep + `"effort":`)
		e.Quote(e.plan.EffortOf(e.Effort))
		sep = ","
	}
	if schema != nil {
		e.Text(sep + `"format":{"type":"json_schema","schema":`)
		e.Schema(&e.sent)
		e.Text("}")
		sep = ","
	}
	if e.extras(sep, "output_config") == "," {
		e.Text("}")
	}
}

// user passes on the end user, unless that is an email address, which the API refuses.
func (e *encoder) user() {
	sep, id := `,"metadata":{`, e.User.Inner()
	switch {
	case len(id) == 0:
	case len(id) > 256 || bytes.IndexByte(id, '@') >= 0:
		e.Leave(e.UserName)
	default:
		e.Text(sep + `"user_id":`)
		e.Raw(e.User)
		sep = ","
	}
	if e.extras(sep, "metadata") == "," {
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
			if p.Name != "top_p" || !p.Value.One() { // with 1 all is sampled from, as without it
				e.Leave(p.Name)
			}
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

// temperature has half of OpenAI's range: a higher value becomes 1, and is reported.
func (e *encoder) temperature(value llm.JSON) {
	t, err := strconv.ParseFloat(string(value), 64)
	switch {
	case err == nil && t == 1 && !e.plan.Sampling: // it has no other
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
