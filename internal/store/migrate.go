package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one step of the schema. Once released its text never changes: what a database has gone
// through is recorded with a checksum and compared at every start.
type migration struct {
	name string // 0001_what.sql
	text string
}

func (m migration) checksum() string {
	sum := sha256.Sum256([]byte(m.text))
	return hex.EncodeToString(sum[:])
}

// migrations are the embedded ones, in the order of their names.
func migrations() []migration {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted
	if err != nil {
		panic(err) // the pattern above is wrong
	}
	all := make([]migration, len(names))
	for i, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err) // an embedded file cannot be missing
		}
		all[i] = migration{path.Base(name), string(text)}
	}
	return all
}

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

// migrate applies those of steps that the database has not gone through, each in a transaction of its own
// together with its record, so that a crash leaves no step half done.
func migrate(ctx context.Context, pool *sql.DB, steps []migration) error {
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

// prepare makes the table of migrations in an empty database, and refuses one that is somebody else's.
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
func checkApplied(ctx context.Context, tx *sql.Tx, steps []migration) (int, error) {
	rows, err := tx.QueryContext(ctx, sqlListMigrations)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	applied := 0
	for rows.Next() {
		var number int
		var name, checksum string
		if err := rows.Scan(&number, &name, &checksum); err != nil {
			return 0, err
		}
		switch {
		case number > len(steps):
			return 0, fmt.Errorf("a newer Weir has changed its schema (%s, this program knows %d steps): run that version or a later one", name, len(steps))
		case number != applied+1 || checksum != steps[number-1].checksum():
			return 0, fmt.Errorf("its schema step %d (%s) is not this program's: it was made by a Weir that was never released; move the file away to start anew", number, name)
		}
		applied = number
	}
	return applied, rows.Err()
}

func apply(ctx context.Context, tx *sql.Tx, number int, step migration) error {
	if _, err := tx.ExecContext(ctx, step.text); err != nil {
		return fmt.Errorf("schema step %s failed: %w", step.name, err)
	}
	_, err := tx.ExecContext(ctx, sqlRecordMigration, number, step.name, step.checksum())
	return err
}
