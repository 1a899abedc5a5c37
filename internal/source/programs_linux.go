package source

import (
	"os/exec"
	"runtime"
	"syscall"
)

// dieTogether has Linux end a program when Weir is killed before it could do so itself. Those that the program has started are not ended. Linux
// watches the thread that starts the program, which is kept for it: release gives it back when the program has ended.
func dieTogether(cmd *exec.Cmd) (release func()) {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
