package tables

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

var _ ledger.Reports = (*DB)(nil)

const (
	sumsOfLines = `sum(requests) AS requests, sum(attempts) AS attempts, sum(input) AS input, sum(cache_read) AS cache_read, sum(cache_write) AS cache_write,
		sum(output) AS output, sum(reasoning) AS reasoning, sum(cost) AS cost, sum(orphaned) AS orphaned, sum(estimated) AS estimated, sum(in_doubt) AS in_doubt`

	// Lines of a span of time. Those of a key are found one time after another, without reading those of other keys.
	linesBetween = ` FROM %s AS l WHERE l.at >= ? AND l.at < ?`
	linesOfKey   = ` FROM (` + eachTime + `SELECT at FROM spans) AS s CROSS JOIN %s AS l WHERE l.at = s.at AND l.key = ?`

	eachTime = `WITH RECURSIVE spans(at) AS (VALUES (CAST(? AS BIGINT)) UNION ALL SELECT at + 1 FROM spans WHERE at < CAST(? AS BIGINT) - 1) `
)

// Usage implements ledger.Reports.
func (db *DB) Usage(ctx context.Context, q *ledger.UsageQuery) ([]ledger.UsageLine, error) {
	sums := map[string]*ledger.Sums{}
	err := db.report(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := db.names.refresh(ctx, tx); err != nil {
			return err
		}
		return db.sumPieces(ctx, tx, q, sums)
	})
	if err != nil {
		return nil, err
	}
	result := make([]ledger.UsageLine, 0, len(sums))
	for group, s := range sums {
		result = append(result, ledger.UsageLine{Group: group, Sums: *s})
	}
	return q.Ordered(result), nil
}

// groups say what lines are grouped by. Tags are their own names, and days are grouped by their date.
var groups = map[ledger.Grouping]struct {
	column string
	need   columns
}{
	ledger.ByModel: {"l.model", byModel}, ledger.ByKey: {"l.key", byKey}, ledger.ByTeam: {"l.team", byTeam}, ledger.ByProvider: {"l.target", byTarget}, ledger.ByTag: {"l.tag", 0},
}

// sumPieces adds up the sums of all pieces of the span, by group.
func (db *DB) sumPieces(ctx context.Context, tx *sql.Tx, q *ledger.UsageQuery, sums map[string]*ledger.Sums) error {
	f, possible := db.usageFilter(q)
	if !possible {
		return nil
	}
	pieces := q.Span.Pieces()
	if q.By == ledger.ByTag {
		pieces = q.Span.Dates()
	}
	var parts []string
	var args []any
	for _, piece := range pieces {
		part, own := pieceQuery(q, piece, &f)
		parts, args = append(parts, part), append(args, own...)
	}
	if len(parts) == 0 {
		return nil
	}
	query := `SELECT line, ` + sumsOfLines + ` FROM (` + strings.Join(parts, ` UNION ALL `) + `) AS pieces GROUP BY line`
	if q.Top > 0 && q.By != ledger.ByProvider { // a provider has several lines
		query, args = query+` ORDER BY cost DESC, line LIMIT ?`, append(args, q.Top)
	}
	rows, err := tx.QueryContext(ctx, dollars(query), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var group any
	var found ledger.Sums
	to := append([]any{&group}, scanned(&found)...)
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		name := db.groupName(q.By, group)
		if sums[name] == nil {
			sums[name] = new(ledger.Sums)
		}
		sums[name].Add(&found)
	}
	return rows.Err()
}

func scanned(sums *ledger.Sums) []any {
	var all []any
	for _, field := range sums.Fields() {
		all = append(all, field)
	}
	return all
}

// usageFilter is what the lines of a query have in common. possible is false if it names what no row has.
func (db *DB) usageFilter(q *ledger.UsageQuery) (f lineFilter, possible bool) {
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
		f.need |= by.column
		if by.column == byKey {
			f.key = number
			continue
		}
		f.text += ` AND l.` + by.column.names()[0] + ` = ?`
		f.args = append(f.args, number)
	}
	return f, true
}

// lineFilter says which lines of sums count.
type lineFilter struct {
	need columns
	key  int64  // if byKey is needed
	text string // of the other conditions
	args []any
}

// pieceQuery is the statement that sums a piece of a span, a line for each group and time.
func pieceQuery(q *ledger.UsageQuery, piece ledger.Piece, f *lineFilter) (query string, args []any) {
	group := groups[q.By].column
	table := "tag_days"
	switch {
	case q.By == ledger.ByTag && f.need != 0:
		table = "tagdays"
	case q.By != ledger.ByTag:
		table = narrowest(piece.Days, groups[q.By].need|f.need, unmarked)
	}
	if q.By == ledger.ByDay {
		group = strconv.FormatInt(int64(piece.Day), 10)
		if piece.Days {
			group = "l.at"
		}
	}
	args = []any{piece.From, piece.To}
	from := inTable(linesBetween, table)
	if f.need&byKey != 0 {
		args, from = append(args, f.key), inTable(linesOfKey, table)
	}
	return `SELECT ` + group + ` AS line, ` + sumColumns + from + f.text, append(args, f.args...)
}

// narrowest is the table that has the columns, and the mark if one is wanted, and the fewest lines.
func narrowest(days bool, need columns, want mark) string {
	for i := range sumsTables {
		if t := &sumsTables[i]; t.days == days && need&^t.by == 0 && (want == unmarked || want == t.mark) {
			return t.name
		}
	}
	return "" // does not happen: the last table of each kind has all columns, and the flags
}

// inTable is a statement for one of the tables that have the same columns.
func inTable(query, table string) string { return fmt.Sprintf(query, table) }

// dollars numbers the values of a statement, which it has as question marks, in their order.
func dollars(query string) string {
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, more := strings.Cut(query, "?")
		b.WriteString(before)
		if !more {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}

func (db *DB) groupName(by ledger.Grouping, group any) string {
	number, _ := group.(int64)
	switch by {
	case ledger.ByTag:
		if tag, _ := group.(string); tag != "" {
			return tag
		}
		return ledger.Other
	case ledger.ByDay:
		return ledger.Day(number).String()
	case ledger.ByProvider:
		provider, _ := splitTarget(db.names.text(number))
		return provider
	}
	return db.names.text(number)
}

// Forget implements ledger.Keeper.
func (db *DB) Forget(ctx context.Context, before time.Time, limit int) (int, error) {
	var done int64
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var upto sql.NullInt64
		if err := tx.QueryRowContext(ctx, sqlOldestRows, idAt(before), int64(limit)).Scan(&upto); err != nil || !upto.Valid {
			return err
		}
		if _, err := tx.ExecContext(ctx, sqlForgotten, upto.Int64); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, sqlForget, upto.Int64)
		if err != nil {
			return err
		}
		done, err = result.RowsAffected()
		return err
	})
	if err != nil {
		return 0, db.engine.Explain("write", err)
	}
	return int(done), nil
}

const (
	sqlOldestRows = `SELECT max(id) FROM (SELECT id FROM attempts WHERE id < $1 ORDER BY id LIMIT $2) AS oldest`

	sqlForgotten = `UPDATE forgotten SET upto = CASE WHEN upto > $1 THEN upto ELSE $1 END`

	sqlForget = `DELETE FROM attempts WHERE id <= $1`
)
