// Package sdktest runs the official openai SDKs for Python, Node and Go, unmodified, against the real program, once with
// each dialect behind the models. The SDKs are not dependencies of Weir: each suite has its own pinned module in this
// folder.
//
// A dialect is a row of columns. What all of that gives is the table in docs/how-it-works/testing.md; after a meant change
//
//	go test ./sdktest -update
//
// writes it.
package sdktest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/sdktest/internal/install"
)

// patience bounds a suite, so that one which hangs ends with its output and not with the whole run.
const patience = 12 * time.Minute

// unknown is how the suites' member x_unknown is written, an unknown parameter.
const unknown = `{"b":1.5,"a":[null,"ü"]}`

func TestSDKs(t *testing.T) {
	t.Parallel()
	suites := []*suite{
		{name: "Python", run: func(t *testing.T, r *running) {
			python := install.Venv(t, "python", "python/requirements.txt")
			r.read(t, "", r.command(t, "python", python, "suite.py"))
		}},
		{name: "Node", run: func(t *testing.T, r *running) {
			node := install.Node(t, "node")
			r.read(t, "", r.command(t, "node", node, "--test", "--test-reporter=tap", "suite.test.js"))
		}},
		{name: "Go", run: func(t *testing.T, r *running) {
			tool := install.Program(t, "go", "version", 1, 26)
			binary := filepath.Join(t.TempDir(), "suite")
			install.Step(t, "go", []string{"GOFLAGS="}, tool, "test", "-c", "-o", binary)
			for _, c := range r.columns {
				output := r.command(t, "go", binary, "-test.v")
				output.Env = append(output.Env, "WEIR_PREFIX="+c.Prefix, "WEIR_SCOPED_KEY="+c.ScopedKey, "WEIR_REFUSED_CODE="+c.code)
				r.read(t, c.Name, output)
			}
		}},
	}
	t.Run("suites", func(t *testing.T) {
		for _, s := range suites {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				r := start(t)
				s.run(t, r)
				s.got = r.got
				r.look(t)
			})
		}
	})
	if !t.Failed() {
		checkPage(t, suites)
	}
}

// suite is one SDK's program.
type suite struct {
	name string
	run  func(*testing.T, *running)
	got  []outcome
}

// outcome is what a suite says of one feature with one column.
type outcome struct {
	column, feature string
	ok              bool
}

// running is a Weir with a provider for each column.
type running struct {
	base, key string
	columns   []*started
	got       []outcome
}

// started is a column whose provider runs. The programs of Python and Node get it as JSON.
type started struct {
	column
	upstream *apptest.Upstream

	Name        string  `json:"name"`
	Prefix      string  `json:"prefix"` // of the models' names
	ScopedKey   string  `json:"scoped_key"`
	RefusedCode *string `json:"refused_code"`
}

func start(t *testing.T) *running {
	t.Helper()
	r := &running{}
	config := newConfig()
	for _, c := range columns() {
		s := &started{column: c, Name: c.dialect, Prefix: c.prefix(), upstream: apptest.NewUpstream(t, c.script())}
		if c.code != "" {
			s.RefusedCode = &c.code
		}
		config.add(c, s.upstream.URL())
		r.columns = append(r.columns, s)
	}
	weir := apptest.StartWith(t, config.String())
	for _, s := range r.columns {
		s.ScopedKey = weir.NewKey(t, "scoped-"+s.Name, s.Prefix+"chat")
	}
	r.base, r.key = weir.URL()+"/v1", weir.NewKey(t, "all")
	return r
}

// command is a program to be run in its folder.
func (r *running) command(t *testing.T, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	told, err := json.Marshal(r.columns)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "WEIR_BASE_URL="+r.base, "WEIR_KEY="+r.key, "WEIR_COLUMNS="+string(told),
		"OPENAI_LOG=", "PYTHONWARNINGS=ignore", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "GOFLAGS=", "PYTHONDONTWRITEBYTECODE=1")
	return cmd
}

// printed matches what the suites print for each test: TAP lines of Python and Node, go test's own.
var printed = regexp.MustCompile(`^(?:(ok|not ok)(?: \d+)? - (?:(\w+): )?(.+?)(?: # .*)?|--- (PASS|FAIL|SKIP): (\S+) \(.*\))$`)

// read runs a program and makes each test of its output a subtest. A feature that a column cannot have has to fail. No
// tests at all are a failure. The column is that of tests that do not name theirs.
func (r *running) read(t *testing.T, column string, cmd *exec.Cmd) {
	t.Helper()
	output, err := cmd.CombinedOutput()
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, len(output)+1)
	count, failed, good := 0, 0, true
	for lines.Scan() {
		m := printed.FindStringSubmatch(lines.Text())
		if m == nil || m[1] != "" && m[2] == "" {
			continue
		}
		o := outcome{column, feature(m[3] + m[5]), m[1] == "ok" || m[4] == "PASS"}
		if m[2] != "" {
			o.column = m[2]
		}
		if count++; !o.ok {
			failed++
		}
		r.got = append(r.got, o)
		good = t.Run(o.column+"/"+o.feature, func(t *testing.T) {
			switch why := reason(o.column, o.feature); {
			case o.ok && why != "":
				t.Errorf("it works by now; the table says of it: %s", why)
			case !o.ok && why == "":
				t.Error("see the suite's output")
			case !o.ok:
				t.Log("cannot be:", why)
			}
		}) && good
	}
	if count < 15 || !good || (err != nil) != (failed > 0) {
		t.Errorf("%s: %d tests, %d failed, %v\n%s", strings.Join(cmd.Args, " "), count, failed, err, output)
	}
}

// look checks what the providers saw of it all.
func (r *running) look(t *testing.T) {
	t.Helper()
	for _, c := range r.columns {
		served := c.upstream.Served()
		t.Run(c.Name+"/unknown parameters", func(t *testing.T) {
			seen := false
			for _, call := range served {
				body := bytes.ReplaceAll(call.Body, []byte(`"x_unknown": `), []byte(`"x_unknown":`))
				seen = seen || bytes.Contains(body, []byte(`"x_unknown":`+unknown))
			}
			if seen != (c.dialect == callers) {
				t.Errorf("a call holds %s: %v", unknown, seen)
			}
		})
		t.Run(c.Name+"/upstream saw the client hang up", func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := c.upstream.Wait(ctx, hungUp); err != nil {
				t.Errorf("the cancelled stream still runs upstream: %v", err)
			}
		})
		t.Run(c.Name+"/upstream was asked once for a model that it does not have", func(t *testing.T) {
			asked := slices.DeleteFunc(slices.Clone(served), func(call sim.Served) bool { return call.Model != c.column.upstream(absent) })
			if len(asked) != 1 {
				t.Errorf("it was asked %d times", len(asked))
			}
		})
		t.Run(c.Name+"/upstream saw no other credential than its own", func(t *testing.T) {
			for _, call := range served {
				if call.Authorization.Reveal() != upstreamKey {
					t.Errorf("call %d to %s carries another credential", call.ID, call.Target)
				}
			}
		})
	}
}

func hungUp(served []sim.Served) bool {
	for _, call := range served {
		if strings.HasSuffix(call.Model, "endless") {
			return call.ClientGone
		}
	}
	return false
}
