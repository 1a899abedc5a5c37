package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/store/tables"
	"github.com/weirproxy/weir/internal/version"
)

var _ escrow.Database = (*Escrow)(nil)

// Escrow is what replicas share of a store.
type Escrow struct {
	db      *DB
	earlier Earlier
	steps   int64 // of the schema, that this program knows
}

// Earlier returns what was spent of budgets before there were slices of them.
type Earlier func(context.Context, []escrow.Name) ([]int64, error)

// NewEscrow is what replicas share of an open store.
func NewEscrow(db *DB, earlier Earlier) *Escrow {
	return &Escrow{db, earlier, int64(len(migrations()))}
}

// exchangeLimit is how long a round trip may take in the database, if its context does not end before.
const exchangeLimit = 5 * time.Second

// ordered is a process's number in the order of the column.
func ordered(process uint64) int64 { return int64(process ^ 1<<63) }

func epochOf(began, process int64) escrow.Epoch {
	return escrow.Epoch{Began: began, Process: uint64(process) ^ 1<<63}
}

// Exchange implements escrow.Database. All statements of the transaction travel in one message, so that locks are held for no round trip.
func (e *Escrow) Exchange(ctx context.Context, s *escrow.Statement) (*escrow.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeLimit)
	defer cancel()
	x := exchange{s: s, steps: e.steps, answer: &escrow.Answer{Epoch: s.Epoch, Number: s.Number, Outcome: escrow.Forgot}}
	x.queue(ctx)
	if err := e.send(ctx, &x.batch); err != nil {
		return nil, e.db.explain("share with", err)
	}
	if x.lacks() && e.db.notifies.Load() {
		_, _ = e.db.trips.ExecContext(ctx, sqlNotify, wantedChannel) // others look anyway
	}
	return x.done(), nil
}

// lacks reports whether the replica got less of a budget than it needs, so that others are to give some of it back.
func (x *exchange) lacks() bool {
	given := make(map[escrow.Name]int64, len(x.answer.Grants))
	for i := range x.answer.Grants {
		given[x.answer.Grants[i].Name] = x.answer.Grants[i].Granted
	}
	return slices.ContainsFunc(x.s.Lines, func(l escrow.Line) bool {
		granted, answered := given[l.Name]
		return answered && granted-l.Keep < l.Need
	})
}

// send executes a batch, which begins and ends its transaction. The error is ErrUndone if the database has undone it for the sake of others.
func (e *Escrow) send(ctx context.Context, batch *pgx.Batch) error {
	conn, err := e.db.trips.Conn(ctx)
	if err != nil {
		return err
	}
	err = conn.Raw(func(made any) error {
		pg := made.(*connection).Conn.Conn() // of our own connector
		err := pg.SendBatch(ctx, batch).Close()
		if err != nil && !pg.IsClosed() && pg.PgConn().TxStatus() != 'I' {
			_, undo := pg.Exec(ctx, "ROLLBACK")
			err = errors.Join(err, undo)
		}
		return err
	})
	if undone(err) {
		err = errors.Join(escrow.ErrUndone, err)
	}
	return errors.Join(err, conn.Close())
}

// begin has a batch begin a transaction that ends in time.
func begin(ctx context.Context, batch *pgx.Batch) {
	left := exchangeLimit
	if end, limited := ctx.Deadline(); limited {
		left = max(time.Until(end), 0)
	}
	batch.Queue("BEGIN")
	batch.Queue(sqlLimitTime, strconv.FormatInt((left+grace).Milliseconds(), 10))
}

// exchange is one round trip of a replica.
type exchange struct {
	s      *escrow.Statement
	steps  int64 // of the schema, that this program knows
	batch  pgx.Batch
	answer *escrow.Answer
}

func (x *exchange) queue(ctx context.Context) {
	begin(ctx, &x.batch)
	x.queueNumber()
	if len(x.s.Lines) > 0 || x.s.Whole {
		x.queueLines()
	}
	if len(x.s.Rates) > 0 {
		x.queueRates()
	}
	if x.s.Whole {
		x.batch.Queue(sqlLeavePlaces, x.s.Replica, column(x.s.Places, func(l *escrow.PlaceLine) string { return string(l.Subject) }))
	}
	if len(x.s.Places) > 0 {
		x.queuePlaces()
	}
	x.batch.Queue("COMMIT")
}

// names are those of the lines.
func (x *exchange) names() (budgets []string, periods []int64) {
	return column(x.s.Lines, func(l *escrow.Line) string { return l.Name.Budget }), column(x.s.Lines, func(l *escrow.Line) int64 { return l.Name.Period })
}

func (x *exchange) queueNumber() {
	s, process := x.s, ordered(x.s.Epoch.Process)
	if s.Whole {
		x.batch.Queue(sqlMakeReplica, s.Replica)
	}
	x.batch.Queue(sqlDecide, s.Replica, s.Epoch.Began, process, s.Number, s.Acked, s.Whole).Query(func(rows pgx.Rows) error {
		var outcome, began, process int64
		_, err := pgx.ForEachRow(rows, []any{&outcome, &began, &process}, func() error {
			if x.answer.Outcome = escrow.Outcome(outcome); x.answer.Outcome == escrow.Superseded {
				x.answer.Last = epochOf(began, process)
			}
			return nil
		})
		return err
	})
	x.batch.Queue(sqlTakeNumber, s.Replica, s.Epoch.Began, process, s.Number).Query(func(rows pgx.Rows) error {
		var since int64
		_, err := pgx.ForEachRow(rows, []any{&x.answer.Replicas, &since}, func() error {
			x.answer.There = time.Duration(since) * time.Microsecond
			return nil
		})
		return err
	})
	if s.Whole {
		x.batch.Queue(sqlAnnounce, s.Replica, version.String(), x.steps)
	}
}

// column is one column of what is stated.
func column[T, V any](lines []T, value func(*T) V) []V {
	list := make([]V, len(lines))
	for i := range lines {
		list[i] = value(&lines[i])
	}
	return list
}

func (x *exchange) queueLines() {
	type line = escrow.Line
	s, number := x.s, func(value func(*line) int64) []int64 { return column(x.s.Lines, value) }
	budgets, periods := x.names()
	x.batch.Queue(sqlMakeSpans, s.Replica, budgets, periods)
	if !s.Whole {
		x.batch.Queue(sqlLockSpans, s.Replica, budgets, periods)
	} else {
		x.batch.Queue(sqlLockAllSpans, s.Replica, budgets, periods)
		x.batch.Queue(sqlSettle, s.Replica, budgets, periods)
	}
	x.batch.Queue(sqlGrant, s.Replica, budgets, periods,
		number(func(l *line) int64 { return l.Limit }), number(func(l *line) int64 { return l.Version }),
		number(func(l *line) int64 { return l.Used }), number(func(l *line) int64 { return l.Keep }), number(func(l *line) int64 { return l.Need }),
		number(func(l *line) int64 { return l.Least }), number(func(l *line) int64 { return l.Demand }),
		column(s.Lines, func(l *line) bool { return l.Wants }), column(s.Lines, func(l *line) bool { return l.Last }),
	).Query(func(rows pgx.Rows) error {
		var g escrow.Grant
		_, err := pgx.ForEachRow(rows, []any{&g.Name.Budget, &g.Name.Period, &g.Granted, &g.Left, &g.Used, &g.Limit, &g.Version}, func() error {
			x.answer.Grants = append(x.answer.Grants, g)
			return nil
		})
		return err
	})
}

func (x *exchange) queueRates() {
	type line = escrow.RateLine
	s, number := x.s, func(value func(*line) int64) []int64 { return column(x.s.Rates, value) }
	subjects := column(s.Rates, func(l *line) string { return string(l.Subject) })
	x.batch.Queue(sqlMakeBuckets, s.Replica, subjects)
	x.batch.Queue(sqlLockBuckets, s.Replica, subjects)
	x.batch.Queue(sqlExchangeRates, s.Replica, subjects, number(func(l *line) int64 { return l.Limit }), number(func(l *line) int64 { return l.Back }),
		number(func(l *line) int64 { return int64(l.Since) }), number(func(l *line) int64 { return l.Debt }), number(func(l *line) int64 { return l.Need }), number(func(l *line) int64 { return l.Least }),
		number(func(l *line) int64 { return l.Spare }),
	).Query(func(rows pgx.Rows) error {
		var subject string
		var given, wait, full, since int64
		_, err := pgx.ForEachRow(rows, []any{&subject, &given, &wait, &full, &since}, func() error {
			x.answer.Rates = append(x.answer.Rates, escrow.RateGrant{Subject: escrow.Subject(subject), Given: given, Wait: time.Duration(wait), Full: time.Duration(full), Since: time.Duration(since)})
			return nil
		})
		return err
	})
}

func (x *exchange) queuePlaces() {
	type line = escrow.PlaceLine
	s, number := x.s, func(value func(*line) int64) []int64 { return column(x.s.Places, value) }
	subjects := column(s.Places, func(l *line) string { return string(l.Subject) })
	x.batch.Queue(sqlMakePlaces, s.Replica, subjects)
	x.batch.Queue(sqlLockPlaces, s.Replica, subjects)
	x.batch.Queue(sqlExchangePlaces, s.Replica, subjects, number(func(l *line) int64 { return l.Limit }), number(func(l *line) int64 { return l.Running }),
		number(func(l *line) int64 { return l.Keep }), number(func(l *line) int64 { return l.Need }),
	).Query(func(rows pgx.Rows) error {
		var subject string
		var have, left int64
		_, err := pgx.ForEachRow(rows, []any{&subject, &have, &left}, func() error {
			x.answer.Places = append(x.answer.Places, escrow.PlaceGrant{Subject: escrow.Subject(subject), Have: have, Left: left})
			return nil
		})
		return err
	})
}

// done is the answer, in the order of what was stated.
func (x *exchange) done() *escrow.Answer {
	a := x.answer
	slices.SortFunc(a.Grants, func(a, b escrow.Grant) int { return a.Name.Compare(b.Name) })
	rates, places := map[escrow.Subject]int{}, map[escrow.Subject]int{}
	for i := range x.s.Rates {
		rates[x.s.Rates[i].Subject] = i
	}
	for i := range x.s.Places {
		places[x.s.Places[i].Subject] = i
	}
	slices.SortFunc(a.Rates, func(a, b escrow.RateGrant) int { return rates[a.Subject] - rates[b.Subject] })
	slices.SortFunc(a.Places, func(a, b escrow.PlaceGrant) int { return places[a.Subject] - places[b.Subject] })
	return a
}

// Poll implements escrow.Database.
func (e *Escrow) Poll(ctx context.Context, q escrow.Question) (*escrow.News, error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeLimit)
	defer cancel()
	news := &escrow.News{Outcome: escrow.Forgot}
	var batch pgx.Batch
	begin(ctx, &batch)
	batch.Queue(sqlSee, q.Replica, q.Epoch.Began, ordered(q.Epoch.Process), q.Acked).Query(func(rows pgx.Rows) error {
		var began, process, number, since int64
		_, err := pgx.ForEachRow(rows, []any{&began, &process, &number, &since, &news.Replicas}, func() error {
			news.There = time.Duration(since) * time.Microsecond
			switch c := q.Epoch.Compare(epochOf(began, process)); {
			case c < 0:
				news.Outcome = escrow.Superseded
			case c == 0 && number >= q.Acked:
				news.Outcome = escrow.Executed
			}
			return nil
		})
		return err
	})
	batch.Queue(sqlWanted, q.Replica).Query(func(rows pgx.Rows) error {
		var w escrow.Wanted
		_, err := pgx.ForEachRow(rows, []any{&w.Name.Budget, &w.Name.Period, &w.Granted}, func() error {
			if news.Outcome == escrow.Executed {
				news.Wanted = append(news.Wanted, w)
			}
			return nil
		})
		return err
	})
	batch.Queue("COMMIT")
	if err := e.send(ctx, &batch); err != nil {
		return nil, e.db.explain("ask", err)
	}
	return news, nil
}

// Forget implements escrow.Database.
func (e *Escrow) Forget(ctx context.Context, replica string, unspent bool) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := again(func() error {
		var batch pgx.Batch
		begin(ctx, &batch)
		batch.Queue(sqlForget, replica)
		batch.Queue(sqlLockLeased, replica)
		batch.Queue(sqlFree, replica, unspent)
		batch.Queue(sqlFreeClaims, replica)
		batch.Queue("COMMIT")
		return e.send(ctx, &batch)
	})
	if err != nil {
		return e.db.explain("write", err)
	}
	return nil
}

// Reclaim implements escrow.Database.
func (e *Escrow) Reclaim(ctx context.Context, names []escrow.Name, after time.Duration) (leases int, err error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeLimit)
	defer cancel()
	names = slices.Clone(names)
	slices.SortFunc(names, escrow.Name.Compare)
	budgets, periods := namesOf(names)
	err = e.inTransaction(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, sqlLockArrived, budgets, periods); err != nil {
			return err
		}
		done, err := tx.ExecContext(ctx, sqlReclaim, budgets, periods, after.Microseconds())
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		leases = int(n)
		return err
	})
	if err != nil {
		return 0, e.db.explain("write", err)
	}
	return leases, nil
}

// again runs a transaction up to three times more, if the database undoes it for the sake of others.
func again(transaction func() error) (err error) {
	for range 4 {
		if err = transaction(); err == nil || !undone(err) {
			return err
		}
	}
	return err
}

// inTransaction runs f in a transaction, and again if that was undone: f finds the store as if it were the first time.
func (e *Escrow) inTransaction(ctx context.Context, f func(*sql.Tx) error) error {
	return again(func() error { return tables.InTransaction(ctx, e.db.pool, nil, f) })
}

// Books returns what is granted and used by the leases of a budget. The error says that the budget's own sums differ.
func (e *Escrow) Books(ctx context.Context, name escrow.Name) (granted, used int64, err error) {
	var sumGranted, sumUsed int64
	err = e.inTransaction(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, sqlBooks, name.Budget, name.Period).Scan(&sumGranted, &sumUsed, &granted, &used)
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, 0, nil
	case err != nil:
		return 0, 0, e.db.explain("read", err)
	case granted != sumGranted || used != sumUsed:
		return granted, used, fmt.Errorf("the leases of %s come to %d granted and %d used, and the budget says %d and %d", name.Budget, granted, used, sumGranted, sumUsed)
	}
	return granted, used, nil
}
