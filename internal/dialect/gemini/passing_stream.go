package gemini

import (
	"fmt"

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

	usage counts
	begun bool                // a candidate has come, or the prompt was blocked
	open  [maxCandidates]bool // candidates that have not ended
	s     jsonwalk.Scanner
	edits [1]jsonwalk.Edit
}

// piece is what one payload has.
type piece struct {
	feedback, usage, model jsonwalk.Span
	failed                 bool
	content                bool // it says something
}

// Last implements dialect.Walk: nothing marks the end.
func (p *Passage) Last([]byte) bool { return false }

// WalkBehind implements dialect.Walk.
func (p *Passage) WalkBehind(_, payload []byte) (c dialect.Chunk, err error) {
	var has piece
	if err := p.scan(payload, &has); err != nil {
		return c, err
	}
	if has.failed {
		c.Error = true
		return c, nil
	}
	if has.feedback.Len() > 0 {
		if blocked := feedback(has.feedback.Of(payload)); blocked.finish != "" {
			p.begun, has.content, p.Finish = true, true, blocked.finish
			p.open = [maxCandidates]bool{}
		}
	}
	if has.model.Len() > 0 {
		name := llm.JSON(has.model.Of(payload))
		if p.usage.model(name); p.Model == "" {
			p.Model = name.Model()
		}
	}
	if usage := has.usage.Of(payload); len(usage) > 0 && usage[0] == '{' {
		p.s.Reset(usage, jsonwalk.Options{})
		p.usage.scan(&p.s, usage)
		p.HasUsage, p.Covered = true, p.Said
	}
	if p.HasUsage {
		p.Usage = p.usage.usage()
	}
	if p.echo != "" && has.model.Len() > 0 {
		p.edits[0] = jsonwalk.Edit{Span: has.model, New: string(llm.Quote(p.echo))}
		c.Edits = p.edits[:]
	}
	c.Content, c.Ends = has.content, p.Complete(true)
	return c, nil
}

// scan walks over a payload once.
func (p *Passage) scan(payload []byte, has *piece) error {
	s := &p.s
	s.Reset(payload, jsonwalk.Options{})
	if s.Kind() != '{' {
		s.Skip()
		if err := s.End(); err != nil {
			return err
		}
		return fmt.Errorf("%w: a piece of it is no object", llm.ErrNoAnswer)
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "candidates":
			for ok := p.in('['); ok && s.NextElement(); {
				p.candidate(payload, has)
			}
		case "promptFeedback":
			has.feedback = s.Skip()
		case "usageMetadata":
			has.usage = s.Skip()
		case "modelVersion":
			has.model = s.Skip()
		case "error":
			has.failed = s.Kind() != 'n'
			s.Skip()
		default:
			s.Skip()
		}
	}
	return s.End()
}

// in enters an array or an object, or skips what is neither.
func (p *Passage) in(kind byte) bool {
	switch {
	case p.s.Kind() != kind:
		p.s.Skip()
		return false
	case kind == '[':
		return p.s.EnterArray()
	}
	return p.s.EnterObject()
}

// candidate reads what is new in one.
func (p *Passage) candidate(payload []byte, has *piece) {
	s := &p.s
	p.begun = true
	index, ended := 0, false
	for ok := p.in('{'); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "index":
			index = int(digit(s.Skip().Of(payload)))
		case "content":
			p.content(payload, has)
		case "groundingMetadata":
			p.usage.searched(s.Skip().Of(payload))
		case "finishReason":
			if reason := s.Skip().Of(payload); given(reason) {
				ended = true
				p.Finish, _ = finish(string(reason))
			}
		default:
			s.Skip()
		}
	}
	if index < maxCandidates {
		p.open[index] = !ended
	}
	has.content = has.content || ended
}

// digit is a number of one digit; maxCandidates for any other value.
func digit(v []byte) byte {
	if len(v) == 1 && v[0] >= '0' && v[0] <= '9' {
		return v[0] - '0'
	}
	return maxCandidates
}

// content counts what a candidate says.
func (p *Passage) content(payload []byte, has *piece) {
	s := &p.s
	for ok := p.in('{'); ok && s.NextMember(); {
		if string(s.Name()) != "parts" {
			s.Skip()
			continue
		}
		for ok := p.in('['); ok && s.NextElement(); {
			for ok := p.in('{'); ok && s.NextMember(); {
				p.said(payload, has)
			}
		}
	}
}

// said counts a member of a part.
func (p *Passage) said(payload []byte, has *piece) {
	s := &p.s
	switch string(s.Name()) {
	case "text":
		n := len(llm.JSON(s.Skip().Of(payload)).Inner())
		p.Said += int64(n)
		has.content = has.content || n > 0
	case "functionCall":
		p.Said += int64(s.Skip().Len())
		has.content = true
	case "thought":
		s.Skip()
	default:
		v := s.Skip().Of(payload)
		has.content = has.content || len(v) > len(`""`) && v[0] != 'n'
	}
}

// Rest implements dialect.Walk.
func (p *Passage) Rest() { p.s.Reset(nil, jsonwalk.Options{}) }

// Restart implements dialect.Walk.
func (p *Passage) Restart(dialect.Stand) { *p = Passage{echo: p.echo} }

// Complete implements dialect.Walk: every candidate says that it has ended.
func (p *Passage) Complete(bool) bool { return p.begun && p.open == [maxCandidates]bool{} }

// Ending implements dialect.Walk: an end that the upstream did not send is never made up.
func (p *Passage) Ending() []byte { return nil }

// Tail implements dialect.Walk: usage comes with what ends the answer.
func (p *Passage) Tail() []byte { return nil }
