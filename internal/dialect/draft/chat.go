package draft

import (
	"fmt"
	"slices"

	"github.com/weirproxy/weir/internal/llm"
)

// Chat reads a parameter by its name in OpenAI's chats, but for tools and forms. here is what the caller calls it.
func (r *Reading) Chat(name, here string, v llm.JSON) {
	switch name {
	case "max_tokens", "max_completion_tokens":
		r.Out.MaxToken = r.Whole(v, here)
	case "temperature", "top_p":
		if r.Is(v, '0', here) {
			r.Param(name, v)
		}
	case "parallel_tool_calls":
		r.Out.Serial = r.Is(v, 't', here) && v[0] == 'f'
	case "reasoning_effort":
		if r.Is(v, '"', here) {
			r.effort(here, v.Text())
		}
	case "verbosity":
		if string(v) != `"medium"` { // which is the default
			r.Param(name, v)
		}
	case "service_tier":
		if string(v) != `"auto"` {
			r.Param(name, v)
		}
	case "user", "safety_identifier":
		if r.Is(v, '"', here) && (r.Out.User == nil || name == "safety_identifier") {
			r.Out.User, r.Out.UserName = v, name
		}
	case "stop":
		if v.Kind() == '"' {
			r.Out.Stop = []llm.JSON{v}
			return
		}
		r.Out.Stop = r.Strings(v, here)
	default:
		r.Param(name, v)
	}
}

func (r *Reading) effort(here, effort string) {
	switch effort {
	case "none", "minimal", "low", "medium", "high", "xhigh", "max":
		r.Out.Effort = effort
	default:
		r.Wrong(llm.InvalidValue, here, fmt.Sprintf("'%s' must be none, minimal, low, medium, high, xhigh or max.", here))
	}
}

// Omit leaves out a parameter by its name in OpenAI's chats, and notes it as what the caller calls it, unless here is "".
func (r *Reading) Omit(name, here string) {
	q, had := r.Out, len(r.Out.Params)
	q.Params = slices.DeleteFunc(q.Params, func(p llm.Param) bool { return p.Name == name })
	said := len(q.Params) < had
	switch name {
	case "max_tokens", "max_completion_tokens":
		said, q.MaxToken = q.MaxToken != 0, 0
	case "reasoning_effort":
		said, q.Effort, q.Budget = q.Effort != "", "", 0
	case "stop":
		said, q.Stop = q.Stop != nil, nil
	case "response_format":
		said, q.Format = q.Format.Kind != llm.FormatText, llm.Format{}
	case "parallel_tool_calls":
		said, q.Serial = q.Serial, false
	case "tool_choice":
		said, q.Choice = q.Choice.Kind != llm.ChoiceUnset, llm.Choice{}
	case "user", "safety_identifier":
		if q.UserName == name {
			said, q.User, q.UserName = true, nil, ""
		}
	}
	if said && here != "" {
		r.Leave(here)
	}
}
