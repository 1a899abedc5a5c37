package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// ReadOther calls read with a transaction in the file of another program, all of which is as it was at one moment, and which cannot write. An
// error says what to do where that is known.
func ReadOther(ctx context.Context, path string, read func(ctx context.Context, tx *sql.Tx) error) (err error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", fileURL(filepath.ToSlash(absolute), url.Values{"_busy_timeout": {"2000"}, "_query_only": {"on"}, "_txlock": {"deferred"}, "_dqs": {"0"}, "mode": {"ro"}}))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("cannot read the database %s: %w", path, err)
	}
	defer func() { _ = tx.Rollback() }() // it has written nothing
	if err := read(ctx, tx); err != nil {
		return fmt.Errorf("cannot read the database %s%s: %w", path, adviceOnOther(err), err)
	}
	return nil
}

// adviceOnOther says what to do about an error.
func adviceOnOther(err error) string {
	for _, known := range []struct{ part, advice string }{
		{"no such table", "it lacks a table: check that it is the right file"},
		{"no such column", "it lacks a column: it is of another version"},
		{"malformed", "it is damaged, or was not copied whole: copy it again, with the files -wal and -shm beside it if there are"},
		{"not a database", "it is no file of SQLite, or it is encrypted"},
	} {
		if strings.Contains(err.Error(), known.part) {
			return " (" + known.advice + ")"
		}
	}
	return ""
}
