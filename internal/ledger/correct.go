package ledger

import (
	"context"
	"fmt"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// Correction says what a call cost in truth: a provider's late figure, or an operator's.
type Correction struct {
	ID     string // chosen by who corrects: what was made once under an ID is not made again
	Call   Seq    // the call's row, of this instance
	Cost   money.Nano
	Reason string
}

// check says what is wrong with the correction, nil if nothing is.
func (c *Correction) check() error {
	switch {
	case c.ID == "" || len(c.ID) > maxText:
		return &AskError{"id", fmt.Sprintf("id names the correction, so that it is made once however often it is sent: from 1 to %d bytes.", maxText)}
	case c.Reason == "" || len(c.Reason) > maxText:
		return &AskError{"reason", fmt.Sprintf("reason says why the cost is another: from 1 to %d bytes.", maxText)}
	case c.Cost < 0 || c.Cost > maxCost:
		return &AskError{"cost_nanodollars", fmt.Sprintf("cost_nanodollars is what the call cost in all, in billionths of a dollar: from 0 to %d.", int64(maxCost))}
	}
	return nil
}

// Correct records what a call cost in truth. Rows never change, so the difference has a row of its own, which names the call's; the sums of
// the hour in which it is made have it. It returns that row when the store has it. A correction that was made before is returned as it is.
// around is given the call, and records the correction with the function that it gets, once: it may do more in the same step. An error about
// the correction itself is an *AskError or an *llm.Error.
func (l *Ledger) Correct(ctx context.Context, c *Correction, kept Reports, around func(call *Row, record func() (*Row, error)) error) (*Row, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	l.mending.Lock()
	defer l.mending.Unlock()
	if err := l.Flush(ctx); err != nil {
		return nil, err
	}
	call, err := find(ctx, kept, l.instance, c.Call)
	switch {
	case err != nil:
		return nil, err
	case call == nil:
		return nil, &llm.Error{Kind: llm.NotFound, Param: "call", Message: fmt.Sprintf("The ledger of this Weir has no call %d. weir usage --rows --format json lists calls with their seq.", c.Call)}
	case call.Adjusts != 0:
		return nil, &AskError{"call", fmt.Sprintf("The row %d is a correction itself. Correct the call %d: the cost that you state replaces all corrections before.", c.Call, call.Adjusts)}
	}
	cost, made, err := c.before(ctx, kept, call)
	switch {
	case err != nil || made != nil:
		return made, err
	case cost == c.Cost:
		return nil, &AskError{"cost_nanodollars", fmt.Sprintf("The call %d costs $%s already: there is nothing to correct.", c.Call, money.Dollars(cost))}
	}
	err = around(call, func() (*Row, error) {
		made, err = l.record(c, call, c.Cost-cost)
		return made, err
	})
	if err == nil {
		err = l.Flush(ctx)
	}
	return made, err
}

// before is what a call costs by now, with all corrections, and the one that has the ID of c, nil without one.
func (c *Correction) before(ctx context.Context, kept Reports, call *Row) (cost money.Nano, made *Row, err error) {
	cost = call.Cost
	q := &RowsQuery{Key: call.Key, Flags: Adjustment, Span: Span{Since: call.Seq.Time()}, Limit: 1 << 10}
	var all []Row // of the call, the newest first
	for more := true; more; {
		var rows []Row
		if rows, more, err = kept.Rows(ctx, q); err != nil {
			return 0, nil, err
		}
		for i := range rows {
			q.Before = &Place{rows[i].Seq, rows[i].Instance}
			if rows[i].Instance == call.Instance && rows[i].Adjusts == call.Seq {
				all = append(all, rows[i])
			}
		}
	}
	for i := len(all) - 1; i >= 0; i-- {
		if cost += all[i].Cost; all[i].ClientID != c.ID {
			continue
		}
		if cost != c.Cost || all[i].Reason != c.Reason {
			return 0, nil, &llm.Error{Kind: llm.Conflict, Message: fmt.Sprintf("The call %d has a correction %q already, with another cost or reason. Choose another id for another correction.", c.Call, c.ID)}
		}
		return cost, &all[i], nil
	}
	return cost, nil, nil
}

// record writes the row of a correction.
func (l *Ledger) record(c *Correction, call *Row, difference money.Nano) (*Row, error) {
	row := &Row{Instance: l.instance, Intent: call.Intent, Settlement: Settlement{Outcome: "adjustment", Flags: Adjustment, Cost: difference, CostSource: money.Fixed}}
	row.Adjusts, row.Reason, row.ClientID, row.Started, row.Held, row.Hold = call.Seq, c.Reason, c.ID, l.now(), llm.Usage{}, 0
	row.Chosen = true // it belongs to the sums of the call, which are those of other targets if the call's has none of its own
	e, err := l.Begin(&row.Intent, true)
	if err != nil {
		return nil, err
	}
	row.Seq, row.Chosen = e.seq, false
	e.Settle(&row.Settlement)
	return row, nil
}
