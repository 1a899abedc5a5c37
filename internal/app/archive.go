package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/store/archive"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/store/tables"
	"github.com/weirproxy/weir/internal/version"
)

// Moved is what an archive has of a store.
type Moved struct {
	Keys, Teams int64
	Rows        int64       // of the ledger
	Sums        ledger.Sums // of all days, also of those whose rows were forgotten
}

func movedOf(all []archive.End) (m Moved) {
	for i := range all {
		switch t := &all[i]; t.Name {
		case "keys":
			m.Keys = t.Rows
		case "teams":
			m.Teams = t.Rows
		case "attempts":
			m.Rows = t.Rows
		case "days":
			for n, field := range m.Sums.Fields() {
				*field = t.Sums[n]
			}
		}
	}
	return m
}

// archives is a store that can be written into an archive, and filled from one.
type archives interface {
	Export(ctx context.Context, to *archive.Writer) ([]archive.End, error)
	Import(ctx context.Context, from *archive.Reader, lost func(tables.Outstanding) error) ([]archive.End, error)
}

var _ archives = (*tables.DB)(nil)

// Export writes a store that no Weir uses into an archive, with what the journal of the data folder holds for it. A store of another version of Weir
// is refused.
func Export(ctx context.Context, cfg *config.Config, log *slog.Logger, to io.Writer) (_ Moved, err error) {
	a, db, err := atRest(ctx, cfg, log)
	if err != nil {
		return Moved{}, err
	}
	defer func() { err = errors.Join(err, a.unwind()) }()
	if cfg.Store.Path == "" {
		if err := awaitRest(ctx, cfg.Store); err != nil {
			return Moved{}, err
		}
	}
	if err := a.settle(ctx); err != nil {
		return Moved{}, err
	}
	w, err := archive.NewWriter(to, archive.Head{Program: version.String(), Made: a.now().UTC().Truncate(time.Second)})
	if err != nil {
		return Moved{}, err
	}
	all, err := db.(archives).Export(ctx, w)
	if err != nil {
		return Moved{}, err
	}
	return movedOf(all), w.Close()
}

// How long replicas are waited for that have just been stopped: until the database has not seen them for the time after which they do not count.
const (
	restsAfter = 11 * time.Second
	lookAgain  = 500 * time.Millisecond
)

// awaitRest waits until no replica uses a store.
func awaitRest(ctx context.Context, at config.Store) error {
	for until := time.Now().Add(restsAfter); ; wait(ctx, lookAgain, nil) {
		present, err := postgres.Present(ctx, inPostgres(at))
		switch {
		case err != nil:
			return err
		case len(present) == 0:
			return nil
		case time.Now().After(until):
			return fmt.Errorf("the Weirs %s use the store: stop them first, or the copy lacks what they do meanwhile", strings.Join(present, ", "))
		}
	}
}

// Import fills an empty store from an archive, whole or not at all. A store in a file has no place for what replicas may have spent of a budget that
// goes on: such an archive is refused, unless they are said to have spent nothing more.
func Import(ctx context.Context, cfg *config.Config, from io.Reader, unspent bool) (_ Moved, err error) {
	r, err := archive.NewReader(from)
	if err != nil {
		return Moved{}, err
	}
	if cfg.Store.Path != "" {
		if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
			return Moved{}, fmt.Errorf("cannot make the data folder: %w", err)
		}
		release, err := lock(cfg.Data)
		if err != nil {
			return Moved{}, err
		}
		defer func() { err = errors.Join(err, release()) }()
	}
	db, err := openStore(ctx, cfg.Store)
	if err != nil {
		return Moved{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all, err := db.(archives).Import(ctx, r, func(o tables.Outstanding) error {
		if unspent {
			return nil
		}
		return outstanding(o, cfg.Timezone.Location(), time.Now())
	})
	if err != nil {
		return Moved{}, fmt.Errorf("cannot import into the store %s: %w", cfg.Store, err)
	}
	return movedOf(all), nil
}

// outstanding is the error for what replicas may have spent of a budget whose period goes on.
func outstanding(o tables.Outstanding, zone *time.Location, now time.Time) error {
	span, unit, err := o.Name.Span(zone)
	if err != nil {
		return err
	}
	if !span.To.IsZero() && !now.Before(span.To) {
		return nil
	}
	return fmt.Errorf("replicas may have spent %s of the budget %s that no call in the ledger says, and a store in a file cannot hold that: start them again on their data folders and stop them, or give them up with weir replicas forget --assume-unspent, and export again. With --assume-unspent the import counts it as unspent",
		budget.Spec{Unit: unit}.Amount(o.Amount), o.Name.Budget)
}
