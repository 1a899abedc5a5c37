package budget

import (
	"math"
	"math/bits"
	"time"
)

// earliest is the part of a period, as 1/earliest of it, that must have gone before a forecast is made: a few calls of the first minutes say nothing of a
// month.
const earliest = 10

// Forecast is what will have been used at the end of the period around now, if it goes on as until now: what was used, divided by the part of the period
// that has gone. ok is false in the first tenth of a period, and for a budget that is never reset.
func (s Spec) Forecast(used int64, now time.Time, loc *time.Location) (n int64, ok bool) {
	begin, end := s.Period.Around(now, loc)
	gone, whole := now.Sub(begin)/time.Millisecond, end.Sub(begin)/time.Millisecond
	if s.Period == Total || gone*earliest < whole || gone <= 0 {
		return 0, false
	}
	high, low := bits.Mul64(uint64(max(used, 0)), uint64(whole))
	if high >= uint64(gone) {
		return math.MaxInt64, true
	}
	quotient, _ := bits.Div64(high, low, uint64(gone))
	return int64(min(quotient, math.MaxInt64)), true
}
