package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
)

// Step is one step of a schema. Once released its text never changes: what a database has gone through is recorded with a checksum
// and compared at every start.
type Step struct {
	Name string // 0001_what.sql
	Text string
}

// Checksum distinguishes a step from another with the same number.
func (s Step) Checksum() string {
	sum := sha256.Sum256([]byte(s.Text))
	return hex.EncodeToString(sum[:])
}

// Steps are the .sql files of a folder, in the order of their names. They are embedded in the program, so it panics if they cannot be read.
func Steps(folder fs.FS, pattern string) []Step {
	names, err := fs.Glob(folder, pattern) // sorted
	if err != nil {
		panic(err) // the pattern is wrong
	}
	all := make([]Step, len(names))
	for i, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			panic(err) // an embedded file cannot be missing
		}
		all[i] = Step{path.Base(name), string(text)}
	}
	return all
}

// Taken is the record of a step that a database has gone through.
type Taken struct {
	Number         int // from 1
	Name, Checksum string
}

// CheckTaken returns how many of the known steps a database has gone through, and refuses one with a history that is not theirs. taken
// is in the order of the numbers.
func CheckTaken(taken []Taken, known []Step) (applied int, err error) {
	for _, t := range taken {
		switch {
		case t.Number > len(known):
			return 0, fmt.Errorf("a newer Weir has changed its schema (%s, this program knows %d steps): run that version or a later one", t.Name, len(known))
		case t.Number != applied+1 || t.Checksum != known[t.Number-1].Checksum():
			return 0, fmt.Errorf("its schema step %d (%s) is not this program's: an unreleased Weir made it; move the file away to start with an empty store", t.Number, t.Name)
		}
		applied = t.Number
	}
	return applied, nil
}
