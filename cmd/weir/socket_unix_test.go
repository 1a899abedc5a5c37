//go:build unix

package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// passed starts the program as systemd does, with sockets that it opened; a shell learns the number of the process.
func passed(t *testing.T, count string, sockets []*os.File, folder string, args ...string) (*serving, *exec.Cmd) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the program, which -short leaves out")
	}
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", append([]string{"-c", `LISTEN_PID=$$ exec "$0" serve "$@"`, binary}, args...)...)
	cmd.Env, cmd.ExtraFiles = []string{"LISTEN_FDS=" + count}, sockets
	for name, value := range environment(folder) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return started(t, cmd), cmd
}

// file is what a process passes on of a listener or a connection.
func file(t *testing.T, from interface{ File() (*os.File, error) }) *os.File {
	t.Helper()
	f, err := from.File()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestPassedSocket: Weir serves on the socket that it is given. A caller who connects while it restarts waits for the next one, and is not refused.
func TestPassedSocket(t *testing.T) {
	t.Parallel()
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	sockets := []*os.File{file(t, socket.(*net.TCPListener))}
	url := "http://" + socket.Addr().String()
	if err := socket.Close(); err != nil { // the file is another descriptor of it
		t.Fatal(err)
	}
	folder := t.TempDir()
	s, cmd := passed(t, "1", sockets, folder)
	if s.ready(); s.url != url {
		t.Errorf("it serves at %s, not at %s", s.url, url)
	}
	ask := func() error {
		resp, err := quiet.Get(url + "/healthz")
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.Body.Close()
	}
	if err := ask(); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := s.end(); code != 0 {
		t.Errorf("it ended with %d: %s", code, s.stderr)
	}
	between, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer between.Close()
	answered := make(chan error, 1)
	go func() {
		transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return between, nil }, DisableKeepAlives: true}
		resp, err := (&http.Client{Transport: transport}).Get(url + "/healthz")
		if err == nil {
			err = resp.Body.Close()
		}
		answered <- err
	}()
	passed(t, "1", sockets, folder)
	if err := <-answered; err != nil {
		t.Errorf("a caller who came between the two: %v", err)
	}
}

// TestPassedSocketIsRefused: what callers cannot connect to, or more than Weir takes, is an error that says what to change.
func TestPassedSocketIsRefused(t *testing.T) {
	t.Parallel()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	folder, err := os.MkdirTemp("", "weir") // the name of such a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	local, err := net.Listen("unix", filepath.Join(folder, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	connected, err := net.Dial("tcp", tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connected.Close()
	one := file(t, tcp.(*net.TCPListener))
	for name, c := range map[string]struct {
		count   string
		sockets []*os.File
		args    []string
		says    string
	}{
		"two":       {"2", []*os.File{one, one}, nil, "systemd passed 2 sockets"},
		"udp":       {"1", []*os.File{file(t, udp.(*net.UDPConn))}, nil, "does not accept TCP connections"},
		"local":     {"1", []*os.File{file(t, local.(*net.UnixListener))}, nil, "does not accept TCP connections"},
		"connected": {"1", []*os.File{file(t, connected.(*net.TCPConn))}, nil, "does not accept TCP connections"},
		"none":      {"1", nil, nil, "does not accept TCP connections"},
		"listen":    {"1", []*os.File{one}, []string{"--listen", "127.0.0.1:0"}, "--listen 127.0.0.1:0 cannot be used"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := passed(t, c.count, c.sockets, t.TempDir(), c.args...)
			if code := s.end(); code != 2 || !strings.Contains(s.stderr.String(), c.says) {
				t.Errorf("it ends with %d and says %s", code, s.stderr)
			}
		})
	}
}

// TestSocketsOfAnotherProcessAreLeftAlone: variables that were meant for the process which started Weir mean nothing.
func TestSocketsOfAnotherProcessAreLeftAlone(t *testing.T) {
	t.Parallel()
	s := startChild(t, passAllTo("http://127.0.0.1:1"), "LISTEN_PID", "1", "LISTEN_FDS", "1")
	if s.url == "" {
		t.Error("it does not serve")
	}
}
