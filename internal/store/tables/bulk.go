package tables

import (
	"context"
	"database/sql"
	"strings"
)

// Upsert is a statement that writes many rows of a table at once, and raises those that are there already.
type Upsert struct {
	Table   string
	Columns []Column // in the order in which rows have their values
	Keys    []string // the primary key. Without them each row must be new
	Raised  []Raised // the other columns of a row that is there
}

// Column is a column that is written.
type Column struct {
	Name string
	Kind Kind
}

// Kind is what a column holds.
type Kind uint8

// The kinds of columns.
const (
	Integer Kind = iota // int64
	Text                // string
	Bytes               // []byte
	Boolean             // bool

	// The same, or nil.
	IntegerOrNull
	TextOrNull
	BytesOrNull
)

// Raised says how a column of a row that is there changes.
type Raised struct {
	Column string
	How    How
}

// How is the way in which a column is raised.
type How uint8

// The ways of raising.
const (
	Add     How = iota
	AddUpTo     // no further than ledger.MaxSum
	Or          // all bits of both
)

// Bulk runs an Upsert.
type Bulk interface {
	// Run writes rows, whose values follow each other in args. No two have the same key.
	Run(ctx context.Context, tx *sql.Tx, args []any) error
}

// Head is the beginning of the statement, up to the values.
func (u *Upsert) Head() string {
	names := make([]string, len(u.Columns))
	for i, c := range u.Columns {
		names[i] = c.Name
	}
	return "INSERT INTO " + u.Table + " AS t (" + strings.Join(names, ", ") + ") "
}

// Tail is the end of the statement, after the values. least is the database's function for the smaller of two numbers.
func (u *Upsert) Tail(least string) string {
	if len(u.Keys) == 0 {
		return ""
	}
	changes := make([]string, len(u.Raised))
	for i, r := range u.Raised {
		sum := "t." + r.Column + " + excluded." + r.Column
		switch r.How {
		case AddUpTo:
			sum = least + "(" + sum + ", 9007199254740992)"
		case Or:
			sum = "t." + r.Column + " | excluded." + r.Column
		}
		changes[i] = r.Column + " = " + sum
	}
	return " ON CONFLICT (" + strings.Join(u.Keys, ", ") + ") DO UPDATE SET " + strings.Join(changes, ", ")
}

// withSums adds the columns of sums, in the order of ledger.Sums.
func (u Upsert) withSums() Upsert {
	for _, r := range sumColumnsRaised {
		u.Columns = append(u.Columns, Column{r.Column, Integer})
		u.Raised = append(u.Raised, r)
	}
	return u
}

var sumColumnsRaised = [...]Raised{
	{"requests", Add},
	{"attempts", Add},
	{"input", AddUpTo},
	{"cache_read", AddUpTo},
	{"cache_write", AddUpTo},
	{"output", AddUpTo},
	{"reasoning", AddUpTo},
	{"cost", AddUpTo},
	{"orphaned", Add},
	{"estimated", Add},
	{"in_doubt", Add},
}

// The other tables that a shipment writes.
var (
	rowsUpsert = Upsert{Table: "attempts", Columns: []Column{
		{"id", Integer},
		{"key", Integer},
		{"team", Integer},
		{"model", Integer},
		{"target", Integer},
		{"outcome", Integer},
		{"price", Integer},
		{"flags", Integer},
		{"request", Bytes},
		{"facts", Bytes},
	}}
	tagsUpsert     = Upsert{Table: "tagdays", Columns: []Column{{"at", Integer}, {"key", Integer}, {"tag", Text}}, Keys: []string{"at", "key", "tag"}}.withSums()
	tagDaysUpsert  = tagsOfAll(tagDays)
	tagWeeksUpsert = tagsOfAll(tagWeeks)
)

// tagsOfAll are the sums by tag of all keys.
func tagsOfAll(table string) Upsert {
	return Upsert{Table: table, Columns: []Column{{"at", Integer}, {"tag", Text}}, Keys: []string{"at", "tag"}}.withSums()
}
