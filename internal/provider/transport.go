package provider

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"go/version"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/h1"
)

// ConnectError is a failure to reach the upstream at all: nothing of the request was sent.
type ConnectError struct{ Err error }

// Error implements error.
func (e *ConnectError) Error() string { return "cannot connect: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *ConnectError) Unwrap() error { return e.Err }

// Exhausted reports whether the connection failed for lack of a file descriptor. That says nothing of the upstream.
func (e *ConnectError) Exhausted() bool {
	var lookup *net.DNSError
	for _, cause := range [...]syscall.Errno{syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(e.Err, cause) || errors.As(e.Err, &lookup) && strings.Contains(lookup.Err, cause.Error()) { // which keeps the words alone
			return true
		}
	}
	return false
}

// connectKey is the context key of an attempt's limit for connecting.
type connectKey struct{}

// withConnectTimeout limits how long connecting may take for calls with the returned context. The limit
// rides on the context because it is the model's, while connections belong to the provider.
func withConnectTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, connectKey{}, d)
}

const defaultConnectTimeout = 10 * time.Second

// connectLimit is how long connecting may take for a call with ctx.
func connectLimit(ctx context.Context) time.Duration {
	if limit, ok := ctx.Value(connectKey{}).(time.Duration); ok {
		return limit
	}
	return defaultConnectTimeout
}

// streamWindow is how much of one answer over HTTP/2 is read ahead of its reader. A client that reads slowly must slow the
// upstream down, and not fill the memory. Half a megabyte a second still comes over a line with 100 ms of delay.
const streamWindow = 64 << 10

// Providers close idle connections after 60 seconds and more, Node servers after 5. A call that meets a connection being
// closed is sent again (see call.go).
const (
	idleTimeout = 50 * time.Second
	maxIdle     = 256
	maxHead     = 256 << 10 // bytes of an answer's headers
)

// transport is connections of one provider. Those of HTTP/1.1 are used in the goroutine of the call (package h1), which costs
// half of http.Transport. The latter serves HTTP/2, and everything that goes through a proxy.
type transport struct {
	std  *http.Transport
	lean *h1.Client // nil with a proxy, and for a name that is not ASCII

	http2  atomic.Bool   // the provider speaks HTTP/2, so lean is not asked any more
	told   sync.Once     // lets the first connection that reports it set it
	handed chan net.Conn // that connection, for std
}

// handFor is how long a connection waits for std to take it. Its call does so at once, unless it has ended; later the
// provider would have given up on a silent connection.
const handFor = time.Second

// way is how one provider is reached.
type way struct {
	secure *tls.Dialer // over a dialer of package dial
	proxy  proxyOf
}

// wayOf is how the config says that a provider is reached.
func wayOf(cfg config.Provider, dialer *net.Dialer, proxy proxyOf) (way, error) {
	security := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	if speaksHTTP2(runtime.Version()) {
		security.NextProtos = []string{"h2", "http/1.1"}
	}
	if cfg.CAFile != "" {
		pem, err := os.ReadFile(cfg.CAFile)
		if err != nil {
			return way{}, fmt.Errorf("ca_file: %w", err)
		}
		if security.RootCAs = x509.NewCertPool(); !security.RootCAs.AppendCertsFromPEM(pem) {
			return way{}, fmt.Errorf("ca_file %s holds no certificate in PEM form", cfg.CAFile)
		}
	}
	if !cfg.Proxy.IsZero() {
		address, err := url.Parse(cfg.Proxy.Reveal())
		if err != nil {
			return way{}, errors.New("proxy is no URL")
		}
		proxy = http.ProxyURL(address)
	}
	return way{&tls.Dialer{NetDialer: dialer, Config: security}, proxy}, nil
}

// speaksHTTP2 reports whether the HTTP/2 client of a Go release withstands hostile providers. With 1.26.8 a provider can
// make a call hang for ever, with a flow-control window beyond its bounds. 1.26.11 has that mended.
func speaksHTTP2(release string) bool { return version.Compare(release, "go1.26.11") >= 0 }

// proxyOf returns the proxy for a request, or nil.
type proxyOf func(*http.Request) (*url.URL, error)

// direct is the proxyOf that knows no proxy.
func direct(*http.Request) (*url.URL, error) { return nil, nil }

func newTransport(base *url.URL, proxy proxyOf, secure *tls.Dialer) *transport {
	t := &transport{handed: make(chan net.Conn, 1)}
	t.std = t.standard(proxy, secure)
	if via, err := proxy(&http.Request{URL: base}); err != nil || via != nil {
		return t // if it is an error, std reports it when it is used
	}
	if strings.ContainsFunc(base.Host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return t // std knows how such names are written in DNS
	}
	t.lean = h1.New(h1.Options{Dial: t.dial(base, secure), IdleTimeout: idleTimeout, MaxIdle: maxIdle, MaxHead: maxHead, Refusal: refusalPatience})
	return t
}

func (t *transport) standard(proxy proxyOf, secure *tls.Dialer) *http.Transport {
	return &http.Transport{
		Proxy:           proxy,
		TLSClientConfig: secure.Config.Clone(), // which http.Transport changes, while others dial with it
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return connect(ctx, func(ctx context.Context) (net.Conn, error) { return secure.NetDialer.DialContext(ctx, network, addr) })
		},
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			select {
			case conn := <-t.handed:
				return conn, nil
			default:
				return connect(ctx, func(ctx context.Context) (net.Conn, error) { return secure.DialContext(ctx, network, addr) })
			}
		},
		TLSHandshakeTimeout: defaultConnectTimeout, // with a proxy, where DialTLSContext is not used
		ForceAttemptHTTP2:   slices.Contains(secure.Config.NextProtos, "h2"),
		HTTP2: &http.HTTP2Config{
			// A connection that died without a word is found in 25 seconds.
			SendPingTimeout: 15 * time.Second,
			PingTimeout:     10 * time.Second,

			MaxReceiveBufferPerStream: streamWindow,
		},
		IdleConnTimeout:        idleTimeout,
		MaxIdleConns:           0,
		MaxIdleConnsPerHost:    maxIdle,
		DisableCompression:     true, // events must not wait in a compressor
		MaxResponseHeaderBytes: maxHead,
		WriteBufferSize:        4 << 10,
		ReadBufferSize:         4 << 10,
	}
}

// errHTTP2 is what lean's dialling ends with when the provider chose HTTP/2.
var errHTTP2 = errors.New("the provider speaks HTTP/2")

// dial connects to the origin of base for lean. The first connection shows whether the provider speaks HTTP/2.
func (t *transport) dial(base *url.URL, secure *tls.Dialer) func(context.Context) (net.Conn, error) {
	dial, port := secure.NetDialer.DialContext, "80"
	if base.Scheme == "https" {
		dial, port = secure.DialContext, "443"
	}
	address := net.JoinHostPort(base.Hostname(), cmp.Or(base.Port(), port))
	return func(ctx context.Context) (net.Conn, error) {
		conn, err := connect(ctx, func(ctx context.Context) (net.Conn, error) { return dial(ctx, "tcp", address) })
		if err != nil {
			return nil, err
		}
		if secured, ok := conn.(*tls.Conn); !ok || secured.ConnectionState().NegotiatedProtocol != "h2" {
			return conn, nil
		}
		first := false
		t.told.Do(func() {
			first = true
			t.handed <- conn // before std is asked for the first time, which then finds it
			t.http2.Store(true)
			time.AfterFunc(handFor, t.dropHanded)
		})
		if !first {
			_ = conn.Close() // another call found the same out at the same time
		}
		return nil, errHTTP2
	}
}

// dropHanded closes the connection that was not taken.
func (t *transport) dropHanded() {
	select {
	case conn := <-t.handed:
		_ = conn.Close() // nothing is lost with it
	default:
	}
}

// RoundTrip implements http.RoundTripper. When the answer's body is closed, or an error was returned, the request's body is
// not read any more. What ends late although what it says is known has its end cut off.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.lean == nil {
		return reach(req, t.lending)
	}
	if t.http2.Load() {
		return t.lending(req)
	}
	resp, err := t.lean.RoundTrip(req)
	if errors.Is(err, errHTTP2) { // nothing was answered yet
		return t.lending(req)
	}
	return resp, err
}

// lending sends the request by std.
func (t *transport) lending(req *http.Request) (*http.Response, error) {
	body, ok := req.Body.(sentBody)
	if !ok { // the request has no body
		resp, err := t.std.RoundTrip(req)
		if err == nil {
			endInTime(resp)
		}
		return resp, err
	}
	lent, loan := t.lend(req, body.Body)
	resp, err := t.std.RoundTrip(lent)
	if err != nil {
		loan.end()
		return nil, err
	}
	endInTime(resp)
	resp.Body = &borrowed{resp.Body, loan}
	return resp, nil
}

// CloseIdleConnections closes the connections that wait for a call.
func (t *transport) CloseIdleConnections() {
	t.std.CloseIdleConnections()
	if t.lean != nil {
		t.lean.CloseIdleConnections()
	}
}

// close closes the connections that wait for a call, and each busy one when it becomes idle.
func (t *transport) close() {
	t.std.CloseIdleConnections()
	if t.lean != nil {
		t.lean.Close()
	}
	t.dropHanded()
}

// connect dials within the limit that the context carries and marks the failure as one before sending. It does so in its
// own goroutine, because that takes a deep stack, which the caller's goroutine would keep for as long as it runs.
func connect(ctx context.Context, dial func(context.Context) (net.Conn, error)) (net.Conn, error) {
	var conn net.Conn
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, connectLimit(ctx))
		defer cancel()
		conn, err = dial(ctx)
	}()
	<-done // dialling ends with the context
	if err != nil {
		return nil, &ConnectError{err}
	}
	return conn, nil
}
