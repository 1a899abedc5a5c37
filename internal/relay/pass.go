package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// pass sends a target of the caller's dialect the caller's bytes, with the target's changes spliced in. The answer is walked
// as it passes, and mended where it strays from the convention.
type pass struct {
	order order
	asked dialect.Passing // the caller's request
	sent  dialect.Passing // with what the target adds; nil after forget
	left  []string        // values of the caller's headers that the target does not know
}

func (x *pass) endpoint() llm.Endpoint { return x.order.run.Asked.Scan().Endpoint }

func (x *pass) loses() string {
	if x.order.replaced != "" {
		return x.order.replaced
	}
	if len(x.left) > 0 {
		return x.left[0]
	}
	return x.sent.Loses(x.order.changes)
}

// without implements divisible.
func (x *pass) without(p refusable) exchange {
	without := *x
	c := &without.order.changes
	if p == askedUsage {
		c.AskUsage = false
		return &without
	}
	before, _ := x.sent.Encode(*c)
	c.OmitEncrypted = true
	if less, _ := x.sent.Encode(*c); x.order.run.Strict || less.Len() == before.Len() {
		return nil
	}
	return &without
}

func (x *pass) run(ctx context.Context, a *attempt) *failure {
	resp, f := x.open(ctx, a)
	if f != nil {
		return f
	}
	defer resp.Body.Close()
	if a.run.Asked.Scan().Stream {
		return a.stream(ctx, resp, &passing{pass: x})
	}
	return a.whole(ctx, resp, a, func(body []byte) *failure { return x.complete(a, body) })
}

// open makes the call.
func (x *pass) open(ctx context.Context, a *attempt) (*http.Response, *failure) {
	body, applied := x.sent.Encode(x.order.changes)
	applied.Ignored = append(applied.Ignored, x.left...)
	a.apply(&x.order, applied)
	a.asksUsage = x.order.changes.AskUsage
	return a.open(ctx, x.endpoint(), body, x.sent.Places(x.order.changes), a.run.Asked.Scan().Heard)
}

// complete relays a complete answer that was read whole.
func (x *pass) complete(a *attempt, body []byte) *failure {
	out, answer, err := x.asked.Pass(body, &x.order.changes, a.stand())
	if err != nil {
		a.answeredBy(a.call, answer.Model)
		a.spent(answer.Usage)
		return a.noAnswer(body, answer.IsError, err)
	}
	if len(out) > max(len(body), freeBuffer) && !a.Grow(len(out)-len(body)) { // numbers are longer than base64
		return a.broken(a.run.ctx, errNoRoom)
	}
	a.passed(&answer.Found, true)
	a.run.result.Finish, a.run.result.Repairs = answer.Finish, answer.Repairs
	a.deliver(out)
	return nil
}

// passing is a stream of the caller's dialect on its way through.
type passing struct {
	pass    *pass
	pump    *pump
	walk    dialect.Walk    // first of what is kept back, then, from the beginning, of what the caller is sent
	holds   bool            // the sink holds an event in which a choice ends
	pending [][]byte        // payloads kept back until the first content, as they came
	ended   bool            // the answer is whole
	told    *dialect.Answer // a complete answer, given where a stream was asked; nil without one
}

func (s *passing) begin(p *pump) {
	s.pump, s.walk = p, s.pass.asked.Walk(&s.pass.order.changes, p.attempt.run.echo())
}

// whole relays a complete JSON answer, given where a stream was asked, as a stream of it.
func (s *passing) whole(body []byte) *failure {
	a := s.pump.attempt
	mended, answer, err := s.pass.asked.Pass(body, &s.pass.order.changes, a.stand())
	if err == nil || answer.HasUsage {
		s.told = &answer
	}
	if err != nil {
		return a.noAnswer(body, answer.IsError, err)
	}
	payloads, err := s.pass.asked.StreamOf(mended)
	if err != nil {
		return a.noAnswer(body, false, err)
	}
	for payload := range payloads {
		if done, f := s.payload("", payload, false); f != nil {
			return f
		} else if done {
			break
		}
	}
	return s.end(true, nil)
}

func (s *passing) payload(typ string, data []byte, flush bool) (done bool, f *failure) {
	if s.walk.Last(data) {
		return true, nil
	}
	if f := s.event(typ, data, flush); f != nil {
		return false, f
	}
	return false, s.pump.wrote(s.walk.Account().Said)
}

// event takes one payload. flush says that no further event is at hand.
func (s *passing) event(typ string, data []byte, flush bool) *failure {
	p := s.pump
	var held []byte
	if s.holds {
		held = p.attempt.run.sink.take()
	}
	chunk, err := s.walk.WalkBehind(held, data)
	switch {
	case chunk.Error && err == nil, typ == "error":
		return p.attempt.inBand(data)
	case err != nil:
		reason := "sent an event that is not JSON"
		if errors.Is(err, dialect.ErrOrder) {
			reason = "sent its events out of order, or left one out"
		}
		return &failure{outcome: route.Malformed, target: p.attempt.target, status: http.StatusOK, reason: reason, cause: err}
	case p.committed:
		return s.relay(&chunk, data, held != nil, flush)
	}
	if chunk.Drop && p.kept+len(data) > maxPending {
		return nil // nothing is sent of it, and there may be no end to them
	}
	s.pending = append(s.pending, bytes.Clone(data))
	if !p.keeps(len(data)) || chunk.Content {
		return s.commit(flush)
	}
	return nil
}

// relay sends a payload that was walked; held says that the sink still has the one before.
func (s *passing) relay(chunk *dialect.Chunk, data []byte, held, flush bool) *failure {
	p := s.pump
	sink := p.attempt.run.sink
	switch {
	case chunk.Drop:
		if held {
			sink.keep()
		}
		s.skip(flush)
		return nil
	case held && chunk.Reopened.End > 0:
		sink.amend(chunk.Reopened, "null")
	}
	if s.holds = chunk.Ends; s.holds {
		if held {
			if f := p.send(flush); f != nil {
				return f
			}
		}
		sink.add(data, chunk.Edits)
		return s.hold(flush)
	}
	sink.add(data, chunk.Edits)
	return s.send(flush)
}

// hold keeps the event with the end of a choice back until it is known that the choice does not go on.
func (s *passing) hold(flush bool) *failure {
	if s.pump.attempt.run.sink.hold() {
		s.skip(flush) // what was written before it
		return nil
	}
	return s.send(flush)
}

// send sends what was added to the sink. Before the next event is waited for it frees what is not needed meanwhile.
func (s *passing) send(flush bool) *failure {
	if flush {
		s.walk.Rest()
	}
	return s.pump.send(flush)
}

func (s *passing) skip(flush bool) {
	if flush && s.pump.committed {
		s.walk.Rest()
	}
	s.pump.skip(flush)
}

// commit decides for this target, and sends what was kept back.
func (s *passing) commit(flush bool) *failure {
	p := s.pump
	if f := p.commit(); f != nil {
		return f
	}
	a := p.attempt
	s.pass.order.body, s.pass.sent = nil, nil
	a.forget()
	s.walk.Restart(a.stand())
	if f, ok := s.walk.(dialect.Failer); ok {
		a.run.sink.failBy(f)
	}
	pending := s.pending
	s.pending = nil
	for _, data := range pending {
		chunk, err := s.walk.WalkBehind(nil, data)
		if err != nil || chunk.Drop { // it is JSON, as was seen
			continue
		}
		if s.holds = chunk.Ends; s.holds { // it is the last
			if f := p.send(false); f != nil {
				return f
			}
		}
		a.run.sink.add(data, chunk.Edits)
	}
	if s.holds {
		return s.hold(flush)
	}
	return s.send(flush)
}

// end finishes the stream: whole, with the upstream's own [DONE] or at the end of its body, or cut short.
func (s *passing) end(done bool, err error) *failure {
	p := s.pump
	// A connection that breaks when every choice has ended takes nothing from the caller.
	if !s.walk.Complete(done) || p.attempt.run.ctx.Err() != nil {
		if err == nil || errors.Is(err, io.EOF) {
			return p.attempt.cut()
		}
		return p.attempt.broken(p.ctx, err)
	}
	if !p.committed { // an answer without any content is an answer, if the upstream says so
		if f := s.commit(false); f != nil {
			return f
		}
	}
	s.ended = true
	p.settleFirst()
	for _, last := range [...][]byte{s.walk.Ending(), s.walk.Tail()} {
		if last != nil {
			p.attempt.run.sink.add(p.attempt.run.Storing.event(last), nil)
			if f := p.send(false); f != nil {
				return f
			}
		}
	}
	p.finish()
	return nil
}

func (s *passing) account() {
	a := s.pump.attempt
	found := s.walk.Account()
	if s.told != nil {
		a.passed(&s.told.Found, true) // though the caller may not have been sent all of it
	} else {
		a.passed(found, s.ended)
	}
	if !s.pump.committed {
		return
	}
	a.run.result.Finish, a.run.result.Repairs = found.Finish, found.Repairs
	if s.told != nil {
		a.run.result.Repairs.Add(&s.told.Repairs)
	}
}

// cut is how an attempt fails whose stream ended too soon. If the request had ended before, as when its caller left, that is not the target's
// failure: callers who leave as answers end would have it rested.
func (a *attempt) cut() *failure {
	if a.run.ctx.Err() != nil {
		return a.broken(a.run.ctx, io.ErrUnexpectedEOF)
	}
	return &failure{
		outcome: route.Failed, target: a.target, status: http.StatusOK, ends: Truncated,
		reason: "ended its stream before the answer was complete", cause: io.ErrUnexpectedEOF,
	}
}
