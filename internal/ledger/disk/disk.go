// Package disk is the folder of a journal on the local disk.
package disk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/weirproxy/weir/internal/ledger"
)

// Folder is a folder of files. It implements ledger.Files.
type Folder string

// Open makes the folder at path if it is missing, for the user alone.
func Open(path string) (Folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", fmt.Errorf("cannot make the folder of the journal: %w", err)
	}
	return Folder(path), nil
}

func (f Folder) path(name string) string { return filepath.Join(string(f), name) }

// Names implements ledger.Files.
func (f Folder) Names() ([]string, error) {
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type() == fs.FileMode(0) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Create implements ledger.Files.
func (f Folder) Create(name string) (ledger.File, error) {
	opened, err := os.OpenFile(f.path(name), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	return file{opened}, nil
}

// Open implements ledger.Files.
func (f Folder) Open(name string) (ledger.File, error) {
	opened, err := os.OpenFile(f.path(name), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return file{opened}, nil
}

// Rename implements ledger.Files.
func (f Folder) Rename(from, to string) error { return os.Rename(f.path(from), f.path(to)) }

// Remove implements ledger.Files.
func (f Folder) Remove(name string) error { return os.Remove(f.path(name)) }

// file is an open file of the folder.
type file struct{ *os.File }

// Size implements ledger.File.
func (f file) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
