package escrow

import (
	"math"
	"time"
)

// The law of what is kept. A replica may keep a few units of a limit a minute for as long as it likes, so that few requests wait for the database. In a minute that begins
// with all units in the database, what replicas keep beside is admitted, too. So all of them together keep at most three quarters of a second's worth; the last
// quarter is for units that are under way. A replica's part is an equal one, by how many are there as the database said last. These parts never come to more than a
// whole: the database counts a replica for ten seconds after it was heard, and one that has not heard the database for four loses what it keeps. One
// that begins, or was away, keeps nothing for six seconds: by then, each other has heard of it, or lost what it kept. That holds for one that sees no
// other, too: of several that begin at once, none may see the rest, since the database has not finished with these. What was lost is not given back: time fills the bucket.

const (
	keptPart = 80               // replicas keep an 80th of what a minute admits: three quarters of a second's worth
	keepFor  = 4 * time.Second  // by the replica's clock, from when it sent what was answered last
	keepFrom = 6 * time.Second  // the same from when it sent what was answered first
	heardIn  = 2 * time.Second  // a later answer proves nothing: the database may have counted without the replica before it executed what was sent
	refillIn = 10 * time.Second // after so long what is kept is filled up, at the latest
	refilled = time.Second      // after so long another statement takes that along
	refills  = 200              // limits in one statement, at most: others wait for their rows until it has ended
)

// mostKept is how much one of so many replicas may keep.
func mostKept(limit, replicas int64) int64 { return limit / (keptPart * replicas) }

// contact is how long the database has counted the replica among those that are there.
type contact struct {
	replicas int64         // that are there, as the database said last; 0 before it did
	since    time.Duration // when what was answered first was sent
	heard    time.Duration // the same of what was answered last
	back     time.Duration // the same of what was answered first after others may have had the replica's places
	there    time.Duration // since when the replica has been there, as the database said last
}

// hear notes that something is answered that was sent then. If the replica was not there in between, the database knows: the clock of a machine that is suspended
// may stand still.
func (c *contact) hear(sent, now time.Duration, replicas int64, there time.Duration) {
	if now >= sent+heardIn || sent < c.heard {
		return // it may have been answered before another replica came
	}
	gone := c.replicas == 0 || there != c.there
	if gone || sent >= c.heard+awayFor {
		c.back = sent
	}
	if gone || sent >= c.heard+keepFor {
		c.since = sent
	}
	c.replicas, c.heard, c.there = replicas, sent, there
}

// lost reports whether the database may count without the replica.
func (c *contact) lost(now time.Duration) bool { return c.replicas == 0 || now >= c.heard+keepFor }

// admits reports whether places may be used that were granted in the contact that began then.
func (c *contact) admits(began, now time.Duration) bool {
	return began == c.back && now < c.heard+admitFor
}

// share is how much of a limit the replica may keep.
func (c *contact) share(limit int64, now time.Duration) int64 {
	if c.lost(now) || now < c.since+keepFrom {
		return 0
	}
	return mostKept(limit, c.replicas)
}

// share is how much of a limit the replica may keep.
func (t *rates) share(limit int64, now time.Duration) int64 {
	if t.draining {
		return 0
	}
	return t.contact.share(limit, now)
}

// trim takes away what may not be kept: it is given back, unless contact was lost. What was checked out for requests that wait stays until their time is over.
func (t *rates) trim(subject Subject, of *rate, now time.Duration) {
	if now < of.until {
		return
	}
	of.promised = 0
	if of.contact != t.contact.since || t.contact.lost(now) {
		of.units, of.contact = 0, t.contact.since
	}
	if more := of.units - t.share(of.limit, now); more > 0 {
		of.units, of.back = of.units-more, of.back+max(more-of.stale, 0)
		t.state(subject, of, GatherMany, now)
	}
	of.stale = 0
}

// goal is how much it is good to keep: nothing of which the last request could not have been served.
func (t *rates) goal(of *rate, now time.Duration) int64 {
	if share := t.share(of.limit, now); of.demand.call <= share {
		return share
	}
	return 0
}

// refill has more be checked out, if less is kept than is good, before it is likely to be spent.
func (t *rates) refill(subject Subject, of *rate, now time.Duration) {
	if now < of.ahead || of.units >= t.goal(of, now) {
		return
	}
	at := now + of.lasts(now)
	if t.lacking == 0 {
		t.shortSince, t.shortAt = now, at
	}
	t.shortAt = min(t.shortAt, at)
	if !of.short {
		of.short = true
		t.lacking++
		t.short = append(t.short, subject)
	}
}

// lasts is how long what is kept will do, most probably, if requests come by chance as often as of late.
func (t *rate) lasts(now time.Duration) time.Duration {
	call := max(t.demand.call, 1)
	if t.units < call {
		return GatherMany
	}
	requests := float64(t.units) / float64(call)
	likely := max(requests/4, requests-1.25*math.Sqrt(requests)) // seldom do more come
	each := float64(demandSpan*time.Second) * float64(call) / float64(max(t.demand.sum(now), call))
	return min(max(time.Duration(likely*each), GatherMany), refillIn)
}
