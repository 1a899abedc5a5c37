package gateway

import (
	"regexp"
	"testing"
	"time"
)

// Ids are found and paged by, so a later one is greater, whichever process made it.
func TestIDsRiseWithTime(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^req_[0-9A-V]{26}$`)
	now := time.UnixMilli(0)
	last := ""
	for _, step := range []time.Duration{0, time.Millisecond, time.Second, 31 * time.Millisecond, 24 * time.Hour, 50 * 365 * 24 * time.Hour, time.Millisecond} {
		now = now.Add(step)
		id := newID(now).String()
		if !form.MatchString(id) || step > 0 && id <= last {
			t.Errorf("%s comes after %s", id, last)
		}
		if newID(now).String() == id {
			t.Error("two requests have one id")
		}
		last = id
	}
}
