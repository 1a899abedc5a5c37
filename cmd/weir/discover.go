package main

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/weirproxy/weir/internal/provider"
)

// discovery is what a start without a config file found on this machine. It may be used from several goroutines.
type discovery struct {
	sys *system
	log *slog.Logger

	mu    sync.Mutex // guards what follows
	found []provider.Local
	known bool // found is as new as a reload needs it
}

// look returns the kinds of the servers that answer now, which replace those found before; what changed has just found is not
// looked for again.
func (d *discovery) look(ctx context.Context) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.known {
		d.found = localServers(ctx, d.sys)
	}
	d.known = false
	return kindsOf(d.found)
}

// changed reports whether a server answers that was not found before. A server that is gone stays in the list. It may be busy
// or restarting, and a failed call explains more than a model that does not exist.
func (d *discovery) changed(ctx context.Context) bool {
	now := localServers(ctx, d.sys)
	d.mu.Lock()
	defer d.mu.Unlock()
	var more []provider.Local
	for _, l := range now {
		if !slices.ContainsFunc(d.found, func(f provider.Local) bool { return f.Kind == l.Kind }) {
			more = append(more, l)
		}
	}
	if len(more) == 0 {
		return false
	}
	d.found, d.known = append(d.found, more...), true
	d.log.Info("found model servers on this machine", "providers", kindsOf(more))
	return true
}

// local are the servers found.
func (d *discovery) local() []provider.Local {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.found)
}
