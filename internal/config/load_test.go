package config

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/secret"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// testKinds is a provider table in small.
func testKinds() []Kind {
	return []Kind{
		{Name: "openai", DefaultBaseURL: "https://api.openai.com/v1", NeedsKey: true, EnvVar: "OPENAI_API_KEY", BaseEnv: "OPENAI_BASE_URL", BaseOf: func(address string) string { return address }},
		{Name: "azure", NeedsKey: true, APIVersion: true, Cloud: EntraCloud},
		{Name: "groq", DefaultBaseURL: "https://api.groq.com/openai/v1", NeedsKey: true, EnvVar: "GROQ_API_KEY"},
		{Name: "huggingface", DefaultBaseURL: "https://router.huggingface.co/v1", NeedsKey: true, EnvVar: "HF_TOKEN"},
		{Name: "ollama", DefaultBaseURL: "http://127.0.0.1:11434/v1"},
		{Name: "regional", DefaultBaseURL: "https://runtime.{region}.example.com", NeedsKey: true, Region: true, EnvVar: "REGIONAL_API_KEY"},
		{Name: "signed", DefaultBaseURL: "https://runtime.{region}.example.com", NeedsKey: true, Region: true, Cloud: AWSCloud, EnvVar: "SIGNED_API_KEY", Translated: true, Wordless: true},
		{Name: "vertex", DefaultBaseURL: "https://{region}-models.example.com/v1", NeedsKey: true, Region: true, Cloud: GoogleCloud, Translated: true},
		{Name: "sim"},
	}
}

func environment(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

// certificate makes a self-signed certificate and its key, PEM, once; no key lies in the repository.
var certificate = sync.OnceValues(func() (cert, key []byte) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		panic(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})
})

// readFile reads from disk, but for the certificate and its key.
func readFile(path string) ([]byte, error) {
	cert, key := certificate()
	switch filepath.Base(path) {
	case "cert.pem":
		return cert, nil
	case "key.pem":
		return key, nil
	}
	return os.ReadFile(path)
}

func testLoader() Loader {
	known := func(kind, model string) bool { return kind == "groq" && model != "nothing" }
	return Loader{Kinds: testKinds(), Known: known, ReadFile: readFile, Env: environment(
		"OPENAI_API_KEY", "sk-openai", "AZURE_KEY", "azure-key", "GROQ_1", "groq-one", "GROQ_2", "groq-two",
		"ADMIN_TOKEN", "admin-token", "EMPTY", "", "YES", "true", "TEN", "10", "FAST", "1500ms", "LEAKED", "leaked-value",
	)}
}

// parse loads a config that a test states in full, as if it were /etc/weir/weir.yaml.
func parse(t *testing.T, text string) *Config {
	t.Helper()
	cfg, err := testLoader().Parse("/etc/weir/weir.yaml", []byte(text))
	if err != nil {
		t.Fatalf("not accepted:\n%v\n%s", err, text)
	}
	return cfg
}

// golden compares got with a file, or writes it with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

func files(t testing.TB, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil || len(list) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	return list
}

// TestBad pins every error message with its place: NAME.errors holds what NAME.yaml must yield.
func TestBad(t *testing.T) {
	t.Parallel()
	for _, path := range files(t, "testdata/bad/*.yaml") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			cfg, err := testLoader().Load(path)
			var list Errors
			if !errors.As(err, &list) || cfg != nil {
				t.Fatalf("accepted: %v, %v", cfg, err)
			}
			text := strings.ReplaceAll(list.Error(), "testdata/bad/", "")
			dir, err := filepath.Abs("testdata")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".errors", strings.ReplaceAll(text, dir, "TESTDATA")+"\n")
		})
	}
}

// TestGood pins what is made of good files, defaults and absolute paths included.
func TestGood(t *testing.T) {
	t.Parallel()
	for _, path := range files(t, "testdata/good/*.yaml") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			cfg, err := testLoader().Load(path)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.MarshalIndent(cfg, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			dir, err := filepath.Abs("testdata")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".json", strings.ReplaceAll(string(text), dir, "TESTDATA")+"\n")
		})
	}
}

func TestSecretsAreRead(t *testing.T) {
	t.Parallel()
	cfg, err := testLoader().Load("testdata/good/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	reveal := func(list ...secret.Text) (texts []string) {
		for _, s := range list {
			texts = append(texts, s.Reveal())
		}
		return texts
	}
	groq, azure, sim := &cfg.Providers[0], &cfg.Providers[1], &cfg.Providers[3]
	for _, c := range []struct{ got, want []string }{
		{reveal(cfg.Admin.Token), []string{"admin-token"}},
		{reveal(groq.Credentials()...), []string{"groq-one", "from-a-file"}},
		{reveal(azure.Credentials()...), []string{"azure-key"}},
		{reveal(sim.Credentials()...), nil},
		{reveal(groq.Proxy, groq.Headers["X-Title"], groq.Headers["X-Cost-Center"]), []string{"http://user:password@proxy:3128", "weir", "none"}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestReplacement(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ value, want string }{
		{`"${OPENAI_API_KEY}"`, "sk-openai"},
		{`${OPENAI_API_KEY}`, "sk-openai"},
		{`'a-${GROQ_1}-${GROQ_2}-z'`, "a-groq-one-groq-two-z"},
		{`"${UNSET:-plan b}"`, "plan b"},
		{`"${EMPTY:-plan b}"`, "plan b"},
		{`"${UNSET:-http://a:1/$$x}"`, "http://a:1/$$x"}, // what is put in is not read again
		{`"x${EMPTY}"`, "x"},
		{`"$${OPENAI_API_KEY}"`, "${OPENAI_API_KEY}"},
		{`"$$$${X}"`, "$${X}"},
		{`"cost $5 and $$6, $"`, "cost $5 and $6, $"},
		{`"${file:testdata/files/secret.txt}"`, "from-a-file"},
		{"|-\n  ${GROQ_1}", "groq-one"},
		{"12345", "12345"},
		{"2024-10-21", "2024-10-21"},
		{"0123", "0123"},
	} {
		cfg, err := testLoader().Parse("-", []byte("admin:\n token: "+c.value+"\n"))
		if err != nil {
			t.Errorf("%s: %v", c.value, err)
		} else if got := cfg.Admin.Token.Reveal(); got != c.want {
			t.Errorf("%s = %q, want %q", c.value, got, c.want)
		}
	}
}

func TestReplacedValuesHaveTheFieldsType(t *testing.T) {
	t.Parallel()
	cfg := parse(t, `
metrics: {token: "${YES}"}
limits: {depth: "${TEN}", body: "${TEN}KiB"}
drain: {delay: "${FAST}", timeout: "${UNSET:-0}"}
providers: {p: {kind: "${KIND:-sim}"}}
models: {m: {targets: ["p/${TEN}", "${TARGET:-p/x/y}"]}}
keys: [{name: k, digest: "sha256:00000000000000000000000000000000000000000000000000000000000000${TEN}", expires: "${UNTIL:-2030-01-02}"}]
`)
	if !cfg.Metrics.Token || cfg.Limits.Depth != 10 || cfg.Limits.Body != 10<<10 ||
		cfg.Drain != (Drain{Delay: Duration(1500 * time.Millisecond)}) {
		t.Errorf("got %+v", cfg)
	}
	want := []Target{{Provider: "p", Model: "10", Weight: 1}, {Provider: "p", Model: "x/y", Weight: 1}}
	if diff := cmp.Diff(want, cfg.Models[0].Targets); diff != "" {
		t.Error(diff)
	}
	if k := cfg.Keys[0]; k.Digest[31] != 0x10 || !k.Expires.Equal(time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("key = %+v", k)
	}
}

func TestRelativePathsStartFromTheFile(t *testing.T) {
	t.Parallel()
	cfg := parse(t, "data: d\nstore: sqlite:s/x.db\n")
	if cfg.Data != "/etc/weir/d" || cfg.Store.Path != "/etc/weir/s/x.db" {
		t.Errorf("data %s, store %s", cfg.Data, cfg.Store.Path)
	}
	cfg = parse(t, "data: /var/../var/lib/weir\n")
	if cfg.Data != "/var/lib/weir" || cfg.Store.Path != "/var/lib/weir/weir.db" {
		t.Errorf("data %s, store %s", cfg.Data, cfg.Store.Path)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cfg, err = testLoader().Parse("-", nil)
	if err != nil || cfg.Data != filepath.Join(here, "weir-data") || len(cfg.Files) != 0 {
		t.Errorf("standard input: %+v, %v", cfg, err)
	}
}

func TestEveryFileReadIsNamedOnce(t *testing.T) {
	t.Parallel()
	cfg, err := testLoader().Load("testdata/good/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range cfg.Files {
		if !filepath.IsAbs(f) {
			t.Errorf("%s is not absolute", f)
		}
		names = append(names, filepath.Base(f))
	}
	want := []string{"full.yaml", "secret.txt", "cert.pem", "key.pem"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"testdata/none.yaml": "testdata/none.yaml: cannot read the config file: no such file or directory",
		"testdata":           "testdata: cannot read the config file: is a directory",
	} {
		_, err := testLoader().Load(path)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	_, err := testLoader().Parse("big.yaml", make([]byte, maxFile+1))
	if want := "big.yaml:1:1: the config file is larger than 4MiB: is it the right file?"; err == nil || err.Error() != want {
		t.Errorf("too large: %v", err)
	}
}

// TestAliasBomb makes a small file ask for more values than memory holds.
func TestAliasBomb(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("providers: {p: {kind: sim}}\nmodels:\n  m0: &m {targets: [")
	for i := range 5000 {
		fmt.Fprintf(&b, "p/%d, ", i)
	}
	b.WriteString("p/y]}\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "  model%d: *m\n", i)
	}
	_, err := testLoader().Parse("bomb.yaml", []byte(b.String()))
	if want := "bomb.yaml:3:"; err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "more than 250000 values") {
		t.Errorf("got %.300v", err)
	}
	// An alias within itself has no end; no field is as deep.
	if _, err := testLoader().Parse("x.yaml", []byte("models: &m {a: *m}\n")); err == nil {
		t.Error("an alias within itself is accepted")
	}
}

// Commands that manage keys may lack the variables of the providers.
func TestOnly(t *testing.T) {
	t.Parallel()
	text := []byte("providers:\n  a: {kind: openai, api_key: \"${NOT_HERE}\"}\nadmin: {listen: \"127.0.0.1:9\"}\nunknown: 1\n")
	cfg, err := Loader{Only: []string{"admin", "data"}}.Parse("weir.yaml", text)
	if err != nil || cfg.Admin.Listen.Addr != "127.0.0.1:9" || len(cfg.Providers) != 0 {
		t.Fatalf("%+v %v", cfg, err)
	}
	_, err = Loader{Only: []string{"admin"}}.Parse("weir.yaml", []byte("admin: {lisen: x}\n"))
	if err == nil || !strings.Contains(err.Error(), "weir.yaml:1:9") {
		t.Fatalf("an error in what is read: %v", err)
	}
}
