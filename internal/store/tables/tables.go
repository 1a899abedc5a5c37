// Package tables has the statements of stores that are SQL databases. They are the same for all; an Engine is what databases differ in.
// Each database has a room of its own, such as store/sqlite, that opens it and brings its schema up to date.
package tables

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Engine is a database. Its tables have the same names and columns in all.
type Engine struct {
	Writer *sql.DB        // what runs here may write
	Reader *sql.DB        // what runs here only reads; it may be Writer
	AtOnce *sql.TxOptions // of transactions that read everything as it is at one moment

	// Explain says what an error is about. verb is what was to be done with the store.
	Explain func(verb string, err error) error

	// Undone reports whether the database has undone a transaction for the sake of others, so that it may be run again.
	Undone func(error) bool
}

// DB is a store in an engine. Its methods may be called concurrently.
type DB struct{ engine Engine }

// New returns the store in an engine whose schema is up to date. The caller closes the engine's pools.
func New(engine Engine) *DB { return &DB{engine} }

// tries is how often a transaction is run that is undone each time.
const tries = 3

// write runs f in a transaction, and commits unless f returns an error. f may be called several times: each finds the store as if it
// were the first.
func (db *DB) write(ctx context.Context, f func(*sql.Tx) error) error {
	return db.run(ctx, db.engine.Writer, nil, f)
}

// read runs f in a transaction that sees the store as it is at one moment. f may be called several times.
func (db *DB) read(ctx context.Context, f func(*sql.Tx) error) error {
	return db.run(ctx, db.engine.Reader, db.engine.AtOnce, f)
}

func (db *DB) run(ctx context.Context, pool *sql.DB, options *sql.TxOptions, f func(*sql.Tx) error) (err error) {
	for range tries {
		err = InTransaction(ctx, pool, options, f)
		if err == nil || !db.engine.Undone(err) {
			return err
		}
	}
	return err
}

// InTransaction runs f in a transaction, and commits unless f returns an error.
func InTransaction(ctx context.Context, pool *sql.DB, options *sql.TxOptions, f func(*sql.Tx) error) error {
	tx, err := pool.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		if undo := tx.Rollback(); undo != nil && !errors.Is(undo, sql.ErrTxDone) { // done: ctx has ended it
			return errors.Join(err, undo)
		}
		return err
	}
	return tx.Commit()
}

// micros is a time as the tables hold it: NULL for the zero time.
func micros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

func fromMicros(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.UnixMicro(n.Int64).UTC()
}
