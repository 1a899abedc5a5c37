package listener

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// Weir reads and discards the rest of a body that it refused before reading it, so that the refusal arrives. A client that is still
// sending, such as an HTTP/1.0 proxy, would otherwise get a reset and lose an answer that it has not read yet. Each body is bounded
// in bytes and in time, and all of them in number. When there are too many, the one that comes slowest ends, so that a flood of slow
// ones cannot use the places up.
const (
	discardMost   = 128 << 20        // bytes
	discardFor    = 30 * time.Second // from the refusal on
	DiscardIdle   = 2 * time.Second  // without a byte; what is not wanted of a body is not waited for any longer either
	discardAtOnce = 128              // bodies, and no more than a fourth of the connections

	// A body counts as if this much of it had come in a second before, so that one that has just begun does not count as slow.
	headStart = 1 << 20
)

// discards are the bodies of one listener that are read on. It is safe for concurrent use.
type discards struct {
	most int // at once, at least 1

	mu     sync.Mutex // guards the rest
	bodies map[*discard]struct{}
	closed bool // the listener is, so no client is waited for any longer than needed
}

// discard is one body that is read on.
type discard struct {
	control *http.ResponseController
	began   time.Time

	mu    sync.Mutex // guards the rest
	until time.Time  // when it ends in any case
	read  int64
	ended bool // to make room for another
}

func newDiscard(control *http.ResponseController, now time.Time) *discard {
	return &discard{control: control, began: now, until: now.Add(discardFor)}
}

// begin counts a body, and ends the slowest one if there are too many.
func (d *discards) begin(one *discard) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bodies == nil {
		d.bodies = map[*discard]struct{}{}
	}
	if len(d.bodies) >= d.most {
		d.endSlowest(one.began)
	}
	d.bodies[one] = struct{}{}
	if d.closed {
		one.hurry(one.began)
	}
}

// close ends all bodies soon, including later ones. Otherwise a client that sends a refused body slowly would delay the end of the
// process.
func (d *discards) close(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for one := range d.bodies {
		one.hurry(now)
	}
}

// endSlowest ends the body with the lowest rate of arrival. The lock is held.
func (d *discards) endSlowest(now time.Time) {
	var slowest *discard
	least := 0.0
	for one := range d.bodies {
		if rate := one.rate(now); slowest == nil || rate < least {
			slowest, least = one, rate
		}
	}
	delete(d.bodies, slowest)
	slowest.end()
}

// done counts a body out.
func (d *discards) done(one *discard) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.bodies, one)
}

// rate is how many bytes a second arrived, with a head start.
func (d *discard) rate(now time.Time) float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return float64(d.read+headStart) / (now.Sub(d.began) + time.Second).Seconds()
}

// end has the body not be read any more.
func (d *discard) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = true
	_ = d.control.SetReadDeadline(time.Now()) // a connection that is gone needs none
}

// hurry has it end at the latest when it would without a further byte.
func (d *discard) hurry(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if soon := now.Add(DiscardIdle); soon.Before(d.until) {
		d.until = soon
	}
}

// wait sets until when the next bytes must come, and reports whether they are still wanted.
func (d *discard) wait(now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	deadline := now.Add(DiscardIdle)
	if deadline.After(d.until) {
		deadline = d.until
	}
	return !d.ended && d.control.SetReadDeadline(deadline) == nil
}

// run reads the body to its end, and reports whether it came there.
func (d *discard) run(body io.Reader) (whole bool) {
	var buffer [8 << 10]byte
	for {
		if !d.wait(time.Now()) {
			return false
		}
		n, err := body.Read(buffer[:])
		d.mu.Lock()
		d.read += int64(n)
		tooMuch := d.read > discardMost
		d.mu.Unlock()
		if err != nil || tooMuch {
			return err == io.EOF
		}
	}
}

// ReadOn reads the rest of a request's body and throws it away, within the bounds of its listener. If it does not reach the body's
// end, the answer is the last on its connection: otherwise the server would wait for the rest without a limit.
func ReadOn(control *http.ResponseController, r *http.Request) {
	one := newDiscard(control, time.Now())
	if c := connOf(r); c != nil {
		c.listener.discards.begin(one)
		defer c.listener.discards.done(one)
	}
	if !one.run(r.Body) {
		CloseAfter(r)
	}
	_ = control.SetReadDeadline(time.Time{}) // a writer without deadlines is a test's
}
