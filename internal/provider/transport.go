package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/weirproxy/weir/internal/config"
)

// ConnectError is a failure to reach the upstream at all: nothing of the request was sent.
type ConnectError struct{ Err error }

// Error implements error.
func (e *ConnectError) Error() string { return "cannot connect: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *ConnectError) Unwrap() error { return e.Err }

// connectKey is the context key of an attempt's limit for connecting.
type connectKey struct{}

// withConnectTimeout limits how long connecting may take for calls with the returned context. The limit
// rides on the context because it is the model's, while connections belong to the provider.
func withConnectTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, connectKey{}, d)
}

const defaultConnectTimeout = 10 * time.Second

// newTransport makes the connections of one provider.
func newTransport(cfg config.Provider) (*http.Transport, error) {
	security := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	if cfg.CAFile != "" {
		pem, err := os.ReadFile(cfg.CAFile)
		if err != nil {
			return nil, fmt.Errorf("ca_file: %w", err)
		}
		if security.RootCAs = x509.NewCertPool(); !security.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("ca_file %s holds no certificate in PEM form", cfg.CAFile)
		}
	}
	proxy := http.ProxyFromEnvironment
	if !cfg.Proxy.IsZero() {
		address, err := url.Parse(cfg.Proxy.Reveal())
		if err != nil {
			return nil, errors.New("proxy is no URL")
		}
		proxy = http.ProxyURL(address)
	}
	dialer := &net.Dialer{KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:           proxy,
		TLSClientConfig: security,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return connect(ctx, func(ctx context.Context) (net.Conn, error) { return dialer.DialContext(ctx, network, addr) })
		},
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			d := tls.Dialer{NetDialer: dialer, Config: security}
			return connect(ctx, func(ctx context.Context) (net.Conn, error) { return d.DialContext(ctx, network, addr) })
		},
		TLSHandshakeTimeout: defaultConnectTimeout, // behind a proxy, where DialTLSContext is not used
		ForceAttemptHTTP2:   true,
		HTTP2: &http.HTTP2Config{
			// A connection that died without a word is found in 25 seconds.
			SendPingTimeout: 15 * time.Second,
			PingTimeout:     10 * time.Second,
		},
		// Providers close idle connections after 60 seconds and more, Node servers after 5; a call that
		// meets a connection being closed is sent again (see call.go).
		IdleConnTimeout:        50 * time.Second,
		MaxIdleConns:           0,
		MaxIdleConnsPerHost:    256,
		DisableCompression:     true, // events must not wait in a compressor
		MaxResponseHeaderBytes: 256 << 10,
		WriteBufferSize:        4 << 10,
		ReadBufferSize:         4 << 10,
	}, nil
}

// connect dials within the limit that the context carries and marks the failure as one before sending.
func connect(ctx context.Context, dial func(context.Context) (net.Conn, error)) (net.Conn, error) {
	limit, ok := ctx.Value(connectKey{}).(time.Duration)
	if !ok {
		limit = defaultConnectTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	conn, err := dial(ctx)
	if err != nil {
		return nil, &ConnectError{err}
	}
	return conn, nil
}
