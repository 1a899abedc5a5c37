package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/weirproxy/weir/internal/logging/logtest"
)

// unread is the program with a pipe as standard error, which is read only until it serves.
type unread struct {
	*serving
	cmd   *exec.Cmd
	pipe  *os.File
	lines *bufio.Reader // reads the pipe
}

func startUnread(t *testing.T) *unread {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the program, which -short leaves out")
	}
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, fmt.Sprintf("drain: {delay: 0s}\nproviders:\n  up: {kind: sim}\nmodels:\n  m: {targets: [up/chat]}\nkeys:\n  - {name: made, digest: %q}\n", digestOfMadeUp))
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	s, cmd := processTo(t, w, binary, environment(folder), "--config", path)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	u := &unread{s, cmd, r, bufio.NewReaderSize(r, 4096)}
	for s.url == "" {
		line, err := u.lines.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%v behind %s", err, line)
		}
		var event struct{ Msg, URL, Admin string }
		if json.Unmarshal(line, &event) == nil && event.Msg == "weir is serving" {
			s.url, s.admin = strings.TrimSuffix(event.URL, "/v1"), event.Admin
		}
	}
	return u
}

// flood makes n requests that are refused, four at a time, and fails the test if one is not answered.
func (u *unread) flood(n int) {
	u.t.Helper()
	client := &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	defer client.CloseIdleConnections()
	var left atomic.Int64
	left.Store(int64(n))
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for left.Add(-1) >= 0 {
				resp, err := client.Get(u.url + "/v1/" + strings.Repeat("x", 190))
				if err != nil {
					u.t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body) // the status decides
				_ = resp.Body.Close()
				if resp.StatusCode != http.StatusNotFound {
					u.t.Errorf("answered %d", resp.StatusCode)
				}
			}
		})
	}
	callers.Wait()
}

// A gateway whose log is not read keeps answering. Complete answers and streams arrive whole, lines beyond a bound are
// dropped and counted, and SIGTERM ends it.
func TestUnreadLogHoldsNothingUp(t *testing.T) {
	t.Parallel()
	u := startUnread(t)
	u.flood(4000)
	for _, stream := range []bool{false, true} {
		resp := u.call(http.MethodPost, "/v1/chat/completions", madeUp, fmt.Sprintf(`{"model":"m","stream":%t,"messages":[{"role":"user","content":"Hello!"}]}`, stream))
		if text := read(t, resp.Body); resp.StatusCode != http.StatusOK || stream && !strings.HasSuffix(text, "data: [DONE]\n\n") {
			t.Errorf("answered %d %s", resp.StatusCode, text)
		}
	}
	if dropped := (&child{u.serving, u.cmd.Process.Pid}).metric("weir_log_dropped_total"); dropped == 0 {
		t.Error("no line was dropped: the test asks too little")
	}
	if err := u.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := u.end(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// When the log is read again it continues, after a line that says how many lines were dropped.
func TestLogSaysHowManyLinesWereDropped(t *testing.T) {
	t.Parallel()
	u := startUnread(t)
	const requests = 4000
	u.flood(requests)
	var logged, dropped int
	for logged+dropped < requests {
		line, err := u.lines.ReadBytes('\n')
		var event struct {
			Msg     string
			Dropped int
		}
		if err != nil || json.Unmarshal(line, &event) != nil {
			t.Fatalf("%v behind %s", err, line)
		}
		switch {
		case event.Msg == "request":
			logged++
		case event.Dropped > 0:
			dropped += event.Dropped
		}
	}
	if logged+dropped != requests || dropped == 0 {
		t.Errorf("%d of %d requests were logged, %d dropped", logged, requests, dropped)
	}
}

// A reader of the log that goes away does not end the gateway.
func TestLogWithoutReaderDoesNotEndTheGateway(t *testing.T) {
	t.Parallel()
	u := startUnread(t)
	if err := u.pipe.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if resp := u.call(http.MethodPost, "/v1/chat/completions", madeUp, `{"model":"m","messages":[{"role":"user","content":"Hello!"}]}`); resp.StatusCode != http.StatusOK {
			t.Errorf("answered %d %s", resp.StatusCode, read(t, resp.Body))
		}
	}
	if (&child{u.serving, u.cmd.Process.Pid}).metric("weir_log_dropped_total") == 0 {
		t.Error("no line was dropped")
	}
}

// On a terminal the log is for people, in colour unless the environment forbids it; elsewhere it is JSON.
func TestLogFormatFollowsTheReader(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		terminal bool
		env      map[string]string
		json     bool
		colour   bool
	}{
		{"a terminal", true, map[string]string{"TERM": "xterm"}, false, true},
		{"a terminal without colours", true, map[string]string{"TERM": "dumb"}, false, false},
		{"NO_COLOR", true, map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false, false},
		{"an empty NO_COLOR", true, map[string]string{"TERM": "xterm", "NO_COLOR": ""}, false, true},
		{"JSON on a terminal", true, map[string]string{"TERM": "xterm", "WEIR_LOG_FORMAT": "json"}, true, false},
		{"a file", false, map[string]string{"TERM": "xterm"}, true, false},
		{"text in a file", false, map[string]string{"TERM": "xterm", "WEIR_LOG_FORMAT": "text"}, false, false},
	} {
		var out logtest.Buffer
		log, err := newLog(&system{stderr: &out, errTerminal: tt.terminal, env: func(name string) (string, bool) { v, ok := tt.env[name]; return v, ok }})
		if err != nil {
			t.Fatal(err)
		}
		log.Info("hello")
		log.Close(t.Context())
		if got := out.String(); json.Valid([]byte(got)) != tt.json || strings.Contains(got, "\x1b[") != tt.colour || !strings.Contains(got, "hello") {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
