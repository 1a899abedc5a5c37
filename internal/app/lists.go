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

// listEvery is how often the providers' model lists are fetched again. listRetry is how soon after a failure, so that a model server
// that starts after Weir is found within that time. saveTimeout is how long storing a list may take; Weir waits for it when it
// stops.
const (
	listEvery = time.Hour
	listRetry = 5 * time.Second

	saveTimeout = 5 * time.Second
)

// listStore keeps the lists for good. Its methods may be called concurrently; what SaveModelList has returned nil for survives the end of
// the process and of the machine.
type listStore interface {
	// ModelLists returns the last list of every provider that had one, ordered by provider. Providers that have left the config since
	// are still among them.
	ModelLists(ctx context.Context) ([]store.ModelList, error)

	// SaveModelList replaces the list of its provider. FetchedAt is kept to the microsecond.
	SaveModelList(ctx context.Context, list store.ModelList) error
}

// lists keeps the providers' own model lists: read from memory, fetched in the background, kept over restarts.
type lists struct {
	store listStore
	log   *slog.Logger

	mu      sync.Mutex // held while current is replaced; guards failing
	failing map[string]bool
	current atomic.Pointer[map[string][]provider.ModelInfo]
}

// newLists starts from what was fetched before the last stop, or from nothing while the store is away.
func newLists(ctx context.Context, db listStore, log *slog.Logger, away bool) (*lists, error) {
	l := &lists{store: db, log: log, failing: make(map[string]bool)}
	saved, err := db.ModelLists(ctx)
	if err != nil && !away {
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

// refresh fetches the lists of the given providers, all at once, and returns those whose lists did not come.
func (l *lists) refresh(ctx context.Context, of []*provider.Provider) []*provider.Provider {
	var wg sync.WaitGroup
	failed := make([]bool, len(of))
	for i, p := range of {
		wg.Go(func() {
			err := l.fetch(ctx, p)
			failed[i] = err != nil
			if ctx.Err() == nil {
				l.report(p.Name, err)
			}
		})
	}
	wg.Wait()
	var again []*provider.Provider
	for i, p := range of {
		if failed[i] {
			again = append(again, p)
		}
	}
	return again
}

// unsavedList is the failure to write down a list that came.
type unsavedList struct{ error }

func (u unsavedList) Unwrap() error { return u.error }

// report logs a failure when it is news.
func (l *lists) report(name string, err error) {
	l.mu.Lock()
	before := l.failing[name]
	l.failing[name] = err != nil
	l.mu.Unlock()
	if err == nil || before {
		return
	}
	message := "cannot fetch a provider's list of models; calls work all the same"
	if errors.As(err, new(unsavedList)) {
		message = "cannot save a provider's list of models, which a restart will not know; calls work all the same"
	}
	l.log.Warn(message, "provider", name, "reason", err.Error())
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
	if err := l.store.SaveModelList(ctx, store.ModelList{Provider: p.Name, JSON: saved, FetchedAt: time.Now()}); err != nil {
		return unsavedList{err}
	}
	return nil
}

// keepFresh has the lists fetched now, hourly, when wake says that providers have changed, and those that failed every few seconds, until
// ctx ends. refresh returns the providers whose lists are to be fetched again soon.
func keepFresh(ctx context.Context, of func() []*provider.Provider, refresh func(context.Context, []*provider.Provider) []*provider.Provider, wake <-chan struct{}) {
	for ctx.Err() == nil {
		select {
		case <-wake: // those of now are fetched in any case, and need not be once more
		default:
		}
		all := time.NewTimer(listEvery)
		again := refresh(ctx, of())
		for more := true; more; {
			soon := time.NewTimer(listRetry)
			if len(again) == 0 {
				soon.Stop()
			}
			select {
			case <-soon.C:
				again = refresh(ctx, again)
			case <-ctx.Done():
				more = false
			case <-wake:
				more = false
			case <-all.C:
				more = false
			}
			soon.Stop()
		}
		all.Stop()
	}
}
