package tables

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/ledger"
)

const (
	sqlForgottenUpto = `SELECT upto FROM forgotten`

	sqlPageOfRows = sqlRows + ` AND l.id >= $1 AND l.id <= $2 ORDER BY l.id LIMIT $3`

	sqlLinesBetween = ` FROM %s WHERE at > $1 AND at <= $2 ORDER BY at`
)

// namedLine names a line of any table of sums.
type namedLine struct {
	line
	tag string
}

// summed is a table of sums on its way to be compared with the rows.
type summed struct {
	name, query string
	of          unit
	by          columns
	past        int64 // lines up to this time have been compared, or have rows that were forgotten
	slack       int64 // a row may still come for a line that is this much older than that of another
	lines       map[namedLine]*ledger.Sums
	count       int64
}

// newSummed is a table whose lines by tag or by others. Columns that it lacks are read as constants.
func newSummed(table string, of unit, by columns, tag string) *summed {
	slack := [...]int64{hourly: 8, daily: 2, weekly: 2}[of]
	t := &summed{name: table, of: of, by: by, slack: slack, lines: map[namedLine]*ledger.Sums{}, past: math.MinInt64}
	read := []string{"at"}
	for i := range columnCount {
		name := "0"
		if by&(1<<i) != 0 {
			name = (by & (1 << i)).names()[0]
		}
		read = append(read, name)
	}
	t.query = `SELECT ` + strings.Join(append(read, tag), ", ") + `, ` + sumColumns + inTable(sqlLinesBetween, table)
	return t
}

// Verify implements ledger.Reports. It reads the store as it is at one moment, while others go on writing.
func (db *DB) Verify(ctx context.Context, differ func(ledger.Difference)) (done ledger.Verified, err error) {
	v := &verifier{db: db, differ: differ, keyTags: newSummed(tagsUpsert.Table, daily, byKey, "tag")}
	v.tags, v.tagWeeks = newSummed(tagDays, daily, 0, "tag"), newSummed(tagWeeks, weekly, 0, "tag")
	for i := range sumsTables {
		v.sums = append(v.sums, newSummed(sumsTables[i].name, sumsTables[i].of, sumsTables[i].by, "''"))
	}
	v.tables = append(slices.Clone(v.sums), v.keyTags, v.tags, v.tagWeeks) // tags after those of keys, which say what they have to be
	ctx, cancel := within(ctx, db.engine.Long)
	defer cancel()
	err = InTransaction(ctx, db.engine.Report, db.engine.AtOnce, func(tx *sql.Tx) error {
		v.tx = tx
		return v.verify(ctx)
	})
	if err != nil {
		return done, db.engine.Explain("read", err)
	}
	done.Rows = v.rows
	for _, t := range v.tables {
		switch {
		case t.tagged(v):
			done.Tags += t.count
		case t.of == hourly:
			done.Hours += t.count
		default:
			done.Days += t.count
		}
	}
	return done, nil
}

type verifier struct {
	db       *DB
	tx       *sql.Tx
	differ   func(ledger.Difference)
	sums     []*summed // in the order of sumsTables
	keyTags  *summed
	tags     *summed
	tagWeeks *summed
	tables   []*summed // all of these
	clock    clock
	rows     int64
}

func (v *verifier) verify(ctx context.Context) (err error) {
	if err := v.db.names.refresh(ctx, v.tx); err != nil {
		return err
	}
	if v.clock.zones, err = readZones(ctx, v.tx); err != nil {
		return err
	}
	var forgotten int64
	if err := v.tx.QueryRowContext(ctx, sqlForgottenUpto).Scan(&forgotten); err != nil {
		return err
	}
	v.begin(forgotten)
	for from := forgotten + 1; ; {
		page, err := v.page(ctx, from)
		if err != nil {
			return err
		}
		for i := range page {
			if err := v.add(ctx, &page[i]); err != nil {
				return err
			}
		}
		if len(page) < verifiedAtOnce {
			break
		}
		from = page[len(page)-1].id + 1
	}
	for _, table := range v.tables {
		if err := v.compare(ctx, table, math.MaxInt64); err != nil {
			return err
		}
	}
	return nil
}

// verifiedAtOnce is how many rows are read before their sums are looked at: a connection does one thing at a time.
const verifiedAtOnce = 5000

// page are the rows from an id on.
func (v *verifier) page(ctx context.Context, from int64) ([]numbered, error) {
	rows, err := v.tx.QueryContext(ctx, sqlPageOfRows, from, int64(math.MaxInt64), int64(verifiedAtOnce))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	page := make([]numbered, 0, verifiedAtOnce)
	for rows.Next() {
		r, err := v.db.row(rows, nil)
		if err != nil {
			return nil, err
		}
		page = append(page, r)
	}
	return page, rows.Err()
}

// begin leaves out what rows that were forgotten belong to, a little more where the time zone may have changed.
func (v *verifier) begin(forgotten int64) {
	if forgotten == 0 {
		return
	}
	at := ledger.Seq(forgotten >> instanceBits).Time().UTC()
	for _, table := range v.tables {
		table.past = table.of.at(int64(ledger.HourOf(at))+table.slack, int64(ledger.DayOf(at))+1)
	}
}

// add adds a row to its lines, and compares those that no further row can belong to.
func (v *verifier) add(ctx context.Context, r *numbered) error {
	v.rows++
	hour, day, _ := v.clock.of(r.Seq)
	of, sums := cell{hour, day, r.numbers}, r.Sums()
	for i, table := range v.sums {
		table.add(namedLine{line: sumsTables[i].line(&of)}, &sums)
	}
	for tag := range r.TagTexts() {
		v.keyTags.add(namedLine{line{of.day, numbers{key: r.key}}, storable(tag)}, &sums)
	}
	for _, table := range v.tables {
		at := table.of.at(hour, day)
		if at-table.slack > table.past {
			if err := v.compare(ctx, table, at-table.slack); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *summed) add(of namedLine, sums *ledger.Sums) {
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
	want := map[namedLine]*ledger.Sums{}
	for of, sums := range t.lines {
		if of.at > upto {
			continue
		}
		delete(t.lines, of)
		if t == v.keyTags {
			if of.tag != "" && kept[of] == nil {
				of.tag = "" // it had no line of its own
			}
			v.tags.add(namedLine{line{at: of.at}, of.tag}, sums)
			v.tagWeeks.add(namedLine{line{at: weekOf(of.at)}, of.tag}, sums)
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
func (v *verifier) kept(ctx context.Context, t *summed, upto int64) (map[namedLine]*ledger.Sums, error) {
	rows, err := v.tx.QueryContext(ctx, t.query, t.past, upto)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	kept := map[namedLine]*ledger.Sums{}
	for rows.Next() {
		var of namedLine
		sums := new(ledger.Sums)
		if err := rows.Scan(append([]any{&of.at, &of.key, &of.team, &of.model, &of.target, &of.tag}, scanned(sums)...)...); err != nil {
			return nil, err
		}
		kept[of] = sums
	}
	return kept, rows.Err()
}

// tagged is for the tables of tags.
func (t *summed) tagged(v *verifier) bool { return t == v.keyTags || t == v.tags || t == v.tagWeeks }

// describe names a line for people.
func (v *verifier) describe(t *summed, of namedLine) string {
	names := &v.db.names
	text := ledger.Day(of.at).String()
	switch t.of {
	case hourly:
		text = ledger.Hour(of.at).Begin().UTC().Format("2006-01-02T15:04Z")
	case weekly:
		text = "the week from " + ledger.Day(of.at*daysAWeek).String()
	}
	if t.tagged(v) {
		if t == v.keyTags {
			text += ", key " + names.text(of.key)
		}
		return text + fmt.Sprintf(", tag %q", of.tag)
	}
	if t.by&byKey == 0 {
		text += ", all keys"
	}
	for i, name := range [...]string{"key %s", "team %q", "model %s", "target %s"} {
		if t.by&(1<<i) != 0 {
			text += ", " + fmt.Sprintf(name, names.text(*of.column(i)))
		}
	}
	return text
}
