// Package h1 is an HTTP/1.1 client for one origin that runs in the goroutine of its caller. http.Transport gives each
// connection two goroutines and passes every request and answer between them. That is the largest cost of relaying a
// small request; this client avoids it. Answers that are not of the plainest form are read by net/http's own parser, so that framing
// is judged as strictly as everywhere else.
package h1

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Options are the limits of a Client. All are required.
type Options struct {
	// Dial connects to the origin, TLS included. Its error is returned as it is.
	Dial func(context.Context) (net.Conn, error)

	IdleTimeout time.Duration // how long a connection may wait for its next request
	MaxIdle     int           // connections that wait
	MaxHead     int64         // bytes of an answer's status line and headers, interim answers included
	Refusal     time.Duration // after which the body of an answer that is not a 200 ends, with what came until then
}

// Client sends requests, each on a connection that it has for itself until its answer was read. It is an
// http.RoundTripper, safe for concurrent use.
type Client struct {
	Options

	mu    sync.Mutex  // guards what follows
	idle  []*conn     // the one used last is taken first
	sweep *time.Timer // closes those that waited too long; runs while there are any
	done  bool        // no connection is kept any more
}

// meetsWithin is how long it may take until a connection that was closed is known to be: some times the way there and back.
const meetsWithin = 5 * time.Second

// New makes a client without connections.
func New(o Options) *Client { return &Client{Options: o} }

// RoundTrip implements http.RoundTripper. It does not follow redirects and does not decompress. The request needs a
// ContentLength, or no body, and Pieces or GetBody if it has one; its header is only read. What ends the context ends the call and
// the reading of the answer.
//
// If the origin had already closed the connection, the request is sent once more on a fresh one, whatever its method.
// This is safe because the origin has not answered anything. That shows at once; an origin that had the request for
// longer than meetsWithin may have worked on it.
func (c *Client) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	conn := c.take()
	if conn == nil {
		return c.fresh(req, false)
	}
	began := time.Now()
	resp, err := conn.roundTrip(req)
	if err == nil {
		return resp, nil
	}
	var dead *deadError
	if !errors.As(err, &dead) {
		return nil, err
	}
	if time.Since(began) > meetsWithin {
		return nil, dead.cause
	}
	c.CloseIdleConnections() // they are likely as dead
	return c.fresh(req, true)
}

// fresh sends the request on a new connection; again says that it was sent before.
func (c *Client) fresh(req *http.Request, again bool) (*http.Response, error) {
	if again && req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		copied := *req
		copied.Body = body
		req = &copied
	}
	raw, err := c.Dial(req.Context())
	if err != nil {
		return nil, err
	}
	resp, err := newConn(c, raw).roundTrip(req)
	var dead *deadError
	if errors.As(err, &dead) {
		return nil, dead.cause
	}
	return resp, err
}

// take returns a living idle connection, or nil.
func (c *Client) take() *conn {
	now := time.Now()
	for {
		c.mu.Lock()
		last := len(c.idle) - 1
		if last < 0 {
			c.mu.Unlock()
			return nil
		}
		conn := c.idle[last]
		c.idle[last] = nil
		c.idle = c.idle[:last]
		c.mu.Unlock()
		if !c.expired(conn, now) && conn.quiet() {
			return conn
		}
		_ = conn.raw.Close() // nothing is lost with it
	}
}

func (c *Client) expired(conn *conn, now time.Time) bool {
	return now.Sub(conn.since) >= c.IdleTimeout
}

// put takes back a connection whose answer was read to its end.
func (c *Client) put(conn *conn) {
	conn.since = time.Now()
	c.mu.Lock()
	if len(c.idle) >= c.MaxIdle || c.done {
		c.mu.Unlock()
		_ = conn.raw.Close() // nothing is lost with it
		return
	}
	defer c.mu.Unlock()
	c.idle = append(c.idle, conn)
	switch {
	case c.sweep == nil:
		c.sweep = time.AfterFunc(c.IdleTimeout, c.closeExpired)
	case len(c.idle) == 1:
		c.sweep.Reset(c.IdleTimeout)
	}
}

// closeExpired closes the connections that have waited too long, and comes again as long as some wait.
func (c *Client) closeExpired() {
	now := time.Now()
	c.mu.Lock()
	n := 0 // connections that have waited longest come first
	for n < len(c.idle) && c.expired(c.idle[n], now) {
		n++
	}
	late := slices.Clone(c.idle[:n])
	c.idle = slices.Delete(c.idle, 0, n)
	if len(c.idle) > 0 {
		c.sweep.Reset(c.IdleTimeout/2 + 1)
	}
	c.mu.Unlock()
	for _, conn := range late { // closing may take a while
		_ = conn.raw.Close() // nothing is lost with it
	}
}

// CloseIdleConnections closes the connections that wait. Requests under way go on.
func (c *Client) CloseIdleConnections() {
	c.mu.Lock()
	idle := c.idle
	c.idle = nil
	c.mu.Unlock()
	for _, conn := range idle {
		_ = conn.raw.Close() // nothing is lost with it
	}
}

// Close closes the connections that wait, and from now on each when its answer was read. Requests go on to be served.
func (c *Client) Close() {
	c.mu.Lock()
	c.done = true
	c.mu.Unlock()
	c.CloseIdleConnections()
}
