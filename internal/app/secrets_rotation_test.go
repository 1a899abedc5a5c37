package app_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/source/vaulttest"
)

// Secrets of Vault, of a program and of a file change under load: no request fails, and new ones use the new values. Then all sources fail: the
// last values stay in use, other changes of the config apply, and Weir says which values it keeps.
func TestSecretsChangeUnderLoad(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	vault := vaulttest.New(t, nil)
	folder := t.TempDir()
	path, printed, file := filepath.Join(folder, "weir.yaml"), filepath.Join(folder, "printed"), filepath.Join(folder, "file")
	put := func(version string) {
		vault.Put("llm", "key", "vault-credential-"+version)
		rewrite(t, printed, "program-credential-"+version+"\n")
		rewrite(t, file, "file-credential-"+version+"\n")
	}
	put("one")
	text := fmt.Sprintf(`drain: {delay: 0s, timeout: 2s}
secrets: {refresh: 1s, vault: {address: %q, token: %q}}
providers:
  vault: {kind: openai, base_url: %q, api_key: "${vault:secret/data/llm#key}"}
  program: {kind: openai, base_url: %q, api_key: "${exec:cat printed}"}
  file: {kind: openai, base_url: %q, api_key: "${file:file}"}
models:
  vault: {targets: [vault/x]}
  program: {targets: [program/x]}
  file: {targets: [file/x]}
`, vault.URL(), vaulttest.Root, up.URL(), up.URL(), up.URL())
	rewrite(t, path, text)
	w := apptest.Start(t, path)
	key := w.NewKey(t, "key")
	names := []string{"vault", "program", "file"}
	used := func(name string) string {
		before := len(up.Served())
		if a := post(t, w, key, "/v1/chat/completions", chatBody(name)); a.status != http.StatusOK {
			t.Fatalf("%s: %d %s", name, a.status, a.body)
		}
		for _, served := range up.Served()[before:] {
			if credential := served.Authorization.Reveal(); strings.HasPrefix(credential, name) {
				return credential
			}
		}
		return ""
	}
	var stop atomic.Bool
	var sent atomic.Int64
	var load sync.WaitGroup
	for _, name := range names {
		load.Go(func() {
			for !stop.Load() {
				if a := post(t, w, key, "/v1/chat/completions", chatBody(name)); a.status != http.StatusOK {
					t.Errorf("under load: %d %s", a.status, a.body)
					return
				}
				sent.Add(1)
			}
		})
	}
	until(t, "the load runs", func() bool { return sent.Load() > 10 })
	put("two")
	for _, name := range names {
		until(t, "the new credential of "+name+" is in use", func() bool { return used(name) == name+"-credential-two" })
	}
	stop.Store(true)
	load.Wait()

	vault.Instead(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	for _, gone := range []string{printed, file} {
		if err := os.Remove(gone); err != nil {
			t.Fatal(err)
		}
	}
	rewrite(t, path, strings.Replace(text, "[file/x]", "[file/changed]", 1))
	until(t, "the change is in force", func() bool {
		return post(t, w, key, "/v1/chat/completions", chatBody("file")).header.Get("Weir-Model") == "changed"
	})
	for name, label := range map[string]string{"vault": "vault", "program": "exec", "file": "file"} {
		if got := used(name); got != name+"-credential-two" {
			t.Errorf("%s: %q", name, got)
		}
		if got := figure(t, w, `weir_secrets_failing{source="`+label+`"}`); got != "1" {
			t.Errorf("weir_secrets_failing of %s is %s", label, got)
		}
	}
	settings := manage(t, w, "GET", "/admin/v1/settings", "").body
	for _, reference := range []string{"${vault:secret/data/llm#key}", "${exec:cat …}", "${file:" + file + "}"} {
		if !strings.Contains(settings, reference+" cannot be read since") {
			t.Errorf("the settings do not name %s: %s", reference, settings)
		}
	}
	if valid := figure(t, w, "weir_config_valid"); valid != "1" {
		t.Errorf("weir_config_valid is %s", valid)
	}
	// A reference that is new has no last value: it is refused until there is one.
	rewrite(t, path, strings.Replace(text, "llm#key", "other#key", 1))
	until(t, "the config is refused", func() bool { return figure(t, w, "weir_config_valid") == "0" })
	if got := used("vault"); got != "vault-credential-two" {
		t.Errorf("%q", got)
	}
	vault.Put("other", "key", "vault-credential-of-other")
	vault.Instead(nil)
	put("three")
	until(t, "the other secret is in use", func() bool { return used("vault") == "vault-credential-of-other" })
	for _, secret := range []string{"vault-credential", "program-credential", "file-credential", vaulttest.Root} {
		if strings.Contains(w.Requests.String(), secret) || strings.Contains(settings, secret) {
			t.Errorf("%s is in the log or in the settings", secret)
		}
	}
}

// A Weir that is stopped while it reads its config from a Vault that does not answer does not wait for it.
func TestStopWhileVaultIsSilent(t *testing.T) {
	t.Parallel()
	vault := vaulttest.New(t, nil)
	vault.Put("llm", "key", "vault-credential")
	w := apptest.StartWith(t, fmt.Sprintf("drain: {delay: 0s, timeout: 1s}\nsecrets: {timeout: 1m, vault: {address: %q, token: %q}}\nproviders: {up: {kind: groq, api_key: \"${vault:secret/data/llm#key}\"}}\nmodels: {m: {targets: [up/x]}}\n",
		vault.URL(), vaulttest.Root))
	asked := make(chan struct{}, 100)
	vault.Instead(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	})
	reloaded := make(chan error, 1)
	go func() {
		_, err := w.Reload(t.Context())
		reloaded <- err
	}()
	<-asked
	if settings := manage(t, w, "GET", "/admin/v1/settings", ""); settings.status != http.StatusOK { // which does not wait either
		t.Errorf("%d", settings.status)
	}
	if err := w.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	<-reloaded
}
