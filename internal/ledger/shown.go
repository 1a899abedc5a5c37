package ledger

import "time"

// UsagePage is a report of usage as the APIs send it.
type UsagePage struct {
	Data  []UsageRow `json:"data"`
	Next  *string    `json:"next"`  // always null: there is one page
	Since time.Time  `json:"since"` // the span that was summed: that asked for, widened to whole hours, or to whole days for tags
	Until time.Time  `json:"until"`
}

// UsageRow is what one group used. Of the first members it has the grouping's own; a key and a team also have a name.
type UsageRow struct {
	Model    *string `json:"model,omitempty"`
	Key      *string `json:"key,omitempty"`
	Team     *string `json:"team,omitempty"`
	Name     *string `json:"name,omitempty"` // "" if it is unknown
	Provider *string `json:"provider,omitempty"`
	Tag      *string `json:"tag,omitempty"`
	Day      *string `json:"day,omitempty"`
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
	case ByDay:
		return &r.Day
	}
	return &r.Model
}

// Group is the name of the row's group, whatever it is grouped by.
func (r *UsageRow) Group() string {
	for _, by := range Groupings {
		if name := *r.group(by); name != nil {
			return *name
		}
	}
	return ""
}

// Page is the report of a query. name says how keys and teams are called; nil names none.
func (q *UsageQuery) Page(lines []UsageLine, name func(id string) string) UsagePage {
	wide := q.Span.Widened()
	if q.By == ByTag {
		dates := q.Span.Dates()[0]
		wide = Span{Day(dates.From).Begin(q.Span.Since.Location()), Day(dates.To).Begin(q.Span.Since.Location())}
	}
	page := UsagePage{Data: []UsageRow{}, Since: wide.Since, Until: wide.Until}
	for i := range lines {
		line := &lines[i]
		row := UsageRow{Figures: Figures(line.Sums)}
		*row.group(q.By) = &line.Group
		if name != nil && (q.By == ByKey || q.By == ByTeam) {
			called := name(line.Group)
			row.Name = &called
		}
		page.Data = append(page.Data, row)
	}
	return page
}
