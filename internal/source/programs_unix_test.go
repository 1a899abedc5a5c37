//go:build unix

package source_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
)

// Programs get their arguments as they are written, without a shell, and what they print is the value.
func TestPrograms(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	same(t, b.read(t, "exec:printf '%s\\n' one", "exec:printf '%s %s' '$HOME' ;x", "exec:sh -c 'echo noise >&2; echo two'", "exec:cat",
		"exec:sh -c 'printf \"a\\nb\\n\"'"),
		"one", "$HOME ;x", "two", "! the program printed nothing", "a\nb")
	same(t, b.read(t, "exec:false", "exec:no-such-program-of-weir secret-argument", "exec:./none secret-argument", "exec:sh -c 'echo secret-output; exit 3'", "exec:true", "exec:sh -c 'kill -9 $$'"),
		"! the program failed with exit status 1: run it by hand, as the user and in the environment of Weir, to see why",
		"! the program cannot be run: executable file not found in $PATH", "! the program cannot be run: no such file or directory",
		"! the program failed with exit status 3: run it by hand, as the user and in the environment of Weir, to see why", "! the program printed nothing",
		"! the program failed with signal: killed: run it by hand, as the user and in the environment of Weir, to see why")
}

// A program runs in the folder of the config.
func TestFolderOfPrograms(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "get"), []byte("#!/bin/sh\necho in the folder\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	got := b.Read(t.Context(), &b.settings, []config.Reference{{Scheme: config.SchemeExec, Name: "./get", Dir: folder}})
	if got[0].Err != nil || got[0].Value.Reveal() != "in the folder" {
		t.Errorf("%v", got[0].Err)
	}
}

// held is a pipe that programs hold open, and what was written to it once none does any more.
func held(t *testing.T) (path string, written func() string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pipe.Close() })
	return path, func() string {
		text, err := io.ReadAll(pipe)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

// Programs that print too much, or do not end, are stopped, with all that they have started. Others do not wait for them.
func TestProgramsThatDoNotEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.settings.Timeout = config.Duration(5 * time.Second)
	pipe, written := held(t)
	got := b.read(t, "exec:sh -c 'exec 3> "+pipe+"; echo began >&3; sleep 1000 & wait'", "exec:echo here")
	if !strings.Contains(got[0], "the program was stopped: the time for it is over, which secrets.timeout says (5s)") || got[1] != "here" {
		t.Errorf("%q", got)
	}
	same(t, []string{written()}, "began\n")
	b.settings.Timeout = config.Duration(10 * time.Second)
	same(t, b.read(t, "exec:sh -c 'while :; do echo much; done'", "exec:sh -c 'head -c 65537 /dev/zero | tr \"\\0\" x'"),
		"! the program was stopped: it printed more than 64 KiB", "! the program was stopped: it printed more than 64 KiB")
	if got := b.read(t, "exec:sh -c 'head -c 65536 /dev/zero | tr \"\\0\" x'"); len(got[0]) != 65536 {
		t.Errorf("%.100q", got)
	}
}

// A program that leaves another one running, which holds its output, is not waited for longer than a moment; the other is stopped.
func TestProgramsThatLeaveOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	pipe, written := held(t)
	same(t, b.read(t, "exec:sh -c 'exec 3> "+pipe+"; echo began >&3; sleep 1000 & echo value'"), "! the program has ended, but had left another running that held its output open")
	same(t, []string{written()}, "began\n")
}
