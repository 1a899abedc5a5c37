package responses

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Decode is the request in the typed model, for targets of another dialect. Only what Weir must understand is decoded. Texts, schemas
// and numbers keep their spelling and alias the caller's bytes. The members named in omit, by their names in OpenAI's chats, are left
// out, and listed as such.
func (r *Request) Decode(omit []string) (*llm.Request, *llm.Error) { return r.decode(omit, false) }

// decode is Decode, for the server of the API itself if own: what no other has is kept then.
func (r *Request) decode(omit []string, own bool) (*llm.Request, *llm.Error) {
	box, err := r.box()
	if err != nil {
		return nil, err
	}
	d := decoder{Reading: draft.Reading{Out: &llm.Request{Stream: r.Stream}}, box: box, omit: omit, calls: map[string]bool{}, own: own}
	if own {
		d.Out.Model = r.Model
	}
	if v := r.Value("instructions"); v != nil && d.Is(v, '"', "instructions") && len(v.Inner()) > 0 {
		d.Out.System = []llm.Part{{Kind: llm.Text, Text: v}}
	}
	d.input(r.Value("input"))
	if r.sums && !d.sums && len(d.Out.Messages) > 0 {
		d.sumUp(d.Out.Messages[len(d.Out.Messages)-1].At)
	}
	if r.added != nil {
		d.forced = r.added.Set
	}
	if d.scores = includes(r.Value("include"), includeLogprobs); d.scores {
		d.chat("logprobs", llm.JSON("true"))
	}
	for i := range r.Members {
		if m := &r.Members[i]; !m.Null {
			d.member(m.Name, m.At.Value.Of(r.Raw))
		}
	}
	if d.forced = nil; r.added != nil {
		for _, p := range slices.Concat(r.added.Default, r.added.Set) {
			if !slices.Contains(omit, p.Name) { // nothing of the caller's is lost with it
				d.chat(p.Name, p.Value)
			}
		}
	}
	d.complete()
	return d.Done()
}

// decoder is the state of one Decode.
type decoder struct {
	draft.Reading
	box    *toolbox
	omit   []string
	only   map[string]bool // the tools that the model may choose among, by their names; nil for all
	forced []llm.Param     // what the config sets, whatever the caller says
	calls  map[string]bool // ids of the calls so far
	sums   bool            // a summary of the conversation is asked for
	scores bool            // log probabilities are asked for
	// searches says that the model must search the web.
	searches bool
	own      bool // it is read by a server of the API
}

// complete says what only all members together say.
func (d *decoder) complete() {
	switch r := d.Out; {
	case d.sums:
		d.Out.Tools, d.Out.Choice, d.Out.Format = d.Out.Called(), llm.Choice{Kind: llm.ChoiceNone}, llm.Format{}
		if len(d.Out.Tools) == 0 {
			d.Out.Choice = llm.Choice{}
		}
	default:
		d.offer()
		if len(r.Messages) == 0 && len(r.System) > 0 { // the API answers these too
			r.Messages, r.System = []llm.Message{{Role: llm.User, Parts: r.System}}, nil
		}
	}
	if len(d.Out.Messages) == 0 {
		d.Missing("input")
	}
}

// omitted reports whether a parameter, named as in OpenAI's chats, is to be left out, and notes it if so.
func (d *decoder) omitted(names ...string) bool {
	for _, name := range names {
		if slices.Contains(d.omit, name) {
			d.Leave(nameOf(name))
			return true
		}
	}
	return false
}

// set reports whether the config sets a parameter, which then counts instead of the caller's.
func (d *decoder) set(name string) bool {
	return slices.ContainsFunc(d.forced, func(p llm.Param) bool { return llm.SameParam(p.Name, name) })
}

// member reads a top-level member of the caller's.
func (d *decoder) member(name string, v llm.JSON) {
	switch name {
	case "model", "stream", "input", "instructions", "tools": // read already
	case "top_logprobs":
		switch {
		case d.scores:
			d.chat(name, v)
		case !saysNothing(v):
			d.Leave(name)
		}
	case "background", "store", previousMember, "stream_options", "include", "client_metadata", "truncation": // change nothing of the answer, or only its form
	case "max_output_tokens":
		d.chat("max_tokens", v)
	case "parallel_tool_calls", "tool_choice", "temperature", "top_p", "service_tier", "user", "safety_identifier", "prompt_cache_key":
		d.chat(name, v)
	case "reasoning":
		d.within(name, v, map[string]string{"effort": "reasoning_effort", "summary": "", "generate_summary": "", "context": ""})
		if d.Out.Summary = stringOf(memberOf(v, "summary")); d.Out.Summary == nil {
			d.Out.Summary = stringOf(memberOf(v, "generate_summary"))
		}
	case "text":
		d.within(name, v, map[string]string{"format": "response_format", "verbosity": "verbosity"})
	default:
		switch {
		case d.own && (name == "metadata" || name == "prompt_cache_retention"):
			d.Param(name, v)
		case d.own:
			d.Out.Extras = append(d.Out.Extras, llm.Extra{Of: llm.Responses, Name: name, Value: v})
		case !saysNothing(v):
			d.Leave(llm.Clip(name))
		}
	}
}

// includes reports whether a request asks for something besides the answer.
func includes(list llm.JSON, what string) bool {
	for _, v := range jsonwalk.Elements(list) {
		if llm.JSON(v).Text() == what {
			return true
		}
	}
	return false
}

// saysNothing reports whether a value is what holds without it.
func saysNothing(v llm.JSON) bool {
	switch string(v) {
	case "0", "false", "{}", "[]", `""`:
		return true
	}
	return false
}

// within reads the members of an object. known has their names in OpenAI's chats, "" for those that only say how the answer looks.
func (d *decoder) within(parent string, v llm.JSON, known map[string]string) {
	if !d.Is(v, '{', parent) {
		return
	}
	for name, v := range draft.Given(v) {
		switch chat, ok := known[string(name)]; {
		case d.own && parent == "reasoning" && (!ok || string(name) == "context"):
			d.Out.Extras = append(d.Out.Extras, llm.Extra{Of: llm.Responses, Name: parent + "." + string(name), Value: v})
		case !ok:
			d.Leave(parent + "." + llm.Clip(string(name)))
		case chat != "":
			d.chat(chat, v)
		}
	}
}

// chat reads a parameter by its name in OpenAI's chats.
func (d *decoder) chat(name string, v llm.JSON) {
	if d.set(name) || d.omitted(name) || name == "max_tokens" && d.omitted("max_completion_tokens") {
		return
	}
	switch name {
	case "tool_choice":
		d.choice(v)
	case "response_format":
		d.format(v)
	default:
		d.Chat(name, nameOf(name), v)
	}
}

// format reads the form that the answer has to have, as this API spells it or, in a config, as OpenAI's chats do.
func (d *decoder) format(v llm.JSON) {
	const name = "text.format"
	if !d.Is(v, '{', name) {
		return
	}
	f := llm.Format{}
	switch memberOf(v, "type").Text() {
	case "text":
	case "json_object":
		f.Kind = llm.FormatJSON
	case "json_schema":
		f.Kind = llm.FormatSchema
	default:
		d.Wrong(llm.InvalidValue, name+".type", "'text.format.type' must be text, json_object or json_schema.")
	}
	if nested := memberOf(v, "json_schema"); nested.Kind() == '{' {
		v = nested
	}
	for member, v := range draft.Given(v) {
		switch string(member) {
		case "name":
			f.Name = v
		case "description":
			if d.Is(v, '"', name+".description") {
				f.Description = v
			}
		case "schema":
			if d.Is(v, '{', name+".schema") {
				f.Schema = v
			}
		case "strict":
			f.Strict = v.Kind() == 't'
		}
	}
	if f.Kind == llm.FormatSchema && f.Schema == nil {
		d.Missing(name + ".schema")
	}
	d.Out.Format = f
}
