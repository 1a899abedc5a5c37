// Package importer turns the config of another gateway into one of Weir's. It calls nothing but, for keys, one database, which it only reads.
//
// A gateway is one Source, in files of its own name. To add one: read the Document with the methods of Node, fill the Draft, and say of each
// value what became of it with the methods of Report (Exact, Approximate, Manual, Unsupported). A value of which a Source says nothing is
// reported as unsupported, so nothing is dropped in silence. Draft.YAML writes every result, so a Source writes no YAML. Keys and teams go
// into Draft.Accounts, from the document or, for a Source that implements Database, from the gateway's database. Then add the Source to the
// command line: cmd/weir/import.go has one command for each.
package importer

import (
	"context"
	"database/sql"
	"fmt"
)

// Source is a gateway whose config can be imported.
type Source interface {
	// Name is the gateway's, as in weir import NAME.
	Name() string
	// Convert fills the draft from the document and says of each value what became of it. It returns an error only for a document that is
	// not of this gateway: whatever else is wrong is a finding.
	Convert(doc *Document, to *Draft) error
}

// Database is a Source that keeps keys in a Postgres database.
type Database interface {
	Source
	// Accounts adds the keys and teams in the gateway's database to the draft, whose models are there already. The transaction only reads.
	// An error says what is wrong with the database and what to do.
	Accounts(ctx context.Context, tx *sql.Tx, to *Draft) error
}

// Input is a config that is to be imported.
type Input struct {
	Name  string // of the file
	Data  []byte
	Rows  bool                              // they are rows of a database, which have no lines
	Read  func(path string) ([]byte, error) // reads files that it includes
	Known func(kind, model string) bool     // reports whether Weir knows anything of a kind's model
}

// Convert converts the config of a gateway. An error says at which line the file cannot be used, why, and what to do; there is no draft then.
func Convert(from Source, in Input) (*Draft, error) {
	switch {
	case !in.Rows:
		if err := checkTemplate(in.Name, in.Data); err != nil {
			return nil, err
		}
	case len(in.Data) > maxSource || marks(in.Data) > maxMarks:
		return nil, &SourceError{File: in.Name, Text: tooManyRows}
	}
	doc, err := parse(in.Name, in.Data, in.Read)
	if err != nil {
		return nil, err
	}
	if in.Rows {
		withoutLines(doc.Root, "")
	}
	to := &Draft{From: from.Name(), File: in.Name, Known: in.Known, Report: &Report{}}
	if err := from.Convert(doc, to); err != nil {
		return nil, err
	}
	to.rest(doc.Root)
	for _, n := range doc.twice {
		to.Report.Manual(n, "its name is here twice, and the last one counts: remove the other, or rename one")
	}
	to.Report.sort()
	return to, nil
}

// rest reports the values that nothing was said of. A section that no Source looks for is the file's own, for its anchors: what an alias names there
// is reported where it is used.
func (d *Draft) rest(root *Node) {
	for _, f := range root.Fields {
		d.unsaid(f.Value, !f.Value.sought)
	}
}

func (d *Draft) unsaid(n *Node, own bool) {
	switch {
	case n.said:
	case own && n.named:
		d.Report.Exact(n, "left out: it is an anchor, and followed where an alias names it")
	case len(n.Fields) > 0:
		for _, f := range n.Fields {
			d.unsaid(f.Value, own)
		}
	case len(n.Items) > 0:
		for _, item := range n.Items {
			d.unsaid(item, own)
		}
	default:
		d.Report.Unsupported(n, fmt.Sprintf("Weir knows nothing that corresponds to this setting of %s: it was left out", d.From))
	}
}
