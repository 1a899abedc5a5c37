package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

var _ ledger.Reports = (*DB)(nil)

const (
	sumsOfLines = `sum(requests) AS requests, sum(attempts) AS attempts, sum(input) AS input, sum(cache_read) AS cache_read, sum(cache_write) AS cache_write,
		sum(output) AS output, sum(reasoning) AS reasoning, sum(cost) AS cost, sum(orphaned) AS orphaned, sum(estimated) AS estimated, sum(in_doubt) AS in_doubt`

	// What follows each SELECT of sums: the first finds a key's lines one time after another, without reading those of others.
	linesOfKey = ` FROM spans CROSS JOIN %s AS l ON l.at = spans.at WHERE l.key = ?`
	lines      = ` FROM %s AS l WHERE l.at >= ? AND l.at < ?`

	eachTime = `WITH RECURSIVE spans(at) AS (VALUES (?) UNION ALL SELECT at + 1 FROM spans WHERE at < ? - 1) `
)

// Usage implements ledger.Reports.
func (db *DB) Usage(ctx context.Context, q *ledger.UsageQuery) ([]ledger.UsageLine, error) {
	sums := map[string]*ledger.Sums{}
	err := inTransaction(ctx, db.readers, func(tx *sql.Tx) error {
		if err := db.names.refresh(ctx, tx); err != nil {
			return err
		}
		pieces := q.Span.Pieces()
		if q.By == ledger.ByTag {
			pieces = q.Span.Dates()
		}
		for _, piece := range pieces {
			if err := db.sumPiece(ctx, tx, q, piece, sums); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, db.explain("read", err)
	}
	result := make([]ledger.UsageLine, 0, len(sums))
	for group, s := range sums {
		result = append(result, ledger.UsageLine{Group: group, Sums: *s})
	}
	slices.SortFunc(result, func(a, b ledger.UsageLine) int { return strings.Compare(a.Group, b.Group) })
	return result, nil
}

// groupColumns are the columns that lines are grouped by. Tags are their own names.
var groupColumns = map[ledger.Grouping]string{
	ledger.ByModel: "l.model", ledger.ByKey: "l.key", ledger.ByTeam: "l.team", ledger.ByProvider: "l.target", ledger.ByTag: "l.tag", ledger.ByDay: "l.at",
}

// sumPiece adds the sums of a piece of the span, by group.
func (db *DB) sumPiece(ctx context.Context, tx *sql.Tx, q *ledger.UsageQuery, piece ledger.Piece, sums map[string]*ledger.Sums) error {
	query, args, possible := db.pieceQuery(q, piece)
	if !possible {
		return nil
	}
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var group any
		var found ledger.Sums
		if err := rows.Scan(append([]any{&group}, scanned(&found)...)...); err != nil {
			return err
		}
		name := db.groupName(q.By, piece, group)
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

// pieceQuery is the statement that sums a piece. possible is false if a filter names what no row has.
func (db *DB) pieceQuery(q *ledger.UsageQuery, piece ledger.Piece) (query string, args []any, possible bool) {
	table, group := "hours", groupColumns[q.By]
	switch {
	case q.By == ledger.ByTag:
		table = "tagdays"
	case piece.Days && (q.Key != "" || q.By == ledger.ByKey):
		table = "days"
	case piece.Days:
		table = "totals"
	}
	key, isKey := db.names.number(keyName, q.Key)
	team, isTeam := db.names.number(teamName, q.Team)
	model, isModel := db.names.number(modelName, q.Model)
	with, from := "", inTable(lines, table)
	args = []any{piece.From, piece.To}
	if q.Key != "" {
		with, from = eachTime, inTable(linesOfKey, table)
		args = append(args, key)
	}
	if q.Team != "" {
		from += ` AND l.team = ?`
		args = append(args, team)
	}
	if q.Model != "" {
		from += ` AND l.model = ?`
		args = append(args, model)
	}
	query = with + `SELECT ` + group + ` AS line, ` + sumsOfLines + from
	if q.By == ledger.ByKey {
		// A key's lines of one time follow each other, so that they are summed while they are read; only these sums are sorted.
		return `SELECT line, ` + sumsOfLines + ` FROM (` + query + ` GROUP BY l.at, l.key) GROUP BY line`, args, isKey && isTeam && isModel
	}
	return query + ` GROUP BY line`, args, isKey && isTeam && isModel
}

// inTable is a statement for one of the tables that have the same columns.
func inTable(query, table string) string { return fmt.Sprintf(query, table) }

func (db *DB) groupName(by ledger.Grouping, piece ledger.Piece, group any) string {
	number, _ := group.(int64)
	switch by {
	case ledger.ByTag:
		if tag, _ := group.(string); tag != "" {
			return tag
		}
		return ledger.Other
	case ledger.ByDay:
		if piece.Days {
			return ledger.Day(number).String()
		}
		return piece.Day.String()
	case ledger.ByProvider:
		provider, _ := splitTarget(db.names.text(number))
		return provider
	}
	return db.names.text(number)
}

// Forget implements ledger.Keeper.
func (db *DB) Forget(ctx context.Context, before time.Time, limit int) (int, error) {
	var done int64
	err := db.write(ctx, func(tx *sql.Tx) error {
		var upto sql.NullInt64
		if err := tx.QueryRowContext(ctx, sqlOldestRows, rowID(ledger.SeqAt(before), 0), limit).Scan(&upto); err != nil || !upto.Valid {
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
		return 0, db.explain("write", err)
	}
	return int(done), nil
}

const (
	sqlOldestRows = `SELECT max(id) FROM (SELECT id FROM attempts WHERE id < ? ORDER BY id LIMIT ?)`

	sqlForgotten = `UPDATE forgotten SET upto = max(upto, ?)`

	sqlForget = `DELETE FROM attempts WHERE id <= ?`
)
