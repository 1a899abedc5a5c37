// Package converse is the dialect of Amazon Bedrock's Converse API, from both sides: requests and answers are written, and read,
// streams included. It is pure: the typed model in, bytes out, and the other way round.
//
// Source of the shapes: the types of the vendor's Go SDK, bedrockruntime version 1.63.10, and recorded traffic.
package converse

import (
	"cmp"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/claude"
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Encode is the request as a body of POST /model/{model}/converse, and what of it had to be left out. The error is about
// content that can neither be carried nor left out.
func Encode(r *llm.Request) ([]byte, []string, *llm.Error) {
	r = r.Interjected()
	e := encoder{Request: r, Draft: draft.Of(r, llm.Converse), maker: Maker(r.Model)}
	var name string
	e.family, name = familyOf(r.Model)
	e.family = e.family.with(r.Takes)
	e.sent, e.schemas = r.Format, e.schema
	if r.Format.Kind == llm.FormatSchema {
		var fits bool
		e.sent.Schema, e.lost, fits = claude.Fit(r.Format.Schema)
		e.schemas = e.schema && fits
	}
	if e.effort == claudeThinking {
		e.plan = claude.PlanOf(r, name[len("anthropic."):])
		if e.plan.Loses {
			e.Leave(claude.EffortParam)
		}
		if at, refused := e.plan.Refused(r); refused {
			e.Impossible(at, claude.Begun)
		}
		e.form = e.plan.Form(r, e.schemas)
	}
	e.Text(`{"messages":[`)
	e.messages()
	e.Text("]")
	e.system()
	e.tools()
	for _, p := range r.Params {
		e.param(p)
	}
	e.inference()
	e.format()
	e.additional()
	if e.tier != nil {
		e.Text(`,"serviceTier":{"type":`)
		e.Raw(e.tier)
		e.Text("}")
	}
	e.metadata()
	for name, value := range draft.Extras(r, llm.Converse, "") {
		e.Text(",")
		e.Quote(name)
		e.Text(":")
		e.Raw(value)
	}
	e.Text("}")
	return e.Done()
}

// encoder is the state of one Encode.
type encoder struct {
	*llm.Request
	draft.Draft
	family
	plan  claude.Plan // plan for Claude
	maker string      // maker of the model
	form  *llm.Tool   // the tool for the form of the answer, or nil

	sent    llm.Format // what the model is sent about the form, if schemas
	schemas bool       // a schema can set the form of the answer
	lost    bool       // that loses its bounds

	grown int // by how much schemas have grown: definitions replace their references

	turns  int             // written
	last   string          // the role of the last one
	files  map[string]bool // names of the files that were written
	number int             // last number added to a name

	temperature, topP, top, tier, tags llm.JSON // parameters that were asked for and are taken
}

// open begins one of several members: first is written before the first one.
func (e *encoder) open(sep *string, first string) {
	if *sep == "" {
		e.Text(first)
	}
	e.Text(*sep)
	*sep = ","
}

// param takes a parameter, or notes that it has no counterpart.
func (e *encoder) param(p llm.Param) {
	number := p.Value.Kind() == '0'
	samples := number && !e.deep() && (e.effort != claudeThinking || e.plan.Samples(e.Request, p.Name))
	switch {
	case p.Name == "temperature":
		e.warmth(p.Value)
	case p.Name == "top_p" && samples:
		e.topP = p.Value
	case p.Name == "top_p" && e.effort == claudeThinking && p.Value.One(): // with 1 all is sampled from, as without it
	case p.Name == "top_k" && samples && e.topK != "":
		e.top = p.Value
	case p.Name == "service_tier" && (string(p.Value) == `"default"` || string(p.Value) == `"flex"` || string(p.Value) == `"priority"`):
		e.tier = p.Value
	case p.Name == "metadata" && tags(p.Value):
		e.tags = p.Value
	default:
		e.Leave(p.Name)
	}
}

// warmth takes the temperature, which has half of OpenAI's range: a higher value becomes 1, and is reported.
func (e *encoder) warmth(value llm.JSON) {
	t, err := strconv.ParseFloat(string(value), 64)
	switch {
	case err == nil && t == 1 && e.effort == claudeThinking && !e.plan.Sampling: // it has no other
	case err != nil, e.deep(), e.effort == claudeThinking && (!e.plan.Sampling || e.plan.Thinks && t != 1):
		e.Leave("temperature")
	case t > 1:
		e.Leave("temperature")
		e.temperature = llm.JSON("1")
	default:
		e.temperature = value
	}
}

// inference writes what all models take.
func (e *encoder) inference() {
	const first = `,"inferenceConfig":{`
	sep := ""
	longest := e.MaxToken
	if longest == 0 && e.plan.Budget > 0 && e.Budget == 0 { // the answer may take what the model can do, but that has to be more than a budget of ours
		longest = e.plan.Max
	}
	if longest > 0 {
		e.open(&sep, first)
		e.Number(`"maxTokens":`, longest)
	}
	for _, p := range [...]struct {
		name  string
		value llm.JSON
	}{{`"temperature":`, e.temperature}, {`"topP":`, e.topP}} {
		if p.value != nil {
			e.open(&sep, first)
			e.Text(p.name)
			e.Raw(p.value)
		}
	}
	e.stop(&sep, first)
	if sep != "" {
		e.Text("}")
	}
}

func (e *encoder) stop(outer *string, first string) {
	sep := ""
	for _, s := range e.Stop {
		if s.Blank() { // models refuse white space
			e.Leave("stop")
			continue
		}
		if sep == "" {
			e.open(outer, first)
		}
		e.open(&sep, `"stopSequences":[`)
		e.Raw(s)
	}
	if sep != "" {
		e.Text("]")
	}
}

// format writes the form that the answer has to have.
func (e *encoder) format() {
	switch {
	case e.Format.Kind == llm.FormatText, e.form != nil:
	case e.Format.Kind != llm.FormatSchema || !e.schemas:
		e.Leave("response_format")
	default:
		if e.lost {
			e.Leave(claude.SchemaParam)
		}
		e.Text(`,"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":`)
		e.Quote(string(e.sent.Schema))
		if len(e.Format.Name.Inner()) > 0 {
			e.Text(`,"name":`)
			e.Raw(e.Format.Name)
		}
		if e.Format.Description != nil {
			e.Text(`,"description":`)
			e.Raw(e.Format.Description)
		}
		e.Text("}}}}")
	}
}

// additional writes what only some models take.
func (e *encoder) additional() {
	const first = `,"additionalModelRequestFields":{`
	sep := ""
	if e.top != nil {
		e.open(&sep, first)
		e.Text(e.topK)
		e.Raw(e.top)
		e.Text(e.topEnd)
	}
	e.reasoning(&sep, first)
	for name, value := range draft.Extras(e.Request, llm.Converse, additional) {
		e.open(&sep, first)
		e.Quote(name)
		e.Text(":")
		e.Raw(value)
	}
	if e.Serial && len(e.Tools) > 0 && e.Choice.Kind != llm.ChoiceNone {
		if e.effort == claudeThinking {
			e.open(&sep, first)
			e.serial()
		} else {
			e.Leave("parallel_tool_calls")
		}
	}
	if sep != "" {
		e.Text("}")
	}
}

// reasoning writes how much the model is to reason, in its family's way.
func (e *encoder) reasoning(sep *string, first string) {
	if e.Effort == "" {
		return
	}
	asked := e.Effort != "none"
	switch {
	case e.effort == claudeThinking:
		e.thinking(sep, first)
	case e.effort == novaReasoning && asked:
		e.open(sep, first)
		e.Text(`"reasoningConfig":{"type":"enabled","maxReasoningEffort":"` + e.word(lowToHigh) + `"}`)
	case e.effort == novaReasoning:
		e.open(sep, first)
		e.Text(`"reasoningConfig":{"type":"disabled"}`)
	case e.effort == openAIEffort && asked:
		e.open(sep, first)
		e.Text(`"reasoning_effort":"` + e.word(lowToHigh) + `"`)
	case e.effort == qwenReasoning && asked:
		e.open(sep, first)
		e.Text(`"reasoning_config":"` + e.word(twoEfforts) + `"`)
	default:
		e.Leave(claude.EffortParam)
	}
}

// deep reports whether the model is to reason as hard as Nova can, which takes no parameters of sampling then:
// https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
func (e *encoder) deep() bool {
	return e.effort == novaReasoning && e.Effort != "" && e.Effort != "none" && e.word(lowToHigh) == "high"
}

// word is the model's for the effort that was asked for: one that the config says it knows, else its family's.
func (e *encoder) word(of func(effort string) string) string {
	if known, said := e.Takes.Effort(e.Effort); said {
		return known
	}
	return of(e.Effort)
}

func (e *encoder) thinking(sep *string, first string) {
	switch {
	case e.plan.Thinks && e.plan.Think == claude.ByBudget:
		e.open(sep, first)
		e.Number(`"thinking":{"type":"enabled","budget_tokens":`, e.plan.Budget)
		e.Text("}")
	case e.plan.Tries:
		e.open(sep, first)
		if e.plan.Thinks {
			e.Text(`"thinking":{"type":"adaptive","display":"summarized"},`)
		}
		e.Text(`"output_config":{"effort":"` + e.plan.EffortOf(e.Effort) + `"}`)
	case e.Effort == "none" && e.plan.Think == claude.Adaptive:
		e.open(sep, first)
		e.Text(`"thinking":{"type":"disabled"}`)
	}
}

// The bounds of requestMetadata.
const (
	maxTags = 16
	maxTag  = 256
)

// metadata writes what the account's log notes about the request.
func (e *encoder) metadata() {
	const first = `,"requestMetadata":{`
	sep := ""
	n := 0
	for name, v := range jsonwalk.Members(e.tags) {
		e.open(&sep, first)
		e.Quote(string(name))
		e.Text(":")
		e.Raw(v)
		n++
	}
	user := cmp.Or(e.UserName, "user")
	switch {
	case len(e.User.Inner()) == 0:
	case n >= maxTags || !tag(e.User) || member(e.tags, user) != nil:
		e.Leave(user)
	default:
		e.open(&sep, first)
		e.Quote(user)
		e.Text(":")
		e.Raw(e.User)
	}
	if sep != "" {
		e.Text("}")
	}
}

// tags reports whether metadata is such as the API takes.
func tags(value llm.JSON) bool {
	n := 0
	for name, v := range jsonwalk.Members(value) {
		if n++; len(name) == 0 || !tag(llm.Quote(string(name))) || !tag(v) {
			return false
		}
	}
	return n > 0 && n <= maxTags
}

// tag reports whether a value is a string of the letters that the API takes.
func tag(value llm.JSON) bool {
	for _, c := range value.Inner() {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == ' ', c == ':', c == '_', c == '@', c == '$', c == '#', c == '=', c == '/', '+' <= c && c <= '.':
		default:
			return false
		}
	}
	return value.Kind() == '"' && len(value.Inner()) <= maxTag
}
