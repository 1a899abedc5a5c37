package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// InUse reports whether a Weir runs with the data folder. It makes nothing; its error satisfies errors.Is(err,
// fs.ErrPermission) if the lock may not be looked at.
func InUse(dir string) (bool, error) {
	f, err := os.Open(filepath.Join(dir, "lock"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close() // and with it the lock, which is held for an instant
	err = lockFile(f, 0)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}

// lock keeps a second process out of the data folder until the returned function is called. The kernel frees
// the lock when the process ends, however it ends.
func lock(dir string) (release func() error, err error) {
	path := filepath.Join(dir, "lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot open the lock of the data folder: %w", err)
	}
	if err := lockFile(f, windows.LOCKFILE_EXCLUSIVE_LOCK); err != nil {
		_ = f.Close() // nothing was written
		if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			return nil, inUseError(dir)
		}
		return nil, fmt.Errorf("cannot lock %s: %w", path, err)
	}
	return f.Close, nil
}

// lockFile locks the first byte, which need not be there, or fails at once.
func lockFile(f *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), flags|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
}
