package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/store/tables"
)

func opened(t *testing.T) *DB {
	t.Helper()
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "weir.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// A report ends in time, and says why. That a caller leaves is another error.
func TestReportsEndInTime(t *testing.T) {
	t.Parallel()
	db := opened(t)
	usage := func(ctx context.Context) error {
		_, err := db.Usage(ctx, &ledger.UsageQuery{By: ledger.ByModel})
		return err
	}
	rows := func(ctx context.Context) error { _, _, err := db.Rows(ctx, &ledger.RowsQuery{Limit: 1}); return err }
	for _, ask := range []func(context.Context) error{usage, rows} {
		db.DB = tables.New(db.engine(time.Minute))
		if err := ask(t.Context()); err != nil {
			t.Error(err)
		}
		left, leave := context.WithCancel(t.Context())
		leave()
		if err := ask(left); !errors.Is(err, context.Canceled) || errors.Is(err, ledger.ErrTooLong) {
			t.Error(err)
		}
		db.DB = tables.New(db.engine(time.Nanosecond))
		if err := ask(t.Context()); !errors.Is(err, ledger.ErrTooLong) {
			t.Error(err)
		}
	}
}

// While all places of reports are taken, rows are shipped and keys are read.
func TestReportsKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	db := opened(t)
	for range maxReports {
		tx, err := db.reports.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		if _, err := tx.Exec("SELECT count(*) FROM attempts"); err != nil { // it sees the store as it is now
			t.Fatal(err)
		}
	}
	calls := newCalls(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), time.Second)
	if err := db.Ship(t.Context(), calls.next(100)); err != nil {
		t.Error(err)
	}
	if _, last, err := db.Shipped(t.Context(), "one"); err != nil || last == 0 {
		t.Error(last, err)
	}
	if _, err := db.ChangesSince(t.Context(), 0, nil, func(auth.Key) {}); err != nil {
		t.Error(err)
	}
	db.DB = tables.New(db.engine(time.Millisecond))
	if _, err := db.Usage(t.Context(), &ledger.UsageQuery{By: ledger.ByModel}); !errors.Is(err, ledger.ErrTooLong) {
		t.Errorf("a report without a place: %v", err)
	}
}
