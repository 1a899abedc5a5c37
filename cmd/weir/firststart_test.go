package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/provider"
)

// TestInitThenServeEndsWithAKey: the two commands that a new user types first, and the line that the second prints.
func TestInitThenServeEndsWithAKey(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	if code := run(t.Context(), []string{"init", "--output", path}, &system{stdout: new(output), stderr: new(output), env: func(string) (string, bool) { return "", false }}); code != 0 {
		t.Fatal(code)
	}
	s := start(t, environment(folder), "--config", path, "--print-key").ready()
	line := regexp.MustCompile(`(?m)^ *(curl .*)$`).FindStringSubmatch(s.stdout.String())
	if line == nil || !strings.HasPrefix(s.stdout.String(), "There was no API key, so Weir made one.") {
		t.Fatalf("it said %s", s.stdout)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", line[1]+" -sS --noproxy '*'").Output()
	if err != nil || !strings.Contains(string(out), "simulated") {
		t.Errorf("%s: %v: %s", line[1], err, out)
	}
	s.signals <- syscall.SIGTERM
	s.signals <- syscall.SIGTERM
	s.end()
	if again := start(t, environment(folder), "--config", path, "--print-key").ready(); again.stdout.String() != "" {
		t.Errorf("the second start said %s", again.stdout)
	}
}

// TestAFirstStartMakesAKeyOnlyIfThereIsNone: where the output is no terminal, it lies in the data folder.
func TestAFirstStartMakesAKeyOnlyIfThereIsNone(t *testing.T) {
	t.Parallel()
	const models = "providers: {a: {kind: sim}}\nmodels: {m: {targets: [a/chat]}}\n"
	for _, tt := range []struct {
		name, config string
		makes        bool
	}{
		{"no key", models, true},
		{"a key in the file", models + "keys: [{name: k, digest: \"" + digestOfMadeUp + "\"}]\n", false},
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "weir.yaml")
		writeTest(t, path, tt.config)
		s := start(t, environment(folder), "--config", path).ready()
		key, err := os.ReadFile(filepath.Join(folder, "data", "first-key"))
		if (err == nil) != tt.makes || strings.Contains(s.stdout.String(), "There was no API key") != tt.makes {
			t.Errorf("%s: %v, it said %q", tt.name, err, s.stdout)
		}
		if tt.makes {
			if resp := s.call("GET", "/v1/models", strings.TrimSpace(string(key)), ""); resp.StatusCode != 200 {
				t.Errorf("%s: the key is answered %d", tt.name, resp.StatusCode)
			}
		}
	}
}

func TestExampleModelCanBeChattedWith(t *testing.T) {
	t.Parallel()
	local := []provider.Local{{Kind: "ollama", Model: "qwen3"}}
	const providers = "providers: {openai: {kind: openai, api_key: k}, o: {kind: ollama}, own: {kind: openai, base_url: \"http://127.0.0.1:1/v1\"}}\n"
	loader := config.Loader{Kinds: provider.ConfigKinds()}
	for models, want := range map[string]string{
		`{embed: {targets: [openai/text-embedding-3-small]}, smart: {targets: [openai/gpt-5]}}`: "smart",
		`{"local/*": {targets: ["o/*"]}, "openai/*": {targets: ["openai/*"]}}`:                  "local/qwen3",
		`{"*": {targets: ["own/*"]}, "x-*": {targets: ["openai/gpt-*"]}}`:                       "x-5-mini",
		`{"*": {targets: ["own/*"]}}`: "MODEL",
		`{}`:                          "MODEL",
	} {
		cfg, err := loader.Parse("weir.yaml", []byte(providers+"models: "+models))
		if err != nil {
			t.Fatal(err)
		}
		if got := exampleModel(cfg, local); got != want {
			t.Errorf("%s: %s, not %s", models, got, want)
		}
	}
}
