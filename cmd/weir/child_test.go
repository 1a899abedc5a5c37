package main

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/sim"
)

// These helpers run the program itself, built as it is released, in its own process. Its memory and files are then
// separate from the test's.

// built builds the program once for all tests of the package.
var built = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(forBuilding, "weir")
	cmd := exec.Command("go", "build", "-o", binary, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

// forBuilding is the folder for it.
var forBuilding string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "weir-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	forBuilding = folder
	code := m.Run()
	_ = os.RemoveAll(folder) // it is among the temporary files
	os.Exit(code)
}

// long skips what takes minutes, unless it is asked for.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes minutes: set WEIR_LONG=1, as make long does")
	}
}

// oneAfterAnother skips, with -short, a test that runs one command after the other. make test has -short only with the race detector, which takes five
// times as long.
func oneAfterAnother(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs one command after the other: the race detector has no use for it")
	}
}

// child is the program in a process of its own.
type child struct {
	*serving
	pid int
}

// startChild starts the program with the text of a config, and waits until it serves. env are names and values.
func startChild(t *testing.T, config string, env ...string) *child {
	t.Helper()
	return startIn(t, "", config, env...)
}

// startIn is startChild within a control group, "" for the test's own.
func startIn(t *testing.T, group, config string, env ...string) *child {
	t.Helper()
	folder := t.TempDir()
	return startWith(t, folder, func(binary string) (string, error) {
		if group == "" {
			return binary, nil
		}
		return enter(folder, group, binary) // a shell enters the group and becomes the program
	}, config, env...)
}

// startWith is startChild by what wrap makes of the program, with a folder of its own.
func startWith(t *testing.T, folder string, wrap func(binary string) (string, error), config string, env ...string) *child {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("what a process takes is read from /proc, which only Linux has")
	}
	if testing.Short() {
		t.Skip("it builds the program, which -short leaves out")
	}
	binary, err := built()
	if err == nil {
		binary, err = wrap(binary)
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, config)
	s, cmd := process(t, binary, environment(folder, env...), "--config", path)
	return &child{s.ready(), cmd.Process.Pid}
}

// enter writes a program that runs another one in a control group.
func enter(folder, group, binary string) (string, error) {
	path := filepath.Join(folder, "enter")
	script := fmt.Sprintf("#!/bin/sh\necho $$ > %s/cgroup.procs && exec %s \"$@\"\n", group, binary)
	return path, os.WriteFile(path, []byte(script), 0o700)
}

// status is a number of /proc/<pid>/status, in bytes.
func (c *child) status(name string) int64 {
	c.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.pid))
	if err != nil {
		c.t.Fatalf("the program has ended: %v\n%s", err, c.stderr)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
			if err != nil {
				c.t.Fatal(err)
			}
			return n << 10
		}
	}
	c.t.Fatalf("there is no %s in %s", name, text)
	return 0
}

// resident and peak are what the process takes of memory now, and took at most.
func (c *child) resident() int64 { c.t.Helper(); return c.status("VmRSS") }
func (c *child) peak() int64     { c.t.Helper(); return c.status("VmHWM") }

// metric is the sum of a figure over its labels.
func (c *child) metric(name string) float64 {
	c.t.Helper()
	resp, err := quiet.Get(c.admin + "/metrics")
	if err != nil {
		c.t.Fatalf("%v\n%s", err, c.stderr)
	}
	defer resp.Body.Close()
	sum, found := 0.0, false
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), name)
		if !ok || rest[0] != ' ' && rest[0] != '{' {
			continue
		}
		value, err := strconv.ParseFloat(rest[strings.LastIndexByte(rest, ' ')+1:], 64)
		if err != nil {
			c.t.Fatal(err)
		}
		sum, found = sum+value, true
	}
	if !found {
		c.t.Fatalf("there is no figure %s", name)
	}
	return sum
}

// quiet is a client whose connections do not stay.
var quiet = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// baseline is what a process at rest has.
type baseline struct{ goroutines, files, held, running float64 }

func (c *child) baseline() baseline {
	c.t.Helper()
	return baseline{c.metric("go_goroutines"), c.metric("process_open_fds"), c.metric("weir_memory_held_bytes"), c.metric("weir_requests_running")}
}

// returnsTo waits until the process has no more of anything than it had. Connections to upstreams that wait for their next
// call are among it; those that the upstream has closed meanwhile are noticed with the next call. The store opens a further connection, of
// two files, when two things are read at once, and keeps it: there are at most four.
func (c *child) returnsTo(before baseline, within time.Duration) {
	c.t.Helper()
	const filesOfTheStore = 4 * 2
	var now baseline
	waitFor(c.t, within, func() string {
		return fmt.Sprintf("it rests again: %+v before, %+v now", before, now)
	}, func() bool {
		now = c.baseline()
		return now.goroutines <= before.goroutines && now.files <= before.files+filesOfTheStore && now.held <= before.held && now.running <= before.running
	})
}

// waitFor polls a condition that has no event to wait for.
func waitFor(t *testing.T, within time.Duration, what func() string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(within)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: this has not happened in %v", what(), within)
		}
		<-tick.C
	}
}

// passAllTo is a config that passes every model through to an upstream.
func passAllTo(url string) string {
	return fmt.Sprintf("providers:\n  up: {kind: openai, base_url: %q}\nmodels:\n  \"*\": {targets: [\"up/*\"]}\nkeys:\n  - {name: made, digest: %q}\n", url, digestOfMadeUp)
}

// simulate starts a simulated provider, which ends with the test.
func simulate(t *testing.T, script string) (up *sim.Server, server *httptest.Server) {
	t.Helper()
	parsed, err := sim.ParseScript([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	up = sim.New(parsed)
	server = httptest.NewServer(up)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return up, server
}
