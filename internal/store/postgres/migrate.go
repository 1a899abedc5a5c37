package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/store/tables"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations are the embedded steps of the schema.
func migrations() []store.Step { return store.Steps(migrationFiles, "migrations/*.sql") }

const (
	// One statement, so that it sees one moment.
	sqlTables = `
		SELECT count(*), coalesce(sum(CASE WHEN table_name = 'weir_migrations' THEN 1 ELSE 0 END), 0)
		FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`

	sqlMakeMigrations = `
		CREATE TABLE weir_migrations (
			number     BIGINT NOT NULL PRIMARY KEY,
			name       TEXT   NOT NULL,
			checksum   TEXT   NOT NULL,
			program    TEXT   NOT NULL, -- the version of Weir that took the step
			applied_at BIGINT NOT NULL  -- microseconds since 1970, UTC
		);
		CREATE TABLE weir_migrating (only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1)); -- locked by who takes a step
		INSERT INTO weir_migrating (only_row) VALUES (1)`

	sqlLockMigrations = `SELECT only_row FROM weir_migrating FOR UPDATE`

	sqlListMigrations = `SELECT number, name, checksum, program FROM weir_migrations ORDER BY number`

	sqlRecordMigration = `
		INSERT INTO weir_migrations (number, name, checksum, program, applied_at)
		VALUES ($1, $2, $3, $4, CAST(extract(epoch FROM now()) * 1000000 AS BIGINT))`
)

// migrate applies the steps that the database lacks. Each runs in one transaction together with its record, so that a failure leaves no step
// half done. Of several Weirs that start at the same time one takes a step, and the others wait for it. A step that contracts, at the end, waits
// while there are replicas that do not know it: waiting says for whom.
func migrate(ctx context.Context, pool *sql.DB, steps []store.Step, program string) (waiting string, err error) {
	if err := prepare(ctx, pool); err != nil {
		return "", err
	}
	for {
		done := false
		err := tables.InTransaction(ctx, pool, nil, func(tx *sql.Tx) error {
			var locked int
			if err := tx.QueryRowContext(ctx, sqlLockMigrations).Scan(&locked); err != nil {
				return err
			}
			applied, err := checkApplied(ctx, tx, steps, program)
			if err != nil || applied == len(steps) {
				done = true
				return err
			}
			if waiting, err = waitsFor(ctx, tx, steps, applied, program); err != nil || waiting != "" {
				done = true
				return err
			}
			return apply(ctx, tx, applied+1, steps[applied], program)
		})
		if done || err != nil {
			return waiting, err
		}
	}
}

// sqlOlder are replicas that do not know so many steps, and were seen lately. One that has stopped in order was not.
const sqlOlder = `
	SELECT coalesce(nullif(name, ''), id), program FROM escrow_replicas WHERE NOT forgotten AND began > 0 AND steps < $1 AND seen_at >= ` + sqlNow + ` - $2 ORDER BY 1`

// goneAfter is how long replicas must not have been seen for a step that they do not know and that contracts.
const goneAfter = time.Hour

// waitsFor says for whom the next step has to wait, "" if it need not. It is an error if the program needs what comes after it.
func waitsFor(ctx context.Context, tx *sql.Tx, steps []store.Step, applied int, program string) (string, error) {
	next := &steps[applied]
	if !next.Contracts() {
		return "", nil
	}
	rows, err := tx.QueryContext(ctx, sqlOlder, applied+1, goneAfter.Microseconds())
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var older []string
	for rows.Next() {
		var name, by string
		if err := rows.Scan(&name, &by); err != nil {
			return "", err
		}
		older = append(older, fmt.Sprintf("%s (Weir %s)", name, cmp.Or(by, "of an earlier version")))
	}
	if err := rows.Err(); err != nil || len(older) == 0 {
		return "", err
	}
	waiting := fmt.Sprintf("schema step %d (%s) waits until these have not been seen for an hour: %s", applied+1, next.Name, strings.Join(older, ", "))
	if applied < store.Needed(steps) {
		return "", fmt.Errorf("%s. This Weir (%s) needs the steps after it: stop those first, or start the version between", waiting, program)
	}
	return waiting, nil
}

// prepare makes the tables of migrations in an empty database. Another Weir may be making them.
func prepare(ctx context.Context, pool *sql.DB) (err error) {
	for range 3 {
		err = tables.InTransaction(ctx, pool, nil, func(tx *sql.Tx) error {
			ours, err := oursOrEmpty(ctx, tx)
			if err == nil && !ours {
				_, err = tx.ExecContext(ctx, sqlMakeMigrations)
			}
			return err
		})
		if err == nil || !madeByAnother(err) && !undone(err) {
			return err
		}
	}
	return err
}

// madeByAnother is for a table that was made by another process at the same time.
func madeByAnother(err error) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && (failure.Code == codeTableExists || failure.Code == codeTypeExists || failure.Code == codeNotUnique)
}

var errForeign = errors.New("it is the database of another program: give Weir one of its own, see store: in the config")

// oursOrEmpty refuses a database that is another program's. ours is false if it is empty.
func oursOrEmpty(ctx context.Context, tx *sql.Tx) (ours bool, err error) {
	var all, known int
	if err := tx.QueryRowContext(ctx, sqlTables).Scan(&all, &known); err != nil {
		return false, err
	}
	if all > 0 && known == 0 {
		return false, errForeign
	}
	return known > 0, nil
}

// checkApplied returns how many of steps the database has gone through, and refuses one with a history that is not theirs.
func checkApplied(ctx context.Context, tx *sql.Tx, steps []store.Step, program string) (int, error) {
	rows, err := tx.QueryContext(ctx, sqlListMigrations)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var taken []store.Taken
	for rows.Next() {
		var t store.Taken
		if err := rows.Scan(&t.Number, &t.Name, &t.Checksum, &t.Program); err != nil {
			return 0, err
		}
		taken = append(taken, t)
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	return store.CheckTaken(taken, steps, program)
}

func apply(ctx context.Context, tx *sql.Tx, number int, step store.Step, program string) error {
	if _, err := tx.ExecContext(ctx, step.Text); err != nil {
		return fmt.Errorf("schema step %s failed, and the schema is as it was before: %w", step.Name, err)
	}
	_, err := tx.ExecContext(ctx, sqlRecordMigration, number, step.Name, step.Checksum(), program)
	return err
}
