package main

import (
	"os"

	"golang.org/x/term"
)

// terminal is the one of standard input and output.
type terminal struct{ in, out *os.File }

// Begin implements screen. Where standard input is no terminal, there are no keys to be seen.
func (t terminal) Begin() (end func(), err error) {
	in := int(t.in.Fd())
	if !term.IsTerminal(in) {
		return func() {}, nil
	}
	was, err := term.MakeRaw(in)
	if err != nil {
		return nil, err
	}
	return func() { _ = term.Restore(in, was) }, nil // a terminal that is gone needs nothing
}

// Size implements screen.
func (t terminal) Size() (columns, rows int) {
	columns, rows, err := term.GetSize(int(t.out.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, rows
}
