package tables

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

// columns are what distinguishes the lines of one time in a table of sums.
type columns uint8

const (
	byKey columns = 1 << iota
	byTeam
	byModel
	byTarget

	columnCount = 4
	byAll       = byKey | byTeam | byModel | byTarget
)

// names are the columns' names, in the order of every table's primary key.
func (c columns) names() (names []string) {
	for i, name := range [...]string{"key", "team", "model", "target"} {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// condition is what a query wants a column to have.
type condition struct {
	column columns
	number int64
}

// text is the condition in a statement, for l.
func (c condition) text() string { return ` AND l.` + c.column.names()[0] + ` = ?` }

// named are the conditions of a query that names a key, a team or a model. possible is false if one of these is of no row.
func (db *DB) named(key, team, model string) (wanted []condition, possible bool) {
	for _, by := range [...]struct {
		column columns
		kind   kind
		name   string
	}{{byKey, keyName, key}, {byTeam, teamName, team}, {byModel, modelName, model}} {
		if by.name == "" {
			continue
		}
		number, known := db.names.number(by.kind, by.name)
		if !known {
			return nil, false
		}
		wanted = append(wanted, condition{by.column, number})
	}
	return wanted, true
}

// unit is what a line sums the time of.
type unit uint8

const (
	hourly unit = iota
	daily
	weekly // seven days, counted from 1970 on
)

// daysAWeek is how many days a weekly line has.
const daysAWeek = 7

// weekOf is the week of a day.
func weekOf(day int64) int64 {
	if day < 0 {
		day -= daysAWeek - 1
	}
	return day / daysAWeek
}

// sumsTable is a table of sums.
type sumsTable struct {
	name string
	of   unit
	by   columns
	mark mark // what its lines say of their rows besides
}

// mark is a column of bits that are set if a row has them.
type mark uint8

const (
	unmarked mark = iota
	flagged       // the flags that occur
	minuted       // the minutes of the hour in which there are rows
)

// column is the name of the column that has it.
func (m mark) column() string { return [...]string{"", "flags", "minutes"}[m] }

// sumsTables are all tables of sums but those of tags. Of two that can answer a question, the first has fewer lines.
var sumsTables = [...]sumsTable{
	{name: "team_hours", by: byTeam},
	{name: "model_hours", by: byModel | byTarget},
	{name: "key_hours", by: byKey | byTeam, mark: minuted},
	{name: "hours", by: byAll, mark: flagged},
	{name: "team_days", by: byTeam, of: daily},
	{name: "model_days", by: byModel | byTarget, of: daily},
	{name: teamModelDays, by: byTeam | byModel, of: daily},
	{name: "totals", by: byTeam | byModel | byTarget, of: daily},
	{name: "key_days", by: byKey | byTeam, of: daily},
	{name: "days", by: byAll, of: daily, mark: flagged},
	{name: teamModelWeeks, by: byTeam | byModel, of: weekly},
}

const teamModelDays, teamModelWeeks, tagDays, tagWeeks = "team_model_days", "team_model_weeks", "tag_days", "tag_weeks"

// weeksOf are the tables that have the weeks of a table of days: where days have many lines, a long span is summed up by weeks.
var weeksOf = map[string]string{teamModelDays: teamModelWeeks, tagDays: tagWeeks}

// upsert adds sums to lines of the table.
func (t *sumsTable) upsert() Upsert {
	u := Upsert{Table: t.name, Keys: append([]string{"at"}, t.by.names()...)}
	for _, name := range u.Keys {
		u.Columns = append(u.Columns, Column{name, Integer})
	}
	if t.mark != unmarked {
		u.Columns = append(u.Columns, Column{t.mark.column(), Integer})
		u.Raised = append(u.Raised, Raised{t.mark.column(), Or})
	}
	return u.withSums()
}

// numbers are what names a line or a row.
type numbers struct{ key, team, model, target int64 }

// only are the numbers of some columns. The others are 0.
func (n numbers) only(by columns) numbers {
	var kept numbers
	for i, to := range [...]*int64{&kept.key, &kept.team, &kept.model, &kept.target} {
		if by&(1<<i) != 0 {
			*to = *n.column(i)
		}
	}
	return kept
}

func (n *numbers) column(i int) *int64 { return [...]*int64{&n.key, &n.team, &n.model, &n.target}[i] }

// line names a line of a table of sums. Columns that its table lacks are 0.
type line struct {
	at int64
	numbers
}

func (l line) compare(o line) int {
	return cmp.Or(cmp.Compare(l.at, o.at), cmp.Compare(l.key, o.key), cmp.Compare(l.team, o.team), cmp.Compare(l.model, o.model), cmp.Compare(l.target, o.target))
}

// cell names rows that belong to the same line of every table.
type cell struct {
	hour, day int64
	numbers
}

// at is the time of the unit's line that an hour of a day belongs to.
func (u unit) at(hour, day int64) int64 {
	switch u {
	case daily:
		return day
	case weekly:
		return weekOf(day)
	}
	return hour
}

// line is the table's line that a cell belongs to.
func (t *sumsTable) line(of *cell) line {
	return line{t.of.at(of.hour, of.day), of.only(t.by)}
}

// adding is what is to be added to lines.
type adding[K comparable] struct {
	lines []added[K]
	place map[K]int
}

type added[K comparable] struct {
	line  K
	sums  ledger.Sums
	marks marks
}

// marks are the bits of each mark.
type marks [minuted + 1]int64

func (a *adding[K]) add(to K, sums *ledger.Sums, m marks) {
	i, there := a.place[to]
	if !there {
		i = len(a.lines)
		a.lines = append(a.lines, added[K]{line: to})
		a.place[to] = i
	}
	line := &a.lines[i]
	line.sums.Add(sums)
	for i, bits := range m {
		line.marks[i] |= bits
	}
}

// newAdding has room for so many lines.
func newAdding[K comparable](room int) *adding[K] {
	return &adding[K]{make([]added[K], 0, room), make(map[K]int, room)}
}

// raise adds sums to the lines of a table, in the table's order, in which neighbours share pages.
func (s *shipping) raise(ctx context.Context, t *sumsTable, cells []added[cell]) error {
	lines := newAdding[line](len(cells))
	for i := range cells {
		lines.add(t.line(&cells[i].line), &cells[i].sums, cells[i].marks)
	}
	order := make([]*added[line], len(lines.lines))
	for i := range lines.lines {
		order[i] = &lines.lines[i]
	}
	slices.SortFunc(order, func(a, b *added[line]) int { return a.line.compare(b.line) })
	args := s.args[:0]
	for _, l := range order {
		args = append(args, l.line.at)
		for place := range columnCount {
			if t.by&(1<<place) != 0 {
				args = append(args, *l.line.column(place))
			}
		}
		if t.mark != unmarked {
			args = append(args, l.marks[t.mark])
		}
		args = appendSums(args, &l.sums)
	}
	s.args = args
	return s.sums[t.name].Run(ctx, s.tx, args)
}

func appendSums(args []any, sums *ledger.Sums) []any {
	for _, field := range sums.Fields() {
		args = append(args, *field)
	}
	return args
}

// clock says in which hour and on which day rows are. Rows that follow each other mostly share both.
type clock struct {
	zones     ledger.Zones
	zone      *time.Location
	quarter   int64
	hour, day int64
}

// of is the hour and the day of a row, and its minute in the hour.
func (c *clock) of(seq ledger.Seq) (hour, day int64, minute int) {
	at, zone := seq.Time(), c.zones.Of(seq)
	if quarter := at.Unix() / quarterSeconds; zone != c.zone || quarter != c.quarter {
		at = at.In(zone)
		c.zone, c.quarter, c.hour, c.day = zone, quarter, int64(ledger.HourOf(at)), int64(ledger.DayOf(at))
	}
	return c.hour, c.day, int(at.Unix()-c.hour*quarterSeconds) / 60
}

// quarterSeconds is a quarter of an hour, of which hours are a multiple.
const quarterSeconds = 15 * 60
