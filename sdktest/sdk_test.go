// Package sdktest runs the official openai SDKs for Python, Node and Go, unmodified, against the real program. The
// SDKs are no dependencies of Weir: each suite has its own pinned module beside this file.
package sdktest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/sdktest/internal/install"
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
	python := install.Venv(t, "python", "python/requirements.txt")
	suite(t, "python", `{"b":1.5,"a":[null,"ü"]}`, python, "suite.py")
}

func TestNode(t *testing.T) {
	t.Parallel()
	node := install.Node(t, "node")
	suite(t, "node", `{"b":1.5,"a":[null,"ü"]}`, node, "--test", "--test-reporter=tap", "suite.test.js")
}

func TestGo(t *testing.T) {
	t.Parallel()
	tool := install.Program(t, "go", "version", 1, 26)
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
