package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// bulkRows is how many rows a statement of a bulk writes. More gain little.
const bulkRows = 50

// bulk writes many rows of one table, with statements that stay prepared.
type bulk struct {
	columns   int
	many, one *sql.Stmt
}

// prepareBulk prepares INSERT statements that begin with head, have so many columns, and end with tail.
func prepareBulk(ctx context.Context, pool *sql.DB, head string, columns int, tail string) (*bulk, error) {
	row := "(?" + strings.Repeat(",?", columns-1) + ")"
	many, err := pool.PrepareContext(ctx, head+row+strings.Repeat(","+row, bulkRows-1)+tail)
	if err != nil {
		return nil, err
	}
	one, err := pool.PrepareContext(ctx, head+row+tail)
	if err != nil {
		return nil, errors.Join(err, many.Close())
	}
	return &bulk{columns, many, one}, nil
}

// run writes rows, whose values follow each other in args.
func (b *bulk) run(ctx context.Context, tx *sql.Tx, args []any) error {
	many, one := tx.StmtContext(ctx, b.many), tx.StmtContext(ctx, b.one)
	for len(args) > 0 {
		statement, n := one, b.columns
		if len(args) >= bulkRows*b.columns {
			statement, n = many, bulkRows*b.columns
		}
		if _, err := statement.ExecContext(ctx, args[:n]...); err != nil {
			return err
		}
		args = args[n:]
	}
	return nil
}
