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

// gather is how much is joined before it is written: a head and a small body go out in one piece; larger pieces are not
// copied.
const gather = 4 << 10

// heads are buffers of requests being written.
var heads = sync.Pool{New: func() any { return new([gather]byte) }}

// Pieces is a body that is in memory already. Its pieces are not changed as long as the request is being sent, and can be sent again.
type Pieces interface {
	Pieces() [][]byte
}

// writer writes requests. Its buffer belongs to it only while it does.
type writer struct {
	w      net.Conn
	broken bool // writing to w failed
	buf    []byte
	vec    [][]byte // what is written at once
	few    [4][]byte
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
	switch body := req.Body.(type) {
	case nil:
	case Pieces:
		if err := w.gather(body.Pieces(), req.ContentLength); err != nil {
			return err
		}
	default:
		n, err := io.Copy(w, body)
		if err != nil {
			return err
		}
		if n != req.ContentLength {
			return wrongLength(n, req.ContentLength)
		}
	}
	return w.flush()
}

func wrongLength(n, announced int64) error {
	return fmt.Errorf("the body has %d bytes, not the %d that were announced", n, announced)
}

// gather prepares the pieces of a body to be written with the head, in one system call. Short ones are copied.
func (w *writer) gather(pieces [][]byte, announced int64) error {
	length, from := int64(0), 0
	for _, p := range pieces {
		length += int64(len(p))
		if len(w.buf)+len(p) <= cap(w.buf) {
			w.buf = append(w.buf, p...)
			continue
		}
		if w.vec == nil {
			w.vec = w.few[:0]
		}
		w.vec = append(w.vec, w.buf[from:], p)
		from = len(w.buf)
	}
	if length != announced {
		return wrongLength(length, announced)
	}
	if len(w.vec) > 0 && from < len(w.buf) {
		w.vec = append(w.vec, w.buf[from:])
	}
	return nil
}

// flush writes what was gathered, and what is in the buffer.
func (w *writer) flush() (err error) {
	if len(w.vec) > 0 {
		w.left = w.vec
		_, err = w.left.WriteTo(w.w)
		w.vec, w.few = nil, [4][]byte{}
	} else if len(w.buf) > 0 {
		_, err = w.w.Write(w.buf)
	}
	w.broken = w.broken || err != nil
	return err
}

// Write implements io.Writer for the pieces of a body.
func (w *writer) Write(p []byte) (int, error) {
	if len(w.buf)+len(p) <= cap(w.buf) {
		w.buf = append(w.buf, p...)
		return len(p), nil
	}
	w.few[0], w.few[1] = w.buf, p
	w.left = w.few[:2]
	n, err := w.left.WriteTo(w.w)
	w.broken = err != nil
	n = max(n-int64(len(w.buf)), 0)
	w.few, w.buf = [4][]byte{}, w.buf[:0]
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
