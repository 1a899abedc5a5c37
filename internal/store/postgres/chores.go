package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/weirproxy/weir/internal/store/tables"
	"github.com/weirproxy/weir/internal/version"
)

// TurnFor is how long a replica has a turn that it does not take again.
const TurnFor = 7 * time.Second

const retention = "retention"

const (
	sqlTakeTurn = `
	UPDATE chores SET replica = $2, until = ` + sqlNow + ` + $3
	WHERE name = $1 AND (replica = $2 OR until <= ` + sqlNow + `) RETURNING 1`

	sqlEndTurn = `UPDATE chores SET until = 0 WHERE name = $1 AND replica = $2`
)

// TakeTurn reports whether it is this replica's turn to delete what is old, for TurnFor. One replica has it, until it takes it no more.
func (e *Escrow) TakeTurn(ctx context.Context, replica string) (mine bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeLimit)
	defer cancel()
	err = tables.InTransaction(ctx, e.db.pool, nil, func(tx *sql.Tx) error {
		var one int
		return tx.QueryRowContext(ctx, sqlTakeTurn, retention, replica, TurnFor.Microseconds()).Scan(&one)
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, e.db.explain("write", err)
	}
	return true, nil
}

// EndTurn lets another replica have the turn at once.
func (e *Escrow) EndTurn(ctx context.Context, replica string) error {
	ctx, cancel := context.WithTimeout(ctx, exchangeLimit)
	defer cancel()
	err := tables.InTransaction(ctx, e.db.pool, nil, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, sqlEndTurn, retention, replica)
		return err
	})
	if err != nil {
		return e.db.explain("write", err)
	}
	return nil
}

// Contract takes those steps of the schema that had to wait for replicas of an older version, if these are gone.
func (e *Escrow) Contract(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	if _, err := migrate(ctx, e.db.pool, migrations(), version.String()); err != nil {
		return e.db.explain("write", err)
	}
	return nil
}
