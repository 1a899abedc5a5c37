package source_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/source/vaulttest"
)

const login, renewal, lookup = "auth/kubernetes/login", "auth/token/renew-self", "auth/token/lookup-self"

// pod is a bench that logs in with a service account.
func pod(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(vaulttest.JWT+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.settings.Vault.Token = secret.Text{}
	b.settings.Vault.Kubernetes = &config.VaultKubernetes{Role: vaulttest.Role, Mount: "kubernetes", TokenFile: file}
	b.settings.Refresh = 0
	b.vault.Put("a", "b", "c")
	return b
}

// tend lets time pass, and the login be seen to.
func (b *bench) tend(t *testing.T, times int, every time.Duration) {
	t.Helper()
	for range times {
		b.clock.pass(every)
		b.Changed(t.Context())
	}
}

// A pod logs in once. Its token is renewed after two thirds of its time; when it reaches the most that it can last, the pod logs in again.
func TestLoginOfAPod(t *testing.T) {
	t.Parallel()
	b := pod(t)
	same(t, b.inForce(t, "vault:secret/data/a#b"), "c")
	same(t, b.inForce(t, "vault:secret/data/a#b"), "c")
	b.tend(t, 39, time.Minute)
	if b.vault.Calls(login) != 1 || b.vault.Calls(renewal) != 0 || !b.VaultExpires().Equal(b.clock.now().Add(21*time.Minute)) {
		t.Errorf("%d logins, %d renewals, %v", b.vault.Calls(login), b.vault.Calls(renewal), b.VaultExpires())
	}
	b.tend(t, 1, time.Minute)
	if b.vault.Calls(login) != 1 || b.vault.Calls(renewal) != 1 || !b.VaultExpires().Equal(b.clock.now().Add(time.Hour)) {
		t.Errorf("%d logins, %d renewals, %v", b.vault.Calls(login), b.vault.Calls(renewal), b.VaultExpires())
	}
	b.tend(t, 48*60, time.Minute) // two days, of which a token lasts one
	if n := b.vault.Calls(login); n != 3 {
		t.Errorf("%d logins", n)
	}
	same(t, b.read(t, "vault:secret/data/a#b"), "c")
	if b.log.count("cannot") > 0 {
		t.Error("something failed")
	}
}

// A token that is revoked, or that ended while Weir was asleep, is replaced by another login.
func TestLoginThatIsOver(t *testing.T) {
	t.Parallel()
	b := pod(t)
	b.inForce(t, "vault:secret/data/a#b")
	b.vault.RevokeAll()
	b.vault.Put("a", "b", "d")
	same(t, b.read(t, "vault:secret/data/a#b"), "d")
	b.clock.pass(100 * time.Hour)
	b.vault.Put("a", "b", "e")
	same(t, b.read(t, "vault:secret/data/a#b"), "e")
	if n := b.vault.Calls(login); n != 3 {
		t.Errorf("%d logins", n)
	}
	b.vault.RevokeAll() // where it is noticed by the renewal
	b.tend(t, 1, 41*time.Minute)
	if n := b.vault.Calls(login); n != 4 || b.log.count("cannot") > 0 {
		t.Errorf("%d logins", n)
	}
}

// While Vault is away, the login is tried again, and the log says so once.
func TestLoginWhileVaultIsAway(t *testing.T) {
	t.Parallel()
	b := pod(t)
	b.inForce(t, "vault:secret/data/a#b")
	b.vault.Instead(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	b.tend(t, 10, 41*time.Minute)
	same(t, b.read(t, "vault:secret/data/a#b"), "c")
	if b.log.count("the login to Vault cannot be renewed") != 1 {
		t.Errorf("%d lines", b.log.count("cannot be renewed"))
	}
	b.vault.Instead(nil)
	b.tend(t, 1, time.Minute)
	if b.log.count("the login to Vault is good again") != 1 || !b.VaultExpires().After(b.clock.now()) {
		t.Errorf("it is not good again: %v", b.VaultExpires())
	}
}

// A login that is refused says why, and shows nothing of the service account.
func TestLoginThatIsRefused(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*config.VaultKubernetes){
		`status 400 to the login: it does not take the role "other"`: func(k *config.VaultKubernetes) { k.Role = "other" },
		"no such file or directory":                                  func(k *config.VaultKubernetes) { k.TokenFile += ".none" },
		"status 403":                                                 func(k *config.VaultKubernetes) { k.Mount = "other" },
		"status 403 to the login: it does not take the role": func(k *config.VaultKubernetes) {
			if err := os.WriteFile(k.TokenFile, []byte("another.service.account"), 0o600); err != nil {
				panic(err)
			}
		},
	} {
		b := pod(t)
		change(b.settings.Vault.Kubernetes)
		got := b.read(t, "vault:secret/data/a#b", "vault:secret/data/c#d")
		if !strings.Contains(got[0], want) || got[1] != got[0] || strings.Contains(got[0], vaulttest.JWT) || strings.Contains(got[0], "another.service") {
			t.Errorf("%q, want %s", got, want)
		}
	}
	for _, answer := range []string{`{}`, `{"auth":{}}`, `{"auth":{"client_token":"a\nb"}}`, `{"auth":{"client_token":7}}`, `[]`} {
		b := pod(t)
		b.vault.Instead(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) })
		if got := b.read(t, "vault:secret/data/a#b")[0]; !strings.HasPrefix(got, "! Vault at ") {
			t.Errorf("%s: %s", answer, got)
		}
	}
}

// A token of the config is renewed, if it can be.
func TestTokenIsRenewed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.settings.Refresh = 0
	b.vault.Put("a", "b", "c")
	b.vault.MaxTTL = 10 * time.Hour
	b.settings.Vault.Token = secret.New(b.vault.Token(time.Hour, true))
	b.inForce(t, "vault:secret/data/a#b")
	b.tend(t, 9*60, time.Minute)
	if b.vault.Calls(lookup) != 1 || b.vault.Calls(renewal) < 13 || b.log.count("cannot") > 0 {
		t.Errorf("%d renewals", b.vault.Calls(renewal))
	}
	same(t, b.read(t, "vault:secret/data/a#b"), "c")

	b.settings.Vault.Token = secret.New(b.vault.Token(time.Hour, false))
	b.inForce(t, "vault:secret/data/a#b")
	b.tend(t, 41, time.Minute)
	if b.log.count("the token is not renewable: put another in its place") != 1 {
		t.Error("the log does not say that it ends")
	}
	b.settings.Vault.Token = secret.New(b.vault.Token(time.Hour, true)) // as when its file has changed
	b.inForce(t, "vault:secret/data/a#b")
	if !b.VaultExpires().Equal(b.clock.now().Add(time.Hour)) {
		t.Errorf("%v", b.VaultExpires())
	}
	b.settings.Vault.Token = secret.New(vaulttest.Root)
	b.inForce(t, "vault:secret/data/a#b")
	if !b.VaultExpires().IsZero() {
		t.Errorf("%v", b.VaultExpires())
	}
}

// A token that may not look itself up is used as it is.
func TestTokenWithoutLookup(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.vault.Put("a", "b", "c")
	b.vault.Instead(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "lookup-self") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = w.Write([]byte(`{"data":{"data":{"b":"c"},"metadata":{}}}`))
	})
	same(t, b.inForce(t, "vault:secret/data/a#b"), "c")
	b.tend(t, 6, time.Minute)
	if n := b.vault.Calls(lookup); n != 2 || b.log.count("cannot") > 0 {
		t.Errorf("%d lookups", n)
	}
}
