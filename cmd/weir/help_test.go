package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestHelpIsACommandToo(t *testing.T) {
	folder := t.TempDir()
	for _, command := range []string{"", "check", "keys", "keys create"} {
		args := strings.Fields(command)
		want := runIn(t, folder, nil, "", append(args, "--help")...)
		if did := runIn(t, folder, nil, "", append([]string{"help"}, args...)...); did != want || did.code != 0 || !strings.Contains(did.stdout, "Usage: weir") {
			t.Errorf("weir help %s: %+v", command, did)
		}
	}
	if did := runIn(t, folder, nil, "", "help", "nothing"); did.code != 2 || did.stdout != "" || !strings.HasPrefix(did.stderr, "weir: unexpected argument nothing") || strings.Count(did.stderr, "\n") != 1 {
		t.Errorf("an unknown command: %+v", did)
	}
}

func TestWrongUsageSaysWhatToDo(t *testing.T) {
	folder := t.TempDir()
	for args, want := range map[string]string{
		"srve":                      `unexpected argument srve, did you mean "serve"? See: weir help`,
		"serve --frob":              "unknown flag --frob. See: weir help serve",
		"keys":                      "a command is missing: give one of create, list, show, update, rotate, revoke. See: weir help keys",
		"keys create":               "missing flags: --name=NAME. See: weir help keys create",
		"keys show":                 "<key> is missing: give it after the command. See: weir help keys show",
		"keys rotate x --grace -1h": "--grace cannot take -1h, which is read as a flag: give a value that does not begin with a dash. See: weir help keys rotate",
		"doctor --timeout forever":  `--timeout cannot take "forever": give a time such as 15s or 2m. See: weir help doctor`,
	} {
		if did := runIn(t, folder, nil, "", strings.Fields(args)...); did != (outcome{2, "", "weir: " + want + "\n"}) {
			t.Errorf("weir %s: %+v", args, did)
		}
	}
}

func TestVersionIsAFlagToo(t *testing.T) {
	folder := t.TempDir()
	want := runIn(t, folder, nil, "", "version")
	for _, args := range [][]string{{"--version"}, {"serve", "--version"}} {
		if did := runIn(t, folder, nil, "", args...); did != want || did.code != 0 || !strings.HasPrefix(did.stdout, "weir ") {
			t.Errorf("%v: %+v", args, did)
		}
	}
}

func TestHealthcheck(t *testing.T) {
	config, _ := drained(t, "{delay: 1h, timeout: 1h}")
	s := start(t, environment(t.TempDir()), "--config", config).ready()
	folder, address := t.TempDir(), strings.TrimPrefix(s.url, "http://")
	_, port, _ := net.SplitHostPort(address)
	for _, ask := range []func(args ...string) outcome{
		func(args ...string) outcome { // every interface is asked on loopback, as in an image
			return runIn(t, folder, map[string]string{"WEIR_LISTEN": "0.0.0.0:" + port}, "", append([]string{"healthcheck"}, args...)...)
		},
		func(args ...string) outcome {
			return runIn(t, folder, nil, "", append([]string{"healthcheck", "--config", config, "--listen", address}, args...)...)
		},
	} {
		for _, args := range [][]string{nil, {"--ready"}} {
			if did := ask(args...); did != (outcome{}) {
				t.Errorf("%v: %+v", args, did)
			}
		}
	}
	broken := filepath.Join(folder, "broken.yaml")
	writeTest(t, broken, "}")
	if did := runIn(t, folder, map[string]string{"WEIR_LISTEN": address}, "", "healthcheck", "--config", broken); did != (outcome{}) {
		t.Errorf("a config that broke after the start: %+v", did)
	}
	s.signals <- syscall.SIGTERM
	eventually(t, "it drains", func() bool { return s.call("GET", "/readyz", "", "").StatusCode == 503 })
	if did := runIn(t, folder, nil, "", "healthcheck", "--listen", address); did.code != 0 {
		t.Errorf("alive, while draining: %+v", did)
	}
	if did := runIn(t, folder, nil, "", "healthcheck", "--ready", "--listen", address); did.code != 1 || !strings.Contains(did.stderr, "/readyz answers 503") {
		t.Errorf("ready, while draining: %+v", did)
	}
	s.signals <- syscall.SIGTERM
	s.end()
	for want, args := range map[string][]string{
		"no Weir answers at http://" + address + ": start it with weir serve, or name its address with --listen or --config (": {"--listen", address},
		"names no port to call":       {"--listen", "127.0.0.1:0"},
		"cannot read the config file": {"--config", filepath.Join(folder, "none.yaml")},
	} {
		env := map[string]string{"WEIR_LISTEN": address} // where nothing listens any more
		if did := runIn(t, folder, env, "", append([]string{"healthcheck"}, args...)...); did.code != 1 || did.stdout != "" || !strings.Contains(did.stderr, want) {
			t.Errorf("%v: %+v", args, did)
		}
	}
}

// TestHealthcheckOverTLS: the certificate is for the name that callers use, so it is known by being the config's own.
func TestHealthcheckOverTLS(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"own", "other"} {
		cert, key := testCertificate(t)
		writeTest(t, filepath.Join(folder, name+".crt"), cert)
		writeTest(t, filepath.Join(folder, name+".key"), key)
	}
	config := func(name, addr string) string {
		path := filepath.Join(folder, name+".yaml")
		writeTest(t, path, fmt.Sprintf("listen: {addr: %q, tls: {cert: %s.crt, key: %s.key}}\nproviders: {a: {kind: sim}}\n", addr, name, name))
		return path
	}
	env := environment(folder)
	delete(env, "WEIR_LISTEN")
	s := start(t, env, "--config", config("own", "127.0.0.1:0")).ready()
	address := strings.TrimPrefix(s.url, "https://")
	if did := runIn(t, folder, nil, "", "healthcheck", "--config", config("own", address)); did != (outcome{}) {
		t.Errorf("%+v", did)
	}
	if did := runIn(t, folder, nil, "", "healthcheck", "--config", config("other", address)); did.code != 1 || !strings.Contains(did.stderr, "has another certificate") {
		t.Errorf("another's certificate: %+v", did)
	}
	s.signals <- syscall.SIGTERM
	s.signals <- syscall.SIGTERM
	s.end()
}

// testCertificate is a certificate for a name that nothing here has, and its key.
func testCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"weir.example"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return text("CERTIFICATE", der), text("PRIVATE KEY", pkcs8)
}
