package anthropic

import (
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Writer implements dialect.Chat.
func (r *Request) Writer(w dialect.Writing) dialect.Writer {
	c := &chunks{Writer: Writer{Asked: w.Asked, Name: "msg_" + w.Name, echo: w.Echo, foreign: true, maker: w.Maker, heard: int64(w.Heard)}}
	c.send = c.line
	return c
}

// chunks is a Writer for one caller. A stream does without its last event, which says nothing and is part of the framing.
type chunks struct {
	Writer
	dst    []byte
	begun  bool
	send   func([]byte)
	forms  llm.Forms
	turns  llm.Turns
	tools  int // calls
	finish string
}

// line takes a payload.
func (c *chunks) line(payload []byte) {
	if c.begun {
		c.dst = append(c.dst, '\n')
	}
	c.dst, c.begun = append(c.dst, payload...), true
}

// Chunk implements dialect.Writer.
func (c *chunks) Chunk(dst []byte, ev *llm.Event) []byte {
	if ev.Choice > 0 {
		return dst
	}
	c.dst, c.begun = dst, false
	c.plainly(ev, func(ev *llm.Event) { c.Payloads(ev, c.send) })
	dst, c.dst = c.dst, nil
	return dst
}

// plainly calls write with an event as the caller is to see it, in its turn: the call of a tool that only gave the answer its form is a text.
func (c *chunks) plainly(ev *llm.Event, write func(*llm.Event)) {
	before, ok := c.turns.Take(ev)
	for i := range before {
		c.plain(&before[i], write)
	}
	if ok {
		c.plain(ev, write)
	}
}

func (c *chunks) plain(ev *llm.Event, write func(*llm.Event)) {
	plain := c.forms.Plain(ev)
	switch {
	case plain.Kind == llm.BlockStart && plain.Part == llm.ToolCall:
		c.tools++
	case plain.Kind == llm.End:
		end := *plain
		end.Finish = c.forms.Finish(plain, c.tools)
		c.finish, plain = end.Finish, &end
	case ev.Kind == llm.BlockStop && plain.Kind == llm.Delta:
		write(plain)
		plain = &llm.Event{Kind: llm.BlockStop, Block: ev.Block, Part: llm.Text}
	}
	write(plain)
}

// UsageChunk implements dialect.Writer: usage is in the event that ends the message.
func (c *chunks) UsageChunk(dst []byte, _ *llm.Event) []byte { return dst }

// Collect implements dialect.Writer.
func (c *chunks) Collect(ev *llm.Event) {
	if ev.Choice == 0 {
		c.plainly(ev, c.Writer.Collect)
	}
}

// Answer implements dialect.Writer.
func (c *chunks) Answer(end *llm.Event) []byte {
	var body []byte
	c.plainly(end, func(end *llm.Event) { body = c.Writer.Answer(end) })
	return body
}

// FinishReason implements dialect.Writer.
func (c *chunks) FinishReason() string { return c.finish }

// Held implements dialect.Writer.
func (c *chunks) Held() int { return cap(c.out) + cap(c.text) + cap(c.opaque) + cap(c.citations) }
