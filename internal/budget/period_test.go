package budget

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// zones change their clocks in every way that there is: at midnight, by half an hour, over a whole day, never.
var zones = [...]string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Beirut", "America/Havana", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata", "America/St_Johns", "Atlantic/Azores"}

func zone(t interface{ Fatal(...any) }, name string) *time.Location {
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// Every moment is in exactly one period of each sort, and periods follow one another without a gap.
func TestPeriodsDivideTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		loc := zone(t, rapid.SampledFrom(zones[:]).Draw(t, "zone"))
		period := rapid.SampledFrom([]Period{Hour, Day, Week, Month}).Draw(t, "period")
		from := time.Date(1985, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		to := time.Date(2035, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		at := time.Unix(rapid.Int64Range(from, to).Draw(t, "at"), 0).In(loc)
		if rapid.Bool().Draw(t, "at a change") { // where it is difficult
			if _, until := at.ZoneBounds(); !until.IsZero() {
				at = until.Add(time.Duration(rapid.IntRange(-7200, 7200).Draw(t, "seconds")) * time.Second)
			}
		}
		begin, end := period.Around(at, loc)
		if at.Before(begin) || !at.Before(end) {
			t.Fatalf("%v is not in its %v, %v to %v", at, period, begin, end)
		}
		for _, other := range [...]time.Time{begin, end.Add(-1), begin.Add(end.Sub(begin) / 2)} {
			if b, e := period.Around(other, loc); !b.Equal(begin) || !e.Equal(end) {
				t.Fatalf("%v is in the %v from %v to %v, but %v in that from %v to %v", at, period, begin, end, other, b, e)
			}
		}
		if b, _ := period.Around(end, loc); !b.Equal(end) {
			t.Fatalf("the %v ends at %v, and the next begins at %v", period, end, b)
		}
		if _, e := period.Around(begin.Add(-1), loc); !e.Equal(begin) {
			t.Fatalf("the %v begins at %v, and the last ends at %v", period, begin, e)
		}
	})
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		zone       string
		period     Period
		at         string
		begin, end string
	}{
		{"UTC", Hour, "2026-03-04T05:06:07Z", "2026-03-04T05:00:00Z", "2026-03-04T06:00:00Z"},
		{"UTC", Day, "2026-03-04T00:00:00Z", "2026-03-04T00:00:00Z", "2026-03-05T00:00:00Z"},
		{"UTC", Week, "2026-03-08T23:59:59Z", "2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z"}, // a Sunday
		{"UTC", Week, "2026-03-09T00:00:00Z", "2026-03-09T00:00:00Z", "2026-03-16T00:00:00Z"},
		{"UTC", Month, "2026-12-31T23:59:59Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		{"Europe/Berlin", Month, "2026-03-31T22:00:00Z", "2026-04-01T00:00:00+02:00", "2026-05-01T00:00:00+02:00"},
		{"Europe/Berlin", Day, "2026-03-29T12:00:00Z", "2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"}, // 23 hours
		{"Europe/Berlin", Hour, "2026-10-25T01:30:00Z", "2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00"},
		{"Asia/Beirut", Day, "2022-03-27T12:00:00Z", "2022-03-27T01:00:00+03:00", "2022-03-28T00:00:00+03:00"}, // no midnight
		{"America/Havana", Day, "2025-11-02T12:00:00Z", "2025-11-02T00:00:00-04:00", "2025-11-03T00:00:00-05:00"},
		{"Pacific/Apia", Day, "2011-12-29T20:00:00-10:00", "2011-12-29T00:00:00-10:00", "2011-12-31T00:00:00+14:00"},
		{"Australia/Lord_Howe", Hour, "2026-04-05T01:40:00+10:30", "2026-04-05T01:30:00+10:30", "2026-04-05T02:00:00+10:30"},
	} {
		parse := func(text string) time.Time {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		begin, end := tt.period.Around(parse(tt.at), zone(t, tt.zone))
		if !begin.Equal(parse(tt.begin)) || !end.Equal(parse(tt.end)) {
			t.Errorf("the %v of %s in %s is from %v to %v", tt.period, tt.at, tt.zone, begin, end)
		}
	}
	if begin, end := Total.Around(time.Unix(1e9, 0), time.UTC); !begin.IsZero() || !end.IsZero() {
		t.Error("a total has a beginning or an end")
	}
}
