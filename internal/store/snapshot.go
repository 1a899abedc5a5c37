package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"time"

	"github.com/weirproxy/weir/internal/auth"
)

// Snapshot is a file with the keys and teams of a store, from which a process can start while the store is away. It holds digests, and no key. It is written
// as a whole; only when it was last known to be right is written in place.
type Snapshot struct {
	path  string
	store string // which store it is of, without who connects
}

// NewSnapshot is the snapshot of a store in the file at path, which need not be there yet.
func NewSnapshot(path, store string) *Snapshot { return &Snapshot{path, store} }

// ErrNoSnapshot says that there is no snapshot of this store.
var ErrNoSnapshot = errors.New("there is no snapshot of the store's keys in the data folder: one is written while the store can be read")

// snapshotForm changes when older programs can no longer read what is written.
const snapshotForm = 1

// snapshotHead is the first line. It has always the same length, so that it can be written again in place.
type snapshotHead struct {
	Form    int          `json:"form"`
	Store   string       `json:"store"`
	Version auth.Version `json:"version"` // all changes up to it are there
	Known   time.Time    `json:"known"`   // when this was all that there was
}

// snapshotLine is another line: a team, a key or, at the end, their number.
type snapshotLine struct {
	Team  *auth.Team `json:"team,omitempty"`
	Key   *auth.Key  `json:"key,omitempty"`
	Lines *int       `json:"lines,omitempty"`
}

// headSize is the length of the first line.
const headSize = 4096

func (s *Snapshot) head(version auth.Version, known time.Time) ([]byte, error) {
	head, err := json.Marshal(snapshotHead{snapshotForm, s.store, version, known.UTC()})
	if err == nil && len(head) >= headSize {
		err = errors.New("the name of the store is too long for a snapshot")
	}
	if err != nil {
		return nil, err
	}
	return append(append(head, bytes.Repeat([]byte(" "), headSize-1-len(head))...), '\n'), nil
}

// Save replaces the snapshot. When it returns nil it survives the end of the process and of the machine.
func (s *Snapshot) Save(version auth.Version, known time.Time, teams iter.Seq[auth.Team], keys iter.Seq[auth.Key]) (err error) {
	head, err := s.head(version, known)
	if err != nil {
		return err
	}
	draft := s.path + ".new"
	file, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(draft))
		}
	}()
	out := bufio.NewWriterSize(file, 64<<10)
	_, _ = out.Write(head) // Flush returns the errors of all
	lines := 0
	encoder := json.NewEncoder(out)
	for team := range teams {
		lines++
		err = errors.Join(err, encoder.Encode(snapshotLine{Team: &team}))
	}
	for key := range keys {
		lines++
		err = errors.Join(err, encoder.Encode(snapshotLine{Key: &key}))
	}
	err = errors.Join(err, encoder.Encode(snapshotLine{Lines: &lines}), out.Flush(), file.Sync(), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(draft, s.path)
}

// Touch says that the snapshot, which has all changes up to a version, is still all that there is.
func (s *Snapshot) Touch(version auth.Version, known time.Time) error {
	head, err := s.head(version, known)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(s.path, os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(head, 0)
	return errors.Join(err, file.Close())
}

// Load calls team with every team and then key with every key of the snapshot. It returns the version of the store that these bring the reader to, and when they
// were last known to be all. It is ErrNoSnapshot if the file is missing, or of another store.
func (s *Snapshot) Load(team func(auth.Team), key func(auth.Key)) (version auth.Version, known time.Time, err error) {
	file, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, time.Time{}, ErrNoSnapshot
	}
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("cannot read the snapshot of the store's keys: %w", err)
	}
	defer func() { _ = file.Close() }()
	decoder := json.NewDecoder(bufio.NewReaderSize(file, 64<<10))
	var head snapshotHead
	if err := decoder.Decode(&head); err != nil {
		return 0, time.Time{}, damaged(err)
	}
	switch {
	case head.Form != snapshotForm:
		return 0, time.Time{}, fmt.Errorf("the snapshot of the store's keys %s has form %d, and this program knows %d", s.path, head.Form, snapshotForm)
	case head.Store != s.store:
		return 0, time.Time{}, ErrNoSnapshot
	}
	for lines := 0; ; lines++ {
		var line snapshotLine
		if err := decoder.Decode(&line); err != nil {
			return 0, time.Time{}, damaged(err)
		}
		switch {
		case line.Team != nil:
			team(*line.Team)
		case line.Key != nil:
			key(*line.Key)
		case line.Lines == nil || *line.Lines != lines:
			return 0, time.Time{}, damaged(errors.New("lines are missing"))
		default:
			return head.Version, head.Known, nil
		}
	}
}

func damaged(err error) error {
	return fmt.Errorf("the snapshot of the store's keys is damaged: %w", err)
}
