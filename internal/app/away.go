package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/store/postgres"
)

// snapshotFile is the name, in the data folder, of the file with the keys that a start without the store has.
const snapshotFile = "keys.snapshot"

const (
	reachEvery    = time.Second      // how often a store is tried that was away at the start
	snapshotEvery = 10 * time.Second // how often the snapshot is brought up to date, at the most
	snapshotShare = 50               // of the time, at most one such part is spent on writing it
)

// openStore opens the store. If its database is away and the config lets Weir start without it, the store is one whose statements fail.
func (a *App) openStore(ctx context.Context, cfg *config.Config) (db database, away bool, err error) {
	if cfg.StartWithoutStore && cfg.Store.Path != "" {
		return nil, false, errors.New("start_without_store is for a store on Postgres, and this one is a file: remove it")
	}
	a.known = store.NewSnapshot(filepath.Join(cfg.Data, snapshotFile), cfg.Store.String())
	db, err = openStore(ctx, cfg.Store)
	if err == nil || !cfg.StartWithoutStore || !postgres.Away(err) {
		return db, false, err
	}
	why := err
	if db, err = opened(postgres.Later(inPostgres(cfg.Store))); err != nil {
		return nil, false, err
	}
	if _, known, err := a.known.Load(func(auth.Team) {}, func(auth.Key) {}); err != nil {
		return nil, false, errors.Join(fmt.Errorf("%w; and start_without_store does not help: %w", why, err), db.Close())
	} else {
		a.log.Error("the store is away: this start goes by the keys that it had, and keys with budgets are refused until it is back", "reason", why.Error(), "keys_of", known.Format(time.RFC3339))
	}
	return db, true, nil
}

// reach tries again and again to reach a store that was away at the start, and joins the others that share it.
func (a *App) reach(ctx context.Context) {
	s := a.sharing
	if s == nil || s.joined.Load() != nil {
		return
	}
	ticker := time.NewTicker(reachEvery)
	defer ticker.Stop()
	for said := ""; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := postgres.Begin(ctx, s.store)
		if err == nil {
			a.keys.Changed()
			err = a.join(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			a.log.Info("the store has been reached")
			return
		case err.Error() != said:
			said = err.Error()
			a.log.Error("the store cannot be used yet; Weir keeps trying", "reason", said)
		}
	}
}

// keepSnapshot keeps a snapshot of the store's keys for a start without it, if the config allows one.
func (a *App) keepSnapshot(ctx context.Context) {
	if !a.currentConfig().StartWithoutStore {
		return
	}
	var written auth.Version
	var began bool
	failing := false
	for {
		start := time.Now()
		version, known := a.keys.Known()
		var err error
		if began && version == written {
			err = a.known.Touch(version, known)
		} else if err = a.known.Save(version, known, a.keys.StoredTeams(), a.keys.StoredKeys()); err == nil {
			written, began = version, true
		}
		if err != nil && !failing {
			a.log.Warn("the snapshot of the store's keys cannot be written: a start without the store goes by an old one, or fails", "reason", err.Error())
		}
		failing = err != nil
		wait(ctx, max(snapshotEvery, snapshotShare*time.Since(start)), nil)
		if ctx.Err() != nil {
			return
		}
	}
}
