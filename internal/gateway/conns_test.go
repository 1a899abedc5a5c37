package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// serveConns serves handler behind a Listener for at most most connections, with requests tracked as the
// gateway does.
func serveConns(t testing.TB, most int, sparse time.Duration, handler http.HandlerFunc) string {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ConnContext: ConnContext, ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer track(r)()
		handler(w, r)
	})}
	var wg sync.WaitGroup
	listener := NewListener(inner, most)
	listener.sparse = sparse
	wg.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		_ = server.Close()
		wg.Wait()
	})
	return inner.Addr().String()
}

func dial(t testing.TB, addr string) net.Conn {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Many times more half-open connections than there are places must not keep a normal client out.
func TestFloodOfHalfOpenConnections(t *testing.T) {
	t.Parallel()
	const places = 20
	addr := serveConns(t, places, 0, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for i := range 10 * places {
		c := dial(t, addr)
		if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nX-Slow: "); err != nil && i < places {
			t.Fatal(err)
		}
		if i%10 != 0 {
			continue
		}
		resp, err := client.Get("http://" + addr)
		if err != nil {
			t.Fatalf("after %d half-open connections: %v", i+1, err)
		}
		_ = resp.Body.Close()
	}
}

// A running request is never cut to make room; further connections wait until one ends.
func TestConnectionsWithRequestsAreKept(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	begun := make(chan struct{}, 10)
	addr := serveConns(t, 2, time.Hour, func(w http.ResponseWriter, _ *http.Request) {
		begun <- struct{}{}
		<-release
		_, _ = io.WriteString(w, "ok")
	})
	const n = 5
	errs := make(chan error, n)
	for range n {
		go func() {
			resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get("http://" + addr)
			if err == nil {
				_ = resp.Body.Close()
			}
			errs <- err
		}()
	}
	<-begun
	<-begun
	if len(begun) != 0 {
		t.Error("more requests run than there are connections")
	}
	close(release)
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// After closeAfter the answer is whole and ends as usual, and then the connection closes.
func TestCloseAfter(t *testing.T) {
	t.Parallel()
	addr := serveConns(t, 10, time.Hour, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(w, "part")
		_ = http.NewResponseController(w).Flush()
		closeAfter(r)
	})
	c := dial(t, addr)
	fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n")
	all, err := io.ReadAll(bufio.NewReader(c))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(all); !strings.HasSuffix(got, "\r\n\r\n4\r\npart\r\n0\r\n\r\n") && strings.Count(got, "HTTP/1.1 200") != 1 {
		t.Errorf("%q", got)
	}
}

func TestListenerClose(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := NewListener(inner, 1)
	addr := inner.Addr().String()
	dial(t, addr)
	first, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	ctx := ConnContext(context.Background(), first)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://x", nil)
	if err != nil {
		t.Fatal(err)
	}
	track(r) // the only place is taken by a running request
	dial(t, addr)
	done := make(chan error)
	go func() {
		_, err := l.Accept()
		done <- err
	}()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil {
		t.Error("Accept went on after Close")
	}
	_ = first.Close()
}
