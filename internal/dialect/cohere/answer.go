package cohere

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// ReadAnswer reads a complete answer, calls tell with its events, and returns the last one, even if the answer cannot be translated.
func ReadAnswer(body []byte, tell func(*llm.Event)) (llm.Event, error) {
	if err := jsonwalk.Valid(body, jsonwalk.Options{}); err != nil {
		return llm.Event{}, err
	}
	var message, usage llm.JSON
	var reason string
	start, end := llm.Event{Kind: llm.Start}, llm.Event{Kind: llm.End}
	for name, v := range jsonwalk.Members(body) {
		switch string(name) {
		case "id":
			start.ID = str(v)
		case "message":
			message = v
		case "finish_reason":
			reason = llm.JSON(v).Text()
		case "usage":
			usage = v
		}
	}
	word, ok := finish(reason)
	end.Finish, end.Usage = word, readUsage(usage)
	switch {
	case message.Kind() == '"' || !ok:
		return end, llm.ErrError
	case message.Kind() != '{':
		return end, fmt.Errorf("%w: it has no message", llm.ErrNoAnswer)
	}
	tell(&start)
	return end, tellMessage(message, tell)
}

// str is a value if it is a string.
func str(v llm.JSON) llm.JSON {
	if v.Kind() != '"' {
		return nil
	}
	return v
}

// toolPlan is the name of reasoning that says what the model plans to do with tools: the API separates it from thoughts.
const toolPlan = "tool_plan"

// tellMessage calls tell with the blocks of a message: its plan for tools, its text, and its tool calls.
func tellMessage(message llm.JSON, tell func(*llm.Event)) error {
	var plan, content, calls, citations llm.JSON
	for name, v := range jsonwalk.Members(message) {
		switch string(name) {
		case "tool_plan":
			plan = str(v)
		case "content":
			content = v
		case "tool_calls":
			calls = v
		case "citations":
			citations = v
		}
	}
	n := 0
	block := func(ev llm.Event, text llm.JSON) {
		if ev.Part != llm.ToolCall && len(text.Inner()) == 0 { // as in a stream
			return
		}
		ev.Kind, ev.Block = llm.BlockStart, n
		tell(&ev)
		ev = llm.Event{Kind: llm.Delta, Block: n, Part: ev.Part, Text: text}
		tell(&ev)
		ev = llm.Event{Kind: llm.BlockStop, Block: n, Part: ev.Part}
		tell(&ev)
		n++
	}
	block(llm.Event{Part: llm.Reasoning, Name: llm.Quote(toolPlan)}, plan)
	var said spoken
	for i, value := range jsonwalk.Elements(content) {
		c := readContent(value)
		switch {
		case c.text != nil:
			said.hear(int64(i), c.text)
			block(llm.Event{Part: llm.Text}, c.text)
		case c.thinking != nil:
			block(llm.Event{Part: llm.Reasoning}, c.thinking)
		}
	}
	for _, value := range jsonwalk.Elements(citations) {
		said.cite(value, tell)
	}
	for _, value := range jsonwalk.Elements(calls) {
		c := readCall(value)
		if c.nothing() {
			c.args = nil
		}
		ev := llm.Event{Part: llm.ToolCall, ID: c.id, Name: c.name}
		if ev.Nameless() {
			return llm.ErrNameless
		}
		block(ev, c.args)
	}
	return nil
}

// content is an element of a message's content, or a piece of one.
type content struct{ text, thinking llm.JSON }

func readContent(value llm.JSON) (c content) {
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "text":
			c.text = str(v)
		case "thinking":
			c.thinking = str(v)
		}
	}
	return c
}

// call is a call of a tool, or a piece of one.
type call struct{ id, name, args llm.JSON }

func readCall(value llm.JSON) (c call) {
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "id":
			c.id = str(v)
		case "function":
			for name, v := range jsonwalk.Members(v) {
				switch string(name) {
				case "name":
					c.name = str(v)
				case "arguments":
					c.args = str(v)
				}
			}
		}
	}
	return c
}

// nothing reports whether arguments, from their start, are those of a tool without parameters.
func (c call) nothing() bool { return len(c.args.Inner()) == 0 || string(c.args) == `"null"` }

// finish is OpenAI's word for a finish_reason; ok is false if it means a failure.
func finish(reason string) (word string, ok bool) {
	switch reason {
	case "MAX_TOKENS":
		return "length", true
	case "TOOL_CALL":
		return "tool_calls", true
	case "ERROR_TOXIC":
		return "content_filter", true
	case "ERROR", "ERROR_LIMIT", "TIMEOUT":
		return "", false
	default: // COMPLETE, STOP_SEQUENCE
		return "stop", true
	}
}

// readUsage reads a usage object. The classes have the tokens that were counted. Billed units are fewer, because the API's own part of the
// prompt is free; they do not show which tokens were cached.
func readUsage(usage llm.JSON) (u llm.Usage) {
	var tokens, billed figures
	var cached int64
	for name, v := range jsonwalk.Members(usage) {
		switch string(name) {
		case "tokens":
			tokens.read(v)
		case "billed_units":
			billed.read(v)
		case "cached_tokens":
			cached, _, u.Absurd = llm.JSON(v).Tokens()
		}
	}
	if billed.told && tokens.told && billed != tokens {
		u.Charged = llm.Charged{Input: billed.input, Output: billed.output, Known: true}
	}
	if !tokens.told {
		tokens = billed
	}
	u.CacheRead = min(cached, tokens.input)
	u.Fresh, u.Text = tokens.input-u.CacheRead, tokens.output
	u.Absurd = u.Absurd || tokens.absurd || billed.absurd
	return u
}

// figures are those of an object in a usage.
type figures struct {
	input, output int64
	told, absurd  bool
}

func (f *figures) read(value llm.JSON) {
	for name, v := range jsonwalk.Members(value) {
		to := &f.input
		switch string(name) {
		case "input_tokens":
		case "output_tokens":
			to = &f.output
		default:
			continue
		}
		n, told, absurd := llm.JSON(v).Tokens()
		*to, f.told, f.absurd = n, f.told || told, f.absurd || absurd
	}
}
