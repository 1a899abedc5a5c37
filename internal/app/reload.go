package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/provider"
)

// Reload reads the config again and applies it to requests that begin from now on. A config with errors
// changes nothing. Some settings need a restart: the result names those that differ, and the rest applies.
func (a *App) Reload(ctx context.Context) (admin.ReloadResult, error) {
	a.turn.Lock()
	defer a.turn.Unlock()
	files, _, _ := a.files()
	state := fingerprint(files) // before they are read: what changes meanwhile is then noticed
	cfg, err := a.readAgain()   // which may take as long as Vault and programs do
	a.reloading.Lock()
	defer a.reloading.Unlock()
	a.read = state
	var result admin.ReloadResult
	if a.refused = err != nil && a.reread != nil; err == nil {
		result, err = a.apply(cfg)
	}
	if !slices.Equal(files, a.config.Files) {
		a.read = fingerprint(a.config.Files)
	}
	a.remember(result, err)
	a.metrics.Reloaded(err == nil, a.now())
	if err != nil {
		a.log.Error("the config was not reloaded; the one before stays in force", "reason", err.Error())
		return result, err
	}
	a.logReloaded(ctx, result)
	warnOf(a.config, a.log)
	return result, nil
}

// logReloaded says what a reload did. That something is gone is a warning: a file that was cut short may still be a config.
func (a *App) logReloaded(ctx context.Context, result admin.ReloadResult) {
	level, attributes := slog.LevelInfo, []any{"needs_restart", result.NeedsRestart}
	for _, removed := range []struct {
		name  string
		names []string
	}{{"removed_providers", result.Removed.Providers}, {"removed_models", result.Removed.Models}, {"removed_teams", result.Removed.Teams}, {"removed_keys", result.Removed.Keys}} {
		if len(removed.names) > 0 {
			level, attributes = slog.LevelWarn, append(attributes, removed.name, removed.names)
		}
	}
	a.log.Log(ctx, level, "the config was reloaded", attributes...)
}

// warnOf logs what the config says and hardly means.
func warnOf(cfg *config.Config, log *slog.Logger) {
	for _, w := range cfg.Warnings {
		log.Warn("the config has a warning", "warning", w.Error())
	}
}

// readAgain reads the config again.
func (a *App) readAgain() (*config.Config, error) {
	switch {
	case a.stopped.Err() != nil:
		return nil, errStopping
	case a.reread == nil:
		return nil, errors.New("this Weir read its config from standard input: start it again to change it")
	}
	return a.reread(a.stopped)
}

// errStopping is why nothing is applied any more.
var errStopping = errors.New("this Weir is stopping")

// apply has requests that begin from now on use a config. a.reloading is held.
func (a *App) apply(cfg *config.Config) (admin.ReloadResult, error) {
	var result admin.ReloadResult
	if a.stopped.Err() != nil {
		return result, errStopping
	}
	before := a.config.Contents()
	if err := cfg.Replaces(before, a.keys.HasStored()); err != nil {
		return result, err
	}
	var certificates []func() // put to use when nothing can fail any more
	for _, s := range a.servers() {
		if s.certificate != nil {
			use, err := s.certificate.read()
			if err != nil {
				return result, err
			}
			certificates = append(certificates, use)
		}
	}
	if err := a.startSim(cfg); err != nil {
		return result, err
	}
	made, err := a.build(cfg, a.providers)
	if err != nil {
		return result, err
	}
	traced, err := traceTerms(cfg, made)
	if err != nil {
		return result, err
	}
	if err := a.setFileKeys(cfg); err != nil {
		return result, err
	}
	for _, use := range certificates {
		use()
	}
	snap := a.snapshot(cfg, made)
	a.gateway.Apply(snap)
	a.board.Release()
	old := a.providers
	a.providers = made
	old.closeExcept(made)
	result.Applied, result.NeedsRestart = true, needsRestart(a.started, cfg)
	result.Removed = admin.Contents(before.Without(cfg.Contents()))
	a.config = cfg
	if a.secrets != nil {
		a.secrets.InForce(cfg)
	}
	a.alerts.Set(alertTerms(cfg))
	a.keys.StaleAfter(time.Duration(cfg.StaleKeys), a.log)
	a.traces.Set(traced)
	a.wantLists(snap)
	return result, nil
}

// contents are the names in the config in force.
func (a *App) contents() admin.Contents { return admin.Contents(a.currentConfig().Contents()) }

// needsRestart names the settings of a config that differ from those that this Weir was started with, and that only a restart can apply.
func needsRestart(old, cfg *config.Config) []string {
	names := []string{}
	changed := func(name string, differs bool) {
		if differs {
			names = append(names, name)
		}
	}
	changed("listen", differ(old.Listen, cfg.Listen))
	changed("admin", differ(old.Admin.Listen, cfg.Admin.Listen) || old.Admin.Token != cfg.Admin.Token || old.Admin.URL != cfg.Admin.URL || old.Admin.TokenLogin != cfg.Admin.TokenLogin)
	changed("console", old.Console != cfg.Console)
	changed("store", old.Store != cfg.Store)
	changed("start_without_store", old.StartWithoutStore != cfg.StartWithoutStore)
	changed("lost_after", old.LostAfter != cfg.LostAfter)
	changed("data", old.Data != cfg.Data)
	changed("journal", old.Journal != cfg.Journal)
	changed("durability", old.Durability != cfg.Durability)
	changed("timezone", old.Timezone != cfg.Timezone)
	changed("limits.connections", old.Limits.Connections != cfg.Limits.Connections)
	changed("metrics", old.Metrics.Token != cfg.Metrics.Token || old.Metrics.GenAI != cfg.Metrics.GenAI || (old.Metrics.Listen == nil) != (cfg.Metrics.Listen == nil) ||
		cfg.Metrics.Listen != nil && differ(*old.Metrics.Listen, *cfg.Metrics.Listen))
	return names
}

func differ(a, b config.Listener) bool {
	if a.Addr != b.Addr || (a.TLS == nil) != (b.TLS == nil) {
		return true
	}
	return a.TLS != nil && *a.TLS != *b.TLS
}

// closeExcept frees the connections of the providers that are not among those kept.
func (p providers) closeExcept(kept providers) {
	for name, old := range p {
		if kept[name].provider != old.provider {
			old.provider.Close()
		}
	}
}

// wantLists has the model lists of the providers fetched that the snapshot passes models through of.
func (a *App) wantLists(snap *gateway.Snapshot) {
	var want []*provider.Provider
	for _, p := range snap.Table.PassThroughs() {
		if of := snap.Providers[p.Provider]; !slices.Contains(want, of) {
			want = append(want, of)
		}
	}
	a.inUse.Store(&want)
	select {
	case a.newInUse <- struct{}{}:
	default: // it is awake already
	}
}

// How often the config's files are looked at, and how long they must be unchanged before they are read. Editors and
// volume mounts write in several steps. A refused config may name a file that does not exist yet and so is not
// watched. So it is tried again now and then, even if the other files do not change. That asks Vault and programs, so the
// pauses grow.
const (
	lookEvery  = 500 * time.Millisecond
	standStill = 2 * time.Second
	tryFirst   = 5 * time.Second
	tryMost    = time.Minute
)

// retry says when a refused config is tried again.
type retry struct {
	last  time.Time
	pause time.Duration
}

// again begins with the first pause: something has changed.
func (r *retry) again(now time.Time) { *r = retry{now, tryFirst} }

// failed notes that the config is refused still.
func (r *retry) failed(now time.Time) { *r = retry{now, min(2*r.pause, tryMost)} }

// due reports whether the pause is over.
func (r *retry) due(now time.Time) bool { return now.Sub(r.last) >= r.pause }

// watch reloads the config after it, or a file that it names, has changed.
func (a *App) watch(ctx context.Context) {
	if a.reread == nil {
		return
	}
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	_, last, _ := a.files()
	since := time.Now()
	var next retry
	next.again(since)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		files, read, refused := a.files()
		switch now := fingerprint(files); {
		case now != last:
			last, since = now, time.Now()
		case now != read && time.Since(since) >= standStill:
			_, _ = a.Reload(ctx) // it has logged why it failed; once is enough
			next.again(time.Now())
		case !refused:
			next.again(time.Now())
		case next.due(time.Now()):
			if _, err := a.readAgain(); err == nil { // otherwise it is as bad as before, and the log has said so
				_, _ = a.Reload(ctx)
			}
			next.failed(time.Now())
		}
	}
}

// askEvery is how often it is asked whether the config has changed otherwise than by its files.
const askEvery = 4 * time.Second

// ask reloads the config when it is said to have changed, or when a value that it refers to elsewhere has.
func (a *App) ask(ctx context.Context) {
	if a.reread == nil || a.changed == nil && a.secrets == nil {
		return
	}
	ticker := time.NewTicker(askEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		changed := a.changed != nil && a.changed(ctx)
		if a.secrets != nil && a.secrets.Changed(ctx) {
			changed = true
		}
		if changed {
			_, _ = a.Reload(ctx) // it logs why it failed
		}
	}
}

// fingerprint identifies the state of files: their names, sizes and times of change.
func fingerprint(files []string) string {
	var b strings.Builder
	for _, name := range files {
		b.WriteString(name)
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			b.WriteString(" missing\n")
		case err != nil:
			b.WriteString(" unreadable\n")
		default:
			fmt.Fprintf(&b, " %d %d\n", info.ModTime().UnixNano(), info.Size())
		}
	}
	return b.String()
}
