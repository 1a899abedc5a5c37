package stored

import (
	"context"
	"log/slog"
	"time"
)

// expireEvery is how often old answers are deleted. They are not given out in between.
const expireEvery = 10 * time.Minute

// Expire deletes the answers that have expired, and those of revoked keys, now and then until ctx ends.
func Expire(ctx context.Context, s Store, now func() time.Time, log *slog.Logger) {
	ticks := time.NewTicker(expireEvery)
	defer ticks.Stop()
	failing := false
	for {
		err := s.DeleteOldResponses(ctx, now())
		if err != nil && ctx.Err() == nil && !failing {
			log.Warn("cannot delete stored responses that have expired; they are not given out", "reason", err.Error())
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
	}
}
