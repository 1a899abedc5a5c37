package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/logging/logtest"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/shape"
	"github.com/weirproxy/weir/internal/sim"
)

// patience bounds waiting for what must happen; nothing is measured by it.
const patience = 3 * time.Minute

// eventually polls a condition that has no event to wait for.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: this has not happened in %v", what, patience)
		}
		<-tick.C
	}
}

// serving is a weir serve that runs in this process, or in one of its own.
type serving struct {
	t              *testing.T
	stdout, stderr *logtest.Buffer
	signals        chan os.Signal
	ended          chan struct{} // closed when code is set
	code           int
	url, admin     string // without /v1
}

// environment is one that says nothing of the machine's, with all on free ports and data in the folder.
func environment(folder string, more ...string) map[string]string {
	env := map[string]string{"WEIR_LISTEN": "127.0.0.1:0", "WEIR_ADMIN_LISTEN": "127.0.0.1:0", "WEIR_DATA": filepath.Join(folder, "data")}
	for i := 0; i < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	return env
}

// start runs the command until the test ends.
func start(t *testing.T, env map[string]string, args ...string) *serving {
	t.Helper()
	return startBeside(t, nil, env, args...)
}

// startBeside is start on a machine that runs these model servers.
func startBeside(t *testing.T, local func(context.Context, map[string]string) []provider.Local, env map[string]string, args ...string) *serving {
	t.Helper()
	s := &serving{t: t, stdout: new(logtest.Buffer), stderr: new(logtest.Buffer), signals: make(chan os.Signal, 2), ended: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(s.ended)
		s.code = run(ctx, append([]string{"serve"}, args...), &system{
			stdin: strings.NewReader(""), stdout: s.stdout, stderr: s.stderr, signals: s.signals, local: local,
			env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		})
	}()
	t.Cleanup(func() {
		cancel()
		s.end()
	})
	return s
}

// end waits for the end of the command and returns its exit status.
func (s *serving) end() int {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.t.Fatalf("weir serve does not end; it said\n%s", s.stderr)
	}
	return s.code
}

// ready waits until the command serves.
func (s *serving) ready() *serving {
	s.t.Helper()
	eventually(s.t, "weir serve starts", func() bool {
		select {
		case <-s.ended:
			s.t.Fatalf("weir serve ended with %d: %s%s", s.code, s.stdout, s.stderr)
		default:
		}
		for line := range strings.Lines(s.stderr.String()) {
			var event struct{ Msg, URL, Admin string }
			if json.Unmarshal([]byte(line), &event) == nil && event.Msg == "weir is serving" {
				s.url, s.admin = strings.TrimSuffix(event.URL, "/v1"), event.Admin
			}
		}
		return s.url != ""
	})
	return s
}

// call makes a request with the key and returns the answer, its body unread.
func (s *serving) call(method, path, key, body string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	connections := &http.Transport{}
	client := &http.Client{Transport: shape.Transport(s.t, connections)}
	s.t.Cleanup(connections.CloseIdleConnections)
	resp, err := client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func read(t *testing.T, r io.Reader) string {
	t.Helper()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("%v behind %q", err, text)
	}
	return string(text)
}

const hello = `{"model":"sim/chat","messages":[{"role":"user","content":"Hello!"}]}`

func TestFirstStartKeepsItsKeyInAFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := start(t, environment(folder)).ready()
	path := filepath.Join(folder, "data", "first-key")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	key := strings.TrimSpace(string(content))
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if out := s.stdout.String(); !strings.Contains(out, path) || strings.Contains(out+s.stderr.String(), key) {
		t.Errorf("it said %s%s", out, s.stderr)
	}
	if resp := s.call("POST", "/v1/chat/completions", key, hello); resp.StatusCode != 200 || !strings.Contains(read(t, resp.Body), "simulated") {
		t.Errorf("the key: %d", resp.StatusCode)
	}
	s.signals <- syscall.SIGTERM
	s.signals <- syscall.SIGTERM
	if code := s.end(); code != 0 {
		t.Errorf("exit %d: %s", code, s.stderr)
	}
	again := start(t, environment(folder), "--print-key").ready()
	if out := again.stdout.String(); out != "" {
		t.Errorf("the second start said %s", out)
	}
	if resp := again.call("GET", "/v1/models", key, ""); resp.StatusCode != 200 {
		t.Errorf("the key after a restart: %d", resp.StatusCode)
	}
}

func TestFirstStartPrintsALineThatWorks(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := start(t, environment(folder), "--print-key").ready()
	line := regexp.MustCompile(`(?m)^ *(curl .*)$`).FindStringSubmatch(s.stdout.String())
	if line == nil {
		t.Fatalf("it said %s", s.stdout)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", line[1]+" -sS --noproxy '*'").Output()
	if err != nil || !strings.Contains(string(out), "simulated") || !strings.Contains(string(out), `"object":"chat.completion"`) {
		t.Errorf("%s: %v: %s", line[1], err, out)
	}
	if _, err := os.Stat(filepath.Join(folder, "data", "first-key")); err == nil {
		t.Error("the key was written to a file too")
	}
}

func TestServeRefusesToStart(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	folder := t.TempDir()
	broken, good := filepath.Join(folder, "broken.yaml"), filepath.Join(folder, "good.yaml")
	writeTest(t, broken, "providers:\n  up: {kind: opnai}\nbudget: 1\n")
	writeTest(t, good, "providers:\n  up: {kind: sim}\nmodels:\n  m: {targets: [up/chat]}\n")
	running := environment(folder)
	start(t, running).ready()
	for _, tt := range []struct {
		name string
		env  map[string]string
		args []string
		code int
		want string
	}{
		{"a second one on the same data", running, nil, 1, `^weir: another Weir is using the data folder .*data; stop it, or give this one a folder of its own .*\n$`},
		{"a port in use", environment(t.TempDir(), "WEIR_LISTEN", taken.Addr().String()), nil, 1, `^weir: cannot listen on ` + taken.Addr().String() + `: .*Choose another address`},
		{"an admin port in use", environment(t.TempDir(), "WEIR_ADMIN_LISTEN", taken.Addr().String()), nil, 1, `^weir: cannot listen on ` + taken.Addr().String()},
		{"an unknown flag", environment(t.TempDir()), []string{"--budget", "1"}, 2, `^weir: unknown flag --budget\. See: weir help serve\n$`},
		{"an argument too many", environment(t.TempDir()), []string{"now"}, 2, `^weir: unexpected argument now`},
		{"a wrong address", environment(t.TempDir()), []string{"--listen", "nowhere"}, 2, `^weir: --listen cannot be used: listen "nowhere"`},
		{"a wrong variable", environment(t.TempDir(), "WEIR_LISTEN", "nowhere"), nil, 2, `^weir: a WEIR_… variable cannot be used: listen "nowhere"`},
		{"both addresses the same", environment(t.TempDir(), "WEIR_LISTEN", "127.0.0.1:7", "WEIR_ADMIN_LISTEN", "127.0.0.1:7"), nil, 2, `^weir: `},
		{"an open admin listener", environment(t.TempDir(), "WEIR_ADMIN_LISTEN", "0.0.0.0:0"), nil, 2, `^weir: .*admin listen "0\.0\.0\.0:0"`},
		{"a wrong level", environment(t.TempDir(), "WEIR_LOG", "loud"), nil, 2, `^weir: WEIR_LOG is "loud"; it takes debug`},
		{"a wrong format", environment(t.TempDir(), "WEIR_LOG_FORMAT", "xml"), nil, 2, `^weir: WEIR_LOG_FORMAT is "xml"`},
		{"no such config", environment(t.TempDir()), []string{"--config", filepath.Join(folder, "none.yaml")}, 2, `(?s)^weir: the config cannot be used:\n.*none\.yaml: cannot read the config file`},
		{"a broken config", environment(t.TempDir(), "WEIR_CONFIG", broken), nil, 2, `(?s)broken\.yaml:2:14: .*broken\.yaml:3:1: `},
		{"a flag before the variable", environment(t.TempDir(), "WEIR_CONFIG", good), []string{"--config", broken}, 2, `broken\.yaml:2:14: `},
		{"a store that is no database", environment(t.TempDir(), "WEIR_STORE", "sqlite:"+good), nil, 1, `^weir: .*good\.yaml`},
	} {
		s := start(t, tt.env, tt.args...)
		if code, said := s.end(), s.stderr.String(); code != tt.code || !regexp.MustCompile(tt.want).MatchString(said) || s.stdout.String() != "" {
			t.Errorf("%s: exit %d, %q%q", tt.name, code, said, s.stdout)
		}
	}
}

func TestListenPrecedence(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	config := filepath.Join(folder, "weir.yaml")
	writeTest(t, config, "listen: 127.0.0.2:0\ndata: data-of-the-file\nproviders:\n  up: {kind: sim}\nmodels:\n  m: {targets: [up/chat]}\nkeys: [{name: made, digest: \""+digestOfMadeUp+"\"}]\n")
	for _, tt := range []struct {
		variable string
		args     []string
		want     string
	}{
		{"", nil, "http://127.0.0.2:"},
		{"127.0.0.3:0", nil, "http://127.0.0.3:"},
		{"127.0.0.3:0", []string{"--listen", "127.0.0.4:0"}, "http://127.0.0.4:"},
	} {
		s := start(t, map[string]string{"WEIR_LISTEN": tt.variable, "WEIR_ADMIN_LISTEN": "127.0.0.1:0", "WEIR_CONFIG": config}, tt.args...).ready()
		if !strings.HasPrefix(s.url, tt.want) {
			t.Errorf("it listens on %s, want %s", s.url, tt.want)
		}
		s.signals <- syscall.SIGTERM
		s.signals <- os.Interrupt
		if code := s.end(); code != 0 || s.stdout.String() != "" {
			t.Errorf("exit %d, %s", code, s.stdout)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "data-of-the-file", "admin.token")); err != nil {
		t.Errorf("the data folder is not where the file says: %v", err)
	}
}

// drained is a config whose streams take a while, or for ever.
func drained(t *testing.T, drain string) (config string, up *sim.Server) {
	t.Helper()
	up, server := simulate(t, `{"rules":[{"match":{"model":"stall"},"stall":2},{"match":{"model":"slow"},"interval":"30ms","tokens":60}]}`)
	config = filepath.Join(t.TempDir(), "weir.yaml")
	writeTest(t, config, drainedConfig(drain, server.URL))
	return config, up
}

func drainedConfig(drain, url string) string {
	return fmt.Sprintf("drain: %s\nproviders:\n  up: {kind: openai, base_url: %q}\nmodels:\n  \"*\": {targets: [\"up/*\"]}\nkeys:\n  - {name: made, digest: %q}\n", drain, url+"/v1", digestOfMadeUp)
}

// madeUp is a key of the config's own.
const (
	madeUp         = "a-made-up-key"
	digestOfMadeUp = "sha256:cf4b3a21ab5cfdc809e44cf697d9a7e6b47117e07e05d5de95548c31ad6f39f9"
)

func streamOf(model string) string {
	return fmt.Sprintf(`{"model":%q,"stream":true,"messages":[{"role":"user","content":"hi"}]}`, model)
}

// begin starts a stream and reads its first bytes.
func (s *serving) begin(model string) *http.Response {
	s.t.Helper()
	resp := s.call("POST", "/v1/chat/completions", madeUp, streamOf(model))
	first := make([]byte, 6)
	if _, err := io.ReadFull(resp.Body, first); err != nil || resp.StatusCode != 200 {
		s.t.Fatalf("%d %q %v", resp.StatusCode, first, err)
	}
	return resp
}

// drainsWell has s drain by means of signal, and follows it.
func drainsWell(t *testing.T, s *serving, signal func(os.Signal)) {
	t.Helper()
	slow, stalled := s.begin("slow"), s.begin("stall")
	signal(syscall.SIGTERM)
	eventually(t, "it is not ready", func() bool { return s.call("GET", "/readyz", "", "").StatusCode == 503 })
	resp := s.call("POST", "/v1/chat/completions", madeUp, strings.Replace(hello, "sim/", "", 1))
	if text := read(t, resp.Body); resp.StatusCode != 200 || !resp.Close || !strings.Contains(text, "simulated") {
		t.Errorf("a new request while draining: %d, close %v, %s", resp.StatusCode, resp.Close, text)
	}
	if alive := s.call("GET", "/healthz", "", ""); alive.StatusCode != 200 {
		t.Errorf("it is not alive while draining: %d", alive.StatusCode)
	}
	if text := read(t, slow.Body); !strings.HasSuffix(text, "data: [DONE]\n\n") || strings.Contains(text, `"error"`) {
		t.Errorf("the stream that ends in time ended with %q", text)
	}
	if text := read(t, stalled.Body); !regexp.MustCompile(`\ndata: \{"error":\{"message":"Weir is shutting down[^\n]*"code":"overloaded"\}\}\n\n$`).MatchString(text) {
		t.Errorf("the stream that does not ended with %q", text)
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit %d: %s", code, s.stderr)
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://")); err == nil {
		_ = conn.Close()
		t.Error("the listener is still open")
	}
}

func TestSIGTERMDrains(t *testing.T) {
	t.Parallel()
	config, up := drained(t, "{delay: 1s, timeout: 5s}")
	s := start(t, environment(t.TempDir()), "--config", config).ready()
	drainsWell(t, s, func(sig os.Signal) { s.signals <- sig })
	eventually(t, "the upstream's calls end", func() bool { return up.Active() == 0 })
}

// A stream that began before the drain did not ask for another connection. So a balancer may use its connection as soon as it has ended, and
// must be served, although no connection is accepted any more.
func TestConnectionsOfStreamsAreServedAgain(t *testing.T) {
	t.Parallel()
	config, _ := drained(t, "{delay: 0s, timeout: 1h}")
	s := start(t, environment(t.TempDir()), "--config", config).ready()
	balancer := &http.Client{Transport: &http.Transport{}}
	send := func(body string) *http.Response {
		req, err := http.NewRequest("POST", s.url+"/v1/chat/completions", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+madeUp)
		resp, err := balancer.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = resp.Body.Close() })
		return resp
	}
	s.begin("stall")
	slow := send(streamOf("slow"))
	s.signals <- syscall.SIGTERM
	eventually(t, "no connection is accepted", func() bool {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	if text := read(t, slow.Body); !strings.HasSuffix(text, "data: [DONE]\n\n") {
		t.Errorf("the stream ended with %q", text)
	}
	if again := send(streamOf("slow")); again.StatusCode != 200 || !again.Close || !strings.HasSuffix(read(t, again.Body), "data: [DONE]\n\n") {
		t.Errorf("its connection: %d, close %v", again.StatusCode, again.Close)
	}
	s.signals <- syscall.SIGTERM
	if code := s.end(); code != 0 {
		t.Errorf("exit %d: %s", code, s.stderr)
	}
}

func TestSecondSIGTERMHastens(t *testing.T) {
	t.Parallel()
	for _, delay := range []string{"{delay: 1h, timeout: 1h}", "{delay: 0s, timeout: 1h}"} {
		config, _ := drained(t, delay)
		s := start(t, environment(t.TempDir()), "--config", config).ready()
		stalled := s.begin("stall")
		s.signals <- syscall.SIGTERM
		eventually(t, "it drains", func() bool { return strings.Contains(s.stderr.String(), "a second signal skips the waiting") })
		s.signals <- syscall.SIGHUP // is no reason to hurry
		s.signals <- syscall.SIGTERM
		if text := read(t, stalled.Body); !strings.Contains(text, `"code":"overloaded"`) {
			t.Errorf("the stream ended with %q", text)
		}
		if code := s.end(); code != 0 {
			t.Errorf("exit %d: %s", code, s.stderr)
		}
	}
}

func TestSIGHUPReloads(t *testing.T) {
	t.Parallel()
	config, _ := drained(t, "{delay: 0s, timeout: 1s}")
	s := start(t, environment(t.TempDir()), "--config", config).ready()
	good, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	writeTest(t, config, string(good)+"budget: 1\n")
	s.signals <- syscall.SIGHUP
	eventually(t, "the broken config is reported", func() bool {
		return strings.Contains(s.stderr.String(), "the config was not reloaded") && strings.Contains(s.stderr.String(), config+":8:1: ")
	})
	if resp := s.call("GET", "/v1/models/m", madeUp, ""); resp.StatusCode == 401 {
		t.Error("the config before is not in force")
	}
	writeTest(t, config, strings.Replace(string(good), "name: made", "name: renamed", 1))
	s.signals <- syscall.SIGHUP
	eventually(t, "the mended config is in force", func() bool { return strings.Contains(s.stderr.String(), "the config was reloaded") })
}

// A reload reads the file that the start found. If that file was gone, a reload once replaced every model with what a start without
// a file serves, such as simulated answers.
func TestAConfigThatIsGoneChangesNothing(t *testing.T) {
	config, _ := drained(t, "{delay: 0s, timeout: 1s}")
	t.Chdir(t.TempDir())
	good, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	writeTest(t, defaultConfig, string(good))
	s := start(t, environment(t.TempDir())).ready()
	if err := os.Remove(defaultConfig); err != nil {
		t.Fatal(err)
	}
	s.signals <- syscall.SIGHUP
	eventually(t, "the reload is over", func() bool { return strings.Contains(s.stderr.String(), "reloaded") })
	if said := s.stderr.String(); !strings.Contains(said, "the config was not reloaded") || !strings.Contains(said, defaultConfig) {
		t.Errorf("the log: %s", said)
	}
	if resp := s.call("GET", "/v1/models/m", madeUp, ""); resp.StatusCode == 401 {
		t.Error("the config before is not in force")
	}
}

// process runs the program itself, as built from this folder, and returns it when it serves.
func process(t *testing.T, binary string, env map[string]string, args ...string) (*serving, *exec.Cmd) {
	t.Helper()
	return processTo(t, nil, binary, env, args...)
}

// processTo is process with standard error of one's own, nil for one that is kept.
func processTo(t *testing.T, stderr *os.File, binary string, env map[string]string, args ...string) (*serving, *exec.Cmd) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"serve"}, args...)...)
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	if stderr != nil {
		cmd.Stderr = stderr
	}
	return started(t, cmd), cmd
}

// started starts a program that serves, in an empty folder.
func started(t *testing.T, cmd *exec.Cmd) *serving {
	t.Helper()
	s := &serving{t: t, stdout: new(logtest.Buffer), stderr: new(logtest.Buffer), ended: make(chan struct{})}
	cmd.Stdout, cmd.Dir = s.stdout, t.TempDir()
	if cmd.Stderr == nil {
		cmd.Stderr = s.stderr
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.ended)
		_ = cmd.Wait() // the state says it
		s.code = cmd.ProcessState.ExitCode()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has usually ended
		s.end()
	})
	return s
}

// TestProcess does to the real program what the other tests do to its parts.
func TestProcess(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	config, _ := drained(t, "{delay: 1s, timeout: 5s}")
	env := environment(t.TempDir())
	killed, cmd := process(t, binary, env, "--config", config)
	killed.ready()
	second, _ := process(t, binary, env, "--config", config)
	if code := second.end(); code != 1 || !strings.HasPrefix(second.stderr.String(), "weir: another Weir is using the data folder ") {
		t.Errorf("a second process: exit %d, %s", code, second.stderr)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed.end()
	s, cmd := process(t, binary, env, "--config", config)
	s.ready() // files of a killed process do not stop the next start
	drainsWell(t, s, func(sig os.Signal) {
		if err := cmd.Process.Signal(sig); err != nil {
			t.Error(err)
		}
	})
}
