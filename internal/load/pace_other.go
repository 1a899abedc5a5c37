//go:build !linux

package load

import (
	"context"
	"time"
)

// sleepUntil waits, and reports whether it was not interrupted.
func sleepUntil(ctx context.Context, due time.Time) bool { return Pause(ctx, time.Until(due)) }
