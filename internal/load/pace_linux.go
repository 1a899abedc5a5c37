package load

import (
	"context"
	"syscall"
	"time"
)

// exact is how long before its time a request stops waiting for a timer. Go's timers may be a millisecond late on an
// idle process, and that delay would count as the server's.
const exact = 3 * time.Millisecond

// sleepUntil waits, and reports whether it was not interrupted.
func sleepUntil(ctx context.Context, due time.Time) bool {
	if !Pause(ctx, time.Until(due)-exact) {
		return false
	}
	for {
		left := time.Until(due)
		if left <= 0 {
			return true
		}
		span := syscall.NsecToTimespec(int64(left))
		_ = syscall.Nanosleep(&span, nil) // a signal wakes it early: then it sleeps again
	}
}
