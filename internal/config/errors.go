package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one thing that is wrong in a config file, with what to do about it. It never holds a secret.
type Error struct {
	File         string // as it was named to Weir; "stdin" for "-"; "" without a file
	Line, Column int    // from 1, the column in characters; 0 if the error has no place (the file cannot be read)
	Message      string
}

// Error is "file:line:column: message".
func (e *Error) Error() string {
	switch {
	case e.File == "":
		return e.Message
	case e.Line == 0:
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Errors is everything that is wrong in a config file, in the order of the file. It is never empty where
// it is returned as an error.
type Errors []*Error

// Error is one line for each error.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// sorted returns the errors in the order of the file, each once: an alias makes the same place be read twice.
func (e Errors) sorted() Errors {
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.CompactFunc(e, func(a, b *Error) bool { return *a == *b })
}
