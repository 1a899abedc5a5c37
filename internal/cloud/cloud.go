// Package cloud gets the credentials that clouds hand out for a while, renews them before their end, and puts them on calls.
// Each cloud has one file, which says where that cloud looks for an identity. It fetches through the guarded way out, but for
// the metadata services of machines, which only this package may reach.
package cloud

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dial"
)

// Way is how credentials are fetched.
type Way struct {
	Dialer *net.Dialer // made by package dial
	Proxy  func(*http.Request) (*url.URL, error)
	TLS    *tls.Config
	Env    func(name string) (string, bool) // the process's environment
}

// env is a variable of the environment, "" if it is not set.
func (w Way) env(name string) string {
	if w.Env == nil {
		return ""
	}
	value, _ := w.Env(name)
	return value
}

// State says where credentials come from, for the operator.
type State struct {
	Source string
	Until  time.Time // zero if they have no end
}

// Error says that credentials are missing. It holds no secret, and of what a cloud said only its codes.
type Error struct {
	Cloud string
	Cause string
	Set   string // what to set
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("no credentials of %s: %s; %s", e.Cloud, e.Cause, e.Set)
}

// Time limits for a metadata service. It is on the same machine or next to it; where none exists, no answer comes at all.
const (
	metadataConnect = time.Second
	metadataAnswer  = 10 * time.Second
)

// client fetches credentials. Metadata services are reached directly, and by the numbers of their addresses only, so that no DNS
// server can lead there; redirects are not followed.
func (w Way) client() *http.Client {
	metadata := dial.Metadata()
	metadata.Timeout = metadataConnect
	return &http.Client{
		Transport: &ways{
			guarded: &http.Transport{
				DialContext: w.Dialer.DialContext, Proxy: w.proxy, TLSClientConfig: w.TLS,
				TLSHandshakeTimeout: 10 * time.Second, DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10,
			},
			metadata: &http.Transport{
				DialContext: metadata.DialContext, ResponseHeaderTimeout: metadataAnswer,
				DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10,
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       fetchTime,
	}
}

// proxy is the way's, but not for this machine: an agent that gives credentials to its processes must hear them itself.
func (w Way) proxy(req *http.Request) (*url.URL, error) {
	host := req.URL.Hostname()
	addr, err := netip.ParseAddr(host)
	if host == "localhost" || err == nil && addr.Unmap().IsLoopback() || w.Proxy == nil {
		return nil, nil
	}
	return w.Proxy(req)
}

// ways are the two ways out: neither leads where the other does.
type ways struct{ guarded, metadata *http.Transport }

// RoundTrip implements http.RoundTripper.
func (w *ways) RoundTrip(req *http.Request) (*http.Response, error) {
	addr, err := netip.ParseAddr(req.URL.Hostname())
	if err == nil && dial.Forbidden(addr) {
		return w.metadata.RoundTrip(req)
	}
	return w.guarded.RoundTrip(req)
}

// firstLine keeps a message short.
func firstLine(err error) string {
	const most = 300
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line[:min(len(line), most)]
}

// maxAnswer is the most that is read of a cloud's answer: a token is a few kilobytes.
const maxAnswer = 1 << 20

// codeShape is what the code of an error looks like. Anything else that a cloud says is left out.
var codeShape = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,80}$`)

// unreachable returns the cause of a call that got no answer, without the query of its address.
func unreachable(err error) (cause string, ok bool) {
	var call *url.Error
	if !errors.As(err, &call) {
		return "", false
	}
	host := call.URL
	if u, err := url.Parse(call.URL); err == nil {
		host = u.Host
	}
	var network *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded) || call.Timeout():
		return host + " did not answer in time", true
	case errors.As(err, &network):
		return "cannot connect to " + host + ": " + network.Err.Error(), true
	}
	return "no answer of " + host + " that can be read", true
}
