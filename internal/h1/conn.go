package h1

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	readBuffer = 1 << 10 // of each connection; longer pieces of a body bypass it
	// aheadSize is how much of a body is read at once, if so much is there. In a burst each event of a stream is one chunk. One read, and one
	// write to the caller, should then carry many.
	aheadSize = 16 << 10
	// asideFrom is the size from which a goroutine sends the body. The socket's buffers may not hold it, and the origin may
	// answer or refuse before it has read everything.
	asideFrom = 64 << 10
	// sentPatience is how long the end of sending is waited for once the whole answer is here.
	sentPatience = 50 * time.Millisecond
)

var (
	errHeadTooLarge = errors.New("the upstream's headers are too large")
	errSwitched     = errors.New("the upstream wants to switch protocols, which Weir did not ask for")
	longAgo         = time.Unix(1, 0)
)

// deadError says that a connection broke before a byte of an answer came.
type deadError struct{ cause error }

// Error implements error.
func (e *deadError) Error() string { return e.cause.Error() }

// Unwrap gives the cause.
func (e *deadError) Unwrap() error { return e.cause }

// conn is one connection. One goroutine at a time has it.
type conn struct {
	client *Client
	raw    net.Conn
	peek   syscall.RawConn  // nil if the connection cannot be looked at
	look   func(fd uintptr) // sets silent
	cut    func()           // ends all reading and writing
	silent bool
	r      *bufio.Reader // reads from the conn itself, which counts bytes
	since  time.Time     // idle since

	fetch func(fd uintptr) bool // reads ahead if something is there; nil if the connection cannot be read so
	ahead *[aheadSize]byte      // from aheads: holds rest; nil without one
	rest  []byte                // was read ahead and is to be given to r
	late  error                 // of that read, for when rest is through

	headLeft int64 // bytes that may still be read of the head; negative once it is through
	got      bool  // a byte of the answer came
	out      writer
}

func newConn(c *Client, raw net.Conn) *conn {
	conn := &conn{client: c, raw: raw, peek: rawConn(raw)}
	conn.look = func(fd uintptr) { conn.silent = silent(fd) }
	if reads && conn.peek != nil && under(raw) == raw { // TLS has to see what comes
		conn.fetch = conn.fill
	}
	conn.cut = func() { _ = raw.SetDeadline(longAgo) } // a connection that is closed already needs none
	conn.r = bufio.NewReaderSize(conn, readBuffer)
	conn.out.w = raw
	return conn
}

// under is the connection that TLS runs on, or the connection itself.
func under(c net.Conn) net.Conn {
	if secure, ok := c.(interface{ NetConn() net.Conn }); ok {
		return secure.NetConn()
	}
	return c
}

// hangUp closes the connection without a good-bye: TLS waits up to five seconds to say it to an origin that does not listen.
func (c *conn) hangUp() { _ = under(c.raw).Close() } // nothing is lost with it

// Read reads from the connection. While the head is being read it counts, so that headers without end do not fill the
// memory.
func (c *conn) Read(p []byte) (int, error) {
	if c.headLeft == 0 {
		return 0, errHeadTooLarge
	}
	if c.headLeft > 0 && int64(len(p)) > c.headLeft {
		p = p[:c.headLeft]
	}
	if len(c.rest) > 0 {
		return c.giveRest(p)
	}
	if c.fetch != nil && c.headLeft < 0 && len(p) <= readBuffer {
		return c.readAhead(p)
	}
	n, err := c.raw.Read(p)
	if n > 0 {
		c.got = true
		if c.headLeft > 0 {
			c.headLeft -= int64(n)
		}
	}
	return n, err
}

// aheads are buffers to read ahead into, which belong to a connection for as long as something is in them.
var aheads = sync.Pool{New: func() any { return new([aheadSize]byte) }}

// readAhead waits for what comes, reads all that is there, and keeps what p has no room for. It borrows no buffer until something is there,
// because a stream may wait long for its next event.
func (c *conn) readAhead(p []byte) (int, error) {
	if err := c.peek.Read(c.fetch); err != nil {
		return 0, err
	}
	c.got = true
	return c.giveRest(p)
}

// giveRest gives what was read ahead.
func (c *conn) giveRest(p []byte) (n int, err error) {
	n = copy(p, c.rest)
	if c.rest = c.rest[n:]; len(c.rest) == 0 {
		err = c.late
		c.dropRest()
	}
	return n, err
}

// dropRest gives the buffer back. What is in it is lost.
func (c *conn) dropRest() {
	if c.ahead != nil {
		aheads.Put(c.ahead)
	}
	c.ahead, c.rest, c.late = nil, nil, nil
}

// roundTrip sends the request and reads the head of its answer. The connection then belongs to the answer's body; without
// a body, or after an error, roundTrip releases or closes it.
func (c *conn) roundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	c.got, c.headLeft = false, c.client.MaxHead
	call := body{conn: c, ctx: ctx, stop: context.AfterFunc(ctx, c.cut)}
	if req.ContentLength >= asideFrom {
		sent := make(chan error, 1)
		go func() { sent <- c.send(req) }()
		call.sent = sent
	} else {
		call.sendErr = c.send(req)
	}
	resp, answer, err := c.head(req)
	if err != nil {
		call.finish(false)
		return nil, c.failure(ctx, err, call.sendErr)
	}
	c.headLeft = -1
	*answer = call
	answer.keep = call.sendErr == nil && !resp.Close
	if resp.Body == http.NoBody {
		answer.finish(true)
		return resp, nil
	}
	answer.source = resp.Body
	resp.Body = answer
	if resp.StatusCode != http.StatusOK {
		answer.endIn(c.client.Refusal)
	}
	return resp, nil
}

// send sends the request. An origin that stops reading may still have answered. If the request cannot be sent for a reason
// of its own, the connection is closed too, because no answer will come.
func (c *conn) send(req *http.Request) error {
	err := c.out.request(req)
	if err != nil && !c.out.broken {
		c.hangUp()
	}
	return err
}

// head reads the head of the answer, and returns room for its body. Interim answers (RFC 9110 § 15.2) are passed over.
func (c *conn) head(req *http.Request) (*http.Response, *body, error) {
	if plain := plainHead(c.r, req); plain != nil {
		return &plain.Response, &plain.body, nil
	}
	for {
		resp, err := http.ReadResponse(c.r, req)
		switch {
		case err != nil:
			return nil, nil, err
		case resp.StatusCode == http.StatusSwitchingProtocols:
			return nil, nil, errSwitched
		case resp.StatusCode >= 200:
			return resp, new(body), nil
		}
	}
}

// failure says why no answer came: the end of the context comes first, then what happened to the request.
func (c *conn) failure(ctx context.Context, err, sendErr error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if c.headLeft == 0 {
		return errHeadTooLarge
	}
	if c.got {
		return fmt.Errorf("the upstream's answer cannot be read: %w", err)
	}
	if sendErr != nil {
		if !c.out.broken {
			return sendErr
		}
		err = sendErr
	}
	if errors.Is(err, io.ErrUnexpectedEOF) { // the parser returns this even if no byte came
		err = io.EOF
	}
	return &deadError{fmt.Errorf("the upstream closed the connection without an answer: %w", err)}
}

// body is an answer's body. Reading it to its end gives the connection back; Close before that ends it.
type body struct {
	conn   *conn
	ctx    context.Context //nolint:containedctx // it is the call's, and ends with the body
	source io.Reader       // if it is net/http's, it is not closed, because that would read an endless body to its end
	stop   func() bool     // ends the waiting for the context
	sent   chan error      // when the request is sent by a goroutine: how that went; nil once that is known

	sendErr error // error of sending the request
	keep    bool  // the connection may be used again
	timed   bool  // the connection has a deadline for reading
	over    bool
	err     error
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.over {
		return 0, b.err
	}
	n, err := b.source.Read(p)
	if err == nil {
		return n, nil
	}
	whole := err == io.EOF
	switch {
	case whole:
	case b.ctx.Err() != nil:
		err = context.Cause(b.ctx)
	case b.timed && errors.Is(err, os.ErrDeadlineExceeded):
		err = io.EOF
	}
	b.err = err
	b.finish(whole)
	return n, err
}

// endIn has the body end after d, if it has not before.
func (b *body) endIn(d time.Duration) {
	b.timed = true
	_ = b.conn.raw.SetReadDeadline(time.Now().Add(d)) // a connection that is closed already needs none
	if b.ctx.Err() != nil {
		_ = b.conn.raw.SetReadDeadline(longAgo) // which may just have been set, and is meant to last
	}
}

// Close implements io.Closer.
func (b *body) Close() error {
	if !b.over {
		b.err = http.ErrBodyReadAfterClose
		b.finish(false)
	}
	return nil
}

// finish is the end of the call: everything that it started has ended when it returns. whole says that the answer was
// read to its end.
func (b *body) finish(whole bool) {
	b.over = true
	c := b.conn
	reuse := b.stop() && whole && b.keep && c.r.Buffered() == 0 && len(c.rest) == 0 // once the context has ended a deadline is set
	c.dropRest()
	if reuse && b.sent != nil {
		// What is left of the request would be taken for the next one; the goroutine may just not have said yet that nothing is.
		_ = c.raw.SetWriteDeadline(time.Now().Add(sentPatience))
		b.sendErr, b.sent = <-b.sent, nil
		reuse = b.sendErr == nil && c.raw.SetWriteDeadline(time.Time{}) == nil
	}
	if reuse && b.timed {
		reuse = c.raw.SetReadDeadline(time.Time{}) == nil
	}
	if reuse {
		c.client.put(c)
		return
	}
	c.hangUp()
	if b.sent != nil {
		b.sendErr, b.sent = <-b.sent, nil
	}
}
