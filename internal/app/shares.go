package app

import (
	"context"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/replica"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/spend"
	"github.com/weirproxy/weir/internal/store/postgres"
)

// drainWithin is how long the end of the program waits until slices of budgets are given back. What is not comes back after the next start on the same
// data folder.
const drainWithin = 5 * time.Second

// pruneAfter is when what replicas had of a period is of no use any more: it ended a month ago at least.
const pruneAfter = 62 * 24 * time.Hour

// openBudgets opens the book of budgets. In a database that other replicas may share, they go by slices. While that is away, none is known.
func (a *App) openBudgets(ctx context.Context, db database, away bool) error {
	spent := &spend.Spent{Reports: db, Zone: a.zone, Ship: a.ledger.Flush}
	shared, ok := db.(*postgres.DB)
	if !ok {
		a.budgets = budget.New(a.zone, spent, a.warnOfBudget)
		return nil
	}
	e := postgres.NewEscrow(shared, func(ctx context.Context, names []escrow.Name) ([]int64, error) { return earlier(ctx, spent, names) })
	a.sharing, a.chores = &sharing{store: shared, escrow: e, spent: spent}, e
	a.atStop("slices of budgets", a.part)
	a.budgets = budget.NewShared(a.zone, shares{a.sharing, a.unanswered.Load}, a.warnOfBudget)
	a.shared = sharedLimits{a.sharing, replica.Alone(a.log)}
	a.board = route.NewSharedBoard(a.shared)
	if away {
		return nil
	}
	return a.join(ctx)
}

// countAll has budgets that Weirs share say what all of them spent, by the ledger: what others spent of their slices since they last asked for more is not
// known here. While the ledger cannot be read, they say what is.
func (s *sharing) countAll(ctx context.Context, states []budget.State, now time.Time) {
	spans := make([]budget.Span, len(states))
	for i := range states {
		spans[i].Owner = states[i].Owner
		if p := states[i].Spec.Period; p != budget.Total {
			spans[i].From, spans[i].To = p.Around(now, s.spent.Zone)
		}
	}
	amounts, err := s.spent.Spent(ctx, spans)
	if err != nil {
		return
	}
	for i, amount := range amounts {
		state := &states[i]
		state.Used = max(state.Used, state.Spec.Unit.Of(amount))
		state.Remaining = max(state.Spec.Limit-state.Used-state.Held, 0)
	}
}

// isOver reports whether a budget's period has ended, so that nothing is held of it any more.
func (a *App) isOver(name escrow.Name) bool {
	span, _, err := budget.Shared(name).Span(a.zone)
	return err == nil && !span.To.IsZero() && !a.now().Before(span.To)
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

// shares are the budgets that replicas spend together. It implements budget.Shares. Before this Weir is among the others, no budget is known, so
// that nothing holds any of one.
type shares struct {
	*sharing
	serve func() bool // what is not strict is served, though others cannot be asked
}

func (s shares) While(ctx context.Context) (context.Context, context.CancelFunc) {
	if j := s.joined.Load(); j != nil {
		return j.desk.While(ctx)
	}
	return away(ctx)
}

func (s shares) Prepare(ctx context.Context, wants []budget.Want) error {
	j := s.joined.Load()
	if j == nil {
		return errAway
	}
	list := wantsOf(wants)
	names := make([]escrow.Name, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	if err := s.escrow.Prepare(ctx, names); err != nil {
		return err
	}
	j.desk.Learn(ctx, list)
	return context.Cause(ctx)
}

func wantsOf(wants []budget.Want) []replica.Want {
	list := make([]replica.Want, len(wants))
	for i, w := range wants {
		list[i] = replica.Want{Name: escrow.Name(w.Name), Limit: w.Limit, Version: w.Version, Need: w.Need, Strict: w.Strict}
	}
	return list
}

func (s shares) Hold(wants []budget.Want) (why budget.Why, of int) {
	j := s.joined.Load()
	if j == nil {
		return budget.Unanswered, 0
	}
	list := wantsOf(wants)
	verdict, of := j.desk.Hold(context.Background(), list) // which waits for a short while at most
	if verdict == escrow.Ask && s.serve() && j.desk.Exceed(list) {
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

func (s shares) Take(name budget.Shared, more int64) {
	if j := s.joined.Load(); j != nil {
		j.desk.Take(escrow.Name(name), more)
	}
}

func (s shares) Settle(name budget.Shared, held, took int64) {
	if j := s.joined.Load(); j != nil {
		j.desk.Settle(escrow.Name(name), held, took)
	}
}

func (s shares) End(name budget.Shared) {
	if j := s.joined.Load(); j != nil {
		j.desk.End(escrow.Name(name))
	}
}

func (s shares) Used(name budget.Shared) (used int64) {
	if j := s.joined.Load(); j != nil {
		used, _ = j.desk.Used(escrow.Name(name))
	}
	return used
}
