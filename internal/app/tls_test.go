package app_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// certify writes a certificate for loopback, made out to a name, with its key.
func certify(t *testing.T, folder, name string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, filepath.Join(folder, "key.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	rewrite(t, filepath.Join(folder, "cert.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
}

// startTLS runs Weir with HTTPS on its public listener.
func startTLS(t *testing.T, up *apptest.Upstream) (w *apptest.Weir, folder string) {
	t.Helper()
	folder = t.TempDir()
	certify(t, folder, "first")
	path := filepath.Join(folder, "weir.yaml")
	rewrite(t, path, passAll(up, "")+"listen: {addr: \"127.0.0.1:0\", tls: {cert: cert.pem, key: key.pem}}\n")
	return apptest.Start(t, path), folder
}

// secureClient speaks HTTPS, and HTTP/2 if the server does. presented says whose certificate it was.
func secureClient(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // the test looks at the certificate itself
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// presented is the name in the certificate that new connections get.
func presented(t *testing.T, w *apptest.Weir) string {
	t.Helper()
	conn, err := tls.Dial("tcp", strings.TrimPrefix(w.URL(), "https://"), &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // see secureClient
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].Subject.CommonName
}

// A new certificate is served without a restart; one that is broken is not, and the one before stays.
func TestCertificateIsReadAgain(t *testing.T) {
	t.Parallel()
	w, folder := startTLS(t, apptest.NewUpstream(t, nil))
	if name := presented(t, w); name != "first" {
		t.Errorf("the certificate is %s's", name)
	}
	certify(t, folder, "second")
	until(t, "the new certificate is served", func() bool { return presented(t, w) == "second" })
	rewrite(t, filepath.Join(folder, "cert.pem"), "no certificate")
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 400 || !strings.Contains(a.body, "cert.pem") {
		t.Errorf("a broken certificate: %d %s", a.status, a.body)
	}
	if name := presented(t, w); name != "second" {
		t.Errorf("then the certificate is %s's", name)
	}
	certify(t, folder, "third")
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 || presented(t, w) != "third" {
		t.Errorf("%d %s", a.status, a.body)
	}
	// Plain HTTP and old TLS on this port are refused, and nothing breaks.
	if got := exchange(t, strings.TrimPrefix(w.URL(), "https://"), "GET /healthz HTTP/1.1\r\nHost: w\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.0 400 ") {
		t.Errorf("plain HTTP was answered %q", got)
	}
	if conn, err := tls.Dial("tcp", strings.TrimPrefix(w.URL(), "https://"), &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11}); err == nil { //nolint:gosec // it must fail
		_ = conn.Close()
		t.Error("TLS 1.1 is served")
	}
}

// HTTP/2 serves what HTTP/1.1 does, and clients that abuse it harm no other client.
func TestHTTP2(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	w, _ := startTLS(t, up)
	key := w.NewKey(t, "key")
	client := secureClient(t)
	send := func(ctx context.Context, body string, header ...string) (*http.Response, error) {
		r := request(t, "POST", w.URL()+"/v1/chat/completions", body, append([]string{"Authorization", "Bearer " + key}, header...)...)
		return client.Do(r.WithContext(ctx))
	}
	resp, err := send(t.Context(), chatBody("m"))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close() // its status is all that matters
	if resp.ProtoMajor != 2 {
		if os.Getenv("CI") != "" { // what is released must be proved
			t.Fatalf("this build serves %s only: its Go is too old for a safe HTTP/2", resp.Proto)
		}
		t.Skipf("this build serves %s only, because its Go is too old for a safe HTTP/2", resp.Proto)
	}
	stream := do(t, client, request(t, "POST", w.URL()+"/v1/chat/completions", streamBody("slow"), "Authorization", "Bearer "+key))
	if stream.status != 200 || !strings.HasSuffix(stream.body, "data: [DONE]\n\n") {
		t.Errorf("a stream: %d %q", stream.status, stream.body)
	}
	// The server has said how large a header may be, so that a client can know before it sends one.
	if resp, err := client.Do(request(t, "GET", w.URL()+"/healthz", "", "X-Large", strings.Repeat("x", 300_000))); err == nil {
		_ = resp.Body.Close() // its status is all that matters
		if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("a header of 300 KB: %d", resp.StatusCode)
		}
	} else if !strings.Contains(err.Error(), "peer's advertised limit") {
		t.Errorf("a header of 300 KB: %v", err)
	}
	if a := do(t, client, request(t, "POST", w.URL()+"/v1/chat/completions", strings.Repeat("x", 2<<20))); a.status != 401 {
		t.Errorf("a refusal of a large body: %d", a.status)
	}

	// Rapid resets, by a client of its own: each begins a request and takes it back at once, some before it is sent.
	attacker := secureClient(t)
	var attack sync.WaitGroup
	for i := range 8 {
		attack.Go(func() {
			for j := range 100 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration((i*j)%7)*time.Millisecond)
				r := request(t, "POST", w.URL()+"/v1/chat/completions", streamBody("stall"), "Authorization", "Bearer "+key).WithContext(ctx)
				if resp, err := attacker.Do(r); err == nil {
					_ = resp.Body.Close() // which resets the stream
				}
				cancel()
			}
		})
	}
	for i := range 50 {
		if a := do(t, client, request(t, "POST", w.URL()+"/v1/chat/completions", chatBody(fmt.Sprintf("m%d", i)), "Authorization", "Bearer "+key)); a.status != 200 {
			t.Errorf("meanwhile: %d %s", a.status, a.body)
		}
	}
	attack.Wait()
	until(t, "the upstream's calls end with their requests", func() bool { return up.Active() == 0 })
	until(t, "no request is left running", func() bool { return figure(t, w, "weir_requests_running") == "0" })

	// A cut ends a stream with its event and leaves the connection to the others.
	doomed := w.NewKey(t, "doomed")
	var cut answer
	var cutting sync.WaitGroup
	cutting.Go(func() {
		cut = do(t, client, request(t, "POST", w.URL()+"/v1/chat/completions", streamBody("stall"), "Authorization", "Bearer "+doomed))
	})
	until(t, "the stream runs", func() bool { return up.Active() == 1 })
	manage(t, w, "DELETE", "/admin/v1/keys/doomed?now=true", "")
	cutting.Wait()
	if !strings.Contains(cut.body, "invalid_api_key") || cut.err != nil {
		t.Errorf("the cut stream: %d %q %v", cut.status, cut.body, cut.err)
	}
}

// A refused upload, which needs no key, does not close the HTTP/2 connection that a proxy shares out among its clients.
func TestARefusalLeavesTheConnectionOfHTTP2(t *testing.T) {
	t.Parallel()
	w, _ := startTLS(t, apptest.NewUpstream(t, nil))
	client := secureClient(t)
	if a := do(t, client, request(t, "GET", w.URL()+"/healthz", "")); a.proto != 2 {
		t.Skip("this build serves no HTTP/2, because its Go is too old for a safe one; TestHTTP2 says whether that matters")
	}
	connections := map[string]bool{}
	for range 2 {
		r := request(t, "POST", w.URL()+"/v1/chat/completions", strings.Repeat("x", 2<<20))
		trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { connections[c.Conn.LocalAddr().String()] = true }}
		if a := do(t, client, r.WithContext(httptrace.WithClientTrace(r.Context(), trace))); a.status != 401 {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	if len(connections) != 1 {
		t.Errorf("%d connections", len(connections))
	}
}

// Two hundred streams run at once on one HTTP/2 connection, each with its own answer.
func TestHTTP2Streams(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	w, _ := startTLS(t, up)
	key := w.NewKey(t, "key")
	client := secureClient(t)
	client.Transport.(*http.Transport).MaxConnsPerHost = 1
	if a := do(t, client, request(t, "GET", w.URL()+"/healthz", "")); a.proto != 2 {
		if os.Getenv("CI") != "" { // what is released must be proved
			t.Fatal("this build serves no HTTP/2: its Go is too old for a safe one")
		}
		t.Skip("this build serves no HTTP/2, because its Go is too old for a safe one")
	}
	const n = 200
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			body := strings.Replace(streamBody("m"), `"hi"`, fmt.Sprintf(`"n%d"`, i), 1)
			a := do(t, client, request(t, "POST", w.URL()+"/v1/chat/completions", body, "Authorization", "Bearer "+key))
			var text strings.Builder
			for _, piece := range regexp.MustCompile(`"content":"([^"]*)"`).FindAllStringSubmatch(a.body, -1) {
				text.WriteString(piece[1])
			}
			if a.status != 200 || a.proto != 2 || !strings.HasSuffix(a.body, "data: [DONE]\n\n") || !strings.Contains(text.String(), fmt.Sprintf("n%d", i)) {
				t.Errorf("stream %d: %d %q", i, a.status, a.body)
			}
		})
	}
	all.Wait()

	// And that they can be open at the same time.
	doomed := w.NewKey(t, "doomed")
	for range n {
		all.Go(func() {
			r := request(t, "POST", w.URL()+"/v1/chat/completions", streamBody("stall"), "Authorization", "Bearer "+doomed)
			if a := do(t, client, r); a.status != 200 {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	until(t, "all streams run", func() bool { return up.Active() == n })
	manage(t, w, "DELETE", "/admin/v1/keys/doomed?now=true", "")
	all.Wait()
}

// A header over the limit is refused on HTTP/1.1 too, and one just below it is taken.
func TestLargeHeaders(t *testing.T) {
	t.Parallel()
	w := apptest.StartWith(t, passAll(apptest.NewUpstream(t, nil), ""))
	for size, want := range map[int]string{100_000: "HTTP/1.1 200 ", 300_000: "HTTP/1.1 431 "} {
		conn, err := net.Dial("tcp", w.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: w\r\nX: %s\r\n\r\n", strings.Repeat("x", size))
		status := make([]byte, len(want))
		if _, err := conn.Read(status); err != nil || string(status) != want {
			t.Errorf("%d bytes: %q, %v", size, status, err)
		}
	}
}
