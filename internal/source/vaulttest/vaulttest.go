// Package vaulttest is a small Vault for tests, on a socket. It does what the documentation of Vault's API says of engines for keys and values
// of version 2, of tokens, and of the login with a service account of Kubernetes.
package vaulttest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// The token that may do everything and does not end, and what the login takes.
const (
	Root = "hvs.root-of-the-test-vault"
	Role = "weir"
	JWT  = "header.of-the-pods-service-account.signature"
)

// Vault is a Vault with an engine for keys and values at secret/, and the login at auth/kubernetes/.
type Vault struct {
	server *httptest.Server
	now    func() time.Time

	mu      sync.Mutex          // guards what follows
	secrets map[string][]string // versions of each, as JSON; null for one that is deleted
	tokens  map[string]*token
	made    int
	calls   map[string]int
	instead http.HandlerFunc

	// Namespace is where everything is. It is set before the Vault is used.
	Namespace string
	// TTL is how long tokens of logins last, and MaxTTL how long they can by renewals.
	TTL, MaxTTL time.Duration
}

type token struct {
	ends, last time.Time // zero if it does not
	renewable  bool
}

// New starts a Vault whose clock is now; nil is time.Now.
func New(t testing.TB, now func() time.Time) *Vault {
	t.Helper()
	return start(t, now, (*httptest.Server).Start)
}

// NewTLS is New with a certificate that only Authority trusts.
func NewTLS(t testing.TB, now func() time.Time) *Vault {
	t.Helper()
	return start(t, now, (*httptest.Server).StartTLS)
}

func start(t testing.TB, now func() time.Time, begin func(*httptest.Server)) *Vault {
	t.Helper()
	if now == nil {
		now = time.Now
	}
	v := &Vault{now: now, secrets: map[string][]string{}, tokens: map[string]*token{Root: {}}, calls: map[string]int{}, TTL: time.Hour, MaxTTL: 24 * time.Hour}
	v.server = httptest.NewUnstartedServer(v)
	begin(v.server)
	t.Cleanup(func() {
		v.Instead(nil)
		v.server.CloseClientConnections()
		v.server.Close()
	})
	return v
}

// URL is where it listens.
func (v *Vault) URL() string { return v.server.URL }

// Authority is the certificate of the authority that made its own, in DER.
func (v *Vault) Authority() []byte { return v.server.Certificate().Raw }

// Put writes a new version of a secret: a field and its text.
func (v *Vault) Put(path, field, text string) {
	version, err := json.Marshal(map[string]string{field: text})
	if err != nil {
		panic(err) // texts marshal
	}
	v.PutJSON(path, string(version))
}

// PutJSON writes a new version of a secret with any fields, or null for one that is deleted.
func (v *Vault) PutJSON(path, fields string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.secrets[path] = append(v.secrets[path], fields)
}

// Token makes a token that lasts so long; renewed, as long again.
func (v *Vault) Token(lasts time.Duration, renewable bool) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.token(lasts, renewable)
}

func (v *Vault) token(lasts time.Duration, renewable bool) string {
	v.made++
	text := fmt.Sprintf("hvs.token-%d-of-the-test-vault", v.made)
	v.tokens[text] = &token{ends: v.now().Add(lasts), last: v.now().Add(v.MaxTTL), renewable: renewable}
	return text
}

// RevokeAll ends every token but Root.
func (v *Vault) RevokeAll() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for text := range v.tokens {
		if text != Root {
			delete(v.tokens, text)
		}
	}
}

// Instead has all calls be answered by another handler, nil by the Vault itself again.
func (v *Vault) Instead(h http.HandlerFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.instead = h
}

// Calls is how often a path below /v1/ was called.
func (v *Vault) Calls(path string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.calls[path]
}

// ServeHTTP implements http.Handler.
func (v *Vault) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	path := strings.TrimPrefix(r.URL.Path, "/v1/")
	v.calls[path]++
	if instead := v.instead; instead != nil {
		v.mu.Unlock()
		instead(w, r)
		return
	}
	defer v.mu.Unlock()
	status, answer := v.answer(path, r)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer) // a test may have gone
}

// refusal is an answer without data. error is empty where Vault has none.
func refusal(status int, text string) (int, string) {
	if text == "" {
		return status, `{"errors":[]}`
	}
	return status, fmt.Sprintf(`{"errors":[%q]}`, text)
}

// answer answers a call. v.mu is held.
func (v *Vault) answer(path string, r *http.Request) (int, string) {
	if r.Header.Get("X-Vault-Namespace") != v.Namespace {
		return refusal(http.StatusNotFound, "no handler for route")
	}
	if path == "auth/kubernetes/login" && r.Method == http.MethodPost {
		return v.login(r)
	}
	text := r.Header.Get("X-Vault-Token")
	have := v.tokens[text]
	if have == nil || !have.ends.IsZero() && !v.now().Before(have.ends) {
		return refusal(http.StatusForbidden, "permission denied")
	}
	switch {
	case path == "auth/token/lookup-self" && r.Method == http.MethodGet:
		ttl := 0
		if !have.ends.IsZero() {
			ttl = int(have.ends.Sub(v.now()) / time.Second)
		}
		return http.StatusOK, fmt.Sprintf(`{"data":{"id":%q,"ttl":%d,"renewable":%v,"policies":["default"]}}`, text, ttl, have.renewable)
	case path == "auth/token/renew-self" && r.Method == http.MethodPost:
		if !have.renewable {
			return refusal(http.StatusBadRequest, "lease is not renewable")
		}
		have.ends = v.now().Add(min(v.TTL, have.last.Sub(v.now())))
		return http.StatusOK, authOf(text, have.ends.Sub(v.now()))
	case strings.HasPrefix(path, "secret/data/") && r.Method == http.MethodGet:
		return v.read(strings.TrimPrefix(path, "secret/data/"))
	}
	return refusal(http.StatusForbidden, "permission denied")
}

// authOf is what Vault says of a token that it made or renewed.
func authOf(token string, lasts time.Duration) string {
	return fmt.Sprintf(`{"auth":{"client_token":%q,"accessor":"0e9e","policies":["default","weir"],"lease_duration":%d,"renewable":true,"metadata":{"role":"weir"}}}`,
		token, int(lasts/time.Second))
}

func (v *Vault) read(path string) (int, string) {
	versions := v.secrets[path]
	if len(versions) == 0 {
		return refusal(http.StatusNotFound, "")
	}
	status, deleted, newest := http.StatusOK, "", versions[len(versions)-1]
	if newest == "null" {
		status, deleted = http.StatusNotFound, v.now().UTC().Format(time.RFC3339)
	}
	return status, fmt.Sprintf(`{"request_id":"1b2e","lease_id":"","renewable":false,"lease_duration":0,"wrap_info":null,"warnings":null,"auth":null,"data":{"data":%s,`+
		`"metadata":{"created_time":"2026-01-02T03:04:05Z","custom_metadata":null,"deletion_time":%q,"destroyed":false,"version":%d}}}`, newest, deleted, len(versions))
}

func (v *Vault) login(r *http.Request) (int, string) {
	var body struct{ Role, JWT string }
	switch err := json.NewDecoder(r.Body).Decode(&body); {
	case err != nil || body.Role == "":
		return refusal(http.StatusBadRequest, "missing role")
	case body.Role != Role:
		return refusal(http.StatusBadRequest, fmt.Sprintf("invalid role name %q", body.Role))
	case body.JWT != JWT:
		return refusal(http.StatusForbidden, "permission denied")
	}
	return http.StatusOK, authOf(v.token(v.TTL, true), v.TTL)
}
