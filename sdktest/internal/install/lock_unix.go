//go:build unix

package install

import (
	"os"
	"syscall"
)

// exclusive waits until no other process holds the file, and keeps them out until it is closed.
func exclusive(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }
