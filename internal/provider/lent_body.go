package provider

import (
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/weirproxy/weir/internal/dialect"
)

// loan is a call's body in the hands of http.Transport, whose goroutines may go on reading it after the call is over. The
// body belongs to the caller's request, whose memory is used again, so it is taken back.
type loan struct {
	transport *transport
	body      dialect.Body

	mu    sync.Mutex // guards what follows, and keeps it from changing during a read
	begun int        // how often the body has begun to be sent
	over  bool
}

var (
	errTakenBack = errors.New("the call is over")
	errReplayed  = errors.New("the upstream closed the connection, and once more when the call was repeated")
)

// lend returns a copy of req whose bodies end when the loan does.
func (t *transport) lend(req *http.Request, body dialect.Body) (*http.Request, *loan) {
	l := &loan{transport: t, body: body}
	lent := *req
	lent.Body, lent.GetBody = &lentBody{loan: l}, func() (io.ReadCloser, error) { return &lentBody{loan: l}, nil }
	return &lent, l
}

// end takes the body back. No read is under way when it returns, and none comes.
func (l *loan) end() {
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
}

// begin counts a body that begins to be sent. The transport may ask for one without sending it, so it is the first read that counts.
// The second time, other idle connections are closed first, because they are likely as dead as the one that failed. There is no third
// time. The lock is held.
func (l *loan) begin() error {
	switch l.begun++; l.begun {
	case 1:
		return nil
	case 2:
		l.transport.CloseIdleConnections()
		return nil
	default:
		return errReplayed
	}
}

// lentBody reads the body from its start. It has no WriteTo, which would hand out the body's own memory.
type lentBody struct {
	loan   *loan
	reader io.Reader // made by the first read
}

// Close implements io.Closer. The body is in memory.
func (b *lentBody) Close() error { return nil }

// Read implements io.Reader.
func (b *lentBody) Read(p []byte) (int, error) {
	b.loan.mu.Lock()
	defer b.loan.mu.Unlock()
	if b.loan.over {
		return 0, errTakenBack
	}
	if b.reader == nil {
		if err := b.loan.begin(); err != nil {
			return 0, err
		}
		b.reader = b.loan.body.Reader()
	}
	return b.reader.Read(p)
}

// borrowed is the answer to a call whose body was lent: the loan ends with it.
type borrowed struct {
	io.ReadCloser
	loan *loan
}

// Close implements io.Closer.
func (b *borrowed) Close() error {
	defer b.loan.end()
	return b.ReadCloser.Close()
}
