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
	"github.com/weirproxy/weir/internal/llm"
)

// stream relays a stream of the upstream.
func (a *attempt) stream(ctx context.Context, resp *http.Response) *failure {
	p := pump{attempt: a, ctx: ctx, walk: &openai.Stream{
		AskedUsage: a.changes.AskUsage, WantUsage: a.Call.WantUsage, EchoModel: a.echo(), Legacy: a.Call.Endpoint == llm.Completions,
		Name: a.ID, Now: a.Started.Unix(),
	}}
	p.probe = p.walk.Probe()
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
	walk      *openai.Stream // of what the caller is sent
	probe     *openai.Stream // of what is kept back; walk then learns from it and begins anew
	committed bool
	pending   [][]byte // payloads kept back until the first content, as they came
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
	answer, err := p.Call.ParseAnswer(buf.data, p.stand())
	if err != nil {
		return p.noAnswer(buf.data, answer.IsError, err)
	}
	p.walk.Repairs.Add(answer.Repairs)
	for _, payload := range p.Call.StreamOf(jsonwalk.Apply(nil, buf.data, answer.Edits)) {
		if f := p.event("", payload, false); f != nil {
			return f
		}
	}
	return p.end(true, nil)
}

// events relays a stream event by event.
func (p *pump) events(source io.Reader, resp *http.Response) *failure {
	reader := sse.NewReader(source, maxEvent)
	reader.Whole = wholePayload
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
		return &failure{class: malformed, target: p.target, status: http.StatusOK, reason: "sent an event that is not JSON", cause: err}
	case p.committed:
		return p.relay(chunk, data, flush)
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
	if len(chunk.Edits) > 0 {
		p.scratch = jsonwalk.Apply(p.scratch[:0], data, chunk.Edits)
		data = p.scratch
	}
	return p.send(flush, data)
}

// pass leaves an event out. What was written before it must not wait for the one behind it.
func (p *pump) pass(flush bool) {
	if flush {
		p.sink.settle()
	}
}

// commit decides for this target, and sends what was kept back.
func (p *pump) commit(flush bool) *failure {
	p.committed = true
	p.watch.sawContent()
	p.result.FirstContent = time.Now()
	p.result.Status = http.StatusOK
	p.result.Ignored = p.applied.Ignored
	p.walk.Adopt(p.probe)
	var all [][]byte
	for _, data := range p.pending {
		chunk, err := p.walk.Walk(data)
		switch {
		case err != nil || chunk.Drop: // the probe took it for JSON
		case len(chunk.Edits) > 0:
			all = append(all, jsonwalk.Apply(nil, data, chunk.Edits))
		default:
			all = append(all, data)
		}
	}
	p.pending, p.probe = nil, nil
	return p.send(flush, all...)
}

func (p *pump) send(flush bool, data ...[]byte) *failure {
	if err := p.sink.write(p.setHeaders, flush, data...); err != nil {
		return &failure{class: canceled, target: p.target, cause: fmt.Errorf("the client does not read: %w", err)}
	}
	return nil
}

// end finishes the stream: whole, with the upstream's own [DONE] or at the end of its body, or cut short.
func (p *pump) end(done bool, err error) *failure {
	st := p.walk
	if !p.committed {
		st = p.probe
	}
	// A connection that breaks when every choice has ended takes nothing from the caller.
	whole := st.Complete(done) && p.run.ctx.Err() == nil
	if !whole {
		if err == nil || errors.Is(err, io.EOF) {
			return &failure{class: failed, target: p.target, status: http.StatusOK, reason: "ended its stream before the answer was complete", cause: io.ErrUnexpectedEOF}
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
		if f := p.send(false, tail); f != nil {
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
	}
}

// drainFor is how long the end of a body is waited for after [DONE], so that its connection can be used again.
const drainFor = 50 * time.Millisecond

func (p *pump) drain(body io.Reader) {
	stop := time.AfterFunc(drainFor, func() { p.cancel(nil) })
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 4<<10)) // what stands behind [DONE] concerns nobody
	stop.Stop()
}
