package cohere

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Decode reads a body of POST /v2/chat. Texts, schemas and numbers keep their spelling and alias the body. What the API does
// not know is kept for it all the same: it is the API's to judge.
func Decode(body []byte) (*llm.Request, *llm.Error) {
	d := decoder{Reading: draft.ReadingOf(body)}
	stream := false
	for name, v := range draft.Given(body) {
		stream = stream || string(name) == "stream"
		d.member(string(name), v)
	}
	switch {
	case d.Out.Model == "":
		d.Missing("model")
	case !stream:
		d.Missing("stream")
	case !d.spoken:
		d.Missing("messages")
	}
	for i := range d.Out.Tools {
		d.Out.Tools[i].Strict = d.strict
	}
	return d.Done()
}

// decoder is the state of one Decode.
type decoder struct {
	draft.Reading
	spoken bool // there is a list of messages
	strict bool // all tools are
}

func (d *decoder) member(name string, v llm.JSON) {
	switch name {
	case "model":
		if d.Is(v, '"', name) {
			d.Out.Model = v.Text()
		}
	case "stream":
		d.Out.Stream = d.Is(v, 't', name) && v[0] == 't'
	case "messages":
		if d.spoken = true; d.Is(v, '[', name) {
			for i, message := range jsonwalk.Elements(v) {
				d.message(i, message)
			}
		}
	case "tools":
		if d.Is(v, '[', name) {
			for i, tool := range jsonwalk.Elements(v) {
				d.tool(fmt.Sprintf("tools[%d]", i), tool)
			}
		}
	case "strict_tools":
		d.strict = d.Is(v, 't', name) && v[0] == 't'
	case "tool_choice":
		d.choice(v)
	case "max_tokens":
		d.Out.MaxToken = d.Whole(v, name)
	case "stop_sequences":
		d.Out.Stop = d.Strings(v, name)
	case "response_format":
		d.format(v)
	case "thinking":
		d.thinking(v)
	case "p", "k":
		d.number(name, "top_"+name, v)
	case "temperature", "seed", "presence_penalty", "frequency_penalty", "priority":
		d.number(name, name, v)
	case "documents", "citation_options", "safety_mode":
		d.Param(name, v)
	default:
		d.extra(name, v)
	}
}

// number takes a parameter that is a number.
func (d *decoder) number(path, name string, v llm.JSON) {
	if d.Is(v, '0', path) {
		d.Param(name, v)
	}
}

// extra keeps a member that other dialects do not know.
func (d *decoder) extra(name string, v llm.JSON) {
	if strings.Contains(name, ".") { // it would look like a nested member
		d.Leave(name)
		return
	}
	d.Out.Extras = append(d.Out.Extras, llm.Extra{Of: llm.Cohere, Name: name, Value: v})
}

func (d *decoder) choice(v llm.JSON) {
	switch v.Text() {
	case "REQUIRED":
		d.Out.Choice.Kind = llm.ChoiceAny
	case "NONE":
		d.Out.Choice.Kind = llm.ChoiceNone
	default:
		d.Wrong(llm.InvalidValue, "tool_choice", "'tool_choice' must be REQUIRED or NONE.")
	}
}

func (d *decoder) format(v llm.JSON) {
	const name = "response_format"
	if !d.Is(v, '{', name) {
		return
	}
	typ, f := "", &d.Out.Format
	for member, v := range jsonwalk.Members(v) {
		switch v := llm.JSON(v); string(member) {
		case "type":
			typ = v.Text()
		case "json_schema":
			if v.Kind() != 'n' && d.Is(v, '{', name+".json_schema") {
				f.Schema = v
			}
		default:
			d.Leave(name + "." + string(member))
		}
	}
	switch {
	case typ == "text" && f.Schema == nil:
	case typ == "json_object" && f.Schema == nil:
		f.Kind = llm.FormatJSON
	case typ == "json_object":
		f.Kind = llm.FormatSchema
	default:
		d.Wrong(llm.InvalidValue, name+".type", "'response_format.type' must be text or json_object, and json_object if there is a json_schema.")
	}
}

// thinking reads how much the model is to think. Thinking without an amount is the default of models that can think: it needs
// no effort.
func (d *decoder) thinking(v llm.JSON) {
	const name = "thinking"
	typ, budget := "", int64(0)
	for member, v := range jsonwalk.Members(v) {
		switch v := llm.JSON(v); string(member) {
		case "type":
			typ = v.Text()
		case "token_budget":
			if v.Kind() != 'n' {
				budget = d.Whole(v, name+".token_budget")
			}
		default:
			d.Leave(name + "." + string(member))
		}
	}
	switch {
	case typ == "disabled" && budget == 0:
		d.Out.Effort = "none"
	case typ == "enabled" && budget > 0:
		d.Out.Effort, d.Out.Budget = llm.EffortOf(budget), budget
	case typ == "enabled":
		d.extra(name, v)
	default:
		d.Wrong(llm.InvalidValue, name, "'thinking.type' must be enabled or disabled, and enabled if there is a token_budget.")
	}
}

// tool reads a tool. One that has more than the typed model knows of stays as it is.
func (d *decoder) tool(path string, v llm.JSON) {
	if !d.Is(v, '{', path) {
		return
	}
	var t llm.Tool
	typ, known := "", true
	for member, v := range jsonwalk.Members(v) {
		switch string(member) {
		case "type":
			typ = llm.JSON(v).Text()
		case "function":
			known = d.function(path+".function", &t, v) && known
		default:
			known = false
		}
	}
	switch {
	case typ != "function" || !known:
		t = llm.Tool{Raw: v, Of: llm.Cohere}
	case len(t.Name.Inner()) == 0:
		d.Missing(path + ".function.name")
	}
	d.Out.Tools = append(d.Out.Tools, t)
}

func (d *decoder) function(path string, t *llm.Tool, v llm.JSON) (known bool) {
	known = true
	for member, v := range jsonwalk.Members(v) {
		v, kind, to := llm.JSON(v), byte('"'), (*llm.JSON)(nil)
		switch string(member) {
		case "name":
			to = &t.Name
		case "description":
			to = &t.Description
		case "parameters":
			kind, to = '{', &t.Schema
		default:
			known = false
		}
		if to != nil && v.Kind() != 'n' && d.Is(v, kind, path+"."+string(member)) {
			*to = v
		}
	}
	return known
}
