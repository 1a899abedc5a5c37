package sim

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// What ends an answer before its end.
var (
	errReset    = errors.New("reset the connection")
	errAbort    = errors.New("close the connection")
	errStall    = errors.New("fall silent")
	errHangUp   = errors.New("the caller hung up")
	errFinished = errors.New("finish here, cleanly")
)

// sender sends one answer and does to it what the call's rule says.
type sender struct {
	server *Server
	call   *call
	rule   *Rule
	entry  *Served
	ctx    context.Context
	w      http.ResponseWriter
	flush  func() error
	pace   pacing
	frames framer

	body   io.Writer    // what the answer's body goes through
	gzip   *gzip.Writer // nil without
	logged bool         // the entry is on file
}

func newSender(s *Server, c *call, entry *Served, w http.ResponseWriter) *sender {
	o := &sender{
		server: s, call: c, rule: c.rule, entry: entry, ctx: c.request.Context(), w: w,
		flush: http.NewResponseController(w).Flush, pace: newPacing(c), frames: newFramer(c.rule.Framing),
	}
	wire := &wire{w: w, flush: o.flush, oneByte: c.rule.OneByte}
	wire.left, _, wire.end = c.rule.breaks()
	o.body = wire
	if c.rule.Gzip {
		o.gzip = gzip.NewWriter(wire)
		o.body = o.gzip
	}
	return o
}

// send sends the answer. nil means that all of it was sent.
func (o *sender) send(d dialect) error {
	if err := o.wait(time.Duration(o.rule.Latency)); err != nil {
		return err
	}
	if err := o.at(BeforeHeaders); err != nil {
		return err
	}
	if o.rule.Raw != "" {
		return o.raw()
	}
	answer := answer(d, o.call)
	o.change(func(s *Served) { s.PromptTokens = answer.prompt })
	if answer.events == nil {
		return o.sendBody(d, answer)
	}
	o.headers(answer)
	if err := o.flush(); err != nil {
		return errHangUp
	}
	return o.sendEvents(d, answer)
}

func (o *sender) headers(a reply) {
	h := o.w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	h.Set("Content-Type", a.contentType)
	if a.events == nil && o.gzip == nil {
		h.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	if o.gzip != nil {
		h.Set("Content-Encoding", "gzip")
	}
	for name, value := range o.rule.Headers {
		h.Set(name, value)
	}
	id := o.identify(h)
	o.change(func(s *Served) { s.Status, s.AnswerID = a.status, id })
	if n, err := strconv.Atoi(h.Get("X-Amzn-Bedrock-Input-Token-Count")); err == nil && id != "" {
		o.change(func(s *Served) { s.Told = &Told{Prompt: n} })
	}
	o.w.WriteHeader(a.status)
}

// identify is the id of an answer whose call is followed: its own, or else one that it is given.
func (o *sender) identify(h http.Header) string {
	if o.server.script.LogHeader == "" {
		return ""
	}
	for _, name := range [...]string{"X-Request-Id", "Request-Id", "X-Amzn-Requestid"} {
		if id := h.Get(name); id != "" {
			return id
		}
	}
	id := o.call.id("req_")
	h.Set("X-Request-Id", id)
	return id
}

// tell notes the usage in a body or an event that is sent, if the call is followed. Some dialects report the prompt once, before the rest.
func (o *sender) tell(d dialect, payload []byte) {
	if o.server.script.LogHeader == "" {
		return
	}
	prompt, completion, ok := d.usage(payload)
	if !ok {
		return
	}
	o.change(func(s *Served) {
		told := Told{prompt, completion}
		if s.Told != nil && prompt == 0 {
			told.Prompt = s.Told.Prompt
		}
		s.Told = &told
	})
}

// sendBody sends a complete answer, after the time that its tokens would have taken.
func (o *sender) sendBody(d dialect, a reply) error {
	if a.status < 400 && o.call.endpoint != pathModels {
		if err := o.wait(o.pace.first() + o.pace.next(a.completion-1)); err != nil {
			return err
		}
	}
	o.headers(a)
	if o.frail() {
		if err := o.flush(); err != nil {
			return errHangUp
		}
	}
	if err := o.at(0); err != nil {
		return err
	}
	o.change(func(s *Served) { s.CompletionTokens = a.completion })
	o.tell(d, a.body)
	o.completed(!o.frail())
	if _, err := o.body.Write(a.body); err != nil {
		return o.broke(err)
	}
	if err := o.closeBody(); err != nil {
		return err
	}
	return o.at(1)
}

// sendEvents sends a stream.
func (o *sender) sendEvents(d dialect, a reply) error {
	if own, ok := d.(framed); ok {
		o.frames.frame = own.frame
	}
	if own, ok := d.(named); ok {
		o.frames.name, o.frames.plain = own.eventName, false
	}
	sent, first := 0, true
	var buf []byte
	for ev := range a.events {
		if err := o.before(d, sent); err != nil {
			return err
		}
		if o.frames.noDone && string(ev.payload) == doneMarker {
			break
		}
		if ev.paced {
			pause := o.pace.next(1)
			if first {
				pause, first = o.pace.first(), false
			}
			if err := o.wait(pause); err != nil {
				return err
			}
		}
		sent++
		o.change(func(s *Served) {
			s.Events = sent
			s.CompletionTokens += ev.tokens
		})
		o.tell(d, ev.payload)
		if ev.last {
			o.completed(!o.frail())
		}
		buf = o.frames.append(buf[:0], ev.payload)
		if err := o.write(buf); err != nil {
			return err
		}
	}
	if err := o.at(Point(sent)); err != nil {
		return err
	}
	return o.closeBody()
}

// before does what the rule wants done after so many events.
func (o *sender) before(d dialect, sent int) error {
	if err := o.at(Point(sent)); err != nil {
		return err
	}
	is := func(n *int) bool { return n != nil && *n == sent }
	if is(o.rule.BadJSON) {
		if err := o.write(o.frames.append(nil, []byte(`{"id":"chatcmpl-`))); err != nil {
			return err
		}
	}
	if is(o.rule.ErrorEvent) {
		payload := d.streamError()
		if o.rule.Body != nil {
			payload = []byte(*o.rule.Body)
		}
		if err := o.write(o.frames.append(nil, payload)); err != nil {
			return err
		}
		return errFinished
	}
	if is(o.rule.Cut) {
		return errFinished
	}
	return nil
}

// at does what the rule wants done at a point of the answer.
func (o *sender) at(p Point) error {
	if o.rule.Reset != nil && *o.rule.Reset == p {
		return errReset
	}
	if o.rule.Stall != nil && *o.rule.Stall == p {
		return o.stall()
	}
	return nil
}

// stall waits until the caller hangs up.
func (o *sender) stall() error {
	<-o.ctx.Done()
	return errHangUp
}

// write sends a piece of the body at once.
func (o *sender) write(b []byte) error {
	_, err := o.body.Write(b)
	if err == nil && o.gzip != nil {
		err = o.gzip.Flush()
	}
	if err == nil {
		err = o.flush()
	}
	return o.broke(err)
}

func (o *sender) closeBody() error {
	if o.gzip == nil {
		return nil
	}
	return o.broke(o.gzip.Close())
}

// broke distinguishes the rule's own break from a caller that hangs up.
func (o *sender) broke(err error) error {
	switch {
	case err == nil, errors.Is(err, errAbort):
		return err
	case errors.Is(err, errReset):
		_ = o.flush() // whether the caller is still there makes no difference
		return err
	case errors.Is(err, errStall):
		_ = o.flush() // likewise
		return o.stall()
	}
	return errHangUp
}

// frail reports whether the rule may break the answer at any point, so that it cannot be called complete
// before all of it was sent.
func (o *sender) frail() bool {
	_, _, how := o.rule.breaks()
	return how != nil || o.rule.Reset != nil || o.rule.Stall != nil
}

// completed notes, if sure, that the answer is complete. It is called before the last piece is sent: a
// caller that has read the answer finds it in the log.
func (o *sender) completed(sure bool) {
	if !sure || o.logged {
		return
	}
	o.change(func(s *Served) { s.Completed = true })
	o.server.log.write(o.entry)
	o.logged = true
}

// end finishes the call in the way that send's outcome asks for.
func (o *sender) end(err error) {
	switch {
	case err == nil:
		o.completed(true)
	case errors.Is(err, errHangUp):
		o.change(func(s *Served) { s.ClientGone, s.Completed = true, false })
	}
	if !o.logged {
		o.server.log.write(o.entry)
	}
	switch {
	case errors.Is(err, errReset):
		o.reset()
	case errors.Is(err, errAbort):
		_ = o.flush() // whether the caller is still there makes no difference
		panic(http.ErrAbortHandler)
	case errors.Is(err, errFinished):
		_ = o.closeBody()
	}
}

func (o *sender) change(f func(*Served)) { o.server.log.change(o.entry, f) }

func (o *sender) wait(d time.Duration) error {
	if o.server.sleep(o.ctx, d) != nil {
		return errHangUp
	}
	return nil
}

// raw writes the rule's bytes on the connection and closes it.
func (o *sender) raw() error {
	conn, _, err := http.NewResponseController(o.w).Hijack()
	if err != nil { // HTTP/2 has no connection of the call's own
		return errAbort
	}
	defer conn.Close()
	o.completed(true)
	if _, err := io.WriteString(conn, o.rule.Raw); err != nil {
		return errHangUp
	}
	return nil
}

// reset closes the connection so that the caller's next read fails, instead of seeing its end.
func (o *sender) reset() {
	conn, _, err := http.NewResponseController(o.w).Hijack()
	if err != nil { // HTTP/2: this sends RST_STREAM
		panic(http.ErrAbortHandler)
	}
	under := conn
	if t, ok := conn.(*tls.Conn); ok {
		under = t.NetConn()
	}
	if t, ok := under.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	_ = under.Close()
}

// wire is the last writer before the connection.
type wire struct {
	w       io.Writer
	flush   func() error
	oneByte bool
	left    int   // bytes until the answer breaks off, -1 for no end
	end     error // how it does
}

func (o *wire) Write(b []byte) (int, error) {
	var cut error
	if o.left >= 0 && len(b) > o.left {
		b, cut = b[:o.left], o.end
	}
	if o.left >= 0 {
		o.left -= len(b)
	}
	pieces := slices.Chunk(b, max(1, len(b)))
	if o.oneByte {
		pieces = slices.Chunk(b, 1)
	}
	for piece := range pieces {
		if _, err := o.w.Write(piece); err != nil {
			return 0, err
		}
		if !o.oneByte {
			continue
		}
		if err := o.flush(); err != nil {
			return 0, err
		}
	}
	return len(b), cut
}
