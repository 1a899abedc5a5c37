package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
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

// archiveOf makes an archive of the accounts of a draft, and the line that says so once it is in its place. output is the config that it goes with.
func archiveOf(ctx context.Context, draft *importer.Draft, output, name string) (whole wholeFile, said string, err error) {
	opening, err := openingOf(draft, time.Now())
	if err != nil {
		return whole, "", err
	}
	var moved app.Moved
	whole, err = newFile(name).prepare(func(w io.Writer) (_ int64, err error) {
		moved, err = app.WriteOpening(ctx, opening, w)
		return 0, err
	})
	return whole, fmt.Sprintf("Wrote %s (%s, %s, which spent $%s). Fill an empty store with it: weir import archive -c %s %s",
		name, count(int(moved.Keys), "key"), count(int(moved.Teams), "team"), money.Dollars(moved.Sums.Cost), output, name), err
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
	ids := map[*importer.Team]string{}
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
		ids[t] = id
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
		o.Spent = append(o.Spent, balances(nil, app.Balance{Key: id, Team: ids[k.Team]}, spending{k.Budget, k.Spent, k.Longer}, now, zone)...)
	}
	byTeam := map[string][]app.Balance{}
	for _, b := range o.Spent {
		byTeam[b.Team] = append(byTeam[b.Team], b)
	}
	for _, t := range draft.Accounts.Teams { // what its keys did not spend, or spent before its period began
		if t.Budget == nil && t.Spent == 0 { // it is not known, and bounds nothing
			continue
		}
		o.Spent = append(o.Spent, balances(byTeam[ids[t]], app.Balance{Team: ids[t]}, spending{t.Budget, t.Spent, t.Longer}, now, zone)...)
	}
	return o, nil
}

// spending is what a key or a team has spent in the periods of its budgets.
type spending struct {
	policy *budget.Policy
	spent  money.Nano
	longer []importer.PeriodSpent
}

// balances are the balances by which a key or a team has spent what it has in the periods of its budgets, given those that count for it already.
// What was spent in longer periods alone is from just before the shorter one, if that began later.
func balances(have []app.Balance, of app.Balance, s spending, now time.Time, zone *time.Location) (all []app.Balance) {
	add := func(begin, at time.Time, spent money.Nano) {
		of.At, of.Cost = at, spent
		for _, b := range slices.Concat(have, all) {
			if !b.At.Before(begin) {
				of.Cost -= b.Cost
			}
		}
		if of.Cost != 0 {
			all = append(all, of)
		}
	}
	var begin time.Time
	if s.policy != nil {
		if i := slices.IndexFunc(s.policy.Budgets, func(s budget.Spec) bool { return s.Unit == budget.Dollars }); i >= 0 {
			begin, _ = s.policy.Budgets[i].Period.Around(now, zone)
		}
	}
	add(begin, now, s.spent)
	for _, l := range s.longer {
		at := begin.Add(-time.Second)
		if begin, _ = l.Period.Around(now, zone); !at.Before(begin) {
			add(begin, at, l.Spent)
		}
	}
	return all
}

// ended is when what has ended was revoked.
func ended(has bool, now time.Time) time.Time {
	if has {
		return now
	}
	return time.Time{}
}
