package relay

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
)

const keepAliveEvery = 15 * time.Second

// pieces are buffers for what is sent next. A stream has one only from adding an event to sending it, because it may wait
// long for the next one.
var pieces = sync.Pool{New: func() any { return new([]byte) }}

// keptPiece is the largest buffer that is used again.
const keptPiece = 16 << 10

// sink is the caller's side of a stream. It decides when the status goes out: with the first content, or when the
// hold is over. Once it is out, it breaks silences with comments. The handler writes, and one timer does when the
// handler waits for an upstream, so a lock guards the writer.
type sink struct {
	mu      sync.Mutex // guards all below, of which started may be read without it
	w       http.ResponseWriter
	framing *dialect.Framing
	failer  dialect.Failer // of what is being sent; nil if framing knows how streams fail
	control http.ResponseController
	timer   *time.Timer // the end of the hold, then the next keep-alive; set once
	closed  bool
	started atomic.Bool // the status is out
	opened  bool        // an array has begun
	began   time.Time
	last    time.Duration // when something was written last, since began: reading that costs half of what time.Now does
	written int64
	waiting bool    // something was written since the last flush
	held    bool    // buf is an event that the next one may change
	err     error   // of a write: the client is gone
	buf     []byte  // what is sent next, in piece
	piece   *[]byte // nil without anything to send
}

func newSink(w http.ResponseWriter, framing *dialect.Framing, hold time.Duration) *sink {
	s := &sink{w: w, framing: framing, control: *http.NewResponseController(w), began: time.Now()}
	s.timer = time.AfterFunc(forever, s.tick)
	s.timer.Reset(max(hold, 0)) // tick may run from here on
	return s
}

// tick ends the hold, or breaks a silence. While the handler writes, nothing is silent. It may write for long, to a
// client that does not read, so tick does not wait for it but looks again: soon, as long as the status is not out.
func (s *sink) tick() {
	if !s.mu.TryLock() {
		again := time.Second
		if !s.started.Load() {
			again = time.Millisecond
		}
		s.timer.Reset(again)
		return
	}
	defer s.mu.Unlock()
	if s.closed || s.err != nil {
		return
	}
	now := time.Since(s.began)
	switch {
	case !s.started.Load():
		s.start(now)
		s.flush()
	case s.held:
		s.send(now)
		s.flush()
	case len(s.buf) > 0: // the handler is about to write it
		s.timer.Reset(time.Second)
		return
	}
	if silence := now - s.last; silence < keepAliveEvery {
		s.timer.Reset(keepAliveEvery - silence)
		return
	}
	s.needPiece()
	s.buf = append(s.buf, s.framing.KeepAlive...)
	s.send(now)
	s.flush()
	s.timer.Reset(keepAliveEvery)
}

// head changes the headers, unless they have gone out.
func (s *sink) head(change func(http.Header)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started.Load() {
		change(s.w.Header())
	}
}

// start sends the status and the headers set so far. The lock is held.
func (s *sink) start(now time.Duration) {
	h := s.w.Header()
	h["Content-Type"] = typeEvents
	if s.framing.Array {
		h["Content-Type"] = typeJSON
	}
	h["Cache-Control"] = noCache
	h["X-Accel-Buffering"] = no
	s.w.WriteHeader(http.StatusOK)
	s.started.Store(true)
	s.last = now
	s.timer.Reset(keepAliveEvery)
}

// add adds an event: a payload with edits made to it. It goes out with the next write.
func (s *sink) add(payload []byte, edits []jsonwalk.Edit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.event(payload, edits)
}

// event appends an event to the buffer. The lock is held.
func (s *sink) event(payload []byte, edits []jsonwalk.Edit) {
	s.needPiece()
	s.buf = slices.Grow(s.buf, len(payload)+64)
	if s.framing.Array {
		s.buf = jsonwalk.Apply(s.element(), payload, edits)
		return
	}
	if s.framing.Name != nil {
		if name := s.framing.Name(payload); len(name) > 0 {
			s.buf = sse.AppendName(s.buf, name)
		}
	}
	s.buf = sse.BeginEvent(s.buf)
	start := len(s.buf)
	s.buf = jsonwalk.Apply(s.buf, payload, edits)
	s.buf = sse.EndEvent(s.buf, len(s.buf)-start)
}

// element appends what comes before an element of an array. The lock is held.
func (s *sink) element() []byte {
	if s.opened {
		return append(s.buf, ",\r\n"...) // as the vendor has it
	}
	s.opened = true
	return append(s.buf, '[')
}

// end appends what ends a stream. The lock is held.
func (s *sink) end() []byte {
	switch {
	case !s.framing.Array:
		return append(s.buf, s.framing.Done...)
	case !s.opened:
		return append(s.buf, "[]"...)
	}
	return append(s.buf, ']')
}

// holdFor is how long an event is held that the next one may change.
const holdFor = time.Second

// hold has the event that was added, and nothing else, wait for the next one, for holdFor at most. It reports false if that
// is not worth the memory.
func (s *sink) hold() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.buf) > keptPiece || s.err != nil {
		return false
	}
	s.held = true
	s.timer.Reset(holdFor)
	return true
}

// keep lets the taken event wait for what is left of holdFor.
func (s *sink) keep() {
	s.mu.Lock()
	s.held = true
	s.mu.Unlock()
}

// take returns the held payload, or nil. Nothing but write, or the end, sends it from here on.
func (s *sink) take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.held {
		return nil
	}
	s.held = false
	if s.framing.Array {
		return s.buf
	}
	return sse.Payload(s.buf)
}

// amend puts text into the payload that take gave.
func (s *sink) amend(at jsonwalk.Span, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	edit := []jsonwalk.Edit{{Span: at, New: text}}
	s.buf = sse.AppendEvent(s.buf[:0], jsonwalk.Apply(nil, sse.Payload(s.buf), edit))
}

// write sends the events that were added; headers is called before the status goes out, if it is not out yet.
// Whatever was written before stays in the buffers until flush is true.
func (s *sink) write(headers func(http.Header), flush bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if s.started.Load() {
		s.pass(flush)
		return s.err
	}
	headers(s.w.Header())
	// net/http needs several kilobytes of stack to write headers. This goroutine would keep them for as long as the
	// stream runs, and have twice the stack.
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		s.start(time.Since(s.began))
		s.pass(flush)
	}()
	if panicked := <-done; panicked != nil { // it is the handler's, whose server knows what to do with it
		panic(panicked)
	}
	return s.err
}

// pass sends the buffer, and flushes it if asked. The lock is held, perhaps by the goroutine that waits for this.
func (s *sink) pass(flush bool) {
	s.send(time.Since(s.began))
	if flush {
		s.flush()
	}
}

// busy reports whether something is being sent, which takes as long as the client does to read.
func (s *sink) busy() bool {
	if !s.mu.TryLock() {
		return true
	}
	s.mu.Unlock()
	return false
}

// settle sends what write left in the buffers.
func (s *sink) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting && s.err == nil {
		s.flush()
	}
}

// finish sends the end of a whole stream.
func (s *sink) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.err != nil {
		return
	}
	s.needPiece()
	s.buf = s.end()
	s.send(time.Since(s.began))
	s.flush()
}

// shut has nothing but fail write from here on, and reports whether the status is out.
func (s *sink) shut() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.started.Load()
}

// failBy has f say how the stream fails.
func (s *sink) failBy(f dialect.Failer) {
	s.mu.Lock()
	s.failer = f
	s.mu.Unlock()
}

// fail ends a stream whose status is out with an error event. The connection closes after it.
func (s *sink) fail(err *llm.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	payload := s.framing.Error(err)
	if s.failer != nil {
		payload = s.failer.Failure(nil, err)
	}
	s.event(payload, nil)
	if s.framing.Array {
		s.buf = s.end()
	}
	s.send(time.Since(s.began))
	s.flush()
}

// sent is how many bytes were written.
func (s *sink) sent() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written
}

// close ends the timer's part; it is called when the handler is done with the writer.
func (s *sink) close() {
	s.mu.Lock()
	s.closed = true
	s.timer.Stop()
	s.mu.Unlock()
}

// send writes the buffer. The lock is held.
func (s *sink) send(now time.Duration) {
	n, err := s.w.Write(s.buf)
	s.written += int64(n)
	s.waiting, s.held, s.last = true, false, now
	if err != nil {
		s.err = err
	}
	if piece := s.piece; piece != nil && cap(s.buf) <= keptPiece {
		*piece = s.buf[:0]
		pieces.Put(piece)
	}
	s.buf, s.piece = nil, nil
}

// needPiece sees to it that there is a buffer for what is sent next. The lock is held.
func (s *sink) needPiece() {
	if s.piece == nil {
		s.piece = pieces.Get().(*[]byte)
		s.buf = *s.piece
	}
}

func (s *sink) flush() {
	s.waiting = false
	if err := s.control.Flush(); err != nil && s.err == nil {
		s.err = err
	}
}
