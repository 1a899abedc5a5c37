package tables

import (
	"context"
	"database/sql"
	"encoding/base32"
	"encoding/binary"
	"math"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

const (
	sqlRows = `SELECT a.id, a.key, a.team, a.model, a.target, a.outcome, coalesce(p.hash, 0), a.flags, a.request, a.facts
		FROM attempts AS a LEFT JOIN prices AS p ON p.id = a.price WHERE true`

	rowsBetween = ` AND a.id >= ? AND a.id < ?`

	newestFirst = ` ORDER BY a.id DESC LIMIT ?`

	sqlEndsOfRows = `SELECT (SELECT min(id) FROM attempts), (SELECT max(id) FROM attempts)`

	// Which times have lines that match. A filter follows, and for a key it is found one time after another.
	sqlTimes      = `SELECT DISTINCT l.at FROM %s AS l WHERE l.at >= ? AND l.at < ?`
	sqlTimesOfKey = eachTime + `SELECT DISTINCT l.at FROM spans CROSS JOIN %s AS l WHERE l.at = spans.at`

	// Of hours that overlap, because the time zone was changed, too.
	sqlMinutes = `SELECT at, minutes FROM key_hours WHERE at IN ($1 - 3, $1 - 2, $1 - 1, $1, $1 + 1, $1 + 2, $1 + 3) AND key = $2`

	sqlInstances = `SELECT number, instance FROM shipped`
)

// filter is what rows, and the lines of the sums that they are in, have in common.
type filter struct {
	need columns
	mark mark  // flagged if flags are asked for
	key  int64 // if byKey is needed
	text string
	args []any
}

// filter is that of a query. possible is false if it names what no row has.
func (db *DB) filter(q *ledger.RowsQuery) (f filter, possible bool) {
	for _, by := range [...]struct {
		column columns
		kind   kind
		text   string
	}{{byKey, keyName, q.Key}, {byTeam, teamName, q.Team}, {byModel, modelName, q.Model}} {
		if by.text == "" {
			continue
		}
		number, known := db.names.number(by.kind, by.text)
		if !known {
			return f, false
		}
		if f.need |= by.column; by.column == byKey {
			f.key = number
		}
		f.text += ` AND ` + by.column.names()[0] + ` = ?`
		f.args = append(f.args, number)
	}
	if q.Flags != 0 {
		f.mark = flagged
		f.text += ` AND flags & ? = ?`
		f.args = append(f.args, int64(q.Flags), int64(q.Flags))
	}
	return f, true
}

// Rows implements ledger.Reports. Of a filter, the sums know the days and the hours that have such rows; only these hours' rows are read.
func (db *DB) Rows(ctx context.Context, q *ledger.RowsQuery) (list []ledger.Row, more bool, err error) {
	err = db.report(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := db.names.refresh(ctx, tx); err != nil {
			return err
		}
		r := rowsReader{db: db, ctx: ctx, tx: tx, q: q}
		if err := r.read(); err != nil {
			return err
		}
		list, more = r.list, len(r.list) > q.Limit
		if more {
			list = list[:q.Limit]
		}
		return nil
	})
	if err != nil {
		return nil, false, err
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
		from = max(from, idAt(r.q.Span.Since))
	}
	if !r.q.Span.Until.IsZero() {
		to = min(to, idAt(r.q.Span.Until))
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
	packed, _ := packRequest(nil, r.q.Request, r.db.engine.OddRequest)
	r.filter.args = append(r.filter.args, packed)
	id, _ := packed.([]byte)
	if len(id) != 16 { // it says no time
		return r.scan(from, to)
	}
	began := time.UnixMilli(int64(binary.BigEndian.Uint64(id) >> 16))
	least := max(from, idAt(began.Add(-time.Minute)))
	most := min(to, idAt(began.Add(2*time.Hour)))
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
	days, err := r.times(true, int64(first)-1, int64(last)+2)
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
		hours, err := r.times(false, day*quartersADay, (day+1)*quartersADay)
		if err != nil {
			return err
		}
		for _, hour := range hours {
			if err := r.hour(ledger.Hour(hour), from, to); err != nil || len(r.list) > r.q.Limit {
				return err
			}
			to = min(to, max(idAt(ledger.Hour(hour).Begin()), from)) // hours may overlap where the time zone was changed
		}
	}
	return nil
}

const quartersADay = 24 * 4

// hour reads the rows of an hour that have what the filter admits. Of a key, it reads only the minutes in which there are rows of it.
func (r *rowsReader) hour(hour ledger.Hour, from, to int64) error {
	minutes, err := r.minutes(hour)
	if err != nil {
		return err
	}
	at := func(minute int) int64 { return idAt(hour.Begin().Add(time.Duration(minute) * time.Minute)) }
	for end := minutesOfAnHour; end > 0 && len(r.list) <= r.q.Limit; { // minutes that follow each other are read at once
		first := end
		for first > 0 && minutes&(1<<(first-1)) != 0 {
			first--
		}
		if err := r.scan(max(at(first), from), min(at(end), to)); err != nil {
			return err
		}
		end = min(first, end-1)
	}
	return nil
}

const (
	minutesOfAnHour          = 60
	minutesOfAQuarter        = 15
	everyMinute       uint64 = 1<<minutesOfAnHour - 1
)

// minutes are those of an hour in which there are rows of the filter's key, as bits.
func (r *rowsReader) minutes(hour ledger.Hour) (all uint64, err error) {
	if r.filter.need&byKey == 0 {
		return everyMinute, nil
	}
	rows, err := r.tx.QueryContext(r.ctx, sqlMinutes, int64(hour), r.filter.key)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var at, bits int64
		if err := rows.Scan(&at, &bits); err != nil {
			return 0, err
		}
		minutes, later := uint64(bits)&everyMinute, minutesOfAQuarter*(at-int64(hour))
		if later < 0 {
			all |= minutes >> -later
		} else {
			all |= minutes << later & everyMinute
		}
	}
	return all, rows.Err()
}

// idAt is the least id of a row of a time or later.
func idAt(t time.Time) int64 { return rowID(ledger.SeqAt(t), 0) }

// times are the days or hours, from one and before another, of which there are sums that the filter admits, the last first.
func (r *rowsReader) times(days bool, from, to int64) (list []int64, err error) {
	query := sqlTimes
	if r.filter.need&byKey != 0 {
		query = sqlTimesOfKey
	}
	rows, err := r.tx.QueryContext(r.ctx, dollars(inTable(query, narrowest(days, r.filter.need, r.filter.mark))+r.filter.text+` ORDER BY 1 DESC`), append([]any{from, to}, r.filter.args...)...)
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
	rows, err := r.tx.QueryContext(r.ctx, dollars(sqlRows+rowsBetween+r.filter.text+newestFirst), append(args, min(int64(r.q.Limit), math.MaxInt32)+1-int64(len(r.list)))...)
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
	id int64
	numbers
}

// row reads the row that a query of sqlRows is at.
func (db *DB) row(rows *sql.Rows, instances map[int64]string) (r numbered, err error) {
	var outcome, price, flags int64
	var request any
	var facts sql.RawBytes
	if err := rows.Scan(&r.id, &r.key, &r.team, &r.model, &r.target, &outcome, &price, &flags, &request, &facts); err != nil {
		return r, err
	}
	r.Seq, r.Instance = ledger.Seq(r.id>>instanceBits), instances[r.id&(1<<instanceBits-1)]
	r.Key, r.Team, r.Model, r.Outcome = db.names.text(r.key), db.names.text(r.team), db.names.text(r.model), db.names.text(outcome)
	r.Provider, r.Upstream = splitTarget(db.names.text(r.target))
	r.Price, r.Flags, r.Request = money.ID(price), ledger.Flags(flags), unpackRequest(request)
	return r, r.ReadFacts(facts)
}

// requestIDs is how the gateway spells the ids of requests.
var requestIDs = base32.HexEncoding.WithPadding(base32.NoPadding)

// packRequest is the id of a request as the table holds it: the 16 bytes that it spells, which are appended to b, or what odd makes of another.
func packRequest(b []byte, id string, odd func(string) any) (any, []byte) {
	from := len(b)
	longer, err := requestIDs.AppendDecode(b, []byte(id))
	var again [26]byte
	if err != nil || len(id) != len(again) || len(longer) != from+16 || string(requestIDs.AppendEncode(again[:0], longer[from:])) != id {
		return odd(id), b
	}
	return longer[from:len(longer):len(longer)], longer
}

// PaddedRequest is a request's id of another form as bytes: its text after so many zeros that they are not 16.
func PaddedRequest(id string) any {
	if len(id) == 15 {
		return []byte("\x00\x00" + id)
	}
	return []byte("\x00" + id)
}

// unpackRequest is the id of a request that packRequest packed.
func unpackRequest(packed any) string {
	switch id := packed.(type) {
	case []byte:
		if len(id) != 16 {
			return strings.TrimLeft(string(id), "\x00")
		}
		return requestIDs.EncodeToString(id)
	case string:
		return id
	}
	return ""
}
