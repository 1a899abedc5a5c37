package app

import (
	"context"
	"errors"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

// How old rows are deleted: a few at a time, so that no other write of the store waits long.
const (
	forgetEvery = time.Hour
	forgetRows  = 1000
)

// ages is the time by which rows of the ledger are old. A clock that is far ahead must not delete rows for good: so this time begins, with
// the process, a day after the newest row at most, and passes as the steady clock does. It is never after the clock.
type ages struct {
	began time.Time
	base  time.Time
}

// maxGap is how long nothing may have been recorded before a start for the clock to be believed.
const maxGap = 24 * time.Hour

// agesFrom begins the time at a start. Newest is the greatest number of a row in the store; with 0 there is nothing to lose.
func agesFrom(clock time.Time, newest ledger.Seq) ages {
	a := ages{began: clock, base: clock}
	if most := newest.Time().Add(maxGap); newest > 0 && most.Before(clock) {
		a.base = most
	}
	return a
}

// beginAges begins the time at the start of the program. While the store cannot say which row is the newest, none is old.
func (a *App) beginAges(ctx context.Context) ages {
	clock := a.now()
	_, newest, err := a.rows.Shipped(ctx, "")
	if err != nil {
		return ages{began: clock}
	}
	return agesFrom(clock, newest)
}

// now is the time after the process has run for so long.
func (a ages) now(clock time.Time, running time.Duration) time.Time {
	if steady := a.base.Add(running); steady.Before(clock) {
		return steady
	}
	return clock
}

// forget deletes the rows of the ledger that are older than the config keeps them.
func (a *App) forget(ctx context.Context) {
	ticker := time.NewTicker(forgetEvery)
	defer ticker.Stop()
	for {
		clock := a.now()
		keep := time.Duration(a.currentConfig().Ledger.Keep) * 24 * time.Hour
		now := a.ages.now(clock, clock.Sub(a.ages.began)) // Sub goes by the steady clock
		before := now.Add(-keep)
		for {
			n, err := a.rows.Forget(ctx, before, forgetRows)
			if err != nil && !errors.Is(err, context.Canceled) {
				a.log.Warn("old rows of the ledger cannot be deleted", "reason", err.Error())
			}
			if err != nil || n < forgetRows {
				break
			}
		}
		if a.sharing != nil && a.sharing.joined.Load() != nil {
			if err := a.sharing.escrow.Prune(ctx, now.Add(-pruneAfter)); err != nil && !errors.Is(err, context.Canceled) {
				a.log.Warn("what is left of old budgets cannot be deleted", "reason", err.Error())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
