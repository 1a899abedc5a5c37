package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/source/vaulttest"
)

const readElsewhere = "providers:\n  a: {kind: groq, api_key: \"${vault:secret/data/llm#groq}\"}\n  b: {kind: groq, api_key: \"${exec:no-such-program-of-weir secret-argument}\"}\nmodels:\n  m: {targets: [a/llama-3.3-70b-versatile]}\n"

// A check asks no Vault and runs no program, unless asked to. A start does, and says what it could not read.
func TestCheckOfSecretsElsewhere(t *testing.T) {
	vault := vaulttest.New(t, nil)
	vault.Put("llm", "groq", "credential-of-groq")
	env := map[string]string{"VAULT_ADDR": vault.URL(), "VAULT_TOKEN": vaulttest.Root}
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "weir.yaml"), readElsewhere)
	want := outcome{0, "weir.yaml: ok (2 providers, 1 model, 0 keys), without 2 values of Vault or programs, which --read-secrets reads\n", ""}
	for _, env := range []map[string]string{env, nil} {
		if did := runIn(t, folder, env, "", "check", "--strict"); did != want {
			t.Errorf("%+v", did)
		}
	}
	if n := vault.Calls("secret/data/llm"); n != 0 {
		t.Errorf("Vault was asked %d times", n)
	}
	const missing = "weir.yaml:3:28: api_key: cannot read ${exec:no-such-program-of-weir …}: the program cannot be run: executable file not found in "
	for _, args := range [][]string{{"check", "--read-secrets"}, {"serve"}, {"doctor"}} {
		did := runIn(t, folder, env, "", args...)
		if did.code == 0 || !strings.Contains(did.stdout+did.stderr, missing) || strings.Contains(did.stdout+did.stderr, "secret-argument") || strings.Contains(did.stdout+did.stderr, "weir.yaml:2") {
			t.Errorf("%v: %+v", args, did)
		}
	}
	if did := runIn(t, folder, nil, "", "check", "--read-secrets"); did.code != 2 || !strings.HasPrefix(did.stderr, "weir.yaml:2:28: no Vault is known to ask: set secrets.vault.address, or the variable VAULT_ADDR\n") {
		t.Errorf("without an address: %+v", did)
	}
	if did := runIn(t, folder, nil, "", "check", "--read-secrets", "--without-secrets"); did.code != 2 || !strings.Contains(did.stderr, "give one of them") {
		t.Errorf("both: %+v", did)
	}
	writeTest(t, filepath.Join(folder, "weir.yaml"), strings.Replace(readElsewhere, "${exec:no-such-program-of-weir secret-argument}", "x", 1))
	if did := runIn(t, folder, env, "", "check", "--read-secrets"); did.code != 0 || !strings.HasPrefix(did.stdout, "weir.yaml: ok (2 providers, 1 model, 0 keys)\n") {
		t.Errorf("with secrets: %+v", did)
	}
	vault.Instead(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	if did := runIn(t, folder, env, "", "serve"); did.code != 2 || !strings.Contains(did.stderr, "weir.yaml:2:28: api_key: cannot read ${vault:secret/data/llm#groq}: Vault at "+vault.URL()+" answered with status 503: it is sealed, or in maintenance") {
		t.Errorf("a start while Vault is sealed: %+v", did)
	}
}

// The doctor reads what is elsewhere, and says what a running Weir cannot read again.
func TestDoctorOfSecretsElsewhere(t *testing.T) {
	vault := vaulttest.New(t, nil)
	vault.Put("llm", "key", goodCredential)
	all, code := examined(t, t.TempDir(), map[string]string{"VAULT_ADDR": vault.URL(), "VAULT_TOKEN": vaulttest.Root},
		"admin: {listen: \"127.0.0.1:1\"}\nproviders: {up: {kind: openai, base_url: \""+simulated(t)+"\", api_key: \"${vault:secret/data/llm#key}\"}}\nmodels: {m: {targets: [up/a]}}\n")
	if about(all, "secrets") != "ok 1 value of Vault or programs can be read" || !strings.HasPrefix(about(all, "credential"), "ok ") || code != 0 {
		t.Errorf("%d: %+v", code, all)
	}
	found := secretFindings("weir_secrets{source=\"vault\"} 3\nweir_secrets_failing{source=\"exec\"} 0\nweir_secrets_failing{source=\"vault\"} 2\n")
	if len(found) != 1 || found[0].Found != "the running Weir: 2 secrets of source vault cannot be read again: the last ones are in use" {
		t.Errorf("%+v", found)
	}
}
