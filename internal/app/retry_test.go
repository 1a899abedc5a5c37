package app

import (
	"fmt"
	"testing"
	"time"
)

// A refused config is tried again after pauses that grow up to a minute, and as often as at first after a change.
func TestRetry(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var next retry
	next.again(now)
	var at []time.Duration
	for second := range 6 * 60 {
		if now := now.Add(time.Duration(second) * time.Second); next.due(now) {
			at = append(at, time.Duration(second)*time.Second)
			next.failed(now)
		}
	}
	if got := fmt.Sprint(at); got != "[5s 15s 35s 1m15s 2m15s 3m15s 4m15s 5m15s]" {
		t.Error(got)
	}
	next.again(now)
	if next.due(now.Add(4*time.Second)) || !next.due(now.Add(5*time.Second)) {
		t.Error("after a change it is not tried after five seconds")
	}
}
