package listener

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/memory"
)

// serveConns serves handler with a Listener for at most most connections, and tracks requests as the gateway does.
func serveConns(t testing.TB, most int, sparse time.Duration, handler http.HandlerFunc) string {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ConnContext: Context, ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer Track(r).Done()
		handler(w, r)
	})}
	var wg sync.WaitGroup
	listener := New(inner, most, memory.Unlimited, nil)
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
		CloseAfter(r)
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
	l := New(inner, 1, memory.Unlimited, nil)
	addr := inner.Addr().String()
	dial(t, addr)
	first, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	ctx := Context(context.Background(), first)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://x", nil)
	if err != nil {
		t.Fatal(err)
	}
	Track(r) // the only place is taken by a running request
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

// A connection that waits for a place does not keep the listener from being closed: who waits is woken.
func TestClosingWakesWhoWaitsForAPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		from := make(arrivals)
		l := New(from, 1, memory.Unlimited, nil)
		accepted := make(chan error)
		accept := func() {
			c, err := l.Accept()
			if err == nil { // the only place is taken by a running request
				Track(httptest.NewRequest(http.MethodGet, "/", http.NoBody).WithContext(Context(t.Context(), c)))
			}
			accepted <- err
		}
		go accept()
		from.come(t, "203.0.113.7")
		if err := <-accepted; err != nil {
			t.Fatal(err)
		}
		go accept()
		second := from.come(t, "203.0.113.8")
		synctest.Wait() // until it waits
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		select {
		case err := <-accepted:
			if !errors.Is(err, net.ErrClosed) {
				t.Errorf("Accept says %v", err)
			}
		default:
			t.Fatal("Accept waits on")
		}
		if _, err := second.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("the connection that waited is still open: %v", err)
		}
	})
}

// What makes room for a new connection is closed, so that its client hears of it.
func TestConnectionsThatMakeRoomAreClosed(t *testing.T) {
	t.Parallel()
	from := make(arrivals)
	l := New(from, 1, memory.Unlimited, nil)
	l.sparse = 0
	accepted := make(chan error)
	accept := func() {
		_, err := l.Accept()
		accepted <- err
	}
	go accept()
	first := from.come(t, "203.0.113.7")
	if err := <-accepted; err != nil {
		t.Fatal(err)
	}
	go accept()
	second := from.come(t, "203.0.113.8")
	if err := <-accepted; err != nil {
		t.Fatal(err)
	}
	if _, err := first.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the first is still open: %v", err)
	}
	_ = second.SetReadDeadline(time.Now())
	if _, err := second.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the second: %v", err)
	}
}

// unclosable is a listener that cannot be closed.
type unclosable struct{ arrivals }

func (unclosable) Close() error { return errors.ErrUnsupported }

func TestListenerCloseTellsWhatFailed(t *testing.T) {
	t.Parallel()
	if err := New(unclosable{}, 1, memory.Unlimited, nil).Close(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Close says %v", err)
	}
}

// arrivals is a listener whose connections come from where the test says.
type arrivals chan net.Conn

func (a arrivals) Accept() (net.Conn, error) {
	if c, ok := <-a; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (a arrivals) Close() error { return nil }

func (a arrivals) Addr() net.Addr { return &net.TCPAddr{} }

type remote struct {
	net.Conn
	addr net.Addr
}

func (r remote) RemoteAddr() net.Addr { return r.addr }

// come lets a connection from address arrive and returns the client's end of it.
func (a arrivals) come(t *testing.T, address string) net.Conn {
	t.Helper()
	client, server := net.Pipe()
	t.Cleanup(func() { _, _ = client.Close(), server.Close() })
	a <- remote{server, net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(address), 4711))}
	return client
}

// One public address gets no more than half of the connections; what it opens beyond that is closed without waiting,
// and without making others wait.
func TestShareOfOneAddress(t *testing.T) {
	t.Parallel()
	for mine, theirs := range map[string]string{
		"203.0.113.7":        "203.0.113.8",
		"::ffff:203.0.113.7": "203.0.113.8",
		"2001:db8:1:2::7":    "2001:db8:1:3::7",
	} {
		a := make(arrivals, 10)
		l := New(a, 6, memory.Unlimited, nil)
		accept := func(from string) net.Conn {
			t.Helper()
			c, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			if got := c.RemoteAddr().(*net.TCPAddr).AddrPort().Addr(); got != netip.MustParseAddr(from) {
				t.Fatalf("accepted %s, not %s", got, from)
			}
			return c
		}
		var first net.Conn
		for range 3 {
			a.come(t, mine)
			first = accept(mine)
		}
		for range 3 {
			refused := a.come(t, mine)
			a.come(t, theirs)
			accept(theirs)
			if _, err := refused.Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("the fourth connection of %s: %v", mine, err)
			}
		}
		_ = first.Close()
		_ = first.Close() // counts once
		a.come(t, mine)
		accept(mine)
		if got := len(l.held); got != 2 || l.open != 6 {
			t.Errorf("%d sources, %d connections are held", got, l.open)
		}
	}
}

// An address that may be a proxy may use all connections; one connection is enough for each other client.
func TestNoShareForProxies(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"127.0.0.1", "::1", "10.1.2.3", "192.168.1.1", "fd00::1", "fe80::1%eth0", "169.254.0.1"} {
		a := make(arrivals, 10)
		l := New(a, 4, memory.Unlimited, nil)
		for range 4 {
			a.come(t, address)
			if _, err := l.Accept(); err != nil {
				t.Fatal(err)
			}
		}
		if l.open != 4 || len(l.held) != 0 {
			t.Errorf("%s: %d connections, %d sources", address, l.open, len(l.held))
		}
	}
	a := make(arrivals, 1)
	a.come(t, "203.0.113.7")
	if _, err := New(a, 1, memory.Unlimited, nil).Accept(); err != nil {
		t.Error(err)
	}
}
