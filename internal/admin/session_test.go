package admin_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/admin"
)

const sessionPath = "/admin/v1/session"

// browser calls as a page of the console does: without the token, with the cookies that it was sent.
type browser struct {
	*server
	cookies map[string]string
}

func (s *server) browser() *browser { return &browser{s, map[string]string{}} }

// sends calls with more headers, and keeps the cookies of the answer.
func (b *browser) sends(method, path, body string, headers ...string) answer {
	b.t.Helper()
	var sent []string
	for name, value := range b.cookies {
		sent = append(sent, name+"="+value)
	}
	all := []string{"Authorization", "", "Sec-Fetch-Site", "same-origin", "Cookie", strings.Join(sent, "; ")}
	if body != "" {
		all = append(all, "Content-Type", "application/json")
	}
	got := b.do(method, path, body, append(all, headers...)...)
	for _, cookie := range (&http.Response{Header: got.header}).Cookies() {
		b.cookies[cookie.Name] = cookie.Value
		if cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		}
	}
	return got
}

func (b *browser) logIn() answer {
	b.t.Helper()
	got := b.sends("POST", sessionPath, `{"token":"`+token+`"}`)
	if got.status != 200 {
		b.t.Fatalf("%d %s", got.status, got.body)
	}
	return got
}

// works reports whether the browser's session still does.
func (b *browser) isIn() bool { return b.sends("GET", "/admin/v1/keys", "").status == 200 }

func TestLifeOfASession(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	b := s.browser()
	wantError(t, b.sends("GET", sessionPath, ""), 401, "missing_api_key", "")
	got := b.logIn()
	cookie := got.header.Get("Set-Cookie")
	if !strings.HasPrefix(cookie, "weir=") || !strings.HasSuffix(cookie, "; Path=/; HttpOnly; SameSite=Lax") || len(b.cookies["weir"]) != 43 {
		t.Errorf("the cookie %q", cookie)
	}
	var made, shown admin.Session
	wantOK(t, got, &made)
	if made.Via != "token" || made.Expires == nil || !made.Expires.Equal(start.Add(time.Hour)) || len(made.Permissions) < 10 {
		t.Errorf("%+v", made)
	}
	wantOK(t, b.sends("GET", sessionPath, ""), &shown)
	if fmt.Sprint(shown.Permissions) != fmt.Sprint(made.Permissions) {
		t.Errorf("%v, then %v", made.Permissions, shown.Permissions)
	}
	if s.logins != 1 || !strings.Contains(s.log.String(), `"level":"WARN","msg":"a browser was logged in to the console with the admin token"`) || strings.Contains(s.log.String(), b.cookies["weir"]) || strings.Contains(s.log.String(), token) {
		t.Errorf("%d logins, %s", s.logins, s.log)
	}

	first := b.cookies["weir"]
	b.logIn() // an id that others may know is of no use after a login
	again := s.browser()
	again.cookies["weir"] = first
	if b.cookies["weir"] == first || again.isIn() || !b.isIn() {
		t.Error("the id from before the login still works, or is the same")
	}
	if key := b.sends("POST", "/admin/v1/keys", `{"name":"by-session"}`); key.status != 200 || !strings.Contains(s.log.String(), `"via":"session"`) {
		t.Errorf("%d %s", key.status, key.body)
	}
	last := b.cookies["weir"]
	if got := b.sends("DELETE", sessionPath, ""); got.status != 200 || len(b.cookies) != 0 {
		t.Errorf("%d %s, then %v", got.status, got.body, b.cookies)
	}
	again.cookies["weir"] = last
	if again.isIn() {
		t.Error("the id works after the logout")
	}
	wantError(t, s.do("DELETE", sessionPath, ""), 404, "not_found", "")
	var bearer admin.Session
	wantOK(t, s.do("GET", sessionPath, ""), &bearer)
	if bearer.Via != "token" || bearer.Expires != nil || len(bearer.Permissions) != len(made.Permissions)+1 {
		t.Errorf("the token itself: %+v", bearer)
	}
}

// A session ends after an hour, whether it is used or not, and a clock that is put back does not bring it back.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	b := s.browser()
	b.logIn()
	s.now = start.Add(time.Hour - time.Second)
	if !b.isIn() {
		t.Error("it ended early")
	}
	s.now = start.Add(time.Hour)
	if b.isIn() {
		t.Error("it goes on after its end")
	}
	s.now = start
	if b.isIn() {
		t.Error("it is back")
	}
}

// However many logins there are, there are 256 sessions: the oldest go.
func TestTenThousandSessions(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	handler := s.Config.Handler
	ids := make([]string, 10_000)
	for i := range ids {
		r := httptest.NewRequest("POST", sessionPath, strings.NewReader(`{"token":"`+token+`"}`))
		r.Host, r.RemoteAddr = "localhost:8931", "127.0.0.1:5"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		ids[i] = w.Result().Cookies()[0].Value
	}
	works := 0
	for i, id := range ids {
		r := httptest.NewRequest("GET", sessionPath, nil)
		r.Host = "localhost"
		r.AddCookie(&http.Cookie{Name: "weir", Value: id})
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code == 200 {
			works++
			if i < len(ids)-256 {
				t.Fatalf("session %d still works", i)
			}
		}
	}
	if works != 256 {
		t.Errorf("%d sessions work", works)
	}
}

// What a foreign page may send with the cookie does nothing: neither read nor change, nor log in.
func TestPagesOfOthersHaveNoSession(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(o *admin.Options) { o.URL = "https://weir-admin.example.com" })
	b := s.browser()
	b.logIn()
	own := "http://" + s.Listener.Addr().String()
	for name, headers := range map[string][]string{
		"another site":             {"Sec-Fetch-Site", "cross-site"},
		"another port":             {"Sec-Fetch-Site", "same-site"},
		"an old browser":           {"Sec-Fetch-Site", "", "Origin", "http://evil.example"},
		"a sandboxed page":         {"Sec-Fetch-Site", "", "Origin", "null"},
		"another port, old":        {"Sec-Fetch-Site", "", "Origin", "http://127.0.0.1:1"},
		"what claims to be a form": {"Content-Type", "application/x-www-form-urlencoded"},
		"text":                     {"Content-Type", "text/plain"},
		"a part":                   {"Content-Type", "multipart/form-data; boundary=x"},
		"a list of types":          {"Content-Type", "text/plain, application/json"},
	} {
		for _, call := range [][3]string{{"POST", "/admin/v1/keys", `{"name":"stolen"}`}, {"POST", "/admin/v1/reload", `{}`}, {"DELETE", sessionPath, `{}`}, {"POST", sessionPath, `{"token":"` + token + `"}`}} {
			status, code := 403, "forbidden"
			if headers[0] == "Content-Type" {
				status, code = 415, "unsupported_media_type"
			}
			wantError(t, b.sends(call[0], call[1], call[2], headers...), status, code, "")
		}
		if got := b.sends("POST", "/admin/v1/reload", "", headers...); got.status == 200 {
			t.Errorf("%s: a reload without a body: %d", name, got.status)
		}
		if headers[0] == "Sec-Fetch-Site" && headers[1] != "" {
			wantError(t, b.sends("GET", "/admin/v1/verify", "", headers...), 403, "forbidden", "")
		}
	}
	for name, headers := range map[string][]string{
		"the console":                   {"Sec-Fetch-Site", "same-origin", "Origin", own},
		"the address bar":               {"Sec-Fetch-Site", "none"},
		"a program":                     {"Sec-Fetch-Site", ""},
		"an old browser":                {"Sec-Fetch-Site", "", "Origin", own},
		"one behind a proxy":            {"Sec-Fetch-Site", "", "Origin", "https://weir-admin.example.com"},
		"a type with its character set": {"Content-Type", "application/json; charset=utf-8"},
	} {
		if got := b.sends("POST", "/admin/v1/reload", "{}", headers...); got.status != 200 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if got := b.sends("POST", "/admin/v1/reload", ""); got.status != 200 {
		t.Errorf("without a body: %d %s", got.status, got.body)
	}
	wantError(t, b.sends("GET", "/admin/v1/keys", "", "Authorization", "Bearer wrong-token-of-this-test"), 401, "invalid_api_key", "")
	for name, cookie := range map[string]string{"none of ours": "weir=x", "an empty one": "weir=", "very many": strings.Repeat("weir=x; ", 500) + "weir=" + b.cookies["weir"]} {
		if got := b.sends("GET", "/admin/v1/keys", "", "Cookie", cookie); got.status != 401 {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	if got := b.sends("GET", "/admin/v1/keys", "", "Cookie", "weir=of-another-program; weir="+b.cookies["weir"]); got.status != 200 {
		t.Errorf("beside a cookie of another program: %d", got.status)
	}
	if list := s.do("GET", "/admin/v1/keys", ""); strings.Contains(list.body, "stolen") {
		t.Error(list.body)
	}
}

// The token logs in where the config lets it. A proxy on this machine is not this machine.
func TestWhereTheTokenLogsIn(t *testing.T) {
	t.Parallel()
	here := [2]string{"127.0.0.1:5", "127.0.0.1:8931"}
	for _, tt := range []struct {
		name    string
		where   admin.TokenLogin
		at      [2]string // the client's address, and the Host that it calls
		headers []string
		status  int
		cookie  string
	}{
		{"this machine", "", here, nil, 200, "weir"},
		{"this machine, by a browser", admin.FromLoopback, here, []string{"Origin", "http://127.0.0.1:8931", "Sec-Fetch-Site", "same-origin"}, 200, "weir"},
		{"IPv6", "", [2]string{"[::1]:5", "[::1]:8931"}, nil, 200, "weir"},
		{"a mapped address", "", [2]string{"[::ffff:127.0.0.1]:5", "localhost"}, nil, 200, "weir"},
		{"another machine", "", [2]string{"10.0.0.1:5", "127.0.0.1:8931"}, nil, 403, ""},
		{"another machine that claims to be this", "", [2]string{"10.0.0.1:5", "localhost"}, []string{"X-Forwarded-For", "127.0.0.1"}, 403, ""},
		{"a proxy that keeps the Host", "", [2]string{"127.0.0.1:5", "weir-admin.example.com"}, nil, 403, ""},
		{"a proxy that says for whom", "", here, []string{"X-Forwarded-For", "10.0.0.1"}, 403, ""},
		{"a proxy that says for this machine", "", here, []string{"X-Forwarded-For", "127.0.0.1"}, 403, ""},
		{"a proxy of the standard", "", here, []string{"Forwarded", "for=10.0.0.1"}, 403, ""},
		{"a proxy that says nothing", "", here, []string{"Origin", "https://weir-admin.example.com", "Sec-Fetch-Site", "same-origin"}, 403, ""},
		{"no address", "", [2]string{"@", "localhost"}, nil, 403, ""},
		{"anywhere", admin.FromAnywhere, [2]string{"10.0.0.1:5", "weir-admin.example.com"}, nil, 200, "__Host-weir"},
		{"anywhere, through a proxy that says nothing", admin.FromAnywhere, here, []string{"Origin", "https://weir-admin.example.com", "Sec-Fetch-Site", "same-origin"}, 200, "__Host-weir"},
		{"anywhere, this machine", admin.FromAnywhere, here, nil, 200, "weir"},
		{"anywhere, a strange Host", admin.FromAnywhere, [2]string{"10.0.0.1:5", "evil.example"}, nil, 421, ""},
		{"nowhere", admin.FromNowhere, here, nil, 403, ""},
	} {
		s := newServer(t, func(o *admin.Options) {
			o.TokenLogin, o.URL, o.Listen = tt.where, "https://weir-admin.example.com", "127.0.0.1:8931"
		})
		r := httptest.NewRequest("POST", sessionPath, strings.NewReader(`{"token":"`+token+`"}`))
		r.RemoteAddr, r.Host = tt.at[0], tt.at[1]
		for i := 0; i < len(tt.headers); i += 2 {
			r.Header.Set(tt.headers[i], tt.headers[i+1])
		}
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.Config.Handler.ServeHTTP(w, r)
		name := ""
		for _, cookie := range w.Result().Cookies() {
			name = cookie.Name
			if cookie.Secure != strings.HasPrefix(name, "__Host-") || !cookie.HttpOnly || cookie.Path != "/" || cookie.Domain != "" {
				t.Errorf("%s: %v", tt.name, cookie)
			}
		}
		if w.Code != tt.status || name != tt.cookie || tt.status == 403 && s.logins != 0 {
			t.Errorf("%s: %d, cookie %q, %s", tt.name, w.Code, name, w.Body)
		}
	}
}

// Guesses at the login count with those in headers.
func TestGuessesAtTheLogin(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	b := s.browser()
	for i := range 5 {
		wantError(t, b.sends("POST", sessionPath, fmt.Sprintf(`{"token":"guess-number-%d-of-this"}`, i)), 401, "invalid_api_key", "")
		wantError(t, s.do("GET", "/admin/v1/keys", "", "Authorization", fmt.Sprintf("Bearer guess-number-%d", i)), 401, "invalid_api_key", "")
	}
	wantError(t, b.sends("POST", sessionPath, `{"token":"another-guess-of-this"}`), 429, "too_many_wrong_tokens", "")
	wantError(t, b.sends("POST", sessionPath, `{"token":"`+token+`"}`), 429, "too_many_wrong_tokens", "")
	if s.logins != 0 || strings.Contains(s.log.String(), "guess-number") {
		t.Errorf("%d logins, %s", s.logins, s.log)
	}
	s.now = s.now.Add(time.Second)
	b.logIn()
}

func TestBadLogins(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	b := s.browser()
	for body, code := range map[string]string{
		`{}`: "missing_required_parameter", `{"token":""}`: "missing_required_parameter", `{"token":7}`: "invalid_type", `{"token":"a","token":"b"}`: "invalid_json",
		`{"Token":"x"}`: "invalid_value", `[]`: "invalid_json", `{"token":null}`: "missing_required_parameter",
	} {
		if got := b.sends("POST", sessionPath, body); got.status != 400 || !strings.Contains(got.body, code) {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
	wantError(t, b.sends("POST", sessionPath, `{"token":"`+strings.Repeat("x", 5<<10)+`"}`), 413, "request_too_large", "")
	wantError(t, b.sends("POST", sessionPath+"?token=x", `{}`), 400, "invalid_value", "token")
	for _, method := range []string{"PUT", "OPTIONS", "PATCH"} {
		got := b.sends(method, sessionPath, "", "Origin", "http://evil.example", "Access-Control-Request-Method", "POST")
		wantError(t, got, 405, "method_not_allowed", "")
		for name := range got.header {
			if strings.HasPrefix(name, "Access-Control") {
				t.Errorf("%s: %s", method, name)
			}
		}
	}
	if got := b.sends("HEAD", sessionPath, ""); got.status != 401 || got.body != "" {
		t.Errorf("HEAD: %d %s", got.status, got.body)
	}
}

// Over TLS the cookie is for TLS alone, and names have browsers stay with it. Loopback names do not: other programs listen there.
func TestSessionsOverTLS(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(o *admin.Options) { o.URL = "http://weir.internal:8931" })
	server := httptest.NewTLSServer(s.Config.Handler)
	defer server.Close()
	for host, hsts := range map[string]string{"weir.internal": "max-age=31536000", "localhost": "", "127.0.0.1:8931": ""} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+sessionPath, strings.NewReader(`{"token":"`+token+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		r.Header.Set("Content-Type", "application/json")
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if got := response.Header.Get("Strict-Transport-Security"); got != hsts {
			t.Errorf("%s: HSTS %q", host, got)
		}
		cookie := response.Header.Get("Set-Cookie")
		if host != "weir.internal" && (!strings.HasPrefix(cookie, "__Host-weir=") || !strings.HasSuffix(cookie, "; Path=/; HttpOnly; Secure; SameSite=Lax")) {
			t.Errorf("%s: %d %q", host, response.StatusCode, cookie)
		}
	}
}

// Every answer says what a browser may do with it. Without the console there are neither pages nor sessions.
func TestPagesAndTheirAbsence(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for path, status := range map[string]int{"/": 200, "/healthz": 200, "/nothing": 404, "/admin/v1/keys": 401, "/v1/models": 404} {
		got := s.browser().sends("GET", path, "")
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		} {
			if got.status != status || got.header.Get(name) != want {
				t.Errorf("%s: %d, %s: %q", path, got.status, name, got.header.Get(name))
			}
		}
		if status == 404 && !json.Valid([]byte(got.body)) {
			t.Errorf("%s: %s", path, got.body)
		}
	}
	with := s.browser()
	with.logIn()
	none := newServer(t, func(o *admin.Options) { o.Console = nil })
	without := none.browser()
	without.cookies = with.cookies
	wantError(t, without.sends("GET", "/", ""), 404, "unknown_url", "")
	wantError(t, without.sends("POST", sessionPath, `{"token":"`+token+`"}`), 401, "missing_api_key", "")
	wantError(t, none.do("POST", sessionPath, `{"token":"`+token+`"}`), 404, "unknown_url", "")
	wantError(t, without.sends("GET", "/admin/v1/keys", ""), 401, "missing_api_key", "")
}
