package anthropic

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

const versionMember = "anthropic_version"

// Encode implements dialect.Passing. A host that names the model in its path gets the API's version in its place.
func (r *Request) Encode(c dialect.Changes) (dialect.Body, dialect.Applied) {
	var applied dialect.Applied
	edits := make([]jsonwalk.Edit, 0, 4)
	cut, versioned, named := func(i int) bool { return r.cut(i, &c) }, c.Hosted == "", c.Hosted != ""
	for i := range r.members {
		m := &r.members[i]
		switch {
		case cut(i):
			edits = append(edits, jsonwalk.Edit{Span: r.cutSpan(i, cut)})
			if !r.quietly(i) {
				applied.Ignored = append(applied.Ignored, m.name)
			}
		case m.name == "model":
			edits, named = append(edits, jsonwalk.Edit{Span: m.Value, New: string(llm.Quote(c.Model))}), true
		case m.name == versionMember && c.Hosted != "":
			edits, versioned = append(edits, jsonwalk.Edit{Span: m.Value, New: string(llm.Quote(c.Hosted))}), true
		case c.Rename[m.name] != "":
			edits = append(edits, jsonwalk.Edit{Span: m.Name, New: string(llm.Quote(c.Rename[m.name]))})
			if !m.null && !m.ours {
				applied.Renamed = append(applied.Renamed, m.name+"="+c.Rename[m.name])
			}
		case m.name == "messages" && r.foreign:
			edits = unwrapped(edits, r.Raw, m.Value)
		}
	}
	last := r.members[len(r.members)-1].Value.End
	end := jsonwalk.Span{Start: last, End: last}
	if !named {
		edits = append(edits, jsonwalk.Edit{Span: end, New: `,"model":` + string(llm.Quote(c.Model))})
	}
	if !versioned {
		edits = append(edits, jsonwalk.Edit{Span: end, New: `,"` + versionMember + `":` + string(llm.Quote(c.Hosted))})
	}
	return dialect.Splice(r.Raw, edits), applied
}

// Loses implements dialect.Passing.
func (r *Request) Loses(c dialect.Changes) string {
	for i := range r.members {
		if r.members[i].name != "model" && !r.quietly(i) && r.cut(i, &c) {
			return r.members[i].name
		}
	}
	return ""
}

// Places implements dialect.Passing.
func (r *Request) Places(dialect.Changes) int {
	if r.foreign {
		return len(r.Raw) / 16
	}
	return 0
}

// cut reports whether member i is left out.
func (r *Request) cut(i int, c *dialect.Changes) bool {
	name := r.members[i].name
	if name == "model" {
		return c.Hosted != ""
	}
	if slices.ContainsFunc(c.Omit, func(omitted string) bool { return strings.EqualFold(omitted, name) }) {
		return true
	}
	other := c.Rename[name]
	return other != "" && slices.ContainsFunc(r.members, func(m member) bool { return m.name == other })
}

// quietly reports whether member i can be left out without a word, because nothing is lost.
func (r *Request) quietly(i int) bool {
	m := &r.members[i]
	value := llm.JSON(m.Value.Of(r.Raw))
	return m.null || m.ours || m.name == "model" || (m.name == "temperature" || m.name == "top_p") && value.One() ||
		m.name == "service_tier" && value.Text() == "auto"
}

func (r *Request) cutSpan(i int, cut func(int) bool) jsonwalk.Span {
	members := make([]jsonwalk.Member, len(r.members))
	for j := range r.members {
		members[j] = r.members[j].Member
	}
	return jsonwalk.CutMember(members, i, cut)
}

// With implements dialect.Request. The parameters have OpenAI's names. Those that the API has too are added under its own; those that only
// OpenAI's has are not.
func (r *Request) With(added *llm.Added, _ llm.Endpoint, unheard []string) (with dialect.Request, replaced string, err *llm.Error) {
	x := extension{r: r}
	for _, p := range added.Set {
		x.add(p, true)
	}
	for _, p := range added.Default {
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
	extended, err := ParseRequest(jsonwalk.Apply(make([]byte, 0, len(r.Raw)+added.Len()), r.Raw, x.edits), dialect.ParseOptions{Model: r.Model})
	if err != nil {
		return nil, "", err
	}
	for i := range extended.members {
		extended.members[i].ours = slices.Contains(x.ours, extended.members[i].name)
	}
	return extended, x.replaced, nil
}

// extension is the state of one With.
type extension struct {
	r        *Request
	edits    []jsonwalk.Edit
	added    strings.Builder
	ours     []string
	replaced string
}

// add adds a parameter where the caller gives none, or, if it is forced, whatever the caller gives.
func (x *extension) add(p llm.Param, force bool) {
	p, ok := ownParam(p)
	if !ok {
		return
	}
	i := slices.IndexFunc(x.r.members, func(m member) bool { return strings.EqualFold(m.name, p.Name) })
	if i < 0 {
		x.added.WriteString("," + string(llm.Quote(p.Name)) + ":" + string(p.Value))
		x.ours = append(x.ours, p.Name)
		return
	}
	m := &x.r.members[i]
	if !m.null && !force {
		return
	}
	if m.name != p.Name {
		x.edits = append(x.edits, jsonwalk.Edit{Span: m.Name, New: string(llm.Quote(p.Name))})
	}
	if string(m.Value.Of(x.r.Raw)) != string(p.Value) {
		x.edits = append(x.edits, jsonwalk.Edit{Span: m.Value, New: string(p.Value)})
		if !m.null && x.replaced == "" {
			x.replaced = m.name
		}
	}
	if m.null {
		x.ours = append(x.ours, p.Name)
	}
}

// foreignParams are parameters of OpenAI's API that this one lacks, or has in another form. Sorted.
var foreignParams = []string{
	"audio", "best_of", "echo", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "metadata", "modalities", "n",
	"parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key", "reasoning_effort", "response_format", "safety_identifier", "seed",
	"service_tier", "store", "stream_options", "suffix", "tool_choice", "tools", "top_logprobs", "user", "verbosity", "web_search_options",
}

// ownParam is a parameter of OpenAI's convention as the API has it; ok is false if it does not.
func ownParam(p llm.Param) (own llm.Param, ok bool) {
	switch name := strings.ToLower(p.Name); name {
	case "max_tokens", "max_completion_tokens":
		return llm.Param{Name: "max_tokens", Value: p.Value}, true
	case "stop":
		if p.Value.Kind() == '"' {
			p.Value = slices.Concat(llm.JSON("["), p.Value, llm.JSON("]"))
		}
		return llm.Param{Name: "stop_sequences", Value: p.Value}, true
	default:
		_, foreign := slices.BinarySearch(foreignParams, name)
		return p, !foreign
	}
}

// paramOf is the API's name of a parameter that is named as in OpenAI's API.
func paramOf(name string) string {
	switch name {
	case "max_completion_tokens":
		return "max_tokens"
	case "stop":
		return "stop_sequences"
	case "reasoning_effort":
		return "thinking"
	case "response_format":
		return "output_config.format"
	case "parallel_tool_calls":
		return "tool_choice.disable_parallel_tool_use"
	case "user", "safety_identifier":
		return "metadata.user_id"
	case "messages[].thinking_blocks":
		return "messages[].content[].thinking"
	case "messages[].content[].image_url.detail":
		return "messages[].content[].source"
	}
	return strings.Replace(name, "tools[].function.", "tools[].", 1)
}
