package load

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/h1"
)

const (
	maxEvent    = 16 << 20
	maxHeadSize = 1 << 20
	// idleTimeout is longer than connections wait in a run: their server ends them.
	idleTimeout = 24 * time.Hour
)

// conn is one kept-alive connection, which sends the same request over and over. It is opened when it is needed, and once more if the
// server had closed it meanwhile.
type conn struct {
	plan   *Plan
	dest   *dest
	client *h1.Client
	sse    *sse.Reader
}

func newConn(p *Plan, d *dest) *conn {
	return &conn{plan: p, dest: d, client: h1.New(h1.Options{Dial: d.dial, IdleTimeout: idleTimeout, MaxIdle: 1, MaxHead: maxHeadSize, Refusal: p.Timeout})}
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

// dial opens a connection. Its error is a *dialError.
func (d *dest) dial(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: 10 * time.Second}
	nc, err := dialer.DialContext(ctx, "tcp", d.addr)
	if err != nil {
		return nil, &dialError{err}
	}
	if d.tls == nil {
		return nc, nil
	}
	secured := tls.Client(nc, d.tls)
	if err := secured.HandshakeContext(ctx); err != nil {
		nc.Close()
		return nil, &dialError{err}
	}
	return secured, nil
}

// close closes the connection, which no request uses.
func (c *conn) close() { c.client.Close() }

// call sends the request and reads the answer to its end.
func (c *conn) call(ctx context.Context, rec *recorder) (a answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.plan.Timeout)
	defer cancel()
	req := c.dest.request.WithContext(ctx)
	req.Body = payload(c.plan.Body)
	resp, err := c.client.RoundTrip(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	body := counted{resp.Body, &a.bytes}
	switch a.status = resp.StatusCode; {
	case a.status != http.StatusOK:
		err = a.refusal(body)
	case strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream"):
		err = c.stream(&a, body, rec)
	default:
		_, err = io.Copy(io.Discard, body)
	}
	return a, err
}

// payload is the body of every request. It implements h1.Pieces, and is never read otherwise.
type payload []byte

// Pieces implements h1.Pieces.
func (p payload) Pieces() [][]byte { return [][]byte{p} }

// Read implements io.Reader.
func (p payload) Read([]byte) (int, error) { return 0, io.EOF }

// Close implements io.Closer.
func (p payload) Close() error { return nil }

// counted adds to n what is read.
type counted struct {
	io.Reader
	n *int64
}

// Read implements io.Reader.
func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	*c.n += int64(n)
	return n, err
}
