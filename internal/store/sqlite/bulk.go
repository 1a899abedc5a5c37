package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/weirproxy/weir/internal/store/tables"
)

// bulkSizes are how many rows the statements of a bulk write. A statement costs as much as a few rows, so that the rest of a large number is
// written in few, too. Larger ones gain little.
var bulkSizes = [...]int{64, 8, 1}

// bulk writes many rows of one table, with statements that stay prepared.
type bulk struct {
	columns    int
	statements [len(bulkSizes)]*sql.Stmt
}

// prepareBulk prepares the statements of an upsert.
func (db *DB) prepareBulk(ctx context.Context, u tables.Upsert) (tables.Bulk, error) {
	b := &bulk{columns: len(u.Columns)}
	row := "(?" + strings.Repeat(",?", b.columns-1) + ")"
	for i, rows := range bulkSizes {
		var err error
		if b.statements[i], err = db.writer.PrepareContext(ctx, u.Head()+"VALUES "+row+strings.Repeat(","+row, rows-1)+u.Tail("min")); err != nil {
			for _, statement := range b.statements[:i] {
				err = errors.Join(err, statement.Close())
			}
			return nil, err
		}
	}
	return b, nil
}

// Run implements tables.Bulk.
func (b *bulk) Run(ctx context.Context, tx *sql.Tx, args []any) error {
	for i, rows := range bulkSizes {
		n := rows * b.columns
		if len(args) < n {
			continue
		}
		statement := tx.StmtContext(ctx, b.statements[i])
		for ; len(args) >= n; args = args[n:] {
			if _, err := statement.ExecContext(ctx, args[:n]...); err != nil {
				return err
			}
		}
	}
	return nil
}
