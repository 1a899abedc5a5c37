package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// newFile is the place of a file that is to be written: whole, or not at all. It overwrites nothing.
type newFile string

// check looks at the place before anything is read for it.
func (f newFile) check() error {
	folder := filepath.Dir(string(f))
	switch info, err := os.Lstat(string(f)); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder: name a file in it, such as %s", f, filepath.Join(string(f), "weir-backup.db"))
	case err == nil:
		return f.taken()
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("the folder %s is missing: make it first", folder)
	}
	return nil
}

func (f newFile) taken() error {
	return fmt.Errorf("%s exists already, and this overwrites nothing: name another file, or remove that one", f)
}

// write makes the file, for its user alone, of what source writes. One that is not whole is removed.
func (f newFile) write(source func(io.Writer) (int64, error)) (size int64, err error) {
	whole, err := f.prepare(source)
	if err != nil {
		return 0, err
	}
	return whole.size, placeAll(whole)
}

// wholeFile is a file with all that belongs in it, under a name that says that it is not in its place yet.
type wholeFile struct {
	to   newFile
	at   string
	size int64
}

// prepare makes the file beside its place.
func (f newFile) prepare(source func(io.Writer) (int64, error)) (whole wholeFile, err error) {
	folder, name := filepath.Split(string(f))
	partial, err := os.CreateTemp(filepath.Clean(folder), "."+name+".partial-*") // mode 0600
	if err != nil {
		return whole, fmt.Errorf("cannot write in the folder of %s: %w", f, pathCause(err))
	}
	size, err := source(partial)
	if err == nil {
		err = partial.Sync()
	}
	if err := errors.Join(err, partial.Close()); err != nil {
		err = errors.Join(err, remove(partial.Name()))
		if errors.Is(err, syscall.ENOSPC) {
			return whole, fmt.Errorf("the disk of %s is full: make room, or write elsewhere", f)
		}
		return whole, err
	}
	return wholeFile{f, partial.Name(), size}, nil
}

// placeAll gives all files their names, or none.
func placeAll(files ...wholeFile) (err error) {
	var placed []newFile
	for _, w := range files {
		if err == nil {
			if err = w.to.place(w.at); err == nil {
				placed = append(placed, w.to)
			}
		}
		err = errors.Join(err, remove(w.at))
	}
	if err != nil {
		for _, f := range placed {
			err = errors.Join(err, remove(string(f)))
		}
	}
	return err
}

// remove removes what is left of an attempt.
func remove(partial string) error {
	if err := os.Remove(partial); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// place gives a whole file its name, which another file may have got meanwhile, and makes the name durable.
func (f newFile) place(partial string) error {
	err := os.Link(partial, string(f))              // unlike a rename, it overwrites nothing
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		if _, there := os.Lstat(string(f)); !errors.Is(there, fs.ErrNotExist) {
			return f.taken()
		}
		err = os.Rename(partial, string(f))
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return f.taken()
	case err != nil:
		return err
	case runtime.GOOS == "windows": // which has no call that waits for names
		return nil
	}
	folder, err := os.Open(filepath.Dir(string(f)))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
