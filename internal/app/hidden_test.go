package app_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// A caller may write a key, or the admin token, in a wrong place. It is then hidden in the log, answers, metrics and
// explanations, and no provider reads it.
func TestMisplacedKeysAreHidden(t *testing.T) {
	t.Parallel()
	var seen strings.Builder
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what came counts
		fmt.Fprintf(&seen, "%s %v %s\n", r.URL, r.Header, body)
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer upstream.Close()
	w := apptest.StartWith(t, fmt.Sprintf(`
providers:
  up: {kind: openai, base_url: "%s/v1", api_key: upstream-credential}
  claude: {kind: anthropic, base_url: %q, api_key: upstream-credential}
models:
  "*": {targets: ["up/*"]}
  claude: {targets: [claude/claude-sonnet-4-5]}
`, upstream.URL, upstream.URL))
	key, other := w.NewKey(t, "caller"), w.NewKey(t, "other")
	var told strings.Builder
	add := func(a answer) {
		fmt.Fprintln(&told, a.status, a.body)
		if err := a.header.Write(&told); err != nil {
			t.Error(err)
		}
	}
	for _, secret := range []string{other, key, w.AdminToken().Reveal()} {
		add(post(t, w, key, "/v1/chat/completions", chatBody(secret), "X-Request-Id", "id-"+secret, "User-Agent", "app/"+secret))
		add(post(t, w, key, "/v1/chat/completions", chatBody("prefix/"+secret+"/suffix")))
		add(post(t, w, key, "/v1/"+secret, "{}"))
		add(get(t, w, key, "/v1/models/"+secret))
		add(get(t, w, key, "/v1/"+strings.Repeat("x", 160)+secret))
		add(post(t, w, key, "/v1/chat/completions", `{"model":"claude","`+secret+`":1,"messages":[{"role":"user","content":"hi"}]}`))
		add(post(t, w, key, "/v1/chat/completions", `{"model":"claude","`+secret+`":1,"messages":[{"role":"user","content":"hi"}]}`, "Weir-Strict", "true"))
		add(manage(t, w, "GET", "/admin/v1/keys/"+secret, ""))
		add(manage(t, w, "DELETE", "/admin/v1/keys/"+secret, ""))
		add(manage(t, w, "GET", "/admin/v1/"+secret, ""))
		add(manage(t, w, "GET", "/admin/v1/explain?model="+secret, ""))
	}
	add(manage(t, w, "GET", "/metrics", ""))
	for _, secret := range []string{other, key, w.AdminToken().Reveal()} {
		secret = secret[len(secret)-30:]
		for what, text := range map[string]string{"an answer": told.String(), "the log": w.Requests.String(), "a call upstream": seen.String()} {
			// The body is the caller's own, and its model does not hold the key.
			if what == "a call upstream" {
				text = strings.ReplaceAll(text, `"`+secret+`":1`, "")
			}
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("%s tells a key: …%s", what, text[max(0, i-200):i+len(secret)])
			}
		}
	}
	logTells(t, w, `"client_request_id":"id-[hidden]"`)
	if !strings.Contains(told.String(), "X-Request-Id: id-[hidden]") {
		t.Error("the id that held a key is not masked, but gone")
	}
}

// An admin token and a client's key that the operator chose have no form of their own. Callers that write them where they do not belong
// leave neither in the log.
func TestMisplacedSecretsOfTheOperatorsChoiceAreNotLogged(t *testing.T) {
	t.Parallel()
	const token, key = "operators-own-token/1234567890", "clients-own-key-abcdef"
	w := apptest.StartWith(t, fmt.Sprintf("admin: {token: %q}\nproviders: {up: {kind: sim}}\nmodels: {m: {targets: [up/chat]}}\nkeys: [{name: own, digest: \"sha256:%x\"}]\n",
		token, sha256.Sum256([]byte(key))))
	for _, secret := range []string{token, key} {
		post(t, w, key, "/v1/chat/completions", chatBody(secret), "X-Request-Id", "id-"+secret, "User-Agent", "app/"+secret)
		post(t, w, key, "/v1/"+secret, "{}")
		get(t, w, key, "/v1/models/"+url.PathEscape(secret))
	}
	manage(t, w, "GET", "/admin/v1/keys/"+url.PathEscape(token), "")
	manage(t, w, "DELETE", "/admin/v1/keys/"+url.PathEscape(token), "")
	manage(t, w, "GET", "/admin/v1/explain?model="+url.QueryEscape(token), "")
	for _, secret := range []string{token, key} {
		if text := w.Requests.String(); strings.Contains(text, secret) {
			t.Errorf("%s is logged:\n%s", secret, text)
		}
	}
	logTells(t, w, `"client_request_id":"id-[hidden]"`)
}

// An upstream's words in an error, and its id for the call, are repeated without the credential, its end, or either in base64 or
// hex.
func TestCredentialsInWordsOfUpstreamsAreHidden(t *testing.T) {
	t.Parallel()
	const credential = "upstream-Zq8Xw3Lk5Tn7Bv"
	said := map[string]string{
		"whole": credential, "end": "****" + credential[len(credential)-8:], "longer end": credential[5:], "hex": hex.EncodeToString([]byte(credential)),
		"base64": base64.StdEncoding.EncodeToString([]byte(credential)), "basic": base64.StdEncoding.EncodeToString([]byte("user:" + credential)),
	}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct{ Model string }
		_ = json.NewDecoder(r.Body).Decode(&call) // a wrong body has no model
		form, ending, _ := strings.Cut(call.Model, "+")
		w.Header().Set("X-Request-Id", "req-"+said[form])
		switch ending {
		case "conventional":
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error":{"message":"refused for %s","type":"invalid_request_error","param":null,"code":null}}`, said[form])
		case "plain":
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"detail":"refused for %s"}`, said[form])
		case "stream":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"message\":\"refused for %s\"}}\n\n", said[form])
		default:
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprintf(w, `{"error":{"message":"broken for %s"}}`, said[form])
		}
	}))
	defer upstream.Close()
	w := apptest.StartWith(t, fmt.Sprintf("providers:\n  up: {kind: openai, base_url: \"%s/v1\", api_key: %q}\nmodels:\n  \"*\": {targets: [\"up/*\"]}\n", upstream.URL, credential))
	key := w.NewKey(t, "caller")
	for form, text := range said {
		for _, ending := range []string{"conventional", "plain", "stream", "broken"} {
			a := post(t, w, key, "/v1/chat/completions", chatBody(form+"+"+ending))
			if ending == "stream" {
				a = post(t, w, key, "/v1/chat/completions", streamBody(form+"+"+ending))
			}
			secret := strings.TrimLeft(text, "*")
			secret = secret[len(secret)-8:]
			if id := a.header.Get("Weir-Upstream-Request-Id"); strings.Contains(id+a.body, secret) || id != "" && !strings.Contains(id, "[hidden]") {
				t.Errorf("%s, %s: told %q and %s", form, ending, id, a.body)
			}
			if ending == "conventional" && !strings.Contains(a.body, "refused for ") {
				t.Errorf("%s: the words are gone: %s", form, a.body)
			}
		}
	}
	logTells(t, w, `"upstream_request_id":"req-[hidden]`)
	if strings.Contains(w.Requests.String(), credential[len(credential)-8:]) {
		t.Errorf("the log does not hide them")
	}
}
