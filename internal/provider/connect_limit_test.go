package provider

import (
	"bufio"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
)

// A proxy that does not lead to the provider is a failure to connect, whatever it answers: nothing was sent to the
// provider. If it takes too long, the error comes within the limit for connecting, not after http.Transport's
// minute.
func TestProxiesThatLeadNowhere(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer, want string
		hangs        bool
	}{
		"no word":        {"", "", true},
		"a refusal":      {"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "Forbidden", false},
		"no credentials": {"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", "Proxy Authentication Required", false},
		"no HTTP":        {"SSH-2.0-OpenSSH_9.6\r\n", "malformed HTTP", false},
		"no handshake":   {"HTTP/1.1 200 Connection established\r\n\r\n", "", true},
		"no TLS":         {"HTTP/1.1 200 Connection established\r\n\r\nSSH-2.0-OpenSSH_9.6\r\n", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addr := listenRaw(t, nil, func(_ int, c net.Conn) {
				r := bufio.NewReader(c)
				if _, err := http.ReadRequest(r); err != nil {
					return
				}
				_, _ = io.WriteString(c, tt.answer)
				if tt.hangs {
					_, _ = io.Copy(io.Discard, r)
				}
			})
			p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "https://upstream.invalid/v1", Proxy: secret.New("http://" + addr)})
			call := chatCall(t)
			if call.ConnectTimeout = time.Minute; tt.hangs {
				call.ConnectTimeout = 50 * time.Millisecond
			}
			_, err := p.Do(t.Context(), call)
			var unsent *ConnectError
			if !errors.As(err, &unsent) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Once there is a connection the limit for connecting is over, and what fails then was sent.
func TestReach(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, giveUp := context.WithCancelCause(t.Context())
		defer giveUp(nil)
		req, err := http.NewRequestWithContext(withConnectTimeout(ctx, time.Minute), http.MethodPost, "http://upstream.test", nil)
		if err != nil {
			t.Fatal(err)
		}
		failure := errors.New("a failure")
		connected := func(err error) func(*http.Request) (*http.Response, error) {
			return func(req *http.Request) (*http.Response, error) {
				time.Sleep(time.Minute - 1)
				httptrace.ContextClientTrace(req.Context()).GotConn(httptrace.GotConnInfo{})
				time.Sleep(time.Hour)
				if req.Context().Err() != nil {
					t.Error("it was given up for not connecting in time")
				}
				body := struct{ io.ReadCloser }{io.NopCloser(strings.NewReader(""))}
				return &http.Response{Body: body, Request: req}, err
			}
		}
		nowhere := func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, context.Cause(req.Context())
		}
		resp, err := reach(req, connected(nil))
		if err != nil || resp.Request.Context().Err() != nil {
			t.Fatalf("%v; an answer's context has ended before it", err)
		}
		_ = resp.Body.Close()
		if resp.Request.Context().Err() == nil {
			t.Error("an answer's context goes on behind it")
		}
		var unsent *ConnectError
		if resp, err = reach(req, connected(failure)); resp != nil || err != failure { //nolint:errorlint // it is not to be wrapped
			t.Errorf("a failure on the connection: %v", err)
		}
		began := time.Now()
		if resp, err = reach(req, nowhere); resp != nil || !errors.As(err, &unsent) || !errors.Is(err, errReachLate) || time.Since(began) != time.Minute {
			t.Errorf("no connection: %v after %v", err, time.Since(began))
		}
		giveUp(failure)
		if resp, err = reach(req, nowhere); resp != nil || err != failure { //nolint:errorlint // as above
			t.Errorf("a call that was given up: %v", err)
		}
	})
}

// However long the names in a certificate are, the log gets no more than it is worth.
func TestLongNamesInCertificates(t *testing.T) {
	t.Parallel()
	err := Wordless(&ConnectError{x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{strings.Repeat("é", 100_000)}}, Host: "upstream.test"}})
	if text := err.Error(); len(text) > 1100 || !strings.HasPrefix(text, "cannot connect: x509: certificate is valid for éé") || !utf8.ValidString(text) {
		t.Errorf("%d bytes: %.200s", len(text), text)
	}
}
