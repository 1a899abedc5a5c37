package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/importer"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/secret"
)

// keysFlags are of gateways that keep keys in a database.
type keysFlags struct {
	Keys     string `placeholder:"URL" help:"Read keys and teams from the gateway's database, once: its postgres:// URL, or the name of the variable that has it, which keeps the password out of lists of processes."`
	Accounts string `placeholder:"FILE" default:"weir.export" help:"Where to write keys, teams and what they spent (default: weir.export), for weir import archive. It must not exist yet."`
}

// check looks at the places before anything is read.
func (f keysFlags) check() error {
	if f.Keys == "" {
		return nil
	}
	return newFile(f.Accounts).check()
}

// read adds what the database has to the draft.
func (f keysFlags) read(ctx context.Context, from importer.Database, draft *importer.Draft, sys *system) error {
	if f.Keys == "" {
		return nil
	}
	at := f.Keys
	if !strings.Contains(at, "://") {
		value, set := sys.env(at)
		if !set || value == "" {
			if strings.ContainsAny(at, ":@=/ ") { // an address of another sort, which may have a password
				at = "this one"
			}
			return &exitError{2, fmt.Errorf("--keys is the postgres:// URL of a database, or the name of a variable that has one, and %s is not set", at)}
		}
		at = value
	}
	if err := app.ReadOther(ctx, secret.New(at), from, draft); err != nil {
		return fmt.Errorf("--keys: %w", err)
	}
	return nil
}

// write writes the accounts of the draft into an archive.
func (f keysFlags) write(ctx context.Context, draft *importer.Draft, output string, sys *system) error {
	if draft.Accounts.Empty() {
		return nil
	}
	opening, err := openingOf(draft, time.Now())
	if err != nil {
		return err
	}
	var moved app.Moved
	if _, err := newFile(f.Accounts).write(func(w io.Writer) (_ int64, err error) {
		moved, err = app.WriteOpening(ctx, opening, w)
		return 0, err
	}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.stderr, "Wrote %s (%s, %s, which spent $%s). Fill an empty store with it: weir import archive -c %s %s\n",
		f.Accounts, count(int(moved.Keys), "key"), count(int(moved.Teams), "team"), money.Dollars(moved.Sums.Cost), output, f.Accounts)
	return err
}

// openingOf makes keys and teams of accounts.
func openingOf(draft *importer.Draft, now time.Time) (*app.Opening, error) {
	zone := time.UTC
	if draft.Timezone != "" {
		var err error
		if zone, err = time.LoadLocation(draft.Timezone); err != nil {
			return nil, fmt.Errorf("timezone: %w", err)
		}
	}
	o := &app.Opening{At: now, Zone: zone, From: draft.From}
	ids, left := map[*importer.Team]string{}, map[*importer.Team]money.Nano{}
	for _, t := range draft.Accounts.Teams {
		id, _, err := auth.Mint(rand.Reader, "")
		if err != nil {
			return nil, err
		}
		team := auth.Team{ID: id, Name: t.Name, Models: t.Models, Limits: t.Limits, Spending: t.Budget, CreatedAt: now, RevokedAt: ended(t.Ended, now)}
		draftOf := auth.TeamDraft{Name: team.Name, Models: team.Models, Limits: team.Limits, Spending: team.Spending}
		if err := draftOf.Check(); err != nil {
			return nil, fmt.Errorf("team %s: %w", t.Name, err)
		}
		ids[t], left[t] = id, t.Spent
		o.Teams = append(o.Teams, team)
	}
	for _, k := range draft.Accounts.Keys {
		id, _, err := auth.Mint(rand.Reader, "")
		if err != nil {
			return nil, err
		}
		key := auth.Key{ID: id, Name: k.Name, Digest: k.Digest, Previous: k.Previous, PreviousUntil: k.PreviousUntil, Models: k.Models, TeamID: ids[k.Team], Limits: k.Limits, Spending: k.Budget, CreatedAt: now, ExpiresAt: k.Expires, RevokedAt: ended(k.Ended, now)}
		draftOf := auth.Draft{Name: key.Name, Models: key.Models, Limits: key.Limits, Spending: key.Spending}
		if err := draftOf.Check(now); err != nil {
			return nil, fmt.Errorf("key %s: %w", k.Name, err)
		}
		o.Keys = append(o.Keys, key)
		if k.Spent > 0 {
			o.Spent = append(o.Spent, app.Balance{Key: id, Team: ids[k.Team], Cost: k.Spent})
			left[k.Team] -= k.Spent
		}
	}
	for _, t := range draft.Accounts.Teams { // what its keys did not spend, or spent before its period began
		if left[t] != 0 {
			o.Spent = append(o.Spent, app.Balance{Team: ids[t], Cost: left[t]})
		}
	}
	return o, nil
}

// ended is when what has ended was revoked.
func ended(has bool, now time.Time) time.Time {
	if has {
		return now
	}
	return time.Time{}
}
