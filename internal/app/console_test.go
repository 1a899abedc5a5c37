package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/web"
)

// browse calls the admin listener as a page of it does: with a cookie in place of the token.
func browse(t *testing.T, w *apptest.Weir, call, cookie, body string, header ...string) answer {
	t.Helper()
	method, path, _ := strings.Cut(call, " ")
	r := request(t, method, w.AdminURL()+path, body, append([]string{"Sec-Fetch-Site", "same-origin", "Origin", w.AdminURL(), "Cookie", cookie}, header...)...)
	if body != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return do(t, http.DefaultClient, r)
}

// logIn returns the cookie of a new session.
func logIn(t *testing.T, w *apptest.Weir) string {
	t.Helper()
	a := browse(t, w, "POST /admin/v1/session", "", `{"token":"`+w.AdminToken().Reveal()+`"}`)
	if a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	cookie, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return cookie
}

// The real program serves the console's pages to everyone who asks, and their data to those who are logged in. Each login is counted.
func TestTheConsoleOfTheProgram(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, "")+"admin: {token: \"an-operators-own-token\"}\n")
	for _, path := range web.Pages() {
		a := browse(t, w, "GET "+path, "", "")
		policy := a.header.Get("Content-Security-Policy")
		if a.status != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !strings.Contains(policy, "require-trusted-types-for 'script'") || !strings.Contains(policy, "script-src 'self'") {
			t.Errorf("%s: %d, policy %q, %s", path, a.status, policy, a.body[:min(len(a.body), 100)])
		}
	}
	for _, path := range []string{"/admin/v1/nothing", "/admin/v1/keys"} {
		if a := browse(t, w, "GET "+path, "", ""); a.status != 401 || a.code() != "missing_api_key" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := browse(t, w, "GET /v1/models", "", ""); a.status != 404 || a.code() != "unknown_url" {
		t.Errorf("a caller at the wrong listener: %d %s", a.status, a.body)
	}
	if a := browse(t, w, "POST /admin/v1/session", "", `{"token":"not-the-operators-token"}`); a.status != 401 {
		t.Errorf("%d %s", a.status, a.body)
	}

	cookie := logIn(t, w)
	made := browse(t, w, "POST /admin/v1/keys", cookie, `{"name":"from-the-console"}`)
	list := browse(t, w, "GET /admin/v1/keys", cookie, "")
	if made.status != 200 || !strings.Contains(list.body, "from-the-console") {
		t.Errorf("%d %s, %d %s", made.status, made.body, list.status, list.body)
	}
	if a := browse(t, w, "GET /admin/v1/backup", cookie, ""); a.status != 403 || a.code() != "forbidden" {
		t.Errorf("a copy of the store: %d %s", a.status, a.body)
	}
	if a := browse(t, w, "POST /admin/v1/keys", cookie, `{"name":"stolen"}`, "Sec-Fetch-Site", "cross-site", "Origin", "http://evil.example"); a.status != 403 {
		t.Errorf("a page of another origin: %d %s", a.status, a.body)
	}
	r := request(t, "GET", w.AdminURL()+"/admin/v1/keys", "", "Cookie", cookie)
	r.Host = "evil.example"
	if a := do(t, http.DefaultClient, r); a.status != 421 {
		t.Errorf("another Host: %d %s", a.status, a.body)
	}
	if a := do(t, http.DefaultClient, request(t, "GET", w.URL()+"/v1/models", "", "Cookie", cookie)); a.status != 401 {
		t.Errorf("the cookie at the public listener: %d %s", a.status, a.body)
	}
	if got := figure(t, w, `weir_console_logins_total{with="token"}`); got != "1" {
		t.Errorf("%s logins", got)
	}
	if a := browse(t, w, "DELETE /admin/v1/session", cookie, ""); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := browse(t, w, "GET /admin/v1/keys", cookie, ""); a.status != 401 {
		t.Errorf("after the logout: %d", a.status)
	}
	if said := w.Requests.String(); !strings.Contains(said, "a browser was logged in to the console with the admin token") || strings.Contains(said, strings.TrimPrefix(cookie, "weir=")) {
		t.Errorf("the log: %s", said)
	}
}

// The manual needs no session, but the listener's rules hold for it: it is for the hosts that this listener has, and gone with the console.
func TestTheManualOfTheProgram(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	a := browse(t, w, "GET /docs", "", "")
	if a.status != 200 || !strings.Contains(a.body, "<h1>") || a.header.Get("Content-Security-Policy") != web.ManualPolicy || a.header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
		t.Errorf("%d %v %.100s", a.status, a.header, a.body)
	}
	if a := browse(t, w, "GET /docs/pages.js", "", ""); !strings.HasPrefix(a.body, "const served = {") {
		t.Errorf("%d %.100s", a.status, a.body)
	}
	if a := browse(t, w, "GET /docs/nothing.html", "", ""); a.status != 404 || a.code() != "unknown_url" {
		t.Errorf("%d %s", a.status, a.body)
	}
	r := request(t, "GET", w.AdminURL()+"/docs/", "")
	r.Host = "evil.example"
	if a := do(t, http.DefaultClient, r); a.status != 421 {
		t.Errorf("another Host: %d %s", a.status, a.body)
	}
	if a := do(t, http.DefaultClient, request(t, "GET", w.URL()+"/docs/", "")); a.status != 404 {
		t.Errorf("the listener for callers: %d", a.status)
	}
}

func TestAProgramWithoutTheConsole(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, "")+"console: false\n")
	for _, path := range []string{"/", "/docs", "/docs/"} {
		if a := browse(t, w, "GET "+path, "", ""); a.status != 404 || a.code() != "unknown_url" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := manage(t, w, "POST", "/admin/v1/session", `{"token":"`+w.AdminToken().Reveal()+`"}`); a.status != 404 {
		t.Errorf("%d %s", a.status, a.body)
	}

	w = apptest.StartWith(t, passAll(up, "")+"admin: {token_login: never}\n")
	if a := browse(t, w, "POST /admin/v1/session", "", `{"token":"`+w.AdminToken().Reveal()+`"}`); a.status != 403 || !strings.Contains(a.body, "token_login") {
		t.Errorf("%d %s", a.status, a.body)
	}
}
