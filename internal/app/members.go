package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/replica"
	"github.com/weirproxy/weir/internal/spend"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/telemetry"
)

// seenFor is how long after it was seen a process may be alive that has this Weir's name.
const seenFor = escrow.SeenFor

// describeEvery is how often a Weir says who it is, and looks around.
const describeEvery = 15 * time.Second

// apart is how far the clocks of a Weir and of its database may be apart without a word. No limit, slice or claim depends on them.
const apart = 5 * time.Second

// sharing is what a Weir has to do with the others that share its store.
type sharing struct {
	store  *postgres.DB
	escrow *postgres.Escrow
	spent  *spend.Spent
	joined atomic.Pointer[joined] // nil before this Weir is among the others

	mu       sync.Mutex // guards what follows
	ended    bool
	standing postgres.Standing
}

// joined is this Weir among the others.
type joined struct {
	desk  *replica.Desk
	id    string
	epoch escrow.Epoch
	halt  context.CancelFunc
	runs  sync.WaitGroup // the desk
}

// errAway is the error of budgets before the store was reached.
var errAway = errors.New("the store has not been reached since the start, so what is left of budgets is not known")

// join makes this Weir one of those that share the store: it states what its earlier runs spent, and begins to talk to the database.
func (a *App) join(ctx context.Context) error {
	s, j := a.sharing, &joined{id: a.ledger.Instance()}
	if err := a.awaitEarlier(ctx, j.id); err != nil {
		return err
	}
	if err := a.ledger.Flush(ctx); err != nil {
		return fmt.Errorf("what earlier runs spent of budgets cannot be shipped to the store: %w", err)
	}
	kept, err := s.escrow.Kept(ctx, j.id)
	if err != nil {
		return err
	}
	kept = slices.DeleteFunc(kept, func(k escrow.Kept) bool { return a.isOver(k.Name) })
	j.desk, err = replica.Open(ctx, replica.Options{
		Database: s.escrow, ID: j.id, Epoch: escrow.Epoch{Began: a.now().UnixMicro(), Process: rand.Uint64()}, Kept: kept, Log: a.log, LostAfter: a.lostAfter,
		Waited: a.metrics.Waited,
	})
	if err != nil {
		return err
	}
	j.epoch = j.desk.Epoch()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return s.escrow.Leave(context.Background(), j.id, j.epoch)
	}
	running, halt := context.WithCancel(context.Background())
	j.halt = halt
	j.runs.Go(func() { j.desk.Run(running) })
	s.joined.Store(j)
	a.background.Go(func() { a.describe(a.stopped, j) })
	a.background.Go(func() {
		postgres.Listen(a.stopped, s.store, postgres.Heard{Keys: a.keys.Changed, Wanted: j.desk.Hasten}, a.log)
	})
	return nil
}

// part gives back what this Weir has of budgets, and says that it has ended.
func (a *App) part() error {
	s := a.sharing
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	j := s.joined.Load()
	if j == nil {
		return nil
	}
	defer j.runs.Wait()
	defer j.halt()
	within, cancel := context.WithTimeout(context.Background(), drainWithin)
	defer cancel()
	if err := j.desk.Drain(within); err != nil {
		a.log.Warn("not all that this Weir had of budgets and limits is given back: slices of budgets are after the next start on this data folder, units of limits within a minute")
		return nil
	}
	if err := s.escrow.Leave(context.Background(), j.id, j.epoch); err != nil {
		a.log.Warn("the database does not know that this Weir has stopped: a start within ten seconds waits for it", "reason", err.Error())
	}
	return nil
}

// awaitEarlier waits until no other process has the name of this Weir, as far as the database knows: two would take each other's slices. The lock of the data
// folder keeps others out on this machine; another machine may have a copy of the folder, or the same one over a network.
func (a *App) awaitEarlier(ctx context.Context, id string) error {
	for said := false; ; said = true {
		ago, known, err := a.sharing.escrow.Seen(ctx, id)
		if err != nil {
			return err
		}
		left := seenFor - ago
		if !known || left <= 0 {
			return nil
		}
		if !said {
			a.log.Warn("the database has seen another process under this Weir's name a moment ago: the start waits until that has been silent for ten seconds. One that crashed is; if one runs on "+
				"another machine, on this data folder or a copy of it, stop it", "replica", id, "data", a.currentConfig().Data, "seen_seconds_ago", ago.Seconds())
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("the start waited for another process under this Weir's name to end: %w", ctx.Err())
		}
	}
}

// describe says who this Weir is, again and again, since the database may forget it.
func (a *App) describe(ctx context.Context, j *joined) {
	ticker := time.NewTicker(describeEvery)
	defer ticker.Stop()
	around := surroundings{log: a.log, id: j.id, name: a.host}
	for {
		s, err := a.sharing.escrow.Describe(ctx, j.id, around.name, fingerprintOf(a.currentConfig()), a.now)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			a.log.Debug("the database does not know who this Weir is", "reason", err.Error())
		default:
			around.learn(&s)
			a.sharing.mu.Lock()
			a.sharing.standing = s
			a.sharing.mu.Unlock()
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// commonNow is the time by the database's clock, as far as this Weir knows that: one of several may not take another's claim because its own clock is ahead.
func (a *App) commonNow() time.Time {
	now := a.now()
	if a.sharing == nil {
		return now
	}
	a.sharing.mu.Lock()
	defer a.sharing.mu.Unlock()
	return now.Add(a.sharing.standing.Ahead)
}

// surroundings is what was said of how this Weir stands among others.
type surroundings struct {
	log   *slog.Logger
	id    string
	name  string
	apart bool // the clocks are
}

// learn says what is new.
func (o *surroundings) learn(s *postgres.Standing) {
	if s.Name != o.name {
		o.log.Warn("another Weir that shares the database has this name: this one has another", "name", o.name, "now", s.Name, "replica", o.id)
	}
	before := o.apart
	if o.name, o.apart = s.Name, s.Ahead.Abs() > apart; o.apart && !before {
		o.log.Warn("the clocks of this Weir and of its database are apart: no limit, slice or claim depends on it, but times in reports and logs differ, and when keys and periods of budgets end", "database_ahead_seconds", s.Ahead.Seconds())
	}
}

// fingerprintOf stands for what a config says about callers. Where it differs, replicas treat the same request differently.
func fingerprintOf(cfg *config.Config) string {
	text, err := json.Marshal([]any{cfg.Providers, cfg.Models, cfg.Teams, cfg.Keys, cfg.Limits, cfg.Timezone, cfg.Ledger, cfg.Durability})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

// shareFigures are those of this Weir among others.
func (a *App) shareFigures() (f telemetry.Sharing) {
	j := a.sharing.joined.Load()
	if j == nil {
		return f
	}
	s := j.desk.Stats()
	a.sharing.mu.Lock()
	defer a.sharing.mu.Unlock()
	return telemetry.Sharing{
		Replicas: s.Replicas, Answers: s.Answers, RoundTrips: s.RoundTrips, Failed: s.Failed, Undone: s.Undone, Refused: s.Refused, Statements: s.Statements,
		Doubt: a.sharing.standing.Doubt, Ahead: a.sharing.standing.Ahead,
	}
}

// heldOfBudgets is what this Weir has of shared budgets.
func (a *App) heldOfBudgets() (held budget.Amount) {
	j := a.sharing.joined.Load()
	if j == nil {
		return held
	}
	j.desk.Held(func(name escrow.Name, amount int64) {
		if strings.HasPrefix(name.Budget, budget.Dollars.SharedPrefix()) {
			held.Money += amount
		} else {
			held.Tokens += amount
		}
	})
	return held
}
