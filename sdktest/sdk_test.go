// Package sdktest runs the official openai SDKs for Python, Node and Go, unmodified, against the real program. The
// SDKs are no dependencies of Weir: each suite has its own pinned module beside this file.
package sdktest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

// script is what the simulated provider does with the models that the suites name.
const script = `{
  "key": "upstream-key",
  "models": ["chat", "embed", "limited", "limited-once", "broken", "refused", "breaks", "cut", "endless"],
  "rules": [
    {"match": {"model": "limited"}, "status": 429, "headers": {"Retry-After": "7"}},
    {"match": {"model": "limited-once", "nth": 1}, "status": 429, "headers": {"Retry-After-Ms": "1"}},
    {"match": {"model": "broken"}, "status": 500},
    {"match": {"model": "refused"}, "status": 400,
     "body": "{\"error\":{\"message\":\"The upstream's own words.\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"upstream_says_so\"}}"},
    {"match": {"model": "breaks"}, "error_event": 3},
    {"match": {"model": "cut"}, "cut": 3},
    {"match": {"model": "endless"}, "stall": 3}
  ]
}`

const config = `
providers:
  sim: {kind: openai, base_url: %q, api_key: upstream-key}
models:
  chat: {targets: [sim/chat]}
  team/chat: {targets: [sim/chat]}
  embed: {targets: [sim/embed]}
  limited: {targets: [sim/limited]}
  limited-once: {targets: [sim/limited-once]}
  broken: {targets: [sim/broken]}
  refused: {targets: [sim/refused]}
  breaks: {targets: [sim/breaks]}
  cut: {targets: [sim/cut]}
  endless: {targets: [sim/endless]}
`

// patience bounds a suite, so that one which hangs ends with its output and not with the whole run.
const patience = 5 * time.Minute

func TestPython(t *testing.T) {
	t.Parallel()
	python := installed(t, "python3", "--version", 3, 10)
	venv := cache(t, "python-"+digest(t, python, "python/requirements.txt"))
	bin := filepath.Join(venv, "bin", "python")
	prepare(t, venv, func() {
		command(t, ".", python, "-m", "venv", "--clear", venv)
		command(t, ".", bin, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "python/requirements.txt")
	})
	suite(t, "python", `{"b":1.5,"a":[null,"ü"]}`, bin, "suite.py")
}

func TestNode(t *testing.T) {
	t.Parallel()
	node := installed(t, "node", "--version", 20, 0)
	npm := installed(t, "npm", "--version", 8, 0)
	// npm installs beside the lock file, which the suite's imports need; a stamp says for which lock file.
	stamp := filepath.Join("node", "node_modules", "installed-"+digest(t, node, "node/package-lock.json"))
	prepare(t, stamp, func() { command(t, "node", npm, "ci", "--no-audit", "--no-fund") })
	suite(t, "node", `{"b":1.5,"a":[null,"ü"]}`, node, "--test", "--test-reporter=tap", "suite.test.js")
}

func TestGo(t *testing.T) {
	t.Parallel()
	tool := installed(t, "go", "version", 1, 26)
	suite(t, "go", `{"b":1.5,"a":[null,"ü"]}`, tool, "test", "-count=1", "-v", "./...")
}

// suite runs one SDK's tests in their folder, each a subtest here. unknown is how the SDK writes the member x_unknown
// of its test of unknown parameters: it must arrive byte for byte.
func suite(t *testing.T, dir, unknown string, name string, args ...string) {
	t.Helper()
	upstream := apptest.NewUpstream(t, []byte(script))
	weir := apptest.StartWith(t, fmt.Sprintf(config, upstream.URL()))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"WEIR_BASE_URL="+weir.URL()+"/v1", "WEIR_KEY="+weir.NewKey(t, "all"), "WEIR_SCOPED_KEY="+weir.NewKey(t, "scoped", "chat"),
		"OPENAI_LOG=", "PYTHONWARNINGS=ignore", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "GOFLAGS=", "PYTHONDONTWRITEBYTECODE=1")
	output, err := cmd.CombinedOutput()
	failed := report(t, output)
	if err != nil || failed {
		t.Errorf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, output)
	}
	t.Run("upstream saw unknown parameters unchanged", func(t *testing.T) {
		for _, call := range upstream.Served() {
			if bytes.Contains(call.Body, []byte(`"x_unknown":`+unknown)) || bytes.Contains(call.Body, []byte(`"x_unknown": `+unknown)) {
				return
			}
		}
		t.Errorf("no call holds %s", unknown)
	})
	t.Run("upstream saw the client hang up", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if err := upstream.Wait(ctx, hungUp); err != nil {
			t.Errorf("the cancelled stream still runs upstream: %v", err)
		}
	})
	t.Run("upstream saw no other credential than its own", func(t *testing.T) {
		for _, call := range upstream.Served() {
			if call.Authorization.Reveal() != "upstream-key" {
				t.Errorf("call %d to %s carries another credential", call.ID, call.Target)
			}
		}
	})
}

func hungUp(served []sim.Served) bool {
	for _, call := range served {
		if call.Model == "endless" {
			return call.ClientGone
		}
	}
	return false
}

// outcome matches what the suites print for each test: TAP lines of Python and Node, go test's own.
var outcome = regexp.MustCompile(`^(?:(ok|not ok)(?: \d+)? - (.+?)(?: # (SKIP)\b.*)?|--- (PASS|FAIL|SKIP): (\S+) \(.*\))$`)

// report makes each test of a suite's output a subtest, and reports whether one failed. No tests at all are a failure.
func report(t *testing.T, output []byte) (failed bool) {
	t.Helper()
	count := 0
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, len(output)+1)
	for lines.Scan() {
		m := outcome.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		count++
		bad := m[1] == "not ok" || m[4] == "FAIL"
		failed = failed || bad
		t.Run(m[2]+m[5], func(t *testing.T) {
			switch {
			case m[3]+m[4] == "SKIP":
				t.Skip("skipped by the suite:", lines.Text())
			case bad:
				t.Error("see the suite's output")
			}
		})
	}
	if count < 15 {
		t.Errorf("the suite reported only %d tests", count)
		return true
	}
	return failed
}

// installed finds a program of at least that version. Without it the test is skipped, but fails where CI is set.
func installed(t *testing.T, name, flag string, major, minor int) string {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("CI") != "" {
		missing = t.Fatalf
	}
	path, err := exec.LookPath(name)
	if err != nil {
		missing("the %s suite needs %s, which is not installed", t.Name(), name)
	}
	out, err := exec.CommandContext(t.Context(), path, flag).CombinedOutput()
	if err != nil {
		missing("the %s suite needs %s, which does not work: %v\n%s", t.Name(), name, err, out)
	}
	if m := regexp.MustCompile(`(\d+)\.(\d+)`).FindStringSubmatch(string(out)); m != nil {
		have := [2]int{number(t, m[1]), number(t, m[2])}
		if have[0] < major || have[0] == major && have[1] < minor {
			missing("the %s suite needs %s %d.%d or later; found %s", t.Name(), name, major, minor, bytes.TrimSpace(out))
		}
	}
	return path
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// command runs a step of an installation.
func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s failed; is the package registry reachable? %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// prepare runs install unless it was run to its end before, which the file path.complete says.
func prepare(t *testing.T, path string, install func()) {
	t.Helper()
	stamp := path + ".complete"
	if _, err := os.Stat(stamp); err == nil {
		return
	} else if !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	install()
	if err := os.WriteFile(stamp, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// cache is a folder of that name in the checkout's .cache.
func cache(t *testing.T, name string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".cache"))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

// digest names what an installation depends on: the interpreter and the file of pinned versions.
func digest(t *testing.T, program, file string) string {
	t.Helper()
	pins, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	version, err := exec.CommandContext(t.Context(), program, "--version").CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(slices.Concat([]byte(program), version, pins))
	return hex.EncodeToString(sum[:6])
}
