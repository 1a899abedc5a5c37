package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/store"
)

// journalFile is the name, in the data folder, of the file with the revocations that the store could not be given.
const journalFile = "revocations"

// followEvery is how often Weir looks whether another process has changed keys in the store: a revocation is to hold everywhere within a
// second. A look that finds nothing reads one row.
const followEvery = 250 * time.Millisecond

// openKeys loads the keys of the store and of the config, and the revocations that the store could not be given before the last
// stop. Those come before the config's keys, which may have the names of revoked ones.
func (a *App) openKeys(ctx context.Context, db auth.Store, cfg *config.Config, away bool) (err error) {
	journal := store.NewJournal(filepath.Join(cfg.Data, journalFile))
	if err := journal.Reserve(); err != nil { // a full disk is no reason not to serve
		a.log.Warn("a key that is revoked while the store cannot be written may work again after a restart", "reason", err.Error())
	}
	if away {
		a.keys, err = auth.Restore(db, a.known, a.now, rand.Reader)
	} else {
		a.keys, err = auth.NewKeys(ctx, db, a.now, rand.Reader)
	}
	if err != nil {
		return err
	}
	a.keys.StaleAfter(time.Duration(cfg.StaleKeys), a.log)
	switch err := a.keys.Resume(journal); {
	case errors.Is(err, auth.ErrDamaged):
		a.log.Error("revocations may be lost", "reason", err.Error())
	case err != nil:
		return err
	}
	return a.setFileKeys(cfg)
}

// setFileKeys puts the keys and teams of a config in the place of those before.
func (a *App) setFileKeys(cfg *config.Config) error {
	err := a.keys.SetFile(fileKeys(cfg))
	var needed *auth.TeamNeededError
	if errors.As(err, &needed) {
		return cfg.TeamsError(needed.Error())
	}
	return err
}

// saveRevocations is the last try, at the end.
func (a *App) saveRevocations() error {
	err := a.keys.SaveRevocations(context.Background())
	if err != nil {
		a.keys.LogUnsaved(a.log)
		return fmt.Errorf("the store does not have every revocation, the log says which it lacks: %w", err)
	}
	return nil
}

// UnsavedRevocations are the ids of keys whose revocation is in the journal of the data folder, because the store could not be
// given it. The error satisfies errors.Is(err, fs.ErrNotExist) if the journal is missing.
func UnsavedRevocations(dataDir string) ([]string, error) {
	list, err := store.ReadJournal(filepath.Join(dataDir, journalFile))
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	return ids, err
}
