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

// start runs Weir on a store that is seeded up to now. A clock that stands still says at, if that is not zero.
func start(t *testing.T, at time.Time) *apptest.Weir {
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
	if at.IsZero() {
		seeded(t, data, time.Now())
		return apptest.Start(t, path)
	}
	seeded(t, data, at)
	return apptest.StartAt(t, path, func() time.Time { return at })
}

// TestLook is no test, but where those who work on the pages look at them: go test ./sdktest/console -run '^TestLook$' -look -timeout 0 -v
func TestLook(t *testing.T) {
	if !*look {
		t.Skip("without -look")
	}
	w := start(t, time.Time{})
	t.Logf("the console is at %s, the admin token %s, the models at %s", w.AdminURL(), w.AdminToken().Reveal(), w.URL())
	select {}
}

// TestStates has each page load, fail, get old, be forbidden and be empty.
func TestStates(t *testing.T) {
	t.Parallel()
	run(t, suite{file: "states.test.mjs", pictures: *shots, fewest: 14})
}

// TestJourneys does what people come for.
func TestJourneys(t *testing.T) {
	t.Parallel()
	run(t, suite{file: "journeys.test.mjs", fewest: 25})
}

var update = flag.Bool("update", false, "write the pictures of docs/console")

// TestPictures makes the pictures of the docs, each light and dark. They show times, so that no two are the same.
func TestPictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if *update {
		dir = "../../docs/console"
	}
	run(t, suite{file: "pictures.test.mjs", pictures: dir, fewest: 12})
	for _, name := range []string{"overview", "usage", "requests", "request", "keys", "playground"} {
		for _, file := range []string{name + ".png", name + "-dark.png"} {
			shrink(t, filepath.Join(dir, file))
		}
	}
}

// shrink makes a picture small enough for the manual, which is in the program.
func shrink(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	small := paletted(t, flat(decoded(t, text)))
	if err := os.WriteFile(path, small, 0o644); err != nil {
		t.Fatal(err)
	}
	if size := len(small); size < 10<<10 || size > 100<<10 {
		t.Errorf("the picture %s has %d bytes", path, size)
	}
}

// TestAccess makes, changes and ends keys and teams.
func TestAccess(t *testing.T) {
	t.Parallel()
	run(t, suite{file: "access.test.mjs", pictures: *shots, fewest: 15})
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
	run(t, suite{file: "manual.test.mjs", pictures: *shots, fewest: 15, env: []string{"WEIR_MANUAL=file://" + filepath.ToSlash(dir), "WEIR_MANUAL_PAGES=" + strings.Join(pages, " ")}})
}

// patience bounds a suite, so that one which hangs ends with its output and not with the whole run.
const patience = 10 * time.Minute

// printed is a line that node prints for a test.
var printed = regexp.MustCompile(`^(ok|not ok) \d+ - (.+)$`)

// suite is a file of tests for node.
type suite struct {
	file     string
	pictures string    // the folder for pictures, "" for none
	fewest   int       // tests that it has at least
	at       time.Time // what the clocks of Weir and of the browser say, which stand still; zero for the time it is
	env      []string  // what else it gets
	served   bool      // env says where the console is; nothing is started
	long     bool      // what is measured takes its time
}

// run has node run a suite, and makes each of its tests a subtest.
func run(t *testing.T, s suite) {
	t.Helper()
	chromium := install.Program(t, "chromium", "--version", 120, 0)
	node := install.Node(t, "browser")
	bound := patience
	if s.long || *all { // the manual has 300 pages
		bound = time.Hour
	}
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "--test", "--test-reporter=tap", s.file)
	cmd.Dir = "browser"
	cmd.Env = append(os.Environ(), "WEIR_CHROMIUM="+chromium, "WEIR_PAGES="+strings.Join(web.Pages(), " "))
	cmd.Env = append(cmd.Env, s.env...)
	if !s.served {
		cmd.Env = append(cmd.Env, served(t, s.at)...)
	}
	if *all {
		cmd.Env = append(cmd.Env, "WEIR_ALL=1")
	}
	if s.pictures != "" {
		dir, err := filepath.Abs(s.pictures)
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
	if count < s.fewest || !good || err != nil {
		t.Errorf("%s: %d tests, %v\n%s", s.file, count, err, output)
	}
}

// served starts a Weir for a suite, and says where it is.
func served(t *testing.T, at time.Time) []string {
	t.Helper()
	w := start(t, at)
	env := []string{"WEIR_CONSOLE=" + w.AdminURL(), "WEIR_TOKEN=" + w.AdminToken().Reveal(), "WEIR_URL=" + w.URL()}
	if at.IsZero() {
		return append(env, "WEIR_KEY="+w.NewKey(t, "browser")) // a key is random, and its id is on pages
	}
	return append(env, "WEIR_NOW="+at.Format(time.RFC3339))
}
