package app

import (
	"context"
	"errors"
	"io/fs"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/store/sqlite"
	"github.com/weirproxy/weir/internal/stored"
)

// database is where everything is kept that changes while Weir runs.
type database interface {
	auth.Store
	listStore
	stored.Store
	idempotency.Store
	rows
	Close() error
}

// openStore opens the store that a config names, and brings its schema up to date.
func openStore(ctx context.Context, at config.Store) (database, error) {
	if at.Path != "" {
		return opened(sqlite.Open(ctx, at.Path))
	}
	return opened(postgres.Open(ctx, inPostgres(at)))
}

// opened is a store without the type that it has, and nil if it could not be opened.
func opened[DB database](db DB, err error) (database, error) {
	if err != nil {
		return nil, err
	}
	return db, nil
}

func inPostgres(at config.Store) postgres.Options {
	return postgres.Options{URL: at.URL, Pool: at.Pool}
}

// Schema returns how far the schema of a store has come. It makes and changes nothing; the error satisfies errors.Is(err, fs.ErrNotExist) if the
// store is a file and missing.
func Schema(ctx context.Context, at config.Store) (store.Schema, error) {
	if at.Path != "" {
		return sqlite.Inspect(ctx, at.Path)
	}
	return postgres.Inspect(ctx, inPostgres(at))
}

// Migrate brings the schema of a store up to date. It makes the store if it is missing. It returns how many steps it has taken, and how
// far the schema is now.
func Migrate(ctx context.Context, at config.Store) (taken int, now store.Schema, err error) {
	before, err := Schema(ctx, at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, now, err
	}
	db, err := openStore(ctx, at)
	if err != nil {
		return 0, now, err
	}
	if err := db.Close(); err != nil {
		return 0, now, err
	}
	now, err = Schema(ctx, at)
	return now.Applied - before.Applied, now, err
}
