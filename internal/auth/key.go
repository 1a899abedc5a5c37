// Package auth handles the API keys. It mints, parses and digests them, keeps them in a store, and checks the keys
// of requests. It imports only budget, llm, secret and the standard library.
package auth

import (
	"context"
	"errors"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/llm"
)

// Key is an API key as it is kept: everything but the key itself.
type Key struct {
	ID   string // 12 base62 characters, or cfg-<name> for a key of the config file; never used twice
	Name string // printable, without spaces; unique among keys that are not revoked

	Digest        Digest
	Previous      Digest    // the digest before the last rotation, zero for none
	PreviousUntil time.Time // until when Previous works

	Models []string // patterns over logical models, * for any run of characters; empty allows all. Not to be changed.

	TeamID string // its team's, "" for none
	Team   *Team  // its team as it is now; nil for none, for one that is not known here, and in every store. Not to be changed.

	Explain bool // its requests may ask what was tried for them

	Limits Limits

	Spending *budget.Policy // its budgets, nil for none. Not to be changed.

	Idempotency time.Duration // how long answers to requests with an Idempotency-Key are kept; 0 refuses the header

	CreatedAt time.Time // zero for a key of the config file
	ExpiresAt time.Time // from then on the key is refused; zero for never
	RevokedAt time.Time // zero while the key lives
	Cut       bool      // it was revoked together with its running requests

	Version Version // version of the store at the key's last change; the store sets it

	FromFile bool // the key is in the config file: read-only here, and in no store

	Unsaved *Unsaved // the store does not have the revocation yet; nil if it has, and in every store. Not to be changed.
}

// Status is what a key is good for.
type Status string

// The statuses.
const (
	Active      Status = "active"
	Expired     Status = "expired"
	Revoked     Status = "revoked"
	TeamRevoked Status = "team_revoked" // of a key that lives: its team is revoked, or not known here
)

// Status is the key's status at now.
func (k *Key) Status(now time.Time) Status {
	switch {
	case !k.RevokedAt.IsZero():
		return Revoked
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return Expired
	case k.TeamID != "" && (k.Team == nil || !k.Team.RevokedAt.IsZero()):
		return TeamRevoked
	default:
		return Active
	}
}

// Principal is who sent a request: the key that it carried. It is immutable, but for its team, which is as it is now, and safe for
// concurrent use.
type Principal struct {
	KeyID   string
	KeyName string
	Models  []string // patterns over logical models; empty allows all
	Explain bool     // may ask what was tried for a request

	fromFile bool // the key is of the config file
	ended    bool // the key was revoked with its running requests

	bounds *bounds // nil for none

	cut  *cut        // ends once the key is revoked with its running requests; nil for never
	team *membership // nil for none
}

// Team is the key's team as it is now, nil for none.
func (p *Principal) Team() *Team {
	if p.team == nil {
		return nil
	}
	return p.team.now.Load()
}

// Limits are those of the key alone; its team's are in Team.
func (p *Principal) Limits() Limits {
	if p.bounds == nil {
		return Limits{}
	}
	return p.bounds.limits
}

// Idempotency is how long answers to the key's requests with an Idempotency-Key are kept. 0 refuses the header.
func (p *Principal) Idempotency() time.Duration {
	if p.bounds == nil {
		return 0
	}
	return p.bounds.idempotency
}

// Allows reports whether the key may see and call the logical model of that name: both its own patterns and its team's must match.
func (p *Principal) Allows(model string) bool {
	if !matches(p.Models, model) {
		return false
	}
	if p.team == nil {
		return true
	}
	team := p.team.now.Load()
	return team != nil && matches(team.Models, model)
}

// matches reports whether one of the patterns matches the model. No patterns match all.
func matches(patterns []string, model string) bool {
	for _, pattern := range patterns {
		if llm.Match(pattern, model) {
			return true
		}
	}
	return len(patterns) == 0
}

// Cuttable is a running request. It must be usable as the key of a map.
type Cuttable interface {
	// Revoke ends the request, since its key was revoked together with its running requests (weir keys revoke --now). It must not wait.
	Revoke()
}

// Enter has the request r be cut with the key: at once, if that has happened since the request was admitted. Leave must be called
// when the request ends.
func (p *Principal) Enter(r Cuttable) {
	if p.cut != nil {
		p.cut.add(r)
	}
}

// Leave ends what Enter began. Revoke may be running when it returns.
func (p *Principal) Leave(r Cuttable) {
	if p.cut != nil {
		p.cut.remove(r)
	}
}

// The errors of a Store that callers distinguish.
var (
	ErrNotFound  = errors.New("no such key or team")
	ErrNameTaken = errors.New("another key or team has this name")
)

// Version counts the changes of the keys and teams in a store: each change raises it by one at least. 0 is before all.
type Version int64

// Store keeps keys and teams for good. Its law, for every implementation:
//
//   - Durable: what a method has returned nil for survives the end of the process and of the machine.
//   - Atomic: a method that returns an error has changed nothing.
//   - Among keys with a zero RevokedAt names are unique, and so they are among teams: a change that would break this is ErrNameTaken.
//   - Times are kept to the microsecond, in UTC.
//   - Methods may be called concurrently, from several processes too where the store is shared.
//   - A change raises the version in the same transaction, and later changes get higher versions. A reader that has seen all keys and
//     teams up to a version has missed no earlier change.
//   - A key's TeamID may be that of a team which the store does not have, since teams may be in a config file.
//
// A Store does not retry on behalf of its caller and never sees a key in clear.
type Store interface {
	// ChangesSince calls team with every team that changed after the version since, then key with every such key, in any order,
	// including revoked ones. It returns the version that these bring the reader to. Since 0 they are all. A version lower than since
	// means that an earlier store, such as a backup, replaced this one; neither is called then. Before an error each may have been
	// called. They must not use the store. A nil one is not called.
	ChangesSince(ctx context.Context, since Version, team func(Team), key func(Key)) (Version, error)

	// InsertKey adds a key, and returns it with its Version. Its ID must be new.
	InsertKey(ctx context.Context, key Key) (Key, error)

	// UpdateKey reads the key with that id, has change alter it, writes it back, all in one transaction, and returns
	// it as it now is. An error of change is returned as it came. It is ErrNotFound for an unknown id. change must not
	// keep its argument, alter ID or CreatedAt, or use the store; it may be called more than once.
	UpdateKey(ctx context.Context, id string, change func(*Key) error) (Key, error)

	// InsertTeam adds a team, and returns it with its Version. Its ID must be new.
	InsertTeam(ctx context.Context, team Team) (Team, error)

	// UpdateTeam does for a team what UpdateKey does for a key.
	UpdateTeam(ctx context.Context, id string, change func(*Team) error) (Team, error)
}
