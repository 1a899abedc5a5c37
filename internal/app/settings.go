package app

import (
	"context"
	"os"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/config"
)

// sizeWithin is how long the database may take to say how large it is.
const sizeWithin = 2 * time.Second

// sized is a database that says how large it is, in bytes.
type sized interface {
	Size(ctx context.Context) (int64, error)
}

// settings are the config in force, and what became of it.
func (a *App) settings(ctx context.Context) admin.Settings {
	a.reloading.Lock()
	cfg := a.config
	shown := admin.Settings{
		Version: a.version, Loaded: a.loaded.UTC(), Reload: a.reloaded, NeedsRestart: needsRestart(a.started, cfg),
		Warnings: []string{}, Values: []admin.Setting{}, File: orNil(cfg.Path),
	}
	a.reloading.Unlock()
	for _, w := range cfg.Warnings {
		shown.Warnings = append(shown.Warnings, w.Error())
	}
	shown.Warnings = append(shown.Warnings, a.failingSecrets()...)
	for _, s := range cfg.Settings() {
		if s.Hidden {
			state := "unset"
			if s.Set {
				state = "set"
			}
			s.Value = &state
		}
		shown.Values = append(shown.Values, admin.Setting{Name: s.Name, Value: s.Value, Hidden: s.Hidden, From: orNil(s.From)})
	}
	shown.Store = a.storeInfo(ctx)
	shown.Store.KeepDays = int(cfg.Ledger.Keep)
	return shown
}

// storeInfo describes the store that was opened at the start.
func (a *App) storeInfo(ctx context.Context) admin.StoreInfo {
	at := a.started.Store
	if at.Path != "" {
		return admin.StoreInfo{Kind: "sqlite", Place: at.Path, Bytes: sizeOfFile(at)}
	}
	info := admin.StoreInfo{Kind: "postgres", Place: at.String()}
	if db, ok := a.rows.(sized); ok {
		ctx, cancel := context.WithTimeout(ctx, sizeWithin)
		defer cancel()
		if bytes, err := db.Size(ctx); err == nil {
			info.Bytes = &bytes
		}
	}
	return info
}

// sizeOfFile is the size of a SQLite file with what was written beside it and waits to go in; nil if it cannot be seen.
func sizeOfFile(at config.Store) *int64 {
	info, err := os.Stat(at.Path)
	if err != nil {
		return nil
	}
	bytes := info.Size()
	if beside, err := os.Stat(at.Path + "-wal"); err == nil {
		bytes += beside.Size()
	}
	return &bytes
}

// remember notes how a reload ended, for settings. a.reloading is held.
func (a *App) remember(result admin.ReloadResult, err error) {
	at := a.now()
	a.reloaded = &admin.Reload{At: at.UTC(), Removed: result.Removed}
	if err != nil {
		text := err.Error()
		a.reloaded.Error, a.reloaded.Removed = &text, admin.Contents(config.Contents{}.Without(config.Contents{})) // lists that are empty, and not null
		return
	}
	a.loaded = at
}
