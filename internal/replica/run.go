package replica

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// Run sends statements, one after the other, and asks each second what is new, until ctx ends.
func (d *Desk) Run(ctx context.Context) {
	var asking sync.WaitGroup
	defer asking.Wait()
	asking.Go(func() { d.askEachSecond(ctx) })
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		s, wait := d.next()
		if s != nil {
			d.send(ctx, s)
			continue
		}
		timer.Reset(wait)
		select {
		case <-timer.C:
		case <-d.wake:
		case <-ctx.Done():
		}
	}
}

// next is the statement that is due or, if none is, how long there is nothing to do.
func (d *Desk) next() (*escrow.Statement, time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	at, ok := d.due(now)
	switch {
	case !ok:
		d.sleeps = never
		return nil, never
	case at > now:
		d.sleeps = at
		return nil, at - now
	}
	s := d.replica.State(now)
	d.made = s.Number
	d.stats.Statements++
	return s, 0
}

// send sends a statement, and believes the answer.
func (d *Desk) send(ctx context.Context, s *escrow.Statement) {
	limited, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	a, err := d.db.Exchange(limited, s)
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := d.now(); err != nil {
		d.giveUp(err, now)
	} else {
		d.learn(a, now)
	}
	d.heard = s.Number
	d.announce()
}

// announce wakes those who wait for news. The lock is held.
func (d *Desk) announce() {
	close(d.news)
	d.news = make(chan struct{})
}

// giveUp gives the latest statement up. One that the database has undone is made again at once, as a new one. The lock is held.
func (d *Desk) giveUp(err error, now time.Duration) {
	d.replica.GiveUp(now)
	if d.undone++; errors.Is(err, escrow.ErrUndone) && d.undone <= again {
		d.stats.Undone++
		return
	}
	d.fail(err, now)
}

// fail notes that the database does not answer. The lock is held.
func (d *Desk) fail(err error, now time.Duration) {
	if !d.failing {
		d.log.Error("the database that replicas share does not answer: budgets have what this replica holds of them, and no more; limits a minute have its part", "reason", err.Error())
	}
	d.stats.Failed++
	d.undone, d.rest, d.failing = 0, now+restFor, true
	d.silent()
}

// learn believes an answer. The lock is held.
func (d *Desk) learn(a *escrow.Answer, now time.Duration) {
	d.replica.Learn(a, now)
	d.undone = 0
	if d.answers(); a.Outcome == escrow.Late {
		d.rest = now + restFor // what no number of ours brings about
	}
}

// answers notes that the database does, and says if it knows a later process. The lock is held.
func (d *Desk) answers() {
	if d.failing {
		d.log.Info("the database that replicas share answers again")
	}
	d.down, d.failing = false, false
	d.answered++
	d.stats.RoundTrips++
	if d.replica.Gone() && !d.gone {
		d.gone = true
		d.announce()
		d.log.Error("keys with budgets are refused from now on", "reason", errGone.Error())
	}
}

// Hasten has the database asked soon what is new, since something is said to be.
func (d *Desk) Hasten() {
	select {
	case d.heardOf <- struct{}{}:
	default: // it is about to be
	}
}

// askEachSecond asks the database what is new.
func (d *Desk) askEachSecond(ctx context.Context) {
	ticker := time.NewTicker(askEach)
	defer ticker.Stop()
	asked, later := time.Now(), time.NewTimer(never)
	defer later.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-d.early:
		case <-later.C:
		case <-d.heardOf:
			if left := askApart - time.Since(asked); left > 0 {
				later.Reset(left)
				continue
			}
		}
		asked = time.Now()
		d.ask(ctx)
	}
}

func (d *Desk) ask(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	d.mu.Lock()
	question, asked := d.replica.Question(), d.now()
	d.mu.Unlock()
	news, err := d.db.Poll(limited, question)
	for range again {
		if !errors.Is(err, escrow.ErrUndone) {
			break
		}
		news, err = d.db.Poll(limited, question)
	}
	if ctx.Err() != nil {
		return
	}
	if d.hear(news, err, asked) {
		d.reclaim(limited)
	}
}

// hear takes the answer to a question that was asked then, and reports whether there is one.
func (d *Desk) hear(news *escrow.News, err error, asked time.Duration) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	if err != nil {
		d.fail(err, now)
		return false
	}
	d.replica.Hear(news, asked, now)
	d.replica.Tidy(now)
	d.answers()
	d.nudge(now)
	return true
}

// Drain gives back what no call holds, and returns when the database has that, or ctx ends. Run has to run. From then on nothing
// is wanted of budgets.
func (d *Desk) Drain(ctx context.Context) error {
	d.mu.Lock()
	now := d.now()
	d.replica.Drain(now)
	d.nudge(now)
	d.mu.Unlock()
	for {
		d.mu.Lock()
		over, news := d.replica.Drained() || d.replica.Gone(), d.news
		d.mu.Unlock()
		if over {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
