package idempotency

import (
	"context"
	"log/slog"
	"time"
)

// How records are deleted that have expired: a few at a time, so that no other write of the store waits long. They are not given out in
// between.
const (
	expireEvery = 10 * time.Minute
	expireRows  = 200
)

// Expire deletes records that have expired, and those of revoked API keys, now and then until ctx ends.
func (b *Book) Expire(ctx context.Context, log *slog.Logger) {
	ticks := time.NewTicker(expireEvery)
	defer ticks.Stop()
	failing := false
	for {
		b.forgetLost()
		err := b.forget(ctx)
		if err != nil && ctx.Err() == nil && !failing {
			log.Warn("cannot delete expired answers to requests with an Idempotency-Key; they are not given out", "reason", err.Error())
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
	}
}

// forget deletes what there is to delete.
func (b *Book) forget(ctx context.Context) error {
	for {
		n, err := b.store.ForgetIdempotent(ctx, b.now(), expireRows)
		if err != nil || n < expireRows {
			return err
		}
	}
}

// forgetLost forgets runs whose answer could not be stored, when their claim has expired.
func (b *Book) forgetLost() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for hash, r := range b.running {
		if r.lost && !b.now().Before(r.claim.Until) {
			delete(b.running, hash)
		}
	}
}
