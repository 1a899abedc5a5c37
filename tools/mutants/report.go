package main

import (
	"fmt"
	"io"
	"strings"
)

// Report is what became of a package's mutants.
type Report struct {
	Package   string
	Seed      string
	Mutants   int // that the package has
	Invalid   int // of those tried: they do not compile
	Killed    int // that a test noticed, if only by hanging
	Survivors []Mutant
	Seconds   int
}

// Tried is how many were compiled and run.
func (r *Report) Tried() int { return r.Killed + len(r.Survivors) }

// Share is how many of those tried were killed, in percent.
func (r *Report) Share() float64 {
	if r.Tried() == 0 {
		return 0
	}
	return 100 * float64(r.Killed) / float64(r.Tried())
}

func (r *Report) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %.1f %% killed: %d of %d tried, of %d mutants (seed %s; %d more do not compile; %d s)\n",
		r.Package, r.Share(), r.Killed, r.Tried(), r.Mutants, r.Seed, r.Invalid, r.Seconds)
	for _, m := range r.Survivors {
		after := m.After
		if after == "" {
			after = "nothing"
		}
		fmt.Fprintf(w, "\t%s:%d %s, %s: %s becomes %s\n", m.File, m.Line, m.Func, m.Kind, oneLine(m.Before), oneLine(after))
	}
}

func oneLine(source string) string {
	source = strings.Join(strings.Fields(source), " ")
	if len(source) > 100 {
		source = source[:100] + "…"
	}
	return source
}
