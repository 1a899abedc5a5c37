package load

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/dialect/sse"
)

const (
	maxEvent    = 16 << 20
	headBuffer  = 8 << 10
	maxHeadSize = 1 << 20
)

// errTooMuchHead and errNotHTTP are answers that cannot be read.
var (
	errTooMuchHead = errors.New("the answer's headers do not end")
	errNotHTTP     = errors.New("the answer is not HTTP/1.1")
)

// conn is one kept-alive connection, which sends the same bytes over and over. It is opened when it is needed. It only
// looks for the end of answers, so that the load costs little compared with the server.
type conn struct {
	plan *Plan
	dest *dest
	nc   net.Conn
	br   *bufio.Reader
	used bool // an answer came over it, so that the server may close it as idle
	body body
	sse  *sse.Reader
}

// answer is what one request brought.
type answer struct {
	status  int
	code    string // code of an error in the usual shape
	message string
	first   time.Time // time of the first token, zero without one
	events  int
	bytes   int64
}

// head is what counts of an answer's headers.
type head struct {
	status  int
	length  int64 // -1 without a Content-Length
	chunked bool
	close   bool
	stream  bool
}

func (c *conn) open(ctx context.Context) error {
	if c.nc != nil {
		return nil
	}
	dialer := net.Dialer{Timeout: 10 * time.Second}
	nc, err := dialer.DialContext(ctx, "tcp", c.dest.addr)
	if err != nil {
		return err
	}
	if c.dest.tls != nil {
		secured := tls.Client(nc, c.dest.tls)
		if err := secured.HandshakeContext(ctx); err != nil {
			nc.Close()
			return err
		}
		nc = secured
	}
	c.nc, c.used = nc, false
	if c.br == nil {
		c.br = bufio.NewReaderSize(nc, headBuffer)
	}
	c.br.Reset(nc)
	return nil
}

func (c *conn) close() {
	if c.nc != nil {
		c.nc.Close()
		c.nc = nil
	}
}

// call sends the request and reads the answer to its end. A kept-alive connection that the server had closed meanwhile
// is replaced once.
func (c *conn) call(ctx context.Context, rec *recorder) (answer, error) {
	for {
		if err := c.open(ctx); err != nil {
			return answer{}, &dialError{err}
		}
		stop := context.AfterFunc(ctx, c.cut(c.nc))
		a, begun, err := c.exchange(rec)
		stop()
		if err == nil {
			c.used = true
			return a, nil
		}
		stale := c.used && !begun && ctx.Err() == nil && !errors.Is(err, context.DeadlineExceeded) && !isTimeout(err)
		c.close()
		if !stale {
			return a, err
		}
	}
}

// cut ends what waits for the connection. The connection itself is closed by its owner.
func (c *conn) cut(nc net.Conn) func() {
	return func() { _ = nc.SetDeadline(time.Unix(1, 0)) }
}

// exchange is one request and its answer. begun says that something of the answer came.
func (c *conn) exchange(rec *recorder) (a answer, begun bool, err error) {
	if err := c.nc.SetDeadline(time.Now().Add(c.plan.Timeout)); err != nil {
		return a, false, err
	}
	_, writeErr := c.nc.Write(c.dest.request) // a refusal may have been sent before the whole was read
	if _, err := c.br.Peek(1); err != nil {
		if writeErr != nil {
			err = writeErr
		}
		return a, false, err
	}
	h, err := c.head()
	if err != nil {
		return a, true, err
	}
	a.status = h.status
	c.body = body{br: c.br, left: h.length, chunked: h.chunked}
	switch {
	case h.status != 200:
		err = c.refusal(&a)
	case h.stream:
		err = c.stream(&a, rec)
	default:
		_, err = c.body.discard()
	}
	a.bytes = c.body.read
	if err == nil && (h.close || writeErr != nil || !h.chunked && h.length < 0) {
		c.close()
	}
	return a, true, err
}

// head reads the status line and the headers, interim answers skipped.
func (c *conn) head() (head, error) {
	for {
		h, err := c.oneHead()
		if err != nil || h.status >= 200 {
			return h, err
		}
	}
}

func (c *conn) oneHead() (head, error) {
	line, err := c.br.ReadSlice('\n')
	if err != nil {
		return head{}, err
	}
	h := head{length: -1}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.")) {
		return head{}, errNotHTTP
	}
	if h.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return head{}, errNotHTTP
	}
	for size := 0; ; size += len(line) {
		line, err = c.br.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) || size > maxHeadSize {
			return head{}, errors.Join(errTooMuchHead, err)
		}
		line := bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return h, nil
		}
		if err := h.header(line); err != nil {
			return head{}, err
		}
	}
}

// header notes one header line if it matters.
func (h *head) header(line []byte) error {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch len(name) {
	case len("content-length"):
		if bytes.EqualFold(name, []byte("content-length")) {
			n, err := strconv.ParseInt(string(value), 10, 64)
			if err != nil || n < 0 {
				return fmt.Errorf("the answer's Content-Length is %q", value)
			}
			h.length = n
		}
	case len("content-type"):
		if bytes.EqualFold(name, []byte("content-type")) {
			h.stream = bytes.HasPrefix(value, []byte("text/event-stream"))
		}
	case len("connection"):
		if bytes.EqualFold(name, []byte("connection")) {
			h.close = bytes.EqualFold(value, []byte("close"))
		}
	case len("transfer-encoding"):
		if bytes.EqualFold(name, []byte("transfer-encoding")) {
			h.chunked = bytes.EqualFold(value, []byte("chunked"))
		}
	}
	return nil
}

// body is an answer's body without its framing.
type body struct {
	br      *bufio.Reader
	left    int64 // bytes left of the body, or of the chunk; -1: until the connection ends
	chunked bool
	begun   bool // a chunk's size was read
	ended   bool
	read    int64
}

// Read implements io.Reader. It returns what is there, without waiting for more.
func (b *body) Read(p []byte) (int, error) {
	if err := b.next(); err != nil {
		return 0, err
	}
	if b.left >= 0 {
		p = p[:min(int64(len(p)), b.left)]
	}
	n, err := b.br.Read(p)
	b.took(int64(n))
	return n, b.early(err)
}

func (b *body) took(n int64) {
	b.read += n
	if b.left >= 0 {
		b.left -= n
	}
}

// early reports the end of a connection that cuts the body off.
func (b *body) early(err error) error {
	if err == io.EOF && (b.left >= 0 || b.chunked) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// next makes sure that there is something to read; io.EOF is the body's end.
func (b *body) next() error {
	if b.ended {
		return io.EOF
	}
	if b.chunked && (b.left == 0 || !b.begun) {
		if err := b.chunk(); err != nil {
			return b.early(err)
		}
	}
	if b.left == 0 {
		b.ended = true
		return io.EOF
	}
	return nil
}

// chunk reads the line with the next chunk's size, and after the last one what follows it.
func (b *body) chunk() error {
	if b.begun {
		if _, err := b.br.Discard(2); err != nil {
			return err
		}
	}
	b.begun = true
	line, err := b.br.ReadSlice('\n')
	if err != nil {
		return err
	}
	size, _, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(";"))
	n, err := strconv.ParseInt(string(bytes.TrimSpace(size)), 16, 62)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no size of a chunk", size)
	}
	b.left = n
	for n == 0 { // trailers
		line, err := b.br.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			return nil
		}
	}
	return nil
}

// discard reads the body to its end.
func (b *body) discard() (int64, error) {
	for {
		if err := b.next(); err != nil {
			if err == io.EOF {
				err = nil
			}
			return b.read, err
		}
		want := b.left
		if want < 0 {
			want = headBuffer
		}
		n, err := b.br.Discard(int(min(want, 1<<30)))
		b.took(int64(n))
		if err != nil {
			if err = b.early(err); err == io.EOF {
				err = nil
			}
			return b.read, err
		}
	}
}
