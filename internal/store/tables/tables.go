// Package tables has the statements of stores that are SQL databases. They are the same for all; an Engine is what databases differ in.
// Each database has a room of its own, such as store/sqlite, that opens it and brings its schema up to date.
package tables

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/ledger"
)

// Engine is a database. Its tables have the same names and columns in all.
type Engine struct {
	Writer *sql.DB        // what runs here may write
	Reader *sql.DB        // what runs here only reads; it may be Writer
	Report *sql.DB        // what runs here makes reports: whatever it does, the others go on
	AtOnce *sql.TxOptions // of transactions that read everything as it is at one moment

	// Explain says what an error is about. verb is what was to be done with the store.
	Explain func(verb string, err error) error

	// Limit is how long a transaction may take, and Long one that reads everything. 0 is as long as its caller waits. LongestReport is how
	// long a report may take.
	Limit, Long, LongestReport time.Duration

	// MostTargets is up to how many targets those that callers choose get a line of their own. 0 is 10,000.
	MostTargets int

	// Stretches is how many ranges of ids one statement reads rows of: several where a statement is a round trip. 0 is one.
	Stretches int

	// Bulk makes what runs an Upsert.
	Bulk func(context.Context, Upsert) (Bulk, error)

	// LockNumbers is a statement that waits until no other process is in a transaction that has run it. It is "" where there is one writer.
	LockNumbers string

	// OddRequest is the value of a request's id that does not spell 16 bytes. It is a string, or bytes with zeros before the text that are
	// not 16.
	OddRequest func(id string) any

	// Duplicate reports whether a row of the ledger was there already.
	Duplicate func(error) bool

	// Arrived hears, in the transaction of a shipment, that an instance's rows took so much of budgets. It is nil where one Weir alone has the
	// store.
	Arrived func(ctx context.Context, tx *sql.Tx, instance string, took func() *budget.Taken) error

	// KeysChanged is called after each change of keys and teams, to tell other processes. It is nil where they have to look.
	KeysChanged func(context.Context)

	// Shared says that the database has the tables of what replicas share.
	Shared bool

	// Undone reports whether the database has undone a transaction for the sake of others, so that it may be run again.
	Undone func(error) bool
}

// DB is a store in an engine. Its methods may be called concurrently.
type DB struct {
	engine  Engine
	names   names
	shipper shipper
}

// New returns the store in an engine whose schema is up to date. The caller closes the engine's pools.
func New(engine Engine) *DB {
	return &DB{engine: engine, names: names{most: cmp.Or(engine.MostTargets, maxNames)}}
}

// tries is how often a transaction is run that is undone each time.
const tries = 3

// write runs f in a transaction, and commits unless f returns an error. f may be called several times: each finds the store as if it
// were the first.
func (db *DB) write(ctx context.Context, f func(context.Context, *sql.Tx) error) (err error) {
	ctx, cancel := within(ctx, db.engine.Limit)
	defer cancel()
	for range tries {
		err = InTransaction(ctx, db.engine.Writer, nil, func(tx *sql.Tx) error { return f(ctx, tx) })
		if err == nil || !db.engine.Undone(err) {
			return err
		}
	}
	return err
}

// read runs f in a transaction that sees the store as it is at one moment.
func (db *DB) read(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	ctx, cancel := within(ctx, db.engine.Limit)
	defer cancel()
	return InTransaction(ctx, db.engine.Reader, db.engine.AtOnce, func(tx *sql.Tx) error { return f(ctx, tx) })
}

// readAll is read where f may read everything there is.
func (db *DB) readAll(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	ctx, cancel := within(ctx, db.engine.Long)
	defer cancel()
	return InTransaction(ctx, db.engine.Reader, db.engine.AtOnce, func(tx *sql.Tx) error { return f(ctx, tx) })
}

// report runs f in a transaction that makes a report, which ends in time. Its error says what it is about.
func (db *DB) report(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, db.engine.LongestReport, ledger.ErrTooLong)
	defer cancel()
	err := InTransaction(ctx, db.engine.Report, db.engine.AtOnce, func(tx *sql.Tx) error { return f(ctx, tx) })
	if err != nil && errors.Is(context.Cause(ctx), ledger.ErrTooLong) {
		err = errors.Join(ledger.ErrTooLong, err)
	}
	if err != nil {
		return db.engine.Explain("read", err)
	}
	return nil
}

func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
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
