package listener

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// serveOn serves on l until the test ends.
func serveOn(t *testing.T, l *Listener, secure bool, handler http.Handler) {
	t.Helper()
	server := &http.Server{Handler: handler, ConnContext: Context, ConnState: State, MaxHeaderBytes: 128 << 10, ReadHeaderTimeout: time.Minute}
	serve := func() { _ = server.Serve(l) }
	if secure {
		certified := httptest.NewTLSServer(handler)
		server.TLSConfig = certified.TLS.Clone()
		certified.Close()
		serve = func() { _ = server.ServeTLS(l, "", "") }
	}
	var running sync.WaitGroup
	running.Go(serve)
	t.Cleanup(func() {
		_ = server.Close()
		running.Wait()
	})
}

// refusing is the answer to a header that does not fit into memory.
func refusing() *http.Response {
	return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Why": {"no room"}}, ContentLength: 2, Body: io.NopCloser(strings.NewReader("no"))}
}

// The refusal of a header that does not fit into the memory that is left arrives after the client has sent all of
// it.
func TestHeadersWithoutRoomAreRefused(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		inner, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		serveOn(t, New(inner, 100, 1<<10, refusing), secure, http.NotFoundHandler())
		c := dial(t, inner.Addr().String())
		if secure {
			c = tls.Client(c, &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // a test's own certificate
		}
		if _, err := fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: w\r\nX: %s\r\n\r\n", strings.Repeat("x", 200<<10)); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("TLS %v: %v", secure, err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable || !resp.Close || resp.Header.Get("Why") != "no room" || string(body) != "no" {
			t.Errorf("TLS %v: %d %v %s %v", secure, resp.StatusCode, resp.Header, body, err)
		}
	}
}

// Clients that send large headers and never finish them are closed when they take too much together, and no others are.
func TestUnfinishedHeadersAreBounded(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const bound = 1 << 20
	l := New(inner, 1000, bound, refusing)
	serveOn(t, l, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		busy := Track(r)
		defer busy.Done()
		fmt.Fprint(w, busy.Arrived)
	}))

	dial := func() net.Conn {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	get := func(header string) string {
		t.Helper()
		c := dial()
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: w\r\n%s\r\n", header)
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return err.Error()
		}
		text, _ := io.ReadAll(resp.Body)
		return string(text)
	}
	long := "X: " + strings.Repeat("x", 10<<10) + "\r\n"
	if got, want := get(long), len("GET / HTTP/1.1\r\nHost: w\r\n\r\n")+len(long); got != fmt.Sprint(want) {
		t.Errorf("%s bytes arrived, want %d", got, want)
	}
	if n := l.arrived.Load(); n != 0 {
		t.Errorf("%d bytes are counted while nothing arrives", n)
	}
	const flood = 200
	closed := make(chan struct{}, flood)
	clients := make([]net.Conn, flood)
	for i := range clients {
		c := dial()
		clients[i] = c
		go func() {
			fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: w\r\nX: %s", strings.Repeat("x", 32<<10))
			_, _ = c.Read(make([]byte, 1))
			closed <- struct{}{}
		}()
	}
	for range flood - bound/(28<<10) - 1 { // the others have room for all of theirs
		<-closed
	}
	for more := true; more; more = l.arrived.Load() > bound {
		if got := get(""); strings.Contains(got, "EOF") {
			t.Errorf("a small request: %s", got)
		}
	}
	for _, c := range clients {
		c.Close()
	}
	for l.arrived.Load() > 0 {
		get("")
	}
	if got := get(long); strings.Contains(got, "EOF") {
		t.Errorf("afterwards: %s", got)
	}
}
