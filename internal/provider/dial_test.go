package provider

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/dial/dnstest"
	"github.com/weirproxy/weir/internal/secret"
)

// Whatever a provider's connections are made for, they are made by the dialer that refuses link-local addresses.
func TestEveryConnectionIsGuarded(t *testing.T) {
	t.Parallel()
	const metadata = "169.254.169.254"
	for name, cfg := range map[string]config.Provider{
		"plain":              {BaseURL: "http://" + metadata + "/v1"},
		"with TLS":           {BaseURL: "https://" + metadata + "/v1"},
		"mapped into IPv6":   {BaseURL: "http://[::ffff:" + metadata + "]/v1"},
		"link-local IPv6":    {BaseURL: "http://[fe80::1%25lo]/v1"},
		"of a cloud in IPv6": {BaseURL: "http://[fd00:ec2::254]/v1"},
		"a proxy":            {BaseURL: "http://upstream.invalid/v1", Proxy: secret.New("http://" + metadata + ":3128")},
		"a proxy with TLS":   {BaseURL: "http://upstream.invalid/v1", Proxy: secret.New("https://" + metadata + ":3128")},
		"a proxy to TLS":     {BaseURL: "https://upstream.invalid/v1", Proxy: secret.New("http://" + metadata + ":3128")},
		"a SOCKS proxy":      {BaseURL: "https://upstream.invalid/v1", Proxy: secret.New("socks5://" + metadata + ":1080")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg.Kind = "openai"
			p := newProvider(t, cfg)
			var refused *dial.RefusedError
			var unsent *ConnectError
			if _, err := p.Do(t.Context(), chatCall(t)); !errors.As(err, &refused) || !errors.As(err, &unsent) {
				t.Errorf("a call: %v", err)
			}
			if _, err := p.Models(t.Context()); !errors.As(err, &refused) {
				t.Errorf("the list of models: %v", err)
			}
		})
	}
}

// at listens on a loopback address and a port, and answers with a text.
func at(t *testing.T, addr, text string) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Skipf("this machine has no second loopback address: %v", err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
	_ = s.Listener.Close() // the one that it came with
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// A provider whose name moves to another address is followed, though its connections never rest.
func TestConnectionsFollowTheirName(t *testing.T) {
	t.Parallel()
	port := at(t, "127.0.0.1:0", "old")
	at(t, "127.0.0.2:"+port, "new")
	var address atomic.Value
	address.Store(netip.MustParseAddr("127.0.0.1"))
	resolver := dnstest.Resolver(t, func() []netip.Addr { return []netip.Addr{address.Load().(netip.Addr)} })
	p, err := NewWith(config.Provider{Name: "p", Kind: "openai", BaseURL: "http://moving.test:" + port}, identity, dial.New(resolver), direct)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	now := time.Now()
	p.connections.now = func() time.Time { return now }
	answered := func(want string) {
		t.Helper()
		resp, err := p.Do(t.Context(), chatCall(t))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if got, err := io.ReadAll(resp.Body); err != nil || string(got) != want {
			t.Errorf("answered by the %s server, not the %s: %v", got, want, err)
		}
	}
	answered("old")
	address.Store(netip.MustParseAddr("127.0.0.2"))
	answered("old") // on the connection that is there
	now = now.Add(dial.MaxAge)
	answered("new")
	address.Store(netip.MustParseAddr("169.254.169.254"))
	answered("new")
	now = now.Add(dial.MaxAge)
	var refused *dial.RefusedError
	if _, err := p.Do(t.Context(), chatCall(t)); !errors.As(err, &refused) {
		t.Errorf("a name that moved to the metadata service: %v", err)
	}
}

// Connections that have come of age are closed when their last call ends, not before.
func TestOldConnectionsEnd(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var open atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 64))
		w.(http.Flusher).Flush()
		<-release
	}))
	closed := make(chan struct{}, 1)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed:
			open.Add(-1)
			closed <- struct{}{}
		}
	}
	s.Start()
	defer s.Close()
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: s.URL})
	now := time.Now()
	p.connections.now = func() time.Time { return now }
	first, err := p.Do(t.Context(), chatCall(t))
	if err != nil {
		t.Fatal(err)
	}
	defer first.Body.Close()
	now = now.Add(dial.MaxAge)
	second, err := p.Do(t.Context(), chatCall(t))
	if err != nil {
		t.Fatal(err)
	}
	defer second.Body.Close()
	if n := open.Load(); n != 2 {
		t.Errorf("%d connections, want one of each age", n)
	}
	close(release)
	if _, err := io.ReadAll(first.Body); err != nil {
		t.Errorf("the call under way was cut: %v", err)
	}
	<-closed
	if _, err := io.ReadAll(second.Body); err != nil {
		t.Error(err)
	}
	if n := open.Load(); n != 1 {
		t.Errorf("%d connections are open, want the younger one", n)
	}
}

// An HTTP/2 upstream may only run so far ahead of a slow reader, and one slow stream does not hold back the whole
// connection.
func TestHTTP2Window(t *testing.T) {
	t.Parallel()
	needsHTTP2(t)
	certificates := httptest.NewUnstartedServer(nil)
	certificates.StartTLS()
	defer certificates.Close()
	type windows struct{ stream, connection uint32 }
	told := make(chan windows, 2)
	secure := &tls.Config{Certificates: certificates.TLS.Certificates, NextProtos: []string{"h2"}}
	addr := listenRaw(t, secure, func(_ int, c net.Conn) {
		r := bufio.NewReader(c)
		if _, err := r.Discard(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")); err != nil {
			return
		}
		var w windows
		const settings, windowUpdate, initialWindow = 4, 8, 4
		for w.stream == 0 || w.connection == 0 {
			head := make([]byte, 9)
			if _, err := io.ReadFull(r, head); err != nil {
				return
			}
			payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
			if _, err := io.ReadFull(r, payload); err != nil {
				return
			}
			switch head[3] {
			case settings:
				for ; len(payload) >= 6; payload = payload[6:] {
					if binary.BigEndian.Uint16(payload) == initialWindow {
						w.stream = binary.BigEndian.Uint32(payload[2:])
					}
				}
			case windowUpdate:
				w.connection = binary.BigEndian.Uint32(payload)
			}
		}
		told <- w
	})
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "https://" + addr, CAFile: caFile(t, certificates)})
	if err := get(t, p); err == nil {
		t.Error("a call without an answer succeeded")
	}
	if w := <-told; w.stream != streamWindow || w.connection < 256*streamWindow {
		t.Errorf("%+v", w)
	}
}
