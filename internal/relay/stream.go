package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// stream relays a stream of the upstream.
func (a *attempt) stream(ctx context.Context, resp *http.Response) *failure {
	p := a.newPump(ctx)
	defer p.account()
	if f := p.response(resp); f != nil || !a.more() {
		return f
	}
	return p.others()
}

// response relays the stream of one answer.
func (p *pump) response(resp *http.Response) *failure {
	a := p.attempt
	resp.Header = nil // it was read, and a stream may run for minutes
	source := &upstream{body: resp.Body, pump: p, left: p.maxAnswer()}
	head, err := source.sniff()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return a.noAnswer(nil, false, io.ErrUnexpectedEOF)
		}
		return a.broken(p.ctx, err)
	}
	switch first := bytes.TrimLeft(head, insignificant); {
	case len(first) > 0 && (first[0] == '{' || first[0] == '<' || first[0] == '['):
		return p.whole(source)
	default:
		return p.events(source, resp)
	}
}

// pump is the state of one stream on its way through.
type pump struct {
	*attempt
	ctx       context.Context
	walk      *openai.Stream // first of what is kept back, then, from the beginning, of what the caller is sent
	committed bool
	holds     bool     // the sink was given an event to hold, in which a choice ends
	pending   [][]byte // payloads kept back until the first content, as they came
	kept      int      // bytes in pending

	reader  reader // of a target of another dialect, else nil; the rest is beside it
	produce producer
	texts   *openai.Texts    // which is produce if chats are made of a call of /completions
	tell    func(*llm.Event) // told
	out     []byte           // the chunk made last
	held    int              // bytes of Memory that reader, produce and out hold
	ended   bool             // the event End was told
	failed  *failure         // what went wrong while an event was told
}

func (a *attempt) newPump(ctx context.Context) *pump {
	p := &pump{attempt: a, ctx: ctx, walk: &openai.Stream{
		AskedUsage: a.changes.AskUsage, WantUsage: a.Call.WantUsage, EchoModel: a.echo(), Legacy: a.Call.Endpoint == llm.Completions,
	}}
	if a.translated != nil {
		p.reader, p.produce, p.tell = a.translated.stream(), a.producer(), p.told
	}
	if a.chats() > 0 {
		p.texts = a.texts()
		p.produce = p.texts
	}
	return p
}

// upstream is the body of an answer. Its every byte counts as a sign of life, and what may come before the first content is bounded:
// comments, pings and empty events are not kept, but would keep Weir busy for as long as the upstream sends them.
type upstream struct {
	body io.Reader
	pump *pump
	head []byte // was read by sniff, and is to be read again
	left int64
}

// Read implements io.Reader.
func (u *upstream) Read(b []byte) (int, error) {
	if len(u.head) > 0 {
		n := copy(b, u.head)
		u.head = u.head[n:]
		return n, nil
	}
	u.head = nil
	return u.more(b)
}

func (u *upstream) more(b []byte) (int, error) {
	n, err := u.body.Read(b)
	if n > 0 {
		u.pump.watch.sawByte()
	}
	if u.pump.committed {
		return n, err
	}
	if u.left -= int64(n); u.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// sniff reads the first bytes that say what comes, because the content type cannot be believed: vendors send errors as
// event streams and streams as text. White space before them may have been left out. Read gives them again.
func (u *upstream) sniff() (head []byte, err error) {
	head, n := make([]byte, 64), 0
	for {
		m, err := u.more(head[n:])
		n += m
		first := bytes.TrimLeft(head[:n], insignificant)
		cut := strings.HasPrefix(byteOrderMark, string(first)) // a mark of which the rest is yet to come
		switch {
		case len(first) > 0 && (!cut || err != nil):
			u.head = head[:n]
			return u.head, nil
		case err != nil:
			return nil, err
		case n == len(head):
			n = copy(head, first)
		}
	}
}

// whole relays a complete JSON answer, given where a stream was asked, as a stream of it.
func (p *pump) whole(source io.Reader) *failure {
	buf := getBuffer()
	defer buf.release()
	if err := buf.read(source, -1, p.maxAnswer(), p.attempt); err != nil {
		return p.broken(p.ctx, err)
	}
	if p.chats() > 0 {
		return p.wholeText(buf.text())
	}
	body, err := p.asOpenAI(buf.text())
	if err != nil {
		return p.unreadable(buf.text(), err)
	}
	answer, err := p.Call.ParseAnswer(body, p.stand())
	if err != nil {
		return p.noAnswer(body, answer.IsError, err)
	}
	payloads, err := p.Call.StreamOf(jsonwalk.Apply(make([]byte, 0, len(body)+256), body, answer.Edits))
	if err != nil {
		return p.noAnswer(body, false, err)
	}
	for payload := range payloads {
		if f := p.event("", payload, false); f != nil {
			return f
		}
	}
	f := p.end(true, nil)
	p.walk.Repairs.Add(&answer.Repairs)
	return f
}

// events relays a stream event by event.
func (p *pump) events(source io.Reader, resp *http.Response) *failure {
	frames := p.framesOf(source)
	for {
		typ, data, err := frames.next()
		if err != nil {
			return p.end(false, err)
		}
		if len(data) == 0 || typ == "ping" {
			p.pass(!frames.Buffered())
			continue
		}
		done, f := p.payload(typ, data, !frames.Buffered())
		if f != nil {
			return f
		}
		if done {
			f := p.end(true, nil)
			if f == nil && !p.more() { // its connection is not worth waiting for while the caller does
				p.drain(resp.Body)
			}
			return f
		}
	}
}

// wholePayload reports whether a line of data is all of an event.
func wholePayload(data []byte) bool {
	return string(bytes.TrimSpace(data)) == "[DONE]" || jsonwalk.Valid(data, jsonwalk.Options{}) == nil
}

// event takes one payload. flush says that no further event is at hand.
func (p *pump) event(typ string, data []byte, flush bool) *failure {
	var held []byte
	if p.holds {
		held = p.sink.take()
	}
	chunk, err := p.walk.WalkBehind(held, data)
	switch {
	case chunk.Error && err == nil, typ == "error":
		return p.inBand(data)
	case err != nil:
		return &failure{outcome: route.Malformed, target: p.target, status: http.StatusOK, reason: "sent an event that is not JSON", cause: err}
	case p.committed:
		return p.relay(&chunk, data, held != nil, flush)
	}
	if chunk.Drop && p.kept+len(data) > maxPending {
		return nil // nothing is sent of it, and there may be no end to them
	}
	p.pending = append(p.pending, bytes.Clone(data))
	p.kept += len(data)
	if chunk.Content || p.kept > maxPending {
		return p.commit(flush)
	}
	return nil
}

// relay sends a payload that was walked; held says that the sink still has the one before.
func (p *pump) relay(chunk *openai.Chunk, data []byte, held, flush bool) *failure {
	switch {
	case chunk.Drop:
		if held {
			p.sink.keep()
		}
		p.pass(flush)
		return nil
	case held && chunk.Reopened.End > 0:
		p.sink.amend(chunk.Reopened, "null")
	}
	if p.holds = chunk.Ends; p.holds {
		if held {
			if f := p.send(flush); f != nil {
				return f
			}
		}
		p.sink.add(data, chunk.Edits)
		return p.hold(flush)
	}
	p.sink.add(data, chunk.Edits)
	if flush {
		p.rest()
	}
	return p.send(flush)
}

// hold keeps the event in which a choice ends back until it is known that the choice does not go on.
func (p *pump) hold(flush bool) *failure {
	if p.sink.hold() {
		p.pass(flush) // what was written before it
		return nil
	}
	if flush {
		p.rest()
	}
	return p.send(flush)
}

// rest frees what is not needed while the next event is waited for.
func (p *pump) rest() {
	if p.committed {
		p.walk.Rest()
	}
}

// pass leaves an event out. What was written before it must not wait for the one behind it.
func (p *pump) pass(flush bool) {
	if flush {
		p.rest()
		p.sink.settle()
	}
}

// commit decides for this target, and sends what was kept back.
func (p *pump) commit(flush bool) *failure {
	if !p.watch.sawContent() { // what comes behind this content would not be read any more
		return p.broken(p.ctx, context.Cause(p.ctx))
	}
	if !p.wins() {
		return &failure{outcome: route.Lost, target: p.target, cause: errLost}
	}
	p.committed = true
	now := time.Now()
	p.result.FirstContent = now
	p.try.Heard(now.Sub(p.started), now)
	p.result.Status = http.StatusOK
	p.result.Ignored = p.applied.Ignored
	if t := p.translated; t != nil {
		p.Grow(-p.sent)
		p.sent, t.body = 0, nil
	}
	if p.chats() < 2 { // the others' prompts are still to be sent
		p.body = nil
		p.letGo()
	}
	p.walk.Restart(p.ID, p.Started.Unix(), p.target.Model)
	pending := p.pending
	p.pending = nil
	for _, data := range pending {
		chunk, err := p.walk.WalkBehind(nil, data)
		if err != nil || chunk.Drop { // it is JSON, as was seen
			continue
		}
		if p.holds = chunk.Ends; p.holds { // it is the last
			if f := p.send(false); f != nil {
				return f
			}
		}
		p.sink.add(data, chunk.Edits)
	}
	if p.holds {
		return p.hold(flush)
	}
	if flush {
		p.rest()
	}
	return p.send(flush)
}

// send sends what was added to the sink.
func (p *pump) send(flush bool) *failure {
	if err := p.sink.write(p.setHeaders, flush); err != nil {
		return &failure{outcome: route.Canceled, target: p.target, cause: fmt.Errorf("the client does not read: %w", err)}
	}
	return nil
}

// end finishes the stream: whole, with the upstream's own [DONE] or at the end of its body, or cut short.
func (p *pump) end(done bool, err error) *failure {
	if !done && p.run.ctx.Err() == nil {
		if f := p.conclude(); f != nil {
			return f
		}
	}
	if p.chats() > 0 && p.ended && p.more() {
		return nil
	}
	// A connection that breaks when every choice has ended takes nothing from the caller.
	whole := p.walk.Complete(done) && p.run.ctx.Err() == nil && (p.chats() == 0 || p.ended)
	if !whole {
		if err == nil || errors.Is(err, io.EOF) {
			return &failure{outcome: route.Failed, target: p.target, status: http.StatusOK, reason: "ended its stream before the answer was complete", cause: io.ErrUnexpectedEOF}
		}
		return p.broken(p.ctx, err)
	}
	if !p.committed { // an answer without any content is an answer, if the upstream says so
		if f := p.commit(false); f != nil {
			return f
		}
	}
	if !p.walk.Complete(false) { // only [DONE] said that this is all
		p.walk.Repairs[openai.RepairUnfinished]++
	}
	for _, last := range [...][]byte{p.walk.Ending(), p.walk.Tail()} {
		if last != nil {
			p.sink.add(last, nil)
			if f := p.send(false); f != nil {
				return f
			}
		}
	}
	p.sink.finish()
	return nil
}

// account notes what is known of a stream, however it ended. What one of another dialect took is noted when it ends as it should.
func (p *pump) account() {
	if p.committed {
		p.result.Answering, p.result.Finish, p.result.Repairs = p.number, p.walk.Finish, p.walk.Repairs
	}
	if p.reader == nil {
		p.calls.took(p.call, p.walk.Usage, p.walk.HasUsage)
		return
	}
	if of, ok := p.reader.(counter); ok && !p.ended {
		p.vain(of.Used())
	}
}

// drainFor is how long the end of a body is waited for after [DONE], so that its connection can be used again.
const drainFor = 50 * time.Millisecond

func (p *pump) drain(body io.Reader) {
	stop := time.AfterFunc(drainFor, func() { p.cancel(nil) })
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 4<<10)) // what stands behind [DONE] concerns nobody
	stop.Stop()
}
