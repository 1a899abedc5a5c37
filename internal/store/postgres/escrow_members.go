package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/store/tables"
)

// Member is a replica, as the database knows it.
type Member struct {
	ID        string
	Name      string    // "" for one that never said it
	Config    string    // of what its config says about callers: replicas with the same are alike
	Program   string    // its version of Weir, "" for one that never said it
	Since     time.Time // when its process began, by its own clock; zero for a forgotten one
	Seen      time.Time // zero for a forgotten one
	Here      bool      // by the database's clock it was seen within the last 10 s, and did not leave
	Left      bool      // its process has ended in order
	Forgotten bool
	Holds     int64   // budgets of which it has something that it may spend
	InDoubt   int64   // budgets of which it may have spent something before it was forgotten
	Held      Amounts // what it has of them, in all
	Doubt     Amounts
}

// Amounts are sums over budgets.
type Amounts = budget.Amount

const (
	sqlMembers = `
	SELECT r.id, r.name, r.config, r.program, r.began, CASE WHEN r.left_at > 0 THEN r.left_at ELSE r.seen_at END, r.left_at > 0, r.forgotten,
		NOT r.forgotten AND r.left_at = 0 AND r.seen_at >= ` + sqlNow + ` - 10000000,
		count(*) FILTER (WHERE e.granted > e.used + e.doubt), count(*) FILTER (WHERE e.doubt > 0),
		coalesce(sum(greatest(e.granted - e.used - e.doubt, 0)) FILTER (WHERE e.budget LIKE $1), 0)::BIGINT,
		coalesce(sum(greatest(e.granted - e.used - e.doubt, 0)) FILTER (WHERE e.budget NOT LIKE $1), 0)::BIGINT,
		coalesce(sum(e.doubt) FILTER (WHERE e.budget LIKE $1), 0)::BIGINT, coalesce(sum(e.doubt) FILTER (WHERE e.budget NOT LIKE $1), 0)::BIGINT
	FROM escrow_replicas AS r LEFT JOIN escrow_leases AS e ON e.replica = r.id
	WHERE r.began > 0 GROUP BY r.id, r.name, r.config, r.program, r.began, r.seen_at, r.left_at, r.forgotten ORDER BY 6 DESC, r.id`

	sqlDoubts = `
	SELECT coalesce(sum(doubt) FILTER (WHERE budget LIKE $1), 0)::BIGINT, coalesce(sum(doubt) FILTER (WHERE budget NOT LIKE $1), 0)::BIGINT
	FROM escrow_leases WHERE doubt > 0`

	sqlFindMember = `
	SELECT id, seen_at >= ` + sqlNow + ` - $2::BIGINT AND left_at = 0 FROM escrow_replicas WHERE (id = $1 OR name = $1) AND began > 0
	ORDER BY id = $1 DESC, seen_at DESC`

	sqlSeenAgo = `SELECT ` + sqlNow + ` - seen_at FROM escrow_replicas WHERE id = $1 AND began > 0 AND NOT forgotten AND left_at = 0`

	sqlLeave = `UPDATE escrow_replicas SET left_at = ` + sqlNow + `, seen_at = 0 WHERE id = $1 AND began = $2 AND process = $3`

	// Names of others that are there.
	sqlNamesTaken = `SELECT name FROM escrow_replicas WHERE id <> $1 AND NOT forgotten AND left_at = 0 AND seen_at >= ` + sqlNow + ` - $2::BIGINT AND name <> ''`

	sqlDescribe = `UPDATE escrow_replicas SET name = $2, config = $3 WHERE id = $1 AND (name <> $2 OR config <> $3)`

	sqlClock = `SELECT ` + sqlNow
)

// Members lists the replicas that share a database, those first that were seen last. It changes nothing.
func Members(ctx context.Context, o Options) (list []Member, err error) {
	err = read(ctx, o, sqlMembers, []any{dollars}, func(scan func(...any) error) error {
		var m Member
		var began, seen int64
		if err := scan(&m.ID, &m.Name, &m.Config, &m.Program, &began, &seen, &m.Left, &m.Forgotten, &m.Here, &m.Holds, &m.InDoubt, &m.Held.Money, &m.Held.Tokens, &m.Doubt.Money, &m.Doubt.Tokens); err != nil {
			return err
		}
		if !m.Forgotten {
			m.Since, m.Seen = time.UnixMicro(began).UTC(), time.UnixMicro(seen).UTC()
		}
		list = append(list, m)
		return nil
	})
	return list, err
}

// dollars matches the names of budgets in dollars.
var dollars = budget.Dollars.SharedPrefix() + "%"

const sqlPresent = `
	SELECT coalesce(nullif(name, ''), id) FROM escrow_replicas WHERE NOT forgotten AND left_at = 0 AND seen_at >= ` + sqlNow + ` - 10000000 ORDER BY 1`

// Present are the names of the replicas that were seen within the last 10 s and did not say that they leave. It changes nothing.
func Present(ctx context.Context, o Options) (names []string, err error) {
	err = read(ctx, o, sqlPresent, nil, func(scan func(...any) error) error {
		var name string
		if err := scan(&name); err != nil {
			return err
		}
		names = append(names, name)
		return nil
	})
	return names, err
}

// read calls each with every row of a query to a database that is not served from. It changes nothing.
func read(ctx context.Context, o Options, query string, args []any, each func(scan func(...any) error) error) (err error) {
	db, err := connect(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err = tables.InTransaction(ctx, db.pool, nil, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := each(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	if err != nil {
		return db.explain("read", err)
	}
	return nil
}

// livesFor is how long a replica counts as alive that was seen.
const livesFor = time.Minute

// ForgetMember charges what a replica that is gone for good has outstanding as in doubt or, if it spent nothing more, gives it back. It is named by its id, or
// its name. One that was seen lately is forgotten only if forced. It returns the id.
func ForgetMember(ctx context.Context, o Options, ref string, unspent, force bool) (id string, err error) {
	db, err := connect(o)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var alive, several bool
	err = tables.InTransaction(ctx, db.pool, nil, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, sqlFindMember, ref, livesFor.Microseconds())
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if several = id != "" && id != ref; several {
				break
			}
			if id == "" {
				err = rows.Scan(&id, &alive)
			}
			if err != nil {
				return err
			}
		}
		return rows.Err()
	})
	switch {
	case err != nil:
		return "", db.explain("read", err)
	case id == "":
		return "", fmt.Errorf("the store %s has no replica %q: weir replicas list shows them", db.text, ref)
	case several:
		return "", fmt.Errorf("several replicas had the name %q: give the id of the one that is gone, as weir replicas list shows it", ref)
	case alive && !force:
		return "", fmt.Errorf("the replica %s was seen within the last minute: stop it first, or give --force if it is sure to be gone", ref)
	}
	return id, NewEscrow(db, nil).Forget(ctx, id, unspent)
}

// Seen returns how long ago a process was seen under a replica's name, if it is not known to have ended.
func (e *Escrow) Seen(ctx context.Context, replica string) (ago time.Duration, known bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var micros int64
	err = e.inTransaction(ctx, func(tx *sql.Tx) error { return tx.QueryRowContext(ctx, sqlSeenAgo, replica).Scan(&micros) })
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	case err != nil:
		return 0, false, e.db.explain("read", err)
	}
	return time.Duration(micros) * time.Microsecond, true, nil
}

// Leave says that a process has ended in order, so that the next one need not wait.
func (e *Escrow) Leave(ctx context.Context, replica string, epoch escrow.Epoch) error {
	ctx, cancel := context.WithTimeout(ctx, exchangeLimit)
	defer cancel()
	err := e.inTransaction(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, sqlLeave, replica, epoch.Began, ordered(epoch.Process))
		return err
	})
	if err != nil {
		return e.db.explain("write", err)
	}
	return nil
}

// Standing is what a replica learns besides budgets.
type Standing struct {
	Name  string        // that others know it by: another than wished, if one that is there has that
	Doubt Amounts       // of all replicas that were forgotten
	Ahead time.Duration // how far the database's clock is ahead of the replica's
}

// Describe says who a replica is, and looks around. now is the replica's clock.
func (e *Escrow) Describe(ctx context.Context, replica, wished, config string, now func() time.Time) (s Standing, err error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeLimit)
	defer cancel()
	err = e.inTransaction(ctx, func(tx *sql.Tx) error {
		asked := now()
		var clock int64
		if err := tx.QueryRowContext(ctx, sqlClock).Scan(&clock); err != nil {
			return err
		}
		s.Ahead = time.UnixMicro(clock).Sub(asked.Add(now().Sub(asked) / 2))
		taken, err := namesTaken(ctx, tx, replica)
		if err != nil {
			return err
		}
		s.Name = wished
		for n := 2; taken[s.Name]; n++ {
			s.Name = wished + "-" + strconv.Itoa(n)
		}
		if _, err := tx.ExecContext(ctx, sqlDescribe, replica, s.Name, config); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, sqlDoubts, dollars).Scan(&s.Doubt.Money, &s.Doubt.Tokens)
	})
	if err != nil {
		return Standing{}, e.db.explain("write", err)
	}
	return s, nil
}

func namesTaken(ctx context.Context, tx *sql.Tx, replica string) (map[string]bool, error) {
	rows, err := tx.QueryContext(ctx, sqlNamesTaken, replica, livesFor.Microseconds())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	taken := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		taken[name] = true
	}
	return taken, rows.Err()
}
