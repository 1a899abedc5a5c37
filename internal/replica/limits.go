package replica

import (
	"context"
	"log/slog"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// Alone is a Desk for limits while there is no database: it counts a minute for this replica alone, and has no places.
func Alone(log *slog.Logger) *Desk {
	return &Desk{log: log, began: time.Now(), wake: make(chan struct{}, 1), replica: escrow.New("", escrow.Epoch{}, nil), waited: func(time.Duration) {}, down: true}
}

// Limit is what a request needs of one limit.
type Limit struct {
	Subject escrow.Subject
	Most    int64 // units a minute, or requests at once
	Units   int64 // that the request needs, though at most all; a request at once needs one place
	AtOnce  bool  // it is a limit of requests at once
}

// Lack is why a request is not let in.
type Lack struct {
	Of         int           // the limit that lacks for the longest
	Wait       time.Duration // how long it takes until that lets the request in, if no other comes
	Unanswered bool          // the database does not say whether there is a place, and the replica has none
}

const (
	endsIn     = time.Second      // a guess at how long it takes until a running request ends
	inquireFor = time.Second      // how long an operator's question waits for an answer
	atLeast    = time.Millisecond // how long a request is to wait that others were faster than
	mostLimits = 9                // of a request: three of each of its key, team and model
)

// Entry is what a request took of limits, until it settles.
type Entry struct {
	desk    *Desk
	limits  []Limit
	charges [mostLimits]escrow.Charge
}

// Enter takes what a request needs of all limits, nine at most, or nothing. If the database has to be asked, it waits for the answer, but for a short time in
// all, and not at all while the database does not answer. Then the replica counts units by itself, and lets requests in at places that it has.
func (d *Desk) Enter(ctx context.Context, limits []Limit) (*Entry, Lack) {
	t := attempt{desk: d, limits: limits, entry: &Entry{desk: d, limits: limits}, left: waitFor}
	until := d.now() + waitFor
	for t.enter(); t.outcome == asks || t.outcome == full; t.enter() {
		t.wait(ctx)
		if t.left = until - d.now(); ctx.Err() != nil {
			t.left = 0
		}
	}
	if t.asked {
		d.waited(t.waited)
	}
	if t.outcome == refused {
		return nil, t.lack
	}
	return t.entry, Lack{}
}

// outcome is what comes of a try to enter.
type outcome uint8

const (
	fits    outcome = iota
	asks            // the database is asked for something
	full            // a place is lacking, which may become free at any moment
	refused         // a limit does not let the request in
)

// attempt is a request that tries to enter.
type attempt struct {
	desk   *Desk
	limits []Limit
	entry  *Entry
	left   time.Duration // how long it may wait
	asked  bool          // it has waited for an answer
	waited time.Duration // for answers
	lacked *Lack         // the place that it did not get

	finding
	statement int64 // for asks: the one whose answer is to be waited for
}

// finding is what comes of a look at all limits.
type finding struct {
	outcome  outcome
	lack     Lack
	pause    time.Duration // for full: how long to wait before another look
	verdicts [mostLimits]escrow.Verdict
}

// wait waits before another try. Only a request that has waited for as long as one may finds out that the database does not answer.
func (t *attempt) wait(ctx context.Context) {
	if t.outcome == full {
		timer := time.NewTimer(t.pause)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		return
	}
	begun := t.desk.now()
	defer func() { t.waited += t.desk.now() - begun }()
	if t.asked {
		limited, cancel := context.WithTimeout(ctx, t.left)
		defer cancel()
		t.desk.await(limited, t.statement, nil)
		return
	}
	t.asked = true
	timer := time.NewTimer(t.left)
	defer timer.Stop()
	t.desk.await(ctx, t.statement, timer.C)
}

// enter takes all, or asks for what is lacking.
func (t *attempt) enter() {
	d := t.desk
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	t.finding = d.find(t.limits, now)
	if t.outcome == full {
		t.lacked = &Lack{Of: t.lack.Of, Wait: t.lack.Wait}
	}
	switch {
	case t.outcome == fits:
		t.take(now)
	case t.outcome == asks && t.left > 0:
		t.need(now)
		t.statement = d.made + 1
	case t.outcome == full && t.left > 2*t.pause: // there is time to ask again
	default:
		t.refuse(now)
	}
	d.nudge(now)
}

// find looks at all limits. The lock is held.
func (d *Desk) find(limits []Limit, now time.Duration) (f finding) {
	for i := range limits {
		l, become := &limits[i], asks
		v, wait := d.judge(l, now)
		switch f.verdicts[i] = v; v {
		case escrow.Fits:
			continue
		case escrow.Short:
			become = refused
			if l.AtOnce {
				become, f.pause, wait = full, max(f.pause, wait), endsIn
			}
		case escrow.Gone:
			if l.AtOnce {
				f.outcome, f.lack = refused, Lack{Of: i, Wait: endsIn, Unanswered: true}
				return f
			}
			if wait = d.replica.JudgeAlone(l.Subject, l.Most, l.Units, now); wait <= 0 {
				continue
			}
			become = refused
		}
		if become > f.outcome || become == f.outcome && wait > f.lack.Wait {
			f.outcome, f.lack = become, Lack{Of: i, Wait: wait}
		}
	}
	return f
}

// judge looks at one limit. Where the database does not answer, it is as if another process had the replica's name: Gone. The lock is held.
func (d *Desk) judge(l *Limit, now time.Duration) (v escrow.Verdict, wait time.Duration) {
	if l.AtOnce {
		v, wait = d.replica.JudgePlace(l.Subject, l.Most, now)
	} else {
		v, wait = d.replica.JudgeRate(l.Subject, l.Most, l.Units, now)
	}
	if v == escrow.Ask && d.down {
		v = escrow.Gone
	}
	return v, wait
}

// take takes all. The desk's lock is held.
func (t *attempt) take(now time.Duration) {
	r := t.desk.replica
	for i := range t.limits {
		switch l := &t.limits[i]; {
		case l.AtOnce:
			r.TakePlace(l.Subject, l.Most, now)
		case t.verdicts[i] == escrow.Gone:
			t.entry.charges[i] = r.TakeAlone(l.Subject, l.Most, l.Units, now)
		default:
			t.entry.charges[i] = r.TakeRate(l.Subject, l.Most, l.Units, now)
		}
	}
}

// need asks for what is lacking. The desk's lock is held.
func (t *attempt) need(now time.Duration) {
	r := t.desk.replica
	for i := range t.limits {
		switch l := &t.limits[i]; {
		case t.verdicts[i] != escrow.Ask:
		case l.AtOnce:
			r.NeedPlace(l.Subject, l.Most, now)
		default:
			r.NeedRate(l.Subject, l.Most, l.Units, now)
		}
	}
}

// refuse says which limit does not let the request in. If it has waited for a place that others have, others do not for a while. The desk's lock is held.
func (t *attempt) refuse(now time.Duration) {
	for i := range t.limits {
		taken := t.verdicts[i] == escrow.Short || t.lacked != nil && t.lacked.Of == i && t.verdicts[i] != escrow.Fits
		if l := &t.limits[i]; l.AtOnce && t.asked && taken {
			t.desk.replica.LackPlace(l.Subject, l.Most, now)
		}
	}
	switch {
	case t.lacked != nil && (t.outcome != refused || t.lack.Unanswered):
		t.lack = *t.lacked // it was full when the database answered last
	case t.outcome == asks:
		t.lack.Unanswered = true // it was not found out whether what it lacks is there
	}
	t.outcome, t.lack.Wait = refused, max(t.lack.Wait, atLeast)
}

// Settle ends the request: it leaves its places, and of the units those count that it used, in the order of the limits.
func (e *Entry) Settle(used []int64) {
	d := e.desk
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for i := range e.limits {
		if e.limits[i].AtOnce {
			d.replica.LeavePlace(e.limits[i].Subject, now)
		} else {
			d.replica.SettleRate(e.charges[i], used[i], now)
		}
	}
	d.nudge(now)
}

// Expect has the next statement ask for units to keep, since a request is about to come. It waits for nothing.
func (d *Desk) Expect(limits []Limit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for i := range limits {
		if l := &limits[i]; !l.AtOnce {
			d.replica.ExpectRate(l.Subject, l.Most, now)
		}
	}
	d.nudge(now)
}

// Lacks is how long it takes until limits let a request in, as far as is known; 0 if they may now.
func (d *Desk) Lacks(limits []Limit) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.find(limits, d.now()); f.outcome == refused {
		return f.lack.Wait
	}
	return 0
}

// Left is what is left of a limit for all replicas together, as far as this one knows, and how long it takes until all is. While the database does not answer, it is what
// is left of this one's part.
func (d *Desk) Left(l *Limit) (left int64, reset time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch now := d.now(); {
	case l.AtOnce:
		return d.replica.PlacesLeft(l.Subject, l.Most), 0
	case d.down || d.gone:
		return d.replica.AloneLeft(l.Subject, l.Most, now)
	default:
		return d.replica.RateLeft(l.Subject, l.Most, now)
	}
}

// Inquire waits until the database has said how limits stand, or does not answer for a while.
func (d *Desk) Inquire(ctx context.Context, limits []Limit) {
	ctx, cancel := context.WithTimeout(ctx, inquireFor)
	defer cancel()
	d.mu.Lock()
	if d.down || d.gone {
		d.mu.Unlock()
		return
	}
	now := d.now()
	for i := range limits {
		if l := &limits[i]; l.AtOnce {
			d.replica.InquirePlaces(l.Subject, l.Most, now)
		} else {
			d.replica.InquireRate(l.Subject, l.Most, now)
		}
	}
	statement := d.made + 1
	d.nudge(now)
	d.mu.Unlock()
	d.await(ctx, statement, nil)
}
