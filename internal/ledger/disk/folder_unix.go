//go:build !windows

package disk

import (
	"errors"
	"os"
)

// Sync implements ledger.Files.
func (f Folder) Sync() error {
	opened, err := os.Open(string(f))
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}
