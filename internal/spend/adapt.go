package spend

import (
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// adapt has what is known of a request be what a target is sent: the config may add members to it, or leave some out.
func (r *Request) adapt(p *budget.Prompt, a *budget.Answer, to *route.Target) {
	for _, list := range [...][]llm.Param{to.Added.Set, to.Added.Default} {
		for _, added := range list {
			p.Bytes += int64(len(added.Name) + len(added.Value))
			n, err := strconv.ParseInt(string(added.Value), 10, 64)
			switch lower := strings.ToLower(added.Name); {
			case capsAnswer(lower):
				if a.Most > 0 && err == nil {
					a.Most = max(a.Most, n)
				}
			case lower == "n" && err == nil:
				a.N = max(a.N, n)
			case r.Hosted([]byte(`{` + strconv.Quote(added.Name) + `:` + string(added.Value) + `}`)):
				p.Opaque = true
			case lower == "tools", lower == "response_format":
				p.Tools = true
			}
		}
	}
	for _, name := range to.Omit {
		if capsAnswer(strings.ToLower(name)) {
			a.Most = 0
		}
	}
}

// capsAnswer reports whether a parameter, in lower case, says how many tokens an answer may have.
func capsAnswer(name string) bool {
	switch name {
	case "max_tokens", "max_completion_tokens", "max_output_tokens":
		return true
	}
	return false
}
