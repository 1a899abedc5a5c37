//go:build unix

package agents

import (
	"os/exec"
	"syscall"
)

// group has a command and all that it starts get signals together, as in a terminal.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// ctrlC is what a terminal sends for these keys.
func ctrlC(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
