package cloud

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dial"
)

// wayTo is the way of tests: guarded as the real one, without a proxy, in an environment of the test's own.
func wayTo(env map[string]string) Way {
	return Way{Dialer: dial.New(nil), Env: func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}}
}

// serve answers calls on a loopback socket.
func serve(t *testing.T, answer http.HandlerFunc) (base string) {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL
}

// authorized is the Authorization that b puts on a call.
func authorized(t *testing.T, b *Bearer) string {
	t.Helper()
	t.Cleanup(b.Close)
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://up.test/", nil)
	if err := b.Authorize(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	return req.Header.Get("Authorization")
}

// lacking is the error of credentials that cannot be got. None of the words is in it.
func lacking(t *testing.T, state func(context.Context) (State, error), never ...string) string {
	t.Helper()
	_, err := state(t.Context())
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%v", err)
	}
	for _, word := range never {
		if strings.Contains(err.Error(), word) {
			t.Errorf("the error shows %q: %v", word, err)
		}
	}
	return err.Error()
}

// Metadata services are reached only by their addresses: not by a name, not by a redirect, and not by the ordinary dialer.
func TestTheTwoWaysOut(t *testing.T) {
	t.Parallel()
	const reached = "it was called"
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
		}
		_, _ = io.WriteString(w, reached)
	})
	client := wayTo(nil).client()
	resp, err := client.Get(base + "/redirect")
	if err != nil || resp.StatusCode != http.StatusFound {
		t.Errorf("a redirect is followed: %v, %v", resp, err)
	}
	_ = resp.Body.Close()
	if _, err := dial.Metadata().DialContext(t.Context(), "tcp", strings.TrimPrefix(base, "http://")); err == nil {
		t.Error("the dialer for metadata services goes elsewhere")
	}
	named := Way{Dialer: dial.New(nil)}
	named.Dialer.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no DNS") }}
	if _, err := named.client().Get("http://metadata.test/"); err == nil {
		t.Error("a name leads somewhere")
	}
}

// Agents on this machine give credentials to its processes; no proxy may hear them.
func TestAgentsHereAreAskedDirectly(t *testing.T) {
	t.Parallel()
	agent := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") })
	proxied := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "proxied") })
	proxy, err := url.Parse(proxied)
	if err != nil {
		t.Fatal(err)
	}
	way := wayTo(nil)
	way.Proxy = http.ProxyURL(proxy)
	client := way.client()
	for address, want := range map[string]string{
		agent: "here", strings.Replace(agent, "127.0.0.1", "localhost", 1): "here", "http://sts.test/": "proxied",
	} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		resp, err := client.Do(req)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if string(text) != want {
			t.Errorf("%s answered %q, not %q", address, text, want)
		}
	}
}
