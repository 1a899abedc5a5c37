package config

import (
	"os"
	"strings"
	"testing"
)

// withoutSecrets is a loader that fails the test if it looks at what it must not.
func withoutSecrets(t *testing.T) Loader {
	t.Helper()
	l := testLoader()
	l.WithoutSecrets = true
	l.Env = func(name string) (string, bool) {
		t.Errorf("the variable %s was looked up", name)
		return "", false
	}
	l.ReadFile = func(path string) ([]byte, error) {
		t.Errorf("the file %s was read", path)
		return nil, os.ErrNotExist
	}
	return l
}

// Any value of a good config may come from a variable or a file. Both may be missing where the config is checked before a
// rollout.
func TestWithoutSecretsAnyValueMayBeElsewhere(t *testing.T) {
	t.Parallel()
	l := withoutSecrets(t)
	data, err := os.ReadFile("testdata/good/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Parse("testdata/good/full.yaml", data); err != nil {
		t.Errorf("as it is: %v", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	tried := 0
	for i, line := range lines {
		match := linePattern.FindStringSubmatch(strings.TrimSuffix(line, " # name"))
		if strings.HasPrefix(line, "#") || match[3] == "" || strings.ContainsAny(match[3][:1], "[{") {
			continue
		}
		for _, value := range []string{`"${ZZZ}"`, `"${file:/run/secrets/zzz}"`, `"${ZZZ:-}"`, `"x${ZZZ}y"`} {
			tried++
			changed := strings.Join(lines[:i], "\n") + "\n" + match[1] + match[2] + value + "\n" + strings.Join(lines[i+1:], "\n")
			if _, err := l.Parse("testdata/good/full.yaml", []byte(changed)); err != nil {
				t.Errorf("%s%s%s: %v", match[1], match[2], value, err)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d values were tried", tried)
	}
}

// Everything else is checked as usual.
func TestWithoutSecretsTheRestIsChecked(t *testing.T) {
	t.Parallel()
	l := withoutSecrets(t)
	const good = "providers: {a: {kind: openai, api_key: \"${KEY}\"}}\nmodels: {m: {targets: [a/x], timeouts: {total: \"${TOTAL}\", first_token: 2h}}}\n"
	cfg, err := l.Parse("weir.yaml", []byte(good))
	if err != nil || len(cfg.Warnings) > 0 {
		t.Errorf("%v, %v", err, cfg)
	}
	for _, broken := range [][2]string{
		{"kind: openai", "kind: opnai"},
		{"[a/x]", "[b/x]"},
		{"api_key", "api_kye"},
		{"${KEY}", "${KEY"},
		{"${KEY}", "${9KEY}"},
		{"${KEY}", "${file:}"},
		{"\"${KEY}\"", "$KEY"},
		{", api_key: \"${KEY}\"", ""},
		{"2h", "\"${T:-soon}\""},
		{"2h", "soon"},
		{"${KEY}\"", "${KEY}\", region: \"${R}\""},
	} {
		if _, err := l.Parse("weir.yaml", []byte(strings.Replace(good, broken[0], broken[1], 1))); err == nil {
			t.Errorf("%s in place of %s is taken", broken[1], broken[0])
		}
	}
}
