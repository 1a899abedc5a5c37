package passthrough

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// With returns the request as a caller would have sent it with the members. It also returns the first of the caller's members whose
// value was replaced, or "". It is r itself if nothing changes. The config ensures that Weir neither routes nor relays by any of
// the names. What the endpoint, in OpenAI's API, does not have is not added. The caller's own members named in unheard do not
// count, not even against a default.
func (r *Request) With(e *llm.Added, endpoint llm.Endpoint, unheard []string) (with dialect.Request, replaced string, err *llm.Error) {
	x := extension{r: r, endpoint: endpoint}
	for _, p := range e.Set {
		x.add(p, true)
	}
	for _, p := range e.Default {
		x.add(p, slices.ContainsFunc(unheard, func(name string) bool { return llm.SameParam(name, p.Name) }))
	}
	if x.added.Len() > 0 {
		end := r.members[len(r.members)-1].Value.End
		x.edits = append(x.edits, jsonwalk.Edit{Span: jsonwalk.Span{Start: end, End: end}, New: x.added.String()})
	}
	if len(x.edits) == 0 {
		return r, "", nil
	}
	slices.SortFunc(x.edits, func(a, b jsonwalk.Edit) int { return a.Start - b.Start })
	extended, err := parseRequestFor(r.Model, nil, r.Endpoint, jsonwalk.Apply(make([]byte, 0, len(r.Raw)+e.Len()), r.Raw, x.edits), 0)
	if err != nil {
		return nil, "", err
	}
	for i := range extended.members {
		extended.members[i].ours = slices.Contains(x.ours, extended.members[i].name)
	}
	return extended, x.replaced, nil
}

// Ours reports whether a member is there only because the config adds it.
func (r *Request) Ours(name string) bool {
	return slices.ContainsFunc(r.members, func(m member) bool { return m.ours && m.name == name })
}

// extension is the state of one With.
type extension struct {
	r        *Request
	endpoint llm.Endpoint
	edits    []jsonwalk.Edit
	added    strings.Builder
	ours     []string // names, as spelled in the body
	replaced string
}

// add adds a parameter where the caller gives none, or, if it is forced, whatever the caller gives.
func (x *extension) add(p llm.Param, force bool) {
	if !has(x.endpoint, p.Name) {
		return
	}
	said, name := false, -1 // name is the member that gets the parameter's name, -1 without one
	for i := range x.r.members {
		m := &x.r.members[i]
		if !llm.SameParam(m.name, p.Name) {
			continue
		}
		said = said || !m.null
		if (name < 0 || m.name == p.Name) && (force && !m.null || strings.EqualFold(m.name, p.Name)) {
			name = i
		}
	}
	switch {
	case said && !force:
	case name < 0:
		x.added.WriteString("," + quote(p.Name) + ":" + string(p.Value))
		x.ours = append(x.ours, p.Name)
	default:
		x.replace(p, name)
	}
}

// replace gives its value to all members that mean the parameter, and its name to one of them. So a server that reads names as
// spelled finds the value. So does one that ignores case and takes the last matching member.
func (x *extension) replace(p llm.Param, name int) {
	for i := range x.r.members {
		m := &x.r.members[i]
		if i != name && !llm.SameParam(m.name, p.Name) || m.null && !strings.EqualFold(m.name, p.Name) {
			continue
		}
		if string(m.Value.Of(x.r.Raw)) != string(p.Value) {
			x.edits = append(x.edits, jsonwalk.Edit{Span: m.Value, New: string(p.Value)})
			if !m.null && x.replaced == "" {
				x.replaced = m.name
			}
		}
		switch {
		case i == name && m.name != p.Name: // the config knows which of its names the target takes
			x.edits = append(x.edits, jsonwalk.Edit{Span: m.Name, New: quote(p.Name)})
			x.ours = append(x.ours, p.Name)
		case m.null:
			x.ours = append(x.ours, m.name)
		}
	}
}

// Parameters that OpenAI's API has for chats only, and those that it has for completions as well. Sorted.
var (
	chatParams = []string{
		"audio", "function_call", "functions", "max_completion_tokens", "metadata", "modalities", "parallel_tool_calls", "prediction", "reasoning_effort", "response_format",
		"service_tier", "store", "tool_choice", "tools", "top_logprobs", "verbosity", "web_search_options",
	}
	textParams = []string{
		"best_of", "echo", "frequency_penalty", "logit_bias", "logprobs", "max_tokens", "n", "presence_penalty", "seed", "stop", "suffix", "temperature", "top_p",
	}
)

// has reports whether an endpoint has a parameter. Those of vendors are had by all.
func has(e llm.Endpoint, name string) bool {
	name = strings.ToLower(name)
	_, chat := slices.BinarySearch(chatParams, name)
	_, text := slices.BinarySearch(textParams, name)
	return e == llm.Chat || !chat && (e == llm.Completions || !text)
}
