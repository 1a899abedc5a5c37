package anthropic

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/blocks"
	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// ReadAnswer reads a complete answer, calls tell with its events, and returns the last one, even if the answer cannot be translated.
func ReadAnswer(body []byte, tell func(*llm.Event)) (llm.Event, error) {
	if err := jsonwalk.Valid(body, jsonwalk.Options{}); err != nil {
		return llm.Event{}, err
	}
	var typ llm.JSON
	var content, usage, details llm.JSON
	start, end := llm.Event{Kind: llm.Start}, llm.Event{Kind: llm.End}
	for name, v := range jsonwalk.Members(body) {
		switch string(name) {
		case "type":
			typ = v
		case "id":
			start.ID = str(v)
		case "model":
			start.Name = str(v)
		case "content":
			content = v
		case "stop_reason":
			end.Finish = finish(llm.JSON(v).Text())
		case "stop_details":
			details = v
		case "usage":
			usage = v
		}
	}
	switch {
	case typ.Text() == "error":
		return llm.Event{}, llm.ErrError
	case typ.Text() != "message" || content.Kind() != '[':
		return llm.Event{}, fmt.Errorf("%w: it has no content", llm.ErrNoAnswer)
	}
	var u counts
	u.read(usage)
	end.Usage = u.usage()
	end.Refusal = explanation(details)
	tell(&start)
	n := 0
	var said cited.Block
	for _, block := range jsonwalk.Elements(content) {
		told, err := tellBlock(n, block, &said, tell)
		switch {
		case err != nil:
			return end, err
		case told:
			n++
		}
	}
	if end.Finish == "" {
		end.Finish = finish("")
	}
	return end, nil
}

// str is a value if it is a string.
func str(v llm.JSON) llm.JSON {
	if v.Kind() != '"' {
		return nil
	}
	return v
}

// explanation is why the model refused, nil if it did not say.
func explanation(details llm.JSON) llm.JSON {
	for name, v := range jsonwalk.Members(details) {
		if string(name) == "explanation" {
			return str(v)
		}
	}
	return nil
}

// tellBlock calls tell with the events of one block of a complete answer. What the vendor's own tools did is no
// part of a chat answer.
func tellBlock(n int, block llm.JSON, said *cited.Block, tell func(*llm.Event)) (told bool, err error) {
	b := readBlock(block)
	ev := llm.Event{Kind: llm.BlockStart, Block: n, Part: b.kind, ID: b.id, Name: b.name}
	switch {
	case blocks.Silent(b.kind):
		return false, nil
	case ev.Nameless():
		return false, llm.ErrNameless
	}
	tell(&ev)
	text := b.text
	if b.kind == llm.ToolCall && b.input != nil {
		text = llm.AppendQuote(nil, []byte(b.input))
	}
	ev = llm.Event{Kind: llm.Delta, Block: n, Part: b.kind, Text: text, Opaque: b.opaque}
	tell(&ev)
	if b.kind == llm.Text {
		said.Begin(n)
		said.Say(text)
		for _, c := range jsonwalk.Elements(b.citations) {
			cite(said, n, c)
		}
		said.End(n, tell)
	}
	ev = llm.Event{Kind: llm.BlockStop, Block: n, Part: b.kind}
	tell(&ev)
	return true, nil
}

// cite reads a citation of a block of text.
func cite(said *cited.Block, n int, citation llm.JSON) {
	var url, title llm.JSON
	for name, v := range jsonwalk.Members(citation) {
		switch string(name) {
		case "url":
			url = str(v)
		case "title":
			title = str(v)
		}
	}
	said.Cite(n, url, title)
}

// block is a content block.
type block struct {
	kind         llm.PartKind
	id, name     llm.JSON
	text, opaque llm.JSON
	input        llm.JSON // of a tool call, nil if empty
	citations    llm.JSON // of a text: its citations
}

func readBlock(value llm.JSON) block {
	var b block
	var typ string
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "type":
			typ = llm.JSON(v).Text()
		case "text", "thinking":
			b.text = str(v)
		case "signature", "data":
			b.opaque = str(v)
		case "id":
			b.id = str(v)
		case "name":
			b.name = str(v)
		case "input":
			if object(v) {
				b.input = v
			}
		case "citations":
			b.citations = v
		}
	}
	return b.only(kindOf(typ))
}

// only returns the block with just the members of its kind.
func (b block) only(kind llm.PartKind) block {
	switch kind {
	case llm.Text:
		return block{kind: kind, text: b.text, citations: b.citations}
	case llm.ToolCall:
		return block{kind: kind, id: b.id, name: b.name, input: b.input}
	case llm.Reasoning:
		return block{kind: kind, text: b.text, opaque: b.opaque}
	case llm.Redacted:
		return block{kind: kind, opaque: b.opaque}
	}
	return block{kind: kind}
}

func kindOf(typ string) llm.PartKind {
	switch typ {
	case "text":
		return llm.Text
	case "tool_use":
		return llm.ToolCall
	case "thinking":
		return llm.Reasoning
	case "redacted_thinking":
		return llm.Redacted
	case "server_tool_use", "mcp_tool_use", "container_upload":
		return blocks.Own
	}
	if strings.HasSuffix(typ, "_tool_result") {
		return blocks.Own
	}
	return blocks.Unknown
}

// finish is OpenAI's word for a stop_reason.
func finish(reason string) string {
	switch reason {
	case "max_tokens", "model_context_window_exceeded":
		return "length"
	case "tool_use":
		return "tool_calls"
	case "refusal":
		return "content_filter"
	default: // end_turn, stop_sequence, pause_turn, compaction
		return "stop"
	}
}

// fast is the speed that costs more.
const fast = "fast"

// counts are the figures of a usage object. They are cumulative: the last of each counts.
type counts struct {
	input, created, brief, hour, reads int64 // of created, brief is kept for five minutes
	output, thinking, searches         int64
	tier, speed                        string
	bill                               dialect.Bill // of a vendor that resells
	absurd                             bool         // a figure cannot be true
}

func (c *counts) read(usage llm.JSON) {
	for name, v := range jsonwalk.Members(usage) {
		switch string(name) {
		case "input_tokens":
			c.set(&c.input, v)
		case "cache_creation_input_tokens":
			c.set(&c.created, v)
		case "cache_read_input_tokens":
			c.set(&c.reads, v)
		case "output_tokens":
			c.set(&c.output, v)
		case "output_tokens_details":
			c.set(&c.thinking, memberOf(v, "thinking_tokens"))
		case "cache_creation":
			c.set(&c.brief, memberOf(v, "ephemeral_5m_input_tokens"))
			c.set(&c.hour, memberOf(v, "ephemeral_1h_input_tokens"))
		case "server_tool_use":
			c.set(&c.searches, memberOf(v, "web_search_requests"))
		case "service_tier":
			c.tier = llm.JSON(v).Tier()
		case "speed":
			c.speed = llm.JSON(v).Tier()
		default:
			c.bill.Read(name, v)
		}
	}
}

// set takes a figure, if it is reported.
func (c *counts) set(to *int64, v llm.JSON) {
	n, told, absurd := v.Tokens()
	if c.absurd = c.absurd || absurd; told {
		*to = n
	}
}

// usage is what was used, in disjoint classes. Here only two overlap others: cache writes for an hour are among all writes, and thoughts
// among the output.
func (c *counts) usage() llm.Usage {
	created := c.created
	if created == 0 { // some who resell the models tell only the parts
		created = c.brief + c.hour
	}
	hour, thinking := min(c.hour, created), min(c.thinking, c.output)
	tier := c.tier
	if c.speed == fast { // it has a price of its own, as tiers do
		tier = fast
	}
	return llm.Usage{
		Fresh: c.input, CacheRead: c.reads, CacheWrite: created - hour, CacheWrite1h: hour,
		Text: c.output - thinking, Reasoning: thinking, Searches: c.searches, Tier: tier, Cost: c.bill.Cost(), Absurd: c.absurd,
	}
}
