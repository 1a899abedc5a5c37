package converse

import (
	"fmt"

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
	var message, content llm.JSON
	var usage counts
	var stop string
	failed, counted := false, false
	for name, v := range jsonwalk.Members(body) {
		switch string(name) {
		case "output":
			message = member(v, "message")
		case "stopReason":
			stop = llm.JSON(v).Text()
		case "usage":
			usage.read(v)
			counted = llm.JSON(v).Kind() == '{'
		case "message", "Message":
			failed = llm.JSON(v).Kind() == '"'
		}
	}
	if content = member(message, "content"); content.Kind() != '[' {
		if failed && message == nil {
			return llm.Event{}, llm.ErrError
		}
		return llm.Event{}, fmt.Errorf("%w: it has no content", llm.ErrNoAnswer)
	}
	end := llm.Event{Kind: llm.End, Usage: usage.usage(), Uncounted: !counted}
	var err error
	if end.Finish, err = finish(stop); err != nil {
		return end, err
	}
	tell(&llm.Event{Kind: llm.Start})
	n := 0
	var said cited.Block
	for _, v := range jsonwalk.Elements(content) {
		told, err := tellBlock(n, v, &said, tell)
		switch {
		case err != nil:
			return end, err
		case told:
			n++
		}
	}
	return end, nil
}

// member is a member of an object, or nil.
func member(object llm.JSON, name string) llm.JSON {
	for n, v := range jsonwalk.Members(object) {
		if string(n) == name {
			return v
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

// tellBlock calls tell with the events of one block of a complete answer.
func tellBlock(n int, value llm.JSON, said *cited.Block, tell func(*llm.Event)) (told bool, err error) {
	var citations llm.JSON
	start, delta := llm.Event{Kind: llm.BlockStart, Block: n, Part: blocks.Unknown}, llm.Event{Kind: llm.Delta, Block: n}
	for name, v := range jsonwalk.Members(value) {
		if !blocks.Silent(start.Part) {
			break // a block is of one kind
		}
		if llm.JSON(v).Kind() == 'n' { // some write every kind that it is not
			continue
		}
		switch string(name) {
		case "text":
			start.Part, delta.Text = llm.Text, str(v)
		case "citationsContent":
			citations = member(v, "citations")
			if text := generated(member(v, "content")); text != nil {
				start.Part, delta.Text = llm.Text, text
			}
		case "toolUse":
			start.Part, start.ID, start.Name = called(v)
			if input := member(v, "input"); input.Kind() == '{' {
				delta.Text = llm.AppendQuote(nil, []byte(input))
			}
		case "reasoningContent":
			start.Part = llm.Reasoning
			if text := member(v, "reasoningText"); text != nil {
				delta.Text, delta.Opaque = str(member(text, "text")), str(member(text, "signature"))
			} else if delta.Opaque = str(member(v, "redactedContent")); delta.Opaque != nil {
				start.Part = llm.Redacted
			}
		}
	}
	if blocks.Silent(start.Part) {
		cite(said, n, citations)
		said.End(n, tell)
		return false, nil
	}
	if start.Nameless() {
		return false, llm.ErrNameless
	}
	delta.Part = start.Part
	tell(&start)
	tell(&delta)
	if start.Part == llm.Text {
		said.Begin(n)
		said.Say(delta.Text)
		cite(said, n, citations)
		said.End(n, tell)
	}
	tell(&llm.Event{Kind: llm.BlockStop, Block: n, Part: start.Part})
	return true, nil
}

// generated is the text that citations come with, or nil if they follow their text.
func generated(content llm.JSON) (text llm.JSON) {
	for _, v := range jsonwalk.Elements(content) {
		piece := str(member(v, "text"))
		if piece != nil && text == nil {
			text = llm.JSON{'"'}
		}
		text = append(text, piece.Inner()...)
	}
	if text == nil {
		return nil
	}
	return append(text, '"')
}

// cite reads the citations in a block.
func cite(said *cited.Block, n int, citations llm.JSON) {
	for _, v := range jsonwalk.Elements(citations) {
		citePage(said, n, v)
	}
}

// citePage reads a citation and sends it if it is of a web page.
func citePage(said *cited.Block, n int, citation llm.JSON) {
	said.Cite(n, str(member(member(member(citation, "location"), "web"), "url")), str(member(citation, "title")))
}

// called reads a toolUse: the kind of its block, the id of the call and the name of the tool.
func called(v llm.JSON) (kind llm.PartKind, id, name llm.JSON) {
	if v == nil || member(v, "type").Text() == "server_tool_use" {
		return blocks.Own, nil, nil
	}
	return llm.ToolCall, str(member(v, "toolUseId")), str(member(v, "name"))
}

// finish is OpenAI's word for a stopReason. An answer that the provider itself calls malformed is an error.
func finish(reason string) (string, error) {
	switch reason {
	case "max_tokens", "model_context_window_exceeded":
		return "length", nil
	case "tool_use":
		return "tool_calls", nil
	case "guardrail_intervened", "content_filtered":
		return "content_filter", nil
	case "malformed_model_output", "malformed_tool_use":
		return "", fmt.Errorf("%w: %s", llm.ErrNoAnswer, reason)
	default: // end_turn, stop_sequence
		return "stop", nil
	}
}

// counts are the figures of a usage object.
type counts struct {
	input, reads, writes, hour, output int64
	absurd                             bool // a figure cannot be true
}

func (c *counts) read(usage llm.JSON) {
	for name, v := range jsonwalk.Members(usage) {
		switch string(name) {
		case "inputTokens":
			c.set(&c.input, v)
		case "cacheReadInputTokens":
			c.set(&c.reads, v)
		case "cacheWriteInputTokens":
			c.set(&c.writes, v)
		case "outputTokens":
			c.set(&c.output, v)
		case "cacheDetails":
			c.details(v)
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

// details takes how many of the tokens that were written to the cache are kept for an hour, from a list of {ttl, inputTokens}.
func (c *counts) details(list llm.JSON) {
	for _, one := range jsonwalk.Elements(list) {
		if member(one, "ttl").Text() == "1h" {
			c.set(&c.hour, member(one, "inputTokens"))
		}
	}
}

// usage is what was used, in disjoint classes: writes for an hour are among all writes. How much of the output was reasoning is not reported.
func (c *counts) usage() llm.Usage {
	hour := min(c.hour, c.writes)
	return llm.Usage{Fresh: c.input, CacheRead: c.reads, CacheWrite: c.writes - hour, CacheWrite1h: hour, Text: c.output, Absurd: c.absurd}
}
