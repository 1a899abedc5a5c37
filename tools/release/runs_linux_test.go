package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// servesAlone runs the image's program as the image's user, in the image's file system and nothing else, until its health check is content.
func servesAlone(t *testing.T, root string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Log("only root may make a folder the root of a process: the image's program is not run in its root")
		return
	}
	if err := os.Chown(filepath.Join(root, "data"), user, user); err != nil {
		t.Fatal(err)
	}
	image := (&release{}).imageConfig()
	command := func(args []string, env ...string) *exec.Cmd {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = image.WorkingDir, append(append([]string{}, image.Env...), env...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: user, Gid: user}}
		return cmd
	}
	serve := command(append(image.Entrypoint, image.Cmd...), "WEIR_LISTEN=127.0.0.1:0", "WEIR_ADMIN_LISTEN=127.0.0.1:0")
	log, err := serve.StderrPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(log)
	line, err := lines.ReadBytes('\n')
	var started struct{ URL string }
	if err == nil {
		err = json.Unmarshal(line, &started)
	}
	address, parseErr := url.Parse(started.URL)
	if err != nil || parseErr != nil {
		t.Errorf("it does not serve: %s %v %v", line, err, parseErr)
	} else if out, err := command(image.Healthcheck.Test[1:], "WEIR_LISTEN="+address.Host).CombinedOutput(); err != nil {
		t.Errorf("the health check: %v %s", err, out)
	}
	_ = serve.Process.Signal(syscall.SIGINT)
	_, _ = io.Copy(io.Discard, lines)
	if err := serve.Wait(); err != nil {
		t.Errorf("the end: %v", err)
	}
}

// firstHour has the test of the first page use the archive, from its sums to the first answer.
func firstHour(t *testing.T, out string) {
	cmd := exec.Command("go", "test", "-trimpath", "-count=1", "-v", "-run", "^TestFirstHour$", "./cmd/weir")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "WEIR_RELEASE="+out)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for line := range strings.Lines(string(said)) {
		if strings.Contains(line, "SKIP") || strings.Contains(line, "answer came after") {
			t.Log(strings.TrimSpace(line))
		}
	}
}
