// Package console opens the console in a real browser, on the real program and a store that is seeded with some weeks of calls.
package console

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// config serves the seeded keys' models from simulated providers.
const config = `timezone: Europe/Berlin
providers:
  anthropic: {kind: sim}
  openai: {kind: sim}
  groq: {kind: sim}
  vllm: {kind: sim}
models:
  smart: {targets: [anthropic/claude-sonnet-4-5, openai/gpt-5]}
  fast: {policy: fastest, targets: [groq/llama-3.3-70b, openai/gpt-5-mini]}
  code: {targets: [anthropic/claude-opus-4-5]}
  embed: {targets: [openai/text-embedding-3-large]}
  local: {targets: [vllm/qwen3-32b]}
`

// start runs Weir on a seeded store.
func start(t *testing.T) *apptest.Weir {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "weir.yaml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "weir-data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	seeded(t, data, time.Now())
	return apptest.Start(t, path)
}

var look = flag.Bool("look", false, "serve the seeded console until the test is interrupted, for those who work on it")

// TestLook is no test, but where those who work on the pages look at them: go test ./sdktest/console -run '^TestLook$' -look -timeout 0 -v
func TestLook(t *testing.T) {
	if !*look {
		t.Skip("without -look")
	}
	w := start(t)
	t.Logf("the console is at %s, the admin token %s, the models at %s", w.AdminURL(), w.AdminToken().Reveal(), w.URL())
	select {}
}
