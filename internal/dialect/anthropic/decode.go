package anthropic

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/claude"
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/llm"
)

// Decode is a body of POST /v1/messages, or of its like at another host, in the typed model: what Encode writes, read again. Its
// values alias the body. What only this API knows stays as it is spelled.
func Decode(body []byte) (*llm.Request, *llm.Error) {
	d := decoder{Reading: draft.ReadingOf(body)}
	if d.Bad == nil {
		for name, v := range draft.Given(body) {
			d.member(string(name), v)
		}
		d.complete()
	}
	return d.Done()
}

// decoder is the state of one Decode.
type decoder struct {
	draft.Reading
	caller   *received // the request is a caller's, for a target of another dialect; else nil
	adaptive bool      // the model decides how much it thinks
	effort   llm.JSON  // effort in output_config
}

func (d *decoder) member(name string, v llm.JSON) {
	switch name {
	case "model":
		if d.Is(v, '"', name) {
			d.Out.Model = v.Text()
		}
	case "anthropic_version":
		if d.Is(v, '"', name) {
			d.Out.Hosted = v.Text()
		}
	case "max_tokens":
		d.Out.MaxToken = d.Whole(v, name)
	case "stream":
		d.Out.Stream = d.flag(v, name)
	case "system":
		d.Out.System = d.content(v, name)
		d.bill()
	case "messages":
		d.messages(v)
	case "tools":
		d.tools(v)
	case "tool_choice":
		d.choice(v)
	case "stop_sequences":
		d.Out.Stop = d.Strings(v, name)
	case "thinking":
		d.thinking(v)
	case "output_config":
		d.output(v)
	case "output_format": // as output_config.format was called at first
		d.format(v, name)
	case "metadata":
		d.metadata(v)
	case "temperature", "top_p", "top_k":
		if d.Is(v, '0', name) {
			d.Param(name, v)
		}
	case "cache_control":
		d.Param(name, v)
	case "service_tier":
		d.tier(v)
	default:
		d.extra("", name, v)
	}
}

// complete says what is missing, and what only all members together say.
func (d *decoder) complete() {
	switch r := d.Out; {
	case r.Model == "" && r.Hosted == "":
		d.Missing("model")
	case r.MaxToken == 0:
		d.Missing("max_tokens")
	case r.Messages == nil:
		d.Missing("messages")
	}
	if d.caller != nil {
		d.received()
		return
	}
	maker := claude.Maker(d.Out.Model)
	for i := range d.Out.Messages {
		for j := range d.Out.Messages[i].Parts {
			if p := &d.Out.Messages[i].Parts[j]; p.Thought() {
				p.Maker = maker
			}
		}
	}
	switch effort := d.effort.Text(); {
	case effort == "":
	case d.adaptive:
		d.Out.Effort = effort
	default: // it is about all that the model says: the typed model has a word only for how much it thinks
		d.extra("output_config", "effort", d.effort)
	}
}

// extra keeps what only this API knows. It skips names with a dot, because a dot separates the names of nested
// members.
func (d *decoder) extra(parent, name string, v llm.JSON) {
	if strings.Contains(name, ".") {
		d.unknown(parent, name)
	}
	if parent != "" {
		name = parent + "." + name
	}
	d.Out.Extras = append(d.Out.Extras, llm.Extra{Of: llm.Anthropic, Name: name, Value: v})
}

// flag is true or false.
func (d *decoder) flag(v llm.JSON, path string) bool { return d.Is(v, 't', path) && v[0] == 't' }

// oneOf refuses a value outside the allowed ones.
func (d *decoder) oneOf(path, names string) {
	d.Wrong(llm.InvalidValue, path, fmt.Sprintf("'%s' must be %s.", path, names))
}

// metadata reads the end user of the request.
func (d *decoder) metadata(v llm.JSON) {
	if !d.Is(v, '{', "metadata") {
		return
	}
	for name, v := range draft.Given(v) {
		switch path := "metadata." + string(name); {
		case string(name) != "user_id":
			d.extra("metadata", string(name), v)
		case d.Is(v, '"', path) && d.caller != nil && isObject(v):
			d.Leave(path) // accounts and devices of Anthropic's, which are no other vendor's business
		case v.Kind() == '"':
			d.Out.User, d.Out.UserName = v, path
		}
	}
}

// tier is the only choice there is: whether a request may use capacity that was bought ahead, which is the default.
func (d *decoder) tier(v llm.JSON) {
	switch v.Text() {
	case "auto":
	case "standard_only":
		d.Out.Params = append(d.Out.Params, llm.Param{Name: "service_tier", Value: llm.JSON(`"default"`)})
	default:
		d.oneOf("service_tier", "auto or standard_only")
	}
}
