package ledger

import (
	"slices"
	"time"
)

// UsagePage is a report of usage as the APIs send it.
type UsagePage struct {
	Data  []UsageRow `json:"data"`
	Next  *string    `json:"next"`  // always null: there is one page
	Since time.Time  `json:"since"` // the span that was summed: that asked for, widened to whole hours, or to whole days for tags
	Until time.Time  `json:"until"`
}

// UsageRow is what one group used. Of the first members it has those of its groupings; a key and a team also have a name.
type UsageRow struct {
	Model    *string `json:"model,omitempty"`
	Key      *string `json:"key,omitempty"`
	Team     *string `json:"team,omitempty"`
	Name     *string `json:"name,omitempty"`      // "" if it is unknown
	TeamName *string `json:"team_name,omitempty"` // in a report by key and team, whose Name is that of the key
	Provider *string `json:"provider,omitempty"`
	Tag      *string `json:"tag,omitempty"`
	Hour     *string `json:"hour,omitempty"`
	Day      *string `json:"day,omitempty"`
	Month    *string `json:"month,omitempty"`
	Figures
}

// Figures are sums as the APIs send them.
type Figures struct {
	Requests   int64 `json:"requests"`
	Attempts   int64 `json:"attempts"`
	Input      int64 `json:"input_tokens"`
	CacheRead  int64 `json:"cache_read_tokens"`
	CacheWrite int64 `json:"cache_write_tokens"`
	Output     int64 `json:"output_tokens"`
	Reasoning  int64 `json:"reasoning_tokens"`
	Cost       int64 `json:"cost_nanodollars"`
	Orphaned   int64 `json:"orphaned"`
	Estimated  int64 `json:"estimated"`
	InDoubt    int64 `json:"in_doubt"`
}

// group is the member of the row that has the grouping's name.
func (r *UsageRow) group(by Grouping) **string {
	switch by {
	case ByKey:
		return &r.Key
	case ByTeam:
		return &r.Team
	case ByProvider:
		return &r.Provider
	case ByTag:
		return &r.Tag
	case ByHour:
		return &r.Hour
	case ByDay:
		return &r.Day
	case ByMonth:
		return &r.Month
	}
	return &r.Model
}

// Group is the name of the row's group of a grouping that the row has.
func (r *UsageRow) Group(by Grouping) string { return **r.group(by) }

// Called is how the key or the team that the row is of is called.
func (r *UsageRow) Called(by Grouping) string {
	name := r.Name
	if by == ByTeam && r.TeamName != nil {
		name = r.TeamName
	}
	if name == nil {
		return ""
	}
	return *name
}

// Groups are what the query sums by, in the order in which it names them, and of time last.
func (q *UsageQuery) Groups() []Grouping {
	return slices.DeleteFunc([]Grouping{q.By, q.Then, q.Grain}, func(g Grouping) bool { return g == "" })
}

// Page is the report of a query. name says how a key or a team is called; nil names none.
func (q *UsageQuery) Page(lines []UsageLine, name func(by Grouping, id string) string) UsagePage {
	wide := q.Span.Widened()
	if q.By == ByTag || q.Then == ByTag {
		dates := q.Span.Dates()[0]
		wide = Span{Day(dates.From).Begin(q.Span.Since.Location()), Day(dates.To).Begin(q.Span.Since.Location())}
	}
	page := UsagePage{Data: []UsageRow{}, Since: wide.Since, Until: wide.Until}
	for i := range lines {
		page.Data = append(page.Data, q.row(&lines[i], name))
	}
	return page
}

func (q *UsageQuery) row(line *UsageLine, name func(by Grouping, id string) string) UsageRow {
	row := UsageRow{Figures: Figures(line.Sums)}
	*row.group(q.By) = &line.Group
	if q.Then != "" {
		*row.group(q.Then) = &line.Then
	}
	if q.Grain != "" {
		at := q.Grain.TimeText(line.At, q.Span.Since.Location())
		*row.group(q.Grain) = &at
	}
	if name == nil {
		return row
	}
	if row.Key != nil {
		called := name(ByKey, *row.Key)
		row.Name = &called
	}
	if row.Team != nil {
		called := name(ByTeam, *row.Team)
		if row.Key == nil {
			row.Name = &called
		} else {
			row.TeamName = &called
		}
	}
	return row
}
