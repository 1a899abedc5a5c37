package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Before a config is rolled out, its author sees what a running Weir would lose, and that one which is cut short would be refused.
func TestCheckAgainstARunningWeir(t *testing.T) {
	folder := t.TempDir()
	env := environment(folder)
	const providers = "providers:\n  a: {kind: sim}\n  b: {kind: sim}\n"
	const whole = providers + "models:\n  m: {targets: [a/chat]}\n  n: {targets: [b/chat]}\nkeys:\n  - {name: ci, digest: " + digestOfMadeUp + "}\n"
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, whole)
	s := start(t, env, "--config", path).ready()
	check := func(text string, args ...string) outcome {
		writeTest(t, filepath.Join(folder, "new.yaml"), text)
		return runIn(t, folder, env, "", append([]string{"check", "--against", s.admin, "new.yaml"}, args...)...)
	}
	if did := check(whole + "empty: true\n"); did.code != 0 || did.stderr != "" {
		t.Errorf("the same: %+v", did)
	}
	fewer := strings.NewReplacer("  b: {kind: sim}\n", "", "  n: {targets: [b/chat]}\n", "").Replace(whole)
	want := `new.yaml: warning: a reload would remove the provider "b", which is in force at ` + s.admin + "\n" +
		`new.yaml: warning: a reload would remove the model "n", which is in force at ` + s.admin + "\n"
	if did := check(fewer); did.code != 0 || did.stderr != want || !strings.HasPrefix(did.stdout, "new.yaml: ok") {
		t.Errorf("fewer: %+v", did)
	}
	if did := check(fewer, "--strict"); did.code != 2 || did.stderr != want {
		t.Errorf("fewer, strictly: %+v", did)
	}
	if did := check(providers); did.code != 2 || !strings.Contains(did.stderr, "a reload would refuse this file") || !strings.Contains(did.stderr, "no models") || did.stdout != "" {
		t.Errorf("cut short: %+v", did)
	}
	if did := check(providers + "empty: true\n"); did.code != 0 || !strings.Contains(did.stderr, `the key "ci"`) {
		t.Errorf("cut short, meant: %+v", did)
	}
	// Standard input, with the token in the folder that the data names.
	if did := runIn(t, folder, env, fewer, "check", "--against", s.admin, "-"); did.code != 0 || strings.Count(did.stderr, "stdin: warning: a reload would remove") != 2 {
		t.Errorf("standard input: %+v", did)
	}
	for _, args := range [][]string{{"--against", s.url, "weir.yaml"}, {"--against", "http://127.0.0.1:1", "weir.yaml"}, {"--token-file", path, "weir.yaml"}} {
		if did := runIn(t, folder, env, "", append([]string{"check"}, args...)...); did.code == 0 || did.stdout != "" {
			t.Errorf("%v: %+v", args, did)
		}
	}
}
