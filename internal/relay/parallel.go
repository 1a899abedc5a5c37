package relay

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// parallel runs work n times side by side, once in the caller's goroutine, and returns when all have ended. If one panics,
// stop is called, which must make the others end, and the panic becomes the caller's. In its own goroutine it would end
// the program; the caller's server can handle it.
func parallel(n int, stop, work func()) {
	var (
		group    sync.WaitGroup
		mu       sync.Mutex // guards panicked
		panicked error
	)
	guarded := func() {
		defer func() {
			if p := recover(); p != nil {
				mu.Lock()
				panicked = fmt.Errorf("%v\n%s", p, debug.Stack())
				mu.Unlock()
				stop()
			}
		}()
		work()
	}
	for range n - 1 {
		group.Go(guarded)
	}
	guarded()
	group.Wait()
	if panicked != nil {
		panic(panicked)
	}
}
