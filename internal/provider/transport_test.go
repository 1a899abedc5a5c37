package provider

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
)

// caFile writes the certificate of a test server where a config can name it.
func caFile(t testing.TB, s *httptest.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(path, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// needsHTTP2 skips a test where providers are called by HTTP/1.1 only.
func needsHTTP2(t *testing.T) {
	t.Helper()
	if !speaksHTTP2(runtime.Version()) {
		t.Skip("built with " + runtime.Version() + ", whose HTTP/2 client is not used")
	}
}

func TestSpeaksHTTP2(t *testing.T) {
	t.Parallel()
	for release, want := range map[string]bool{"go1.26.8": false, "go1.26.11": true, "go1.26.12": true, "go1.27": true, "go1.27.1": true, "devel go1.27-abcdef": false, "go1.25.20": false} {
		if got := speaksHTTP2(release); got != want {
			t.Errorf("%s: %v", release, got)
		}
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	needsHTTP2(t)
	up := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusOK) }))
	up.EnableHTTP2 = true
	up.StartTLS()
	defer up.Close()

	var unreachable *ConnectError
	if _, err := newProvider(t, config.Provider{Kind: "openai", BaseURL: up.URL}).Do(t.Context(), chatCall(t)); !errors.As(err, &unreachable) {
		t.Errorf("a certificate of nobody we know: %v", err)
	}
	resp, err := newProvider(t, config.Provider{Kind: "openai", BaseURL: up.URL, CAFile: caFile(t, up)}).Do(t.Context(), chatCall(t))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.ProtoMajor != 2 {
		t.Errorf("spoke HTTP/%d", resp.ProtoMajor)
	}
	if _, err := New(config.Provider{Kind: "openai", CAFile: "/nonexistent"}, identity); err == nil {
		t.Error("a missing ca_file passed")
	}
}

func TestProxy(t *testing.T) {
	t.Parallel()
	var asked atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.String())
		w.WriteHeader(http.StatusTeapot)
	}))
	defer proxy.Close()
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "http://upstream.invalid/v1", Proxy: secret.New(proxy.URL)})
	resp, err := p.Do(t.Context(), chatCall(t))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusTeapot || asked.Load() != "http://upstream.invalid/v1/chat/completions" {
		t.Errorf("%d %v", resp.StatusCode, asked.Load())
	}
}

// A name with letters beyond ASCII is looked up as DNS has it.
func TestInternationalName(t *testing.T) {
	t.Parallel()
	base, err := url.Parse("http://bücher.example/v1")
	if err != nil {
		t.Fatal(err)
	}
	var asked string
	nowhere := func(context.Context, string, string) (net.Conn, error) { return nil, errReplayed }
	dialer := &net.Dialer{Resolver: &net.Resolver{PreferGo: true, Dial: nowhere}}
	tr := newTransport(base, direct, &tls.Dialer{NetDialer: dialer, Config: new(tls.Config)})
	tr.std.DialContext = func(_ context.Context, _, addr string) (net.Conn, error) {
		asked = addr
		return nil, errReplayed
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := tr.RoundTrip(req); err == nil {
		_ = resp.Body.Close()
	}
	if asked != "xn--bcher-kva.example:80" {
		t.Errorf("connected to %q", asked)
	}
}

// listenRaw serves connections by hand; serve gets the number of the connection, from 1.
func listenRaw(t testing.TB, secure *tls.Config, serve func(n int, c net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for n := 1; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if secure != nil {
				c = tls.Server(c, secure)
			}
			go func() {
				defer c.Close()
				serve(n, c)
			}()
		}
	}()
	return l.Addr().String()
}

// readRequest reads one request whole and reports whether there was one.
func readRequest(r *bufio.Reader) bool {
	req, err := http.ReadRequest(r)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err == nil
}

const okAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

func get(t testing.TB, p *Provider) error {
	t.Helper()
	resp, err := p.Do(t.Context(), chatCall(t))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// A server that closes an idle connection just as the next call is written must not cost the caller an error.
func TestStaleConnectionIsReplayedOnce(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	addr := listenRaw(t, nil, func(n int, c net.Conn) {
		r := bufio.NewReader(c)
		for i := 1; readRequest(r); i++ {
			calls.Add(1)
			if n == 1 && i == 2 {
				return // the second call on the first connection is left without an answer
			}
			_, _ = io.WriteString(c, okAnswer)
		}
	})
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "http://" + addr})
	for range 2 {
		if err := get(t, p); err != nil {
			t.Fatal(err)
		}
	}
	if n := calls.Load(); n != 3 {
		t.Errorf("the upstream saw %d calls, want 2 and one replay", n)
	}
}

// A server that closes every connection on its second call is not called for ever.
func TestReplayEnds(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	addr := listenRaw(t, nil, func(n int, c net.Conn) {
		r := bufio.NewReader(c)
		for i := 1; readRequest(r); i++ {
			calls.Add(1)
			if n > 1 || i > 1 {
				return
			}
			_, _ = io.WriteString(c, okAnswer)
		}
	})
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "http://" + addr})
	if err := get(t, p); err != nil {
		t.Fatal(err)
	}
	if err := get(t, p); err == nil {
		t.Error("a call without an answer succeeded")
	}
	if n := calls.Load(); n != 3 {
		t.Errorf("the upstream saw %d calls, want 2 and one replay", n)
	}
}

// h2Frame writes one HTTP/2 frame (RFC 9113 § 4.1).
func h2Frame(w io.Writer, typ, flags byte, stream uint32, payload ...byte) {
	head := []byte{0, 0, byte(len(payload)), typ, flags, byte(stream >> 24), byte(stream >> 16), byte(stream >> 8), byte(stream)}
	_, _ = w.Write(append(head, payload...)) // the test fails elsewhere if this does
}

// readH2Call reads frames until the request's last one and returns its stream, 0 if the connection ended, and how long its
// body was.
func readH2Call(r *bufio.Reader) (stream uint32, body int) {
	for {
		head := make([]byte, 9)
		if _, err := io.ReadFull(r, head); err != nil {
			return 0, 0
		}
		length := int(head[0])<<16 | int(head[1])<<8 | int(head[2])
		if _, err := r.Discard(length); err != nil {
			return 0, 0
		}
		const data, headers, endStream = 0, 1, 1
		if head[3] == data {
			body += length
		}
		if (head[3] == data || head[3] == headers) && head[4]&endStream != 0 {
			return uint32(head[5])<<24 | uint32(head[6])<<16 | uint32(head[7])<<8 | uint32(head[8]), body
		}
	}
}

// An HTTP/2 server that goes away says which streams it will not serve; those are called again elsewhere.
func TestGoawayIsReplayed(t *testing.T) {
	t.Parallel()
	needsHTTP2(t)
	certificates := httptest.NewUnstartedServer(nil)
	certificates.StartTLS()
	defer certificates.Close()
	secure := &tls.Config{Certificates: certificates.TLS.Certificates, NextProtos: []string{"h2"}}
	var calls atomic.Int32
	addr := listenRaw(t, secure, func(n int, c net.Conn) {
		r := bufio.NewReader(c)
		if _, err := r.Discard(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")); err != nil {
			return
		}
		const data, headers, settings, goaway, endStream, endHeaders, status200 = 0, 1, 4, 7, 1, 4, 0x88
		h2Frame(c, settings, 0, 0)
		stream, _ := readH2Call(r)
		calls.Add(1)
		if n == 1 {
			h2Frame(c, goaway, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) // the last stream served is 0, no error
			_, _ = io.Copy(io.Discard, r)
			return
		}
		h2Frame(c, headers, endHeaders, stream, status200)
		h2Frame(c, data, endStream, stream, '{', '}')
		_, _ = io.Copy(io.Discard, r)
	})
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "https://" + addr, CAFile: caFile(t, certificates)})
	if err := get(t, p); err != nil {
		t.Fatal(err)
	}
	if n := calls.Load(); n != 2 {
		t.Errorf("the upstream saw %d calls, want one and its replay", n)
	}
}
