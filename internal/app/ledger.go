package app

import (
	"context"
	"path/filepath"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/ledger/disk"
)

// rows are the ledger's rows in the store.
type rows interface {
	ledger.Store
	ledger.Reports
	ledger.Keeper
	ledger.Bounded
}

// keepShipped is how long segments of the journal stay that are in a database.
const keepShipped = 10 * time.Minute

// openLedger begins to record calls. It takes over what a crash left in the journal.
func (a *App) openLedger(ctx context.Context, cfg *config.Config) error {
	a.zone = cfg.Timezone.Location()
	folder, err := disk.Open(filepath.Join(cfg.Data, "journal"))
	if err != nil {
		return err
	}
	a.ages = a.beginAges(ctx)
	o := ledger.Options{Files: folder, Store: a.rows, Now: a.now, Log: a.log, Bound: int64(cfg.Journal), Zone: a.zone}
	if cfg.Store.Path == "" { // a database may fail over to a copy that lacks the last commits
		o.Keep = keepShipped
	}
	if cfg.Durability == config.DurabilityPower {
		o.Durability = ledger.Power
	}
	if a.ledger, err = ledger.Open(ctx, o); err != nil {
		return err
	}
	a.atStop("ledger", a.closeLedger)
	return nil
}

// recorder is where calls are recorded.
func (a *App) recorder(nowhere bool) gateway.Ledger {
	if nowhere {
		return nil
	}
	return a.ledger
}

// flushWithin is how long the end of the program waits for rows to reach the store. What does not is in the journal, and gets there after
// the next start.
const flushWithin = 10 * time.Second

func (a *App) closeLedger() error {
	ctx, cancel := context.WithTimeout(context.Background(), flushWithin)
	defer cancel()
	if err := a.ledger.Close(ctx); err != nil {
		a.log.Warn("not all of the ledger is in the store; the rest is in the journal, and follows after the next start", "reason", err.Error())
	}
	return nil
}

// compareJournal compares the journal with the store.
func (a *App) compareJournal(ctx context.Context, differ func(ledger.Difference)) (looked, waiting int64, err error) {
	return ledger.Compare(ctx, a.ledger, a.ledger.Instance(), a.rows, a.rows, differ)
}

// correct records what a call cost in truth, and has the budgets of its key and team follow.
func (a *App) correct(ctx context.Context, c *ledger.Correction) (*ledger.Row, error) {
	return a.ledger.Correct(ctx, c, a.rows, func(call *ledger.Row, record func() (*ledger.Row, error)) error {
		defer a.budgets.Ending(call.Key, call.Team).Done()
		row, err := record()
		if err == nil {
			a.budgets.Correct(call.Key, call.Team, row.Seq.Time(), row.Cost)
		}
		return err
	})
}
