package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/dialect/sse"
)

// stream relays a stream of the upstream.
func (a *attempt) stream(ctx context.Context, resp *http.Response) *failure {
	p := pump{attempt: a, ctx: ctx, walk: openai.Stream{
		AskedUsage: a.changes.AskUsage, WantUsage: a.Call.WantUsage, EchoModel: a.echo(),
	}}
	defer p.account()
	head, err := p.sniff(watched{resp.Body, a.watch})
	if err != nil && len(head) == 0 {
		if errors.Is(err, io.EOF) {
			return a.noAnswer(nil, false, io.ErrUnexpectedEOF)
		}
		return a.broken(ctx, err)
	}
	source := io.MultiReader(bytes.NewReader(head), watched{resp.Body, a.watch})
	switch first := bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n"); {
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
	walk      openai.Stream
	committed bool
	pending   [][]byte // events kept back until the first content
	kept      int      // bytes in pending
	scratch   []byte   // the payload being edited
	head      [512]byte
}

// sniff reads the first bytes that are more than white space, because the content type cannot be believed:
// vendors send errors as event streams and streams as text.
func (p *pump) sniff(r io.Reader) ([]byte, error) {
	n := 0
	for n < len(p.head) {
		m, err := r.Read(p.head[n:])
		n += m
		if len(bytes.TrimLeft(p.head[:n], "\xef\xbb\xbf \t\r\n")) > 0 {
			return p.head[:n], nil
		}
		if err != nil {
			return nil, err
		}
	}
	return p.head[:n], nil
}

// whole relays a complete JSON answer, given where a stream was asked, as a stream of it.
func (p *pump) whole(source io.Reader) *failure {
	buf := getBuffer()
	defer buf.release()
	if err := buf.read(source, -1, maxAnswer); err != nil {
		return p.broken(p.ctx, err)
	}
	answer, err := openai.ParseAnswer(buf.data, "")
	if err != nil {
		return p.noAnswer(buf.data, answer.IsError, err)
	}
	for _, payload := range p.Call.StreamOf(buf.data) {
		if f := p.event("", payload, false); f != nil {
			return f
		}
	}
	return p.end(true, nil)
}

// events relays a stream event by event.
func (p *pump) events(source io.Reader, resp *http.Response) *failure {
	reader := sse.NewReader(source, maxEvent)
	for {
		event, err := reader.Next()
		if err != nil {
			return p.end(false, err)
		}
		data := bytes.TrimSpace(event.Data)
		if len(data) == 0 || event.Type == "ping" {
			p.pass(!reader.Buffered())
			continue
		}
		if string(data) == "[DONE]" {
			f := p.end(true, nil)
			if f == nil {
				p.drain(resp.Body)
			}
			return f
		}
		if f := p.event(event.Type, data, !reader.Buffered()); f != nil {
			return f
		}
	}
}

// event relays one payload. flush says that no further event is at hand.
func (p *pump) event(typ string, data []byte, flush bool) *failure {
	chunk, err := p.walk.Walk(data)
	switch {
	case chunk.Error && err == nil, typ == "error":
		return p.inBand(data)
	case err != nil:
		return &failure{class: malformed, target: p.target, status: http.StatusOK, reason: "sent an event that is not JSON", cause: err}
	case chunk.Drop:
		p.pass(flush)
		return nil
	}
	if len(chunk.Edits) > 0 {
		p.scratch = jsonwalk.Apply(p.scratch[:0], data, chunk.Edits)
		data = p.scratch
	}
	if !p.committed && !chunk.Content && p.kept+len(data) <= maxPending {
		p.pending = append(p.pending, bytes.Clone(data))
		p.kept += len(data)
		return nil
	}
	return p.send(flush, data)
}

// pass leaves an event out. What was written before it must not wait for the one behind it.
func (p *pump) pass(flush bool) {
	if flush {
		p.sink.settle()
	}
}

// send commits to this target, if that was not done yet, and sends what was kept back and the payload.
func (p *pump) send(flush bool, data ...[]byte) *failure {
	if !p.committed {
		p.committed = true
		p.watch.sawContent()
		p.result.FirstContent = time.Now()
		p.result.Status = http.StatusOK
		p.result.Ignored = p.applied.Ignored
		data = append(p.pending, data...)
		p.pending = nil
	}
	if err := p.sink.write(p.setHeaders, flush, data...); err != nil {
		return &failure{class: canceled, target: p.target, cause: fmt.Errorf("the client does not read: %w", err)}
	}
	return nil
}

// end finishes the stream: whole, with the upstream's own [DONE] or at the end of its body, or cut short.
func (p *pump) end(done bool, err error) *failure {
	// A connection that breaks when every choice has ended takes nothing from the caller.
	whole := p.walk.Complete(done) && p.run.ctx.Err() == nil
	if !whole {
		if err == nil || errors.Is(err, io.EOF) {
			return &failure{class: failed, target: p.target, status: http.StatusOK, reason: "ended its stream before the answer was complete", cause: io.ErrUnexpectedEOF}
		}
		return p.broken(p.ctx, err)
	}
	if !p.committed { // an answer without any content is an answer, if the upstream says so
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
	}
}

// drainFor is how long the end of a body is waited for after [DONE], so that its connection can be used again.
const drainFor = 50 * time.Millisecond

func (p *pump) drain(body io.Reader) {
	stop := time.AfterFunc(drainFor, func() { p.cancel(nil) })
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 4<<10)) // what stands behind [DONE] concerns nobody
	stop.Stop()
}
