package relay

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

func TestTogether(t *testing.T) {
	t.Parallel()
	var ran atomic.Int32
	parallel(4, func() {}, func() { ran.Add(1) })
	if ran.Load() != 4 {
		t.Errorf("it ran %d times", ran.Load())
	}
}

// A panic in any of the goroutines ends the others, and is the caller's.
func TestTogetherPanics(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var turn atomic.Int32
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "one of them") {
			t.Errorf("it ended with %s", text)
		}
	}()
	parallel(3, stop, func() {
		if turn.Add(1) == 2 {
			panic("one of them")
		}
		<-ctx.Done()
	})
	t.Error("it returned")
}
