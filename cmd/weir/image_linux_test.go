package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestImage runs what the Dockerfile runs, including its health check, as its user and in a folder that holds only the program.
// It has no shell, /proc, /etc or home. Only the ports differ, and the listener is on loopback.
func TestImage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may make a folder the root of a process: run it as root")
	}
	if testing.Short() {
		t.Skip("it builds the program, which -short leaves out")
	}
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, image, _ := strings.Cut(string(text), "FROM scratch\n")
	jail := newJail(t, image, binary)
	var check []string
	if err := json.Unmarshal([]byte(found(t, image, `(?m)^HEALTHCHECK .* CMD (\[.*\])$`)), &check); err != nil {
		t.Fatal(err)
	}
	const everywhere = "0.0.0.0:"
	if listen := found(t, image, ` WEIR_LISTEN=(\S+)`); !strings.HasPrefix(listen, everywhere) {
		t.Errorf("the image listens on %s", listen)
	}
	if out, err := jail.command(check, "WEIR_LISTEN="+everywhere+"1").CombinedOutput(); exitCode(err) != 1 || !strings.HasPrefix(string(out), "weir: no Weir answers at http://127.0.0.1:1: ") {
		t.Errorf("before the start: %v %s", err, out)
	}
	serve := jail.command([]string{found(t, image, `(?m)^ENTRYPOINT \["(.*)"\]$`), found(t, image, `(?m)^CMD \["(.*)"\]$`)}, "WEIR_LISTEN=127.0.0.1:0", "WEIR_ADMIN_LISTEN=127.0.0.1:0")
	log, err := serve.StderrPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var started struct{ URL string }
	lines := bufio.NewReader(log)
	line, err := lines.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &started)
	}
	address, parseErr := url.Parse(started.URL)
	if err := errors.Join(err, parseErr); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	for _, args := range [][]string{check, append(check, "--ready")} {
		if out, err := jail.command(args, "WEIR_LISTEN="+everywhere+address.Port()).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v: %v %s", args, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(jail.root, "data", "first-key")); err != nil {
		t.Errorf("the volume has no first key: %v", err)
	}
	if err := serve.Process.Signal(syscall.SIGINT); err != nil {
		t.Error(err)
	}
	_, _ = io.Copy(io.Discard, lines) // Wait closes the pipe
	if err := serve.Wait(); err != nil {
		t.Errorf("the end: %v", err)
	}
}

// jail is the file system of an image, and how its programs run.
type jail struct {
	root, dir string
	env       []string
	user      uint32
}

func newJail(t *testing.T, image, binary string) jail {
	t.Helper()
	const user = 65532
	if got := found(t, image, `(?m)^USER (\S+)$`); got != "65532:65532" {
		t.Fatalf("the user is %s", got)
	}
	j := jail{t.TempDir(), found(t, image, `(?m)^WORKDIR (\S+)$`), []string{"WEIR_DATA=" + found(t, image, ` WEIR_DATA=(\S+)`)}, user}
	program, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"usr/local/bin", j.dir, "data"} {
		if err := os.MkdirAll(filepath.Join(j.root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(j.root, "usr/local/bin/weir"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(j.root, "data"), user, user); err != nil {
		t.Fatal(err)
	}
	return j
}

// command is a program of the image, with its environment and env.
func (j jail) command(args []string, env ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...) //nolint:gosec // the Dockerfile's
	cmd.Dir, cmd.Env = j.dir, append(env, j.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: j.root, Credential: &syscall.Credential{Uid: j.user, Gid: j.user}}
	return cmd
}

// found is what the image says where a pattern has its parentheses.
func found(t *testing.T, image, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(image)
	if m == nil {
		t.Fatalf("the Dockerfile has no %s", pattern)
	}
	return m[1]
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}
