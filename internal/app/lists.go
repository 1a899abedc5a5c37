package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/store"
)

// listEvery is how often the providers' model lists are fetched again, and listRetry how soon after a failure; saveTimeout is how long
// writing one down may take, for which Weir waits when it stops.
const (
	listEvery = time.Hour
	listRetry = time.Minute

	saveTimeout = 5 * time.Second
)

// lists keeps the providers' own model lists: read from memory, fetched in the background, kept over restarts.
type lists struct {
	store *store.DB
	log   *slog.Logger

	mu      sync.Mutex // held while current is replaced; guards failing
	failing map[string]bool
	current atomic.Pointer[map[string][]provider.ModelInfo]
}

// newLists starts from what was fetched before the last stop.
func newLists(ctx context.Context, db *store.DB, log *slog.Logger) (*lists, error) {
	l := &lists{store: db, log: log, failing: make(map[string]bool)}
	saved, err := db.ModelLists(ctx)
	if err != nil {
		return nil, err
	}
	known := make(map[string][]provider.ModelInfo, len(saved))
	for _, s := range saved {
		var list []provider.ModelInfo
		if json.Unmarshal(s.JSON, &list) == nil { // one that is not understood is fetched again
			known[s.Provider] = list
		}
	}
	l.current.Store(&known)
	return l, nil
}

// get implements gateway.ModelLists.
func (l *lists) get(name string) ([]provider.ModelInfo, bool) {
	list, ok := (*l.current.Load())[name]
	return list, ok
}

var _ gateway.ModelLists = (*lists)(nil).get

// refresh fetches the lists of the given providers, all at once, and reports whether every one came.
func (l *lists) refresh(ctx context.Context, of []*provider.Provider) bool {
	var wg sync.WaitGroup
	var failed atomic.Bool
	for _, p := range of {
		wg.Go(func() {
			err := l.fetch(ctx, p)
			if err != nil {
				failed.Store(true)
			}
			if ctx.Err() == nil {
				l.report(p.Name, err)
			}
		})
	}
	wg.Wait()
	return !failed.Load()
}

// report logs a failure when it is news.
func (l *lists) report(name string, err error) {
	l.mu.Lock()
	before := l.failing[name]
	l.failing[name] = err != nil
	l.mu.Unlock()
	if err != nil && !before {
		l.log.Warn("cannot fetch a provider's list of models; calls work all the same", "provider", name, "reason", err.Error())
	}
}

func (l *lists) fetch(ctx context.Context, p *provider.Provider) error {
	fetching, cancel := context.WithTimeout(ctx, provider.ModelListTimeout)
	defer cancel()
	list, err := p.Models(fetching)
	if errors.Is(err, provider.ErrNoModelList) {
		if _, had := l.get(p.Name); !had {
			return nil
		}
		list, err = nil, nil // what a provider of that name said before it was changed holds no longer
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	next := maps.Clone(*l.current.Load())
	next[p.Name] = list
	l.current.Store(&next)
	l.mu.Unlock()
	saved, err := json.Marshal(list)
	if err != nil {
		return err
	}
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), saveTimeout) // what was shown is there after a restart, even one at once
	defer cancel()
	return l.store.SaveModelList(ctx, store.ModelList{Provider: p.Name, JSON: saved, FetchedAt: time.Now()})
}

// keepFresh fetches the lists now, hourly, and when wake says that providers have changed, until ctx ends.
func (l *lists) keepFresh(ctx context.Context, of func() []*provider.Provider, wake <-chan struct{}) {
	for {
		select {
		case <-wake: // those of now are fetched in any case, and need not be once more
		default:
		}
		wait := listEvery
		if !l.refresh(ctx, of()) {
			wait = listRetry
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-wake:
			timer.Stop()
		case <-timer.C:
		}
	}
}
