package gateway

import (
	"net/http"
	"sync/atomic"
	"time"
)

// writeStall is how long a client may leave a piece of its answer unread, and writePiece how much is written at once. A
// client on a slow line gets a large answer. A client that does not read loses it, and Weir frees the buffer. This
// holds for a stream of HTTP/2 that gives no window as it does for a connection.
const (
	writeStall = 30 * time.Second
	writePiece = 64 << 10
)

// response is the one way to the client: it remembers whether the status is out, and does not wait for ever.
type response struct {
	http.ResponseWriter
	control  http.ResponseController
	status   int
	began    time.Time
	written  atomic.Int64  // bytes of the body
	copied   *copied       // a copy of the answer; nil if none is wanted
	limited  *limited      // what the head has to say of limits; nil for nothing
	deadline time.Duration // for writing, since began, 0 without one; renewed at most once a second, because that is expensive
}

func (w *response) begin(to http.ResponseWriter, now time.Time, says *limited) {
	w.ResponseWriter, w.control, w.began, w.limited = to, *http.NewResponseController(to), now, says
}

// head is called before the head goes out.
func (w *response) head(status int) {
	w.status = status
	if w.limited != nil {
		w.limited.end(w.Header())
	}
	w.copied.begin(status, w.Header())
}

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.head(status)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *response) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.head(http.StatusOK)
	}
	w.copied.add(p)
	written := 0
	for {
		w.extend()
		n, err := w.ResponseWriter.Write(p[:min(len(p), writePiece)])
		written, p = written+n, p[n:]
		w.written.Add(int64(n))
		if err != nil {
			w.copied.interrupt()
			return written, err
		}
		if len(p) == 0 {
			return written, nil
		}
	}
}

// FlushError lets http.ResponseController flush in time, too.
func (w *response) FlushError() error {
	w.extend()
	return w.control.Flush()
}

// Unwrap lets http.ResponseController find the server's own writer.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *response) extend() {
	if now := time.Since(w.began); w.deadline-now < writeStall-time.Second { // Since reads one clock, Now two
		w.deadline = now + writeStall
		_ = w.control.SetWriteDeadline(w.began.Add(w.deadline)) // a writer without deadlines has no client that could stall
	}
}

// complete sends what is still in a buffer, so that the client has its answer before anything else is done. An answer without a
// length is not sent yet: net/http finds its length when the handler returns. Over HTTP/2 that would take another frame.
func (w *response) complete(r *http.Request) {
	if r.ProtoMajor == 1 && w.Header()["Content-Length"] != nil {
		_ = w.FlushError() // if this fails, the client is gone
	}
}

// done removes the deadline, because the connection may serve another request.
func (w *response) done() {
	if w.deadline != 0 {
		_ = w.control.SetWriteDeadline(time.Time{}) // as above
	}
}
