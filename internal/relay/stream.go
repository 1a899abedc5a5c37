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
	body := &early{Reader: watched{resp.Body, a.watch}, pump: p, left: p.maxAnswer()}
	head, err := p.sniff(body)
	if err != nil && len(head) == 0 {
		if errors.Is(err, io.EOF) {
			return a.noAnswer(nil, false, io.ErrUnexpectedEOF)
		}
		return a.broken(p.ctx, err)
	}
	source := io.MultiReader(bytes.NewReader(head), body)
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
	walk      *openai.Stream // of what the caller is sent
	probe     *openai.Stream // of what is kept back; walk then learns from it and begins anew
	committed bool
	pending   [][]byte // payloads kept back until the first content, as they came
	kept      int      // bytes in pending
	head      [64]byte

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
		Name: a.ID, Now: a.Started.Unix(), Asked: a.target.Model,
	}}
	p.probe = p.walk.Probe()
	if a.translated != nil {
		p.reader, p.produce, p.tell = a.translated.stream(), a.producer(), p.told
	}
	if a.chats() > 0 {
		p.texts = a.texts()
		p.produce = p.texts
	}
	return p
}

// early bounds what may come before the first content: comments, pings and empty events are not kept, but would keep
// Weir busy for as long as the upstream sends them.
type early struct {
	io.Reader
	pump *pump
	left int64
}

// Read implements io.Reader.
func (e *early) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	if e.pump.committed {
		return n, err
	}
	if e.left -= int64(n); e.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// sniff reads the first bytes that say what comes, because the content type cannot be believed: vendors send errors as
// event streams and streams as text. White space before them may have been left out.
func (p *pump) sniff(r io.Reader) ([]byte, error) {
	n := 0
	for {
		m, err := r.Read(p.head[n:])
		n += m
		first := bytes.TrimLeft(p.head[:n], insignificant)
		cut := strings.HasPrefix(byteOrderMark, string(first)) // a mark of which the rest is yet to come
		switch {
		case len(first) > 0 && (!cut || err != nil):
			return p.head[:n], nil
		case err != nil:
			return nil, err
		case n == len(p.head):
			n = copy(p.head[:], first)
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
	p.walk.Repairs.Add(&answer.Repairs)
	payloads, err := p.Call.StreamOf(jsonwalk.Apply(make([]byte, 0, len(body)+256), body, answer.Edits))
	if err != nil {
		return p.noAnswer(body, false, err)
	}
	for payload := range payloads {
		if f := p.event("", payload, false); f != nil {
			return f
		}
	}
	return p.end(true, nil)
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
	st := p.walk
	if !p.committed {
		st = p.probe
	}
	chunk, err := st.Walk(data)
	switch {
	case chunk.Error && err == nil, typ == "error":
		return p.inBand(data)
	case err != nil:
		return &failure{outcome: route.Malformed, target: p.target, status: http.StatusOK, reason: "sent an event that is not JSON", cause: err}
	case p.committed:
		return p.relay(chunk, data, flush)
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

// relay sends a payload that was walked.
func (p *pump) relay(chunk openai.Chunk, data []byte, flush bool) *failure {
	if chunk.Drop {
		p.pass(flush)
		return nil
	}
	p.sink.add(data, chunk.Edits)
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
		p.letGo()
	}
	p.walk.Adopt(p.probe)
	pending := p.pending
	p.pending, p.probe = nil, nil
	for _, data := range pending {
		if chunk, err := p.walk.Walk(data); err == nil && !chunk.Drop { // the probe took it for JSON
			p.sink.add(data, chunk.Edits)
		}
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
	st := p.walk
	if !p.committed {
		st = p.probe
	}
	// A connection that breaks when every choice has ended takes nothing from the caller.
	whole := st.Complete(done) && p.run.ctx.Err() == nil && (p.chats() == 0 || p.ended)
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
	if tail := p.walk.Tail(); tail != nil {
		p.sink.add(tail, nil)
		if f := p.send(false); f != nil {
			return f
		}
	}
	p.sink.finish()
	return nil
}

// account notes what the stream told of its usage, however it ended. What an attempt told that was not
// answered with is not the request's.
func (p *pump) account() {
	if p.committed {
		p.result.Usage, p.result.HasUsage, p.result.Finish = p.walk.Usage, p.walk.HasUsage, p.walk.Finish
		p.result.Repairs = p.walk.Repairs
		if p.texts != nil && !p.walk.HasUsage { // one of the chats failed
			p.result.Usage, p.result.HasUsage = p.texts.Used()
		}
	}
	p.update(func(entry *Attempt) { entry.Usage, entry.HasUsage = p.spent() })
}

// spent is what the stream told so far that it takes.
func (p *pump) spent() (u llm.Usage, told bool) {
	if p.committed {
		return p.result.Usage, p.result.HasUsage
	}
	if early, ok := p.reader.(counter); ok {
		u = early.Used()
		return u, u != llm.Usage{}
	}
	return p.probe.Usage, p.probe.HasUsage
}

// drainFor is how long the end of a body is waited for after [DONE], so that its connection can be used again.
const drainFor = 50 * time.Millisecond

func (p *pump) drain(body io.Reader) {
	stop := time.AfterFunc(drainFor, func() { p.cancel(nil) })
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 4<<10)) // what stands behind [DONE] concerns nobody
	stop.Stop()
}
