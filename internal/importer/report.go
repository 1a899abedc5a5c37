package importer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Class says how well a part of the source is in the result.
type Class uint8

// The classes, the best first.
const (
	Exact       Class = iota // it means the same in the result
	Approximate              // the result does nearly the same; the finding says what differs
	Manual                   // someone has to do or decide something
	Unsupported              // Weir has nothing like it
)

var classes = [...]string{"exact", "approximate", "manual", "unsupported"}

// String is the class's word.
func (c Class) String() string { return classes[c] }

// MarshalText writes the word.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Finding says what became of a part of the source. It never holds a secret.
type Finding struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"` // from 1; 0 for what is in a database
	Column int    `json:"column,omitempty"`
	Class  Class  `json:"class"`
	Path   string `json:"path"` // such as model_list[0].litellm_params.model, or the row of a table
	Text   string `json:"text"`
}

// String is one line, whatever names the source has.
func (f *Finding) String() string {
	at := f.File
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	}
	return oneLine(fmt.Sprintf("%s: %s: %s: %s", at, f.Class, f.Path, f.Text))
}

// Report is all that is to be said of an import.
type Report struct {
	Findings []Finding
	counts   [len(classes)]int
}

// Exact says that a value, with all in it, means the same in the result. place is where it is there.
func (r *Report) Exact(n *Node, place string) { r.say(n, Exact, place) }

// Approximate says that the result does nearly the same as a value.
func (r *Report) Approximate(n *Node, text string) { r.say(n, Approximate, text) }

// Manual says that someone has to do or decide something about a value.
func (r *Report) Manual(n *Node, text string) { r.say(n, Manual, text) }

// Unsupported says that Weir has nothing like a value.
func (r *Report) Unsupported(n *Node, text string) { r.say(n, Unsupported, text) }

// say adds a finding about a value, and about all in it that nothing was said of before. A missing value has none.
func (r *Report) say(n *Node, c Class, text string) {
	if n == nil {
		return
	}
	n.said = true
	r.Add(Finding{File: n.File, Line: n.Line, Column: n.Column, Class: c, Path: n.Path, Text: text})
}

// Add adds a finding about something that is no value of the document.
func (r *Report) Add(f Finding) {
	r.Findings = append(r.Findings, f)
	r.counts[f.Class]++
}

// Count is how many findings are of a class.
func (r *Report) Count(c Class) int { return r.counts[c] }

// sort brings the findings into the order of the source; those without a line keep theirs, after the others.
func (r *Report) sort() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		if (a.Line == 0) != (b.Line == 0) {
			return cmp.Compare(b.Line, a.Line)
		}
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// doubts are the findings that are not exact, as comments, by the paths of all values that they are in.
func (r *Report) doubts() map[string][]string {
	all := map[string][]string{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Class == Exact {
			continue
		}
		for end := range len(f.Path) + 1 {
			if end < len(f.Path) && f.Path[end] != '.' && f.Path[end] != '[' {
				continue
			}
			within := strings.TrimPrefix(f.Path[end:], ".")
			all[f.Path[:end]] = append(all[f.Path[:end]], strings.TrimSpace(fmt.Sprintf("%s: %s", f.Class, strings.TrimPrefix(within+": "+f.Text, ": "))))
		}
	}
	return all
}

// Write writes the findings, one a line. least is the class from which on they are written.
func (r *Report) Write(w io.Writer, least Class) error {
	for i := range r.Findings {
		if r.Findings[i].Class < least {
			continue
		}
		if _, err := fmt.Fprintln(w, &r.Findings[i]); err != nil {
			return err
		}
	}
	return nil
}

// Summary counts the findings in words.
func (r *Report) Summary() string {
	return fmt.Sprintf("%d exact, %d approximate, %d manual, %d unsupported", r.counts[Exact], r.counts[Approximate], r.counts[Manual], r.counts[Unsupported])
}
