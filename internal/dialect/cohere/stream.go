package cohere

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Stream reads the events of one streamed answer.
type Stream struct {
	started bool
	block   int // how many blocks have begun
	open    llm.PartKind
	plan    bool // it is a plan
	begun   bool // a block is open
	silent  bool // nothing came yet of the arguments of the tool call that is open
	said    spoken

	usage llm.Usage
	tell  func(*llm.Event)
	sent  llm.Event
}

// Read takes one event's data and calls tell with its events. The event End comes with message-end, so that a stream
// without it is one that was cut short.
func (st *Stream) Read(data []byte, tell func(*llm.Event)) error {
	st.tell = tell
	if err := jsonwalk.Valid(data, jsonwalk.Options{}); err != nil {
		return err
	}
	p := readPayload(data)
	switch {
	case p.typ == "" && p.error:
		return llm.ErrError
	case p.typ == "message-start":
		if !st.started { // a second one is not reported
			st.started = true
			st.emit(llm.Event{Kind: llm.Start, ID: p.id})
		}
	case !st.started && (p.delta != nil || p.typ == "message-end"):
		return fmt.Errorf("%w: it goes on before it began", llm.ErrNoAnswer)
	case p.typ == "message-end":
		st.stop()
		return st.end(p)
	default:
		return st.piece(p)
	}
	return nil
}

// emit sends an event.
func (st *Stream) emit(ev llm.Event) {
	st.sent = ev
	st.tell(&st.sent)
}

// payload is what one event says. Everything in it aliases the event's bytes.
type payload struct {
	typ            string
	id, delta      llm.JSON
	index          int64
	error          bool // it has a message that is a text
	plan           llm.JSON
	content        content
	call           call
	citations      llm.JSON
	reason, failed string
	usage          llm.JSON
}

func readPayload(data []byte) payload {
	p := payload{index: -1}
	for name, v := range jsonwalk.Members(data) {
		switch string(name) {
		case "type":
			p.typ = llm.JSON(v).Text()
		case "id":
			p.id = str(v)
		case "index":
			p.index = place(v)
		case "message":
			p.error = str(v) != nil
		case "delta":
			p.delta = v
		}
	}
	for name, v := range jsonwalk.Members(p.delta) {
		switch string(name) {
		case "message":
			p.message(v)
		case "finish_reason":
			p.reason = llm.JSON(v).Text()
		case "error":
			p.failed = llm.JSON(v).Text()
		case "usage":
			p.usage = v
		}
	}
	return p
}

func (p *payload) message(value llm.JSON) {
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "tool_plan":
			p.plan = str(v)
		case "content":
			p.content = readContent(v)
		case "tool_calls":
			p.call = readCall(v)
		case "citations":
			p.citations = v
		}
	}
}

// piece sends a piece of the message.
func (st *Stream) piece(p payload) error {
	switch {
	case strings.HasSuffix(p.typ, "-end"):
		if p.typ != "citation-end" {
			st.stop()
		}
	case p.typ == "citation-start":
		st.said.cite(p.citations, st.tell)
	case p.typ == "tool-call-start":
		st.stop()
		ev := llm.Event{Part: llm.ToolCall, ID: p.call.id, Name: p.call.name}
		if ev.Nameless() {
			return llm.ErrNameless
		}
		st.begin(ev)
		st.arguments(p.call)
	case p.typ == "tool-call-delta" && st.open != llm.ToolCall && len(p.call.args.Inner()) > 0:
		return llm.ErrNameless // its start, with its name, did not come
	case p.typ == "tool-call-delta":
		st.arguments(p.call)
	case p.plan != nil:
		st.say(llm.Event{Part: llm.Reasoning, Name: llm.JSON(`"` + toolPlan + `"`)}, p.plan)
	case p.content.thinking != nil:
		st.say(llm.Event{Part: llm.Reasoning}, p.content.thinking)
	case p.content.text != nil:
		st.said.hear(p.index, p.content.text)
		st.say(llm.Event{Part: llm.Text}, p.content.text)
	}
	return nil
}

// begin begins a block, stop ends the one that is open.
func (st *Stream) begin(ev llm.Event) {
	ev.Kind, ev.Block = llm.BlockStart, st.block
	st.open, st.plan, st.begun, st.silent = ev.Part, ev.Part == llm.Reasoning && ev.Name != nil, true, true
	st.emit(ev)
}

func (st *Stream) stop() {
	if st.begun {
		st.emit(llm.Event{Kind: llm.BlockStop, Block: st.block, Part: st.open})
		st.begun = false
		st.block++
	}
}

// say sends a piece of a text or of a thought. It begins a block if none of its kind is open, because some come without
// a start.
func (st *Stream) say(block llm.Event, text llm.JSON) {
	if len(text.Inner()) == 0 {
		return
	}
	if st.begun && (st.open != block.Part || st.plan != (block.Name != nil)) {
		st.stop()
	}
	if !st.begun {
		st.begin(block)
	}
	st.emit(llm.Event{Kind: llm.Delta, Block: st.block, Part: block.Part, Text: text})
}

// arguments sends a piece of the open tool call's arguments.
func (st *Stream) arguments(c call) {
	if !st.begun || st.open != llm.ToolCall || len(c.args.Inner()) == 0 || st.silent && c.nothing() {
		return
	}
	st.silent = false
	st.emit(llm.Event{Kind: llm.Delta, Block: st.block, Part: llm.ToolCall, Text: c.args})
}

// end sends the end of the answer.
func (st *Stream) end(p payload) error {
	word, ok := finish(p.reason)
	st.usage = readUsage(p.usage)
	if !ok || p.failed != "" {
		return llm.ErrError
	}
	st.emit(llm.Event{Kind: llm.End, Finish: word, Usage: st.usage})
	return nil
}

// Used is the usage that the stream reported. It reports it when it ends, even with an error.
func (st *Stream) Used() llm.Usage { return st.usage }

// Held is about how many bytes are remembered of the answer.
func (st *Stream) Held() int { return st.said.Held() }
