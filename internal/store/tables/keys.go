package tables

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/auth"
)

var _ auth.Store = (*DB)(nil)

const (
	keyColumns = `id, name, digest, previous_digest, previous_until, models, may_explain, created_at, expires_at, revoked_at, cut, team, limits, spending, idempotency, version`

	sqlAllKeys = `SELECT ` + keyColumns + ` FROM keys`

	sqlKeysSince = sqlAllKeys + ` WHERE version > $1`

	sqlGetKey = sqlAllKeys + ` WHERE id = $1`

	sqlNameTaken = `SELECT count(*) FROM keys WHERE name = $1 AND id <> $2 AND revoked_at IS NULL`

	sqlInsertKey = `
		INSERT INTO keys (name, digest, previous_digest, previous_until, models, may_explain, created_at, expires_at, revoked_at, cut, team, limits, spending, idempotency, version, id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`

	sqlUpdateKey = `
		UPDATE keys SET name = $1, digest = $2, previous_digest = $3, previous_until = $4, models = $5,
			may_explain = $6, created_at = $7, expires_at = $8, revoked_at = $9, cut = $10, team = $11, limits = $12, spending = $13, idempotency = $14, version = $15
		WHERE id = $16`

	sqlKeysVersion = `SELECT version FROM keys_version`

	sqlRaiseKeysVersion = `UPDATE keys_version SET version = version + 1 RETURNING version`
)

// ChangesSince implements auth.Store. That nothing has changed is known from one row.
func (db *DB) ChangesSince(ctx context.Context, since auth.Version, team func(auth.Team), key func(auth.Key)) (now auth.Version, err error) {
	read := db.read
	if since == 0 {
		read = db.readAll
	}
	err = read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, sqlKeysVersion).Scan(&now); err != nil || now <= since {
			return err
		}
		if team != nil {
			if err := eachTeam(ctx, tx, team, sqlTeamsSince, int64(since)); err != nil {
				return err
			}
		}
		switch {
		case key == nil:
			return nil
		case since == 0: // all: without the index, in the order of the table
			return eachKey(ctx, tx, key, sqlAllKeys)
		}
		return eachKey(ctx, tx, key, sqlKeysSince, int64(since))
	})
	if err != nil {
		return since, db.engine.Explain("read", err)
	}
	return now, nil
}

// eachKey calls each with the keys that a query returns.
func eachKey(ctx context.Context, tx *sql.Tx, each func(auth.Key), query string, arguments ...any) error {
	rows, err := tx.QueryContext(ctx, query, arguments...)
	if err != nil {
		return err
	}
	defer rows.Close()
	read := keyReader{lists: map[string][]string{}, teams: map[string]string{}}
	for rows.Next() {
		key, err := read.key(rows)
		if err != nil {
			return err
		}
		each(key)
	}
	return rows.Err()
}

// InsertKey implements auth.Store.
func (db *DB) InsertKey(ctx context.Context, key auth.Key) (auth.Key, error) {
	err := db.change(ctx, func(ctx context.Context, tx *sql.Tx, version auth.Version) (refusal, failure error) {
		return putKey(ctx, tx, sqlInsertKey, version, &key)
	})
	if err != nil {
		return auth.Key{}, err
	}
	return key, nil
}

// UpdateKey implements auth.Store.
func (db *DB) UpdateKey(ctx context.Context, id string, change func(*auth.Key) error) (auth.Key, error) {
	var key auth.Key
	err := db.change(ctx, func(ctx context.Context, tx *sql.Tx, version auth.Version) (refusal, failure error) {
		key = auth.Key{}
		if err := eachKey(ctx, tx, func(found auth.Key) { key = found }, sqlGetKey, id); err != nil {
			return nil, err
		}
		if key.ID == "" {
			return auth.ErrNotFound, nil
		}
		if err := change(&key); err != nil {
			return err, nil
		}
		return putKey(ctx, tx, sqlUpdateKey, version, &key)
	})
	if err != nil {
		return auth.Key{}, err
	}
	return key, nil
}

// change runs f in a transaction, with the next version for what f changes. A refusal is returned as it comes, since it is no failure
// of the store. No other change overlaps f, and versions become visible in order: the row of the version is locked from the start.
func (db *DB) change(ctx context.Context, f func(ctx context.Context, tx *sql.Tx, version auth.Version) (refusal, failure error)) error {
	var refusal error
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var version auth.Version
		if err := tx.QueryRowContext(ctx, sqlRaiseKeysVersion).Scan(&version); err != nil {
			return err
		}
		var failure error
		if refusal, failure = f(ctx, tx, version); refusal != nil {
			return refusal
		}
		return failure
	})
	switch {
	case refusal != nil:
		return refusal
	case err != nil:
		return db.engine.Explain("write", err)
	}
	if db.engine.KeysChanged != nil {
		db.engine.KeysChanged(ctx)
	}
	return nil
}

// putKey runs statement, one of the two above that write a key, and gives the key its version. The check before it cannot be overtaken,
// as no other change is made meanwhile; the index on names is there all the same.
func putKey(ctx context.Context, tx *sql.Tx, statement string, version auth.Version, key *auth.Key) (refusal, failure error) {
	if key.RevokedAt.IsZero() {
		var taken int
		if err := tx.QueryRowContext(ctx, sqlNameTaken, key.Name, key.ID).Scan(&taken); err != nil {
			return nil, err
		}
		if taken > 0 {
			return auth.ErrNameTaken, nil
		}
	}
	key.Version = version
	values, err := columnsOf(key)
	if err != nil {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, statement, values...)
	return nil, err
}

// InsertKeys adds many keys in one transaction, with one version for all.
func (db *DB) InsertKeys(ctx context.Context, keys iter.Seq[auth.Key]) error {
	return db.change(ctx, func(ctx context.Context, tx *sql.Tx, version auth.Version) (refusal, failure error) {
		for key := range keys {
			key.Version = version
			values, err := columnsOf(&key)
			if err == nil {
				_, err = tx.ExecContext(ctx, sqlInsertKey, values...)
			}
			if err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
}

// columnsOf are a key's columns, in the order of the statements that write one.
func columnsOf(key *auth.Key) ([]any, error) {
	models, err := json.Marshal(append([]string{}, key.Models...)) // an empty list is [], not null
	if err != nil {
		return nil, err
	}
	spending, err := spendingColumn(key.Spending)
	if err != nil {
		return nil, err
	}
	var previous []byte
	if !key.Previous.IsZero() {
		previous = key.Previous[:]
	}
	return []any{
		key.Name, key.Digest[:], previous, micros(key.PreviousUntil), string(models), key.Explain,
		micros(key.CreatedAt), micros(key.ExpiresAt), micros(key.RevokedAt), key.Cut,
		sql.NullString{String: key.TeamID, Valid: key.TeamID != ""},
		limitsColumn(key.Limits),
		spending,
		sql.NullInt64{Int64: key.Idempotency.Microseconds(), Valid: key.Idempotency > 0},
		int64(key.Version), key.ID,
	}, nil
}

// keyReader reads rows of keys. What it has room for is used again for each row, since there may be a million.
type keyReader struct {
	to                                       auth.Key
	digest, previous, models                 sql.RawBytes
	previousUntil, created, expires, revoked sql.NullInt64
	idempotency                              sql.NullInt64
	team, limits, spending                   sql.RawBytes

	lists map[string][]string // model patterns by their JSON: most keys have one of a few lists, and share it
	teams map[string]string   // ids of teams, which their keys share
}

// maxLists bounds the number of shared lists, for stores in which every key has a different list.
const maxLists = 10_000

func (r *keyReader) key(rows *sql.Rows) (auth.Key, error) {
	r.to = auth.Key{}
	err := rows.Scan(&r.to.ID, &r.to.Name, &r.digest, &r.previous, &r.previousUntil, &r.models, &r.to.Explain, &r.created, &r.expires, &r.revoked,
		&r.to.Cut, &r.team, &r.limits, &r.spending, &r.idempotency, &r.to.Version)
	if err != nil {
		return auth.Key{}, err
	}
	key := r.to
	copy(key.Digest[:], r.digest) // the table's checks hold their lengths
	copy(key.Previous[:], r.previous)
	if key.Models, err = r.patterns(); err != nil {
		return auth.Key{}, fmt.Errorf("the model patterns of key %s are damaged: %w", key.ID, err)
	}
	if key.Limits, err = limitsOf(r.limits); err != nil {
		return auth.Key{}, fmt.Errorf("the limits of key %s are damaged: %w", key.ID, err)
	}
	if key.Spending, err = spendingOf(r.spending); err != nil {
		return auth.Key{}, fmt.Errorf("the budgets of key %s are damaged: %w", key.ID, err)
	}
	key.TeamID, key.Idempotency = r.teamID(), time.Duration(r.idempotency.Int64)*time.Microsecond
	key.PreviousUntil, key.CreatedAt = fromMicros(r.previousUntil), fromMicros(r.created)
	key.ExpiresAt, key.RevokedAt = fromMicros(r.expires), fromMicros(r.revoked)
	return key, nil
}

func (r *keyReader) teamID() string {
	if len(r.team) == 0 {
		return ""
	}
	id, seen := r.teams[string(r.team)]
	if !seen {
		id = string(r.team)
		r.teams[id] = id
	}
	return id
}

func (r *keyReader) patterns() (list []string, err error) {
	if list, seen := r.lists[string(r.models)]; seen {
		return list, nil
	}
	if err := json.Unmarshal(r.models, &list); err != nil {
		return nil, err
	}
	list = slices.Clip(list) // a change that appends to it makes another list
	if len(r.lists) < maxLists {
		r.lists[string(r.models)] = list
	}
	return list, nil
}
