// Package console opens the console in a real browser, on the real program and a store that is seeded with some weeks of calls.
package console

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/sdktest/internal/install"
	"github.com/weirproxy/weir/web"
)

// config has the models of the seeded keys at providers that know none of them, and one that answers.
const config = `timezone: Europe/Berlin
providers:
  anthropic: {kind: sim}
  openai: {kind: sim}
  groq: {kind: sim}
  vllm: {kind: sim}
  sim: {kind: sim}
models:
  smart: {targets: [anthropic/claude-sonnet-4-5, openai/gpt-5]}
  fast: {policy: fastest, targets: [groq/llama-3.3-70b, openai/gpt-5-mini]}
  code: {targets: [anthropic/claude-opus-4-5]}
  embed: {targets: [openai/text-embedding-3-large]}
  local: {targets: [vllm/qwen3-32b], price_unknown: free}
  hello: {targets: [sim/chat], price_unknown: free}
`

var (
	look  = flag.Bool("look", false, "serve the seeded console until the test is interrupted, for those who work on it")
	all   = flag.Bool("all", false, "open the pages in every variant")
	shots = flag.String("shots", "", "a folder for pictures of all pages")
)

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

// TestLook is no test, but where those who work on the pages look at them: go test ./sdktest/console -run '^TestLook$' -look -timeout 0 -v
func TestLook(t *testing.T) {
	if !*look {
		t.Skip("without -look")
	}
	w := start(t)
	t.Logf("the console is at %s, the admin token %s, the models at %s", w.AdminURL(), w.AdminToken().Reveal(), w.URL())
	select {}
}

// TestPages opens every page, and fails for whatever no page may do.
func TestPages(t *testing.T) {
	t.Parallel()
	run(t, "pages.test.mjs", len(web.Pages()))
}

// TestJourneys does what people come for.
func TestJourneys(t *testing.T) {
	t.Parallel()
	run(t, "journeys.test.mjs", 10)
}

// patience bounds a suite, so that one which hangs ends with its output and not with the whole run.
const patience = 10 * time.Minute

// printed is a line that node prints for a test.
var printed = regexp.MustCompile(`^(ok|not ok) \d+ - (.+)$`)

// run has node run a suite, and makes each of its tests a subtest.
func run(t *testing.T, suite string, fewest int) {
	t.Helper()
	chromium := install.Program(t, "chromium", "--version", 120, 0)
	node := install.Node(t, "browser")
	w := start(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "--test", "--test-reporter=tap", suite)
	cmd.Dir = "browser"
	cmd.Env = append(os.Environ(), "WEIR_CHROMIUM="+chromium, "WEIR_CONSOLE="+w.AdminURL(), "WEIR_TOKEN="+w.AdminToken().Reveal(), "WEIR_URL="+w.URL(), "WEIR_KEY="+w.NewKey(t, "browser"), "WEIR_PAGES="+strings.Join(web.Pages(), " "))
	if *all {
		cmd.Env = append(cmd.Env, "WEIR_ALL=1")
	}
	if *shots != "" {
		dir, err := filepath.Abs(*shots)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, "WEIR_SHOTS="+dir)
	}
	output, err := cmd.CombinedOutput()
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, len(output)+1)
	count, good := 0, true
	for lines.Scan() {
		if m := printed.FindStringSubmatch(lines.Text()); m != nil {
			count++
			good = t.Run(m[2], func(t *testing.T) {
				if m[1] != "ok" {
					t.Error("see the suite's output")
				}
			}) && good
		}
	}
	if count < fewest || !good || err != nil {
		t.Errorf("%s: %d tests, %v\n%s", suite, count, err, output)
	}
}
