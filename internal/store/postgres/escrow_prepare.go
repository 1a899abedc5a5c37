package postgres

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/escrow"
)

// Prepare makes budgets known, with what was spent of them before. It comes before the first statement that names a budget which was set in the
// middle of its period. In the periods that follow, all that is spent is spent of slices.
func (e *Escrow) Prepare(ctx context.Context, names []escrow.Name) error {
	missing, err := e.missing(ctx, names)
	if err != nil {
		return e.db.explain("read", err)
	}
	if len(missing) == 0 {
		return nil
	}
	earlier, err := e.earlier(ctx, missing)
	if err != nil {
		return err
	}
	err = e.inTransaction(ctx, func(tx *sql.Tx) error {
		budgets, periods := namesOf(missing)
		_, err := tx.ExecContext(ctx, sqlPrepare, budgets, periods, earlier)
		return err
	})
	if err != nil {
		return e.db.explain("write", err)
	}
	return nil
}

// missing are those budgets that are not there.
func (e *Escrow) missing(ctx context.Context, names []escrow.Name) (missing []escrow.Name, err error) {
	err = e.inTransaction(ctx, func(tx *sql.Tx) error {
		budgets, periods := namesOf(names)
		rows, err := tx.QueryContext(ctx, sqlSpans, budgets, periods)
		if err != nil {
			return err
		}
		defer rows.Close()
		there := map[escrow.Name]bool{}
		for rows.Next() {
			var name escrow.Name
			if err := rows.Scan(&name.Budget, &name.Period); err != nil {
				return err
			}
			there[name] = true
		}
		missing = slices.DeleteFunc(slices.Clone(names), func(n escrow.Name) bool { return there[n] })
		return rows.Err()
	})
	return missing, err
}

func namesOf(names []escrow.Name) (budgets []string, periods []int64) {
	return column(names, func(n *escrow.Name) string { return n.Budget }), column(names, func(n *escrow.Name) int64 { return n.Period })
}

// arrived books what rows say that came into the ledger, in the transaction in which they came. A replica that has stated nothing yet has
// nothing of a budget.
func arrived(ctx context.Context, tx *sql.Tx, replica string, took func() *budget.Taken) error {
	var forgotten bool
	err := tx.QueryRowContext(ctx, sqlLockReplica, replica).Scan(&forgotten)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	var budgets []string
	var periods, amounts []int64
	took().All(func(name budget.Shared, amount int64) {
		budgets, periods, amounts = append(budgets, name.Budget), append(periods, name.Period), append(amounts, amount)
	})
	if !forgotten {
		_, err = tx.ExecContext(ctx, sqlShippedOf, replica, budgets, periods, amounts)
		return err
	}
	if _, err := tx.ExecContext(ctx, sqlLockArrived, budgets, periods); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, sqlArrive, replica, budgets, periods, amounts)
	return err
}

// Kept is what a replica used by its rows in the ledger: what a process begins with whose journal has been shipped.
func (e *Escrow) Kept(ctx context.Context, replica string) (kept []escrow.Kept, err error) {
	err = e.inTransaction(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, sqlKept, replica)
		if err != nil {
			return err
		}
		defer rows.Close()
		kept = nil
		for rows.Next() {
			var k escrow.Kept
			if err := rows.Scan(&k.Name.Budget, &k.Name.Period, &k.Used); err != nil {
				return err
			}
			kept = append(kept, k)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, e.db.explain("read", err)
	}
	return kept, nil
}

// Prune deletes what is left of periods that began before a time, of limits that were not used since, and of replicas that were not seen since and have nothing. The time is more than
// a month ago, so that these periods have ended.
func (e *Escrow) Prune(ctx context.Context, before time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := e.inTransaction(ctx, func(tx *sql.Tx) error {
		for _, step := range []struct {
			sql  string
			args []any
		}{
			{sqlPruneLeases, []any{before.Unix()}},
			{sqlPruneSpans, []any{before.Unix()}},
			{sqlPruneReplicas, []any{before.UnixMicro()}},
			{sqlPruneBuckets, []any{before.UnixNano()}},
			{sqlPruneSlots, []any{before.UnixMicro()}},
			{sqlPrunePlaces, nil},
		} {
			if _, err := tx.ExecContext(ctx, step.sql, step.args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return e.db.explain("write", err)
	}
	return nil
}
