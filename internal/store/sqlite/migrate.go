package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"

	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/version"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations are the embedded steps of the schema.
func migrations() []store.Step { return store.Steps(migrationFiles, "migrations/*.sql") }

const (
	sqlCountTables = `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`

	sqlHasMigrations = `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'weir_migrations'`

	sqlMakeMigrations = `
		CREATE TABLE weir_migrations (
			number     INTEGER NOT NULL PRIMARY KEY,
			name       TEXT    NOT NULL,
			checksum   TEXT    NOT NULL,
			applied_at INTEGER NOT NULL
		) STRICT`

	sqlListMigrations = `SELECT number, name, checksum FROM weir_migrations ORDER BY number`

	sqlRecordMigration = `INSERT INTO weir_migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, unixepoch() * 1000000)`
)

// migrate applies the steps that the database lacks. Each runs in one transaction together with its record, so
// that a crash leaves no step half done.
func migrate(ctx context.Context, pool *sql.DB, steps []store.Step) error {
	if err := inTransaction(ctx, pool, func(tx *sql.Tx) error { return prepare(ctx, tx) }); err != nil {
		return err
	}
	for {
		done := false
		err := inTransaction(ctx, pool, func(tx *sql.Tx) error {
			applied, err := checkApplied(ctx, tx, steps)
			if err != nil || applied == len(steps) {
				done = true
				return err
			}
			return apply(ctx, tx, applied+1, steps[applied])
		})
		if done || err != nil {
			return err
		}
	}
}

var errForeign = errors.New("it is the database of another program: give Weir a file of its own, see store: in the config")

// prepare makes the table of migrations in an empty database, and refuses one that is another program's.
func prepare(ctx context.Context, tx *sql.Tx) error {
	var ours, tables int
	if err := tx.QueryRowContext(ctx, sqlHasMigrations).Scan(&ours); err != nil || ours > 0 {
		return err
	}
	if err := tx.QueryRowContext(ctx, sqlCountTables).Scan(&tables); err != nil {
		return err
	}
	if tables > 0 {
		return errForeign
	}
	_, err := tx.ExecContext(ctx, sqlMakeMigrations)
	return err
}

// checkApplied returns how many of steps the database has gone through, and refuses one with a history
// that is not theirs.
func checkApplied(ctx context.Context, tx *sql.Tx, steps []store.Step) (int, error) {
	rows, err := tx.QueryContext(ctx, sqlListMigrations)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var taken []store.Taken
	for rows.Next() {
		var t store.Taken
		if err := rows.Scan(&t.Number, &t.Name, &t.Checksum); err != nil {
			return 0, err
		}
		taken = append(taken, t)
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	return store.CheckTaken(taken, steps, version.String())
}

func apply(ctx context.Context, tx *sql.Tx, number int, step store.Step) error {
	if _, err := tx.ExecContext(ctx, step.Text); err != nil {
		return fmt.Errorf("schema step %s failed: %w", step.Name, err)
	}
	_, err := tx.ExecContext(ctx, sqlRecordMigration, number, step.Name, step.Checksum())
	return err
}
