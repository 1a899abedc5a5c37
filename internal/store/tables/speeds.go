package tables

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/ledger"
)

// The tables of counts by how long calls took.
const speedHours, speedDays, fives = "speed_hours", "speed_days", "fives"

const (
	sqlSpeedsBetween = ` FROM %s AS l WHERE l.at >= ? AND l.at < ?`

	sqlForgetFives = `DELETE FROM fives WHERE at < $1`
)

// speedColumns are the columns of counts, in the order of ledger.Speeds.
func speedColumns() []string {
	names := []string{"calls", "failed"}
	for _, of := range [...]string{"f", "t"} {
		for i := range ledger.SpeedBuckets {
			names = append(names, of+strconv.Itoa(i))
		}
	}
	return names
}

// inOneText are columns of counts as one. A driver takes longer to hand over fifty numbers than a database to write them in a line.
func inOneText(columns []string) string { return `concat_ws(',', ` + strings.Join(columns, ", ") + `)` }

// readCounts reads counts of such a text.
func readCounts(text []byte, to []*int64) {
	i, n := 0, int64(0)
	for _, c := range text {
		if c != ',' {
			n = 10*n + int64(c-'0')
			continue
		}
		*to[i] = n
		i, n = i+1, 0
	}
	*to[i] = n
}

// speedUpserts add to the lines of all tables of counts.
func speedUpserts() []Upsert {
	counts := speedColumns()
	return []Upsert{
		speedUpsert(speedHours, []string{"at", "model", "target"}, counts), speedUpsert(speedDays, []string{"at", "model", "target"}, counts), speedUpsert(fives, []string{"at", "target"}, counts[:2]),
	}
}

// speedUpsert adds counts to lines of a table that has so many of the columns.
func speedUpsert(table string, keys, counts []string) Upsert {
	u := Upsert{Table: table, Keys: keys}
	for _, key := range keys {
		u.Columns = append(u.Columns, Column{key, Integer})
	}
	for _, count := range counts {
		u.Columns = append(u.Columns, Column{count, Integer})
		u.Raised = append(u.Raised, Raised{count, Add})
	}
	return u
}

// timed names a line of counts.
type timed struct{ at, model, target int64 }

func (l timed) compare(o timed) int {
	return cmp.Or(cmp.Compare(l.at, o.at), cmp.Compare(l.model, o.model), cmp.Compare(l.target, o.target))
}

// timing is what rows add to counts.
type timing struct {
	cells  map[timedCell]*ledger.Speeds
	newest int64 // of the five minutes
}

// timedCell names rows that belong to the same line of every table of counts.
type timedCell struct{ hour, day, five, model, target int64 }

func (t *timing) add(r *ledger.Row, hour, day int64, n numbers) {
	if !r.Counted() {
		return
	}
	at := timedCell{hour, day, int64(ledger.FiveOf(r.Seq.Time())), n.model, n.target}
	counts := t.cells[at]
	if counts == nil {
		counts = new(ledger.Speeds)
		t.cells[at] = counts
		t.newest = max(t.newest, at.five)
	}
	counts.Count(r)
}

// lines are the counts of a table.
func (t *timing) lines(table string) map[timed]*ledger.Speeds {
	lines := map[timed]*ledger.Speeds{}
	for cell, counts := range t.cells {
		line := timed{cell.hour, cell.model, cell.target}
		switch table {
		case speedDays:
			line.at = cell.day
		case fives:
			line = timed{cell.five, 0, cell.target}
		}
		if lines[line] == nil {
			lines[line] = new(ledger.Speeds)
		}
		lines[line].Add(counts)
	}
	return lines
}

// raiseSpeeds adds to the lines of counts, and forgets those of five minutes that are old.
func (s *shipping) raiseSpeeds(ctx context.Context, t *timing) error {
	for _, table := range [...]string{speedHours, speedDays, fives} {
		lines := t.lines(table)
		order := make([]timed, 0, len(lines))
		for line := range lines {
			order = append(order, line)
		}
		slices.SortFunc(order, timed.compare)
		args := s.args[:0]
		for _, line := range order {
			counts := lines[line].Fields()
			if table == fives {
				args = append(args, line.at, line.target, *counts[0], *counts[1])
				continue
			}
			args = append(args, line.at, line.model, line.target)
			for _, n := range counts {
				args = append(args, *n)
			}
		}
		s.args = args
		if err := s.sums[table].Run(ctx, s.tx, args); err != nil {
			return err
		}
	}
	if t.newest == 0 {
		return nil
	}
	_, err := s.tx.ExecContext(ctx, sqlForgetFives, t.newest-int64(ledger.KeptFives.Minutes()/5))
	return err
}

// Speeds implements ledger.Reports.
func (db *DB) Speeds(ctx context.Context, q *ledger.SpeedQuery) (lines []ledger.SpeedLine, err error) {
	err = db.report(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := db.names.refresh(ctx, tx); err != nil {
			return err
		}
		lines, err = db.speeds(ctx, tx, q)
		return err
	})
	return append([]ledger.SpeedLine{}, lines...), err
}

// speeds adds up the counts of all parts of the span.
func (db *DB) speeds(ctx context.Context, tx *sql.Tx, q *ledger.SpeedQuery) ([]ledger.SpeedLine, error) {
	zones, err := readZones(ctx, tx)
	if err != nil {
		return nil, err
	}
	query, args, possible := db.speedsQuery(q, zones)
	if !possible {
		return nil, nil
	}
	rows, err := tx.QueryContext(ctx, dollars(query), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	type lineOf struct {
		group string
		at    int64
	}
	found := map[lineOf]*ledger.Speeds{}
	var model, target int64
	var of lineOf
	var counts ledger.Speeds
	var text sql.RawBytes
	fields := counts.Fields()
	for rows.Next() {
		if err := rows.Scan(&model, &target, &of.at, &text); err != nil {
			return nil, err
		}
		readCounts(text, fields[:])
		provider, upstream := splitTarget(db.names.text(target))
		if !q.Admits(q.Model, provider, upstream) { // the statement has chosen the model
			continue
		}
		of.group = q.Group(db.names.text(model), provider, upstream)
		if found[of] == nil {
			if q.Most > 0 && len(found) >= q.Most {
				return nil, ledger.ErrTooManyLines
			}
			found[of] = new(ledger.Speeds)
		}
		found[of].Add(&counts)
	}
	lines := make([]ledger.SpeedLine, 0, len(found))
	for of, counts := range found {
		lines = append(lines, ledger.SpeedLine{Group: of.group, At: of.at, Speeds: *counts})
	}
	return ledger.OrderedSpeeds(lines), rows.Err()
}

// speedsQuery is the statement for all parts, a line for each model, target and time. possible is false if no line can be meant.
func (db *DB) speedsQuery(q *ledger.SpeedQuery, zones ledger.Zones) (query string, args []any, possible bool) {
	number, known := db.names.number(modelName, q.Model)
	all := speedColumns()
	var parts []string
	for _, part := range q.Parts(zones) {
		table, model, columns := speedHours, "l.model", all
		switch {
		case q.Grain == ledger.ByFive:
			table, model, columns = fives, "0", all[:2]
		case part.Days:
			table = speedDays
		}
		if q.By != ledger.ByModel && q.By != ledger.ByTargetOf {
			model = "0"
		}
		at := strconv.FormatInt(part.At, 10)
		if part.Each {
			at = "l.at"
		}
		text := `SELECT CAST(` + model + ` AS BIGINT) AS line, l.target AS part, CAST(` + at + ` AS BIGINT) AS time, ` + inOneText(columns) + inTable(sqlSpeedsBetween, table)
		args = append(args, part.From, part.To)
		if q.Model != "" {
			text, args = text+` AND l.model = ?`, append(args, number)
		}
		parts = append(parts, text)
	}
	if !known || len(parts) == 0 {
		return "", nil, false
	}
	return strings.Join(parts, ` UNION ALL `), args, true // fifty sums take a database longer than reading the lines does
}
