package memory_test

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/memory"
)

// A small heap that is collected all the time may grow to the floor, and a large one only double.
func TestFloor(t *testing.T) { //nolint:paralleltest // it sets what holds for the process
	read := func(name string) int64 {
		sample := []metrics.Sample{{Name: name}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	until := func(what string, holds func() bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); !holds(); runtime.GC() {
			if time.Now().After(deadline) {
				t.Fatalf("%s: the goal is %d bytes, the percentage %d", what, read("/gc/heap/goal:bytes"), read("/gc/gogc:percent"))
			}
		}
	}
	const floor = 16 << 20
	stop := memory.Floor(floor)
	until("with a small heap", func() bool { return read("/gc/heap/goal:bytes") >= floor })
	large := make([]byte, 4*floor)
	until("with a large heap", func() bool { return read("/gc/gogc:percent") == 100 })
	runtime.KeepAlive(large)
	until("with a small heap again", func() bool { return read("/gc/gogc:percent") > 300 })
	stop()
	until("after the end", func() bool { return read("/gc/gogc:percent") == 100 })
}
