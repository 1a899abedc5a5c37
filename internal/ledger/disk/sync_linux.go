package disk

import (
	"errors"
	"os"
	"syscall"
)

// Sync implements ledger.File. The size of a segment does not change while it is written, so its data alone has to reach the disk.
func (f file) Sync() error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) {
		for failed = syscall.EINTR; errors.Is(failed, syscall.EINTR); {
			failed = syscall.Fdatasync(int(fd))
		}
	})
	return errors.Join(err, os.NewSyscallError("fdatasync", failed))
}
