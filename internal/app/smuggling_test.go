package app_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

// raw is one way to send something that two readers could read differently. In the texts, CLEAN is the body of the
// one intended request and LEN its length. SMUGGLED is a whole request that must never be carried out, and SLEN
// its length. AUTH is the line with the key, and ALL the length of everything after the header.
type raw struct {
	name  string
	text  string
	legal bool // exactly one call goes upstream; else none or one
}

const (
	line    = "POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAUTH\r\n"
	chunked = "CLEN\r\nCLEAN\r\n0\r\n\r\n"
)

// RFC 9112 (§ 2.2, § 5.2) allows two liberties, and net/http takes them. A line may end in LF alone, and a line that
// begins with a space continues the one before. Cases in which only these decide where a request ends are not here.

// transferCodings are ways to write Transfer-Encoding that some readers take for chunked and some do not.
func transferCodings() []string {
	return []string{
		"Transfer-Encoding: chunked", "Transfer-Encoding:chunked", "Transfer-Encoding:\tchunked", "Transfer-Encoding: chunked ",
		"transfer-encoding: CHUNKED", "Transfer-Encoding: xchunked", "Transfer-Encoding: chunkedx", "Transfer-Encoding : chunked",
		"Transfer-Encoding\t: chunked", "X: y\r\n Transfer-Encoding: chunked", "X: y\nTransfer-Encoding: chunked", "Transfer-Encoding\n: chunked",
		"Transfer-Encoding: chunked\r\nTransfer-Encoding: x", "Transfer-Encoding: x\r\nTransfer-Encoding: chunked",
		"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: identity", "Transfer-Encoding: identity, chunked",
		"Transfer-Encoding: chunked, identity", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: gzip, chunked",
		"Transfer-Encoding: \"chunked\"", "Transfer-Encoding: 'chunked'", "Transfer-Encoding: chunked;q=1", "Transfer-Encoding: ,chunked",
		"Transfer-Encoding: \vchunked", "Transfer-Encoding: chunked\x00", "Transfer-Encoding: \x00chunked", "Transfer-Encoding:\r\n chunked",
		"Transfer-Encoding: \r\n\tchunked", "Transfer-Encoding\x00: chunked", "Transfer-Encoding\xa0: chunked", "Transfer-Encoding: chunked\rX: y",
		"Transfer-Encoding:", "\x00Transfer-Encoding: chunked", "Transfer-Encoding: chun\u212aed",
	}
}

// corpus is all cases.
func corpus() []raw {
	var all []raw
	add := func(legal bool, name, text string) { all = append(all, raw{name, text, legal}) }
	for _, te := range transferCodings() {
		add(false, "CL.TE "+te, line+te+"\r\nContent-Length: ALL\r\n\r\n"+chunked+"SMUGGLED")
		add(false, "CL.TE reversed "+te, line+"Content-Length: ALL\r\n"+te+"\r\n\r\n"+chunked+"SMUGGLED")
		if !strings.Contains(te, "\n Transfer-Encoding") { // otherwise it is not a Transfer-Encoding, and the length counts
			add(false, "TE.CL "+te, line+te+"\r\nContent-Length: 4\r\n\r\nSLENX\r\nSMUGGLED\r\n0\r\n\r\n")
		}
		add(false, "TE alone "+te, line+te+"\r\n\r\n"+chunked)
	}
	for _, length := range []string{
		"+SLEN", "-SLEN", "SLEN, SLEN", "SLEN,0", "0,SLEN", "SLEN 0", "0xSLEN", "SLEN.0", "SLENe0", "SLEN;", "\"SLEN\"", "SLEN\x00", "\vSLEN",
		"SLEN\r\nContent-Length: 0", "0\r\nContent-Length: SLEN", "SLEN\r\nContent-Length: SLEN0", "18446744073709551616", "99999999999999999999999", "1_0", "\u0661",
		"SLEN\rX: y", "", " ", "SLEN\r\n 0",
	} {
		add(false, "length "+length, line+"Content-Length: "+length+"\r\n\r\nSMUGGLED")
	}
	for _, name := range []string{"Content-Length : ", "Content-Length\t: ", "Content-Length\x00: ", "Content-Length\n: ", "Content\x00-Length: ", "Content Length: "} {
		add(false, "length's name "+name, line+"X: y\r\n"+name+"SLEN\r\n\r\nSMUGGLED")
	}
	for _, body := range []string{
		"0xCLEN\r\nCLEAN\r\n0\r\n\r\n", "+CLEN\r\nCLEAN\r\n0\r\n\r\n", "-CLEN\r\nCLEAN\r\n0\r\n\r\n", "CLEN\nCLEAN\n0\n\n", "CLEN\r\nCLEAN0\r\n\r\n",
		"CLEN\r\nCLEANxx0\r\n\r\n", "CLEN\rCLEAN\r0\r\r", "CLEN;a=b\nCLEAN\r\n0\r\n\r\n", "CLEN;\nSMUGGLED", "fffffffffffffffff\r\nCLEAN\r\n0\r\n\r\n", "1000000000000000CLEN\r\nCLEAN\r\n0\r\n\r\n",
		"\r\nCLEAN\r\n0\r\n\r\n", "CLEN\r\nCLEAN\r\n0\r\nContent-Length: 9\r\n\r\n", "CLEN\r\nCLEAN\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
		"CLEN\r\nCLEAN\r\n00000000000000000000\r\n\r\n", "CLEN\r\nCLEAN\r\n0\r\nbroken trailer\r\n\r\n", "CLEN ;x\r\nCLEAN\r\n0\r\n\r\n", "CLEN\r\nCLEAN\r\n0;" + strings.Repeat("x", 20000) + "\r\n\r\n",
		"CLEN\x00\r\nCLEAN\r\n0\r\n\r\n", "CLEN\r\nCLEAN\r\n0\r\n",
	} {
		add(false, "chunks "+clip(body), line+"Transfer-Encoding: chunked\r\n\r\n"+body+"SMUGGLED")
	}
	for _, header := range []string{
		"A B: c", "A\x00: c", "A: b\x00c", "A: b\x7fc", "A: b\rc", ": c", "no colon", "A\u00e9: c", "A: b\r\r", "A(: c", "Host: other", "Host : w",
	} {
		add(false, "header "+clip(header), line+header+"\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	}
	for _, start := range []string{
		"POST /v1/chat/completions", "POST /v1/chat/completions HTTP/0.9", "POST /v1/chat/completions HTTP/1.2", "POST /v1/chat/completions HTTP/2.0", "POST /v1/chat/completions HTTP/1.10",
		"POST /v1/chat/completions http/1.1", "POST  /v1/chat/completions HTTP/1.1", "POST\t/v1/chat/completions\tHTTP/1.1", "POST /v1/chat/completions HTTP/1.1 ", " POST /v1/chat/completions HTTP/1.1",
		"POST /v1/chat completions HTTP/1.1", "P\x00ST /v1/chat/completions HTTP/1.1", "POST /v1/chat/completions\x00 HTTP/1.1", "POST v1/chat/completions HTTP/1.1", "PO(ST /v1/chat/completions HTTP/1.1",
		"POST http://[::1/v1/chat/completions HTTP/1.1", "POST /v1/chat/%zz HTTP/1.1", "CONNECT w:443 HTTP/1.1", "GET /v1/chat/completions HTTP/1.1", "TRACE /v1/chat/completions HTTP/1.1",
	} {
		add(false, "start "+start, start+"\r\nHost: w\r\nAUTH\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	}
	add(false, "HTTP/0.9", "GET /v1/models\r\nSMUGGLED")
	add(false, "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nSMUGGLED")
	add(false, "a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03SMUGGLED")
	add(false, "no host", "POST /v1/chat/completions HTTP/1.1\r\nAUTH\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	add(false, "a wrong host", "POST /v1/chat/completions HTTP/1.1\r\nHost: a b\r\nAUTH\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	add(false, "a request inside a refused body", "POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer no\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	add(false, "a request inside a form", line+"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	add(false, "a request inside the body of a list", "GET /v1/models HTTP/1.1\r\nHost: w\r\nAUTH\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	add(false, "a request inside the body of a health check", "GET /healthz HTTP/1.1\r\nHost: w\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	add(false, "a request inside the body of an unknown path", "POST /nothing HTTP/1.1\r\nHost: w\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	add(false, "an expectation that is not met", line+"Expect: something\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	add(false, "a refusal that was asked for", "POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nExpect: 100-continue\r\nContent-Length: SLEN\r\n\r\nSMUGGLED")
	return append(all, legalCases()...)
}

// legalCases can be read in one way only, if unusual ones.
func legalCases() []raw {
	const length = "Content-Length: LEN\r\n\r\nCLEAN"
	all := []raw{
		{"plain", line + length, true},
		{"the absolute form", "POST http://elsewhere.example/v1/chat/completions HTTP/1.1\r\nHost: w\r\nAUTH\r\n" + length, true},
		{"the same length twice", line + "Content-Length: LEN\r\n" + length, true},
		{"leading zeros", line + "Content-Length: 000LEN\r\n\r\nCLEAN", true},
		{"chunks", line + "Transfer-Encoding: chunked\r\n\r\n" + chunked, true},
		{"a chunk extension", line + "Transfer-Encoding: chunked\r\n\r\nCLEN;a=b;c=\"d\"\r\nCLEAN\r\n0;e\r\n\r\n", true},
		{"a trailer", line + "Transfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\nCLEN\r\nCLEAN\r\n0\r\nAuthorization: Bearer x\r\nX-Evil: 1\r\n\r\n", true},
		{"HTTP/2 cleartext upgrade", line + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n" + length, true},
		{"a websocket upgrade", line + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n" + length, true},
		{"empty lines before", "\r\n" + line + length, false}, // RFC 9112 § 2.2 lets a server ignore them; ours need not
		{"HTTP/1.0", strings.Replace(line, "HTTP/1.1", "HTTP/1.0", 1) + length, true},
		{"an obsolete fold", line + "X-Trace: a\r\n b\r\n" + length, true},
	}
	return all
}

func clip(s string) string { return s[:min(len(s), 60)] }

// fill makes the text of a case.
func (r raw) fill(i int, key string) string {
	clean := chatBody(fmt.Sprintf("clean-%d", i))
	body := chatBody(fmt.Sprintf("smuggled-%d", i))
	auth := "Authorization: Bearer " + key
	smuggled := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\n%s\r\nContent-Length: %d\r\n\r\n%s", auth, len(body), body)
	text := strings.NewReplacer(
		"SLENX", fmt.Sprintf("%x", len(smuggled)), "SLEN", fmt.Sprint(len(smuggled)), "CLEN", fmt.Sprintf("%x", len(clean)),
		"LEN", fmt.Sprint(len(clean)), "AUTH", auth, "CLEAN", clean, "SMUGGLED", smuggled,
	).Replace(r.text)
	_, behind, _ := strings.Cut(text, "\r\n\r\n")
	return strings.ReplaceAll(text, "ALL", fmt.Sprint(len(behind)))
}

// exchange sends text and then a last, plain request, and returns all that comes back. When nothing comes for a
// while, the server is waiting for more of a body, which then ends.
func exchange(t *testing.T, addr, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, text+"GET /healthz HTTP/1.1\r\nHost: w\r\nConnection: close\r\n\r\n") // it may have closed meanwhile
	hangUp := time.AfterFunc(time.Second, func() { _ = conn.(*net.TCPConn).CloseWrite() })
	defer hangUp.Stop()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(conn)
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		t.Errorf("the connection stays open; received %q", got)
	}
	return string(got)
}

// However a request is written on the connection, Weir reads it in one way. It calls the upstream once or not at all,
// and never carries out what another reader could take for a second request.
func TestNoRequestIsReadTwoWays(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	key := w.NewKey(t, "key")
	cases := corpus()
	t.Run("cases", func(t *testing.T) {
		for i, c := range cases {
			t.Run(fmt.Sprintf("%d", i), func(t *testing.T) {
				t.Parallel()
				text := c.fill(i, key)
				got := exchange(t, w.Addr(), text)
				if strings.Contains(got, "HTTP/1.1 499") || strings.Contains(got, "HTTP/1.1 500") {
					t.Errorf("%s was answered\n%q", c.name, got)
				}
				clean, smuggled := calls(up, fmt.Sprintf("clean-%d", i)), calls(up, fmt.Sprintf("smuggled-%d", i))
				if smuggled > 0 || clean > 1 || c.legal && clean != 1 {
					t.Errorf("%s: %d calls and %d smuggled ones, for\n%q\nwhich was answered\n%q", c.name, clean, smuggled, text, got)
				}
			})
		}
	})
	for _, s := range up.Served() {
		if s.Endpoint == "/models" { // Weir's own question, which models there are
			continue
		}
		if s.Method != "POST" || s.Target != "/v1/chat/completions" || s.Header.Get("Transfer-Encoding") != "" {
			t.Errorf("the upstream was sent %s %s", s.Method, s.Target)
		}
	}
	if a := post(t, w, key, "/v1/chat/completions", chatBody("after")); a.status != 200 {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
	t.Logf("%d cases", len(cases))
}

// Some of the caller's headers never reach the upstream: those that describe the connection, identify the caller, or
// are not named in the config.
func TestHeadersThatReachTheUpstream(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ", forward_headers: [x-trace, x-hop], headers: {X-Title: ours}"))
	key := w.NewKey(t, "key")
	body := chatBody("m")
	text := "POST /v1/chat/completions HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer " + key + "\r\nContent-Length: " + fmt.Sprint(len(body)) + "\r\n"
	for _, h := range []string{
		"Connection: keep-alive, X-Hop", "X-Hop: named by Connection", "X-Trace: trace", "Keep-Alive: timeout=5", "Proxy-Connection: close", "Proxy-Authorization: Basic eA==",
		"TE: trailers", "Trailer: X", "Upgrade: websocket", "Cookie: a=b", "X-Api-Key: other", "Api-Key: other", "Openai-Organization: org", "Openai-Project: proj",
		"X-Title: theirs", "X-Forwarded-For: 1.2.3.4", "X-Forwarded-Host: h", "Forwarded: for=1", "X-Real-Ip: 1.2.3.4", "User-Agent: curl", "Accept-Encoding: br", "Accept: text/html",
		"Origin: https://o", "Referer: https://r", "Range: bytes=0-1", "If-None-Match: x", "Expect:", "X-Request-Id: mine", "X-Request-Timeout: 30", "X-Stainless-Lang: go",
		"Content-Type: text/plain", "Content-Md5: x", "Via: 1.1 front", "Host2: x", "Priority: u=1", "Http2-Settings: x",
	} {
		text += h + "\r\n"
	}
	got := exchange(t, w.Addr(), text+"\r\n"+body)
	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(got)), nil)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%v: %q", err, got)
	}
	_ = resp.Body.Close() // it is in memory
	all := served(t, up, func([]sim.Served) bool { return calls(up, "m") == 1 })
	i := slices.IndexFunc(all, func(s sim.Served) bool { return s.Model == "m" })
	call := all[i]
	var names []string
	for name := range call.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	const want = "Accept Authorization Content-Length Content-Type User-Agent Via X-Title X-Trace"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the upstream got %s, want %s", got, want)
	}
	for name, want := range map[string]string{
		"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "weir/test", "X-Title": "ours", "X-Trace": "trace",
	} {
		if got := call.Header[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if call.Authorization.Reveal() != "upstream-credential" {
		t.Errorf("the upstream got the credential %q", call.Authorization.Reveal())
	}
	if via := call.Header.Get("Via"); !strings.HasPrefix(via, "1.1 front, 1.1 weir-") {
		t.Errorf("Via: %q", via)
	}
}
