package anthropic

import (
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/llm"
)

const summarized = `"summarized"`

// thinking is whether the model is to reason, and how much. How thoughts are shown is the model's own choice where a caller of this
// API does not say; callers of others want to see them. So the decoder notes that the caller did not say.
func (d *decoder) thinking(v llm.JSON) {
	if !d.Is(v, '{', "thinking") {
		return
	}
	typ := ""
	var budget, display llm.JSON
	for name, v := range draft.Given(v) {
		switch name := string(name); name {
		case "type":
			typ = v.Text()
		case "budget_tokens":
			budget = v
		case "display":
			display = v
		default:
			d.extra("thinking", name, v)
		}
	}
	if string(display) == summarized {
		d.Out.Summary = anySummary
	}
	switch typ {
	case "enabled":
		if budget == nil {
			d.Missing("thinking.budget_tokens")
			return
		}
		d.Out.Budget = d.Whole(budget, "thinking.budget_tokens")
		d.Out.Effort = llm.EffortOf(d.Out.Budget)
		if display != nil {
			d.extra("thinking", "display", display)
			d.Out.Extras[len(d.Out.Extras)-1].Summarizes = d.Out.Summary != nil
		}
	case "adaptive":
		d.adaptive, d.Out.Effort = true, "high" // the API's default
		switch {
		case display == nil:
			d.extra("thinking", "display", llm.JSON("null"))
		case string(display) != summarized:
			d.extra("thinking", "display", display)
		}
	case "disabled":
		d.Out.Effort = "none"
		if display != nil {
			d.unknown("thinking", "display")
		}
	case "between_tools":
		if d.caller != nil { // others reason where they like
			d.Leave("thinking.type")
			d.adaptive, d.Out.Effort = true, "high"
			break
		}
		fallthrough
	default:
		d.oneOf("thinking.type", "enabled, adaptive or disabled")
	}
	if typ != "enabled" && budget != nil {
		d.unknown("thinking", "budget_tokens")
	}
}

// anySummary asks for a summary of the reasoning, as detailed as the model likes.
var anySummary = llm.JSON(`"auto"`)

// output reads how much the model should say, and in which form.
func (d *decoder) output(v llm.JSON) {
	if !d.Is(v, '{', "output_config") {
		return
	}
	for name, v := range draft.Given(v) {
		switch name, path := string(name), "output_config."+string(name); name {
		case "effort":
			switch v.Text() {
			case "low", "medium", "high", "xhigh", "max":
				d.effort = v
			default:
				d.oneOf(path, "low, medium, high, xhigh or max")
			}
		case "format":
			d.format(v, path)
		default:
			d.extra("output_config", name, v)
		}
	}
}

// format is the form that the answer has to have.
func (d *decoder) format(v llm.JSON, path string) {
	if !d.Is(v, '{', path) {
		return
	}
	typ := ""
	for name, v := range draft.Given(v) {
		switch string(name) {
		case "type":
			typ = v.Text()
		case "schema":
			if d.Is(v, '{', path+".schema") {
				d.Out.Format.Schema = v
			}
		default:
			d.unknown(path, string(name))
		}
	}
	switch {
	case typ != "json_schema":
		d.oneOf(path+".type", "json_schema")
	case d.Out.Format.Schema == nil:
		d.Missing(path + ".schema")
	default:
		d.Out.Format.Kind, d.Out.Format.Strict = llm.FormatSchema, true
	}
}

// unknown refuses a member that the API does not know either, where nothing that only it knows has a place.
func (d *decoder) unknown(path, name string) {
	path = strings.TrimPrefix(path+"."+name, ".")
	d.Wrong(llm.UnsupportedParameter, path, "Unknown parameter: '"+path+"'.")
}
