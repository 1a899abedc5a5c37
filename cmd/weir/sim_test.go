package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// runSim starts weir sim on a free port. stop sends it a signal and returns its exit status.
func runSim(t *testing.T, args ...string) (url string, greeting string, signals chan<- os.Signal, stopped func() (int, string)) {
	t.Helper()
	out, in := io.Pipe()
	var stderr bytes.Buffer
	sent := make(chan os.Signal, 2)
	code := make(chan int, 1)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go func() {
		code <- run(ctx, append([]string{"sim", "--listen", "127.0.0.1:0"}, args...), &system{
			stdin: strings.NewReader(""), stdout: in, stderr: &stderr, signals: sent,
			env: func(string) (string, bool) { return "", false },
		})
		in.Close()
	}()
	var lines strings.Builder
	for reader := bufio.NewReader(out); strings.Count(lines.String(), "\n") < 6; {
		line, err := reader.ReadString('\n')
		if err != nil {
			t.Fatalf("weir sim ended: %s%s", lines.String(), stderr.String())
		}
		lines.WriteString(line)
	}
	first, _, _ := strings.Cut(lines.String(), "\n")
	return strings.TrimPrefix(first, "simulated provider on "), lines.String(), sent, func() (int, string) {
		status := <-code
		return status, stderr.String()
	}
}

func TestSim(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	script, logFile := filepath.Join(folder, "script.json"), filepath.Join(folder, "served.jsonl")
	writeTest(t, script, `{"key":"made-up","models":["m"],"rules":[{"match":{"nth":2},"status":429},{"match":{"nth":3},"stall":1}]}`)
	url, greeting, signals, stopped := runSim(t, "--script", script, "--log", logFile)
	if !strings.Contains(greeting, "curl "+url+"/chat/completions -H 'Authorization: Bearer made-up'") || !strings.Contains(greeting, `{"model": "m", "stream": true,`) {
		t.Errorf("greeting: %s", greeting)
	}
	post := func() *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/chat/completions", strings.NewReader(`{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer made-up")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	for _, want := range []int{200, 429} {
		resp := post()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != want {
			t.Errorf("%d, %v; want %d", resp.StatusCode, err, want)
		}
	}
	post() // stalls
	signals <- syscall.SIGHUP
	signals <- syscall.SIGTERM
	signals <- syscall.SIGTERM
	if code, stderr := stopped(); code != 0 || stderr != "" {
		t.Errorf("exit %d: %s", code, stderr)
	}
	log, err := os.ReadFile(logFile)
	if err != nil || !strings.Contains(string(log), `"status":429`) || strings.Contains(string(log), "made-up") {
		t.Errorf("%s, %v", log, err)
	}
}

func TestSimWithoutScriptAnswersEveryModel(t *testing.T) {
	t.Parallel()
	url, _, signals, stopped := runSim(t)
	resp, err := http.Post(url+"/embeddings", "application/json", strings.NewReader(`{"model":"any","input":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("status %d", resp.StatusCode)
	}
	signals <- os.Interrupt
	if code, stderr := stopped(); code != 0 {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestSimWrongUsage(t *testing.T) {
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "bad.json"), "{\n\"rulez\": []}")
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--script", "bad.json"}, 2, "weir: bad.json: line 2: unknown field \"rulez\"\n"},
		{[]string{"--script", "missing.json"}, 2, "weir: --script cannot be read: open missing.json: no such file or directory\n"},
		{[]string{"--log", "no/such/folder"}, 2, "weir: --log cannot be opened: open no/such/folder: no such file or directory\n"},
		{[]string{"--listen", "nowhere"}, 1, "weir: cannot listen: listen tcp: address nowhere: missing port in address; name another address with --listen\n"},
	} {
		did := runIn(t, folder, nil, "", append([]string{"sim"}, test.args...)...)
		if did.code != test.code || did.stderr != test.want || did.stdout != "" {
			t.Errorf("%v: %+v", test.args, did)
		}
	}
}
