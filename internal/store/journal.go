package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
)

var _ auth.Journal = (*Journal)(nil)

// Journal keeps revocations in a separate file while the database cannot be written because it is locked, damaged or read-only,
// or because the disk is full. Because the disk may be full, the file has its full size from the start and is written in place.
type Journal struct{ path string }

// journalSize is what is set aside, in bytes: room for some 400 revocations. More make the file larger.
const journalSize = 16 << 10

const journalHead = "# Revocations that the store does not have yet. Weir writes this file, and reads it when it starts.\n"

// NewJournal returns the journal in the file at path, which need not be there yet.
func NewJournal(path string) *Journal { return &Journal{path} }

// Reserve gives the file its size, if it does not have that yet, so that it can be written while the disk is full. What is in it stays.
func (j *Journal) Reserve() error {
	info, err := os.Stat(j.path)
	if err == nil && info.Size() >= journalSize {
		return nil
	}
	list, err := j.Load()
	if err == nil {
		err = j.Save(list)
	}
	if err != nil {
		return fmt.Errorf("cannot set aside room for the journal of revocations: %w", err)
	}
	return nil
}

// Load implements auth.Journal. A file that is missing is empty.
func (j *Journal) Load() ([]auth.Revocation, error) {
	list, err := ReadJournal(j.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, auth.ErrDamaged):
		return list, fmt.Errorf("the journal of revocations %s: %w: see whether a key works that was revoked before the last start", j.path, err)
	}
	return list, err
}

// ReadJournal reads the journal at path, which may be in use. The error satisfies errors.Is(err, fs.ErrNotExist) if the file
// is missing, and errors.Is(err, auth.ErrDamaged) if the list is not whole.
func ReadJournal(path string) ([]auth.Revocation, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the journal of revocations: %w", err)
	}
	var list []auth.Revocation
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		id, when, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		at, timeErr := time.Parse(time.RFC3339Nano, when)
		if timeErr != nil || !strings.HasSuffix(line, "\n") {
			err = auth.ErrDamaged
			continue
		}
		list = append(list, auth.Revocation{ID: id, At: at.UTC()})
	}
	return list, err
}

// Save implements auth.Journal.
func (j *Journal) Save(list []auth.Revocation) error {
	var text bytes.Buffer
	text.WriteString(journalHead)
	for _, r := range list {
		fmt.Fprintf(&text, "%s %s\n", r.ID, r.At.UTC().Format(time.RFC3339Nano))
	}
	if rest := journalSize - text.Len(); rest > 0 {
		text.WriteString(strings.Repeat(" ", rest-1) + "\n")
	}
	file, err := os.OpenFile(j.path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	// The lines that stay are written as they were, so what breaks off loses only what is new. Cutting the file comes last: it
	// is needed only after the list was longer than what is set aside.
	_, err = file.WriteAt(text.Bytes(), 0)
	if err == nil {
		err = file.Truncate(int64(text.Len()))
	}
	return errors.Join(err, file.Sync(), file.Close())
}
