package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// stream is what an exchange makes of a stream of its upstream. What it has for the caller it gives to the sink.
type stream interface {
	// begin is called once, before anything else.
	begin(*pump)
	// payload takes one payload; flush says that no other is at hand. done says that it was the last.
	payload(typ string, data []byte, flush bool) (done bool, f *failure)
	// whole takes a complete JSON answer, given where a stream was asked.
	whole(body []byte) *failure
	// skip records a payload that means nothing to the caller.
	skip(flush bool)
	// end records that no further payload comes: the upstream said so if done, otherwise reading ended with err. It returns nil if the
	// answer is whole, or goes on with another call.
	end(done bool, err error) *failure
	// account notes what is known so far of the answer: what it took, and why it ended.
	account()
}

// pump reads the stream of an attempt, and owns the commit: the first content decides for the attempt, and no other target is asked
// afterwards.
type pump struct {
	attempt   *attempt
	ctx       context.Context
	stream    stream
	committed bool
	settled   bool // all that is known of the answer is recorded
	finished  bool // the caller has the whole answer
	asked     int  // bytes of the request
	kept      int  // bytes of events that were kept back
	grown     int  // of these, those that are counted

	call *Call // the one whose stream is read
	room int64 // how many tokens of it may be sent before its record is asked
}

// stream relays the stream of one answer.
func (a *attempt) stream(ctx context.Context, resp *http.Response, s stream) *failure {
	p := &pump{attempt: a, ctx: ctx, stream: s, asked: len(a.run.Asked.Scan().Raw)}
	s.begin(p)
	defer s.account()
	return p.read(resp)
}

// read relays what the upstream sends, whatever that is.
func (p *pump) read(resp *http.Response) *failure {
	a := p.attempt
	resp.Header = nil // it was read, and a stream may run for minutes
	source := &upstream{body: resp.Body, pump: p, left: a.run.maxAnswer()}
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

// upstream is the body of an answer. Each of its bytes counts as a sign of life. What may come before the first content is bounded.
// Comments, pings and empty events are not kept, but would keep Weir busy for as long as the upstream sends them.
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
		u.pump.attempt.watch.sawByte()
	}
	if u.pump.committed {
		return n, err
	}
	if u.left -= int64(n); u.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// sniff reads the first bytes, which show what comes. The content type cannot be believed: vendors send errors as
// event streams and streams as text. White space before them may have been left out. Read gives them again.
func (u *upstream) sniff() (head []byte, err error) {
	head, n := make([]byte, 64), 0
	for {
		m, err := u.more(head[n:])
		n += m
		first := bytes.TrimLeft(head[:n], insignificant)
		cut := strings.HasPrefix(byteOrderMark, string(first)) // a mark whose rest has not come yet
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

// whole relays a complete JSON answer as a stream of it.
func (p *pump) whole(source io.Reader) *failure {
	buf := getBuffer()
	defer buf.release()
	if err := buf.read(source, -1, p.attempt.run.maxAnswer(), p.attempt); err != nil {
		return p.attempt.broken(p.ctx, err)
	}
	return p.stream.whole(buf.text())
}

// events relays a stream event by event.
func (p *pump) events(source io.Reader, resp *http.Response) *failure {
	frames := p.attempt.framesOf(source)
	for {
		typ, data, err := frames.next()
		if err != nil {
			return p.stream.end(false, err)
		}
		if len(data) == 0 || typ == "ping" {
			p.stream.skip(!frames.Buffered())
			continue
		}
		done, f := p.stream.payload(typ, data, !frames.Buffered())
		if f != nil {
			return f
		}
		if done {
			f := p.stream.end(true, nil)
			if f == nil && p.finished { // otherwise another call follows, and the caller waits for that
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

// commit decides for this attempt, unless it comes too late.
func (p *pump) commit() *failure {
	a := p.attempt
	if !a.watch.sawContent() { // what comes after this content would not be read any more
		return a.broken(p.ctx, context.Cause(p.ctx))
	}
	if !a.run.wins() {
		return &failure{outcome: route.Lost, target: a.target, cause: errLost}
	}
	p.committed = true
	p.attempt.Grow(-p.grown)
	p.grown = 0
	now := time.Now()
	a.commit(now)
	a.run.calls.began(a.call, now)
	a.try.Heard(now.Sub(a.started), now)
	return nil
}

// keeps reports whether an event of n bytes may be kept back until there is content. What echoes the request may be as long as that a few times
// over.
func (p *pump) keeps(n int) bool {
	p.kept += n
	if p.kept <= maxPending {
		return true
	}
	if p.kept > maxPending+3*p.asked || !p.attempt.Grow(n) {
		return false
	}
	p.grown += n
	return true
}

// skip leaves an event out. What was written before it must not wait for the next one.
func (p *pump) skip(flush bool) {
	if flush {
		p.attempt.run.sink.settle()
	}
}

// wrote tells the call's record, if it wants to know, that about so many bytes of the answer were sent. It returns why the stream has to end.
func (p *pump) wrote(said int64) *failure {
	if call := p.attempt.call; call != p.call {
		p.call, p.room = call, 0
	}
	tokens := tokensOf(said)
	if !p.committed || tokens < p.room {
		return nil
	}
	growing, ok := p.call.entry.(Growing)
	if !ok {
		p.room = math.MaxInt64
		return nil
	}
	var err *llm.Error
	if p.room, err = growing.Wrote(tokens); err != nil {
		return &failure{outcome: route.OutOfBudget, target: p.attempt.target, reason: "was stopped", ends: Cut, own: err, cause: err}
	}
	return nil
}

// send sends what was added to the sink.
func (p *pump) send(flush bool) *failure {
	if err := p.attempt.run.sink.write(p.attempt.setHeaders, flush); err != nil {
		return &failure{outcome: route.Canceled, target: p.attempt.target, ends: Cancelled, cause: fmt.Errorf("the client does not read: %w", err)}
	}
	return nil
}

// settle records all that is known of a whole answer, before its last byte goes out.
func (p *pump) settle() {
	if !p.settled {
		p.settled = true
		p.stream.account()
		p.attempt.settle()
	}
}

// settleFirst settles before the last event of a dialect whose streams end with it.
func (p *pump) settleFirst() {
	if p.attempt.run.Ingress.Framing.Done == "" {
		p.settle()
	}
}

// finish ends a whole stream.
func (p *pump) finish() {
	p.settle()
	p.attempt.run.sink.finish()
	p.finished = true
}

// drainFor is how long the end of a body is waited for after [DONE], so that its connection can be used again.
const drainFor = 50 * time.Millisecond

func (p *pump) drain(body io.Reader) {
	stop := time.AfterFunc(drainFor, func() { p.attempt.cancel(nil) })
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 4<<10)) // what comes after [DONE] does not matter
	stop.Stop()
}
