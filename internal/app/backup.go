package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// catchUp is how long a backup waits for the store to take what was recorded before.
const catchUp = time.Minute

// backup copies the store, when it has everything that belongs to it: the revocations and the rows that other files of the data folder hold.
// A call that ends before backup is called has its row in the copy.
func (a *App) backup(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	if a.copier == nil {
		return errNoFile
	}
	patience, cancel := context.WithTimeout(ctx, catchUp)
	defer cancel()
	if err := a.keys.SaveRevocations(patience); err != nil {
		return fmt.Errorf("the store does not have every revocation: %w", err)
	}
	if err := a.ledger.Flush(patience); err != nil {
		return fmt.Errorf("the store does not have every row of the ledger: %w", err)
	}
	return a.copier.CopyTo(ctx, begin)
}

var errNoFile = errors.New("the store is a Postgres database, and no file: pg_dump copies it while Weir serves")

// copier copies the store.
type copier interface {
	// CopyTo calls begin with the size of the copy, which returns where to write it.
	CopyTo(ctx context.Context, begin func(size int64) (io.Writer, error)) error
}

// Backup copies the store of a data folder that no Weir uses. It takes over what the journal holds, as a start does, and changes nothing
// else: a store of another version of Weir is refused.
func Backup(ctx context.Context, cfg *config.Config, log *slog.Logger, begin func(size int64) (io.Writer, error)) (err error) {
	if cfg.Store.Path == "" {
		return errNoFile
	}
	if _, err := os.Stat(cfg.Data); err != nil {
		return fmt.Errorf("there is nothing to back up: cannot look into the data folder: %w", err)
	}
	a := &App{log: log, now: time.Now, config: cfg}
	a.stopped, a.halt = context.WithCancel(context.Background())
	defer func() { err = errors.Join(err, a.unwind()) }()
	release, err := lock(cfg.Data)
	if err != nil {
		return err
	}
	a.atStop("lock", release)
	switch schema, err := sqlite.Inspect(ctx, cfg.Store.Path); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is nothing to back up: %w", err)
	case err != nil:
		return err
	case schema.Applied < schema.Known:
		return fmt.Errorf("the store %s was written by an earlier version of Weir: make the backup with that version, or start this one first, which brings it up to date", cfg.Store)
	}
	db, err := sqlite.Open(ctx, cfg.Store.Path)
	if err != nil {
		return err
	}
	a.atStop("store", db.Close)
	a.rows, a.copier = db, db
	if a.keys, err = auth.NewKeys(ctx, db, a.now, rand.Reader); err != nil {
		return err
	}
	if err := a.keys.Resume(store.NewJournal(filepath.Join(cfg.Data, journalFile))); err != nil {
		return err // a revocation that cannot be read would be missing in the copy
	}
	if err := a.openLedger(ctx, cfg); err != nil {
		return err
	}
	return a.backup(ctx, begin)
}
