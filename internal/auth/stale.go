package auth

import (
	"iter"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// currency is whether the keys of the store are known as they are now, or nearly: a key that was revoked elsewhere must not go on for ever
// because the store cannot be read.
type currency struct {
	stale   atomic.Bool // keys of the store are refused
	refused *llm.Error

	mu    sync.Mutex // guards what follows
	known time.Time  // when the store said last what has changed
	after time.Duration
	timer *time.Timer // nil where keys never are stale
	log   *slog.Logger
}

// StaleAfter has the keys of the store refused, with 503, once the store has not said for so long what has changed. Until it is called they are
// never refused for that.
func (k *Keys) StaleAfter(after time.Duration, log *slog.Logger) {
	c := &k.currency
	c.mu.Lock()
	defer c.mu.Unlock()
	c.after, c.log = after, log
	if c.timer == nil {
		c.timer = time.AfterFunc(time.Until(c.known.Add(after)), c.expire)
	} else {
		c.timer.Reset(time.Until(c.known.Add(after)))
	}
	c.judge()
}

func (c *currency) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.judge()
}

// judge finds out whether the keys are stale. The lock is held.
func (c *currency) judge() {
	stale := time.Since(c.known) >= c.after
	if c.stale.Swap(stale) == stale {
		return
	}
	if stale {
		c.log.Error("the store has not been read for too long: its keys are refused until it can be, because some may have been revoked", "stale_keys", c.after.String())
	} else {
		c.log.Info("the store's keys are let in again")
	}
}

// renew notes that what has changed up to a time is known.
func (c *currency) renew(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = now
	if c.timer == nil {
		return
	}
	c.timer.Reset(time.Until(now.Add(c.after)))
	c.judge()
}

// staleError is what holders of the store's keys get then.
func staleError() *llm.Error {
	return &llm.Error{
		Kind: llm.KeysUnavailable, RetryAfter: time.Second,
		Message: "Weir has not been able to read its store for too long to be sure that this key is still good, so the request is not served. Send it again later; the operator finds the reason in the log.",
	}
}

// Known returns the last version of the store whose changes are all known, and when the store last said that it has no later one.
func (k *Keys) Known() (Version, time.Time) {
	k.following.Lock()
	defer k.following.Unlock()
	k.currency.mu.Lock()
	defer k.currency.mu.Unlock()
	return k.followed, k.currency.known
}

// StoredTeams and StoredKeys go over the teams and keys of the store, as that has them: a revocation that it does not have yet is not there. Those that change
// meanwhile are there as they were or as they are.
func (k *Keys) StoredTeams() iter.Seq[Team] {
	return func(yield func(Team) bool) {
		k.mu.RLock()
		all := k.index.teams.all()
		k.mu.RUnlock()
		for _, team := range all {
			if !team.FromFile && !yield(*team) {
				return
			}
		}
	}
}

// StoredKeys is described with StoredTeams.
func (k *Keys) StoredKeys() iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for cursor := ""; ; {
			page, err := k.List(cursor, maxPage)
			if err != nil { // which is of cursors that no list returned
				return
			}
			for _, key := range page.Keys {
				if key.Unsaved != nil {
					key.RevokedAt, key.Cut, key.Unsaved = time.Time{}, false, nil
				}
				if key.Team = nil; !key.FromFile && !yield(key) {
					return
				}
			}
			if cursor = page.Next; cursor == "" {
				return
			}
		}
	}
}
