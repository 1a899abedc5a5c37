package shape

import (
	"io"
	"net/http"
	"sync"
	"testing"
)

// Handler is next, which serves the public API, with every answer of it held against the schema: what is wrong fails
// the test. Without the schema it is next itself. What answers after the test has ended is not judged.
func Handler(t testing.TB, next http.Handler) http.Handler {
	t.Helper()
	o := Beside(t)
	if o == nil {
		return next
	}
	fault := reporter(t)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := newAnswer(o, r, fault)
		tap := &tap{ResponseWriter: w, answer: a, broken: true} // until next returns
		defer func() { a.end(tap.broken || r.Context().Err() != nil) }()
		next.ServeHTTP(tap, r)
		tap.head(http.StatusOK)
		tap.broken = tap.failed
	})
}

// reporter fails the test until that is over.
func reporter(t testing.TB) func(error) {
	var mu sync.Mutex // guards over
	over := false
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
	})
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			t.Errorf("shape: %v", err)
		}
	}
}

// tap is a response that is judged as it is written.
type tap struct {
	http.ResponseWriter
	answer *answer
	failed bool // a write failed: the client is gone
	broken bool
}

func (t *tap) head(status int) { t.answer.head(status, t.Header()) }

// WriteHeader implements http.ResponseWriter.
func (t *tap) WriteHeader(status int) {
	t.head(status)
	t.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (t *tap) Write(p []byte) (int, error) {
	t.head(http.StatusOK)
	n, err := t.ResponseWriter.Write(p)
	t.failed = t.failed || err != nil
	t.answer.write(p[:n])
	return n, err
}

// Unwrap lets http.ResponseController find the server's own writer.
func (t *tap) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// Transport is next with every answer held against the schema, for tests that see the program from outside only.
// Without the schema it is next itself.
func Transport(t testing.TB, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	o := Beside(t)
	if o == nil {
		return next
	}
	return &transport{next: next, oracle: o, fault: reporter(t)}
}

type transport struct {
	next   http.RoundTripper
	oracle *Oracle
	fault  func(error)
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	a := newAnswer(t.oracle, r, t.fault)
	a.head(resp.StatusCode, resp.Header)
	resp.Body = &body{ReadCloser: resp.Body, answer: a}
	return resp, nil
}

// body is a response's body that is judged as it is read.
type body struct {
	io.ReadCloser
	answer *answer
	ended  bool
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.answer.write(p[:n])
	if err != nil && !b.ended {
		b.ended = true
		b.answer.end(err != io.EOF)
	}
	return n, err
}
