package replica

import (
	"context"
	"errors"
	"time"
)

// errSilent ends what waits for a database that does not answer.
var errSilent = errors.New("the database that replicas share does not answer")

// While returns a context for a request that waits for the database by itself. It ends with the parent, and once the database is found not to
// answer: at once, while that is known. After 25 ms without a result it is asked whether it is there, and it has 25 ms to answer. So a
// database that is slow at something is waited for, and one that is gone is not.
func (d *Desk) While(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	w := &waiting{end: end}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.down {
		end(errSilent)
		return ctx, func() { end(nil) }
	}
	d.waiting[w] = struct{}{}
	w.timer = time.AfterFunc(waitFor, d.doubt)
	return ctx, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.waiting, w)
		w.timer.Stop()
		end(nil)
	}
}

// waiting is a request that waits for the database.
type waiting struct {
	end   context.CancelCauseFunc
	timer *time.Timer
}

// doubt asks the database whether it is there. If no answer comes, no request waits for it.
func (d *Desk) doubt() {
	d.mu.Lock()
	defer d.mu.Unlock()
	answered := d.answered
	d.hasten()
	time.AfterFunc(waitFor, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.answered == answered {
			d.silent()
		}
	})
}

// silent has no request wait for the database before it answers. The lock is held.
func (d *Desk) silent() {
	d.down = true
	for w := range d.waiting {
		w.end(errSilent)
	}
	clear(d.waiting)
}

// hasten has the database asked at once what is new. The lock is held.
func (d *Desk) hasten() {
	select {
	case d.early <- struct{}{}:
	default: // it is about to be
	}
}
