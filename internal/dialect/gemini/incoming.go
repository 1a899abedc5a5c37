package gemini

import (
	"bytes"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/incoming"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Request is what Weir knows of a caller's body of generateContent and its like. It keeps the caller's bytes. It is immutable between
// Parse and Forget, and safe for concurrent use.
type Request struct {
	incoming.Body
	added   *llm.Added // what the target's config adds, nil for nothing
	foreign bool       // there may be a signature that Weir wrapped
	bare    bool       // there is a call of a tool without a signature
}

// Parse walks over raw once, strictly. The model is in the path. raw is kept and must not change.
func Parse(raw []byte, stream bool, o dialect.ParseOptions) (*Request, *llm.Error) {
	r := new(Request)
	if err := r.Body.Parse(raw, o, nil, r.take); err != nil {
		return nil, err
	}
	r.Stream = stream
	return r, nil
}

// take walks over a member, and counts what the model reads of it.
func (r *Request) take(p *incoming.Parser, name string, _ byte) jsonwalk.Span {
	start := p.Pos()
	switch string(camel([]byte(name))) {
	case contentsName, "systemInstruction", "tools", "content", "requests", "generateContentRequest":
		r.heard(p)
		return jsonwalk.Span{Start: start, End: p.Pos()}
	}
	return p.Skip()
}

// heard walks over a value, and counts its texts. Data counts as an image.
func (r *Request) heard(p *incoming.Parser) {
	switch p.Kind() {
	case '{':
		calls, signed := false, false
		for ok := p.EnterObject(); ok && p.NextMember(); {
			switch string(p.Name()) {
			case "data":
				p.Heard += min(p.Skip().Len(), dialect.BytesOfMedia)
			case "thoughtSignature", "thought_signature":
				value := p.Skip()
				signed = true
				r.foreign = r.foreign || bytes.HasPrefix(llm.JSON(value.Of(p.Raw)).Inner(), []byte(wrapHead))
				p.Heard += min(value.Len(), dialect.BytesOfMedia)
			case "functionCall", "function_call":
				calls = true
				r.heard(p)
			default:
				r.heard(p)
			}
		}
		r.bare = r.bare || calls && !signed
	case '[':
		for ok := p.EnterArray(); ok && p.NextElement(); {
			r.heard(p)
		}
	default:
		p.Heard += p.Skip().Len()
	}
}

// Decode implements dialect.Chat.
func (r *Request) Decode(omit []string) (*llm.Request, *llm.Error) {
	raw := r.Raw
	if whole := r.Value("generateContentRequest"); whole != nil { // as countTokens has it
		raw = whole
	}
	typed, err := Decode(raw)
	if err != nil {
		return nil, err
	}
	typed.Stream = r.Stream
	d := draft.Reading{Out: typed}
	for _, name := range omit {
		d.Omit(name, nameOf(name))
	}
	if r.added != nil {
		for _, p := range slices.Concat(r.added.Default, r.added.Set) {
			if !slices.Contains(omit, p.Name) {
				d.Omit(p.Name, "")
				d.Chat(p.Name, nameOf(p.Name), p.Value)
			}
		}
	}
	unwrapAll(typed)
	searchOf(typed)
	if len(typed.Messages) == 0 {
		d.Missing(contentsName)
	}
	return d.Done()
}

// searchOf takes the search of the web, which other vendors have, too, from the tools that only the API has.
func searchOf(r *llm.Request) {
	for i, t := range r.Tools {
		if t.Raw != nil && inObject(t.Raw, "googleSearch") != nil {
			r.Search = &llm.Search{Path: t.Path, Type: "googleSearch", Raw: t.Raw, Of: llm.Gemini}
			for name := range draft.Given(inObject(t.Raw, "googleSearch")) {
				r.Search.Lost = append(r.Search.Lost, "googleSearch."+string(name))
			}
			r.Tools = slices.Delete(slices.Clone(r.Tools), i, i+1)
			return
		}
	}
}

// Profile implements dialect.Request.
func (r *Request) Profile(w llm.Wants) llm.Profile {
	if w == (llm.Wants{}) {
		return llm.Profile{}
	}
	typed, err := r.Decode(nil)
	if err != nil { // the first target that is asked reports what is wrong
		return llm.Profile{}
	}
	return typed.Profile(w)
}

// With implements dialect.Request. The members are those of OpenAI's chats; Decode takes them for what they are here.
func (r *Request) With(added *llm.Added, _ llm.Endpoint, unheard []string) (dialect.Request, string, *llm.Error) {
	with := *r
	var replaced string
	with.added, replaced = incoming.Added(added, unheard, r.says)
	return &with, nameOf(replaced), nil
}

// says reports whether the caller gave a parameter, which is named as in OpenAI's chats.
func (r *Request) says(name string) bool { return len(r.find(name)) > 0 }

// find is the value of a parameter, which is named as in OpenAI's chats; nil without one.
func (r *Request) find(name string) llm.JSON {
	value := llm.JSON(r.Raw)
	for step := range strings.SplitSeq(nameOf(name), ".") {
		value = inObject(value, step)
	}
	return value
}

// inObject is a member of an object, however its name is spelled; nil without one.
func inObject(object llm.JSON, name string) llm.JSON {
	for n, v := range draft.Given(object) {
		if string(camel(n)) == name {
			return v
		}
	}
	return nil
}

// Ours implements dialect.Request.
func (r *Request) Ours(name string) bool { return r.added != nil && r.added.Has(name) && !r.says(name) }

// Text implements dialect.Asking.
func (r *Request) Text(name string) string { return r.find(name).Text() }

// AsksSchema implements dialect.Asking.
func (r *Request) AsksSchema() bool {
	return r.says("response_format") || inObject(inObject(r.Raw, configName), "responseJsonSchema") != nil
}

// OffersTools implements dialect.Asking.
func (r *Request) OffersTools() bool {
	tools := inObject(r.Raw, "tools")
	return tools.Kind() == '{' || tools.Kind() == '[' && !jsonwalk.NoElements(tools)
}

// nameOf is the name here of a parameter that is named as in OpenAI's chats, or of something within it.
func nameOf(name string) string {
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	rest := strings.Replace(name[end:], ".content", ".parts", 1)
	switch top := name[:end]; top {
	case "messages":
		return contentsName + strings.ReplaceAll(rest, ".thinking_blocks", ".thoughtSignature")
	case "max_tokens", "max_completion_tokens":
		return configName + ".maxOutputTokens"
	case "stop":
		return configName + ".stopSequences" + rest
	case "reasoning_effort":
		return thinkingName
	case "response_format":
		return configName + ".responseSchema"
	case "tool_choice":
		return "toolConfig"
	default:
		if own, ok := settings[top]; ok {
			return configName + "." + own
		}
		return name
	}
}

// caller is a Writer for callers of the API, who may send what it wrote to models of other makers.
type caller struct {
	Writer
	maker string
	tell  llm.Forms
	calls int
	why   string // see FinishReason
	now   llm.Event
}

// Writer implements dialect.Chat.
func (r *Request) Writer(w dialect.Writing) dialect.Writer {
	asked := w.Asked
	if w.Echo != "" {
		asked = w.Echo
	}
	return &caller{Writer: Writer{Asked: asked, Echo: w.Echo != ""}, maker: w.Maker}
}

// plain is an event as the caller is to have it: signatures of other makers say whose they are.
func (c *caller) plain(ev *llm.Event) *llm.Event {
	ev = c.tell.Plain(ev)
	switch {
	case ev.Kind == llm.BlockStart && ev.Part == llm.ToolCall:
		c.calls++
	case ev.Kind == llm.End:
		c.why, c.now = c.tell.Finish(ev, c.calls), *ev
		c.now.Usage.Tier = "" // the API has words of its own for tiers
		return &c.now
	}
	if len(ev.Opaque.Inner()) == 0 || c.maker == maker || ev.Part != llm.Reasoning && ev.Part != llm.Redacted {
		return ev
	}
	c.now = *ev
	c.now.Opaque = wrapped(c.maker, ev.Part, ev.Opaque)
	return &c.now
}

// Chunk implements dialect.Writer.
func (c *caller) Chunk(dst []byte, ev *llm.Event) []byte { return c.piece(dst, c.plain(ev)) }

// UsageChunk implements dialect.Writer. The last piece always has the usage.
func (c *caller) UsageChunk(dst []byte, _ *llm.Event) []byte { return dst }

// Collect implements dialect.Writer.
func (c *caller) Collect(ev *llm.Event) { c.Writer.Collect(c.plain(ev)) }

// Answer implements dialect.Writer.
func (c *caller) Answer(end *llm.Event) []byte { return c.Writer.Answer(c.plain(end)) }

// FinishReason implements dialect.Writer.
func (c *caller) FinishReason() string { return c.why }

// Held implements dialect.Writer.
func (c *caller) Held() (n int) {
	for i := range c.candidates {
		w := &c.candidates[i]
		n += cap(w.args) + cap(w.text) + cap(w.parts)
	}
	return n
}
