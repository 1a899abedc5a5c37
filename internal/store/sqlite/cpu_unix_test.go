//go:build unix

package sqlite

import (
	"syscall"
	"time"
)

// cpuTime is how long this process has run on all cores: on a machine with other work, only this says what something costs.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // which does not fail for the process itself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
