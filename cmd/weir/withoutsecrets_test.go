package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A pipeline checks a config without having its secrets: missing secrets are not errors, mistakes in the file are.
func TestCheckWithoutSecrets(t *testing.T) {
	folder := t.TempDir()
	const text = "listen: {addr: \"${ADDRESS}\", tls: {cert: /run/tls.crt, key: /run/tls.key}}\nadmin: {token: \"${file:/run/secrets/admin}\"}\n" +
		"providers:\n  a: {kind: groq, api_keys: [\"${ONE}\", \"${TWO}\"]}\n  b: {kind: vertex, project: p, region: europe-west4, credentials_file: /run/google.json}\n" +
		"models:\n  m: {targets: [a/x, b/gemini-2.5-flash]}\n"
	writeTest(t, filepath.Join(folder, "weir.yaml"), text)
	if did := runIn(t, folder, nil, "", "check"); did.code != 2 || strings.Count(did.stderr, "\n") != 5 {
		t.Errorf("with secrets: %+v", did)
	}
	want := outcome{0, "weir.yaml: ok (2 providers, 1 model, 0 keys), without what variables and files hold\n", ""}
	for _, env := range []map[string]string{nil, {"ADDRESS": "no address", "ONE": "the same", "TWO": "the same"}} {
		if did := runIn(t, folder, env, "", "check", "--without-secrets", "--strict"); did != want {
			t.Errorf("without: %+v", did)
		}
	}
	writeTest(t, filepath.Join(folder, "weir.yaml"), strings.Replace(text, "a/x", "aa/x", 1))
	if did := runIn(t, folder, nil, "", "check", "--without-secrets"); did.code != 2 || !strings.Contains(did.stderr, `unknown provider "aa"`) || strings.Count(did.stderr, "\n") != 1 {
		t.Errorf("a mistake: %+v", did)
	}
}
