package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/weirproxy/weir/internal/store/tables"
)

// Member is a replica, as the database knows it.
type Member struct {
	ID        string
	Since     time.Time // when its process began, by its own clock; zero for a forgotten one
	Seen      time.Time // zero for a forgotten one
	Forgotten bool
	Holds     int64 // budgets of which it has something that it may spend
	InDoubt   int64 // budgets of which it may have spent something before it was forgotten
}

const (
	sqlMembers = `
	SELECT r.id, r.began, r.seen_at, r.forgotten,
		count(*) FILTER (WHERE e.granted > e.used + e.doubt), count(*) FILTER (WHERE e.doubt > 0)
	FROM escrow_replicas AS r LEFT JOIN escrow_leases AS e ON e.replica = r.id
	WHERE r.began > 0 GROUP BY r.id, r.began, r.seen_at, r.forgotten ORDER BY r.seen_at DESC, r.id`

	sqlSeenAgo = `SELECT seen_at >= ` + sqlNow + ` - $2::BIGINT FROM escrow_replicas WHERE id = $1 AND began > 0`
)

// Members lists the replicas that share a database, those first that were seen last. It changes nothing.
func Members(ctx context.Context, o Options) (list []Member, err error) {
	db, err := connect(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err = tables.InTransaction(ctx, db.pool, nil, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, sqlMembers)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var m Member
			var began, seen int64
			if err := rows.Scan(&m.ID, &began, &seen, &m.Forgotten, &m.Holds, &m.InDoubt); err != nil {
				return err
			}
			if !m.Forgotten {
				m.Since, m.Seen = time.UnixMicro(began).UTC(), time.UnixMicro(seen).UTC()
			}
			list = append(list, m)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, db.explain("read", err)
	}
	return list, nil
}

// livesFor is how long a replica counts as alive that was seen.
const livesFor = time.Minute

// ForgetMember charges what a replica that is gone for good has outstanding as in doubt or, if it spent nothing more, gives it back. One that was
// seen lately is forgotten only if forced.
func ForgetMember(ctx context.Context, o Options, id string, unspent, force bool) (err error) {
	db, err := connect(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var alive bool
	err = tables.InTransaction(ctx, db.pool, nil, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, sqlSeenAgo, id, livesFor.Microseconds()).Scan(&alive)
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("the store %s has no replica %q: weir replicas list shows them", db.text, id)
	case err != nil:
		return db.explain("read", err)
	case alive && !force:
		return fmt.Errorf("the replica %s was seen within the last minute: stop it first, or give --force if it is sure to be gone", id)
	}
	return NewEscrow(db, nil).Forget(ctx, id, unspent)
}
