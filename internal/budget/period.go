package budget

import (
	"slices"
	"time"
)

// Period is a span of the calendar after which a budget begins again.
type Period uint8

// The periods.
const (
	Hour Period = iota
	Day
	Week // from Monday
	Month
	Total // never ends
)

// periods are their names.
var periods = [...]string{Hour: "hour", Day: "day", Week: "week", Month: "month", Total: "total"}

func parsePeriod(name string) (Period, bool) {
	i := slices.Index(periods[:], name)
	return Period(max(i, 0)), i >= 0
}

// String is the period's name.
func (p Period) String() string { return periods[p] }

// Around returns the period that t is in: from begin on, until before end. Total has neither; they are zero. Where clocks are changed, a
// period is longer or shorter than others, and none is missing or counts twice.
func (p Period) Around(t time.Time, loc *time.Location) (begin, end time.Time) {
	t = t.In(loc)
	switch p {
	case Hour:
		return hourAround(t)
	case Total:
		return time.Time{}, time.Time{}
	}
	first := civilOf(t)
	if !t.Before(first.add(1).begin(loc)) {
		first = first.add(1) // the clock was put back to a day that had ended
	}
	next := first.add(1)
	switch p {
	case Week:
		first = first.add(-((int(first.weekday()) + 6) % 7))
		next = first.add(7)
	case Month:
		first.day = 1
		next = civil{first.year, first.month + 1, 1}
	}
	return first.begin(loc), next.begin(loc)
}

// hourAround is the clock's hour. A change of the clock within an hour, as on Lord Howe Island, ends it.
func hourAround(t time.Time) (begin, end time.Time) {
	begin = t.Add(-time.Duration(t.Minute())*time.Minute - time.Duration(t.Second())*time.Second - time.Duration(t.Nanosecond()))
	end = begin.Add(time.Hour)
	since, until := t.ZoneBounds()
	if !since.IsZero() && since.After(begin) {
		begin = since
	}
	if !until.IsZero() && until.Before(end) {
		end = until
	}
	return begin, end
}

// civil is a day of the calendar, wherever.
type civil struct {
	year  int
	month time.Month
	day   int
}

func civilOf(t time.Time) civil {
	y, m, d := t.Date()
	return civil{y, m, d}
}

func (c civil) in(loc *time.Location) time.Time {
	return time.Date(c.year, c.month, c.day, 0, 0, 0, 0, loc)
}

func (c civil) add(days int) civil {
	c.day += days
	return civilOf(c.in(time.UTC))
}

func (c civil) weekday() time.Weekday { return c.in(time.UTC).Weekday() }

// begin is the first moment of the day or, where the calendar skips it, of the next one. A midnight that a change of the clock skips, or
// repeats, is what time.Date does not decide.
func (c civil) begin(loc *time.Location) time.Time {
	midnight := c.in(time.UTC)
	const widest = 26 * time.Hour // no zone is farther from UTC, and none changes by more than a day
	for t := midnight.Add(-2 * widest).In(loc); ; {
		_, offset := t.Zone()
		since, until := t.ZoneBounds()
		begin := midnight.Add(-time.Duration(offset) * time.Second)
		if !since.IsZero() && begin.Before(since) {
			begin = since
		}
		if until.IsZero() || begin.Before(until) {
			return begin.In(loc)
		}
		t = until
	}
}
