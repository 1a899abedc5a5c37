package budget

import (
	"math"
	"testing"
	"time"
)

func TestForecast(t *testing.T) {
	t.Parallel()
	berlin := zone(t, "Europe/Berlin")
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, berlin) // a month of 31 days less an hour
	hours := func(n int) time.Time { return begin.Add(time.Duration(n) * time.Hour) }
	for name, tt := range map[string]struct {
		period Period
		used   int64
		now    time.Time
		want   int64
		ok     bool
	}{
		"half of a month":                {Month, 1000, hours(743 / 2).Add(30 * time.Minute), 2000, true},
		"a tenth of a day":               {Day, 1000, hours(0).Add(144 * time.Minute), 10_000, true},
		"less than a tenth of a day":     {Day, 1000, hours(2), 0, false},
		"the beginning":                  {Month, 0, begin, 0, false},
		"nothing was used":               {Day, 0, hours(12), 0, true},
		"the end":                        {Day, 77, hours(24).Add(-1), 77, true},
		"no period":                      {Total, 77, hours(12), 0, false},
		"more than an amount can be":     {Day, math.MaxInt64, hours(12), math.MaxInt64, true},
		"a correction below nothing":     {Day, -5, hours(12), 0, true},
		"an hour":                        {Hour, 10, hours(5).Add(15 * time.Minute), 40, true},
		"the day on which clocks change": {Day, 100, time.Date(2026, 3, 29, 13, 30, 0, 0, berlin), 184, true}, // 12.5 of 23 hours
	} {
		if got, ok := (Spec{Period: tt.period}).Forecast(tt.used, tt.now, berlin); got != tt.want || ok != tt.ok {
			t.Errorf("%s: %d %v, want %d %v", name, got, ok, tt.want, tt.ok)
		}
	}
}
