package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// bulkSizes are how many rows the statements of a bulk write. A statement costs as much as a few rows, so that the rest of a large number is
// written in few, too. Larger ones gain little.
var bulkSizes = [...]int{64, 8, 1}

// bulk writes many rows of one table, with statements that stay prepared.
type bulk struct {
	columns    int
	statements [len(bulkSizes)]*sql.Stmt
}

// prepareBulk prepares INSERT statements that begin with head, have so many columns, and end with tail.
func prepareBulk(ctx context.Context, pool *sql.DB, head string, columns int, tail string) (*bulk, error) {
	b := &bulk{columns: columns}
	row := "(?" + strings.Repeat(",?", columns-1) + ")"
	for i, rows := range bulkSizes {
		var err error
		if b.statements[i], err = pool.PrepareContext(ctx, head+row+strings.Repeat(","+row, rows-1)+tail); err != nil {
			for _, statement := range b.statements[:i] {
				err = errors.Join(err, statement.Close())
			}
			return nil, err
		}
	}
	return b, nil
}

// run writes rows, whose values follow each other in args.
func (b *bulk) run(ctx context.Context, tx *sql.Tx, args []any) error {
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
