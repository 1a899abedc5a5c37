package relay

import (
	"context"
	"errors"
	"sync"
	"time"
)

// The reasons to give up an upstream's stream.
var (
	errFirstToken = errors.New("sent no content in time")
	errIdle       = errors.New("went silent")
)

// watch ends an attempt at a stream whose first content, or whose next byte, is overdue. One timer serves
// both: it looks, when it fires, at what is due next, so that reading costs no timer operation.
type watch struct {
	firstToken, idle time.Duration
	started          time.Time
	cancel           context.CancelCauseFunc
	caller           *sink // while it is busy nothing listens to the upstream; nil if it never is

	mu       sync.Mutex // guards what follows
	timer    *time.Timer
	stopped  bool
	late     bool          // the attempt was given up
	content  bool          // the first content was seen
	read     bool          // a byte was
	lastRead time.Duration // after started
}

// newWatch starts watching. A limit of 0 means no limit.
func newWatch(firstToken, idle time.Duration, cancel context.CancelCauseFunc, caller *sink) *watch {
	w := &watch{firstToken: firstToken, idle: idle, started: time.Now(), cancel: cancel, caller: caller}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(w.next(0), w.fire)
	return w
}

// forever means "no limit"; the timer then looks again once in a while.
const forever = time.Hour

// next is how long until something can be overdue, at a time after started. The lock is held.
func (w *watch) next(now time.Duration) time.Duration {
	wait := forever
	if w.firstToken > 0 && !w.content {
		wait = min(wait, w.firstToken-now)
	}
	if w.idle > 0 && w.read {
		wait = min(wait, w.lastRead+w.idle-now)
	}
	return wait
}

func (w *watch) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	now := time.Since(w.started)
	wait := w.next(now)
	switch {
	case wait > 0:
		w.timer.Reset(wait)
	case w.firstToken > 0 && !w.content && now >= w.firstToken:
		w.late = true
		w.cancel(errFirstToken)
	case w.caller != nil && w.caller.busy(): // a slow caller takes no stream from himself, and makes no target look ill
		w.lastRead = now
		w.timer.Reset(w.next(now))
	default:
		w.late = true
		w.cancel(errIdle)
	}
}

// sawContent ends the limit for the first content. It reports false if the attempt was given up before.
func (w *watch) sawContent() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.content = true
	return !w.late
}

// stop ends the watching; afterwards the attempt is not cancelled any more.
func (w *watch) stop() {
	w.mu.Lock()
	w.stopped = true
	w.timer.Stop()
	w.mu.Unlock()
}

// sawByte notes a sign of life.
func (w *watch) sawByte() {
	now := time.Since(w.started)
	w.mu.Lock()
	defer w.mu.Unlock()
	first := !w.read
	w.read, w.lastRead = true, now
	if first && !w.stopped {
		w.timer.Reset(w.next(now)) // the limit between bytes may be the shorter one
	}
}
