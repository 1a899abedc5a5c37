package h1

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// gather is how much is put together before it is written: a head and a small body go out in one piece; larger pieces are
// not copied.
const gather = 4 << 10

// heads are buffers of requests being written.
var heads = sync.Pool{New: func() any { return new([gather]byte) }}

// writer writes requests. Its buffer belongs to it only while it does.
type writer struct {
	w      net.Conn
	broken bool // writing to w failed
	buf    []byte
	vec    [2][]byte
	left   net.Buffers
}

// request writes the whole request.
func (w *writer) request(req *http.Request) error {
	room := heads.Get().(*[gather]byte)
	w.buf = room[:0]
	defer func() {
		w.buf = nil
		heads.Put(room)
	}()
	if err := w.head(req); err != nil {
		return err
	}
	if req.Body != nil {
		n, err := io.Copy(w, req.Body)
		if err != nil {
			return err
		}
		if n != req.ContentLength {
			return fmt.Errorf("the body has %d bytes, not the %d that were announced", n, req.ContentLength)
		}
	}
	if len(w.buf) == 0 {
		return nil
	}
	_, err := w.w.Write(w.buf)
	w.broken = err != nil
	return err
}

// Write implements io.Writer for the pieces of a body.
func (w *writer) Write(p []byte) (int, error) {
	if len(w.buf)+len(p) <= cap(w.buf) {
		w.buf = append(w.buf, p...)
		return len(p), nil
	}
	w.vec = [2][]byte{w.buf, p}
	w.left = w.vec[:]
	n, err := w.left.WriteTo(w.w)
	w.broken = err != nil
	n = max(n-int64(len(w.buf)), 0)
	w.vec, w.buf = [2][]byte{}, w.buf[:0]
	return int(n), err
}

// head appends the request line and the headers (RFC 9112 § 3, § 5).
func (w *writer) head(req *http.Request) error {
	b := append(w.buf, req.Method...)
	b = append(b, ' ')
	b = append(b, req.URL.RequestURI()...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	host := req.Host
	if host == "" {
		host = req.URL.Host
	}
	b = append(b, host...)
	b = append(b, "\r\n"...)
	for name, values := range req.Header {
		for _, value := range values {
			if strings.ContainsAny(value, "\r\n\x00") {
				return fmt.Errorf("the header %s has a line break", name)
			}
			b = append(b, name...)
			b = append(b, ": "...)
			b = append(b, value...)
			b = append(b, "\r\n"...)
		}
	}
	if req.Body != nil {
		b = append(b, "Content-Length: "...)
		b = strconv.AppendInt(b, req.ContentLength, 10)
		b = append(b, "\r\n"...)
	}
	w.buf = append(b, "\r\n"...)
	return nil
}
