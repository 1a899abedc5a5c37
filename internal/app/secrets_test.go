package app_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// canary is a secret in one place, and nowhere else.
func canary(name string) string { return "canary" + name + "Zq8Xw3Lk5Tn7" }

// forms are the ways in which a secret could be written.
func forms(secret string) map[string]string {
	escaped, _ := json.Marshal(secret) // a string marshals
	all := map[string]string{
		"plain": secret, "upper case": strings.ToUpper(secret), "lower case": strings.ToLower(secret), "hex": hex.EncodeToString([]byte(secret)), "HEX": strings.ToUpper(hex.EncodeToString([]byte(secret))),
		"URL": url.QueryEscape(secret), "path": url.PathEscape(secret), "quoted": strings.Trim(fmt.Sprintf("%q", secret), `"`), "JSON": strings.Trim(string(escaped), `"`), "bytes": strings.Trim(fmt.Sprint([]byte(secret)), "[]"),
	}
	// In base64 the same text has three forms, by where it begins; the ends depend on the neighbours.
	for shift := range 3 {
		for name, encoding := range map[string]*base64.Encoding{"base64": base64.RawStdEncoding, "base64url": base64.RawURLEncoding} {
			text := encoding.EncodeToString([]byte(strings.Repeat("x", shift) + secret))
			all[fmt.Sprint(name, shift)] = text[4 : len(text)-3]
		}
	}
	return all
}

// leaky is an upstream that repeats all that it was sent, in every kind of answer.
func leaky(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // the caller may be gone
		var call struct{ Model string }
		_ = json.Unmarshal(body, &call) // a wrong body has no model
		told := fmt.Sprintf("Incorrect API key provided: %s. Headers: %v", strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.Header["Authorization"])
		envelope, _ := json.Marshal(map[string]any{"error": map[string]any{"message": told, "type": "invalid_request_error", "param": nil, "code": nil}})
		w.Header().Set("X-Request-Id", "req_upstream")
		w.Header().Set("Set-Cookie", "session="+canary("SetCookie"))
		w.Header().Set("X-Debug", r.Header.Get("Authorization"))
		switch call.Model {
		case "text":
			http.Error(w, told, 500)
		case "html":
			w.WriteHeader(404)
			fmt.Fprintf(w, "<html>%s</html>", told)
		case "stream":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\nevent: error\ndata: %s\n\n", envelope)
		case "inband":
			_, _ = w.Write(envelope)
		case "broken":
			panic(http.ErrAbortHandler)
		case "redirect":
			http.Redirect(w, r, "https://"+canary("Location")+".example/?key="+told, http.StatusFound)
		default:
			status := 400
			_, _ = fmt.Sscanf(call.Model, "status-%d", &status) // otherwise 400
			w.WriteHeader(status)
			_, _ = w.Write(envelope)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// refusingProxy is a proxy that lets no connection through.
func refusingProxy(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r, err := http.ReadRequest(bufio.NewReader(c))
				if err == nil {
					fmt.Fprintf(c, "HTTP/1.1 407 Proxy Authentication Required\r\nX-Debug: %s\r\nContent-Length: 0\r\n\r\n", r.Header.Get("Proxy-Authorization"))
				}
			}()
		}
	}()
	return l.Addr().String()
}

// secretive is a config with a canary in every place that holds a secret.
func secretive(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf(`
admin: {token: %q}
providers:
  leaky: {kind: openai, base_url: %q, api_keys: [%q, %q], headers: {X-Private: %q}}
  proxied: {kind: openai, base_url: "https://upstream.invalid/v1", api_key: %q, proxy: "http://user:%s@%s"}
  closed: {kind: openai, base_url: "http://127.0.0.1:1/v1", api_key: %q, proxy: "http://user:%s@127.0.0.1:1"}
models:
  "leaky/*": {targets: ["leaky/*"]}
  "proxied/*": {targets: ["proxied/*"]}
  "closed/*": {targets: ["closed/*"]}
`, canary("AdminToken"), leaky(t), canary("KeyOne"), canary("KeyTwo"), canary("Header"),
		canary("ProxiedKey"), canary("ProxyPassword"), refusingProxy(t), canary("ClosedKey"), canary("ClosedProxy"))
}

// sendTo posts on a connection of its own: that of a cut stream is closed, which a client may learn too late.
func (o *outputs) sendTo(w *apptest.Weir, key, path, body string, header ...string) answer {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return do(o.t, client, request(o.t, "POST", w.URL()+path, body, append([]string{"Authorization", "Bearer " + key}, header...)...))
}

// outputs collects all that a reader could get to see.
type outputs struct {
	t    *testing.T
	text map[string]string
}

func (o *outputs) add(what string, a answer) {
	var b bytes.Buffer
	if err := a.header.Write(&b); err != nil {
		o.t.Error(err)
	}
	o.text[what] += b.String() + a.body + "\n"
}

// No secret is in anything that Weir puts out: log (at its most detailed level), metrics, errors, answers of the
// admin API, data folder.
func TestNoSecretLeaves(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	good := secretive(t)
	rewrite(t, path, good)
	w := apptest.Start(t, path)
	keys := map[string]string{"caller": w.NewKey(t, "caller"), "revoked": w.NewKey(t, "revoked"), "rotated": w.NewKey(t, "rotated")}
	out := &outputs{t, map[string]string{}}

	out.useEndpoints(w, keys["caller"])
	out.useAdmin(w, keys)
	// Configs with a mistake next to each secret, and in place of each.
	for _, m := range [][2]string{
		{"kind: openai", "kind: opnai"},
		{"models:", "modles:"},
		{canary("AdminToken"), "a b " + canary("AdminToken")},
		{"http://user:", "ftp://user:"},
		{"http://user:", "http://us er:%zz"},
		{`api_keys: ["`, `api_keys: {x: "`},
		{`api_keys: ["`, `api_keys: "`},
		{canary("Header"), canary("Header") + `\r\nEvil: 1`},
		{canary("KeyOne"), canary("KeyOne") + `\n`},
		{`headers: {X-Private: "`, `headers: {X-Private: ["`},
		{`proxy: "`, `proxy: ["`},
		{`token: "`, `token: ["`},
		{`token: "`, `token: {x: "`},
		{canary("KeyTwo"), canary("KeyOne")},
		{`"https://upstream.invalid/v1"`, `"https://user:` + canary("BaseURL") + `@upstream.invalid/v1"`},
	} {
		rewrite(t, path, strings.Replace(good, m[0], m[1], 1))
		out.add("a reload", manage(t, w, "POST", "/admin/v1/reload", ""))
	}
	rewrite(t, path, strings.Replace(good, canary("KeyOne"), canary("KeyThree"), 1))
	out.add("a reload", manage(t, w, "POST", "/admin/v1/reload", ""))
	out.add("the metrics", manage(t, w, "GET", "/metrics", ""))
	out.text["the log"] = w.Requests.String()
	out.addFolder(filepath.Join(folder, "weir-data"))

	secrets := map[string]string{}
	for _, name := range strings.Fields("AdminToken KeyOne KeyTwo KeyThree Header ProxiedKey ProxyPassword ClosedKey ClosedProxy BaseURL Prompt Cookie Basic Query Userinfo Forwarded Location SetCookie WrongKey User Tool") {
		secrets[name] = canary(name)
	}
	for name, key := range keys {
		_, rest, _ := strings.Cut(strings.TrimPrefix(key, "sk-weir-"), "-") // the id may be shown
		secrets["the key "+name] = rest
	}
	for what, text := range out.text {
		if what == "the answers" { // the caller may get back what it sent
			text = strings.ReplaceAll(text, canary("Prompt"), "")
		}
		for name, secret := range secrets {
			for form, written := range forms(secret) {
				if i := strings.Index(text, written); i >= 0 {
					t.Errorf("%s shows %s (%s): …%q…", what, name, form, text[max(0, i-150):min(len(text), i+80)])
				}
			}
		}
	}
	if len(out.text["the log"]) < 10_000 || len(out.text["the answers"]) < 5_000 {
		t.Errorf("too little came out to prove anything: %d bytes of log, %d of answers", len(out.text["the log"]), len(out.text["the answers"]))
	}
}

// useEndpoints makes requests of every kind with secrets wherever a caller can put them.
func (o *outputs) useEndpoints(w *apptest.Weir, key string) {
	secretHeaders := []string{
		"Cookie", "session=" + canary("Cookie"), "Proxy-Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte("u:"+canary("Basic"))), "X-Forwarded-Authorization", canary("Forwarded"),
	}
	body := func(model, more string) string {
		return fmt.Sprintf(`{"model":%q,"user":%q,"messages":[{"role":"user","content":%q}],"tools":[{"type":"function","function":{"name":%q}}]%s}`,
			model, canary("User"), canary("Prompt"), canary("Tool"), more)
	}
	models := []string{"leaky/text", "leaky/html", "leaky/stream", "leaky/inband", "leaky/broken", "leaky/redirect", "proxied/m", "closed/m", "unknown"}
	for _, status := range []int{400, 401, 402, 403, 404, 405, 408, 409, 413, 422, 429, 498, 500, 502, 503, 529} {
		models = append(models, fmt.Sprintf("leaky/status-%d", status))
	}
	for _, model := range models {
		for range 2 { // for either credential
			o.add("the answers", o.sendTo(w, key, "/v1/chat/completions?api_key="+canary("Query"), body(model, ""), secretHeaders...))
		}
		o.add("the answers", o.sendTo(w, key, "/v1/chat/completions", body(model, `,"stream":true`), secretHeaders...))
	}
	for _, bad := range []string{
		body("leaky/m", "")[:80], body("leaky/m", `,"`+canary("Prompt")+`":1,"`+canary("Prompt")+`":2`), fmt.Sprintf(`{"model":[%q],"messages":%q}`, canary("Prompt"), canary("Prompt")),
		canary("Prompt"), `{"model":"m","x":"` + canary("Prompt") + "\xff\"}", body("leaky/m", `,"stream_options":"`+canary("Prompt")+`"`),
	} {
		o.add("the answers", o.sendTo(w, key, "/v1/chat/completions", bad, secretHeaders...))
		o.add("the answers", o.sendTo(w, canary("WrongKey"), "/v1/embeddings", bad, secretHeaders...))
		o.add("the answers", o.sendTo(w, "sk-weir-"+canary("WrongKey"), "/v1/completions", bad))
		o.add("the answers", o.sendTo(w, key, "/v1/chat/completions", bad, "Content-Type", "application/x-www-form-urlencoded"))
		o.add("the answers", o.sendTo(w, key, "/v1/chat/completions", bad, "Content-Encoding", "gzip"))
	}
	o.add("the answers", get(o.t, w, key, "/v1/models"))
	o.add("the answers", get(o.t, w, canary("WrongKey"), "/v1/models"))
	o.add("the answers", get(o.t, w, key, "/v1/models/leaky/m?key="+canary("Query")))
	raw := "GET http://user:" + canary("Userinfo") + "@w/v1/models?key=" + canary("Query") + " HTTP/1.1\r\nHost: w\r\nAuthorization: Basic " + canary("Basic") + "\r\n"
	for _, text := range []string{raw + "\r\n", raw + "Cookie: " + canary("Cookie") + "\x00\r\n\r\n", raw + canary("Cookie") + "\r\n\r\n", "GET / " + canary("Cookie") + "\r\n\r\n"} {
		o.text["the answers"] += exchange(o.t, w.Addr(), text)
	}
}

// useAdmin makes calls of every kind to the admin API. Answers that hold a new key are meant to.
func (o *outputs) useAdmin(w *apptest.Weir, keys map[string]string) {
	a := manage(o.t, w, "POST", "/admin/v1/keys/rotated/rotate", `{"grace":"1h"}`)
	var made struct{ Key string }
	if err := json.Unmarshal([]byte(a.body), &made); err != nil {
		o.t.Fatal(err)
	}
	keys["minted"] = made.Key
	o.add("the admin API", manage(o.t, w, "DELETE", "/admin/v1/keys/revoked?now=true", ""))
	for _, call := range [][3]string{
		{"GET", "/admin/v1/keys", ""},
		{"GET", "/admin/v1/keys/caller", ""},
		{"PATCH", "/admin/v1/keys/caller", `{"models":["leaky/*"]}`},
		{"POST", "/admin/v1/keys", `{"name":"caller"}`},
		{"POST", "/admin/v1/keys", `{`},
		{"POST", "/admin/v1/keys", `{"name":"x","secret":"` + canary("Prompt") + `"}`},
		{"GET", "/admin/v1/keys/" + keys["caller"], ""},
		{"GET", "/admin/v1/openapi.json", ""},
		{"GET", "/nothing?token=" + canary("Query"), ""},
	} {
		o.add("the admin API", manage(o.t, w, call[0], call[1], call[2]))
	}
	o.add("the admin API", do(o.t, http.DefaultClient, request(o.t, "GET", w.AdminURL()+"/admin/v1/keys", "", "Authorization", "Bearer "+canary("WrongKey"), "Cookie", canary("Cookie"))))
	o.add("the answers", o.sendTo(w, keys["revoked"], "/v1/chat/completions", chatBody("leaky/m")))
	o.add("the answers", o.sendTo(w, keys["minted"], "/v1/chat/completions", chatBody("leaky/m")))
}

// addFolder adds every file of the data folder but the admin token's.
func (o *outputs) addFolder(dir string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "admin.token" {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			o.t.Errorf("%s can be read by others: %v", path, info.Mode())
		}
		content, err := os.ReadFile(path)
		o.text[d.Name()] += string(content)
		return err
	})
	if err != nil {
		o.t.Error(err)
	}
}
