package tables

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/weirproxy/weir/internal/stored"
)

const (
	sqlSaveResponse = `INSERT INTO responses (id, key_id, size, created_at, expires_at, sealed) VALUES ($1, $2, $3, $4, $5, $6)`

	sqlResponse = `SELECT sealed, created_at, expires_at FROM responses WHERE id = $1 AND key_id = $2 AND expires_at > $3`

	sqlDeleteResponse = `DELETE FROM responses WHERE id = $1 AND key_id = $2 AND expires_at > $3`

	sqlSizeOfKeysResponses = `SELECT coalesce((SELECT bytes FROM responses_of_keys WHERE key_id = $1), 0)`

	sqlOldestResponses = `SELECT created_at, id, size FROM responses WHERE key_id = $1 ORDER BY created_at, id`

	sqlDeleteUntil = `DELETE FROM responses WHERE key_id = $1 AND (created_at, id) <= ($2, $3)`

	sqlSizeOfResponses = `SELECT bytes FROM responses_size`

	// Those who add or delete responses come one after the other, so that their sums are right.
	sqlLockResponses = `UPDATE responses_size SET bytes = bytes`

	// Of the keys, only those that have responses are looked at.
	sqlDeleteOldResponses = `
		DELETE FROM responses WHERE expires_at <= $1 OR key_id IN (
			SELECT key_id FROM responses_of_keys WHERE EXISTS (SELECT 1 FROM keys WHERE id = key_id AND revoked_at IS NOT NULL)
		)`
)

var errFull = errors.New("the responses would take too many bytes")

// SaveResponse implements stored.Store.
func (db *DB) SaveResponse(ctx context.Context, r stored.Row, most stored.Bounds) (saved bool, err error) {
	size := int64(len(r.Sealed))
	if size > most.Key || size > most.Total {
		return false, nil
	}
	err = db.writeResponses(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := makeRoom(ctx, tx, r.KeyID, most.Key-size); err != nil {
			return err
		}
		var all int64
		if err := tx.QueryRowContext(ctx, sqlSizeOfResponses).Scan(&all); err != nil {
			return err
		}
		if all+size > most.Total {
			return errFull
		}
		_, err := tx.ExecContext(ctx, sqlSaveResponse, r.ID, r.KeyID, size, micros(r.CreatedAt), micros(r.ExpiresAt), r.Sealed)
		return err
	})
	switch {
	case errors.Is(err, errFull):
		return false, nil
	case err != nil:
		return false, db.engine.Explain("write", err)
	}
	return true, nil
}

// writeResponses runs f in a transaction in which no other process adds or deletes responses.
func (db *DB) writeResponses(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, sqlLockResponses); err != nil {
			return err
		}
		return f(ctx, tx)
	})
}

// makeRoom deletes a key's oldest responses until the others are no more than so many bytes. It reads none of those that stay.
func makeRoom(ctx context.Context, tx *sql.Tx, keyID string, most int64) error {
	var has int64
	if err := tx.QueryRowContext(ctx, sqlSizeOfKeysResponses, keyID).Scan(&has); err != nil || has <= most {
		return err
	}
	created, id, err := lastToGo(ctx, tx, keyID, has-most)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, sqlDeleteUntil, keyID, created, id)
	return err
}

// lastToGo is the last of a key's oldest responses that have so many bytes together.
func lastToGo(ctx context.Context, tx *sql.Tx, keyID string, bytes int64) (created int64, id string, err error) {
	rows, err := tx.QueryContext(ctx, sqlOldestResponses, keyID)
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for size := int64(0); bytes > 0 && rows.Next(); bytes -= size {
		if err := rows.Scan(&created, &id, &size); err != nil {
			return 0, "", err
		}
	}
	return created, id, rows.Err()
}

// Response implements stored.Store.
func (db *DB) Response(ctx context.Context, id, keyID string, now time.Time) (r stored.Row, found bool, err error) {
	if storable(id) != id {
		return r, false, nil // no response has such an id, and a database may refuse to look
	}
	var created, expires sql.NullInt64
	err = db.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, sqlResponse, id, keyID, micros(now)).Scan(&r.Sealed, &created, &expires)
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return r, false, nil
	case err != nil:
		return r, false, db.engine.Explain("read", err)
	}
	r.ID, r.KeyID, r.CreatedAt, r.ExpiresAt = id, keyID, fromMicros(created), fromMicros(expires)
	return r, true, nil
}

// DeleteResponse implements stored.Store.
func (db *DB) DeleteResponse(ctx context.Context, id, keyID string, now time.Time) (found bool, err error) {
	if storable(id) != id {
		return false, nil
	}
	err = db.writeResponses(ctx, func(ctx context.Context, tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, sqlDeleteResponse, id, keyID, micros(now))
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		found = n > 0
		return err
	})
	if err != nil {
		return false, db.engine.Explain("write", err)
	}
	return found, nil
}

// DeleteOldResponses implements stored.Store.
func (db *DB) DeleteOldResponses(ctx context.Context, now time.Time) error {
	err := db.writeResponses(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, sqlDeleteOldResponses, micros(now))
		return err
	})
	if err != nil {
		return db.engine.Explain("write", err)
	}
	return nil
}
