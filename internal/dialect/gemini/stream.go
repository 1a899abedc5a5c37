package gemini

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Stream reads the pieces of one answer, each shaped like a whole one. A complete answer is a stream of one piece.
type Stream struct {
	tell       func(*llm.Event)
	ended      bool
	candidates []candidate
	now        int    // the current candidate
	calls      int    // number of calls in all candidates
	id         string // the answer's id, at most maxID bytes
	usage      counts
	sent       llm.Event
}

// candidate is what is remembered of one.
type candidate struct {
	begun   bool
	open    bool         // a block of text or of reasoning is
	kind    llm.PartKind // what it is
	block   int          // the number of the block that is open, or comes next
	finish  string       // OpenAI's word for why it ended, "" as long as it did not
	refusal llm.JSON
	places  cited.Text
}

// maxCandidates is how many the API gives at most.
const maxCandidates = 8

// maxID bounds what the id of each call repeats of the answer's.
const maxID = 64

// Read takes one piece and calls tell with its events. The event End comes with Close.
func (st *Stream) Read(data []byte, tell func(*llm.Event)) error {
	if err := jsonwalk.Valid(data, jsonwalk.Options{}); err != nil {
		return err
	}
	return st.read(data, tell)
}

// Close sends the event End if the model gave a finish reason; otherwise the stream was cut short.
func (st *Stream) Close(tell func(*llm.Event)) {
	cut := func(c candidate) bool { return c.begun && c.finish == "" }
	if st.tell = tell; len(st.candidates) == 0 || st.ended || slices.ContainsFunc(st.candidates, cut) {
		return
	}
	st.ended = true
	for st.now = range slices.Backward(st.candidates) {
		c := &st.candidates[st.now]
		st.close()
		switch end := (llm.Event{Kind: llm.ChoiceEnd, Finish: c.finish, Refusal: c.refusal}); {
		case st.now == 0:
			end.Kind, end.Usage = llm.End, st.usage.usage()
			st.event(end)
		case c.begun:
			st.event(end)
		}
	}
}

// Used is the usage that the stream has reported so far.
func (st *Stream) Used() llm.Usage { return st.usage.usage() }

// Held is about how many bytes are remembered of the answer.
func (st *Stream) Held() (n int) {
	for i := range st.candidates {
		n += st.candidates[i].places.Held()
	}
	return n
}

// event sends an event of the current candidate.
func (st *Stream) event(ev llm.Event) {
	st.sent = ev
	st.sent.Choice = st.now
	st.tell(&st.sent)
}

// begin makes a candidate the current one. start has the names of the answer.
func (st *Stream) begin(index int, start llm.Event) *candidate {
	for len(st.candidates) <= index {
		st.candidates = append(st.candidates, candidate{})
	}
	st.now = index
	c := &st.candidates[index]
	if !c.begun {
		c.begun = true
		st.event(start)
	}
	return c
}

// read takes a piece that is valid JSON.
func (st *Stream) read(data llm.JSON, tell func(*llm.Event)) error {
	st.tell = tell
	if data.Kind() != '{' {
		return fmt.Errorf("%w: a piece of it is no object", llm.ErrNoAnswer)
	}
	var candidates llm.JSON
	var blocked candidate
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
			blocked = feedback(v)
		case "usageMetadata":
			st.usage.read(v)
		case "modelVersion":
			start.Name = str(v)
			st.usage.model(v)
		case "responseId":
			start.ID = str(v)
		}
	}
	if len(st.candidates) == 0 {
		id := start.ID.Text()
		st.id = strings.ToValidUTF8(id[:min(len(id), maxID)], "")
	}
	if first := st.begin(0, start); blocked.finish != "" {
		first.finish, first.refusal = blocked.finish, blocked.refusal
	}
	for _, c := range jsonwalk.Elements(candidates) {
		if err := st.candidate(c, start); err != nil {
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
func feedback(value llm.JSON) (c candidate) {
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "blockReason":
			if given(v) {
				c.finish = "content_filter"
			}
		case "blockReasonMessage":
			c.refusal = slices.Clone(str(v))
		}
	}
	return c
}

// candidate sends what is new in one.
func (st *Stream) candidate(value llm.JSON, start llm.Event) error {
	var content, reason, message, scores, grounding llm.JSON
	index := 0
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "index":
			if v := llm.JSON(v); v.Kind() == 'n' { // as if it had not been said
				continue
			}
			var err error
			if index, err = strconv.Atoi(string(v)); err != nil || index < 0 || index >= maxCandidates {
				return nil
			}
		case "content":
			content = v
		case "finishReason":
			reason = v
		case "finishMessage":
			message = v
		case "logprobsResult":
			scores = v
		case "groundingMetadata":
			grounding = v
		}
	}
	c := st.begin(index, start)
	before := c.places.Length
	var parts llm.JSON
	for name, v := range jsonwalk.Members(content) {
		if string(name) == "parts" {
			parts = v
		}
	}
	for _, p := range jsonwalk.Elements(parts) {
		if err := st.part(readPart(p)); err != nil {
			return err
		}
	}
	st.score(scores)
	if grounding != nil {
		st.usage.searched(grounding)
		st.cite(grounding, beginnings(parts, before))
	}
	if given(reason) {
		finish, ok := finish(string(reason))
		if !ok {
			return &llm.EndedError{Reason: string(reason.Inner()), Said: message.Text()}
		}
		c.finish = finish
	}
	return nil
}

// given reports whether the reason is a real one. Servers that spell out unset values send the first value of the list,
// which means nothing, with every piece.
func given(reason llm.JSON) bool {
	switch string(reason) {
	case `""`, "0", `"FINISH_REASON_UNSPECIFIED"`, `"BLOCK_REASON_UNSPECIFIED"`, `"BLOCKED_REASON_UNSPECIFIED"`:
		return false
	}
	return reason.Kind() == '"' || reason.Kind() == '0'
}

// finish is OpenAI's word for a finishReason. ok is false for reasons that mean that no answer came: the model tried to
// call a tool and could not. Some gateways spell the reasons as numbers.
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

// part sends one part. Parts of one kind in a row are one block.
func (st *Stream) part(p part) error {
	c := &st.candidates[st.now]
	switch {
	case p.kind == llm.ToolCall && len(p.name.Inner()) == 0:
		return llm.ErrNameless
	case p.kind == unknownPart, p.kind != llm.ToolCall && len(p.text.Inner()) == 0 && p.signature == nil:
	case p.kind == llm.ToolCall:
		st.close()
		st.call(p)
	default:
		if !c.open || c.kind != p.kind {
			st.close()
			c.open, c.kind = true, p.kind
			st.event(llm.Event{Kind: llm.BlockStart, Block: c.block, Part: p.kind})
		}
		if p.kind == llm.Text {
			c.places.Add(p.text)
		}
		st.event(llm.Event{Kind: llm.Delta, Block: c.block, Part: p.kind, Text: p.text, Opaque: p.signature})
	}
	return nil
}

// close ends the block that is open.
func (st *Stream) close() {
	if c := &st.candidates[st.now]; c.open {
		st.event(llm.Event{Kind: llm.BlockStop, Block: c.block, Part: c.kind})
		c.open = false
		c.block++
	}
}

// call sends a call of a tool, which comes whole. Models before Gemini 3 give it no id.
func (st *Stream) call(p part) {
	c := &st.candidates[st.now]
	id := p.id
	if len(id.Inner()) == 0 {
		id = llm.Quote("call_" + st.id + "_" + strconv.Itoa(st.calls))
	}
	st.calls++
	st.event(llm.Event{Kind: llm.BlockStart, Block: c.block, Part: llm.ToolCall, ID: id, Name: p.name, Opaque: p.signature})
	if p.args != nil {
		st.event(llm.Event{Kind: llm.Delta, Block: c.block, Part: llm.ToolCall, Text: llm.AppendQuote(nil, []byte(p.args))})
	}
	st.event(llm.Event{Kind: llm.BlockStop, Block: c.block, Part: llm.ToolCall})
	c.block++
}
