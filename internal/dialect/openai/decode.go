package openai

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Members steps through the members of a request's body that was validated before, but for those that are null: they say nothing.
func Members(body []byte) iter.Seq2[string, llm.JSON] {
	return func(yield func(string, llm.JSON) bool) {
		for name, value := range jsonwalk.Members(body) {
			if value[0] != 'n' && !yield(string(name), value) {
				return
			}
		}
	}
}

// Decode is the chat request with the members in the typed model, for targets of another dialect. Only what Weir must understand is
// decoded. Texts, schemas and numbers keep their spelling and alias the caller's bytes. The members named in omit are
// left out, and listed as such.
func Decode(members iter.Seq2[string, llm.JSON], omit []string) (*llm.Request, *llm.Error) {
	d := decoder{Reading: draft.Reading{Out: new(llm.Request)}}
	for name, value := range members {
		if slices.Contains(omit, name) {
			d.Leave(name)
		} else {
			d.member(name, value)
		}
	}
	d.offer()
	d.turnOver()
	return d.Done()
}

// turnOver turns system and developer messages into the user's if there are no others: OpenAI's API answers these, and other APIs
// refuse them.
func (d *decoder) turnOver() {
	if len(d.Out.Messages) == 0 && len(d.Out.System) > 0 {
		d.Out.Messages, d.Out.System = []llm.Message{{Role: llm.User, Parts: d.Out.System}}, nil
	}
}

// perObject is about how much memory an object of the request (a message, a part or a call) takes, in the typed model and while it
// is encoded. perElement is the same for an element of a list of strings. Both include the garbage that a growing list leaves.
const (
	perObject  = 1 << 10
	perElement = 64
)

// Typed is about how many bytes Decode takes for a body with the members, in addition to the caller's. An object of a few bytes
// takes many times as much there.
func Typed(body []byte, members iter.Seq2[string, llm.JSON]) int {
	n := 0
	for name, value := range members {
		if (name == "stop" || name == "prompt") && value.Kind() == '[' {
			n += bytes.Count(value, []byte(",")) * perElement
		}
	}
	for rest := body; ; {
		i := bytes.IndexByte(rest, '{')
		if i < 0 {
			return n
		}
		if rest = rest[i+1:]; len(rest) > 0 && rest[0] != '\\' { // it occurs there only in texts, of JSON or of programs
			n += perObject
		}
	}
}

// decoder is the state of one Decode.
type decoder struct {
	draft.Reading
	only []string // the tools that the model may choose among, by their names; nil for all
}

// impossible refuses what no dialect but OpenAI's can carry, and without which the answer would be to another question.
func (d *decoder) impossible(param string) {
	d.Wrong(llm.UnsupportedParameter, param, fmt.Sprintf("Unsupported parameter: '%s' cannot be carried to this model's provider. Remove it, or use another model.", param))
}

func (d *decoder) member(name string, value llm.JSON) {
	switch name {
	case "model", "stream_options": // read where the body is parsed
	case "stream":
		d.Out.Stream = value[0] == 't'
	case "messages":
		for i, message := range jsonwalk.Elements(value) {
			d.message(i, message)
		}
	case "max_tokens", "max_completion_tokens":
		d.maxTokens(name, value)
	case "stop":
		d.stop(value)
	case "tools":
		d.tools(value)
	case "tool_choice":
		d.choice(value)
	case "parallel_tool_calls":
		d.Out.Serial = d.Is(value, 't', name) && value[0] == 'f'
	case "response_format":
		d.format(value)
	case "reasoning_effort":
		if d.Is(value, '"', name) {
			d.effort(value.Text())
		}
	case "user", "safety_identifier":
		if d.Is(value, '"', name) && (d.Out.User == nil || name == "safety_identifier") {
			d.Out.User, d.Out.UserName = value, name
		}
	case "functions", "function_call":
		d.impossible(name)
	default:
		if !IsDefault(name, value) {
			d.Out.Params = append(d.Out.Params, llm.Param{Name: name, Value: value})
		}
	}
}

func (d *decoder) effort(effort string) {
	switch effort {
	case "none", "minimal", "low", "medium", "high", "xhigh", "max":
		d.Out.Effort = effort
	default:
		d.Wrong(llm.InvalidValue, "reasoning_effort", "'reasoning_effort' must be none, minimal, low, medium, high, xhigh or max.")
	}
}

// IsDefault reports whether a member of a request says what holds without it: to leave it out loses nothing.
func IsDefault(name string, value llm.JSON) bool {
	switch name {
	case "n":
		return string(value) == "1"
	case "logprobs", "store":
		return string(value) == "false"
	case "top_logprobs", "presence_penalty", "frequency_penalty":
		return string(value) == "0" || string(value) == "0.0"
	case "logit_bias", "metadata":
		return jsonwalk.Hollow(value)
	case "modalities":
		return string(value) == `["text"]`
	case "service_tier":
		return string(value) == `"auto"`
	case "verbosity":
		return string(value) == `"medium"`
	}
	return false
}

// IsUsual reports whether a parameter says what OpenAI's models do anyway, though those of another vendor may do something else. One that a
// target does not take can be left out without a word then: reasoning models have no temperature but 1.
func IsUsual(name string, value llm.JSON) bool {
	switch name {
	case "temperature", "top_p":
		return value.One()
	case "parallel_tool_calls":
		return string(value) == "true"
	case "tool_choice":
		return string(value) == `"auto"`
	}
	return false
}

func (d *decoder) maxTokens(name string, value llm.JSON) {
	if d.Out.MaxToken != 0 && name == maxTokens { // the newer name counts
		return
	}
	d.Out.MaxToken = d.Whole(value, name)
}

const maxTokens = "max_tokens"

func (d *decoder) stop(value llm.JSON) {
	if value.Kind() == '"' {
		d.Out.Stop = []llm.JSON{value}
		return
	}
	d.Out.Stop = d.Strings(value, "stop")
}

func (d *decoder) format(value llm.JSON) {
	const name = "response_format"
	if !d.Is(value, '{', name) {
		return
	}
	var schema llm.JSON
	for member, v := range jsonwalk.Members(value) {
		switch string(member) {
		case "type":
			switch llm.JSON(v).Text() {
			case "text":
			case "json_object":
				d.Out.Format.Kind = llm.FormatJSON
			case "json_schema":
				d.Out.Format.Kind = llm.FormatSchema
			default:
				d.Wrong(llm.InvalidValue, name+".type", "'response_format.type' must be text, json_object or json_schema.")
			}
		case "json_schema":
			schema = v
		}
	}
	for member, v := range jsonwalk.Members(schema) {
		switch string(member) {
		case "name":
			d.Out.Format.Name = v
		case "description":
			if v := given(v); v != nil && d.Is(v, '"', name+".json_schema.description") {
				d.Out.Format.Description = v
			}
		case "schema":
			d.Out.Format.Schema = v
		case "strict":
			d.Out.Format.Strict = v[0] == 't'
		}
	}
	if d.Out.Format.Kind == llm.FormatSchema && d.Out.Format.Schema.Kind() != '{' {
		d.Missing(name + ".json_schema.schema")
	}
}
