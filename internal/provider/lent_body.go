package provider

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

// loan is a call's body in the hands of http.Transport, whose goroutines may go on reading it after the call is over. The
// body belongs to the caller's request, whose memory is used again, so it is taken back.
type loan struct {
	mu   sync.Mutex // guards over, and keeps it from changing during a read
	over bool
}

var errTakenBack = errors.New("the call is over")

// lend returns a copy of req whose bodies end when the loan does. They begin at the start: the request's own may have gone
// to a connection that turned out to be dead.
func lend(req *http.Request) (*http.Request, *loan, error) {
	l := new(loan)
	lent := *req
	lent.GetBody = func() (io.ReadCloser, error) {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		return &lentBody{body, l}, nil
	}
	var err error
	lent.Body, err = lent.GetBody()
	return &lent, l, err
}

// end takes the body back. No read is under way when it returns, and none comes.
func (l *loan) end() {
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
}

// lentBody reads the body. It has no WriteTo, which would hand out the body's own memory.
type lentBody struct {
	io.ReadCloser
	loan *loan
}

// Read implements io.Reader.
func (b *lentBody) Read(p []byte) (int, error) {
	b.loan.mu.Lock()
	defer b.loan.mu.Unlock()
	if b.loan.over {
		return 0, errTakenBack
	}
	return b.ReadCloser.Read(p)
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
