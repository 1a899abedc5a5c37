package tables

import (
	"context"
	"database/sql"

	"github.com/weirproxy/weir/internal/store/archive"
)

// Export writes the store into an archive as it is at one moment, row by row. It returns what each table has.
func (db *DB) Export(ctx context.Context, to *archive.Writer) (tables []archive.End, err error) {
	var failed error // in writing: it is not about the database
	err = db.readAll(ctx, func(ctx context.Context, tx *sql.Tx) error {
		tables = nil
		for _, table := range archivedTables() {
			if table.shared && !db.engine.Shared {
				continue
			}
			e := exporting{table: &table, to: to}
			if err := e.export(ctx, tx); err != nil {
				failed = e.failed
				return err
			}
			tables = append(tables, e.end)
		}
		return nil
	})
	switch {
	case failed != nil:
		return nil, failed
	case err != nil:
		return nil, db.engine.Explain("read", err)
	}
	return tables, nil
}

// exporting is one table on its way into an archive.
type exporting struct {
	table  *archived
	to     *archive.Writer
	end    archive.End
	failed error // in writing
}

func (e *exporting) export(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, e.table.selectAll())
	if err != nil {
		return err
	}
	defer rows.Close()
	from, until := e.table.sumPlaces()
	e.end = archive.End{Name: e.table.name, Sums: make([]int64, until-from)}
	if e.failed = e.to.Begin(archive.Table{Name: e.table.name, Columns: e.table.names()}); e.failed != nil {
		return e.failed
	}
	read := newRowReader(e.table)
	for rows.Next() {
		values, err := read.values(rows)
		if err != nil {
			return err
		}
		for i := from; i < until; i++ {
			e.end.Sums[i-from] += values[i].(int64) // as its column is
		}
		e.end.Rows++
		if e.failed = e.to.Row(values); e.failed != nil {
			return e.failed
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	e.failed = e.to.End(e.end.Sums)
	return e.failed
}

// rowReader reads the rows of a table. What it has room for is used again for each.
type rowReader struct {
	table    *archived
	integers []sql.NullInt64
	texts    []sql.NullString
	bytes    []sql.RawBytes
	flags    []bool
	request  any
	to       []any
	read     []any
}

func newRowReader(table *archived) *rowReader {
	columns := len(table.columns)
	r := &rowReader{
		table: table, integers: make([]sql.NullInt64, columns), texts: make([]sql.NullString, columns), bytes: make([]sql.RawBytes, columns), flags: make([]bool, columns),
		read: make([]any, columns),
	}
	for i, c := range table.columns {
		switch c.Kind {
		case Integer, IntegerOrNull:
			r.to = append(r.to, &r.integers[i])
		case Text, TextOrNull:
			r.to = append(r.to, &r.texts[i])
		case Boolean:
			r.to = append(r.to, &r.flags[i])
		case Bytes, BytesOrNull:
			if r.isRequest(i) {
				r.to = append(r.to, &r.request)
			} else {
				r.to = append(r.to, &r.bytes[i])
			}
		}
	}
	return r
}

func (r *rowReader) isRequest(i int) bool {
	return r.table.request && r.table.columns[i].Name == requestColumn
}

const requestColumn = "request"

// values are those of the row that a query is at.
func (r *rowReader) values(rows *sql.Rows) ([]any, error) {
	if err := rows.Scan(r.to...); err != nil {
		return nil, err
	}
	for i, c := range r.table.columns {
		r.read[i] = nil
		switch c.Kind {
		case Integer, IntegerOrNull:
			if r.integers[i].Valid {
				r.read[i] = r.integers[i].Int64
			}
		case Text, TextOrNull:
			if r.texts[i].Valid {
				r.read[i] = storable(r.texts[i].String)
			}
		case Boolean:
			r.read[i] = r.flags[i]
		case Bytes, BytesOrNull:
			if r.isRequest(i) {
				r.read[i] = archivedRequest(r.request)
			} else if r.bytes[i] != nil {
				r.read[i] = []byte(r.bytes[i])
			}
		}
	}
	return r.read, nil
}

// archivedRequest is a request's id as an archive holds it: the 16 bytes that it spells, or zeros and its text.
func archivedRequest(held any) []byte {
	packed, _ := packRequest(nil, unpackRequest(held), PaddedRequest)
	return packed.([]byte) // by either
}
