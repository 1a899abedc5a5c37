package ledger

import (
	"cmp"
	"slices"
	"time"
)

// Grouping is what usage is summed by.
type Grouping string

// The groupings. The last three are of time.
const (
	ByModel    Grouping = "model"
	ByKey      Grouping = "key"
	ByTeam     Grouping = "team"
	ByProvider Grouping = "provider"
	ByTag      Grouping = "tag"
	ByHour     Grouping = "hour"
	ByDay      Grouping = "day"
	ByMonth    Grouping = "month"
)

// Groupings are all that there are.
var Groupings = [...]Grouping{ByModel, ByKey, ByTeam, ByProvider, ByTag, ByHour, ByDay, ByMonth}

// OfTime reports whether the grouping is by spans of time.
func (g Grouping) OfTime() bool { return g == ByHour || g == ByDay || g == ByMonth }

// UsageQuery says what is summed.
type UsageQuery struct {
	By    Grouping
	Then  Grouping // what each group is divided by, none of time; "" if it is not
	Grain Grouping // the spans of time that each is divided into, "" if it is not; By is none of time then
	Span  Span
	Key   string // of this key alone, "" for all
	Team  string
	Model string
	Top   int // only so many groups, those that cost most, the most first; 0 for all
	Most  int // lines that the answer may have; 0 for any number
}

// UsageLine is the sums of one group, or of a part of it.
type UsageLine struct {
	Group string // the id of a key or a team, the name of a model or a provider, a tag as name=value or Other, or the text of a time
	Then  string // the same of the query's Then
	At    int64  // where its span of the query's Grain begins: an Hour, or a Day
	Sums
}

// Ordered is the order of the lines of an answer, which has no more groups than the query asks for: by group, and within a group by its parts
// and by time. Groups are in the order of their names, or, with Top, of their costs.
func (q *UsageQuery) Ordered(lines []UsageLine) []UsageLine {
	cost := map[string]int64{}
	if q.Top > 0 {
		for i := range lines {
			cost[lines[i].Group] += lines[i].Cost
		}
	}
	slices.SortFunc(lines, func(a, b UsageLine) int {
		return cmp.Or(cmp.Compare(cost[b.Group], cost[a.Group]), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Then, b.Then), cmp.Compare(a.At, b.At))
	})
	if q.Top == 0 {
		return lines
	}
	groups := 0
	for i := range lines {
		if i == 0 || lines[i].Group != lines[i-1].Group {
			groups++
		}
		if groups > q.Top {
			return lines[:i]
		}
	}
	return lines
}

// Part is a piece of a query's span, and which of its spans of time the sums belong to.
type Part struct {
	Piece
	At   int64 // all of them, unless Each
	Each bool  // those of each line's own time
}

// Parts are what the query's sums are made of, in a store that sums in zones.
func (q *UsageQuery) Parts(zones Zones) []Part {
	pieces := q.Span.Pieces(zones)
	switch {
	case q.By == ByTag || q.Then == ByTag:
		pieces = q.Span.Dates()
	case q.grain() == ByHour:
		pieces = nil
		if from, to := q.Span.hours(); from < to {
			pieces = []Piece{{From: int64(from), To: int64(to)}}
		}
	}
	var parts []Part
	for _, p := range pieces {
		switch {
		case q.grain() == "":
			parts = append(parts, Part{Piece: p})
		case q.grain() == ByHour, q.grain() == ByDay && p.Days:
			parts = append(parts, Part{Piece: p, Each: true})
		case q.grain() == ByDay:
			parts = append(parts, Part{Piece: p, At: int64(p.Day)})
		case p.Days:
			parts = append(parts, months(p)...)
		default:
			parts = append(parts, Part{Piece: p, At: int64(p.Day.month())})
		}
	}
	return parts
}

// months divides whole days by their months.
func months(p Piece) (parts []Part) {
	for from := p.From; from < p.To; {
		month := Day(from).month()
		to := min(int64(month.nextMonth()), p.To)
		parts = append(parts, Part{Piece: Piece{Days: true, From: from, To: to}, At: int64(month)})
		from = to
	}
	return parts
}

// grain is what the query divides time by, "" if it does not.
func (q *UsageQuery) grain() Grouping {
	if q.By.OfTime() {
		return q.By
	}
	return q.Grain
}

// TimeText is how reports spell the time that a span of a grouping begins with.
func (g Grouping) TimeText(at int64, zone *time.Location) string {
	switch g {
	case ByHour:
		return Hour(at).Begin().In(zone).Format(time.RFC3339)
	case ByMonth:
		return Day(at).date().Format("2006-01")
	}
	return Day(at).String()
}

// LineAt is the line of the sums of a group and a time. at is 0 if the query does not divide time.
func (q *UsageQuery) LineAt(group, then string, at int64) UsageLine {
	if q.By.OfTime() {
		return UsageLine{Group: q.By.TimeText(at, q.Span.Since.Location()), Then: then}
	}
	return UsageLine{Group: group, Then: then, At: at}
}
