package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"math"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

const (
	sqlRows = `SELECT a.id, a.key, a.team, a.model, a.target, a.outcome, coalesce(p.hash, 0), a.flags, a.request, a.facts
		FROM attempts AS a LEFT JOIN prices AS p ON p.id = a.price WHERE a.id >= ? AND a.id < ?`

	newestFirst = ` ORDER BY a.id DESC LIMIT ?`

	sqlEndsOfRows = `SELECT (SELECT min(id) FROM attempts), (SELECT max(id) FROM attempts)`

	// Which times have lines that match. A filter follows, and for a key it is found one time after another.
	sqlTimes      = `SELECT DISTINCT l.at FROM %s AS l WHERE l.at >= ? AND l.at < ?`
	sqlTimesOfKey = eachTime + `SELECT DISTINCT l.at FROM spans CROSS JOIN %s AS l ON l.at = spans.at WHERE 1`

	sqlInstances = `SELECT number, instance FROM shipped`
)

// filter is what rows, and the lines of the sums that they are in, have in common.
type filter struct {
	key  bool
	text string // of the conditions; %[1]s stands for the table
	args []any
}

// filter is that of a query. possible is false if it names what no row has.
func (db *DB) filter(q *ledger.RowsQuery) (f filter, possible bool) {
	for _, by := range [...]struct {
		column string
		kind   kind
		text   string
	}{{"key", keyName, q.Key}, {"team", teamName, q.Team}, {"model", modelName, q.Model}} {
		if by.text == "" {
			continue
		}
		number, known := db.names.number(by.kind, by.text)
		if !known {
			return f, false
		}
		f.key = f.key || by.kind == keyName
		f.text += ` AND ` + by.column + ` = ?`
		f.args = append(f.args, number)
	}
	if q.Flags != 0 {
		f.text += ` AND flags & ? = ?`
		f.args = append(f.args, int64(q.Flags), int64(q.Flags))
	}
	return f, true
}

// Rows implements ledger.Reports. Of a filter, the sums know the days and the hours that have such rows; only these hours' rows are read.
func (db *DB) Rows(ctx context.Context, q *ledger.RowsQuery) (list []ledger.Row, more bool, err error) {
	err = inTransaction(ctx, db.readers, func(tx *sql.Tx) error {
		if err := db.names.refresh(ctx, tx); err != nil {
			return err
		}
		r := rowsReader{db: db, ctx: context.WithoutCancel(ctx), tx: tx, q: q}
		if err := r.read(); err != nil {
			return err
		}
		list, more = r.list, len(r.list) > q.Limit
		if more {
			list = list[:q.Limit]
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, false, db.explain("read", err)
	}
	return list, more, nil
}

// rowsReader reads the rows of one query.
type rowsReader struct {
	db        *DB
	ctx       context.Context
	tx        *sql.Tx
	q         *ledger.RowsQuery
	filter    filter
	instances map[int64]string
	list      []ledger.Row // one more than the limit if there are more
}

func (r *rowsReader) read() (err error) {
	from, to, err := r.bounds()
	if err != nil || from >= to {
		return err
	}
	possible := false
	if r.filter, possible = r.db.filter(r.q); !possible {
		return nil
	}
	switch {
	case r.q.Request != "":
		return r.request(from, to)
	case r.filter.text == "":
		return r.scan(from, to)
	}
	return r.byHours(from, to)
}

// bounds are the least id, and the one after the greatest, that rows of the query can have.
func (r *rowsReader) bounds() (from, to int64, err error) {
	if r.instances, err = instances(r.ctx, r.tx); err != nil {
		return 0, 0, err
	}
	var least, greatest sql.NullInt64
	if err := r.tx.QueryRowContext(r.ctx, sqlEndsOfRows).Scan(&least, &greatest); err != nil || !least.Valid {
		return 0, 0, err
	}
	from, to = least.Int64, greatest.Int64+1
	if !r.q.Span.Since.IsZero() {
		from = max(from, rowID(ledger.SeqAt(r.q.Span.Since), 0))
	}
	if !r.q.Span.Until.IsZero() {
		to = min(to, rowID(ledger.SeqAt(r.q.Span.Until), 0))
	}
	if place := r.q.Before; place != nil {
		to = min(to, rowID(place.Seq, r.number(place.Instance)))
	}
	return from, to, nil
}

// number is that of an instance, 0 for one that is unknown.
func (r *rowsReader) number(instance string) int64 {
	for number, name := range r.instances {
		if name == instance {
			return number
		}
	}
	return 0
}

func instances(ctx context.Context, from querier) (map[int64]string, error) {
	rows, err := from.QueryContext(ctx, sqlInstances)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int64]string{}
	for rows.Next() {
		var number int64
		var name string
		if err := rows.Scan(&number, &name); err != nil {
			return nil, err
		}
		all[number] = name
	}
	return all, rows.Err()
}

// request reads a request's rows: those within hours of the time that its id tells, and all others only if it has none there.
func (r *rowsReader) request(from, to int64) error {
	r.filter.text += ` AND request = ?`
	packed := packRequest(r.q.Request)
	r.filter.args = append(r.filter.args, packed)
	id, ok := packed.([]byte)
	if !ok {
		return r.scan(from, to)
	}
	began := time.UnixMilli(int64(binary.BigEndian.Uint64(id) >> 16))
	least := max(from, rowID(ledger.SeqAt(began.Add(-time.Minute)), 0))
	most := min(to, rowID(ledger.SeqAt(began.Add(2*time.Hour)), 0))
	if err := r.scan(least, most); err != nil || len(r.list) > 0 {
		return err
	}
	if err := r.scan(max(most, from), to); err != nil || len(r.list) > 0 {
		return err
	}
	return r.scan(from, min(least, to)) // the clock was set back meanwhile
}

// byHours reads the rows of those hours that have what the filter admits, the newest first.
func (r *rowsReader) byHours(from, to int64) error {
	seq := func(id int64) time.Time { return ledger.Seq(id >> instanceBits).Time().UTC() }
	first, last := ledger.DayOf(seq(from)), ledger.DayOf(seq(to))
	days, err := r.times("days", int64(first)-1, int64(last)+2)
	if err != nil {
		return err
	}
	has := map[int64]bool{}
	for _, day := range days {
		has[day] = true
	}
	for day := int64(last); day >= int64(first) && len(r.list) <= r.q.Limit; day-- {
		if !has[day-1] && !has[day] && !has[day+1] { // their days are those of another time zone
			continue
		}
		hours, err := r.times("hours", day*quartersADay, (day+1)*quartersADay)
		if err != nil {
			return err
		}
		for _, hour := range hours {
			begin := rowID(ledger.SeqAt(ledger.Hour(hour).Begin()), 0)
			end := rowID(ledger.SeqAt(ledger.Hour(hour).Begin().Add(time.Hour)), 0)
			if err := r.scan(max(begin, from), min(end, to)); err != nil || len(r.list) > r.q.Limit {
				return err
			}
			to = min(to, max(begin, from)) // hours may overlap where the time zone was changed
		}
	}
	return nil
}

const quartersADay = 24 * 4

// times are those from and before which a table of sums has lines that the filter admits, the last first.
func (r *rowsReader) times(table string, from, to int64) (list []int64, err error) {
	query := sqlTimes
	if r.filter.key {
		query = sqlTimesOfKey
	}
	rows, err := r.tx.QueryContext(r.ctx, inTable(query, table)+r.filter.text+` ORDER BY 1 DESC`, append([]any{from, to}, r.filter.args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var at int64
		if err := rows.Scan(&at); err != nil {
			return nil, err
		}
		list = append(list, at)
	}
	return list, rows.Err()
}

// scan appends the rows of a range of ids that the filter admits, until there is one more than the limit.
func (r *rowsReader) scan(from, to int64) error {
	if from >= to {
		return nil
	}
	args := append([]any{from, to}, r.filter.args...)
	rows, err := r.tx.QueryContext(r.ctx, sqlRows+r.filter.text+newestFirst, append(args, min(int64(r.q.Limit), math.MaxInt32)+1-int64(len(r.list)))...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := r.db.row(rows, r.instances)
		if err != nil {
			return err
		}
		r.list = append(r.list, row.Row)
	}
	return rows.Err()
}

// numbered is a row with the numbers of its names.
type numbered struct {
	ledger.Row
	numbers
}

// row reads the row that a query of sqlRows is at.
func (db *DB) row(rows *sql.Rows, instances map[int64]string) (r numbered, err error) {
	var id, outcome, price, flags int64
	var request any
	var facts sql.RawBytes
	if err := rows.Scan(&id, &r.key, &r.team, &r.model, &r.target, &outcome, &price, &flags, &request, &facts); err != nil {
		return r, err
	}
	r.Seq, r.Instance = ledger.Seq(id>>instanceBits), instances[id&(1<<instanceBits-1)]
	r.Key, r.Team, r.Model, r.Outcome = db.names.text(r.key), db.names.text(r.team), db.names.text(r.model), db.names.text(outcome)
	r.Provider, r.Upstream = splitTarget(db.names.text(r.target))
	r.Price, r.Flags, r.Request = money.ID(price), ledger.Flags(flags), unpackRequest(request)
	return r, r.ReadFacts(facts)
}

func unpackRequest(packed any) string {
	if id, ok := packed.([]byte); ok {
		return requestIDs.EncodeToString(id)
	}
	text, _ := packed.(string)
	return text
}
