package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/replica"
	"github.com/weirproxy/weir/internal/spend"
	"github.com/weirproxy/weir/internal/store/postgres"
)

// drainWithin is how long the end of the program waits until slices of budgets are given back. What is not comes back after the next start on the same
// data folder.
const drainWithin = 5 * time.Second

// pruneAfter is when what replicas had of a period is of no use any more: it ended a month ago at least.
const pruneAfter = 62 * 24 * time.Hour

// openBudgets opens the book of budgets. In a database that other replicas may share, they go by slices.
func (a *App) openBudgets(ctx context.Context, db database) error {
	spent := &spend.Spent{Reports: db, Zone: a.zone, Ship: a.ledger.Flush}
	shared, ok := db.(*postgres.DB)
	if !ok {
		a.budgets = budget.New(a.zone, spent, a.warnOfBudget)
		return nil
	}
	e := postgres.NewEscrow(shared, func(ctx context.Context, names []escrow.Name) ([]int64, error) { return earlier(ctx, spent, names) })
	m, err := a.join(ctx, e)
	if err != nil {
		return err
	}
	if err := a.ledger.Flush(ctx); err != nil {
		return fmt.Errorf("what earlier runs spent of budgets cannot be shipped to the store: %w", err)
	}
	kept, err := e.Kept(ctx, m.id)
	if err != nil {
		return err
	}
	kept = slices.DeleteFunc(kept, func(k escrow.Kept) bool { return a.isOver(k.Name) })
	desk, err := replica.Open(ctx, replica.Options{
		Database: e, ID: m.id, Epoch: m.epoch, Kept: kept, Log: a.log,
	})
	if err != nil {
		return err
	}
	m.epoch = desk.Epoch()
	a.member, a.desk = m, desk
	a.runReplica(desk)
	a.prune = e.Prune
	a.listen = func(ctx context.Context) {
		postgres.Listen(ctx, shared, postgres.Heard{Keys: a.keys.Changed, Wanted: desk.Hasten}, a.log)
	}
	a.while = desk.While
	a.budgets = budget.NewShared(a.zone, shares{desk, e, a.unanswered.Load}, a.warnOfBudget)
	return nil
}

// isOver reports whether a budget's period has ended, so that nothing is held of it any more.
func (a *App) isOver(name escrow.Name) bool {
	span, _, err := budget.Shared(name).Span(a.zone)
	return err == nil && !span.To.IsZero() && !a.now().Before(span.To)
}

// runReplica has a replica talk to the database until its slices are given back.
func (a *App) runReplica(desk *replica.Desk) {
	ctx, halt := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { desk.Run(ctx) })
	a.atStop("slices of budgets", func() error {
		defer running.Wait()
		defer halt()
		within, cancel := context.WithTimeout(ctx, drainWithin)
		defer cancel()
		if err := desk.Drain(within); errors.Is(err, context.DeadlineExceeded) {
			a.log.Warn("not all slices of budgets are given back; the rest is after the next start on this data folder")
			return nil
		}
		if err := a.member.leave(); err != nil {
			a.log.Warn("the database was not told that this Weir has stopped: a start within ten seconds waits for it", "reason", err.Error())
		}
		return nil
	})
}

// earlier is what was spent of budgets before they were shared.
func earlier(ctx context.Context, spent *spend.Spent, names []escrow.Name) ([]int64, error) {
	spans, units := make([]budget.Span, len(names)), make([]budget.Unit, len(names))
	for i, name := range names {
		var err error
		if spans[i], units[i], err = budget.Shared(name).Span(spent.Zone); err != nil {
			return nil, err
		}
	}
	amounts, err := spent.Spent(ctx, spans)
	if err != nil {
		return nil, err
	}
	sums := make([]int64, len(names))
	for i, amount := range amounts {
		sums[i] = units[i].Of(amount)
	}
	return sums, nil
}

// shares are the budgets that replicas spend together. It implements budget.Shares.
type shares struct {
	desk  *replica.Desk
	db    *postgres.Escrow
	serve func() bool // what is not strict is served, though others cannot be asked
}

func (s shares) Prepare(ctx context.Context, wants []budget.Want) error {
	list := wantsOf(wants)
	names := make([]escrow.Name, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	if err := s.db.Prepare(ctx, names); err != nil {
		return err
	}
	s.desk.Learn(ctx, list)
	return context.Cause(ctx)
}

func (s shares) While(ctx context.Context) (context.Context, context.CancelFunc) {
	return s.desk.While(ctx)
}

func wantsOf(wants []budget.Want) []replica.Want {
	list := make([]replica.Want, len(wants))
	for i, w := range wants {
		list[i] = replica.Want{Name: escrow.Name(w.Name), Limit: w.Limit, Version: w.Version, Need: w.Need, Strict: w.Strict}
	}
	return list
}

func (s shares) Hold(wants []budget.Want) (why budget.Why, of int) {
	list := wantsOf(wants)
	verdict, of := s.desk.Hold(context.Background(), list) // which waits for a short while at most
	if verdict == escrow.Ask && s.serve() && s.desk.Exceed(list) {
		return 0, 0
	}
	switch verdict {
	case escrow.Fits:
		return 0, 0
	case escrow.Short:
		return budget.Reserved, of
	case escrow.UsedUp:
		return budget.UsedUp, of
	case escrow.Ask, escrow.Gone:
	}
	return budget.Unanswered, of
}

func (s shares) Take(name budget.Shared, more int64) { s.desk.Take(escrow.Name(name), more) }

func (s shares) Settle(name budget.Shared, held, took int64) {
	s.desk.Settle(escrow.Name(name), held, took)
}

func (s shares) End(name budget.Shared) { s.desk.End(escrow.Name(name)) }

func (s shares) Used(name budget.Shared) int64 {
	used, _ := s.desk.Used(escrow.Name(name))
	return used
}
