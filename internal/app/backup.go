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
)

// catchUp is how long a backup waits for the store to take what was recorded before.
const catchUp = time.Minute

// backup copies the store, when it has everything that belongs to it: the revocations and the rows that other files of the data folder hold.
// A call that ends before backup is called has its row in the copy.
func (a *App) backup(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	if a.copier == nil {
		return errNoFile
	}
	if err := a.settle(ctx); err != nil {
		return err
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
	a, db, err := atRest(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.unwind()) }()
	a.copier = db.(copier) // a file is one
	return a.backup(ctx, begin)
}

// atRest opens a store that no Weir uses, with what the data folder holds for it. The caller unwinds the App.
func atRest(ctx context.Context, cfg *config.Config, log *slog.Logger) (_ *App, _ database, err error) {
	_, missing := os.Stat(cfg.Data)
	if missing != nil && cfg.Store.Path != "" {
		return nil, nil, fmt.Errorf("there is nothing to copy: cannot look into the data folder: %w", missing)
	}
	a := &App{log: log, now: time.Now, config: cfg}
	a.stopped, a.halt = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			err = errors.Join(err, a.unwind())
		}
	}()
	if missing == nil {
		release, err := lock(cfg.Data)
		if err != nil {
			return nil, nil, err
		}
		a.atStop("lock", release)
	}
	switch schema, err := Schema(ctx, cfg.Store); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is nothing to copy: %w", err)
	case err != nil:
		return nil, nil, err
	case schema.Applied < schema.Needed:
		return nil, nil, fmt.Errorf("the store %s was written by an earlier version of Weir: make the copy with that version, or bring the store up to date first, with weir migrate", cfg.Store)
	}
	db, err := openStore(ctx, cfg.Store)
	if err != nil {
		return nil, nil, err
	}
	a.atStop("store", db.Close)
	if a.rows = db; missing != nil { // no Weir has run here
		return a, db, nil
	}
	if a.keys, err = auth.NewKeys(ctx, db, a.now, rand.Reader); err != nil {
		return nil, nil, err
	}
	if err := a.keys.Resume(store.NewJournal(filepath.Join(cfg.Data, journalFile))); err != nil {
		return nil, nil, err // a revocation that cannot be read would be missing in the copy
	}
	if err := a.openLedger(ctx, cfg); err != nil {
		return nil, nil, err
	}
	return a, db, nil
}

// settle has the store take everything that belongs to it: the revocations and the rows that other files of the data folder hold.
func (a *App) settle(ctx context.Context) error {
	if a.ledger == nil {
		return nil
	}
	patience, cancel := context.WithTimeout(ctx, catchUp)
	defer cancel()
	if err := a.keys.SaveRevocations(patience); err != nil {
		return fmt.Errorf("the store does not have every revocation: %w", err)
	}
	if err := a.ledger.Flush(patience); err != nil {
		return fmt.Errorf("the store does not have every row of the ledger: %w", err)
	}
	return nil
}
