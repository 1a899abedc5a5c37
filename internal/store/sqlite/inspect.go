package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/weirproxy/weir/internal/store"
)

// Inspect returns how far the schema has come of the SQLite file at path, which may be in use, and changes nothing. The error
// satisfies errors.Is(err, fs.ErrNotExist) if the file is missing.
func Inspect(ctx context.Context, path string) (_ store.Schema, err error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return store.Schema{}, fmt.Errorf("store %s: %w", path, err)
	}
	file, err := os.OpenFile(absolute, os.O_RDWR, 0) // SQLite would fall back to reading only
	if err != nil {
		return store.Schema{}, fmt.Errorf("cannot open the store: %w", err)
	}
	if err := file.Close(); err != nil {
		return store.Schema{}, err
	}
	db := &DB{path: absolute}
	if db.readers, err = sql.Open("sqlite", db.dsn(url.Values{
		"_busy_timeout": {"2000"}, "_query_only": {"on"}, "_txlock": {"deferred"}, "_dqs": {"0"}, "mode": {"rw"},
	})); err != nil {
		return store.Schema{}, db.explain("open", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	steps := migrations()
	schema := store.Schema{Known: len(steps), Needed: len(steps)}
	err = inTransaction(ctx, db.readers, func(tx *sql.Tx) error {
		var ours, tables int
		if err := tx.QueryRowContext(ctx, sqlHasMigrations).Scan(&ours); err != nil {
			return err
		}
		if ours > 0 {
			schema.Applied, err = checkApplied(ctx, tx, steps)
			return err
		}
		if err := tx.QueryRowContext(ctx, sqlCountTables).Scan(&tables); err != nil {
			return err
		}
		if tables > 0 {
			return errForeign
		}
		return nil
	})
	if err != nil {
		return store.Schema{}, db.explain("read", err)
	}
	return schema, nil
}
