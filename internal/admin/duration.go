package admin

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads Go's durations (90m, 1h30m) and, before such or alone, whole weeks and days: 90d, 2w,
// 1w2d12h. A day is 24 hours. Negative durations are refused.
func ParseDuration(text string) (time.Duration, error) {
	wrong := fmt.Errorf("%q is no duration such as 90d, 2w, 12h or 30m", text)
	rest, total := text, time.Duration(0)
	for _, unit := range []struct {
		letter string
		length time.Duration
	}{{"w", 7 * 24 * time.Hour}, {"d", 24 * time.Hour}} {
		number, after, found := strings.Cut(rest, unit.letter)
		if !found {
			continue
		}
		n, err := strconv.ParseUint(number, 10, 32)
		if err != nil || time.Duration(n) > (math.MaxInt64-total)/unit.length {
			return 0, wrong
		}
		total, rest = total+time.Duration(n)*unit.length, after
	}
	if rest == "" && text != "" {
		return total, nil
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 || d > math.MaxInt64-total {
		return 0, wrong
	}
	return total + d, nil
}
