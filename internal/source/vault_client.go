package source

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/deliver"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/secret"
)

// mostAnswer bounds an answer of Vault, in bytes. Vault's own bound for what is stored is 1 MiB.
const mostAnswer = 2 << 20

// client asks one Vault.
type client struct {
	settings *config.Vault
	base     *url.URL
	name     string // as errors call it: Vault at SCHEME://HOST:PORT
	by       http.RoundTripper
}

// newClient makes a client that trusts the authorities of the settings. It connects to nothing yet.
func newClient(settings *config.Vault) (*client, error) {
	base, err := url.Parse(settings.Address)
	if err != nil {
		return nil, errors.New("the address of Vault is no URL")
	}
	if base.Path == "" {
		base.Path = "/" // else what is joined to it has no slash before it
	}
	var roots *x509.CertPool
	if settings.CAFile != "" {
		pem, err := config.ReadFile(settings.CAFile)
		roots = x509.NewCertPool()
		if err != nil || !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("the authorities of Vault cannot be read from %s", settings.CAFile)
		}
	}
	return &client{settings, base, "Vault at " + base.Scheme + "://" + base.Host, deliver.Transport(dial.New(nil), roots)}, nil
}

// question is one call: a path below /v1/, and a body for those that have one.
type question struct {
	method, path string
	body         []byte
}

// statusError is an answer of Vault with another status than 200.
type statusError struct {
	name   string
	status int
}

// Error implements error. What Vault says of it is not repeated, because it may hold anything.
func (e *statusError) Error() string {
	text := fmt.Sprintf("%s answered with status %d", e.name, e.status)
	switch e.status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return text + ", a redirect, which is not followed: give the address that it leads to"
	case http.StatusTooManyRequests:
		return text + ": it limits how often it is asked"
	case 472, 473:
		return text + ": it is a standby node, which does not answer: give the address of the active one"
	case http.StatusNotImplemented:
		return text + ": it is not initialized"
	case http.StatusServiceUnavailable:
		return text + ": it is sealed, or in maintenance"
	}
	return text
}

func isStatus(err error, status int) bool {
	var e *statusError
	return errors.As(err, &e) && e.status == status
}

// call asks Vault, and reads its answer into a value. An empty token is not sent.
func (c *client) call(ctx context.Context, token secret.Text, q question, answer any) error {
	to := c.base.JoinPath(append([]string{"v1"}, escaped(q.path)...)...)
	header := http.Header{"X-Vault-Request": {"true"}, "Accept": {"application/json"}}
	if !token.IsZero() {
		header.Set("X-Vault-Token", token.Reveal())
	}
	if c.settings.Namespace != "" {
		header.Set("X-Vault-Namespace", c.settings.Namespace)
	}
	r := (&http.Request{Method: q.method, URL: to, Host: to.Host, Header: header}).WithContext(ctx)
	if q.body != nil {
		header.Set("Content-Type", "application/json")
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(q.body)), int64(len(q.body))
	}
	response, err := c.by.RoundTrip(r) // which follows no redirect
	if err != nil {
		return c.failed(ctx, deliver.Unreached(c.name, err))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return &statusError{c.name, response.StatusCode}
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer+1))
	switch {
	case err != nil:
		return c.failed(ctx, fmt.Errorf("%s broke off its answer", c.name))
	case len(text) > mostAnswer:
		return fmt.Errorf("%s answered more than %d MiB: is it a Vault?", c.name, mostAnswer>>20)
	case json.Unmarshal(text, answer) != nil:
		return fmt.Errorf("%s answered what is not an answer of Vault: is it one?", c.name)
	}
	return nil
}

// failed is err, or that the time is over if it is.
func (c *client) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s did not answer: %w", c.name, context.Cause(ctx))
	}
	return err
}

// escaped are the parts of a path, each as it is written in a URL.
func escaped(path string) []string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return parts
}
