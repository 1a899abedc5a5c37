package tables

import (
	"context"
	"database/sql"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

const (
	sqlRows = `SELECT l.id, l.key, l.team, l.model, l.target, l.outcome, coalesce(p.hash, 0), l.flags, l.request, l.facts
		FROM attempts AS l LEFT JOIN prices AS p ON p.id = l.price WHERE true`

	sqlEndsOfRows = `SELECT (SELECT min(id) FROM attempts), (SELECT max(id) FROM attempts)`

	sqlInstances = `SELECT number, instance FROM shipped`
)

// filter is what rows, and the lines of the sums that they are in, have in common.
type filter struct {
	need columns
	mark mark // flagged if flags are asked for
	text string
	args []any
}

// filter is that of a query. possible is false if it names what no row has.
func (db *DB) filter(q *ledger.RowsQuery) (f filter, possible bool) {
	wanted, possible := db.named(q.Key, q.Team, q.Model)
	for _, w := range wanted {
		f.need |= w.column
		f.text += w.text()
		f.args = append(f.args, w.number)
	}
	if q.Flags != 0 {
		f.mark = flagged
		f.text += ` AND l.flags & ? = ?`
		f.args = append(f.args, int64(q.Flags), int64(q.Flags))
	}
	return f, possible
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
	atOnce    int64        // minutes that the next statement reads
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
		return r.between(from, to)
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
	r.filter.text += ` AND l.request = ?`
	packed, _ := packRequest(nil, r.q.Request, r.db.engine.OddRequest)
	r.filter.args = append(r.filter.args, packed)
	id, _ := packed.([]byte)
	if len(id) != 16 { // it says no time
		return r.between(from, to)
	}
	began := time.UnixMilli(int64(binary.BigEndian.Uint64(id) >> 16))
	least := max(from, idAt(began.Add(-time.Minute)))
	most := min(to, idAt(began.Add(2*time.Hour)))
	if err := r.between(least, most); err != nil || len(r.list) > 0 {
		return err
	}
	if err := r.between(max(most, from), to); err != nil || len(r.list) > 0 {
		return err
	}
	return r.between(from, min(least, to)) // the clock was set back meanwhile
}

// between reads the rows of a range of ids.
func (r *rowsReader) between(from, to int64) error {
	if from >= to {
		return nil
	}
	return r.scan(stretch{least: from, upto: to})
}

// idAt is the least id of a row of a time or later.
func idAt(t time.Time) int64 { return rowID(ledger.SeqAt(t), 0) }

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
