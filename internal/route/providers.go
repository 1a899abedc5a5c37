package route

import (
	"strings"
	"time"
)

// Holder is one credential of a provider.
type Holder struct {
	Parked bool      // its provider refused it: to a key, which does not use it for a while, or to several, and then none does
	Rests  bool      // it is at its rate limit
	Since  time.Time // when it was parked last; zero if it is not
	Until  time.Time // when it may be used again; zero if it may be now
}

// Holders are the n credentials of a provider, in their order.
func (b *Board) Holders(provider string, n int, now time.Time) []Holder {
	credentials := b.credentialsAside(provider, max(n, 1)) // asking for a rest may begin it
	all := make([]Holder, len(credentials.each))
	for i := range all {
		one, h := &credentials.each[i], &all[i]
		free := now
		if left := one.rest.left(now); left > 0 {
			h.Rests, free = true, now.Add(left)
		}
		if p := one.parkedForSome(); p != nil {
			h.Parked, h.Since = true, p.since
			if until := p.until(now); until.After(free) {
				free = until
			}
		}
		if free.After(now) {
			h.Until = free
		}
	}
	return all
}

// OpenSince is when the breaker of a target last opened for all keys, whether it has probed since or not; zero if it is closed.
func (b *Board) OpenSince(t *Target) time.Time {
	h := b.known(&Target{Provider: t.Provider, Model: t.Model})
	if h == nil {
		return time.Time{}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.breaker.all.open {
		return time.Time{}
	}
	return h.breaker.opened
}

// Reset is Release for one provider: all of its targets and its credentials, or, if model is not "", the target of that model alone, or those whose names begin
// as it does before its *.
func (b *Board) Reset(provider, model string) {
	prefix, wild := strings.CutSuffix(model, "*")
	b.targets.each(func(name targetName, h *Health) {
		if name.provider == provider && (model == "" || name.model == model || wild && strings.HasPrefix(name.model, prefix)) {
			h.release()
		}
	})
	if model != "" {
		return
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	for set, c := range b.credentials {
		if set.provider == provider {
			c.release()
		}
	}
}
