package gemini

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Stream reads the pieces of one answer, each of which has the shape of a whole one. A complete answer is a stream of one
// piece.
type Stream struct {
	tell    func(*llm.Event)
	started bool
	ended   bool
	open    bool         // a block of text or of reasoning is
	kind    llm.PartKind // what it is
	block   int          // the number of the block that is open, or comes next
	calls   int
	id      string // of the answer
	finish  string // OpenAI's word for why it ended, "" as long as it did not
	refusal llm.JSON
	usage   counts
	told    llm.Event
}

// Read takes one piece and tells what is in it. The event End comes with Close.
func (st *Stream) Read(data []byte, tell func(*llm.Event)) error {
	if err := jsonwalk.Valid(data, jsonwalk.Options{}); err != nil {
		return err
	}
	return st.read(data, tell)
}

// Close tells the event End if the model said why it ended; else the stream was cut short.
func (st *Stream) Close(tell func(*llm.Event)) {
	if st.tell = tell; st.finish == "" || st.ended {
		return
	}
	st.ended = true
	st.close()
	st.event(llm.Event{Kind: llm.End, Finish: st.finish, Refusal: st.refusal, Usage: st.usage.usage()})
}

func (st *Stream) event(ev llm.Event) {
	st.told = ev
	st.tell(&st.told)
}

// read takes a piece that is valid JSON.
func (st *Stream) read(data llm.JSON, tell func(*llm.Event)) error {
	st.tell = tell
	if data.Kind() != '{' {
		return fmt.Errorf("%w: a piece of it is no object", llm.ErrNoAnswer)
	}
	var candidates llm.JSON
	start := llm.Event{Kind: llm.Start}
	for name, v := range jsonwalk.Members(data) {
		v := llm.JSON(v)
		switch string(name) {
		case "error":
			if v.Kind() != 'n' {
				return llm.ErrError
			}
		case "candidates":
			candidates = v
		case "promptFeedback":
			st.feedback(v)
		case "usageMetadata":
			st.usage.read(v)
		case "modelVersion":
			start.Name = str(v)
		case "responseId":
			start.ID = str(v)
		}
	}
	if !st.started {
		st.started, st.id = true, start.ID.Text()
		st.event(start)
	}
	for _, c := range jsonwalk.Elements(candidates) {
		if err := st.candidate(c); err != nil {
			return err
		}
	}
	return nil
}

// str is a value if it is a string.
func str(v llm.JSON) llm.JSON {
	if v.Kind() != '"' {
		return nil
	}
	return v
}

// feedback is about the prompt: one that is blocked gets no candidate.
func (st *Stream) feedback(value llm.JSON) {
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "blockReason":
			if given(v) {
				st.finish = "content_filter"
			}
		case "blockReasonMessage":
			st.refusal = slices.Clone(str(v))
		}
	}
}

// candidate tells what is new of the answer. One candidate is asked for; of others nothing is told.
func (st *Stream) candidate(value llm.JSON) error {
	var content, reason, scores llm.JSON
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "index":
			if string(v) != "0" {
				return nil
			}
		case "content":
			content = v
		case "finishReason":
			reason = v
		case "logprobsResult":
			scores = v
		}
	}
	for name, v := range jsonwalk.Members(content) {
		if string(name) != "parts" {
			continue
		}
		for _, p := range jsonwalk.Elements(v) {
			st.part(readPart(p))
		}
	}
	st.score(scores)
	if given(reason) {
		finish, ok := finish(string(reason))
		if !ok {
			return fmt.Errorf("%w: the model ended with %s", llm.ErrNoAnswer, reason)
		}
		st.finish = finish
	}
	return nil
}

// given reports whether a reason is one: servers that spell out what is not set send the first value of the list, which says
// nothing, with every piece.
func given(reason llm.JSON) bool {
	switch string(reason) {
	case `""`, "0", `"FINISH_REASON_UNSPECIFIED"`, `"BLOCK_REASON_UNSPECIFIED"`, `"BLOCKED_REASON_UNSPECIFIED"`:
		return false
	}
	return reason.Kind() == '"' || reason.Kind() == '0'
}

// finish is OpenAI's word for a finishReason as it is spelled; ok is false for those that mean that there is no answer: the
// model tried to call a tool and could not. Some gateways spell the reasons as numbers.
func finish(reason string) (word string, ok bool) {
	switch reason {
	case `"MAX_TOKENS"`, "2", `"CONTINUATION"`:
		return "length", true
	case `"SAFETY"`, "3", `"RECITATION"`, "4", `"BLOCKLIST"`, `"PROHIBITED_CONTENT"`, `"SPII"`, `"IMAGE_SAFETY"`, `"IMAGE_PROHIBITED_CONTENT"`,
		`"IMAGE_RECITATION"`, `"MODEL_ARMOR"`:
		return "content_filter", true
	case `"MALFORMED_FUNCTION_CALL"`, `"UNEXPECTED_TOOL_CALL"`, `"TOO_MANY_TOOL_CALLS"`, `"MISSING_THOUGHT_SIGNATURE"`, `"MALFORMED_RESPONSE"`:
		return "", false
	}
	return "stop", true
}

// part tells one part. Parts of one kind in a row are one block.
func (st *Stream) part(p part) {
	switch {
	case p.kind == unknownPart, p.kind == llm.Text && len(p.text.Inner()) == 0 && p.signature == nil:
	case p.kind == llm.ToolCall:
		st.close()
		st.call(p)
	default:
		if !st.open || st.kind != p.kind {
			st.close()
			st.open, st.kind = true, p.kind
			st.event(llm.Event{Kind: llm.BlockStart, Block: st.block, Part: p.kind})
		}
		st.event(llm.Event{Kind: llm.Delta, Block: st.block, Part: p.kind, Text: p.text, Opaque: p.signature})
	}
}

// close ends the block that is open.
func (st *Stream) close() {
	if st.open {
		st.event(llm.Event{Kind: llm.BlockStop, Block: st.block, Part: st.kind})
		st.open = false
		st.block++
	}
}

// call tells a call of a tool, which comes whole. Models before Gemini 3 give it no id.
func (st *Stream) call(p part) {
	id := p.id
	if len(id.Inner()) == 0 {
		id = llm.Quote("call_" + st.id + "_" + strconv.Itoa(st.calls))
	}
	st.calls++
	st.event(llm.Event{Kind: llm.BlockStart, Block: st.block, Part: llm.ToolCall, ID: id, Name: p.name, Opaque: p.signature})
	if p.args != nil {
		st.event(llm.Event{Kind: llm.Delta, Block: st.block, Part: llm.ToolCall, Text: llm.AppendQuote(nil, []byte(p.args))})
	}
	st.event(llm.Event{Kind: llm.BlockStop, Block: st.block, Part: llm.ToolCall})
	st.block++
}
