package auth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/llm"
)

// Team is keys that have what they may use in common.
type Team struct {
	ID   string // 12 base62 characters, or cfg-<name> for a team of the config file; never used twice
	Name string // printable, without spaces; unique among teams that are not revoked

	Models []string // patterns, as those of a key; a key of the team may use what both allow. Not to be changed.

	Limits Limits // of all its keys together

	Spending *budget.Policy // the budgets of all its keys together, nil for none. Not to be changed.

	CreatedAt time.Time // zero for a team of the config file
	RevokedAt time.Time // zero while the team lives; its keys are refused from then on

	Version Version // version of the store at the team's last change; the store sets it

	FromFile bool // the team is in the config file: read-only here, and in no store
}

// Status is what the team is good for: Active or Revoked.
func (t *Team) Status() Status {
	if t.RevokedAt.IsZero() {
		return Active
	}
	return Revoked
}

// TeamDraft is what a new team is to be.
type TeamDraft struct {
	Name   string
	Models []string // patterns; empty allows all
	Limits Limits

	Spending *budget.Policy // nil for no budgets
}

// Check reports the first thing in the draft that no team may have, as Draft.Check does.
func (d TeamDraft) Check() error {
	return cmp.Or(checkName(aTeam, d.Name), checkModels(aTeam, d.Models), d.Limits.Check(), CheckSpending(d.Spending))
}

// CreateTeam makes a team. Errors are those of Create.
func (k *Keys) CreateTeam(ctx context.Context, draft TeamDraft) (Team, error) {
	if err := draft.Check(); err != nil {
		return Team{}, err
	}
	id, err := mintID(k.random)
	if err != nil {
		return Team{}, err
	}
	team := Team{ID: id, Name: draft.Name, Models: slices.Clone(draft.Models), Limits: draft.Limits, Spending: cloneSpending(draft.Spending), CreatedAt: k.instant()}
	ctx = context.WithoutCancel(ctx)
	if err := k.acquire(ctx); err != nil {
		return Team{}, err
	}
	defer k.release()
	if err := k.checkFreeTeam(team.Name, ""); err != nil {
		return Team{}, err
	}
	if team, err = k.store.InsertTeam(ctx, team); err != nil {
		return Team{}, translate(err, aTeam, draft.Name)
	}
	k.putTeam(team)
	return team, nil
}

// ShowTeam returns the team with that id, or else of that name. For an unknown one it returns a NotFound error.
func (k *Keys) ShowTeam(ref string) (Team, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if team := k.index.teams.find(ref); team != nil {
		return *team, nil
	}
	return Team{}, &llm.Error{Kind: llm.NotFound, Message: fmt.Sprintf("No team has the id or name %q; weir teams list shows all.", ref)}
}

// TeamPrincipal returns a caller of the team that ref names, as ShowTeam finds it, which has no key: what applies to it is the team's own.
func (k *Keys) TeamPrincipal(ref string) (*Principal, error) {
	team, err := k.ShowTeam(ref)
	if err != nil {
		return nil, err
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	return &Principal{team: k.index.teams.byID[team.ID]}, nil
}

// TeamChange says what UpdateTeam replaces; nil leaves a thing as it is.
type TeamChange struct {
	Name   *string
	Models *[]string // an empty list allows all models
	Limits LimitsChange

	Spending SpendingChange
}

// Check reports the first thing that no team may have, and a change that changes nothing.
func (c TeamChange) Check() error {
	if c == (TeamChange{}) {
		return &llm.Error{Kind: llm.MissingParameter, Message: "This changes nothing: give a name, models, a limit, or a budget."}
	}
	var name, models error
	if c.Name != nil {
		name = checkName(aTeam, *c.Name)
	}
	if c.Models != nil {
		models = checkModels(aTeam, *c.Models)
	}
	return cmp.Or(name, models, c.Limits.Check(), c.Spending.Check())
}

// UpdateTeam replaces what change names, at once for all requests of the team's keys that start from then on.
func (k *Keys) UpdateTeam(ctx context.Context, ref string, change TeamChange) (Team, error) {
	if err := change.Check(); err != nil {
		return Team{}, err
	}
	return k.changeTeam(ctx, ref, func(team *Team) error {
		if !team.RevokedAt.IsZero() {
			return revokedConflict(aTeam, team.Name, team.ID, "changed")
		}
		if change.Name != nil {
			if err := k.checkFreeTeam(*change.Name, team.ID); err != nil {
				return err
			}
			team.Name = *change.Name
		}
		if change.Models != nil {
			team.Models = slices.Clone(*change.Models)
		}
		change.Limits.apply(&team.Limits)
		return change.Spending.apply(&team.Spending)
	})
}

// RevokeTeam ends a team for good: Authenticate refuses its keys from then on, unless they are moved to another team. Their running
// requests finish. Revoking a revoked team again is no error. Other than Revoke it changes nothing if the store cannot be written.
func (k *Keys) RevokeTeam(ctx context.Context, ref string) (Team, error) {
	return k.changeTeam(ctx, ref, func(team *Team) error {
		if team.RevokedAt.IsZero() {
			team.RevokedAt = k.instant()
		}
		return nil
	})
}

// changeTeam runs one change of a stored team and publishes it.
func (k *Keys) changeTeam(ctx context.Context, ref string, change func(*Team) error) (Team, error) {
	ctx = context.WithoutCancel(ctx) // as in change
	if err := k.acquire(ctx); err != nil {
		return Team{}, err
	}
	defer k.release()
	old, err := k.ShowTeam(ref)
	switch {
	case err != nil:
		return Team{}, err
	case old.FromFile:
		return Team{}, &llm.Error{Kind: llm.Conflict, Message: fmt.Sprintf("The team %q is in the config file: edit it there, under teams, and reload.", old.Name)}
	}
	team, err := k.store.UpdateTeam(ctx, old.ID, change)
	if err != nil {
		return Team{}, translate(err, aTeam, old.Name)
	}
	k.putTeam(team)
	return team, nil
}

// putTeam has all see a team as the store has it, unless a later change of it is known.
func (k *Keys) putTeam(team Team) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.index.teams.byID[team.ID].team(); known == nil || known.Version < team.Version {
		k.index.teams.set(&team)
	}
	k.highest = max(k.highest, team.Version)
}

// join is the id of the team that a key is to be in, "" for none.
func (k *Keys) join(ref string) (id string, err error) {
	if ref == "" {
		return "", nil
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	switch team := k.index.teams.find(ref); {
	case team == nil:
		return "", invalid("team", "No team has the id or name %q; weir teams list shows all.", ref)
	case !team.RevokedAt.IsZero():
		return "", invalid("team", "The team %q (%s) is revoked: name another.", team.Name, team.ID)
	default:
		return team.ID, nil
	}
}

// checkFreeTeam reports, as a Conflict, that another living team has this name, or has it as its id.
func (k *Keys) checkFreeTeam(name, self string) error {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.index.teams.taken(name, self, false) != nil {
		return nameTaken(aTeam, name)
	}
	return nil
}

// TeamNeededError says that the config file lacks a team that living keys of the store are in.
type TeamNeededError struct {
	Team string // its name
	Keys int    // how many
	Key  string // the name of one
}

// Error implements error.
func (e *TeamNeededError) Error() string {
	keys := fmt.Sprintf("the key %q is in it", e.Key)
	if e.Keys > 1 {
		keys = fmt.Sprintf("%d keys are in it, such as %q", e.Keys, e.Key)
	}
	return fmt.Sprintf("the team %q is missing, and %s: put it back, or first move each key with weir keys update KEY --team none", e.Team, keys)
}

// checkFileTeams reports the first clash among the teams of the config file, or of one with a living stored team, a key of the file in
// a team that the file lacks, and a stored key in such a team. k.mu is held.
func (k *Keys) checkFileTeams(teams []Team, keys []Key) error {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, team := range teams {
		if names[team.Name] || names[team.ID] || k.index.teams.taken(team.Name, "", true) != nil || k.index.teams.taken(team.ID, "", true) != nil {
			return fmt.Errorf("teams: the name %q is in use twice, in the config file or by a stored team: rename the one in the file, or revoke the stored one with weir teams revoke", team.Name)
		}
		ids[team.ID], names[team.Name], names[team.ID] = true, true, true
	}
	for _, key := range keys {
		if key.TeamID != "" && !ids[key.TeamID] {
			return fmt.Errorf("keys: %q is in a team that is not in the config file", key.Name)
		}
	}
	if !k.index.teams.lacks(ids) {
		return nil
	}
	var needed *TeamNeededError
	k.index.stored.after(nil, func(r *record) bool {
		team := r.principal.team
		if team == nil || !isFileID(team.id) || ids[team.id] || !r.lives() {
			return true
		}
		name := strings.TrimPrefix(team.id, FileID(""))
		if needed == nil {
			needed = &TeamNeededError{Team: name, Key: r.principal.KeyName}
		}
		if needed.Team == name {
			needed.Keys++
		}
		return true
	})
	if needed == nil {
		return nil
	}
	return needed
}

func isFileID(id string) bool { return strings.HasPrefix(id, FileID("")) }

// TeamPage is a part of the list of teams.
type TeamPage struct {
	Teams []Team
	Next  string // the cursor of the next page, "" after the last
}

// ListTeams returns up to limit teams (1 to 1000) after cursor ("" for the start), in the order of List.
func (k *Keys) ListTeams(cursor string, limit int) (TeamPage, error) {
	if limit < 1 || limit > maxPage {
		return TeamPage{}, invalid("limit", "limit is a number from 1 to %d.", maxPage)
	}
	var last *Team
	if cursor != "" {
		r, ok := parseCursor(cursor)
		if !ok {
			return TeamPage{}, invalid("cursor", "No list returned this cursor as next; omit it to start from the beginning.")
		}
		last = &Team{ID: r.principal.KeyID, CreatedAt: r.created.time()}
	}
	k.mu.RLock()
	all := k.index.teams.all()
	k.mu.RUnlock()
	slices.SortFunc(all, compareTeams)
	from := 0
	if last != nil {
		at, found := slices.BinarySearchFunc(all, last, compareTeams)
		if from = at; found {
			from++
		}
	}
	var page TeamPage
	for _, team := range all[from:min(from+limit, len(all))] {
		page.Teams = append(page.Teams, *team)
	}
	if from+limit < len(all) {
		page.Next = placeOf(page.Teams[limit-1].CreatedAt, page.Teams[limit-1].ID)
	}
	return page, nil
}

// compareTeams orders the config file's teams first, whose time of creation is zero, then those of the store.
func compareTeams(a, b *Team) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
}
