// Package sqlite is the store in one SQLite file. It keeps what changes while Weir runs: API keys, the providers' model lists, the responses that
// callers go on from, and answers for repeats. Statements that are the same for all databases are in store/tables.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/weirproxy/weir/internal/store/tables"
)

// DB is an open store. Its methods may be called concurrently.
type DB struct {
	*tables.DB
	path string
	// SQLite has one writer at a time. Letting them queue for one connection here, rather than for the
	// file's lock, keeps their order and spares them the busy errors.
	writer  *sql.DB
	readers *sql.DB
	reports *sql.DB // readers of the ledger: whatever they do, keys and stored responses are read
}

// maxReaders is the size of the pool of reading connections. The data path reads nothing from it but stored responses, and answers for repeats. maxReports is that
// of the connections that make reports: two for callers, one that verifies, and others for operators.
const maxReaders, maxReports = 4, 5

// longestReport is far more than any report needs of ten million rows.
const longestReport = 10 * time.Second

// Open opens the SQLite file at path, makes it (mode 0600) and its folder (0700) if need be, and brings
// its schema up to date. The caller closes the DB.
func Open(ctx context.Context, path string) (*DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	if err := create(absolute); err != nil {
		return nil, fmt.Errorf("cannot create the store, check store: and data: in the config: %w", err)
	}
	db := &DB{path: absolute}
	if err := db.connect(); err != nil {
		return nil, errors.Join(db.explain("open", err), db.Close())
	}
	db.DB = tables.New(db.engine(longestReport))
	if err := migrate(ctx, db.writer, migrations()); err != nil {
		return nil, errors.Join(db.explain("open", err), db.Close())
	}
	return db, nil
}

// engine is the file for the statements.
func (db *DB) engine(longestReport time.Duration) tables.Engine {
	return tables.Engine{
		Writer: db.writer, Reader: db.readers, Report: db.reports, Explain: db.explain, Undone: undone, Duplicate: isDuplicate, Bulk: db.prepareBulk,
		OddRequest: func(id string) any { return id }, LongestReport: longestReport,
	}
}

// create makes an empty file, since SQLite would make one that every user may read. The files that SQLite adds get
// the same mode.
func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// connect opens all pools. Nothing touches the file before the first statement.
func (db *DB) connect() error {
	options := url.Values{
		"_busy_timeout": {"5000"}, // a backup tool may hold the lock for a moment
		"_foreign_keys": {"on"},
		"_journal_mode": {"WAL"},  // readers and the writer do not wait for each other
		"_synchronous":  {"FULL"}, // a revoked key stays revoked when the power fails
		"_txlock":       {"immediate"},
		"_dqs":          {"0"}, // a misspelt column in double quotes is an error, not a string
		"mode":          {"rw"},
	}
	var err error
	if db.writer, err = sql.Open("sqlite", db.dsn(options)); err != nil {
		return err
	}
	db.writer.SetMaxOpenConns(1)
	options.Set("_query_only", "on")
	options.Set("_txlock", "deferred")
	if db.readers, err = sql.Open("sqlite", db.dsn(options)); err != nil {
		return err
	}
	db.readers.SetMaxOpenConns(maxReaders)
	if db.reports, err = sql.Open("sqlite", db.dsn(options)); err != nil {
		return err
	}
	db.reports.SetMaxOpenConns(maxReports)
	return nil
}

func (db *DB) dsn(options url.Values) string {
	return fileURL(filepath.ToSlash(db.path), options)
}

// fileURL is the URI of an absolute path with slashes. One that begins with a drive's letter, as on Windows, needs another slash:
// SQLite takes the letter for a host otherwise.
func fileURL(path string, options url.Values) string {
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}).String()
}

// Close writes everything back into the one file and closes it. A DB that could not be opened may be closed too.
func (db *DB) Close() error {
	var errs []error
	for _, pool := range []*sql.DB{db.reports, db.readers, db.writer} { // the last to close folds the WAL into the file
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	return errors.Join(errs...)
}

func inTransaction(ctx context.Context, pool *sql.DB, f func(*sql.Tx) error) error {
	return tables.InTransaction(ctx, pool, nil, f)
}

// undone is for transactions that others undo. SQLite has none: its writers wait for each other.
func undone(error) bool { return false }

// isDuplicate is for a row that is there already.
func isDuplicate(err error) bool {
	var failure *driver.Error
	return errors.As(err, &failure) && failure.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
}

// explain says which file an error is about and, where that is known, what to do.
func (db *DB) explain(verb string, err error) error {
	advice := ""
	var failure *driver.Error
	if errors.As(err, &failure) {
		switch failure.Code() & 0xff { // the extended codes refine the low byte
		case sqlite3.SQLITE_NOTADB:
			advice = " (this is no SQLite database: check store: in the config)"
		case sqlite3.SQLITE_CORRUPT:
			advice = " (the file is damaged: restore it from a backup)"
		case sqlite3.SQLITE_FULL:
			advice = " (the disk is full)"
		case sqlite3.SQLITE_BUSY:
			advice = " (another process holds its lock)"
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
			advice = " (Weir needs to write this file and its folder)"
		}
	}
	return fmt.Errorf("cannot %s the store %s%s: %w", verb, db.path, advice, err)
}
