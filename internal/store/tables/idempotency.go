package tables

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/weirproxy/weir/internal/idempotency"
)

var _ idempotency.Store = (*DB)(nil)

const (
	sqlIdempotent = `SELECT request, instance, epoch, created_at, until, answer FROM idempotent WHERE name = $1 AND until > $2`

	// What is not in the way of a claim.
	sqlClear = `DELETE FROM idempotent WHERE name = $1 AND (until <= $2 OR size = 0 AND instance = $3)`

	sqlClaim = `
		INSERT INTO idempotent (name, key_id, request, instance, epoch, size, created_at, until) VALUES ($1, $2, $3, $4, $5, 0, $6, $7)
		ON CONFLICT (name) DO NOTHING`

	sqlHasClaim = `SELECT count(*) FROM idempotent WHERE name = $1 AND size = 0 AND instance = $2 AND epoch = $3`

	sqlKeepAnswer = `UPDATE idempotent SET size = $1, created_at = $2, until = $3, answer = $4 WHERE name = $5`

	sqlReleaseClaim = `DELETE FROM idempotent WHERE name = $1 AND size = 0 AND instance = $2 AND epoch = $3`

	sqlIdempotentSize = `SELECT coalesce((SELECT bytes FROM idempotent_sizes WHERE key_id = $1), 0)`

	// Those who keep or delete answers come one after the other, so that their sums are right.
	sqlLockAnswers = `UPDATE idempotent_sizes SET bytes = bytes WHERE key_id = ''`

	sqlOldestOfKey = `SELECT name, size FROM idempotent WHERE size > 0 AND key_id = $1 ORDER BY created_at, name`

	sqlOldestOfAll = `SELECT name, size FROM idempotent WHERE size > 0 ORDER BY created_at, name`

	sqlDeleteIdempotent = `DELETE FROM idempotent WHERE name = $1`

	sqlForgetExpired = `DELETE FROM idempotent WHERE name IN (SELECT name FROM idempotent WHERE until <= $1 LIMIT $2)`

	// Of the keys, only those that have answers are looked at.
	sqlForgetOfRevoked = `
		DELETE FROM idempotent WHERE name IN (
			SELECT name FROM idempotent WHERE size > 0 AND key_id IN (
				SELECT key_id FROM idempotent_sizes WHERE EXISTS (SELECT 1 FROM keys WHERE id = key_id AND revoked_at IS NOT NULL)
			) LIMIT $1
		)`
)

// writeAnswers runs f in a transaction in which no other process keeps or deletes answers.
func (db *DB) writeAnswers(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, sqlLockAnswers); err != nil {
			return err
		}
		return f(ctx, tx)
	})
}

// Idempotent implements idempotency.Store.
func (db *DB) Idempotent(ctx context.Context, name idempotency.Name, now time.Time) (r idempotency.Record, found bool, err error) {
	err = db.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		r, found, err = readRecord(tx.QueryRowContext(ctx, sqlIdempotent, name.Hash[:], micros(now)), name)
		return err
	})
	if err != nil {
		return r, false, db.engine.Explain("read", err)
	}
	return r, found, nil
}

// readRecord reads the record of a name from a row, if there is one.
func readRecord(row *sql.Row, name idempotency.Name) (r idempotency.Record, found bool, err error) {
	var request []byte
	var created, until sql.NullInt64
	err = row.Scan(&request, &r.Owner.Instance, &r.Owner.Epoch, &created, &until, &r.Answer)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return r, false, nil
	case err != nil:
		return r, false, err
	}
	r.Name, r.CreatedAt, r.Until = name, fromMicros(created), fromMicros(until)
	copy(r.Request[:], request)
	return r, true, nil
}

// errChanged is the error for a claim whose obstacle went while it was looked at.
var errChanged = errors.New("another process has just released the claim")

// ClaimIdempotent implements idempotency.Store.
func (db *DB) ClaimIdempotent(ctx context.Context, r idempotency.Record, now time.Time) (other idempotency.Record, claimed bool, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, sqlClear, r.Hash[:], micros(now), r.Owner.Instance); err != nil {
			return err
		}
		done, err := tx.ExecContext(ctx, sqlClaim, r.Hash[:], r.KeyID, r.Request[:], r.Owner.Instance, r.Owner.Epoch, micros(r.CreatedAt), micros(r.Until))
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if claimed = n == 1; err != nil || claimed {
			return err
		}
		var found bool
		if other, found, err = readRecord(tx.QueryRowContext(ctx, sqlIdempotent, r.Hash[:], micros(now)), r.Name); err == nil && !found {
			err = errChanged
		}
		return err
	})
	if err != nil {
		return other, false, db.engine.Explain("write", err)
	}
	return other, claimed, nil
}

// KeepIdempotent implements idempotency.Store.
func (db *DB) KeepIdempotent(ctx context.Context, r idempotency.Record, most idempotency.Bounds) (kept bool, err error) {
	size := int64(len(r.Answer)) + idempotency.RowBytes
	if size > most.Key || size > most.Total {
		return false, nil
	}
	err = db.writeAnswers(ctx, func(ctx context.Context, tx *sql.Tx) error {
		kept = false
		var claims int
		if err := tx.QueryRowContext(ctx, sqlHasClaim, r.Hash[:], r.Owner.Instance, r.Owner.Epoch).Scan(&claims); err != nil || claims == 0 {
			return err
		}
		if err := evict(ctx, tx, most.Key-size, r.KeyID, sqlOldestOfKey, r.KeyID); err != nil {
			return err
		}
		if err := evict(ctx, tx, most.Total-size, "", sqlOldestOfAll); err != nil {
			return err
		}
		kept = true
		_, err := tx.ExecContext(ctx, sqlKeepAnswer, size, micros(r.CreatedAt), micros(r.Until), r.Answer, r.Hash[:])
		return err
	})
	if err != nil {
		return false, db.engine.Explain("write", err)
	}
	return kept, nil
}

// evict deletes the oldest answers, which a query finds, until those that count together in the row of a key are no more than so many bytes.
func evict(ctx context.Context, tx *sql.Tx, most int64, keyID, oldest string, args ...any) error {
	var has int64
	if err := tx.QueryRowContext(ctx, sqlIdempotentSize, keyID).Scan(&has); err != nil || has <= most {
		return err
	}
	names, err := firstOf(ctx, tx, has-most, oldest, args...)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := tx.ExecContext(ctx, sqlDeleteIdempotent, name); err != nil {
			return err
		}
	}
	return nil
}

// firstOf are the names of the first answers of a query that have so many bytes together.
func firstOf(ctx context.Context, tx *sql.Tx, bytes int64, query string, args ...any) (names [][]byte, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for size := int64(0); bytes > 0 && rows.Next(); bytes -= size {
		var name []byte
		if err := rows.Scan(&name, &size); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// ReleaseIdempotent implements idempotency.Store.
func (db *DB) ReleaseIdempotent(ctx context.Context, name idempotency.Name, owner idempotency.Owner) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, sqlReleaseClaim, name.Hash[:], owner.Instance, owner.Epoch)
		return err
	})
	if err != nil {
		return db.engine.Explain("write", err)
	}
	return nil
}

// ForgetIdempotent implements idempotency.Store.
func (db *DB) ForgetIdempotent(ctx context.Context, now time.Time, most int) (deleted int, err error) {
	err = db.writeAnswers(ctx, func(ctx context.Context, tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, sqlForgetExpired, micros(now), most)
		if err != nil {
			return err
		}
		expired, err := done.RowsAffected()
		if err != nil {
			return err
		}
		if done, err = tx.ExecContext(ctx, sqlForgetOfRevoked, int64(most)-expired); err != nil {
			return err
		}
		revoked, err := done.RowsAffected()
		deleted = int(expired + revoked)
		return err
	})
	if err != nil {
		return 0, db.engine.Explain("write", err)
	}
	return deleted, nil
}
