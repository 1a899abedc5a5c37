package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Step is one step of a schema. Once released its text never changes: what a database has gone through is recorded with a checksum
// and compared at every start.
type Step struct {
	Name string // 0001_what.sql, or 0002_what.contract.sql for one that takes something away
	Text string
}

// Checksum distinguishes a step from another with the same number.
func (s Step) Checksum() string {
	sum := sha256.Sum256([]byte(s.Text))
	return hex.EncodeToString(sum[:])
}

// Contracts reports whether programs that do not know the step fail after it. It waits until those are gone. Others only add, so that programs
// of the version before go on.
func (s Step) Contracts() bool { return strings.HasSuffix(s.Name, ".contract.sql") }

// Needed is how many steps a program needs that knows these: all but the contracting ones at the end.
func Needed(known []Step) int {
	n := len(known)
	for n > 0 && known[n-1].Contracts() {
		n--
	}
	return n
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
	Program        string // the version of Weir that took it, "" if that is not recorded
}

// CheckTaken returns how many of the known steps a database has gone through, and refuses one with a history that is not theirs. taken
// is in the order of the numbers. program is this program's version.
func CheckTaken(taken []Taken, known []Step, program string) (applied int, err error) {
	for _, t := range taken {
		switch {
		case t.Number > len(known):
			return 0, newer(taken[len(taken)-1], len(known), program)
		case t.Number != applied+1:
			return 0, fmt.Errorf("it is half migrated: it lacks schema step %d and has step %d (%s)%s: restore it from a backup", applied+1, t.Number, t.Name, t.by())
		case t.Checksum != known[t.Number-1].Checksum():
			return 0, fmt.Errorf("its schema step %d (%s)%s is not that of this program (%s): an unreleased Weir made it; give Weir an empty store", t.Number, t.Name, t.by(), program)
		}
		applied = t.Number
	}
	return applied, nil
}

// by says which program took a step, if that is recorded.
func (t *Taken) by() string {
	if t.Program == "" {
		return ""
	}
	return ", which Weir " + t.Program + " took,"
}

// newer is the error for a store that a later program has changed.
func newer(last Taken, known int, program string) error {
	by := "a newer Weir"
	if last.Program != "" {
		by += " (" + last.Program + ")"
	}
	return fmt.Errorf("%s has changed its schema up to step %d (%s), and this Weir (%s) knows %d steps: run that version or a later one", by, last.Number, last.Name, program, known)
}
