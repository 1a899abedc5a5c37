package responses

import (
	"bytes"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Walk implements dialect.Passing.
func (r *Request) Walk(_ *dialect.Changes, echo string) dialect.Walk {
	return &Passage{own: ownership(r, echo)}
}

// Passage follows one stream of one attempt as it passes. It is pure: payloads in, findings and edits out.
type Passage struct {
	own owned
	dialect.Found

	id     []byte // of the response, as JSON
	next   int64  // the number that the caller expects of the next event
	last   []byte // the event that ended the response; it goes out when all is accounted for
	order  order
	broken bool // the event that should have ended it cannot follow those before it
	s      jsonwalk.Scanner
	edits  [6]jsonwalk.Edit
	number llm.JSON // of the event that is walked, nil without one
	output int64    // the place of the item that it is about, -1 without one
	typ    []byte   // of the event that is walked
	says   int      // bytes that it says
	item   int64    // bytes that the item says in it
	heard  []int64  // bytes that the first items have said in pieces
	whole  bool     // it has an item that says something by being there
	failed bool     // it has an error
}

// Last implements dialect.Walk.
func (p *Passage) Last(payload []byte) bool {
	switch string(eventOf(payload)) {
	case "response.completed", "response.incomplete":
		return p.end(payload)
	}
	return p.last != nil && string(payload) == "[DONE]" // which some servers send, and the API does not
}

// end reads the event that ends a response, and reports whether it does. A status that says that it failed is an error in another form.
func (p *Passage) end(payload []byte) bool {
	p.s.Reset(payload, jsonwalk.Options{})
	var c dialect.Chunk
	if p.scan(payload, &c) != nil || p.failed {
		return false
	}
	if p.broken = !p.order.follows(p.typ, p.number, p.output); p.broken {
		return false
	}
	p.last = jsonwalk.Apply(nil, payload, c.Edits)
	return true
}

// WalkBehind implements dialect.Walk.
func (p *Passage) WalkBehind(_, payload []byte) (c dialect.Chunk, err error) {
	if err := p.scan(payload, &c); err != nil {
		return c, err
	}
	p.hear()
	switch typ := string(p.typ); typ {
	case "keepalive":
		c.Drop = true // Weir's own break silences
	case "error", "response.failed", "response.error":
		c.Error = true
	case "response.created", "response.in_progress", "response.queued", "response.completed", "response.incomplete":
		c.Error = p.failed
	case "":
		c.Error, c.Content = p.failed, !p.failed
	default:
		c.Content = p.says > 0 || p.whole
	}
	if c.Error {
		return c, nil
	}
	if p.broken || !p.order.follows(p.typ, p.number, p.output) {
		return c, dialect.ErrOrder
	}
	if !c.Drop {
		p.next++
	}
	return c, nil
}

// mostHeard is how many items of an answer are followed.
const mostHeard = 32

// hear counts what an event says. An item that is whole says what did not come in pieces before.
func (p *Passage) hear() {
	p.Said += int64(p.says)
	if p.output < 0 || p.output >= mostHeard {
		return
	}
	for int64(len(p.heard)) <= p.output {
		p.heard = append(p.heard, 0)
	}
	heard := &p.heard[p.output]
	*heard += int64(p.says)
	if string(p.typ) == "response.output_item.done" && p.item > *heard {
		p.Said += p.item - *heard
		*heard = p.item
	}
}

// scan walks over a payload once.
func (p *Passage) scan(payload []byte, c *dialect.Chunk) error {
	s := &p.s
	p.typ, p.says, p.item, p.whole, p.failed, p.number, p.output = nil, 0, 0, false, false, nil, -1
	if err := dialect.WalkEvent(s, payload); err != nil {
		return err
	}
	var response, number jsonwalk.Span
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "type":
			p.typ = llm.JSON(s.Skip().Of(payload)).Inner()
		case "sequence_number":
			number = s.Skip()
			p.number = number.Of(payload)
		case "output_index":
			p.output = indexOf(s.Skip().Of(payload))
		case "delta":
			p.says += len(llm.JSON(s.Skip().Of(payload)).Inner())
		case "response":
			response = s.Skip()
		case "item":
			item := s.Skip().Of(payload)
			p.whole, p.item = isWhole(item), saidIn(item)
		case "error":
			p.failed = s.Kind() != 'n'
			s.Skip()
		default:
			s.Skip()
		}
	}
	if err := s.End(); err != nil {
		return err
	}
	p.renumber(number, c)
	if response.Len() > 0 && payload[response.Start] == '{' {
		p.response(payload, response, c)
	}
	return nil
}

// renumber gives the event the number that the caller expects, if it has one.
func (p *Passage) renumber(at jsonwalk.Span, c *dialect.Chunk) {
	if n, ok := p.number.Count(); at.Len() > 0 && (!ok || n != p.next) {
		p.edits[0] = jsonwalk.Edit{Span: at, New: strconv.FormatInt(p.next, 10)}
		c.Edits = p.edits[:1]
	}
}

// response reads the response within an event.
func (p *Passage) response(payload []byte, at jsonwalk.Span, c *dialect.Chunk) {
	var has walked
	data := at.Of(payload)
	p.s.Reset(data, jsonwalk.Options{})
	has.scan(&p.s, data)
	p.failed = p.failed || has.failed
	if p.id == nil && has.id.Len() > 0 {
		p.id = bytes.Clone(has.id.Of(data))
		if p.own.id != nil {
			p.id = p.own.id
		}
	}
	if has.found(&p.Found, data); has.usage.told {
		p.Covered = p.Said
	}
	if has.status == "completed" || has.status == "incomplete" {
		p.Finish = finishOf(has.status, has.reason, has.output.Of(data))
	}
	c.Edits = p.own.edits(p.edits[:len(c.Edits)], &has, data, at.Start)
}

// isWhole reports whether an item says something by being there: a call does. A message or reasoning says it with deltas.
func isWhole(item []byte) bool {
	switch memberOf(item, "type").Text() {
	case "message", "reasoning":
		return saidIn(item) > 0 || len(memberOf(item, "encrypted_content").Inner()) > 0
	}
	return true
}

// Failure implements dialect.Failer: the response that began fails, under its own id.
func (p *Passage) Failure(dst []byte, e *llm.Error) []byte {
	out := strconv.AppendInt(append(dst, `{"type":"response.failed","sequence_number":`...), p.next, 10)
	out = append(append(out, `,"response":{"id":`...), orEmpty(p.id)...)
	out = appendFailure(append(out, `,"object":"response","created_at":0,"status":"failed","error":`...), e)
	return append(out, `,"incomplete_details":null,"model":"","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"usage":null}}`...)
}

// Rest implements dialect.Walk.
func (p *Passage) Rest() { p.s.Reset(nil, jsonwalk.Options{}) }

// Restart implements dialect.Walk. What ended the response is kept: it may be all there was.
func (p *Passage) Restart(dialect.Stand) {
	found := dialect.Found{}
	if p.last != nil {
		found = p.Found
		found.Said = 0
	}
	*p = Passage{own: p.own, last: p.last, Found: found}
}

// Complete implements dialect.Walk.
func (p *Passage) Complete(bool) bool { return p.last != nil }

// Ending implements dialect.Walk: it is the upstream's own.
func (p *Passage) Ending() []byte { return p.last }

// Tail implements dialect.Walk: usage comes with what ends the response.
func (p *Passage) Tail() []byte { return nil }
