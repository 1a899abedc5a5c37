package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// pseudoTerminal makes a terminal: what is written to its far end are keys, and what is read there was drawn.
func pseudoTerminal(t *testing.T, columns, rows uint16) (far, near *os.File) {
	t.Helper()
	far, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("this machine has no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { _ = far.Close() })
	fd := int(far.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows})
	}
	if err == nil {
		near, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = near.Close() })
	return far, near
}

// The program in a real terminal, against a real Weir: it draws, again and again, follows the terminal's size, and gives the terminal back.
func TestTopInATerminal(t *testing.T) {
	s := startChild(t, "admin: {token: "+adminToken+"}\nproviders: {a: {kind: sim}}\n")
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(far *os.File, cmd *exec.Cmd) error{
		"q":       func(far *os.File, _ *exec.Cmd) error { _, err := far.WriteString("q"); return err },
		"Ctrl-C":  func(far *os.File, _ *exec.Cmd) error { _, err := far.WriteString("\x03"); return err },
		"SIGTERM": func(_ *os.File, cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			far, near := pseudoTerminal(t, 80, 24)
			before, err := unix.IoctlGetTermios(int(near.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(binary, "top")
			cmd.Env = append(os.Environ(), "TERM=xterm", "WEIR_ADMIN="+s.admin, "WEIR_ADMIN_TOKEN="+adminToken)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = near, near, near
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			out := &drawn{}
			go func() {
				piece := make([]byte, 4096)
				for {
					n, err := far.Read(piece)
					_, _ = out.Write(piece[:n])
					if err != nil {
						return
					}
				}
			}()
			eventually(t, "it draws twice", func() bool {
				return strings.Count(out.String(), homeCursor) >= 2 && strings.Contains(out.String(), "q quits")
			})
			if err := unix.IoctlSetWinsize(int(far.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 30, Row: 8}); err != nil {
				t.Fatal(err)
			}
			eventually(t, "it obeys the new size", func() bool {
				views := strings.Split(out.String(), homeCursor)
				return strings.Count(views[len(views)-1], "\r\n") == 7
			})
			if err := end(far, cmd); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ended with %v", err)
			}
			eventually(t, "it leaves the screen", func() bool { return strings.HasSuffix(out.String(), leaveScreen) })
			after, err := unix.IoctlGetTermios(int(near.Fd()), unix.TCGETS)
			if err != nil || *after != *before {
				t.Errorf("the terminal was left as %+v, and was %+v: %v", after, before, err)
			}
			if !strings.HasPrefix(out.String(), enterScreen) {
				t.Errorf("%q", out)
			}
		})
	}
}
