package tables

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

var _ ledger.Reports = (*DB)(nil)

const (
	sumsOfLines = `sum(requests) AS requests, sum(attempts) AS attempts, sum(input) AS input, sum(cache_read) AS cache_read, sum(cache_write) AS cache_write,
		sum(output) AS output, sum(reasoning) AS reasoning, sum(cost) AS cost, sum(orphaned) AS orphaned, sum(estimated) AS estimated, sum(in_doubt) AS in_doubt`

	// Lines of a span of time. Those of some keys, teams or tags are found one time after another, without reading those of others.
	linesBetween = ` FROM %s AS l WHERE l.at >= ? AND l.at < ?`
	linesOfSome  = ` FROM (` + eachTime + `SELECT at FROM spans) AS s CROSS JOIN %s AS l WHERE l.at = s.at`

	eachTime = `WITH RECURSIVE spans(at) AS (VALUES (CAST(? AS BIGINT)) UNION ALL SELECT at + 1 FROM spans WHERE at < CAST(? AS BIGINT) - 1) `
)

// Usage implements ledger.Reports.
func (db *DB) Usage(ctx context.Context, q *ledger.UsageQuery) (lines []ledger.UsageLine, err error) {
	err = db.report(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := db.names.refresh(ctx, tx); err != nil {
			return err
		}
		f, possible := db.usageFilter(q)
		if !possible {
			return nil
		}
		if f.zones, err = readZones(ctx, tx); err != nil {
			return err
		}
		if q.Top > 0 && !q.By.OfTime() {
			groups, err := db.dearest(ctx, tx, q, &f)
			if err != nil || len(groups) == 0 {
				return err
			}
			db.among(&f, q.By, groups)
		}
		lines, err = db.sumParts(ctx, tx, q, &f)
		return err
	})
	if err != nil {
		return nil, err
	}
	return append([]ledger.UsageLine{}, lines...), nil
}

// groups say what lines are grouped by. Tags are their own names, and times are grouped by their numbers.
var groups = map[ledger.Grouping]struct {
	column string
	need   columns
}{
	ledger.ByModel: {"l.model", byModel}, ledger.ByKey: {"l.key", byKey}, ledger.ByTeam: {"l.team", byTeam}, ledger.ByProvider: {"l.target", byTarget}, ledger.ByTag: {"l.tag", 0},
}

// lineOf names a line of an answer.
type lineOf struct {
	group, then string
	at          int64
}

// sumParts adds up the sums of all parts of the span, by what the query groups by.
func (db *DB) sumParts(ctx context.Context, tx *sql.Tx, q *ledger.UsageQuery, f *lineFilter) ([]ledger.UsageLine, error) {
	query, args := partsQuery(q, f)
	if query == "" {
		return nil, nil
	}
	rows, err := tx.QueryContext(ctx, dollars(query), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sums := map[lineOf]*ledger.Sums{}
	var group, then any
	var of lineOf
	var found ledger.Sums
	to := append([]any{&group, &then, &of.at}, scanned(&found)...)
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		of.group, of.then = db.groupName(q.By, group), db.groupName(q.Then, then)
		if f.providers != nil && !f.providers[of.group] {
			continue
		}
		if sums[of] == nil {
			if q.Most > 0 && len(sums) >= q.Most {
				return nil, ledger.ErrTooManyLines
			}
			sums[of] = new(ledger.Sums)
		}
		sums[of].Add(&found)
	}
	lines := make([]ledger.UsageLine, 0, len(sums))
	for of, s := range sums {
		line := q.LineAt(of.group, of.then, of.at)
		line.Sums = *s
		lines = append(lines, line)
	}
	return q.Ordered(lines), rows.Err()
}

// dearest are the groups that cost most. A database orders lines to add them up, and takes a fraction of the time if they have nothing but a cost.
func (db *DB) dearest(ctx context.Context, tx *sql.Tx, q *ledger.UsageQuery, f *lineFilter) (names []string, err error) {
	if q.By == ledger.ByProvider { // it has several lines
		tops := *q
		tops.Then, tops.Grain, tops.Most = "", "", 0
		lines, err := db.sumParts(ctx, tx, &tops, f)
		for i := range lines {
			names = append(names, lines[i].Group)
		}
		return names, err
	}
	query, args := dearestQuery(q, f)
	if query == "" {
		return nil, nil
	}
	rows, err := tx.QueryContext(ctx, dollars(query), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var group any
		if err := rows.Scan(&group); err != nil {
			return nil, err
		}
		names = append(names, db.groupName(q.By, group))
	}
	return names, rows.Err()
}

// dearestQuery is the statement for the groups that cost most, "" without a part.
func dearestQuery(q *ledger.UsageQuery, f *lineFilter) (query string, args []any) {
	of := ledger.UsageQuery{By: q.By, Span: q.Span}
	var parts []string
	for _, part := range partsOf(&of, f) {
		from, own := part.lines(f)
		parts, args = append(parts, `SELECT `+groups[q.By].column+` AS line, l.cost AS cost`+from), append(args, own...)
	}
	if len(parts) == 0 {
		return "", nil
	}
	return `SELECT line FROM (` + strings.Join(parts, ` UNION ALL `) + `) AS parts GROUP BY line ORDER BY sum(cost) DESC, line LIMIT ?`, append(args, q.Top)
}

// partsQuery is the statement for all parts, "" without any. A database takes longer to sort lines than to read them: where each line has a time, parts are
// summed up one by one, or not at all, and what is left is added up here.
func partsQuery(q *ledger.UsageQuery, f *lineFilter) (query string, args []any) {
	var parts []string
	whole := q.Grain == "" && (q.Top > 0 || !q.By.OfTime())
	for _, part := range partsOf(q, f) {
		text, own := partQuery(q, &part, f)
		if !whole && !part.apart() {
			text = summedUp(text)
		}
		parts, args = append(parts, text), append(args, own...)
	}
	if len(parts) == 0 {
		return "", nil
	}
	query = strings.Join(parts, ` UNION ALL `)
	if !whole {
		return query, args
	}
	query = summedUp(query)
	if q.Top > 0 && q.Then == "" && q.By != ledger.ByProvider { // a provider has several lines
		query, args = query+` ORDER BY cost DESC, line, time LIMIT ?`, append(args, q.Top)
	}
	return query, args
}

// summedUp sums lines up by what they are grouped by.
func summedUp(query string) string {
	return `SELECT line, part, time, ` + sumsOfLines + ` FROM (` + query + `) AS parts GROUP BY line, part, time`
}

func scanned(sums *ledger.Sums) []any {
	var all []any
	for _, field := range sums.Fields() {
		all = append(all, field)
	}
	return all
}

// lineFilter says which lines of sums count.
type lineFilter struct {
	need columns
	keys []int64 // if byKey is needed
	text string  // of the other conditions
	args []any

	zones ledger.Zones // in which days were summed

	tops      ledger.Grouping // what text names a few of: with them, the primary key of their tables begins after the time
	providers map[string]bool // the groups of a query by provider, nil for all: statements know targets alone
}

// usageFilter is what the lines of a query have in common. possible is false if it names what no row has.
func (db *DB) usageFilter(q *ledger.UsageQuery) (f lineFilter, possible bool) {
	wanted, possible := db.named(q.Key, q.Team, q.Model)
	for _, w := range wanted {
		f.need |= w.column
		if w.column == byKey {
			f.keys = []int64{w.number}
			continue
		}
		f.text += w.text()
		f.args = append(f.args, w.number)
	}
	return f, possible
}

// among has only the lines of some groups count.
func (db *DB) among(f *lineFilter, by ledger.Grouping, names []string) {
	switch by {
	case ledger.ByKey:
		f.need, f.keys = f.need|byKey, nil
		for _, name := range names {
			number, _ := db.names.number(keyName, name) // it was found by its number
			f.keys = append(f.keys, number)
		}
		return
	case ledger.ByProvider:
		f.providers = map[string]bool{}
		for _, name := range names {
			f.providers[name] = true
		}
		return
	}
	f.need, f.tops = f.need|groups[by].need, by
	f.text += ` AND ` + groups[by].column + ` IN (` + marksFor(len(names)) + `)`
	for _, name := range names {
		f.args = append(f.args, db.groupValue(by, name))
	}
}

// groupValue is what the tables have for a team, a model or a tag.
func (db *DB) groupValue(by ledger.Grouping, group string) any {
	kind := map[ledger.Grouping]kind{ledger.ByTeam: teamName, ledger.ByModel: modelName}[by]
	switch {
	case kind != 0:
		number, _ := db.names.number(kind, group)
		return number
	case group == ledger.Other:
		return ""
	}
	return group
}

// marksFor are question marks for so many values.
func marksFor(n int) string { return "?" + strings.Repeat(", ?", n-1) }

// partQuery is the statement that reads a part of a span, with the group and the time of each line.
func partQuery(q *ledger.UsageQuery, part *linesPart, f *lineFilter) (query string, args []any) {
	column := func(by ledger.Grouping) string { return cmp.Or(groups[by].column, "0") }
	at := strconv.FormatInt(part.At, 10)
	if part.Each {
		at = "l.at"
	}
	from, args := part.lines(f)
	return `SELECT ` + column(q.By) + ` AS line, ` + column(q.Then) + ` AS part, CAST(` + at + ` AS BIGINT) AS time, ` + sumColumns + from, args
}

// linesPart is a part of a span whose lines are in one table.
type linesPart struct {
	ledger.Part
	table string
	need  columns
}

// partsOf are the parts of a query's span, of each the table that has the fewest lines. Where an answer has no days, weeks have fewer.
func partsOf(q *ledger.UsageQuery, f *lineFilter) (parts []linesPart) {
	need := groups[q.By].need | groups[q.Then].need | f.need
	for _, part := range q.Parts(f.zones) {
		p := linesPart{part, tagDays, need}
		switch {
		case q.By != ledger.ByTag && q.Then != ledger.ByTag && part.Days:
			p.table = narrowest(daily, need, unmarked)
		case q.By != ledger.ByTag && q.Then != ledger.ByTag:
			p.table = narrowest(hourly, need, unmarked)
		case need != 0:
			p.table = tagsUpsert.Table
		}
		first, last := weekOf(part.From+daysAWeek-1), weekOf(part.To)
		if weeks := weeksOf[p.table]; weeks == "" || part.Each || part.At != 0 || first >= last {
			parts = append(parts, p)
		} else {
			parts = append(parts, p.between(p.table, part.From, first*daysAWeek), p.between(weeks, first, last), p.between(p.table, last*daysAWeek, part.To))
		}
	}
	return slices.DeleteFunc(parts, func(p linesPart) bool { return p.From >= p.To }) // eachTime has the first time in any case
}

// apart reports whether nearly each line of the part is a line of the answer. A key is mostly of one team.
func (p *linesPart) apart() bool {
	has := columns(0)
	if p.table == tagsUpsert.Table {
		has = byKey
	}
	for i := range sumsTables {
		if sumsTables[i].name == p.table {
			has = sumsTables[i].by
		}
	}
	if p.need&byKey != 0 {
		has &^= byTeam
	}
	return p.Each && has&^p.need == 0
}

// between is another part for the same lines of the answer.
func (p linesPart) between(table string, from, to int64) linesPart {
	p.table, p.From, p.To = table, from, to
	return p
}

// lines are the lines of a part that a filter admits.
func (p *linesPart) lines(f *lineFilter) (from string, args []any) {
	args = []any{p.From, p.To}
	from = inTable(linesBetween, p.table)
	if f.tops == ledger.ByTag && p.table != tagsUpsert.Table || f.tops == ledger.ByTeam && p.need&byKey == 0 {
		from = inTable(linesOfSome, p.table)
	}
	if f.need&byKey != 0 {
		from = inTable(linesOfSome, p.table) + ` AND l.key IN (` + marksFor(len(f.keys)) + `)`
		for _, key := range f.keys {
			args = append(args, key)
		}
	}
	return from + f.text, append(args, f.args...)
}

// narrowest is the table of a unit that has the columns, and the mark if one is wanted, and the fewest lines.
func narrowest(of unit, need columns, want mark) string {
	for i := range sumsTables {
		if t := &sumsTables[i]; t.of == of && need&^t.by == 0 && (want == unmarked || want == t.mark) {
			return t.name
		}
	}
	return "" // does not happen: the last table of days and of hours has all columns, and the flags
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

// groupName is the name of a group. Those of time have none here.
func (db *DB) groupName(by ledger.Grouping, group any) string {
	number, _ := group.(int64)
	switch by {
	case ledger.ByTag:
		if tag, _ := group.(string); tag != "" {
			return tag
		}
		return ledger.Other
	case ledger.ByProvider:
		provider, _ := splitTarget(db.names.text(number))
		return provider
	case ledger.ByKey, ledger.ByTeam, ledger.ByModel:
		return db.names.text(number)
	}
	return ""
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
