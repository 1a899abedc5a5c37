//go:build unix

package source

import (
	"os/exec"
	"syscall"
)

// ownGroup has a program run in a group of its own, so that it is stopped together with those that it has started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
