package app

import (
	"context"
	"errors"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

// How old rows are deleted: a few at a time, so that no other write of the store waits long.
const (
	forgetEvery     = time.Hour
	forgottenAtOnce = 1000
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

// chores are what one of the replicas that share a store does for all.
type chores interface {
	// TakeTurn reports whether it is this replica's turn, for postgres.TurnFor. EndTurn lets another have it at once.
	TakeTurn(ctx context.Context, replica string) (mine bool, err error)
	EndTurn(ctx context.Context, replica string) error
	// Prune deletes what replicas had of budgets in periods before then.
	Prune(ctx context.Context, before time.Time) error
	// Contract takes steps of the schema that had to wait.
	Contract(ctx context.Context) error
}

// takeTurnEvery is how often a replica takes the turn again, or asks for it. A replica that dies is so replaced within 10 s.
const takeTurnEvery = 2500 * time.Millisecond

// forget deletes what is old, at the start and each hour. Of several replicas the one that has the turn does: it keeps it while it lives.
func (a *App) forget(ctx context.Context) {
	every := forgetEvery
	if a.chores != nil {
		every = takeTurnEvery
		defer a.endTurn(ctx)
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	var done time.Time // zero before this replica has done it in this turn
	failing := false
	for {
		mine, err := a.takeTurn(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			a.log.Warn("it is not known which replica deletes what is old; until it is, none does", "reason", err.Error())
		}
		failing = err != nil
		switch now := a.now(); {
		case !mine:
			done = time.Time{}
		case done.IsZero() || now.Sub(done) >= forgetEvery:
			done = now
			a.forgetOld(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// takeTurn reports whether this Weir is the one that deletes what is old.
func (a *App) takeTurn(ctx context.Context) (mine bool, err error) {
	switch {
	case a.chores == nil:
		return true, nil
	case a.sharing != nil && a.sharing.joined.Load() == nil: // the store was away when it started
		return false, nil
	}
	return a.chores.TakeTurn(ctx, a.ledger.Instance())
}

// endTurn is the end of the program.
func (a *App) endTurn(ctx context.Context) {
	if err := a.chores.EndTurn(context.WithoutCancel(ctx), a.ledger.Instance()); err != nil {
		a.log.Debug("the turn to delete what is old ends by time", "reason", err.Error())
	}
}

// forgetOld deletes the rows of the ledger that are older than the config keeps them, and what is left of old budgets.
func (a *App) forgetOld(ctx context.Context) {
	clock := a.now()
	keep := time.Duration(a.currentConfig().Ledger.Keep) * 24 * time.Hour
	now := a.ages.now(clock, clock.Sub(a.ages.began)) // Sub goes by the steady clock
	a.forgetRows(ctx, now.Add(-keep))
	if a.chores == nil {
		return
	}
	if err := a.chores.Prune(ctx, now.Add(-pruneAfter)); err != nil && !errors.Is(err, context.Canceled) {
		a.log.Warn("what is left of old budgets cannot be deleted", "reason", err.Error())
	}
	if err := a.chores.Contract(ctx); err != nil && !errors.Is(err, context.Canceled) {
		a.log.Warn("the last steps of the store's schema cannot be taken", "reason", err.Error())
	}
}

// forgetRows deletes the rows from before a time, as long as it is this Weir's turn.
func (a *App) forgetRows(ctx context.Context, before time.Time) {
	for taken := a.now(); ; {
		n, err := a.rows.Forget(ctx, before, forgottenAtOnce)
		if err != nil && !errors.Is(err, context.Canceled) {
			a.log.Warn("old rows of the ledger cannot be deleted", "reason", err.Error())
		}
		if err != nil || n < forgottenAtOnce {
			return
		}
		if now := a.now(); now.Sub(taken) >= takeTurnEvery {
			taken = now
			if mine, err := a.takeTurn(ctx); err != nil || !mine {
				return // another goes on
			}
		}
	}
}
