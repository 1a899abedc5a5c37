package sim

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// speaker is the model behind a dialect: it answers a request in any dialect.
type speaker struct {
	call  *call
	asked *llm.Request

	thinks bool
	room   int // tokens that a text may take, 0 for as many as it has

	sign   func(thought string) string     // the signature of a thought
	callID func(n int, tool string) string // id of a tool call
}

// answered is an answer in no dialect.
type answered struct {
	call   *call
	blocks []block
	scores []llm.Token // log probabilities of the text; none if not asked for
	finish string      // OpenAI's word
	usage  llm.Usage
	others int // number of choices besides the first, which all say the same
}

// block is a piece of an answer: what it says, which of a call are its arguments, and by what it is known again.
type block struct {
	kind           llm.PartKind
	text, opaque   string
	callID, called string
}

func (a *answered) add(b block) {
	a.blocks = append(a.blocks, b)
	if b.kind == llm.Reasoning {
		a.usage.Reasoning += int64(count(b.text))
	} else {
		a.usage.Text += int64(count(b.text))
	}
}

// answer is what the model says: a thought if asked for, then calls of tools or a text.
func (s *speaker) answer() answered {
	out := answered{call: s.call, finish: "stop", usage: llm.Usage{Fresh: int64(promptTokens(s.asked))}}
	last := &s.asked.Messages[len(s.asked.Messages)-1]
	heard := textOf(last.Parts)
	if s.thinks {
		thought := "A simulated thought about: " + excerpt(heard, 80)
		out.add(block{kind: llm.Reasoning, text: thought, opaque: s.sign(thought)})
	}
	if s.scripted(&out) {
		return out
	}
	if called := s.toolsToCall(last); len(called) > 0 {
		out.finish = "tool_calls"
		for i := range called {
			name := called[i].Name.Text()
			out.add(block{kind: llm.ToolCall, callID: s.callID(i, name), called: name, text: string(synthesise([]byte(called[i].Schema)))})
		}
		return out
	}
	text := fit(s.call.sentence()+" You said: "+excerpt(heard, 200), s.call.tokens())
	if s.asked.Format.Kind != llm.FormatText {
		text = string(synthesise([]byte(s.asked.Format.Schema)))
	}
	if s.room > 0 && count(text) > s.room {
		text, out.finish = fit(text, s.room), "length"
	}
	out.add(block{kind: llm.Text, text: text})
	return out
}

// scripted makes the calls or the text that a rule has, and reports whether it has any.
func (s *speaker) scripted(out *answered) bool {
	rule := s.call.rule
	offers := func(name string) bool {
		return slices.ContainsFunc(s.asked.Tools, func(t llm.Tool) bool { return t.Name.Text() == name })
	}
	if len(rule.Calls) > 0 && offers(rule.Calls[0].Name) {
		out.finish = "tool_calls"
		for i, c := range rule.Calls {
			args := string(c.Arguments)
			if c.Arguments[0] == '"' { // other dialects have a custom tool as a function of one text
				args = `{"input":` + args + "}"
			}
			out.add(block{kind: llm.ToolCall, callID: s.callID(i, c.Name), called: c.Name, text: args})
		}
		return true
	}
	if rule.Text == "" || s.asked.Format.Kind != llm.FormatText {
		return false
	}
	out.add(block{kind: llm.Text, text: rule.Text})
	return true
}

// promptTokens counts what a request says, however it is spelled: texts, tool calls and their results, images and files, and the
// tools on offer.
func promptTokens(r *llm.Request) int {
	n := partTokens(r.System)
	for i := range r.Messages {
		n += partTokens(r.Messages[i].Parts)
	}
	for i := range r.Tools {
		n += count(r.Tools[i].Name.Text()) + count(string(r.Tools[i].Schema))
	}
	return n
}

func partTokens(parts []llm.Part) (n int) {
	for i := range parts {
		switch p := &parts[i]; p.Kind {
		case llm.Text, llm.Reasoning:
			n += count(p.Text.Text())
		case llm.ToolCall:
			n += count(p.Name.Text()) + count(string(p.Args))
		case llm.Result:
			n += partTokens(p.Parts)
		case llm.Image, llm.File:
			n += imageTokens
		}
	}
	return n
}

// number is a parameter that is a number; ok is false if it was not sent.
func number(r *llm.Request, name string) (n float64, ok bool) {
	for _, p := range r.Params {
		if p.Name == name {
			n, err := strconv.ParseFloat(string(p.Value), 64)
			return n, err == nil
		}
	}
	return 0, false
}

// textOf is what parts say, the results of tools included.
func textOf(parts []llm.Part) string {
	var text strings.Builder
	for i := range parts {
		switch p := &parts[i]; p.Kind {
		case llm.Text:
			text.WriteString(p.Text.Text())
		case llm.Result:
			text.WriteString(textOf(p.Parts))
		}
	}
	return text.String()
}

// isBuiltIn reports whether a tool as its dialect spells it is one of the vendor's own: by the beginning of a member's value, or, without a
// member, by the tool's only member.
func isBuiltIn(raw llm.JSON, member string, known []string) bool {
	for name, v := range jsonwalk.Members(raw) {
		if member == "" {
			return slices.Contains(known, string(name))
		}
		if string(name) == member {
			return slices.ContainsFunc(known, func(begin string) bool { return strings.HasPrefix(llm.JSON(v).Text(), begin) })
		}
	}
	return false
}

// nativeOf is the first part of a request that only its dialect knows, or "".
func nativeOf(r *llm.Request) string {
	raw := nativeIn(r.System)
	for i := range r.Messages {
		raw = cmp.Or(raw, nativeIn(r.Messages[i].Parts))
	}
	return raw
}

// nativeIn is the first of parts, and of their contents, that only the dialect knows, or "".
func nativeIn(parts []llm.Part) string {
	for i := range parts {
		p := &parts[i]
		if p.Kind == llm.Native && !isBuiltIn(p.Raw, "type", []string{"tool_reference"}) {
			return string(p.Raw)
		}
		if raw := nativeIn(p.Parts); raw != "" {
			return raw
		}
	}
	return ""
}

// toolsToCall are the named tool or the first one, until it has answered. If a call is still required, it is the last one. If the
// user's text speaks of parallel calls, two are made.
func (s *speaker) toolsToCall(last *llm.Message) []llm.Tool {
	choice := s.asked.Choice
	tools := slices.DeleteFunc(slices.Clone(s.asked.Tools), func(t llm.Tool) bool { return t.Name == nil }) // the vendor runs those
	must, answered := choice.Kind == llm.ChoiceAny || choice.Kind == llm.ChoiceTool, last.Parts[0].Kind == llm.Result
	if len(tools) == 0 || choice.Kind == llm.ChoiceNone || answered && !must {
		return nil
	}
	first, second := tools[0], tools[min(1, len(tools)-1)]
	if answered {
		first = tools[len(tools)-1]
	}
	for _, t := range tools {
		if choice.Kind == llm.ChoiceTool && t.Name.Text() == choice.Name.Text() {
			first, second = t, t
		}
	}
	if !s.asked.Serial && strings.Contains(strings.ToLower(textOf(last.Parts)), "parallel") {
		return []llm.Tool{first, second}
	}
	return []llm.Tool{first}
}

// wording makes an answer what a dialect's callers get.
type wording interface {
	Collect(ev *llm.Event)
	Answer(end *llm.Event) []byte
	Payloads(ev *llm.Event, send func(payload []byte))
}

// reply is the answer in a dialect's words. Its name begins with a prefix; streams have a media type.
func (a *answered) reply(w wording, prefix, streamed string) reply {
	a.usage.Text, a.usage.Reasoning = a.usage.Text*int64(a.others+1), a.usage.Reasoning*int64(a.others+1)
	prompt, completion := int(a.usage.Fresh), int(a.usage.Output())
	start := llm.Event{Kind: llm.Start, ID: llm.Quote(a.call.id(prefix)), Name: llm.Quote(a.call.model), Usage: llm.Usage{Fresh: a.usage.Fresh, Text: 1}}
	end := llm.Event{Kind: llm.End, Finish: a.finish, Usage: a.usage}
	if a.call.stream {
		return reply{status: 200, contentType: streamed, events: a.stream(w, start, &end), prompt: prompt}
	}
	collect := func(ev *llm.Event) bool {
		w.Collect(ev)
		return true
	}
	a.each(start, collect)
	a.tell(func(text string) []string { return []string{text} }, collect)
	a.ended(collect)
	return reply{status: 200, contentType: typeJSON, body: w.Answer(&end), prompt: prompt, completion: completion}
}

// stream is the answer token by token. Tokens that have no payload of their own are those of the next one.
func (a *answered) stream(w wording, start llm.Event, end *llm.Event) iter.Seq[event] {
	return func(yield func(event) bool) {
		ok, tokens := true, 0
		send := func(payload []byte) {
			ok = ok && yield(event{payload: payload, tokens: tokens, paced: tokens > 0})
			tokens = 0
		}
		tell := func(ev *llm.Event) bool {
			if ev.Kind == llm.Delta && ev.Text != nil {
				tokens++
			}
			w.Payloads(ev, send)
			return ok
		}
		a.each(start, tell)
		a.tell(split, tell)
		var rest [][]byte
		last := func(ev *llm.Event) bool {
			w.Payloads(ev, func(payload []byte) { rest = append(rest, slices.Clone(payload)) })
			return true
		}
		a.ended(last)
		last(end)
		for i := range rest {
			ok = ok && yield(event{payload: rest[i], tokens: tokens, last: i == len(rest)-1})
			tokens = 0
		}
	}
}

// each sends an event of every choice, until tell returns false.
func (a *answered) each(ev llm.Event, tell func(*llm.Event) bool) bool {
	for n := range a.others + 1 {
		one := ev
		if one.Choice = n; !tell(&one) {
			return false
		}
	}
	return true
}

// ended sends the ends of all choices but the first, whose end is the answer's.
func (a *answered) ended(tell func(*llm.Event) bool) {
	for n := a.others; n > 0; n-- {
		tell(&llm.Event{Kind: llm.ChoiceEnd, Choice: n, Finish: a.finish})
	}
}

// tell sends the blocks, each in pieces, until tell returns false.
func (a *answered) tell(pieces func(text string) []string, tell func(*llm.Event) bool) {
	for i := range a.blocks {
		b := &a.blocks[i]
		start := llm.Event{Kind: llm.BlockStart, Block: i, Part: b.kind}
		if b.called != "" {
			start.ID, start.Name = llm.Quote(b.callID), llm.Quote(b.called)
		}
		ok := a.each(start, tell)
		for _, piece := range pieces(b.text) {
			ok = ok && a.each(llm.Event{Kind: llm.Delta, Block: i, Part: b.kind, Text: llm.Quote(piece)}, tell)
		}
		if b.opaque != "" {
			ok = ok && a.each(llm.Event{Kind: llm.Delta, Block: i, Part: b.kind, Opaque: llm.Quote(b.opaque)}, tell)
		}
		if !ok || !a.each(llm.Event{Kind: llm.BlockStop, Block: i, Part: b.kind}, tell) {
			return
		}
	}
	if a.scores != nil {
		a.each(llm.Event{Kind: llm.Scored, Tokens: a.scores}, tell)
	}
}
