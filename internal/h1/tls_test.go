package h1

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// corked holds back what is written until its owner reads, so that several records arrive at once.
type corked struct {
	net.Conn
	out *bufio.Writer
}

// Write implements io.Writer.
func (c corked) Write(b []byte) (int, error) { return c.out.Write(b) }

// Read implements io.Reader.
func (c corked) Read(b []byte) (int, error) {
	if err := c.out.Flush(); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// secured is an origin that speaks TLS, and a client that trusts it.
func secured(t *testing.T, serve func(n int, c net.Conn, r *bufio.Reader)) (*origin, *Client) {
	t.Helper()
	certificates := httptest.NewUnstartedServer(nil)
	certificates.StartTLS()
	t.Cleanup(certificates.Close)
	config := &tls.Config{Certificates: certificates.TLS.Certificates, DynamicRecordSizingDisabled: true}
	o := listen(t, func(n int, c net.Conn, _ *bufio.Reader) {
		secure := tls.Server(corked{c, bufio.NewWriterSize(c, 64<<10)}, config)
		serve(n, secure, bufio.NewReader(secure))
	})
	roots := x509.NewCertPool()
	roots.AddCert(certificates.Certificate())
	c := o.client(t)
	c.Dial = func(ctx context.Context) (net.Conn, error) {
		d := tls.Dialer{Config: &tls.Config{RootCAs: roots, ServerName: "example.com"}}
		return d.DialContext(ctx, "tcp", o.addr)
	}
	return o, c
}

// Data that an origin sends after its answer is never taken for the answer to the next call. It may wait in the
// socket, or TLS may have read it ahead.
func TestMoreBehindAnAnswer(t *testing.T) {
	t.Parallel()
	stray := "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"
	long := "HTTP/1.1 200 OK\r\nContent-Length: 8192\r\n\r\n" + strings.Repeat("l", 8<<10)
	for name, tt := range map[string]struct {
		records []string
		reused  bool
	}{
		"nothing":                    {[]string{hello}, true},
		"nothing, behind a long one": {[]string{long}, true},
		"in the same record":         {[]string{hello + stray}, false},
		"in the same, a long one":    {[]string{long + stray}, false},
		"in a record of its own":     {[]string{hello, stray}, false},
		"in its own, a long one":     {[]string{long, stray}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, c := secured(t, func(n int, c net.Conn, r *bufio.Reader) {
				for i := 0; ; i++ {
					if _, ok := take(r); !ok {
						return
					}
					if n > 1 || i > 0 {
						say(c, hello)
						continue
					}
					for _, record := range tt.records {
						say(c, record)
					}
				}
			})
			resp, err := c.RoundTrip(post(t.Context(), "x"))
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.ReadFull(resp.Body, make([]byte, 64<<10)) // large, so that nothing is read ahead of the answer's end
			if !errors.Is(err, io.ErrUnexpectedEOF) || int64(n) != resp.ContentLength {
				t.Fatalf("%d bytes, %v", n, err)
			}
			for range 2 {
				if _, text, err := call(t, c, "x"); text != "hello" || err != nil {
					t.Fatalf("the call behind it: %q %v", text, err)
				}
			}
			if n := o.opened.Load(); (n == 1) != tt.reused {
				t.Errorf("%d connections", n)
			}
		})
	}
}

// A call may be abandoned or answered early while the connection can no longer send. It then ends at once, although TLS
// would wait five seconds to say goodbye.
func TestNoGoodByeToTheDeaf(t *testing.T) {
	t.Parallel()
	certificates := httptest.NewUnstartedServer(nil)
	certificates.StartTLS()
	defer certificates.Close()
	for name, tt := range map[string]struct {
		answer string // given before the origin goes deaf
		size   int    // of the body
		within time.Duration
	}{
		"given up in a small upload": {"", asideFrom - 1, 0},
		"given up in a large upload": {"", asideFrom + 1, 0},
		"given up in the answer":     {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", asideFrom + 1, 0},
		"answered early":             {hello, asideFrom + 1, sentPatience},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				deaf := make(chan struct{})
				go func() {
					defer theirs.Close()
					secure := tls.Server(theirs, &tls.Config{Certificates: certificates.TLS.Certificates})
					_, _ = http.ReadRequest(bufio.NewReaderSize(secure, 16))
					say(secure, tt.answer)
					<-deaf
				}()
				c := New(Options{
					Dial: func(ctx context.Context) (net.Conn, error) {
						secure := tls.Client(ours, &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // of a test
						return secure, secure.HandshakeContext(ctx)
					},
					IdleTimeout: time.Minute, MaxIdle: 1, MaxHead: 1 << 10, Refusal: time.Minute,
				})
				const patience = time.Second
				ctx, cancel := context.WithTimeoutCause(t.Context(), patience, errEnough)
				defer cancel()
				start := time.Now()
				resp, err := c.RoundTrip(post(ctx, strings.Repeat("b", tt.size)))
				if err == nil {
					_, err = io.ReadAll(resp.Body)
				}
				want := patience
				if tt.within > 0 {
					want = tt.within
				} else if !errors.Is(err, errEnough) {
					t.Error(err)
				}
				if took := time.Since(start); took != want {
					t.Errorf("it took %v, want %v", took, want)
				}
				close(deaf)
			})
		})
	}
}
