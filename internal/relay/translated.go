package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// translated is a request written in the dialect of its target. The answer is read as events, and the caller's answer
// is made from them.
type translated struct {
	order  *order
	asked  dialect.Chat
	codec  *dialect.Codec
	body   []byte
	left   []string // parameters that could not be carried
	custom []string // the names of the caller's custom tools
	own    *pass    // what the body is a part of, if it takes the target's changes as a caller's does; else nil
}

// translate writes the request in another dialect.
func (o *order) translate(asked dialect.Chat, c *dialect.Codec) (exchange, *llm.Error) {
	done, err := o.decoded()
	if err != nil {
		return nil, err
	}
	defer done()
	request, err := asked.Decode(o.changes.Omit)
	if err != nil {
		return nil, err
	}
	o.direct(request)
	if o.changes.OmitEncrypted {
		request.Estrange()
	}
	hosted := request.Hosted != "" // Vertex AI refuses what its own vendor takes, Claude's images by their addresses
	room, err := o.run.inline(request, o.provider.FetchesImages(), c.Inline || hosted)
	if err != nil {
		return nil, err
	}
	body, left, err := c.Encode(request)
	if own := o.vendors(c, body, left); err == nil && len(own) > 0 {
		request.Extras = append(request.Extras, own...)
		body, left, err = c.Encode(request)
	}
	o.run.giveBack(room) // the body is counted when it is sent
	if err != nil {
		return nil, err
	}
	if o.changes.OmitEncrypted && !slices.Contains(left, earlierReasoning) {
		left = append(left, earlierReasoning)
	}
	return &translated{order: o, asked: asked, codec: c, body: body, left: append(o.announced(left), o.betas(false)...), custom: request.CustomTools()}, nil
}

// earlierReasoning is OpenAI's name of the reasoning of earlier turns.
const earlierReasoning = "messages[].thinking_blocks"

// vendors are the members that the config adds in the words of the target's own API, and which no codec knows: a guardrail, for example. Those of
// a body that has them already are left alone.
func (o *order) vendors(c *dialect.Codec, body []byte, left []string) (own []llm.Extra) {
	if c.Own != nil { // which adds them itself
		return nil
	}
	add := func(p llm.Param, force bool) {
		fromCaller := slices.Contains(left, p.Name) && !o.body.Ours(p.Name)
		if llm.IsConvention(p.Name) || fromCaller && !force {
			return
		}
		for name := range jsonwalk.Members(body) {
			if string(name) == p.Name {
				return
			}
		}
		own = append(own, llm.Extra{Of: o.provider.Dialect(o.target.Model), Name: p.Name, Value: p.Value})
	}
	for _, p := range o.target.Added.Set {
		add(p, true)
	}
	for _, p := range o.target.Added.Default {
		add(p, false)
	}
	return own
}

// rewrite is translate for a dialect whose servers differ: the body is changed for the target as that of a caller who speaks its dialect.
func (o *order) rewrite(try *route.Try, c *dialect.Codec) (exchange, *llm.Error) {
	made, err := o.translate(o.body.(dialect.Chat), c)
	if err != nil {
		return nil, err
	}
	x := made.(*translated)
	x.own = &pass{order: order{run: o.run, provider: o.provider, target: o.target}}
	own := &x.own.order
	if own.body, err = c.Own.Parse(x.body, dialect.ParseOptions{}); err != nil {
		return nil, err
	}
	if own.body, o.replaced, err = own.body.With(&o.target.Added, llm.Chat, o.routing()); err != nil {
		return nil, err
	}
	x.own.sent, own.changes = own.body.(dialect.Passing), own.changesTo(try)
	if o.replaced != "" {
		o.replaced = o.announced([]string{o.replaced})[0]
	}
	left := x.encodeOwn()
	x.left = append(x.left, o.announced(left)...)
	return x, nil
}

// encodeOwn makes the body again, and returns what the target cannot be sent.
func (x *translated) encodeOwn() (left []string) {
	body, applied := x.own.sent.Encode(x.own.order.changes)
	x.body = body.Bytes()
	return applied.Ignored
}

// without implements divisible.
func (x *translated) without(p refusable) exchange {
	if p == askedUsage {
		without := *x
		without.own = x.own.without(p).(*pass)
		without.encodeOwn()
		return &without
	}
	if x.order.run.Strict || x.own != nil { // no server of that dialect encrypts anything
		return nil
	}
	order := *x.order
	order.changes.OmitEncrypted = true
	without, err := order.translate(x.asked, x.codec)
	if err != nil || bytes.Equal(without.(*translated).body, x.body) {
		return nil
	}
	return without
}

func (x *translated) endpoint() llm.Endpoint { return llm.Chat }

func (x *translated) loses() string { return x.order.lost(x.left) }

func (x *translated) run(ctx context.Context, a *attempt) *failure {
	resp, f := x.open(ctx, a)
	if f != nil {
		return f
	}
	defer resp.Body.Close()
	p := x.asked.Writer(a.writing(x.codec, x.custom))
	if a.run.Asked.Scan().Stream {
		return a.stream(ctx, resp, &translating{codec: x.codec, produce: p, last: true, forget: x.forget})
	}
	return a.whole(ctx, resp, a, func(body []byte) *failure {
		said := tally{heard: a.run.Asked.Scan().Heard}
		end, out, err := x.read(a, body, p, &said)
		if err != nil {
			a.answeredBy(a.call, said.model)
			a.spent(end.Usage)
			return a.unreadable(body, err)
		}
		said.hear(&end)
		said.ended(a, &end)
		a.run.result.Finish = p.FinishReason()
		a.deliver(out)
		return nil
	})
}

// open makes the call.
func (x *translated) open(ctx context.Context, a *attempt) (*http.Response, *failure) {
	a.apply(x.order, dialect.Applied{Ignored: x.left})
	a.codec, a.asksUsage = x.codec, x.own != nil && x.own.order.changes.AskUsage
	return a.open(ctx, llm.Chat, dialect.NewBody(x.body), len(x.body), a.run.Asked.Scan().Heard)
}

// forget lets go of what only the call needs.
func (x *translated) forget() { x.body, x.order.body, x.asked, x.own = nil, nil, nil, nil }

// read makes of a complete answer the caller's.
func (x *translated) read(a *attempt, body []byte, p dialect.Writer, said *tally) (end llm.Event, out []byte, err error) {
	if len(body) > freeBuffer && !a.Grow(len(body)) {
		return end, nil, errNoRoom
	}
	counted, full := max(len(body), freeBuffer), false
	hold := func(size int) { // what is spelled shortly there may be long here
		if size > counted && !full {
			full = !a.Grow(size - counted)
			counted = size
		}
	}
	end, err = x.codec.Answer(body, func(ev *llm.Event) {
		said.hear(ev)
		if !full {
			p.Collect(ev)
			hold(p.Held())
		}
	})
	if err == nil && !full {
		out = p.Answer(&end)
		hold(len(out))
	}
	if full {
		return end, nil, errNoRoom
	}
	return end, out, err
}

// writing is what the writer of an attempt's answer has to know.
func (a *attempt) writing(c *dialect.Codec, custom []string) dialect.Writing {
	w := dialect.Writing{Stand: a.stand(), Custom: custom, Heard: a.run.Asked.Scan().Heard}
	if c.Maker != nil {
		w.Maker = c.Maker(a.target.Model, a.provider.Name)
	}
	return w
}

// translating is a stream of another dialect on its way to the caller's.
type translating struct {
	codec   *dialect.Codec
	tally   tally
	produce dialect.Writer
	last    bool   // no other call is made for the request: the answer is whole when this one has ended
	forget  func() // lets go of what only calls need

	pump    *pump
	reader  dialect.Reader
	tell    func(*llm.Event) // sends an event to the caller
	pending [][]byte         // chunks kept back until the first content
	out     []byte           // the chunk made last
	held    int              // bytes of Memory that reader, produce and out hold
	ended   bool             // the event End has come
	failed  *failure         // the failure of sending an event
}

func (s *translating) begin(p *pump) {
	s.pump, s.tell = p, s.relay
	s.next(p.attempt.run.Asked.Scan().Heard)
}

// next has the stream of another call follow.
func (s *translating) next(heard int) {
	s.reader, s.ended, s.tally = s.codec.Stream(), false, tally{heard: heard}
}

func (s *translating) payload(_ string, data []byte, flush bool) (done bool, f *failure) {
	last := bytes.Equal(data, []byte("[DONE]"))
	if last && !s.codec.Done { // not this dialect's word
		s.skip(flush)
		return false, nil
	}
	err := s.reader.Read(data, s.tell)
	if of, ok := s.reader.(dialect.Counter); ok && !s.ended {
		s.tally.reported(of.Used())
	}
	switch {
	case errors.Is(err, llm.ErrError):
		return false, s.pump.attempt.inBand(data)
	case err != nil:
		f := &failure{outcome: route.Malformed, target: s.pump.attempt.target, status: http.StatusOK, reason: "sent an event that cannot be read", cause: err}
		s.pump.attempt.quote(f, err)
		return false, f
	case s.failed != nil:
		return false, s.failed
	case !s.ended:
		s.skip(flush)
	}
	if s.ended || last {
		return true, nil
	}
	return false, s.pump.wrote(s.tally.said)
}

func (s *translating) skip(flush bool) { s.pump.skip(flush) }

func (s *translating) whole(body []byte) *failure {
	a := s.pump.attempt
	// It is read twice, because its end may show that it failed.
	if end, err := s.codec.Answer(body, func(*llm.Event) {}); err != nil {
		a.spent(end.Usage)
		return a.unreadable(body, err)
	}
	end, err := s.codec.Answer(body, s.tell)
	if err != nil {
		return a.unreadable(body, err)
	}
	if s.tell(&end); s.failed != nil {
		s.tally.ended(a, &end) // though the caller was not sent all of it
		s.ended = true
		return s.failed
	}
	return s.end(true, nil)
}

// relay sends one event to the caller. What goes wrong is kept, and ends the stream.
func (s *translating) relay(ev *llm.Event) {
	if s.failed != nil || s.ended {
		return
	}
	a := s.pump.attempt
	s.tally.hear(ev)
	if s.ended = ev.Kind == llm.End; s.ended {
		s.tally.ended(a, ev)
	}
	s.out = s.produce.Chunk(s.out[:0], ev)
	if !s.hold() {
		s.failed = a.broken(s.pump.ctx, errNoRoom)
		return
	}
	if len(s.out) > 0 {
		if s.ended && s.last && s.pump.committed {
			s.pump.settleFirst()
		}
		s.failed = s.chunk(ev.Kind != llm.Start && ev.Kind != llm.Scored)
	}
	if s.failed != nil || !s.ended || !s.last || !a.run.Asked.Scan().WantUsage {
		return
	}
	if s.out = s.produce.UsageChunk(s.out[:0], ev); len(s.out) > 0 {
		s.failed = s.chunk(false)
	}
}

// hold counts what is remembered of the answer, and reports whether there is room for it.
func (s *translating) hold() bool {
	held := cap(s.out) + s.produce.Held()
	if of, ok := s.reader.(dialect.Holder); ok {
		held += of.Held()
	}
	if held > s.held+freeBuffer {
		if !s.pump.attempt.Grow(held - s.held) {
			return false
		}
		s.held = held
	}
	return true
}

// chunk sends the chunk that was made, or keeps it back until there is content.
func (s *translating) chunk(content bool) *failure {
	p := s.pump
	if p.committed {
		s.add(s.out)
		return p.send(false)
	}
	s.pending = append(s.pending, bytes.Clone(s.out))
	if !p.keeps(len(s.out)) || content {
		return s.commit()
	}
	return nil
}

// add adds the payloads of a chunk, which has one on each line.
func (s *translating) add(chunk []byte) {
	for {
		payload, rest, more := bytes.Cut(chunk, []byte{'\n'})
		if s.ended {
			payload = s.pump.attempt.run.Storing.event(payload)
		}
		if s.pump.attempt.run.sink.add(payload, nil); !more {
			return
		}
		chunk = rest
	}
}

// commit decides for this target, and sends what was kept back.
func (s *translating) commit() *failure {
	p := s.pump
	if f := p.commit(); f != nil {
		return f
	}
	if s.last { // otherwise other calls follow
		s.forget()
		p.attempt.forget()
	}
	if f, ok := s.produce.(dialect.Failer); ok {
		p.attempt.run.sink.failBy(f)
	}
	if s.ended && s.last {
		p.settleFirst()
	}
	for _, chunk := range s.pending {
		s.add(chunk)
	}
	s.pending = nil
	return p.send(false)
}

// end has the reader say whether a stream that ended without a word is whole.
func (s *translating) end(done bool, err error) *failure {
	p := s.pump
	over := p.attempt.run.ctx.Err() != nil
	if last, ok := s.reader.(dialect.Ender); ok && !done && !over {
		if last.Close(s.tell); s.failed != nil {
			return s.failed
		}
	}
	switch {
	case s.ended && !s.last:
		return nil
	case s.ended && (!over || p.settled): // a caller may leave as soon as it has the last event
		if !p.committed { // an answer without any content is an answer, if the upstream says so
			if f := s.commit(); f != nil {
				return f
			}
		}
		p.finish()
		return nil
	case err == nil, errors.Is(err, io.EOF):
		return p.attempt.cut()
	}
	return p.attempt.broken(p.ctx, err)
}

func (s *translating) account() {
	a := s.pump.attempt
	if !s.ended {
		s.tally.cut(a)
	}
	if s.pump.committed {
		a.run.result.Finish = s.produce.FinishReason()
	}
}
