package ledger

import "time"

// Hour is an hour of the wall clock, by when it began: in quarters of an hour since 1970, for some places are half an hour off.
type Hour int64

const quarter = 15 * 60

// HourOf is the hour in which t is, in t's own time zone.
func HourOf(t time.Time) Hour {
	_, offset := t.Zone()
	return Hour(floor(t.Unix()-modulo(t.Unix()+int64(offset), 3600), quarter))
}

// Begin is when the hour began.
func (h Hour) Begin() time.Time { return time.Unix(int64(h)*quarter, 0) }

// Day is a date, by its number since 1970.
type Day int64

const daySeconds = 24 * 60 * 60

// DayOf is the date of t, in t's own time zone.
func DayOf(t time.Time) Day {
	_, offset := t.Zone()
	return Day(floor(t.Unix()+int64(offset), daySeconds))
}

// Begin is the first moment of the day in a time zone. Where clocks are set forward at midnight, that is not 0:00.
func (d Day) Begin(zone *time.Location) time.Time {
	year, month, day := d.date().Date()
	t := time.Date(year, month, day, 0, 0, 0, 0, zone)
	if DayOf(t) < d {
		_, t = t.ZoneBounds()
	}
	return t
}

// String is the date, such as 2026-03-01.
func (d Day) String() string { return d.date().Format(time.DateOnly) }

// month is the first day of the day's month, and nextMonth that of the month after it.
func (d Day) month() Day { return d - Day(d.date().Day()) + 1 }

func (d Day) nextMonth() Day { return Day(floor(d.month().date().AddDate(0, 1, 0).Unix(), daySeconds)) }

func (d Day) date() time.Time { return time.Unix(int64(d)*daySeconds, 0).UTC() }

// Time is the moment that the number stands for.
func (s Seq) Time() time.Time { return time.UnixMicro(int64(s)) }

// SeqAt is the least number that stands for t or later.
func SeqAt(t time.Time) Seq {
	s := Seq(t.UnixMicro())
	if s.Time().Before(t) {
		s++
	}
	return s
}

func floor(n, by int64) int64 { return (n - modulo(n, by)) / by }

func modulo(n, by int64) int64 {
	if n %= by; n < 0 {
		n += by
	}
	return n
}
