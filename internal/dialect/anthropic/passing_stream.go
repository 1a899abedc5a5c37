package anthropic

import (
	"bytes"
	"slices"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Walk implements dialect.Passing.
func (r *Request) Walk(_ *dialect.Changes, echo string) dialect.Walk { return &Passage{echo: echo} }

// Passage follows one stream of one attempt as it passes. It is pure: payloads in, findings and edits out.
type Passage struct {
	echo string // the model's name to answer with, "" for the upstream's own
	dialect.Found

	usage   counts
	started bool    // message_start has come
	id      []byte  // of the message
	blocks  int64   // that have begun
	open    []int64 // those that have not ended
	ending  bool    // it was said why the message ends
	s       jsonwalk.Scanner
	edits   [1]jsonwalk.Edit
}

// passed is what one payload has.
type passed struct {
	typ                   jsonwalk.Span
	message, block, usage jsonwalk.Span
	index                 int64  // of a block, -1 if it is not said
	failed                bool   // it has an error
	says                  int    // bytes that a delta says
	opaque                bool   // it has a signature or a citation
	finish                []byte // why the message ends, as JSON
}

// Last implements dialect.Walk.
func (p *Passage) Last(payload []byte) bool { return string(TypeOf(payload)) == typeStop }

// WalkBehind implements dialect.Walk.
func (p *Passage) WalkBehind(_, payload []byte) (c dialect.Chunk, err error) {
	has := passed{index: -1}
	if err := p.scan(payload, &has); err != nil {
		return c, err
	}
	typ := llm.JSON(has.typ.Of(payload)).Inner()
	if !p.follows(typ, has.index) {
		return c, dialect.ErrOrder
	}
	switch string(typ) {
	case "content_block_delta":
		p.Said += int64(has.says)
		c.Content = has.says > 0 || has.opaque
	case "message_start":
		return c, p.start(payload, &has, &c)
	case "content_block_start":
		c.Content = p.begins(has.block.Of(payload))
	case "message_delta":
		p.usage.read(has.usage.Of(payload))
		p.report(has.usage.Len() > 0)
		if reason := llm.JSON(has.finish).Text(); reason != "" {
			p.Finish, c.Content = finish(reason), true
		}
	case "ping":
		c.Drop = true
	case "error":
		c.Error = true
	default:
		c.Error = has.failed
	}
	return c, nil
}

// mostOpen bounds what a stream can make us remember.
const mostOpen = 4096

// follows reports whether an event of a type can come after those before it. Blocks begin in their order, and have to end before the message does: as a
// rule before the next one begins, but llama.cpp ends all of them together.
func (p *Passage) follows(typ []byte, index int64) bool {
	place := index
	if index < 0 { // it is not said
		place = p.blocks - 1
	}
	switch string(typ) {
	case "content_block_start":
		if !p.started || p.ending || index >= 0 && index != p.blocks || len(p.open) == mostOpen {
			return false
		}
		p.blocks++
		p.open = append(p.open, p.blocks-1)
	case "content_block_delta":
		return slices.Contains(p.open, place)
	case "content_block_stop":
		i := slices.Index(p.open, place)
		if i >= 0 {
			p.open = slices.Delete(p.open, i, i+1)
		}
		return i >= 0
	case "message_delta":
		p.ending = p.started && len(p.open) == 0
		return p.ending
	}
	return true
}

// scan walks over a payload once.
func (p *Passage) scan(payload []byte, has *passed) error {
	s := &p.s
	if err := dialect.WalkEvent(s, payload); err != nil {
		return err
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "type":
			has.typ = s.Skip()
		case "delta":
			p.scanDelta(payload, has)
		case "message":
			has.message = s.Skip()
		case "content_block":
			has.block = s.Skip()
		case "usage":
			has.usage = s.Skip()
		case "index":
			if n, ok := llm.JSON(s.Skip().Of(payload)).Count(); ok {
				has.index = n
			}
		case "error":
			has.failed = s.Kind() != 'n'
			s.Skip()
		default:
			s.Skip()
		}
	}
	return s.End()
}

func (p *Passage) scanDelta(payload []byte, has *passed) {
	s := &p.s
	if s.Kind() != '{' {
		s.Skip()
		return
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "text", "thinking", "partial_json":
			has.says += len(llm.JSON(s.Skip().Of(payload)).Inner())
		case "signature", "citation":
			has.opaque = s.Skip().Len() > len(`""`)
		case "stop_reason":
			has.finish = s.Skip().Of(payload)
		default:
			s.Skip()
		}
	}
}

// start reads message_start. The tokens of the answer that it reports stand for figures that come at the end. A second one is left out, if it is of
// the same message: some proxies splice it in.
func (p *Passage) start(payload []byte, has *passed, c *dialect.Chunk) error {
	message := has.message.Of(payload)
	id := memberOf(message, "id")
	if c.Drop = p.started; c.Drop {
		if !bytes.Equal(id, p.id) {
			return dialect.ErrOrder
		}
		return nil
	}
	p.started, p.id = true, bytes.Clone(id)
	p.s.Reset(message, jsonwalk.Options{})
	for ok := p.s.Kind() == '{' && p.s.EnterObject(); ok && p.s.NextMember(); {
		switch string(p.s.Name()) {
		case "usage":
			p.usage.read(p.s.Skip().Of(message))
			p.usage.output, p.usage.thinking = 0, 0
			u := p.usage.usage()
			p.report(u.Input() > 0)
		case "model":
			span := p.s.Skip()
			if p.Model = llm.JSON(span.Of(message)).Model(); p.echo != "" {
				span = jsonwalk.Span{Start: has.message.Start + span.Start, End: has.message.Start + span.End}
				p.edits[0] = jsonwalk.Edit{Span: span, New: string(llm.Quote(p.echo))}
				c.Edits = p.edits[:]
			}
		default:
			p.s.Skip()
		}
	}
	return nil
}

// report notes the usage so far, if it was reported.
func (p *Passage) report(reported bool) {
	p.Usage = p.usage.usage()
	if reported {
		p.HasUsage, p.Covered = true, p.Said
	}
}

// begins reports whether the beginning of a block is content: of any but a text or a thought that begins with nothing.
func (p *Passage) begins(block []byte) bool {
	p.s.Reset(block, jsonwalk.Options{})
	empty, silent := true, false
	for ok := p.s.Kind() == '{' && p.s.EnterObject(); ok && p.s.NextMember(); {
		switch string(p.s.Name()) {
		case "type":
			typ := string(llm.JSON(p.s.Skip().Of(block)).Inner())
			silent = typ == "text" || typ == "thinking"
		case "text", "thinking":
			n := len(llm.JSON(p.s.Skip().Of(block)).Inner())
			p.Said += int64(n)
			empty = empty && n == 0
		default:
			p.s.Skip()
		}
	}
	return !silent || !empty
}

// Rest implements dialect.Walk.
func (p *Passage) Rest() { p.s.Reset(nil, jsonwalk.Options{}) }

// Restart implements dialect.Walk.
func (p *Passage) Restart(dialect.Stand) { *p = Passage{echo: p.echo} }

// Complete implements dialect.Walk.
func (p *Passage) Complete(done bool) bool { return done && p.ending && len(p.open) == 0 }

// Ending implements dialect.Walk: an end that the upstream did not send is never made up.
func (p *Passage) Ending() []byte { return nil }

// Tail implements dialect.Walk: usage comes with what ends the message.
func (p *Passage) Tail() []byte { return nil }
