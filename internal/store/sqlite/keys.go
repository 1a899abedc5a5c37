package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/weirproxy/weir/internal/auth"
)

var _ auth.Store = (*DB)(nil)

const (
	sqlListKeys = `
		SELECT id, name, digest, previous_digest, previous_until, models, may_explain, created_at, expires_at, revoked_at
		FROM keys ORDER BY created_at, id`

	sqlGetKey = `
		SELECT id, name, digest, previous_digest, previous_until, models, may_explain, created_at, expires_at, revoked_at
		FROM keys WHERE id = ?`

	sqlNameTaken = `SELECT count(*) FROM keys WHERE name = ? AND id <> ? AND revoked_at IS NULL`

	sqlInsertKey = `
		INSERT INTO keys (name, digest, previous_digest, previous_until, models, may_explain, created_at, expires_at, revoked_at, id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

	sqlUpdateKey = `
		UPDATE keys SET name = ?, digest = ?, previous_digest = ?, previous_until = ?, models = ?,
			may_explain = ?, created_at = ?, expires_at = ?, revoked_at = ?
		WHERE id = ?`
)

// ListKeys implements auth.Store.
func (db *DB) ListKeys(ctx context.Context) ([]auth.Key, error) {
	rows, err := db.readers.QueryContext(ctx, sqlListKeys)
	if err != nil {
		return nil, db.explain("read", err)
	}
	defer rows.Close()
	var keys []auth.Key
	for rows.Next() {
		key, err := scanKey(rows.Scan)
		if err != nil {
			return nil, db.explain("read", err)
		}
		keys = append(keys, key)
	}
	if err := rows.Err(); err != nil {
		return nil, db.explain("read", err)
	}
	return keys, nil
}

// InsertKey implements auth.Store.
func (db *DB) InsertKey(ctx context.Context, key auth.Key) error {
	err := db.write(ctx, func(tx *sql.Tx) error { return putKey(ctx, tx, sqlInsertKey, key) })
	if err != nil && !errors.Is(err, auth.ErrNameTaken) {
		return db.explain("write", err)
	}
	return err
}

// UpdateKey implements auth.Store.
func (db *DB) UpdateKey(ctx context.Context, id string, change func(*auth.Key) error) (auth.Key, error) {
	var key auth.Key
	refused := false // by change or by the law, which is no failure of the store
	err := db.write(ctx, func(tx *sql.Tx) error {
		var err error
		key, err = scanKey(tx.QueryRowContext(ctx, sqlGetKey, id).Scan)
		if errors.Is(err, sql.ErrNoRows) {
			err, refused = auth.ErrNotFound, true
		}
		if err != nil {
			return err
		}
		if err := change(&key); err != nil {
			refused = true
			return err
		}
		return putKey(ctx, tx, sqlUpdateKey, key)
	})
	switch {
	case err == nil:
		return key, nil
	case refused, errors.Is(err, auth.ErrNameTaken):
		return auth.Key{}, err
	default:
		return auth.Key{}, db.explain("write", err)
	}
}

// putKey runs statement, one of the two above that write a key. The check before it cannot be overtaken,
// as tx is the only writer; the index on names stands behind it.
func putKey(ctx context.Context, tx *sql.Tx, statement string, key auth.Key) error {
	if key.RevokedAt.IsZero() {
		var taken int
		if err := tx.QueryRowContext(ctx, sqlNameTaken, key.Name, key.ID).Scan(&taken); err != nil {
			return err
		}
		if taken > 0 {
			return auth.ErrNameTaken
		}
	}
	models, err := json.Marshal(append([]string{}, key.Models...)) // none is [], not null
	if err != nil {
		return err
	}
	var previous []byte
	if !key.Previous.IsZero() {
		previous = key.Previous[:]
	}
	_, err = tx.ExecContext(ctx, statement,
		key.Name, key.Digest[:], previous, micros(key.PreviousUntil), string(models), key.Explain,
		micros(key.CreatedAt), micros(key.ExpiresAt), micros(key.RevokedAt), key.ID)
	return err
}

func scanKey(scan func(...any) error) (auth.Key, error) {
	var key auth.Key
	var digest, previous []byte
	var models string
	var previousUntil, created, expires, revoked sql.NullInt64
	err := scan(&key.ID, &key.Name, &digest, &previous, &previousUntil, &models, &key.Explain, &created, &expires, &revoked)
	if err != nil {
		return auth.Key{}, err
	}
	copy(key.Digest[:], digest) // the table's checks hold their lengths
	copy(key.Previous[:], previous)
	if err := json.Unmarshal([]byte(models), &key.Models); err != nil {
		return auth.Key{}, fmt.Errorf("the model patterns of key %s are damaged: %w", key.ID, err)
	}
	key.PreviousUntil, key.CreatedAt = fromMicros(previousUntil), fromMicros(created)
	key.ExpiresAt, key.RevokedAt = fromMicros(expires), fromMicros(revoked)
	return key, nil
}
