// Package replica is this process among the replicas that share one database. Calls take what they need from its slices of budgets. One goroutine carries
// its statements to the database, and the answers back. What is stated, and what an answer is worth, is the business of internal/escrow.
package replica

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// Options say which replica it is.
type Options struct {
	Database escrow.Database
	ID       string        // the data folder's, the same after each start
	Epoch    escrow.Epoch  // of this start
	Kept     []escrow.Kept // what calls of earlier starts took
	Log      *slog.Logger

	// LostAfter is how long a replica may not be seen before the others take what it has of budgets that are not strict; 0 is for ever.
	LostAfter time.Duration

	// Waited gets how long a call or a request waited for answers of the database. It may be nil.
	Waited func(time.Duration)
}

const (
	waitFor      = 25 * time.Millisecond  // how long a call waits for an answer
	answerWithin = 2 * time.Second        // after so long a statement is given up
	reclaimEach  = 10 * time.Second       // what lost replicas have, as long as it is lacked
	askEach      = time.Second            // what is new
	askApart     = 100 * time.Millisecond // the same if others say that something is, at the most
	restFor      = 250 * time.Millisecond
	again        = 3 // how often a statement is made again that the database undoes
)

// Desk is where calls hold what they need. It is safe for concurrent use.
type Desk struct {
	db      escrow.Database
	log     *slog.Logger
	began   time.Time
	wake    chan struct{} // has room for one
	heardOf chan struct{} // has room for one: asks soon
	early   chan struct{} // has room for one: asks before the second is over

	mu       sync.Mutex // guards what follows
	replica  *escrow.Replica
	made     int64         // the number of the latest statement
	heard    int64         // the number up to which statements were answered or given up
	news     chan struct{} // closed when heard grows
	sleeps   time.Duration // until when the next statement is not looked for
	rest     time.Duration // until when none is sent, after one that failed
	undone   int           // how often in a row
	down     bool          // the database does not answer, so that no call waits for it
	waiting  map[*waiting]struct{}
	answered uint64 // counts answers
	stats    Stats

	waited    func(time.Duration)
	lostAfter time.Duration
	lacked    map[escrow.Name]bool // budgets that are not strict and had no room
	reclaimed time.Duration        // when it was last tried to reclaim some of them
	failing   bool                 // it was said that it does not
	gone      bool                 // it was said that another process has the name
}

// Open begins the epoch: it states what the replica keeps, and waits for the answer. The caller knows that no other process runs on the
// data folder, so an epoch that the database has heard of is that of a clock which was ahead.
func Open(ctx context.Context, o Options) (*Desk, error) {
	d := &Desk{
		db: o.Database, log: o.Log, began: time.Now(), wake: make(chan struct{}, 1), early: make(chan struct{}, 1), heardOf: make(chan struct{}, 1), news: make(chan struct{}), waiting: map[*waiting]struct{}{},
		lostAfter: o.LostAfter, waited: o.Waited, lacked: map[escrow.Name]bool{}, reclaimed: -reclaimEach,
	}
	if d.waited == nil {
		d.waited = func(time.Duration) {}
	}
	d.replica = escrow.New(o.ID, o.Epoch, o.Kept)
	var failed error
	for range 1 + again {
		s := d.replica.State(d.now())
		a, err := o.Database.Exchange(ctx, s)
		switch {
		case errors.Is(err, escrow.ErrUndone):
			failed = err
		case err != nil:
			return nil, err
		case a.Outcome == escrow.Superseded:
			failed = errGone
			o.Epoch.Began = a.Last.Began + 1
			d.replica = escrow.New(o.ID, o.Epoch, o.Kept)
		default:
			d.replica.Learn(a, d.now())
			d.made, d.heard = s.Number, s.Number
			return d, nil
		}
	}
	return nil, failed
}

var errGone = errors.New("another Weir shares the database under this one's name: give each replica a data folder of its own, and copy none")

// Epoch is that of this process.
func (d *Desk) Epoch() escrow.Epoch { return d.replica.Question().Epoch }

// now is the time since the start by the steady clock.
func (d *Desk) now() time.Duration { return time.Since(d.began) }

// Want is what a call needs of one budget.
type Want struct {
	Name    escrow.Name
	Limit   int64
	Version int64 // of the change that set the limit
	Need    int64
	Strict  bool // no call may exceed what is left
}

// Hold has a call hold what it needs of all of its budgets, or of none. If the database has to be asked, it waits for the answer, but for a short time in all, and
// not at all while the database does not answer. It returns the verdict that lasts longest, and which budget's it is. Ask says that there
// was no answer.
func (d *Desk) Hold(ctx context.Context, wants []Want) (verdict escrow.Verdict, of int) {
	defer func() { d.count(verdict) }()
	verdict, of, statement := d.try(wants)
	if verdict != escrow.Ask || statement == 0 {
		return verdict, of
	}
	begun := d.now()
	defer func() { d.waited(d.now() - begun) }()
	timer := time.NewTimer(waitFor)
	defer timer.Stop()
	for verdict == escrow.Ask && statement != 0 {
		if !d.await(ctx, statement, timer.C) {
			return verdict, of
		}
		verdict, of, statement = d.try(wants)
	}
	return verdict, of
}

// count counts a hold that was refused.
func (d *Desk) count(verdict escrow.Verdict) {
	if verdict != escrow.Fits {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.stats.Refused++
	}
}

// try takes what is needed, or asks for it. statement is the number of the one whose answer may help, 0 if none is to be waited for.
func (d *Desk) try(wants []Want) (verdict escrow.Verdict, of int, statement int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for i := range wants {
		w := &wants[i]
		d.replica.Set(w.Name, w.Limit, w.Version)
		if v := d.replica.Judge(w.Name, w.Need, w.Strict, now); v > verdict {
			verdict, of = v, i
		}
	}
	switch verdict {
	case escrow.Fits:
		for i := range wants {
			d.replica.Take(wants[i].Name, wants[i].Need, now)
		}
	case escrow.Ask:
		for i := range wants {
			if w := &wants[i]; d.replica.Judge(w.Name, w.Need, w.Strict, now) == escrow.Ask {
				d.replica.Need(w.Name, w.Need, !w.Strict, now)
			}
		}
		if !d.down {
			statement = d.made + 1
		}
	case escrow.Short:
		d.lack(wants, now)
		return verdict, of, 0
	case escrow.UsedUp:
		d.replica.Doubt(wants[of].Name, now)
	case escrow.Gone:
		return verdict, of, 0
	}
	d.nudge(now)
	return verdict, of, statement
}

// Exceed has a call hold what it needs beyond what the replica holds, for when Hold got no answer. It returns false if a budget is strict, or known to
// have no room.
func (d *Desk) Exceed(wants []Want) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for i := range wants {
		w := &wants[i]
		switch d.replica.Judge(w.Name, w.Need, w.Strict, now) {
		case escrow.Fits:
		case escrow.Ask:
			if w.Strict {
				return false
			}
		case escrow.Short, escrow.UsedUp, escrow.Gone:
			return false
		}
	}
	for i := range wants {
		d.replica.Take(wants[i].Name, wants[i].Need, now)
	}
	d.nudge(now)
	return true
}

// await waits until a statement was answered or given up, and returns false if that takes too long. Then no call waits before the database
// answers.
func (d *Desk) await(ctx context.Context, statement int64, over <-chan time.Time) bool {
	for {
		d.mu.Lock()
		heard, news := d.heard, d.news
		d.mu.Unlock()
		if heard >= statement {
			return true
		}
		select {
		case <-news:
		case <-ctx.Done():
			return false
		case <-over:
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.heard < statement {
				d.silent()
			}
			return false
		}
	}
}

// Learn waits until the database has said how budgets stand, or has not answered. A call is about to need some of them, so that slices are asked for at once.
func (d *Desk) Learn(ctx context.Context, wants []Want) {
	d.mu.Lock()
	now := d.now()
	for i := range wants {
		d.replica.Set(wants[i].Name, wants[i].Limit, wants[i].Version)
		d.replica.Expect(wants[i].Name, now)
	}
	d.nudge(now)
	statement := d.made + 1
	d.mu.Unlock()
	d.await(ctx, statement, nil)
	d.waited(d.now() - now)
}

// Take has a call that runs hold more, whether there is room or not.
func (d *Desk) Take(name escrow.Name, more int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.replica.Take(name, more, d.now())
	d.nudge(d.now())
}

// Settle turns what a call held into what it took, also if that is more.
func (d *Desk) Settle(name escrow.Name, held, took int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.replica.Settle(name, held, took, d.now())
	d.nudge(d.now())
}

// End says that the period of a budget is over. Calls that began in it may still run.
func (d *Desk) End(name escrow.Name) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.replica.End(name, d.now())
	d.nudge(d.now())
}

// Used is what all replicas used of a budget, as far as this one knows, and Free what it may give out without asking.
func (d *Desk) Used(name escrow.Name) (used, free int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.replica.Used(name), d.replica.Free(name)
}

// Replicas is how many share the database, as it said last.
func (d *Desk) Replicas() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.replica.Replicas()
}

// nudge wakes the one who makes statements, if one is due sooner than it knows. The lock is held.
func (d *Desk) nudge(now time.Duration) {
	if at, ok := d.due(now); ok && at < d.sleeps {
		d.sleeps = at
		select {
		case d.wake <- struct{}{}:
		default: // it is awake
		}
	}
}

// due is when the next statement is to be sent.
func (d *Desk) due(now time.Duration) (at time.Duration, ok bool) {
	at, ok = d.replica.Due(now)
	return max(at, d.rest), ok
}

// never is later than any process lives.
const never = time.Duration(math.MaxInt64)
