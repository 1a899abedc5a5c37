package draft

import (
	"fmt"

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
