package relay

import (
	"net/http"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
)

const keepAliveEvery = 15 * time.Second

// sink is the caller's side of a stream. It decides when the status goes out: with the first content, or when
// the hold is over; and it breaks silences with comments once it is out. The handler writes, and one timer does
// when the handler waits for an upstream, so a lock guards the writer.
type sink struct {
	mu      sync.Mutex // guards all below
	w       http.ResponseWriter
	control *http.ResponseController
	timer   *time.Timer // the end of the hold, then the next keep-alive
	closed  bool
	started bool // the status is out
	last    time.Time
	written int64
	waiting bool  // something was written since the last flush
	err     error // of a write: the client is gone
	buf     []byte
}

func newSink(w http.ResponseWriter, hold time.Duration) *sink {
	s := &sink{w: w, control: http.NewResponseController(w)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(max(hold, 0), s.tick)
	return s
}

// tick ends the hold, or breaks a silence.
func (s *sink) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.err != nil {
		return
	}
	now := time.Now()
	if !s.started {
		s.start(now)
		s.flush()
	}
	if silence := now.Sub(s.last); silence < keepAliveEvery {
		s.timer.Reset(keepAliveEvery - silence)
		return
	}
	s.buf = append(s.buf, sse.KeepAlive...)
	s.send(now)
	s.flush()
	s.timer.Reset(keepAliveEvery)
}

// start sends the status and the headers set so far. The lock is held.
func (s *sink) start(now time.Time) {
	h := s.w.Header()
	h["Content-Type"] = []string{"text/event-stream"}
	h["Cache-Control"] = []string{"no-cache"}
	h["X-Accel-Buffering"] = []string{"no"}
	s.w.WriteHeader(http.StatusOK)
	s.started, s.last = true, now
	s.timer.Reset(keepAliveEvery)
}

// write sends payloads as events; headers is called before the status goes out, if it is not out yet.
// Whatever was written before stays in the buffers until flush is true.
func (s *sink) write(headers func(http.Header), flush bool, payloads ...[]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	now := time.Now()
	if !s.started {
		headers(s.w.Header())
		s.start(now)
	}
	for _, p := range payloads {
		s.buf = sse.AppendEvent(s.buf, p)
	}
	s.send(now)
	if flush {
		s.flush()
	}
	return s.err
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
	s.buf = append(s.buf, sse.Done...)
	s.send(time.Now())
	s.flush()
}

// fail ends the stream with an error event if the status is out, and reports whether it was. The connection
// closes behind it.
func (s *sink) fail(err *llm.Error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if !s.started {
		return false
	}
	if s.err == nil {
		s.buf = sse.AppendEvent(s.buf, err.Envelope())
		s.send(time.Now())
		s.flush()
	}
	return true
}

// close ends the timer's part; it is called when the handler is done with the writer.
func (s *sink) close() {
	s.mu.Lock()
	s.closed = true
	s.timer.Stop()
	s.mu.Unlock()
}

// send writes the buffer. The lock is held.
func (s *sink) send(now time.Time) {
	n, err := s.w.Write(s.buf)
	s.written += int64(n)
	s.waiting, s.last = true, now
	if err != nil {
		s.err = err
	}
	s.buf = s.buf[:0]
	if cap(s.buf) > 16<<10 { // one large event must not be kept for the rest of the stream
		s.buf = nil
	}
}

func (s *sink) flush() {
	s.waiting = false
	if err := s.control.Flush(); err != nil && s.err == nil {
		s.err = err
	}
}
