package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/logging/logtest"
	"github.com/weirproxy/weir/internal/sim"
)

// benchTarget is a simulated provider that only the key "made-up" opens.
func benchTarget(t *testing.T, script sim.Script) (*sim.Server, string) {
	t.Helper()
	script.Key = "made-up"
	provider := sim.New(script)
	server := httptest.NewServer(provider)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return provider, server.URL + "/v1"
}

var benchFigure = regexp.MustCompile(`\d+\.\d+`)

func TestBench(t *testing.T) {
	provider, url := benchTarget(t, sim.Script{Tokens: 5})
	env := map[string]string{"WEIR_KEY": "made-up"}
	did := runIn(t, t.TempDir(), env, "", "bench", "--url", url+"/", "--model", "m", "--stream", "--requests", "3", "--concurrency", "2")
	text := benchFigure.ReplaceAllString(strings.ReplaceAll(did.stdout, url, "URL"), "N")
	want := "POST URL/chat/completions for m, streams, bodies of 200 bytes; 2 at a time\n\n" +
		"answered  3 in N s, N a second\nfailed    0\nevents    21, N a second\n\n"
	if did.code != 0 || did.stderr != "" || !strings.HasPrefix(text, want) {
		t.Errorf("%+v", did)
	}
	for _, row := range []string{"milliseconds", "whole answer", "first token", "between events"} {
		if !strings.Contains(text, row) {
			t.Errorf("no row %q in\n%s", row, text)
		}
	}
	for _, call := range provider.Served() {
		if call.Authorization.Reveal() != "made-up" || call.Model != "m" || !call.Stream || call.BodyBytes != 200 {
			t.Errorf("%+v", call)
		}
	}
}

func TestBenchKeys(t *testing.T) {
	_, url := benchTarget(t, sim.Script{})
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "key"), "made-up\n")
	writeTest(t, filepath.Join(folder, "empty"), "\n")
	wrong := map[string]string{"WEIR_KEY": "wrong"}
	for _, test := range []struct {
		args  []string
		stdin string
		code  int
		says  string
	}{
		{[]string{"--key-file", "key"}, "", 0, ""},
		{[]string{"--key-file", "-"}, "made-up", 0, ""},
		{nil, "", 1, "weir: no request was answered well\n"},
		{[]string{"--key-file", "empty"}, "", 2, "weir: --key-file empty is empty\n"},
		{[]string{"--key-file", "none"}, "", 2, "weir: --key-file cannot be read: open none: no such file or directory\n"},
	} {
		did := runIn(t, folder, wrong, test.stdin, append([]string{"bench", "--url", url, "--model", "m", "--requests", "1"}, test.args...)...)
		if did.code != test.code || did.stderr != test.says {
			t.Errorf("%v: %+v", test.args, did)
		}
		if test.code == 1 && !regexp.MustCompile(`\n1 +401 +invalid_api_key +\S`).MatchString(did.stdout) {
			t.Errorf("the failure is not told: %s", did.stdout)
		}
	}
}

func TestBenchJSON(t *testing.T) {
	provider, url := benchTarget(t, sim.Script{Rules: []sim.Rule{{Match: sim.Match{Nth: 2}, Status: 429}}})
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "body.json"), `{"model":"other","input":"x"}`)
	env := map[string]string{"WEIR_KEY": "made-up"}
	args := []string{"bench", "--url", url, "--model", "m", "--format", "json", "--concurrency", "1"}
	report := func(more ...string) benchReport {
		t.Helper()
		did := runIn(t, folder, env, "", append(args, more...)...)
		var r benchReport
		decoder := json.NewDecoder(strings.NewReader(did.stdout))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&r); err != nil || did.code != 0 {
			t.Fatalf("%+v, %v", did, err)
		}
		return r
	}
	r := report("--requests", "5", "--size", "8KiB", "--prompt", "code", "--max-tokens", "3")
	if r.Requests != 4 || r.Failed != 1 || r.Loop != "closed" || r.BodyBytes != 8<<10 || r.Latency == nil || r.Latency.Count != 4 || r.FirstToken != nil {
		t.Errorf("%+v", r)
	}
	if len(r.Failures) != 1 || r.Failures[0].Status != 429 || r.Failures[0].Count != 1 || r.Failures[0].Message == "" {
		t.Errorf("%+v", r.Failures)
	}
	for _, call := range provider.Served() {
		if call.Status == 200 && call.CompletionTokens != 3 || !strings.Contains(string(call.Body), `\t`) {
			t.Errorf("%d tokens, body %.100s", call.CompletionTokens, call.Body)
		}
	}
	r = report("--requests", "2", "--endpoint", "embeddings", "--body", "body.json", "--rate", "1000")
	if r.Requests != 2 || r.Loop != "open" || r.Rate != 1000 || r.Model != "" || !strings.HasSuffix(r.URL, "/v1/embeddings") {
		t.Errorf("%+v", r)
	}
	if r = report("--duration", "1ms", "--endpoint", "completions"); r.Requests == 0 {
		t.Errorf("%+v", r)
	}
	calls := provider.Served()
	if last := calls[len(calls)-1]; last.Endpoint != "/completions" {
		t.Errorf("%+v", last)
	}
}

// An interrupt ends the run at once and reports what was measured.
func TestBenchInterrupted(t *testing.T) {
	t.Parallel()
	stall := sim.Point(1)
	provider, url := benchTarget(t, sim.Script{Rules: []sim.Rule{{Match: sim.Match{Nth: 1, Times: 2}}, {Stall: &stall}}})
	signals := make(chan os.Signal, 2)
	var stdout, stderr logtest.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	go func() {
		_ = provider.Wait(ctx, func(calls []sim.Served) bool { return len(calls) == 3 && calls[2].Status == 200 })
		signals <- syscall.SIGHUP // means nothing here
		signals <- syscall.SIGINT
	}()
	code := run(ctx, []string{"bench", "--url", url, "--model", "m", "--stream", "--requests", "100", "--concurrency", "1"}, &system{
		stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, signals: signals, errTerminal: true,
		env: func(string) (string, bool) { return "made-up", true },
	})
	if code != 0 || !strings.Contains(stdout.String(), "answered  2 in") || !strings.Contains(stdout.String(), "cut off   1 by") {
		t.Errorf("exit %d: %s%s", code, stdout.String(), stderr.String())
	}
}

func TestBenchWrongUsage(t *testing.T) {
	folder := t.TempDir()
	for want, args := range map[string][]string{
		"--ramp is for a closed loop":       {"--rate", "1", "--ramp", "1s"},
		"--requests must be positive":       {"--requests=-1"},
		"--timeout must be positive":        {"--timeout", "0s"},
		`"localhost:1/v1/chat/completions"`: {"--url", "localhost:1/v1"},
		"--body cannot be read: open none":  {"--body", "none"},
		"must be a size such as":            {"--size", "big"},
	} {
		did := runIn(t, folder, nil, "", append([]string{"bench", "--model", "m"}, args...)...)
		if did.code != 2 || did.stdout != "" || !strings.Contains(did.stderr, want) || strings.Count(did.stderr, "\n") != 1 {
			t.Errorf("%v: %+v", args, did)
		}
	}
}

// Failed requests are reported, with their cause.
func TestBenchWithoutServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	did := runIn(t, t.TempDir(), nil, "", "bench", "--url", "http://"+listener.Addr().String(), "--model", "m", "--requests", "1", "--timeout", time.Minute.String())
	if did.code != 1 || !strings.Contains(did.stdout, "connection_refused") || strings.Contains(did.stdout, "milliseconds") {
		t.Errorf("%+v", did)
	}
}
