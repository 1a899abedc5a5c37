package admin

import (
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// If a web page at evil.example makes its name resolve to 127.0.0.1, a browser takes it for the same origin. Only the Host header
// gives it away.
func TestHostsOfTheListener(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ listen, url, allowed, refused string }{
		{
			"127.0.0.1:8931", "", "127.0.0.1:8931 127.0.0.1 localhost LocalHost:8931 localhost. 127.1.2.3:1 [::1]:8931 [::1] [::ffff:127.0.0.1]:8931",
			"evil.example evil.example:8931 127.0.0.1.evil.example localhost.evil.example 192.168.1.5:8931 [fe80::1]:8931 2130706433 0x7f.1 [::1]. a:b:c",
		},
		{"127.0.0.1:8931", "https://weir-admin.example.com:444", "weir-admin.example.com WEIR-admin.example.com.:1 localhost", "example.com x.weir-admin.example.com"},
		{"192.168.1.5:8931", "", "192.168.1.5:8931 192.168.1.5 localhost:8931", "192.168.1.6 evil.example"},
		{"[fe80::1%eth0]:8931", "", "[fe80::1]:8931 [fe80::1%25eth0]", "[fe80::2]:8931"},
		{"weir.internal:8931", "", "weir.internal weir.internal:8931 127.0.0.1", "internal 10.0.0.1"},
		{":8931", "", "10.0.0.1:8931 [2001:db8::1]:8931 localhost", "evil.example weir"},
		{"0.0.0.0:8931", "http://weir:8931", "10.0.0.1 weir:8931", "evil.example"},
		{"[::]:8931", "", "10.0.0.1", "evil.example"},
	} {
		h := hostsOf(tt.listen, tt.url)
		for host := range strings.FieldsSeq(tt.allowed) {
			if !h.allow(host) {
				t.Errorf("%s, %s: %q is refused", tt.listen, tt.url, host)
			}
		}
		for host := range strings.FieldsSeq(tt.refused) {
			if h.allow(host) {
				t.Errorf("%s, %s: %q is allowed", tt.listen, tt.url, host)
			}
		}
	}
	if !hostsOf("127.0.0.1:8931", "").allow("") {
		t.Error("HTTP/1.0 without a Host is refused")
	}
}

const rightToken = "weir-admin-token-of-this-test"

// guarded is an admin API, called from whatever address, at a time that the test moves.
func guarded(t *testing.T, now *time.Time) func(path, host, remote, token string) *httptest.ResponseRecorder {
	t.Helper()
	clock := func() time.Time { return *now }
	keys, err := auth.NewKeys(t.Context(), &storetest.Memory{}, clock, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	h := New(Options{
		Keys: keys, Token: secret.New(rightToken), Now: clock, Log: slog.New(slog.DiscardHandler), Listen: "127.0.0.1:8931",
		Ready: func() bool { return true }, Metrics: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
	})
	return func(path, host, remote, token string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host, r.RemoteAddr = host, remote
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
}

func TestAnotherHostReadsNothing(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	call := guarded(t, &now)
	for path, status := range map[string]int{
		"/metrics": 421, "/admin/v1/keys": 421, "/admin/v1/openapi.json": 421, "/": 421, "/healthz": 200, "/readyz": 200,
	} {
		w := call(path, "evil.example:8931", "127.0.0.1:1", rightToken)
		if w.Code != status || status == 421 && (!strings.Contains(w.Body.String(), `"code":"misdirected_request"`) || !strings.Contains(w.Body.String(), "admin.url")) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		if w := call(path, "localhost:8931", "127.0.0.1:1", rightToken); w.Code != 200 && path != "/" {
			t.Errorf("%s by its own name: %d %s", path, w.Code, w.Body)
		}
	}
}

// Tokens can be guessed ten at once and then one a second from each address. Other addresses are not affected, and neither is the
// operator who has called from the same address before.
func TestWrongTokensAreSlowedPerAddress(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	call := guarded(t, &now)
	status := func(remote, token string) int { return call("/admin/v1/keys", "localhost", remote, token).Code }
	if got := status("10.0.0.1:99", rightToken); got != 200 {
		t.Fatal(got)
	}
	looked := 0
	for i := range 600 { // a guess each 100 ms for a minute
		remote := fmt.Sprintf("10.0.0.1:%d", 1000+i)
		switch got := status(remote, fmt.Sprintf("a-guess-of-the-token-%d", i)); got {
		case 401:
			looked++
		case 429:
		default:
			t.Fatal(got)
		}
		if i%100 == 50 {
			if got := status("10.0.0.1:5", rightToken); got != 200 {
				t.Errorf("the operator at the same address: %d", got)
			}
			if got := status("10.0.0.2:5", rightToken); got != 200 {
				t.Errorf("the operator at another address: %d", got)
			}
		}
		now = now.Add(100 * time.Millisecond)
	}
	if looked != 10+59 {
		t.Errorf("%d of 600 guesses were looked at", looked)
	}
	for range 20 {
		status("10.9.9.9:1", "a-wrong-token-of-this-test")
	}
	w := call("/admin/v1/keys", "localhost", "10.9.9.9:1", rightToken)
	if w.Code != 429 || w.Header().Get("Retry-After") != "1" || !strings.Contains(w.Body.String(), "too_many_wrong_tokens") {
		t.Errorf("a guess that happens to be right: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := call("/admin/v1/keys", "localhost", "10.9.9.9:1", ""); w.Code != 401 {
		t.Errorf("no token at all: %d", w.Code)
	}
	now = now.Add(-24 * time.Hour) // a clock that is put back
	status("10.9.9.9:1", "a-wrong-token-of-this-test")
	now = now.Add(2 * time.Second)
	if w := call("/admin/v1/keys", "localhost", "10.9.9.9:1", rightToken); w.Code != 200 {
		t.Errorf("after the clock was put back: %d", w.Code)
	}
}

// An attacker with many addresses makes the list no longer; those of one IPv6 network are one.
func TestAddressesOfGuessesAreBounded(t *testing.T) {
	t.Parallel()
	var g guesses
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 5 * maxGuessers {
		g.admit(fmt.Sprintf("[2001:db8:%x::1]:1", i), false, now)
	}
	if len(g.by) != maxGuessers || g.order.Len() != maxGuessers {
		t.Errorf("%d addresses, %d in order", len(g.by), g.order.Len())
	}
	refused := 0
	for i := range 100 {
		if wait, _ := g.admit(fmt.Sprintf("[2001:db9::%x]:1", i), false, now); wait > 0 {
			refused++
		}
	}
	if refused != 90 {
		t.Errorf("%d of 100 guesses from one network were refused", refused)
	}
}

// A token that other users may read is not used. A start and a command both refuse it, and say what to run.
func TestATokenThatOthersMayReadIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits for other users")
	}
	dir := t.TempDir()
	made, err := Token(dir, secret.Text{}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []fs.FileMode{0o640, 0o604, 0o620, 0o601, 0o777} {
		if err := os.Chmod(TokenFile(dir), mode); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("chmod 600 %q", TokenFile(dir))
		if _, err := Token(dir, secret.Text{}, rand.Reader); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), made.Reveal()) {
			t.Errorf("%o, at the start: %v", mode, err)
		}
		if _, err := OwnToken(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%o, in a command: %v", mode, err)
		}
	}
	for _, mode := range []fs.FileMode{0o600, 0o400} {
		if err := os.Chmod(TokenFile(dir), mode); err != nil {
			t.Fatal(err)
		}
		if got, err := OwnToken(dir); err != nil || got != made {
			t.Errorf("%o: %v", mode, err)
		}
	}
}

// A proxy in front may have read the other header, or the body that HTTP/1.0 does not have.
func TestAmbiguousCallsAreNotServed(t *testing.T) {
	t.Parallel()
	h := New(Options{
		Token: secret.New(rightToken), Log: slog.New(slog.DiscardHandler), Listen: "127.0.0.1:8931",
		Ready: func() bool { return true }, Metrics: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
	})
	for name, tt := range map[string]struct {
		tokens []string
		status int
	}{
		"different tokens": {[]string{"Bearer " + rightToken, "Bearer wrong"}, 400},
		"the same twice":   {[]string{"Bearer " + rightToken, "Bearer " + rightToken}, 200},
	} {
		r := httptest.NewRequest(http.MethodGet, "/admin/v1/openapi.json", nil)
		r.Host, r.Header["Authorization"] = "localhost", tt.tokens
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != tt.status || tt.status == 400 && !strings.Contains(w.Body.String(), `"param":"authorization"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}

	server := httptest.NewServer(h)
	defer server.Close()
	for name, request := range map[string]string{
		"HTTP/1.0 with chunks": "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n",
		"both lengths":         "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	} {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, request+"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if answers, _ := io.ReadAll(c); strings.Count(string(answers), " 200 OK") != 1 { // a reset after the answer is an end, too
			t.Errorf("%s: what follows was served as well: %s", name, answers)
		}
	}
}
