package provider

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/config"
)

// certificates are those of a test server, and where a config can name its authority.
func certificates(t testing.TB) ([]tls.Certificate, string) {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	defer s.Close()
	return s.TLS.Certificates, caFile(t, s)
}

// A provider that begins to speak HTTP/2 while a connection of HTTP/1.1 dies under a call gets that call whole.
func TestSwitchToHTTP2(t *testing.T) {
	t.Parallel()
	needsHTTP2(t)
	own, authority := certificates(t)
	whole := chatCall(t).Body.Len()
	var accepted atomic.Int32
	secure := &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		speaks := []string{"h2"}
		if accepted.Add(1) == 1 {
			speaks = []string{"http/1.1"}
		}
		return &tls.Config{Certificates: own, NextProtos: speaks}, nil
	}}
	addr := listenRaw(t, secure, func(n int, c net.Conn) {
		r := bufio.NewReader(c)
		if n == 1 {
			readRequest(r)
			_, _ = io.WriteString(c, okAnswer)
			readRequest(r) // and close without a word
			return
		}
		serveH2(c, r, func(n int) {
			if int64(n) != whole {
				t.Errorf("a body of %d bytes, want %d", n, whole)
			}
		})
	})
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "https://" + addr, CAFile: authority})
	for i := range 3 {
		if err := get(t, p); err != nil {
			t.Errorf("call %d: %v", i+1, err)
		}
	}
	if n := accepted.Load(); n != 2 {
		t.Errorf("%d connections", n)
	}
}

// serveH2 answers each call of a connection, and reports how long its body was.
func serveH2(c net.Conn, r *bufio.Reader, bodies func(length int)) {
	if _, err := r.Discard(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")); err != nil {
		return
	}
	const data, headers, settings, endStream, endHeaders, status200 = 0, 1, 4, 1, 4, 0x88
	h2Frame(c, settings, 0, 0)
	for {
		stream, body := readH2Call(r)
		if stream == 0 {
			return
		}
		bodies(body)
		h2Frame(c, headers, endHeaders, stream, status200)
		h2Frame(c, data, endStream, stream, '{', '}')
	}
}

// The first calls may open several connections at once. One that was not yet used is not kept: the provider would
// close it, and the call that got it would fail.
func TestFirstCallsAtOnce(t *testing.T) {
	t.Parallel()
	needsHTTP2(t)
	own, authority := certificates(t)
	addr := listenRaw(t, &tls.Config{Certificates: own, NextProtos: []string{"h2"}}, func(_ int, c net.Conn) {
		serveH2(c, bufio.NewReader(c), func(int) {})
	})
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "https://" + addr, CAFile: authority})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if err := get(t, p); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(p.connections.transport().handed) > 0 {
		t.Error("a connection is left on which nobody speaks")
	}
}

// The same holds if the call that opened the connection has ended before it could use it.
func TestNobodyTakesTheFirstConnection(t *testing.T) {
	t.Parallel()
	needsHTTP2(t)
	own, authority := certificates(t)
	closed := make(chan struct{})
	addr := listenRaw(t, &tls.Config{Certificates: own, NextProtos: []string{"h2"}}, func(_ int, c net.Conn) {
		_, _ = c.Read(make([]byte, 1))
		close(closed)
	})
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "https://" + addr, CAFile: authority})
	if _, err := p.connections.transport().lean.Dial(t.Context()); !errors.Is(err, errHTTP2) {
		t.Fatal(err)
	}
	<-closed
}

// A transport that must not speak HTTP/2 does not do so through a proxy either.
func TestNoHTTP2BehindAProxy(t *testing.T) {
	t.Parallel()
	up := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	up.EnableHTTP2 = true
	up.StartTLS()
	defer up.Close()
	proxy := listenRaw(t, nil, func(_ int, c net.Conn) {
		r := bufio.NewReader(c)
		if _, err := http.ReadRequest(r); err != nil {
			return
		}
		to, err := net.Dial("tcp", up.Listener.Addr().String())
		if err != nil {
			return
		}
		defer to.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(to, r) }()
		_, _ = io.Copy(c, to)
	})
	base, err := url.Parse(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	for want, speaks := range [][]string{1: {"http/1.1"}, 2: {"h2", "http/1.1"}} {
		if speaks == nil {
			continue
		}
		via := http.ProxyURL(&url.URL{Scheme: "http", Host: proxy})
		secure := up.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
		secure.NextProtos = speaks
		tr := newTransport(base, via, &tls.Dialer{NetDialer: new(net.Dialer), Config: secure})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, up.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := tr.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.ProtoMajor != want {
			t.Errorf("%v: spoke HTTP/%d", speaks, resp.ProtoMajor)
		}
		tr.close()
	}
}
