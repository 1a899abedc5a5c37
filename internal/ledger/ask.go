package ledger

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// AskError says which parameter of a question is wrong, and what is allowed. Both APIs and the command line have it from here.
type AskError struct {
	Param   string
	Message string // a sentence
}

// Error implements error.
func (e *AskError) Error() string { return e.Message }

// defaultSpan is how far back a report of usage reaches.
const defaultSpan = 24 * time.Hour

// AskUsage reads by, since, until, key, team, model and top. What is left out is the first of the groupings, and the last 24 hours. now is in the
// time zone whose dates are meant.
func AskUsage(query url.Values, now time.Time, groupings ...Grouping) (*UsageQuery, error) {
	q := &UsageQuery{Key: query.Get("key"), Team: query.Get("team"), Model: query.Get("model")}
	by := query.Get("by")
	if !query.Has("by") {
		by = string(groupings[0])
	}
	if err := q.askGroups(strings.Split(by, ","), groupings); err != nil {
		return nil, err
	}
	if err := askFilters(query, "key", "team", "model"); err != nil {
		return nil, err
	}
	var err error
	if q.Top, err = askNumber(query, "top", 0); err != nil {
		return nil, err
	}
	if q.Span, err = askSpan(query, now, Span{now.Add(-defaultSpan), now}); err != nil {
		return nil, err
	}
	return q, q.askLength()
}

// askGroups takes over what is summed by, which is at most two groupings and one of time.
func (q *UsageQuery) askGroups(words []string, groupings []Grouping) error {
	var groups []Grouping
	for _, word := range words {
		g := Grouping(word)
		switch {
		case !slices.Contains(groupings, g):
			return &AskError{"by", fmt.Sprintf("%q is no grouping: by is %s.", word, oneOf(wordsOf(groupings)))}
		case slices.Contains(groups, g):
			return &AskError{"by", fmt.Sprintf("by has %s twice.", g)}
		case g.OfTime() && q.Grain != "":
			return &AskError{"by", fmt.Sprintf("by has one grouping of time at most, and these are %s and %s.", q.Grain, g)}
		case g.OfTime():
			q.Grain = g
		default:
			groups = append(groups, g)
		}
	}
	switch len(groups) {
	case 0:
		q.By, q.Grain = q.Grain, ""
	case 1:
		q.By = groups[0]
	case 2:
		q.By, q.Then = groups[0], groups[1]
	default:
		return &AskError{"by", "by has two groupings at most, and one of time besides, as in by=team,model,day."}
	}
	return q.askTags(groups)
}

// askTags refuses what sums by tag do not know: they are kept for each key and day.
func (q *UsageQuery) askTags(groups []Grouping) error {
	if !slices.Contains(groups, ByTag) {
		return nil
	}
	switch {
	case q.Team != "" || q.Model != "":
		return &AskError{"by", "Sums by tag are kept for each key alone: of the filters only key goes with by=tag."}
	case q.Grain == ByHour:
		return &AskError{"by", "Sums by tag are kept by the day: of time, day and month go with tag."}
	case len(groups) == 2 && !slices.Contains(groups, ByKey):
		return &AskError{"by", "Sums by tag are kept for each key alone: of the other groupings only key goes with tag."}
	}
	return nil
}

// The longest reports by the hour and by the month: the first reads sums by the hour, the second asks for each month.
const mostDays, mostYears = 31, 10

// askLength refuses a span that is too long for what it is divided into.
func (q *UsageQuery) askLength() error {
	switch since := q.Span.Since; {
	case q.grain() == ByHour && q.Span.Until.After(since.AddDate(0, 0, mostDays).Add(time.Hour)):
		return &AskError{"since", fmt.Sprintf("A report by the hour is of %d days at most: ask for a shorter span, or by day.", mostDays)}
	case q.grain() == ByMonth && q.Span.Until.After(since.AddDate(mostYears, 0, 0)):
		return &AskError{"since", fmt.Sprintf("A report by the month is of %d years at most: ask for a shorter span.", mostYears)}
	}
	return nil
}

func wordsOf(groupings []Grouping) []string {
	words := make([]string, len(groupings))
	for i, g := range groupings {
		words[i] = string(g)
	}
	return words
}

// askNumber reads how many lines or rows are wanted.
func askNumber(query url.Values, param string, otherwise int) (int, error) {
	if !query.Has(param) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(query.Get(param))
	if err != nil || n < 1 || n > largestPage {
		return 0, &AskError{param, fmt.Sprintf("%s is a whole number from 1 to %d.", param, largestPage)}
	}
	return n, nil
}

// askFilters refuses filters that are there and name nothing: a script whose variable is not set would get the rows of all.
func askFilters(query url.Values, params ...string) error {
	for _, param := range params {
		if query.Has(param) && strings.TrimPrefix(query.Get(param), requestPrefix) == "" {
			return &AskError{param, fmt.Sprintf("%s names nothing: leave it out to ask about all.", param)}
		}
	}
	return nil
}

// askFlag reads a flag, which is one of these.
func askFlag(query url.Values, names []string) (Flags, error) {
	word := query.Get("flag")
	if !query.Has("flag") {
		return 0, nil
	}
	flag, _ := flagOf(word)
	if !slices.Contains(names, word) {
		return 0, &AskError{"flag", fmt.Sprintf("%q is no flag of this list: flag is %s.", word, oneOf(names))}
	}
	return flag, nil
}

// askCursor reads where a page begins, nil for the first.
func askCursor[P any](query url.Values, read func(cursor string) (P, bool)) (*P, error) {
	if !query.Has("cursor") {
		return nil, nil
	}
	place, ok := read(query.Get("cursor"))
	if !ok {
		return nil, &AskError{"cursor", "This is no cursor of this list: cursor is what next was in the page before, with the same filters."}
	}
	return &place, nil
}

// askSpan reads since and until.
func askSpan(query url.Values, now time.Time, span Span) (Span, error) {
	for param, at := range map[string]*time.Time{"since": &span.Since, "until": &span.Until} {
		if !query.Has(param) {
			continue
		}
		t, ok := moment(query.Get(param), now)
		if !ok {
			return span, &AskError{param, fmt.Sprintf("%s=%q is no time: a span before now (24h, 90m, 7d, 2w), a date (2026-03-01), or a date and a time (2026-03-01T12:00:00Z).", param, query.Get(param))}
		}
		*at = t
	}
	if span.Until.Before(span.Since) && !span.Until.IsZero() {
		return span, &AskError{"until", fmt.Sprintf("The span ends (%s) before it begins (%s): until is a later time than since.", span.Until.Format(time.RFC3339), span.Since.Format(time.RFC3339))}
	}
	return span, nil
}

// The years that a time may name: those whose moments have a number.
const firstYear, lastYear = 1970, 2200

// moment reads a time: how long before now it is, a date of now's time zone, or a date and a time.
func moment(text string, now time.Time) (t time.Time, ok bool) {
	if before, ok := ago(text); ok {
		t = now.Add(-before)
	} else if date, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		t = date
	} else if t, err = time.Parse(time.RFC3339, text); err != nil {
		return time.Time{}, false
	}
	t = t.In(now.Location())
	return t, t.Year() >= firstYear && t.Year() <= lastYear
}

// ago reads a duration of Go's form, or whole days or weeks.
func ago(text string) (time.Duration, bool) {
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if number, is := strings.CutSuffix(text, unit); is {
			n, err := strconv.ParseUint(number, 10, 16)
			return time.Duration(n) * length, err == nil && time.Duration(n)*length/length == time.Duration(n) && n < 100_000
		}
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

// The rows of a page.
const (
	defaultPage = 100
	largestPage = 1000
)

// requestPrefix is what the ids of requests begin with outside of the ledger.
const requestPrefix = "req_"

// AskRows reads key, team, model, request, flag, since, until, cursor and limit. What is left out is no filter.
func AskRows(query url.Values, now time.Time) (*RowsQuery, error) {
	if err := askFilters(query, "key", "team", "model", "request"); err != nil {
		return nil, err
	}
	q := &RowsQuery{Key: query.Get("key"), Team: query.Get("team"), Model: query.Get("model"), Request: strings.TrimPrefix(query.Get("request"), requestPrefix)}
	var err error
	if q.Flags, err = askFlag(query, flagNames[:]); err != nil {
		return nil, err
	}
	if q.Limit, err = askNumber(query, "limit", defaultPage); err != nil {
		return nil, err
	}
	if q.Before, err = askCursor(query, readCursor); err != nil {
		return nil, err
	}
	q.Span, err = askSpan(query, now, Span{})
	return q, err
}

// Cursor is the place as a text that can be handed out.
func (p Place) Cursor() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(int64(p.Seq), 10) + " " + p.Instance))
}

func readCursor(text string) (p Place, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return p, false
	}
	number, instance, found := strings.Cut(string(raw), " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	p = Place{Seq(seq), instance}
	return p, found && err == nil && seq > 0 && seq < 1<<53 && p.Cursor() == text
}

// Next is the cursor of the page after these rows, nil after the last.
func Next(rows []Row, more bool) *string {
	if !more || len(rows) == 0 {
		return nil
	}
	last := &rows[len(rows)-1]
	cursor := Place{last.Seq, last.Instance}.Cursor()
	return &cursor
}
