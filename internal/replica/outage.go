package replica

import (
	"context"
	"errors"
	"time"
)

// errSilent ends what waits for a database that does not answer.
var errSilent = errors.New("the database that replicas share does not answer")

// While returns a context for a request that waits for the database by itself. It ends with the parent, and once the database is found not to
// answer: at once, while that is known. After 25 ms without a result it is asked whether it is there, and it has a quarter of a second to
// answer. So a database that is slow at something is waited for, and one that is gone is not.
func (d *Desk) While(parent context.Context) (context.Context, context.CancelFunc) {
	return d.while(parent, false)
}

// WhileItMayAnswer is While for operators, who would rather wait for some seconds: it ends once a round trip has failed.
func (d *Desk) WhileItMayAnswer(parent context.Context) (context.Context, context.CancelFunc) {
	return d.while(parent, true)
}

func (d *Desk) while(parent context.Context, patient bool) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	w := &waiting{end: end, patient: patient}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failing || d.down && !patient {
		end(errSilent)
		return ctx, func() { end(nil) }
	}
	d.waiting[w] = struct{}{}
	if !patient {
		w.timer = time.AfterFunc(waitFor, d.doubt)
	}
	return ctx, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.waiting, w)
		if w.timer != nil {
			w.timer.Stop()
		}
		end(nil)
	}
}

// waiting is a request that waits for the database.
type waiting struct {
	end     context.CancelCauseFunc
	patient bool
	timer   *time.Timer // nil for one that is patient
}

// probeWithin is how long the database has to answer whether it is there: a disk of its may be busy for a moment.
const probeWithin = 250 * time.Millisecond

// doubt asks the database whether it is there. If no answer comes, no request waits for it.
func (d *Desk) doubt() {
	d.mu.Lock()
	defer d.mu.Unlock()
	answered := d.answered
	d.hasten()
	time.AfterFunc(probeWithin, func() {
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
		if !w.patient || d.failing {
			w.end(errSilent)
			delete(d.waiting, w)
		}
	}
}

// hasten has the database asked at once what is new. The lock is held.
func (d *Desk) hasten() {
	select {
	case d.early <- struct{}{}:
	default: // it is about to be
	}
}
