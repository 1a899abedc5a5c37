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

// Schema returns how many steps of its schema a store has gone through, and how many this program knows. It makes
// and changes nothing; the error satisfies errors.Is(err, fs.ErrNotExist) if the store is a file and missing.
func Schema(ctx context.Context, at config.Store) (applied, known int, err error) {
	var schema store.Schema
	if at.Path != "" {
		schema, err = sqlite.Inspect(ctx, at.Path)
	} else {
		schema, err = postgres.Inspect(ctx, inPostgres(at))
	}
	return schema.Applied, schema.Known, err
}

// Migrate brings the schema of a store up to date. It makes the store if it is missing. It returns how many steps it has taken, and how
// many there are.
func Migrate(ctx context.Context, at config.Store) (taken, known int, err error) {
	before, _, err := Schema(ctx, at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, 0, err
	}
	db, err := openStore(ctx, at)
	if err != nil {
		return 0, 0, err
	}
	if err := db.Close(); err != nil {
		return 0, 0, err
	}
	after, known, err := Schema(ctx, at)
	return after - before, known, err
}
