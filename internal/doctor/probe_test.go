package doctor

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/dial/dnstest"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/secret"
)

// certified is a server with a certificate of its own, and the path of the file that makes it trusted.
func certified(t *testing.T, from, to time.Time, name string) (url, ca string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: from, NotAfter: to, IsCA: true, BasicConstraintsValid: true}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"data":[{"id":"m"}]}`) }))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // that its certificate is refused
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL, caFile(t, s)
}

// lines are a report's findings, without those that are good and without advice.
func lines(r Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		if f.Verdict != Good {
			fmt.Fprintf(&b, "%s %d %s: %s\n", f.Step, f.Credential, f.Verdict, f.Found)
			if f.Advice == "" {
				b.WriteString("and no advice\n")
			}
		}
	}
	return b.String()
}

func TestProbeOfCertificates(t *testing.T) {
	t.Parallel()
	now, day := time.Now(), 24*time.Hour
	good, trusted := certified(t, now.Add(-day), now.Add(90*day), "127.0.0.1")
	soon, soonCA := certified(t, now.Add(-day), now.Add(3*day+time.Hour), "127.0.0.1")
	past, pastCA := certified(t, now.Add(-9*day), now.Add(-day), "127.0.0.1")
	early, earlyCA := certified(t, now.Add(day), now.Add(90*day), "127.0.0.1")
	other, otherCA := certified(t, now.Add(-day), now.Add(90*day), "other.test")
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	for name, tt := range map[string]struct{ url, ca, want string }{
		"good":     {good, trusted, ""},
		"soon":     {soon, soonCA, "tls 0 warning: the certificate is good until " + now.Add(3*day+time.Hour).UTC().Format(time.DateOnly) + ", 3 more days\n"},
		"expired":  {past, pastCA, "tls 0 error: the certificate has expired on " + now.Add(-day).UTC().Format(time.DateOnly) + "\n"},
		"early":    {early, earlyCA, "tls 0 error: the certificate is good only from " + now.Add(day).UTC().Format(time.DateOnly) + "\n"},
		"name":     {other, otherCA, "tls 0 error: the certificate is for another name\n"},
		"unknown":  {good, otherCA, "tls 0 error: the certificate is of an authority that is not trusted\n"},
		"no TLS":   {strings.Replace(plain.URL, "http:", "https:", 1), "", "tls 0 error: what listens there does not speak TLS\n"},
		"metadata": {"https://169.254.169.254", "", "tcp 0 error: cannot connect to 169.254.169.254:443: " + (&dial.RefusedError{Addr: netip.MustParseAddr("169.254.169.254")}).Error() + "\n"},
	} {
		p := newProvider(t, config.Provider{Kind: "openai", BaseURL: tt.url, CAFile: tt.ca})
		if got := lines(Probe(t.Context(), p)); got != tt.want {
			t.Errorf("%s:\n%swant\n%s", name, got, tt.want)
		}
	}
}

func TestProbeOfNames(t *testing.T) {
	t.Parallel()
	probe := func(answer ...netip.Addr) Report {
		resolver := dnstest.Resolver(t, func() []netip.Addr { return answer })
		p, err := provider.NewWith(config.Provider{Name: "p", Kind: "openai", BaseURL: "http://a.test:1/v1"}, identity, dial.New(resolver), direct)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		return Probe(t.Context(), p)
	}
	if got := lines(probe()); !strings.HasPrefix(got, "dns 0 error: a.test has no address: ") {
		t.Error(got)
	}
	r := probe(netip.MustParseAddr("127.0.0.1"))
	if r.Findings[0] != (Finding{Step: stepDNS, Verdict: Good, Found: "a.test is 127.0.0.1"}) || !strings.HasPrefix(lines(r), "tcp 0 error: cannot connect to a.test:1: ") {
		t.Error(r)
	}
}

// The list of models shows what a provider says to each credential, and none of its words get into the report.
func TestProbeOfCredentials(t *testing.T) {
	t.Parallel()
	answers := map[string]int{"": 401, "good": 200, "bad": 401, "limited": 403, "poor": 402, "busy": 429, "lost": 404, "ill": 503}
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "GET" || r.URL.Path != "/v1/models" {
			t.Errorf("%s %s may cost something", r.Method, r.URL)
		}
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		w.WriteHeader(answers[key])
		_, _ = io.WriteString(w, `{"data":[{"id":"m"}],"error":{"message":"you sent `+key+`"}}`)
	}))
	t.Cleanup(up.Close)
	probe := func(keys ...string) Report {
		cfg := config.Provider{Kind: "openai", BaseURL: up.URL + "/v1"}
		for _, key := range keys {
			cfg.APIKeys = append(cfg.APIKeys, secret.New(key))
		}
		return Probe(t.Context(), newProvider(t, cfg))
	}
	r := probe("good", "bad", "limited", "poor", "busy", "lost", "ill")
	want := `credential 2 error: is refused: GET /v1/models answered 401
credential 3 error: is refused: GET /v1/models answered 403
credential 4 error: has no credit left: GET /v1/models answered 402
credential 5 unknown: is at its rate limit: GET /v1/models answered 429
credential 6 unknown: cannot be tried: GET /v1/models answered 404
credential 7 error: GET /v1/models answered 503
`
	if got := lines(r); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if !r.Dated || r.Ahead.Abs() > time.Minute {
		t.Errorf("the clock: %v %v", r.Dated, r.Ahead)
	}
	if got := lines(probe()); got != "models 0 error: asks for a credential: GET /v1/models answered 401\n" {
		t.Error(got)
	}
}

// A list that is open to all proves nothing about a credential.
func TestProbeOfAnOpenList(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", "Sat, 01 Jan 2000 00:00:00 GMT")
		_, _ = io.WriteString(w, `{"data":[]}`)
	}))
	t.Cleanup(up.Close)
	r := Probe(t.Context(), newProvider(t, config.Provider{Kind: "openai", BaseURL: up.URL, APIKey: secret.New("k")}))
	if got := lines(r); got != "credential 1 unknown: lists 0 models, but to all callers: this does not show whether the credential is good\n" {
		t.Error(got)
	}
	if r.Ahead < 24*365*time.Hour {
		t.Errorf("the clock of this machine is %v ahead of the year 2000", r.Ahead)
	}
}

func TestProbeOfOtherAnswers(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/page"):
			_, _ = io.WriteString(w, "<html>Bearer secret")
		case strings.HasPrefix(r.URL.Path, "/hang"):
			<-hang
		default:
			_, _ = fmt.Fprintf(w, `{"data":[{"id":%q}]}`, r.URL.String())
		}
	}))
	t.Cleanup(func() { close(hang); up.Close() })
	if got := lines(Probe(t.Context(), newProvider(t, config.Provider{Kind: "openai", BaseURL: up.URL + "/page"}))); got != "models 0 error: GET /page/models answered something that is no list of models\n" {
		t.Error(got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got := lines(Probe(ctx, newProvider(t, config.Provider{Kind: "openai", BaseURL: up.URL + "/hang"}))); got != "models 0 error: GET /hang/models got no answer: no answer in time\n" {
		t.Error(got)
	}
	dated := newProvider(t, config.Provider{Kind: "azure", BaseURL: up.URL, APIVersion: "2024-10-21"})
	if got := lines(Probe(t.Context(), dated)); got != "" {
		t.Error(got)
	}
	proxied := newProvider(t, config.Provider{Kind: "openai", BaseURL: "http://upstream.invalid/v1", Proxy: secret.New("http://user:hunter2@" + strings.TrimPrefix(up.URL, "http://"))})
	r := Probe(t.Context(), proxied)
	if lines(r) != "" || strings.Contains(fmt.Sprint(r), "hunter2") || !strings.HasPrefix(r.Findings[0].Found, "the proxy 127.0.0.1:") {
		t.Error(r)
	}
}
