package importer

import (
	"math"
	"math/big"
	"time"

	"github.com/weirproxy/weir/internal/budget"
)

// periods are those of budgets, the longest first, with their usual lengths.
var periods = []struct {
	period budget.Period
	length time.Duration
}{{budget.Month, 30 * 24 * time.Hour}, {budget.Week, 7 * 24 * time.Hour}, {budget.Day, 24 * time.Hour}, {budget.Hour, time.Hour}}

// periodOf is the longest period of budgets that is no longer than a length, else the shortest of all, and the part that it has of an amount for
// the whole length. exact says that it is that length. whole says that the length is one month of the calendar.
func periodOf(length time.Duration, whole bool) (p budget.Period, part func(int64) int64, exact bool) {
	at := len(periods) - 1
	for i := range periods {
		if length >= periods[i].length {
			at = i
			break
		}
	}
	if length == periods[at].length || whole {
		return periods[at].period, func(n int64) int64 { return n }, true
	}
	return periods[at].period, func(n int64) int64 { return share(n, periods[at].length, length) }, false
}

// share is the part of an amount that one length of time has of another.
func share(n int64, one, of time.Duration) int64 {
	r := new(big.Int).Mul(big.NewInt(n), big.NewInt(int64(one)))
	if r.Div(r, big.NewInt(int64(of))); !r.IsInt64() {
		return math.MaxInt64
	}
	return r.Int64()
}
