package app_test

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// authority signs certificates; clients that get its file trust them.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "private authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{key: key, file: filepath.Join(t.TempDir(), "authority.pem")}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// issue makes a certificate; change says in what it differs from a good one for loopback.
func (a *authority) issue(t *testing.T, change func(*x509.Certificate)) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	if change != nil {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// startUpstream answers over TLS, by HTTP/2 if its config offers it, or without TLS if the config is nil. Calls counts
// what got through.
func startUpstream(t *testing.T, secure *tls.Config, answer http.HandlerFunc, change func(*httptest.Server)) (base string, calls *atomic.Int32) {
	t.Helper()
	calls = new(atomic.Int32)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		answer(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // what it thinks of being refused
	if change != nil {
		change(s)
	}
	if s.TLS = secure; secure != nil {
		s.EnableHTTP2 = len(secure.NextProtos) > 0
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s.URL + "/v1", calls
}

// tunnels is a proxy for CONNECT that counts its clients. It connects to the address that they ask for, or to always, if set. It
// ends with the test.
func tunnels(t *testing.T, always string) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	var open sync.WaitGroup
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		to, err := net.Dial("tcp", cmp.Or(always, r.Host))
		if r.Method != http.MethodConnect || err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer to.Close()
		open.Add(1) // before the server lets go of the call: it does not wait for those that are hijacked
		defer open.Done()
		from, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer from.Close()
		_, _ = io.WriteString(from, "HTTP/1.1 200 Connection established\r\n\r\n")
		up := make(chan struct{})
		go func() {
			defer close(up)
			_, _ = io.Copy(to, from)
			_ = to.(*net.TCPConn).CloseWrite()
		}()
		_, _ = io.Copy(from, to)
		_ = from.Close()
		<-up
	}))
	t.Cleanup(func() {
		s.Close()
		open.Wait()
	})
	return s.URL, asked
}

// logged is the log event of the last request for a model.
func logged(t *testing.T, w *apptest.Weir, model string) (event struct {
	Reason string
	Tried  []string
},
) {
	t.Helper()
	until(t, "the request is logged", func() bool {
		for line := range strings.Lines(w.Requests.String()) {
			if strings.Contains(line, `"model":"`+model+`"`) && json.Unmarshal([]byte(line), &event) == nil {
				return true
			}
		}
		return false
	})
	return event
}

// An upstream that cannot prove who it is gets nothing, directly or through a proxy. The next target is asked. The
// operator can read why; the caller only reads that it could not be reached.
func TestUpstreamCertificates(t *testing.T) {
	t.Parallel()
	ours, others := newAuthority(t), newAuthority(t)
	later := func(from, to time.Duration) func(*x509.Certificate) {
		return func(c *x509.Certificate) { c.NotBefore, c.NotAfter = time.Now().Add(from), time.Now().Add(to) }
	}
	old := ours.issue(t, nil)
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	anyone := ours.issue(t, nil)
	anyone.NextProtos = []string{"h2", "http/1.1"}
	proxy, asked := tunnels(t, "")
	cases := map[string]struct {
		secure *tls.Config
		ca     string
		reason string // in the log; "" if it is to be served
	}{
		"good":       {ours.issue(t, nil), ours.file, ""},
		"good-http2": {anyone, ours.file, ""},
		"host":       {ours.issue(t, func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"other.test"} }), ours.file, "doesn't contain any IP SANs"},
		"address":    {ours.issue(t, func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 2)} }), ours.file, "valid for 127.0.0.2, not 127.0.0.1"},
		"expired":    {ours.issue(t, later(-2*time.Hour, -time.Hour)), ours.file, "expired or is not yet valid"},
		"early":      {ours.issue(t, later(time.Hour, 2*time.Hour)), ours.file, "expired or is not yet valid"},
		"unknown":    {ours.issue(t, nil), "", "signed by unknown authority"},
		"stranger":   {others.issue(t, nil), ours.file, "signed by unknown authority"},
		"for-client": {ours.issue(t, func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }), ours.file, "incompatible key usage"},
		"old-tls":    {old, ours.file, "protocol version not supported"},
		"no-tls":     {nil, "", "first record does not look like a TLS handshake"},
	}
	serve := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, leanAnswer) }
	refuge, _ := startUpstream(t, ours.issue(t, nil), serve, nil)
	providers := fmt.Sprintf("providers:\n  refuge: {kind: openai, base_url: %q, api_key: upstream-credential, ca_file: %q}\n", refuge, ours.file)
	models := "models:\n"
	calls := map[string]*atomic.Int32{}
	for name, c := range cases {
		var base string
		base, calls[name] = startUpstream(t, c.secure, serve, nil)
		base = strings.Replace(base, "http:", "https:", 1)
		more := ""
		if c.ca != "" {
			more = fmt.Sprintf(", ca_file: %q", c.ca)
		}
		for way, through := range map[string]string{"direct": "", "proxied": fmt.Sprintf(", proxy: %q", proxy)} {
			full := way + "-" + name
			providers += fmt.Sprintf("  %s: {kind: openai, base_url: %q, api_key: upstream-credential%s%s}\n", full, base, more, through)
			models += fmt.Sprintf("  two-%s: {targets: [%s/m, refuge/m]}\n  one-%s: {targets: [%s/m]}\n", full, full, full, full)
		}
	}
	w := apptest.StartWith(t, providers+models)
	key := w.NewKey(t, "key")
	for name, c := range cases {
		for _, way := range []string{"direct", "proxied"} {
			full := way + "-" + name
			before := asked.Load()
			two := post(t, w, key, "/v1/chat/completions", chatBody("two-"+full))
			one := post(t, w, key, "/v1/chat/completions", streamBody("one-"+full))
			if proxied := asked.Load() > before; proxied != (way == "proxied") {
				t.Errorf("%s: the proxy was asked: %v", full, proxied)
			}
			if c.reason == "" {
				if two.status != 200 || two.header.Get("Weir-Provider") != full || one.status != 200 {
					t.Errorf("%s: %d by %s, %d %s", full, two.status, two.header.Get("Weir-Provider"), one.status, one.body)
				}
				continue
			}
			if two.status != 200 || two.header.Get("Weir-Provider") != "refuge" || two.header.Get("Weir-Attempts") != "2" {
				t.Errorf("%s: %d by %s, %s attempts: %s", full, two.status, two.header.Get("Weir-Provider"), two.header.Get("Weir-Attempts"), two.body)
			}
			want := "This model is not available now: provider " + full + " could not be reached."
			if one.status != 502 || one.code() != "upstream_failed" || !strings.Contains(one.body, want) {
				t.Errorf("%s: %d %s", full, one.status, one.body)
			}
			if event := logged(t, w, "two-"+full); len(event.Tried) != 2 || !strings.HasPrefix(event.Tried[0], full+"/m unreachable ") || !strings.Contains(event.Tried[0], c.reason) {
				t.Errorf("%s: the log says %q", full, event.Tried)
			}
			if event := logged(t, w, "one-"+full); !strings.Contains(event.Reason, "cannot connect: ") || !strings.Contains(event.Reason, c.reason) {
				t.Errorf("%s: the log says %q", full, event.Reason)
			}
			if n := calls[name].Load(); n != 0 && name != "no-tls" { // whose server answers that it was spoken to in TLS
				t.Errorf("%s: it was called %d times", full, n)
			}
		}
	}
}
