package source_test

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
)

// realVault runs the program that the variable WEIR_TEST_VAULT names as a server for tests, on loopback, and returns its address and how to call it.
func realVault(t *testing.T) (address string, vault func(args ...string) string) {
	t.Helper()
	program := os.Getenv("WEIR_TEST_VAULT")
	if program == "" {
		t.Skip("WEIR_TEST_VAULT names no program of Vault")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(program, "server", "-dev", "-dev-root-token-id=root", "-dev-listen-address="+at, "-dev-no-store-token")
	server.Env = append(os.Environ(), "HOME="+t.TempDir())
	output, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill() // that it has ended already is as good
		_ = server.Wait()
	})
	lines := bufio.NewScanner(output)
	for lines.Scan() && !strings.Contains(lines.Text(), "Root Token") {
	}
	go func() { // or the server waits for a reader
		_, _ = io.Copy(io.Discard, output)
	}()
	return "http://" + at, func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Env = append(server.Env, "VAULT_ADDR=http://"+at, "VAULT_TOKEN=root")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("vault %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
}

// A Vault itself does what the one for tests does: it is read, renews tokens, refuses and is sealed as that.
func TestRealVault(t *testing.T) {
	address, vault := realVault(t)
	b := newBench(t)
	b.settings.Vault = config.Vault{Address: address, Token: secret.New("root")}
	name := "Vault at " + address
	vault("kv", "put", "-mount=secret", "llm", "openai=first", "number=7")
	same(t, b.inForce(t, "vault:secret/data/llm#openai", "vault:secret/data/llm#none"), "first", "! the secret has no such field")
	vault("kv", "put", "-mount=secret", "llm", "openai=second")
	same(t, b.read(t, "vault:secret/data/llm#openai"), "second")
	same(t, b.read(t, "vault:secret/data/other#x"), "! "+name+" answered with status 404: it has no secret at this path, or its newest version is deleted")
	vault("kv", "put", "-mount=secret", "gone", "x=y")
	vault("kv", "delete", "-mount=secret", "gone")
	same(t, b.read(t, "vault:secret/data/gone#x"), "! "+name+" answered with status 404: it has no secret at this path, or its newest version is deleted")
	vault("secrets", "enable", "-path=old", "-version=1", "kv")
	vault("kv", "put", "-mount=old", "data/llm", "openai=x")
	if got := b.read(t, "vault:old/data/llm#openai")[0]; !strings.Contains(got, "of version 2?") {
		t.Error(got)
	}
	policy := t.TempDir() + "/weir.hcl"
	if err := os.WriteFile(policy, []byte(`path "secret/data/llm" { capabilities = ["read"] }`), 0o600); err != nil {
		t.Fatal(err)
	}
	vault("policy", "write", "weir", policy)
	b.settings.Vault.Token = secret.New(vault("token", "create", "-policy=weir", "-period=1h", "-field=token"))
	same(t, b.inForce(t, "vault:secret/data/llm#openai"), "second")
	if got := b.read(t, "vault:secret/data/elsewhere#x")[0]; !strings.Contains(got, "status 403: the token is not valid any more, or no policy of it allows to read this path") {
		t.Error(got)
	}
	if left := b.VaultExpires().Sub(b.clock.now()); left < 59*time.Minute || left > time.Hour {
		t.Errorf("the token lasts %v", left)
	}
	b.clock.pass(50 * time.Minute)
	b.Changed(t.Context())
	if left := b.VaultExpires().Sub(b.clock.now()); left < 59*time.Minute || b.log.count("cannot") > 0 {
		t.Errorf("the renewed token lasts %v", left)
	}
	vault("operator", "seal")
	if got := b.read(t, "vault:secret/data/new#x")[0]; !strings.HasSuffix(got, "answered with status 503: it is sealed, or in maintenance") {
		t.Error(got)
	}
	same(t, b.read(t, "vault:secret/data/llm#openai"), "second")
}
