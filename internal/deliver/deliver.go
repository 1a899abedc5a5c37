// Package deliver posts bodies to receivers that the operator names: webhooks of alerts, collectors of traces. It follows no redirect and
// reads little of an answer. Its errors show nothing of a URL but why it failed: the rest may hold a credential.
package deliver

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Bounds of what is read of an answer, in bytes.
const (
	maxHead = 64 << 10
	maxBody = 4 << 10 // more of a body is left unread
)

// Transport reaches receivers by a dialer, which is to be one of package dial. Each post has a connection of its own: posts are seconds
// apart, and the name of a receiver may move to another address. roots are the authorities to trust; nil are the system's.
func Transport(dialer *net.Dialer, roots *x509.CertPool) *http.Transport {
	return &http.Transport{
		Proxy: proxy, DialContext: dialer.DialContext, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxHead,
	}
}

// proxy is the one that the environment names. Its error does not show the address, which may hold a password.
func proxy(r *http.Request) (*url.URL, error) {
	via, err := http.ProxyFromEnvironment(r)
	if err != nil {
		return nil, errors.New("the proxy in the environment is no URL")
	}
	return via, nil
}

// Answer is what a receiver answered.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // its beginning
}

// Post is a body for a receiver.
type Post struct {
	Receiver string // what errors call it, such as "the collector"
	URL      string
	Header   http.Header
	Body     []byte
	Within   time.Duration // it must be answered
}

// Send sends the body once, and waits for the answer.
func (p *Post) Send(ctx context.Context, by http.RoundTripper) (*Answer, error) {
	address, err := url.Parse(p.URL)
	if err != nil {
		return nil, fmt.Errorf("the URL of %s cannot be read", p.Receiver)
	}
	ctx, cancel := context.WithTimeout(ctx, p.Within)
	defer cancel()
	req := (&http.Request{
		Method: http.MethodPost, URL: address, Host: address.Host, Header: p.Header, ContentLength: int64(len(p.Body)), Body: io.NopCloser(bytes.NewReader(p.Body)),
	}).WithContext(ctx)
	resp, err := by.RoundTrip(req) // which follows no redirect
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, fmt.Errorf("%s did not answer within %v", p.Receiver, p.Within)
	case err != nil:
		return nil, Unreached(p.Receiver, err)
	}
	defer resp.Body.Close()
	begin, _ := io.ReadAll(io.LimitReader(resp.Body, maxBody)) // what came before an error is as good
	return &Answer{resp.StatusCode, resp.Header, begin}, nil
}

// Unreached says why there was no answer. The text of an error that quotes the receiver is left out: it may repeat the request.
func Unreached(receiver string, err error) error {
	var network *net.OpError
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &network) || errors.As(err, &certificate) {
		return fmt.Errorf("%s cannot be reached: %w", receiver, err)
	}
	return fmt.Errorf("%s broke off, or does not speak HTTP (HTTPS, if the URL says so)", receiver)
}
