// Package console opens the console and the manual in a real browser, on the real program and a store that is seeded with some weeks of calls.
package console

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
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

// config serves the seeded keys' models from two simulated providers, of which the second never comes to the end of an answer.
const config = `timezone: Europe/Berlin
providers:
  anthropic: {kind: openai, base_url: "%[1]s", api_key: simulated}
  openai: {kind: openai, base_url: "%[1]s", api_key: simulated}
  groq: {kind: openai, base_url: "%[1]s", api_key: simulated}
  vllm: {kind: vllm, base_url: "%[2]s"}
  sim: {kind: sim}
models:
  smart:
    targets:
      - {provider: anthropic, model: claude-sonnet-4-5, price: {input: 3, output: 15}}
      - {provider: openai, model: gpt-5, price: {input: 1.25, output: 10}}
  fast:
    policy: fastest
    targets:
      - {provider: groq, model: llama-3.3-70b, price: {input: 0.59, output: 0.79}}
      - {provider: openai, model: gpt-5-mini, price: {input: 0.25, output: 2}}
  code:
    targets: [{provider: anthropic, model: claude-opus-4-5, price: {input: 5, output: 25}}]
    fallbacks: [smart]
  embed: {targets: [{provider: openai, model: text-embedding-3-large, price: {input: 0.13, output: 0}}]}
  local: {targets: [vllm/qwen3-32b], price_unknown: free}
  hello: {targets: [sim/chat], price_unknown: free}
  lost: {targets: [sim/absent], price_unknown: free}
teams:
  - {name: gateway, models: [fast], budgets: [10usd/day]}
keys:
  - {name: ci, digest: "sha256:abababababababababababababababababababababababababababababababab", team: gateway, rpm: 20}
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
	quick, slow := apptest.NewUpstream(t, nil), apptest.NewUpstream(t, []byte(`{"ttft": "100ms", "interval": "200ms", "tokens": 100000}`))
	if err := os.WriteFile(path, fmt.Appendf(nil, config, quick.URL(), slow.URL()), 0o600); err != nil {
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
	run(t, "pages.test.mjs", *shots, len(web.Pages()))
}

// TestJourneys does what people come for.
func TestJourneys(t *testing.T) {
	t.Parallel()
	run(t, "journeys.test.mjs", "", 11)
}

var update = flag.Bool("update", false, "write the pictures of docs/console")

// TestPictures makes the pictures of the docs. They show times, so that no two are the same.
func TestPictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if *update {
		dir = "../../docs/console"
	}
	run(t, "pictures.test.mjs", dir, 2)
	for _, name := range []string{"overview", "request"} {
		picture, err := os.Stat(filepath.Join(dir, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if size := picture.Size(); size < 10<<10 || size > 250<<10 {
			t.Errorf("the picture %s has %d bytes", name, size)
		}
	}
}

// TestAccess makes, changes and ends keys and teams.
func TestAccess(t *testing.T) {
	t.Parallel()
	run(t, "access.test.mjs", *shots, 20)
}

// TestManual reads the manual, served and from files.
func TestManual(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "manual")
	if err := web.WriteManual(dir, "of a test"); err != nil {
		t.Fatal(err)
	}
	var pages []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if filepath.Ext(name) == ".html" {
			pages = append(pages, filepath.ToSlash(strings.TrimPrefix(name, dir+string(filepath.Separator))))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	run(t, "manual.test.mjs", *shots, 37, "WEIR_MANUAL=file://"+filepath.ToSlash(dir), "WEIR_MANUAL_PAGES="+strings.Join(pages, " "))
}

// patience bounds a suite, so that one which hangs ends with its output and not with the whole run.
const patience = 10 * time.Minute

// printed is a line that node prints for a test.
var printed = regexp.MustCompile(`^(ok|not ok) \d+ - (.+)$`)

// run has node run a suite, and makes each of its tests a subtest. pictures is the folder for pictures, "" for none; env
// is what else the suite gets.
func run(t *testing.T, suite, pictures string, fewest int, env ...string) {
	t.Helper()
	chromium := install.Program(t, "chromium", "--version", 120, 0)
	node := install.Node(t, "browser")
	w := start(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "--test", "--test-reporter=tap", suite)
	cmd.Dir = "browser"
	cmd.Env = append(os.Environ(), "WEIR_CHROMIUM="+chromium, "WEIR_CONSOLE="+w.AdminURL(), "WEIR_TOKEN="+w.AdminToken().Reveal(), "WEIR_URL="+w.URL(), "WEIR_KEY="+w.NewKey(t, "browser"), "WEIR_PAGES="+strings.Join(web.Pages(), " "))
	cmd.Env = append(cmd.Env, env...)
	if *all {
		cmd.Env = append(cmd.Env, "WEIR_ALL=1")
	}
	if pictures != "" {
		dir, err := filepath.Abs(pictures)
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
