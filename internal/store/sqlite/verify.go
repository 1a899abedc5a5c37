package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"github.com/weirproxy/weir/internal/ledger"
)

const (
	sqlForgottenUpto = `SELECT upto FROM forgotten`

	sqlAllRows = sqlRows + ` ORDER BY a.id`

	sqlAllLines = `SELECT at, key, team, model, target, '', ` + sumColumns + ` FROM %s WHERE at > ? AND at <= ? ORDER BY at`

	sqlAllTotals = `SELECT at, 0, team, model, target, '', ` + sumColumns + ` FROM totals WHERE at > ? AND at <= ? ORDER BY at`

	sqlAllTagLines = `SELECT at, key, 0, 0, 0, tag, ` + sumColumns + ` FROM tagdays WHERE at > ? AND at <= ? ORDER BY at`
)

// line names a line of any of the tables of sums.
type line struct {
	at int64
	numbers
	tag string
}

// summed is a table of sums on its way to be compared with the rows.
type summed struct {
	name, query string
	past        int64 // lines up to this time have been compared, or have rows that were forgotten
	slack       int64 // a row may still come for a line that is this much older than that of another
	lines       map[line]*ledger.Sums
	count       int64
}

// Verify implements ledger.Reports. It reads the store as it is at one moment, while others go on writing.
func (db *DB) Verify(ctx context.Context, differ func(ledger.Difference)) (done ledger.Verified, err error) {
	v := &verifier{db: db, differ: differ, tables: [...]*summed{
		{name: "hours", query: inTable(sqlAllLines, "hours"), slack: 8},
		{name: "days", query: inTable(sqlAllLines, "days"), slack: 2},
		{name: "tags", query: sqlAllTagLines, slack: 2},
		{name: "totals", query: sqlAllTotals, slack: 2},
	}}
	err = inTransaction(ctx, db.readers, func(tx *sql.Tx) error {
		v.tx = tx
		return v.verify(ctx)
	})
	if err != nil {
		return done, db.explain("read", err)
	}
	return ledger.Verified{Rows: v.rows, Hours: v.tables[0].count, Days: v.tables[1].count, Tags: v.tables[2].count}, nil
}

type verifier struct {
	db     *DB
	tx     *sql.Tx
	differ func(ledger.Difference)
	tables [4]*summed
	zones  zones
	rows   int64
}

func (v *verifier) verify(ctx context.Context) (err error) {
	if err := v.db.names.refresh(ctx, v.tx); err != nil {
		return err
	}
	if v.zones, err = readZones(ctx, v.tx); err != nil {
		return err
	}
	var forgotten int64
	if err := v.tx.QueryRowContext(ctx, sqlForgottenUpto).Scan(&forgotten); err != nil {
		return err
	}
	v.begin(forgotten)
	rows, err := v.tx.QueryContext(ctx, sqlAllRows, forgotten+1, math.MaxInt64)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		r, err := v.db.row(rows, nil)
		if err != nil {
			return err
		}
		if err := v.add(ctx, &r); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, table := range v.tables {
		if err := v.compare(ctx, table, math.MaxInt64); err != nil {
			return err
		}
	}
	return nil
}

// begin leaves out what rows that were forgotten belong to, a little more where the time zone may have changed.
func (v *verifier) begin(forgotten int64) {
	for _, table := range v.tables {
		table.lines = map[line]*ledger.Sums{}
		table.past = math.MinInt64
	}
	if forgotten == 0 {
		return
	}
	at := ledger.Seq(forgotten >> instanceBits).Time()
	for _, table := range v.tables[1:] {
		table.past = int64(ledger.DayOf(at.UTC())) + 1
	}
	hours := v.tables[0]
	hours.past = int64(ledger.HourOf(at.UTC())) + hours.slack
}

// add adds a row to its lines, and compares those that no further row can belong to.
func (v *verifier) add(ctx context.Context, r *numbered) error {
	v.rows++
	at, sums := r.Seq.Time().In(v.zones.of(r.Seq)), r.Sums()
	hour, day := int64(ledger.HourOf(at)), int64(ledger.DayOf(at))
	v.tables[0].add(line{hour, r.numbers, ""}, &sums)
	v.tables[1].add(line{day, r.numbers, ""}, &sums)
	for tag := range r.TagTexts() {
		v.tables[2].add(line{day, numbers{key: r.key}, tag}, &sums)
	}
	total := r.numbers
	total.key = 0
	v.tables[3].add(line{day, total, ""}, &sums)
	for i, at := range [...]int64{hour, day, day, day} {
		if table := v.tables[i]; at-table.slack > table.past {
			if err := v.compare(ctx, table, at-table.slack); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *summed) add(of line, sums *ledger.Sums) {
	if of.at <= t.past {
		return
	}
	there := t.lines[of]
	if there == nil {
		there = new(ledger.Sums)
		t.lines[of] = there
	}
	there.Add(sums)
}

// compare compares the lines after those that were compared, up to a time.
func (v *verifier) compare(ctx context.Context, t *summed, upto int64) error {
	kept, err := v.kept(ctx, t, upto)
	if err != nil {
		return err
	}
	want := map[line]*ledger.Sums{}
	for of, sums := range t.lines {
		if of.at > upto {
			continue
		}
		delete(t.lines, of)
		if of.tag != "" && kept[of] == nil {
			of.tag = "" // it had no line of its own
		}
		if want[of] == nil {
			want[of] = new(ledger.Sums)
		}
		want[of].Add(sums)
	}
	for of, sums := range kept {
		rows := want[of]
		delete(want, of)
		if rows == nil {
			rows = new(ledger.Sums)
		}
		if *rows != *sums {
			v.differ(ledger.Difference{Table: t.name, Line: v.describe(t, of), Sums: *sums, Rows: *rows})
		}
	}
	for of, sums := range want {
		v.differ(ledger.Difference{Table: t.name, Line: v.describe(t, of), Rows: *sums})
	}
	t.past = upto
	t.count += int64(len(kept))
	return nil
}

// kept are the lines that the table has.
func (v *verifier) kept(ctx context.Context, t *summed, upto int64) (map[line]*ledger.Sums, error) {
	rows, err := v.tx.QueryContext(ctx, t.query, t.past, upto)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	kept := map[line]*ledger.Sums{}
	for rows.Next() {
		var of line
		sums := new(ledger.Sums)
		if err := rows.Scan(append([]any{&of.at, &of.key, &of.team, &of.model, &of.target, &of.tag}, scanned(sums)...)...); err != nil {
			return nil, err
		}
		kept[of] = sums
	}
	return kept, rows.Err()
}

// describe names a line for people.
func (v *verifier) describe(t *summed, of line) string {
	names := &v.db.names
	at := ledger.Day(of.at).String()
	if t.name == "hours" {
		at = ledger.Hour(of.at).Begin().UTC().Format("2006-01-02T15:04Z")
	}
	if t.name == "tags" {
		return fmt.Sprintf("%s, key %s, tag %q", at, names.text(of.key), of.tag)
	}
	if t.name == "totals" {
		return fmt.Sprintf("%s, all keys, team %q, model %s, target %s", at, names.text(of.team), names.text(of.model), names.text(of.target))
	}
	return fmt.Sprintf("%s, key %s, team %q, model %s, target %s", at, names.text(of.key), names.text(of.team), names.text(of.model), names.text(of.target))
}
