package app

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/archive"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/store/sqlite"
	"github.com/weirproxy/weir/internal/version"
)

// Opening is what a store begins with that takes over keys from elsewhere.
type Opening struct {
	Teams []auth.Team
	Keys  []auth.Key
	Spent []Balance
	At    time.Time
	Zone  *time.Location // whose days are summed
	From  string         // where it is from, in one word
}

// Balance is what a key or a team spent elsewhere before.
type Balance struct {
	Key, Team string // their ids; "" without one
	Cost      money.Nano
	At        time.Time // when; zero for the Opening's own
}

// What the rows of opening balances have where calls have a model and a target.
const (
	openingModel = "opening balance"
	openingBatch = 1000
	openingMost  = 1e15 // that one row has, a million dollars: what the sums take of one
)

// WriteOpening writes an archive with which an empty store is filled. It is made in a store of its own, so that it has all that a store has.
func WriteOpening(ctx context.Context, o *Opening, to io.Writer) (_ Moved, err error) {
	folder, err := os.MkdirTemp("", "weir-import-")
	if err != nil {
		return Moved{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	db, err := sqlite.Open(ctx, filepath.Join(folder, "weir.db"))
	if err != nil {
		return Moved{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, team := range o.Teams {
		if _, err := db.InsertTeam(ctx, team); err != nil {
			return Moved{}, fmt.Errorf("team %s: %w", team.Name, err)
		}
	}
	if err := db.InsertKeys(ctx, slices.Values(o.Keys)); err != nil {
		return Moved{}, err
	}
	for rows := range slices.Chunk(o.rows(), openingBatch) {
		s := &ledger.Shipment{Instance: rows[0].Instance, Rows: rows, Upto: ledger.Position{Segment: 1}, Zone: o.Zone}
		if err := db.Ship(ctx, s); err != nil {
			return Moved{}, err
		}
	}
	w, err := archive.NewWriter(to, archive.Head{Program: version.String(), Made: o.At.UTC().Truncate(time.Second)})
	if err != nil {
		return Moved{}, err
	}
	all, err := db.Export(ctx, w)
	if err != nil {
		return Moved{}, err
	}
	return movedOf(all), w.Close()
}

// rows are the rows of the balances. Each is a correction of what was before all calls, so it counts as none.
func (o *Opening) rows() (all []ledger.Row) {
	at := func(b Balance) time.Time {
		if b.At.IsZero() {
			return o.At
		}
		return b.At
	}
	var seq ledger.Seq
	for _, b := range slices.SortedStableFunc(slices.Values(o.Spent), func(a, b Balance) int { return at(a).Compare(at(b)) }) {
		seq = max(seq, ledger.SeqAt(at(b)))
		for left := b.Cost; left != 0; {
			cost := min(max(left, -openingMost), openingMost)
			left -= cost
			r := ledger.Row{Instance: "opening", Seq: seq}
			r.Intent = ledger.Intent{Request: fmt.Sprintf("opening-%d", len(all)), Started: at(b), Key: b.Key, Team: b.Team, Model: openingModel, Provider: o.From, Upstream: openingModel, Adjusts: ledger.Before, Reason: "what " + o.From + " had counted"}
			r.Settlement = ledger.Settlement{Outcome: "adjustment", Flags: ledger.Adjustment, Cost: cost, CostSource: money.Fixed}
			all = append(all, r)
			seq++
		}
	}
	return all
}

// Reader reads the accounts of another gateway from its database into D.
type Reader[D any] interface {
	Accounts(ctx context.Context, tx *sql.Tx, to D) error
}

// ReadOther has accounts be read from the database of another gateway, all as they were at one moment.
func ReadOther[D any](ctx context.Context, at secret.Text, from Reader[D], to D) error {
	return postgres.ReadOther(ctx, at, func(ctx context.Context, tx *sql.Tx) error { return from.Accounts(ctx, tx, to) })
}

// ReadOtherFile is ReadOther for a database that is a file of SQLite.
func ReadOtherFile[D any](ctx context.Context, path string, from Reader[D], to D) error {
	return sqlite.ReadOther(ctx, path, func(ctx context.Context, tx *sql.Tx) error { return from.Accounts(ctx, tx, to) })
}
