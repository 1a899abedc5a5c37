package app_test

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/cloud/sigv4test"
	"github.com/weirproxy/weir/internal/sim"
)

// entra is a token endpoint that takes one secret.
func entra(t *testing.T, secret, token string) (base string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		if r.FormValue("client_secret") != secret {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = fmt.Fprintf(w, `{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret provided: %s"}`, r.FormValue("client_secret"))
			return
		}
		_, _ = fmt.Fprintf(w, `{"token_type":"Bearer","expires_in":3599,"access_token":%q}`, token)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// A provider with a sign-in in place of a key is called with a token, which is got once for many calls. What an upstream repeats of
// it does not reach the caller.
func TestSignInInPlaceOfAKey(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"key": "`+canary("Token")+`"}`))
	login, asked := entra(t, canary("ClientSecret"), canary("Token"))
	w := apptest.StartIn(t, fmt.Sprintf(`
providers:
  azure: {kind: azure, base_url: %q, entra: {tenant: t, client_id: c, client_secret: %s}}
  leaky: {kind: azure, base_url: %q, entra: {tenant: t, client_id: c, client_secret: %s}}
models:
  m: {targets: [azure/gpt-5]}
  "status-400": {targets: [leaky/status-400]}
`, up.URL(), canary("ClientSecret"), leaky(t), canary("ClientSecret")), map[string]string{"AZURE_AUTHORITY_HOST": login})
	key := w.NewKey(t, "key")
	for _, body := range []string{`{"model":"m","messages":[{"role":"user","content":"hi"}]}`, `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}`} {
		if status, _, answer := chat(t, w, key, body); status != http.StatusOK {
			t.Errorf("%d: %s", status, answer)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("signed in %d times", n)
	}
	status, header, answer := chat(t, w, key, `{"model":"status-400","messages":[{"role":"user","content":"hi"}]}`)
	if status != http.StatusBadRequest || strings.Contains(answer+fmt.Sprint(header), "canary") {
		t.Errorf("%d: %v %s", status, header, answer)
	}
	if log := w.Requests.String(); strings.Contains(log, "canary") {
		t.Errorf("the log shows it: %s", log)
	}
}

// A token that the upstream refuses before its end is replaced, and the same request goes on with the new one. Where that is
// refused as well, no further one is asked for.
func TestTokenRefusedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	var given atomic.Int32
	login := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"token_type":"Bearer","expires_in":3599,"access_token":"token-%d"}`, given.Add(1))
	}))
	t.Cleanup(login.Close)
	var least atomic.Int32 // the first token that is taken
	least.Store(2)
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int32
		if _, err := fmt.Sscanf(r.Header.Get("Authorization"), "Bearer token-%d", &n); err != nil || n < least.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}`)
			return
		}
		_, _ = io.WriteString(w, leanAnswer)
	}))
	t.Cleanup(up.Close)
	w := apptest.StartIn(t, fmt.Sprintf(`
providers: {azure: {kind: azure, base_url: "%s/openai/v1", entra: {tenant: t, client_id: c, client_secret: s}}}
models: {m: {targets: [azure/gpt-5]}}
`, up.URL), map[string]string{"AZURE_AUTHORITY_HOST": login.URL})
	key := w.NewKey(t, "key")
	for i, want := range []struct {
		status   int
		attempts string
	}{{http.StatusOK, "2"}, {http.StatusOK, "1"}, {http.StatusBadGateway, ""}} {
		if i == 2 {
			least.Store(1000)
		}
		status, header, answer := chat(t, w, key, `{"model":"m","messages":[{"role":"user","content":"hi"}]}`)
		if status != want.status || header.Get("Weir-Attempts") != want.attempts {
			t.Errorf("request %d: %d, attempts %q: %s", i, status, header.Get("Weir-Attempts"), answer)
		}
	}
	if n := given.Load(); n != 2 {
		t.Errorf("signed in %d times", n)
	}
	logTells(t, w, "azure/gpt-5 stale_credential 401")
}

// Without credentials nothing is called. The caller reads who must act, and the operator what to do.
func TestNoCredentialsForACall(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{}`))
	login, _ := entra(t, "another", "")
	w := apptest.StartIn(t, fmt.Sprintf(`
providers:
  azure: {kind: azure, base_url: %q, entra: {tenant: t, client_id: c, client_secret: %s}}
models:
  m: {targets: [azure/gpt-5]}
`, up.URL(), canary("ClientSecret")), map[string]string{"AZURE_AUTHORITY_HOST": login})
	status, header, answer := chat(t, w, w.NewKey(t, "key"), `{"model":"m","messages":[{"role":"user","content":"hi"}]}`)
	if status != http.StatusBadGateway || header.Get("X-Should-Retry") != "false" || !strings.Contains(answer, `"code":"upstream_auth"`) ||
		!strings.Contains(answer, "provider azure was not called, because Weir could not get credentials for it") {
		t.Errorf("%d: %v %s", status, header, answer)
	}
	if strings.Contains(answer, "canary") || strings.Contains(answer, "AADSTS") {
		t.Errorf("the caller is told %s", answer)
	}
	if len(up.Server.Served()) > 0 {
		t.Error("the upstream was called")
	}
	logTells(t, w, "the token endpoint answered 401, invalid_client, AADSTS7000215; set entra:")
	if log := w.Requests.String(); strings.Contains(log, "canary") {
		t.Errorf("the log says %s", log)
	}
}

// A workload that Google trusts by another issuer's token calls Claude on Vertex AI.
func TestGoogleSignIn(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules": [{"match": {}, "body": "{\"id\": \"m\", \"type\": \"message\", \"role\": \"assistant\", \"model\": \"c\", \"content\": [{\"type\": \"text\", \"text\": \"Hi\"}], \"stop_reason\": \"end_turn\", \"usage\": {\"input_tokens\": 3, \"output_tokens\": 4}}"}]}`))
	sts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("subject_token") != canary("Subject") {
			t.Errorf("%v", r.Form)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"access_token":%q,"issued_token_type":"urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer","expires_in":3600}`, canary("Google"))
	}))
	t.Cleanup(sts.Close)
	folder := t.TempDir()
	for name, text := range map[string]string{
		"subject": canary("Subject"),
		"google.json": fmt.Sprintf(`{"type":"external_account","audience":"//iam.googleapis.com/pool","subject_token_type":"urn:ietf:params:oauth:token-type:jwt","token_url":%q,"credential_source":{"file":%q}}`,
			sts.URL, filepath.Join(folder, "subject")),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := apptest.StartIn(t, fmt.Sprintf(`
providers:
  google: {kind: vertex, project: p, region: global, base_url: %q, credentials_file: %q}
models:
  m: {targets: [google/claude-haiku-4-5]}
`, up.URL(), filepath.Join(folder, "google.json")), nil)
	status, _, answer := chat(t, w, w.NewKey(t, "key"), `{"model":"m","messages":[{"role":"user","content":"hi"}]}`)
	if status != http.StatusOK || !strings.Contains(answer, `"content":"Hi"`) {
		t.Errorf("%d: %s", status, answer)
	}
	if served := up.Server.Served(); len(served) != 1 || served[0].Authorization.Reveal() != canary("Google") {
		t.Errorf("the upstream saw %+v", served)
	}
	if log := w.Requests.String(); strings.Contains(log, "canary") {
		t.Errorf("the log shows it: %s", log)
	}
}

// Calls of Bedrock are signed with the config's keys, and what it repeats of them in a refusal does not reach the caller.
func TestSignedCalls(t *testing.T) {
	t.Parallel()
	var seen []http.Header
	refuse := false
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header)
		if r.RequestURI != "/model/us.amazon.nova-micro-v1%3A0/converse" {
			t.Errorf("called at %s", r.RequestURI)
		}
		w.Header().Set("Content-Type", "application/json")
		if refuse {
			w.Header().Set("X-Amzn-Errortype", "InvalidSignatureException")
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprintf(w, `{"message":"The request signature we calculated does not match. The canonical string was %s %s"}`, r.Header.Get("X-Amz-Security-Token"), r.Header.Get("Authorization"))
			return
		}
		_, _ = io.WriteString(w, `{"metrics":{"latencyMs":1},"output":{"message":{"content":[{"text":"Hi"}],"role":"assistant"}},"stopReason":"end_turn","usage":{"inputTokens":3,"outputTokens":4,"totalTokens":7}}`)
	}))
	t.Cleanup(up.Close)
	w := apptest.StartIn(t, fmt.Sprintf(`
providers:
  aws: {kind: bedrock, region: eu-central-1, base_url: %q, aws: {access_key_id: %s, secret_access_key: %s, session_token: %s}}
models:
  m: {targets: ["aws/us.amazon.nova-micro-v1:0"]}
`, up.URL, canary("AccessKey"), canary("Secret"), canary("Session")), nil)
	key := w.NewKey(t, "key")
	const body = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
	status, _, answer := chat(t, w, key, body)
	if status != http.StatusOK || !strings.Contains(answer, `"content":"Hi"`) {
		t.Errorf("%d: %s", status, answer)
	}
	if len(seen) != 1 || !strings.HasPrefix(seen[0].Get("Authorization"), "AWS4-HMAC-SHA256 Credential="+canary("AccessKey")+"/") ||
		!strings.Contains(seen[0].Get("Authorization"), "/eu-central-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, ") ||
		seen[0].Get("X-Amz-Security-Token") != canary("Session") {
		t.Errorf("the upstream saw %v", seen)
	}
	refuse = true
	status, header, answer := chat(t, w, key, body)
	if status != http.StatusBadGateway || !strings.Contains(answer, `"code":"upstream_auth"`) || strings.Contains(answer+fmt.Sprint(header), "canary") {
		t.Errorf("%d: %v %s", status, header, answer)
	}
	if log := w.Requests.String(); strings.Contains(log, "canary") {
		t.Errorf("the log shows it: %s", log)
	}
}

// A base_url may name the port that its scheme has anyhow. Clients leave it out of the Host header, and so must the signature, which
// is over that header. The simulated Bedrock is behind a proxy, because a test cannot listen on such ports.
func TestSignatureWithTheDefaultPort(t *testing.T) {
	t.Parallel()
	bedrock := sim.New(sim.Script{})
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body, r.RequestURI = io.NopCloser(bytes.NewReader(body)), r.URL.RequestURI() // a proxy gets the whole URL
		if err := sigv4test.Verify(r, body, canary("Secret")); err != nil || r.Host != "bedrock.test" {
			t.Errorf("called as %q: %v", r.Host, err)
		}
		bedrock.ServeHTTP(w, r)
	})
	ca := newAuthority(t)
	secured := httptest.NewUnstartedServer(answer)
	secured.TLS = ca.issue(t, func(c *x509.Certificate) { c.DNSNames = []string{"bedrock.test"} })
	secured.StartTLS()
	t.Cleanup(secured.Close)
	plain := httptest.NewServer(answer)
	t.Cleanup(plain.Close)
	tunnel, _ := tunnels(t, strings.TrimPrefix(secured.URL, "https://"))
	config, models := "providers:\n", "models:\n"
	bases := []string{"http://bedrock.test:80", "https://bedrock.test:443", "http://bedrock.test", "https://bedrock.test"}
	for i, base := range bases {
		proxy := plain.URL
		if strings.HasPrefix(base, "https:") {
			proxy = tunnel
		}
		config += fmt.Sprintf("  aws%d: {kind: bedrock, region: eu-central-1, base_url: %q, proxy: %q, ca_file: %q, aws: {access_key_id: AKID, secret_access_key: %s}}\n", i, base, proxy, ca.file, canary("Secret"))
		models += fmt.Sprintf("  m%d: {targets: [\"aws%d/us.amazon.nova-micro-v1:0\"]}\n", i, i)
	}
	w := apptest.StartIn(t, config+models, nil)
	key := w.NewKey(t, "key")
	for i, base := range bases {
		status, _, answer := chat(t, w, key, fmt.Sprintf(`{"model":"m%d","messages":[{"role":"user","content":"hi"}]}`, i))
		if status != http.StatusOK || !strings.Contains(answer, "You said: hi") {
			t.Errorf("%s: %d %s", base, status, answer)
		}
	}
}

// chat makes one call.
func chat(t *testing.T, w *apptest.Weir, key, body string) (status int, header http.Header, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.URL()+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(text)
}
