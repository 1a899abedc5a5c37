package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/store/archive"
)

// ErrNotEmpty is the error for an import into a store that has something.
var ErrNotEmpty = errors.New("it is not empty, and an import adds to nothing: name an empty database, or a file that does not exist yet")

// Outstanding is what replicas may have spent of a budget without a row in the ledger.
type Outstanding struct {
	Name   budget.Shared
	Amount int64
}

// How many rows, and bytes of them, are written at once.
const (
	importRows  = 2000
	importBytes = 4 << 20
)

const (
	sqlLockKeys = `UPDATE keys_version SET version = version`

	// While the row of all responses is away, Postgres does not raise sums with each.
	sqlStopSummingResponses = `DELETE FROM responses_size`

	sqlDropSumsOfResponses = `DELETE FROM responses_of_keys`

	sqlSumResponses = `INSERT INTO responses_of_keys (key_id, bytes) SELECT key_id, CAST(sum(size) AS BIGINT) FROM responses GROUP BY key_id`

	sqlSumAllResponses = `INSERT INTO responses_size (only_row, bytes) SELECT 1, CAST(coalesce(sum(size), 0) AS BIGINT) FROM responses`

	// The sizes of answers are made by the answers that take the place of claims.
	sqlSumAnswers = `
		INSERT INTO idempotent_sizes (key_id, bytes) SELECT key_id, CAST(sum(size) AS BIGINT) FROM idempotent WHERE size > 0 GROUP BY key_id`

	sqlSumAllAnswers = `
		UPDATE idempotent_sizes SET bytes = (SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM idempotent WHERE size > 0) WHERE key_id = ''`
)

// Import fills an empty store from an archive, in one transaction: after an error the store is as it was. It returns what each table has got, which
// is compared with what the archive says. What replicas may have spent is given to lost if this database has no place for it, and an error of lost is
// returned.
func (db *DB) Import(ctx context.Context, from *archive.Reader, lost func(Outstanding) error) ([]archive.End, error) {
	ctx, cancel := within(ctx, db.engine.Long)
	defer cancel()
	i := importing{db: db, from: from, lost: lost, bulks: map[string]Bulk{}}
	for _, table := range archivedTables() {
		if table.one || table.shared && !db.engine.Shared {
			continue
		}
		bulk, err := db.engine.Bulk(ctx, Upsert{Table: table.name, Columns: table.columns})
		if err != nil {
			return nil, db.engine.Explain("write", err)
		}
		i.bulks[table.name] = bulk
	}
	err := InTransaction(ctx, db.engine.Writer, nil, func(tx *sql.Tx) error {
		i.tx = tx
		return i.run(db.unwatched(ctx))
	})
	switch {
	case i.refusal != nil:
		return nil, i.refusal
	case err != nil:
		return nil, db.engine.Explain("write", err)
	}
	return i.done, nil
}

// importing is an archive on its way into a store.
type importing struct {
	db      *DB
	from    *archive.Reader
	lost    func(Outstanding) error
	bulks   map[string]Bulk
	tx      *sql.Tx
	refusal error // what is wrong with the archive or the store's contents, and no failure of the database
	done    []archive.End
}

func (i *importing) refuse(err error) error {
	i.refusal = err
	return err
}

// otherTables is the error for a file that is whole, and whose tables are not those of this program.
func (i *importing) otherTables(name string) error {
	return fmt.Errorf("the file is of Weir %q, and its table %q is another than that of this Weir: import it with the version that it is of, and bring the store up to date then, with weir migrate", i.from.Head.Program, name)
}

func (i *importing) run(ctx context.Context) error {
	if err := i.checkEmpty(ctx); err != nil {
		return err
	}
	if _, err := i.tx.ExecContext(ctx, sqlStopSummingResponses); err != nil {
		return err
	}
	left := archivedTables()
	for {
		found, err := i.from.Next()
		if err != nil {
			return i.refuse(err)
		}
		if found == nil {
			break
		}
		n := slices.IndexFunc(left, func(t archived) bool { return t.name == found.Name })
		if n < 0 || !left[n].in(found.Columns) || slices.ContainsFunc(left[:n], func(t archived) bool { return !t.shared }) {
			return i.refuse(i.otherTables(found.Name))
		}
		table := left[n]
		left = left[n+1:]
		if err := i.table(ctx, &table); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(left, func(t archived) bool { return !t.shared }) {
		return i.refuse(i.otherTables(left[0].name))
	}
	for _, statement := range [...]string{sqlDropSumsOfResponses, sqlSumResponses, sqlSumAllResponses, sqlSumAnswers, sqlSumAllAnswers} {
		if _, err := i.tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// checkEmpty refuses a store that has anything. Nothing is added to it meanwhile, but by a Weir that has it open.
func (i *importing) checkEmpty(ctx context.Context) error {
	if _, err := i.tx.ExecContext(ctx, sqlLockKeys); err != nil {
		return err
	}
	for _, table := range archivedTables() {
		if table.one || table.shared && !i.db.engine.Shared {
			continue
		}
		var there bool
		if err := i.tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+table.name+`)`).Scan(&there); err != nil {
			return err
		}
		if there {
			return i.refuse(fmt.Errorf("the store has %s: %w", table.name, ErrNotEmpty))
		}
	}
	return nil
}

// table writes the rows of a table, and compares what is there then.
func (i *importing) table(ctx context.Context, table *archived) error {
	write := i.writer(ctx, table)
	args, size := make([]any, 0, importRows*len(table.columns)), 0
	for rows := 0; ; rows++ {
		values, end, err := i.from.Row()
		if err != nil {
			return i.refuse(err)
		}
		if end != nil || rows == importRows || size > importBytes {
			if err := write(args); err != nil {
				return err
			}
			args, size, rows = args[:0], 0, 0
		}
		if end != nil {
			return i.compare(ctx, table, end)
		}
		for c, value := range values {
			column := &table.columns[c]
			held, n, err := i.held(column, table.request && column.Name == requestColumn, value)
			if err != nil {
				return i.refuse(fmt.Errorf("%w (table %s, column %s)", err, table.name, column.Name))
			}
			args, size = append(args, held), size+n
		}
	}
}

// writer returns what writes rows of a table.
func (i *importing) writer(ctx context.Context, table *archived) func(args []any) error {
	switch {
	case table.shared && !i.db.engine.Shared:
		return func(args []any) error { return i.leave(table, args) }
	case table.one:
		statement := `UPDATE ` + table.name + ` SET ` + table.columns[0].Name + ` = $1`
		return func(args []any) error {
			for ; len(args) > 0; args = args[1:] {
				if _, err := i.tx.ExecContext(ctx, statement, args[0]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return func(args []any) error { return i.bulks[table.name].Run(ctx, i.tx, args) }
}

// leave looks at rows that this database has no place for. It has budgets spent by the rows of its ledger alone, so what a replica said that it used
// counts as little as what it had left.
func (i *importing) leave(table *archived, args []any) error {
	if table.name != leasesTable {
		return nil
	}
	for ; len(args) > 0; args = args[len(table.columns):] {
		granted, shipped := args[3].(int64), args[6].(int64) // as the columns are
		if granted <= shipped {
			continue
		}
		o := Outstanding{budget.Shared{Budget: args[0].(string), Period: args[1].(int64)}, granted - shipped}
		if err := i.lost(o); err != nil {
			return i.refuse(err)
		}
	}
	return nil
}

var errKind = fmt.Errorf("%w: a value is of another kind than its column", archive.ErrDamaged)

// held is a value as the database holds it, and about how many bytes it has.
func (i *importing) held(column *Column, request bool, value any) (held any, size int, err error) {
	text, isText := value.(string)
	right := false
	switch column.Kind {
	case Integer:
		_, right = value.(int64)
	case Boolean:
		_, right = value.(bool)
	case Text:
		right = isText
	case IntegerOrNull:
		_, right = value.(int64)
		right = right || value == nil
	case TextOrNull:
		right = isText || value == nil
	case BytesOrNull, Bytes:
		if value == nil && column.Kind == BytesOrNull {
			return nil, 0, nil
		}
		if !isText {
			break
		}
		bytes, err := archive.Bytes(text)
		if err != nil {
			return nil, 0, err
		}
		if request {
			held, _ = packRequest(nil, unpackRequest(bytes), i.db.engine.OddRequest)
			return held, len(bytes), nil
		}
		return bytes, len(bytes), nil
	}
	if !right {
		return nil, 0, errKind
	}
	return value, len(text), nil
}

// compare compares what the database has of a table now with what the archive says.
func (i *importing) compare(ctx context.Context, table *archived, said *archive.End) error {
	if table.shared && !i.db.engine.Shared {
		return nil
	}
	from, to := table.sumPlaces()
	has := archive.End{Name: table.name, Sums: make([]int64, to-from)}
	into := []any{&has.Rows}
	for n := range has.Sums {
		into = append(into, &has.Sums[n])
	}
	if err := i.tx.QueryRowContext(ctx, table.totals()).Scan(into...); err != nil {
		return err
	}
	if has.Rows != said.Rows || !slices.Equal(has.Sums, said.Sums) {
		return i.refuse(fmt.Errorf("the table %s has %d rows with the sums %v, and the file says %d with %v: nothing was imported", table.name, has.Rows, has.Sums, said.Rows, said.Sums))
	}
	i.done = append(i.done, has)
	return nil
}
