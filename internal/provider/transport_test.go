package provider

import (
	"bufio"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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

func TestTLS(t *testing.T) {
	t.Parallel()
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

// readH2Call reads frames until the request's last one and returns its stream, 0 if the connection ended.
func readH2Call(r *bufio.Reader) uint32 {
	for {
		head := make([]byte, 9)
		if _, err := io.ReadFull(r, head); err != nil {
			return 0
		}
		length := int(head[0])<<16 | int(head[1])<<8 | int(head[2])
		if _, err := r.Discard(length); err != nil {
			return 0
		}
		const data, headers, endStream = 0, 1, 1
		if (head[3] == data || head[3] == headers) && head[4]&endStream != 0 {
			return uint32(head[5])<<24 | uint32(head[6])<<16 | uint32(head[7])<<8 | uint32(head[8])
		}
	}
}

// An HTTP/2 server that goes away says which streams it will not serve; those are called again elsewhere.
func TestGoawayIsReplayed(t *testing.T) {
	t.Parallel()
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
		stream := readH2Call(r)
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
