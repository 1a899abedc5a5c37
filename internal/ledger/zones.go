package ledger

import "time"

// Zone is a time zone in which rows are summed, from a row on.
type Zone struct {
	Since Seq
	*time.Location
}

// Zones are those of a store, in the order of Since. Rows before the first are summed in UTC.
type Zones []Zone

// Of is the time zone of a row's day.
func (z Zones) Of(seq Seq) *time.Location {
	location := time.UTC
	for _, zone := range z {
		if zone.Since <= seq {
			location = zone.Location
		}
	}
	return location
}

// zonesApart is more than the time between the beginnings of a day in any two time zones.
const zonesApart = 27 * time.Hour

// begin is when the sums of a day begin: all rows before are in those of earlier days, and no others are. Around a change of the time zone there may be no
// such time.
func (z Zones) begin(d Day) (at time.Time, found bool) {
	at = d.Begin(z.Of(SeqAt(d.Begin(time.UTC))))
	for _, zone := range z {
		if zone.Since.Time().Sub(at).Abs() < zonesApart {
			return at, false
		}
	}
	return at, true
}

// from is the first day whose sums have nothing of before a time, and when they begin. A time that is a date's first moment stands for the date.
func (z Zones) from(t time.Time) (d Day, at time.Time) {
	if d = DayOf(t); t.Equal(d.Begin(t.Location())) {
		return d, t
	}
	for d--; ; d++ {
		if at, found := z.begin(d); found && !at.Before(t) {
			return d, at
		}
	}
}

// upto is the last day before which sums have nothing of a time and later, and when it begins. A time that is a date's first moment stands for the date.
func (z Zones) upto(t time.Time) (d Day, at time.Time) {
	if d = DayOf(t); t.Equal(d.Begin(t.Location())) {
		return d, t
	}
	for d++; ; d-- {
		if at, found := z.begin(d); found && !at.After(t) {
			return d, at
		}
	}
}
