package config

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/secret"
)

// asked is a loader whose sources give each reference its own text, and note what they were asked.
func asked(rounds *[][]string) Loader {
	l := testLoader()
	l.Env = environment("VAULT_ADDR", "https://vault.example.com:8200", "VAULT_TOKEN", "hvs.token", "VAULT_NAMESPACE", "team", "GROQ_1", "groq-one")
	l.Sources = func(_ *Secrets, refs []Reference) []Reading {
		var round []string
		readings := make([]Reading, len(refs))
		for i, ref := range refs {
			round = append(round, ref.String())
			if strings.Contains(ref.Name, "failing") {
				readings[i].Err = errors.New("it is not there")
				continue
			}
			readings[i].Value = secret.New("value of " + ref.Name)
		}
		*rounds = append(*rounds, round)
		return readings
	}
	return l
}

const elsewhereText = `providers:
  a: {kind: groq, api_key: "${vault:secret/data/groq#key}", headers: {X-Two: "${exec:op read 'op://weir/groq'} and ${vault:secret/data/groq#key}"}}
  b: {kind: groq, api_key: "${file:credential}", base_url: "https://${GROQ_1}/v1"}
models:
  m: {targets: [a/x, b/x]}
`

// What is elsewhere is asked for together, each reference once, and after everything else was found to be right.
func TestValuesElsewhere(t *testing.T) {
	t.Parallel()
	var rounds [][]string
	l := asked(&rounds)
	cfg, err := l.Parse("/etc/weir/weir.yaml", []byte(elsewhereText))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"${file:/etc/weir/credential}"}, {"${vault:secret/data/groq#key}", "${exec:op …}"}}
	if diff := cmp.Diff(want, rounds); diff != "" {
		t.Error(diff)
	}
	a, b := &cfg.Providers[0], &cfg.Providers[1]
	if a.APIKey.Reveal() != "value of secret/data/groq#key" || b.APIKey.Reveal() != "value of /etc/weir/credential" ||
		a.Headers["X-Two"].Reveal() != "value of op read 'op://weir/groq' and value of secret/data/groq#key" {
		t.Errorf("%q, %q, %q", a.APIKey.Reveal(), b.APIKey.Reveal(), a.Headers["X-Two"].Reveal())
	}
	if !slices.Contains(cfg.Files, "/etc/weir/credential") {
		t.Errorf("files: %v", cfg.Files)
	}
	rounds = nil
	_, err = l.Parse("weir.yaml", []byte(elsewhereText+"keys: [{}]\n"))
	if err == nil || len(rounds) != 1 {
		t.Errorf("with a mistake in the file, %v was asked: %v", rounds, err)
	}
}

// What cannot be read is an error at the place of the value, which names the reference and nothing of a command's arguments.
func TestValuesElsewhereThatFail(t *testing.T) {
	t.Parallel()
	var rounds [][]string
	const text = "providers:\n  a: {kind: groq, api_keys: [\"${vault:secret/data/failing#key}\", \"${exec:pass failing-argument}\"]}\n  b: {kind: groq, api_key: \"${file:failing}\"}\n"
	_, err := asked(&rounds).Parse("/etc/weir/weir.yaml", []byte(text))
	want := "/etc/weir/weir.yaml:3:28: api_key: cannot read ${file:failing}: it is not there"
	if err == nil || err.Error() != want || len(rounds) != 1 {
		t.Errorf("files first: %v, after %v", err, rounds)
	}
	_, err = asked(&rounds).Parse("/etc/weir/weir.yaml", []byte(strings.Replace(text, "${file:failing}", "x", 1)))
	want = "/etc/weir/weir.yaml:2:30: api_keys[0]: cannot read ${vault:secret/data/failing#key}: it is not there\n" +
		"/etc/weir/weir.yaml:2:66: api_keys[1]: cannot read ${exec:pass …}: it is not there"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

// Vault is where the section says, or else the usual variables.
func TestWhereVaultIs(t *testing.T) {
	t.Parallel()
	const refers = "admin: {token: \"${vault:a/b/data/c/d#e}\"}\n"
	for _, tt := range []struct {
		section, address, token, namespace, role string
	}{
		{"", "https://vault.example.com:8200", "hvs.token", "team", ""},
		{"secrets: {vault: {address: \"http://127.0.0.1:8200\", token: own, namespace: a/b}}\n", "http://127.0.0.1:8200", "own", "a/b", ""},
		{"secrets: {vault: {kubernetes: {role: weir}}}\n", "https://vault.example.com:8200", "", "team", "weir"},
	} {
		var rounds [][]string
		l := asked(&rounds)
		sources := l.Sources
		var got Vault
		l.Sources = func(s *Secrets, refs []Reference) []Reading {
			got = s.Vault
			return sources(s, refs)
		}
		for _, only := range [][]string{nil, {"admin"}} {
			got, l.Only = Vault{}, only
			cfg, err := l.Parse("weir.yaml", []byte(tt.section+refers))
			if err != nil || cfg.Admin.Token.Reveal() != "value of a/b/data/c/d#e" {
				t.Errorf("%s: %v", tt.section, err)
			}
			role := ""
			if got.Kubernetes != nil {
				role = got.Kubernetes.Role
			}
			if got.Address != tt.address || got.Token.Reveal() != tt.token || got.Namespace != tt.namespace || role != tt.role {
				t.Errorf("%s, only %v: %+v, token %q", tt.section, only, got, got.Token.Reveal())
			}
		}
	}
	for _, env := range [][]string{
		{"VAULT_TOKEN", "x"},
		{"VAULT_ADDR", "vault:8200", "VAULT_TOKEN", "x"},
		{"VAULT_ADDR", "https://vault", "VAULT_TOKEN", "x\n"},
		{"VAULT_ADDR", "https://vault"},
		{"VAULT_ADDR", "https://169.254.169.254", "VAULT_TOKEN", "x"},
		{"VAULT_ADDR", "https://vault", "VAULT_TOKEN", "x", "VAULT_NAMESPACE", "../x"},
		{"VAULT_ADDR", "https://vault", "VAULT_TOKEN", "x", "VAULT_CACERT", "testdata/files/none.pem"},
	} {
		var rounds [][]string
		l := asked(&rounds)
		l.Env = environment(env...)
		_, err := l.Parse("weir.yaml", []byte(refers))
		if err == nil || !strings.HasPrefix(err.Error(), "weir.yaml:1:16: ") || !strings.Contains(err.Error(), "VAULT_") || len(rounds) > 0 {
			t.Errorf("%q: %v, asked %v", env, err, rounds)
		}
	}
}

// A check without calls knows which values it lacks.
func TestWithoutCalls(t *testing.T) {
	t.Parallel()
	l := testLoader()
	l.WithoutCalls = true
	l.Sources = func(_ *Secrets, refs []Reference) []Reading {
		if len(refs) != 1 || refs[0].Scheme != SchemeFile {
			t.Errorf("asked for %v", refs)
		}
		return []Reading{{Value: secret.New("from a file")}}
	}
	cfg, err := l.Parse("weir.yaml", []byte(elsewhereText))
	if err != nil || len(cfg.References) != 3 || cfg.References[0].String() != "${vault:secret/data/groq#key}" {
		t.Errorf("%+v, %v", cfg, err)
	}
	if _, err := (Loader{}).Parse("weir.yaml", []byte("admin: {token: \"${exec:pass weir}\"}\n")); err == nil || !strings.Contains(err.Error(), "weir.yaml:1:16: ${exec:pass …} cannot be read by this program") {
		t.Errorf("without sources: %v", err)
	}
}

// Words are separated by spaces, and quotes hold one together.
func TestCommand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"pass weir/openai":                    {"pass", "weir/openai"},
		"  op   read\n op://a/b ":             {"op", "read", "op://a/b"},
		`sh -c 'cat "$KEY" | head -1'`:        {"sh", "-c", `cat "$KEY" | head -1`},
		`a "b c"'d e' "" f\g`:                 {"a", "b cd e", "", `f\g`},
		`"/opt/my tools/get" --name=a=b "x'"`: {"/opt/my tools/get", "--name=a=b", "x'"},
	} {
		got, err := Reference{Scheme: SchemeExec, Name: text}.Command()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
	for _, text := range []string{"", "  ", `""`, `'a`, `a "b`, "a | b", "a && b", "a ; b", "a > b", "a\x00b"} {
		if got, err := (Reference{Scheme: SchemeExec, Name: text}).Command(); err == nil {
			t.Errorf("%q is %q", text, got)
		}
	}
}
