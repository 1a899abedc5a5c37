package passthrough

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// Answer is what Weir learned from a complete answer as it passed.
type Answer struct {
	dialect.Answer
	Edits []jsonwalk.Edit // what has to change before the caller sees it
}

// Pass implements dialect.Passing.
func (r *Request) Pass(body []byte, c *dialect.Changes, stand dialect.Stand) ([]byte, dialect.Answer, error) {
	if r.Endpoint == llm.Embeddings {
		return openai.MendEmbeddings(body, openai.VectorsAsked{Form: r.VectorForm, Inputs: r.Inputs, Echo: stand.Echo, Int8: c.Int8})
	}
	e := editors.Get().(*editor)
	defer e.rest()
	answer, err := r.parseAnswer(e, body, stand)
	if err == nil && len(answer.Edits) > 0 {
		body = jsonwalk.Apply(make([]byte, 0, len(body)+256), body, answer.Edits)
	}
	return body, answer.Answer, err
}

// ParseAnswer walks over a complete answer to r, a chat or completions call. It finds its usage, its finish reason
// and whether it is an answer at all, and repairs it where it departs from the convention.
func (r *Request) ParseAnswer(body []byte, stand dialect.Stand) (Answer, error) {
	return r.parseAnswer(new(editor), body, stand)
}

// parseAnswer is ParseAnswer with the memory of e, which the edits are in.
func (r *Request) parseAnswer(e *editor, body []byte, stand dialect.Stand) (Answer, error) {
	w := &e.answer
	*w = answerWalk{e: e, stand: stand, legacy: r.Endpoint == llm.Completions}
	w.e.reset(body, &w.Repairs)
	if w.e.scan.Kind() != '{' {
		return w.Answer, fmt.Errorf("%w: it is not a JSON object", openai.ErrNoAnswer)
	}
	top, ok := w.e.enterObject()
	for ok && top.next() {
		w.member(&top)
	}
	switch err := w.e.scan.End(); {
	case err != nil:
		return w.Answer, err
	case w.IsError:
		return w.Answer, fmt.Errorf("%w: it holds an error", openai.ErrNoAnswer)
	case w.objects == 0 && w.flat:
		w.IsError = true
		return w.Answer, fmt.Errorf("%w: it holds an error", openai.ErrNoAnswer)
	case w.objects == 0:
		return w.Answer, fmt.Errorf("%w: it has no choices", openai.ErrNoAnswer)
	}
	w.complete(&top)
	top.close()
	w.Said = w.e.heard()
	w.Edits = w.e.done()
	return w.Answer, nil
}

// answerWalk is the state of one ParseAnswer.
type answerWalk struct {
	Answer
	e       *editor
	stand   dialect.Stand
	legacy  bool
	choices int
	objects int  // choices that are any
	flat    bool // a member that flat shapes of errors have, as in Stream

	id, created, object, model bool // the members are there
}

func (w *answerWalk) member(top *container) {
	s, name := &w.e.scan, w.e.scan.NameSpan()
	start, kind := pos(s), s.Kind()
	switch string(s.Name()) {
	case "choices":
		w.walkChoices(kind)
	case "usage":
		if u, ok := openai.ReadUsage(s, w.e.data); ok {
			u.Tier = w.Usage.Tier
			w.Usage, w.HasUsage = u, true
		}
	case "service_tier":
		tier, known := tierOf(llm.JSON(s.Skip().Of(w.e.data)))
		w.Usage.Tier = tier
		if top.took(name, start); !known && s.Err() == nil {
			top.cutLast(dialect.RepairTier)
		}
		return
	case "model":
		w.model = true
		span := s.Skip()
		w.Model = llm.JSON(span.Of(w.e.data)).Model()
		switch {
		case s.Err() != nil:
		case w.stand.Echo != "":
			w.e.keep(jsonwalk.Edit{Span: span, New: quote(w.stand.Echo)})
		case w.stand.Asked != "" && (kind != '"' || span.Len() == len(`""`)):
			w.e.replace(dialect.RepairModel, span, quote(w.stand.Asked))
		}
	case "error":
		w.IsError = w.IsError || kind != 'n'
		s.Skip()
		top.took(name, start)
		top.cutLast(dialect.RepairError)
		return
	case "id":
		w.id = true
		if span := s.Skip(); kind != '"' || span.Len() == len(`""`) {
			w.e.replace(dialect.RepairID, span, w.newID())
		}
	case "created":
		w.created = true
		w.readCreated(s.Skip())
	case "object":
		w.object = true
		if span := s.Skip(); s.Err() == nil && string(span.Of(w.e.data)) != w.objectName() {
			w.e.replace(dialect.RepairObject, span, w.objectName())
		}
	case "message", "detail", "errors", "base_resp":
		w.flat = w.flat || kind != 'n'
		s.Skip()
	default:
		s.Skip()
	}
	top.took(name, start)
}

func (w *answerWalk) readCreated(span jsonwalk.Span) {
	if w.e.scan.Err() != nil {
		return
	}
	seconds, whole := wholeSeconds(span.Of(w.e.data))
	switch {
	case whole:
	case seconds > 0:
		w.e.replace(dialect.RepairCreated, span, strconv.FormatInt(seconds, 10))
	default:
		w.e.replace(dialect.RepairCreated, span, strconv.FormatInt(w.stand.Now, 10))
	}
}

func (w *answerWalk) newID() string {
	if w.legacy {
		return quote("cmpl-" + w.stand.Name)
	}
	return quote("chatcmpl-" + w.stand.Name)
}

func (w *answerWalk) objectName() string {
	if w.legacy {
		return `"text_completion"`
	}
	return `"chat.completion"`
}

// complete puts in what the answer lacks.
func (w *answerWalk) complete(top *container) {
	if model := cmp.Or(w.stand.Echo, w.stand.Asked); !w.model && model != "" {
		top.add(dialect.RepairModel, `"model":`+quote(model))
	}
	if !w.object {
		top.add(dialect.RepairObject, `"object":`+w.objectName())
	}
	if !w.created {
		top.add(dialect.RepairCreated, `"created":`+strconv.FormatInt(w.stand.Now, 10))
	}
	if !w.id {
		top.add(dialect.RepairID, `"id":`+w.newID())
	}
}

func (w *answerWalk) walkChoices(kind byte) {
	s := &w.e.scan
	if kind != '[' {
		s.Skip()
		return
	}
	for ok := s.EnterArray(); ok && s.NextElement(); {
		if s.Kind() == '{' {
			w.walkChoice()
			w.objects++
		} else {
			s.Skip()
		}
		if w.choices++; w.choices > openai.MaxKept {
			s.Fail("more choices than an answer can have")
		}
	}
}

func (w *answerWalk) walkChoice() {
	s := &w.e.scan
	var finishAt jsonwalk.Span
	hasIndex, hasMessage, failed, tools := false, w.legacy, false, 0
	choice, ok := w.e.enterObject()
	for ok && choice.next() {
		name, start, kind := s.NameSpan(), pos(s), s.Kind()
		switch string(s.Name()) {
		case "index":
			hasIndex = true
			if span := s.Skip(); kind != '0' {
				w.e.replace(dialect.RepairIndex, span, strconv.Itoa(w.choices))
			}
		case "finish_reason":
			finishAt = s.Skip()
		case "error":
			failed = isError(s.Skip().Of(w.e.data), kind)
		case "text":
			w.e.said += s.Skip().Len()
		case "message":
			hasMessage = true
			tools = w.walkMessage(kind)
		default:
			s.Skip()
		}
		choice.took(name, start)
	}
	if !hasIndex {
		choice.add(dialect.RepairIndex, `"index":`+strconv.Itoa(w.choices))
	}
	if !hasMessage {
		choice.add(dialect.RepairDelta, `"message":`+emptyMessage)
	}
	ended := w.finish(&choice, finishAt, tools)
	w.IsError = w.IsError || failed && !ended
	choice.close()
}

// finish brings a choice's finish reason into one of the five, or null where nothing is known. It reports whether there is one.
func (w *answerWalk) finish(choice *container, at jsonwalk.Span, tools int) bool {
	if w.e.scan.Err() != nil {
		return false
	}
	told := ""
	if at.End > 0 {
		told, _ = jsonwalk.Text(at.Of(w.e.data))
	}
	reason, fails := "", false
	if told != "" {
		reason, fails = finishReason(told)
	}
	kind := dialect.RepairFinish
	if tools > 0 && (reason == "stop" || reason == "function_call" || reason == "") && !fails {
		reason, kind = "tool_calls", dialect.RepairFinishTools
	}
	w.IsError = w.IsError || fails
	if w.choices == 0 {
		w.Finish = reason
	}
	if reason != "" && reason == told && at.End-at.Start == len(reason)+len(`""`) { // it is written so, without escapes
		return true
	}
	text := "null"
	if reason != "" {
		text = quote(reason)
	}
	switch {
	case at.End == 0:
		choice.add(kind, `"finish_reason":`+text)
	case string(at.Of(w.e.data)) != text:
		w.e.replace(kind, at, text)
	}
	return reason != ""
}

// emptyMessage is the message of a choice without one. Google's endpoint leaves it out of answers that it blocked, and clients
// fail when they look into it.
const emptyMessage = `{"role":"assistant","content":null}`

// walkMessage walks over a message and counts its tool calls.
func (w *answerWalk) walkMessage(kind byte) (tools int) {
	s := &w.e.scan
	if kind != '{' {
		if span := s.Skip(); s.Err() == nil && !w.legacy {
			w.e.replace(dialect.RepairDelta, span, emptyMessage)
		}
		return 0
	}
	hasRole := false
	message, ok := w.e.enterObject()
	for ok && message.next() {
		name, start, kind := s.NameSpan(), pos(s), s.Kind()
		switch member := string(s.Name()); {
		case member == "role":
			hasRole = true
			if span := s.Skip(); kind != '"' || span.Len() == len(`""`) {
				w.e.replace(dialect.RepairRole, span, `"assistant"`)
			}
		case member == "content" && kind == '[':
			message.flatten(s.Skip())
		case member == "tool_calls" && kind == '[':
			tools = w.walkTools()
			message.took(name, start)
			if tools == 0 {
				message.cutLast(dialect.RepairToolsEmpty)
			}
			continue
		default:
			if raw := s.Skip().Of(w.e.data); kind == '"' {
				w.e.hear([]byte(member), raw)
			}
		}
		message.took(name, start)
	}
	if !hasRole {
		message.add(dialect.RepairRole, `"role":"assistant"`)
	}
	message.close()
	return tools
}

func (w *answerWalk) walkTools() (n int) {
	s := &w.e.scan
	for ok := s.EnterArray(); ok && s.NextElement(); {
		if s.Kind() == '{' {
			w.walkTool(n)
		} else {
			s.Skip()
		}
		n++
	}
	return n
}

func (w *answerWalk) walkTool(n int) {
	s := &w.e.scan
	id := func() string { return quote(fmt.Sprintf("call_%s_%d_%d", w.stand.Name, w.choices, n)) }
	var seen toolMembers
	call, ok := w.e.enterObject()
	for ok && call.next() {
		name, start, kind := s.NameSpan(), pos(s), s.Kind()
		switch string(s.Name()) {
		case "id":
			seen.id = true
			if span := s.Skip(); kind != '"' || span.Len() == len(`""`) {
				w.e.replace(dialect.RepairToolID, span, id())
			}
		case "type":
			seen.typed = true
			if span := s.Skip(); kind != '"' || span.Len() == len(`""`) {
				seen.typeAt = span // its kind may follow it
			}
		case "function", "custom":
			seen.custom = seen.custom || string(s.Name()) == "custom" && kind == '{'
			w.e.walkFunction(true, false)
		default:
			s.Skip()
		}
		call.took(name, start)
	}
	switch {
	case !seen.typed:
		call.add(dialect.RepairToolType, `"type":`+seen.typeName())
	case seen.typeAt.End > 0:
		w.e.replace(dialect.RepairToolType, seen.typeAt, seen.typeName())
	}
	if !seen.id {
		call.add(dialect.RepairToolID, `"id":`+id())
	}
	call.close()
}
