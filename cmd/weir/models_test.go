package main

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
)

const modelsConfig = `
providers: {up: {kind: sim}}
models:
  smart: {targets: [up/chat, up/embed], display_name: "Smart, \"really\"", context_length: 8192, max_output_tokens: 512}
  fast: {targets: [up/chat]}
  "any/*": {targets: ["up/none-*"]}
`

// A real Weir says what its keys see.
func TestModels(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, modelsConfig)
	env := environment(folder)
	s := start(t, env, "--config", path).ready()
	env["WEIR_ADMIN"] = s.admin
	weir := func(args ...string) outcome { return runIn(t, folder, env, "", args...) }
	if did := weir("keys", "create", "--name", "app", "--models", "fast"); did.code != 0 {
		t.Fatalf("%+v", did)
	}

	did := weir("models")
	want := strings.Join([]string{
		"MODEL  TARGETS            CONTEXT  MAX OUTPUT",
		"any/*  up/none-*          -        -",
		"fast   up/chat            -        -",
		"smart  up/chat, up/embed  8192     512",
		"",
	}, "\n")
	if did.code != 0 || did.stdout != want {
		t.Errorf("%+v\nwant\n%s", did, want)
	}
	var listed []admin.Model
	did = weir("models", "--key", "app", "--format", "json")
	if err := json.Unmarshal([]byte(did.stdout), &listed); err != nil {
		t.Fatalf("%v: %+v", err, did)
	}
	if diff := cmp.Diff([]admin.Model{{ID: "fast", Targets: []string{"up/chat"}}}, listed); diff != "" {
		t.Error(diff)
	}
	rows, err := csv.NewReader(strings.NewReader(weir("models", "--format=csv").stdout)).ReadAll()
	if diff := cmp.Diff([]string{"smart", "up/chat,up/embed", `Smart, "really"`, "8192", "512"}, rows[len(rows)-1]); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for args, word := range map[string]string{
		"--key nobody": "no key with the id or name", "--admin " + closedURL(t): "is weir serve running?",
	} {
		did := weir(append([]string{"models"}, strings.Fields(args)...)...)
		if did.code != 1 || !strings.Contains(did.stderr, word) || did.stdout != "" {
			t.Errorf("weir models %s: %+v", args, did)
		}
	}
}
