// Package postgres is the store in a Postgres database, which any number of Weirs may share. Its statements are those of store/tables;
// here are the connections, what errors mean, and the steps of the schema.
//
// It needs nothing of a connection but transactions, so that it works behind a pool of connections that hands them out for one transaction
// each: no prepared statements, no settings of a session, no locks beyond rows.
package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/store/tables"
	"github.com/weirproxy/weir/internal/version"
)

// DB is an open store. Its methods may be called concurrently.
type DB struct {
	*tables.DB
	place
	pool    *sql.DB
	reports *sql.DB // whatever reports do, keys are read and rows are shipped
	trips   *sql.DB // for round trips of replicas, whatever else waits; it may be pool

	config   *pgx.ConnConfig // of one more connection, to listen
	listens  bool            // there may be one
	notifies atomic.Bool     // the database has NOTIFY
	heard    *heard
}

// Options say where a store is.
type Options struct {
	URL  secret.Text // postgres://user:password@host:port/database?sslmode=…
	Pool int         // connections at most, 2 or more
}

// How long statements may take. The database itself ends those that take longer.
const (
	limit = 30 * time.Second
	long  = time.Hour // of those that read everything

	longestReport = 10 * time.Second
)

// Idle connections are closed, and all after a while, so that a changed address is noticed.
const (
	idleFor  = time.Minute
	usedFor  = 30 * time.Minute
	connects = 3 * time.Second
)

// stretches is how many ranges of ids one statement reads: the database plans each.
const stretches = 64

// unheard is how long the database's system may not acknowledge what was sent to it.
const unheard = 3 * time.Second

// Open connects to the database and brings its schema up to date. The caller closes the DB.
func Open(ctx context.Context, o Options) (*DB, error) {
	db, err := Later(o)
	if err != nil {
		return nil, err
	}
	if err := Begin(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Later returns a store whose statements all fail at once, until Begin has succeeded. The caller closes the DB.
func Later(o Options) (*DB, error) {
	db, err := connect(o)
	if err != nil {
		return nil, err
	}
	db.heard.closed.Store(true)
	return db, nil
}

// Begin brings the schema up to date, and lets statements pass.
func Begin(ctx context.Context, db *DB) error {
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	first := newPool(db.config, 1, new(heard), "")
	plans, err := checkEngine(ctx, first)
	if err == nil {
		_, err = migrate(ctx, first, migrations(), version.String())
	}
	if err = errors.Join(err, first.Close()); err != nil {
		return db.explain("open", err)
	}
	db.heard.plans.Store(plans)
	db.heard.closed.Store(false)
	db.notifies.Store(db.notify(ctx, keysChannel) == nil)
	return nil
}

// Away reports whether an error of Open or Begin says that the database cannot be reached, or not be written at the moment, and not that something is
// wrong with it or with how it is asked for.
func Away(err error) bool {
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		switch failure.Code {
		case "25006", "53100", "53300", "57014", "57P01", "57P02", "57P03":
			return true
		}
		return false
	}
	var unreachable *pgconn.ConnectError
	return errors.As(err, &unreachable) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, driver.ErrBadConn)
}

// connect makes the pool. Nothing is connected before the first statement.
func connect(o Options) (*DB, error) {
	config, err := pgx.ParseConfig(o.URL.Reveal())
	if err != nil {
		return nil, errors.New("store: not the URL of a Postgres database, or a file that it names cannot be read") // the cause may show the password
	}
	config.ConnectTimeout = connects
	config.DialFunc = (&net.Dialer{Timeout: connects, Control: giveUpUnheard}).DialContext
	// Statements without a name, which need no connection of their own.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.StatementCacheCapacity, config.DescriptionCacheCapacity = 0, 0
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "weir"
	}
	most, heard := divide(o.Pool), new(heard)
	db := &DB{
		place: placeOf(config), pool: newPool(config, most.others, heard, ""), reports: newPool(config, most.reports, heard, asReports),
		config: config, listens: most.listens, heard: heard,
	}
	db.trips = db.pool
	if most.trips > 0 {
		db.trips = newPool(config, most.trips, heard, "")
	}
	db.DB = tables.New(tables.Engine{
		Writer: db.pool, Reader: db.pool, Report: db.reports, LongestReport: longestReport, AtOnce: &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead},
		Explain: db.explain, Undone: undone, Limit: limit, Long: long,
		Duplicate: isDuplicate, Bulk: newBulk, LockNumbers: sqlLockNumbers, Shared: true, OddRequest: tables.PaddedRequest, Stretches: stretches, Arrived: arrived, KeysChanged: db.keysChanged,
	})
	return db, nil
}

// division is what connections are for.
type division struct {
	others, reports int
	trips           int // 0 if round trips share those of others
	listens         bool
}

// divide divides the connections that there may be.
func divide(pool int) division {
	d := division{reports: max(pool/3, 1), listens: pool >= 4}
	if pool >= 8 {
		d.trips = 2
	}
	if d.others = pool - d.reports - d.trips; d.listens {
		d.others--
	}
	return d
}

// newPool is so many connections at most, whose transactions have some settings.
func newPool(config *pgx.ConnConfig, most int, heard *heard, settings string) *sql.DB {
	pool := sql.OpenDB(connector{stdlib.GetConnector(*config), heard, settings})
	pool.SetMaxOpenConns(most)
	pool.SetMaxIdleConns(most)
	pool.SetConnMaxIdleTime(idleFor)
	pool.SetConnMaxLifetime(usedFor)
	return pool
}

// Close closes all connections.
func (db *DB) Close() error {
	return errors.Join(db.pool.Close(), db.reports.Close(), db.trips.Close())
}

// oldest is the first release that has all that the statements need, as the database numbers releases.
const oldest = 13_00_00

const sqlLockNumbers = `SELECT only_row FROM numbering FOR UPDATE`

const sqlRelease = `SELECT current_setting('server_version_num'), version(), current_setting('jit', true) IS NOT NULL AND current_setting('enable_hashjoin', true) IS NOT NULL`

// checkWithin is how long a database may take to say what it is.
const checkWithin = 10 * time.Second

// checkEngine refuses a database that is too old. plans is for one that has the settings of asReports.
func checkEngine(ctx context.Context, pool *sql.DB) (plans bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	err = tables.InTransaction(ctx, pool, nil, func(tx *sql.Tx) error {
		var number int
		var name string
		if err := tx.QueryRowContext(ctx, sqlRelease).Scan(&number, &name, &plans); err != nil {
			return err
		}
		return checkRelease(number, name)
	})
	return plans, err
}

func checkRelease(number int, name string) error {
	if number < oldest {
		return fmt.Errorf("it is %s, and Weir needs Postgres 13 or later, or a database that speaks as that does", name)
	}
	return nil
}

// Inspect returns how far the schema of a database has come, and changes nothing.
func Inspect(ctx context.Context, o Options) (_ store.Schema, err error) {
	db, err := connect(o)
	if err != nil {
		return store.Schema{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	steps := migrations()
	schema := store.Schema{Known: len(steps), Needed: store.Needed(steps)}
	err = tables.InTransaction(ctx, db.pool, nil, func(tx *sql.Tx) error {
		ours, err := oursOrEmpty(ctx, tx)
		if err == nil && ours {
			schema.Applied, err = checkApplied(ctx, tx, steps, version.String())
		}
		if err == nil && ours && schema.Applied < len(steps) {
			schema.Waiting, err = waitsFor(ctx, tx, steps, schema.Applied, version.String())
		}
		return err
	})
	if err != nil {
		return store.Schema{}, db.explain("read", err)
	}
	return schema, nil
}
