package escrow

import (
	"math"
	"time"
)

// The laws of rates. A limit a minute is one bucket in the database, by the database's clock. A replica checks out units that requests wait for, and some to
// keep. The former are of use for a tenth of a second, by its own clock and from before it asked; then those that are more than it may keep are given back.
// So in any minute, at most limit + burst + one second's worth are admitted: what is checked out and not used is at most one second's worth. Units given back are a
// difference, unlike all else, and are said in one statement only: if that is given up they are lost, until time has filled the bucket. What time has brought back
// by itself is not given back.

// Subject is what is limited, and how: a key's requests a minute, a team's requests at once. It is as the store spells it.
type Subject string

// RateLine is what a statement says of a limit a minute.
type RateLine struct {
	Subject Subject
	Limit   int64         // units a minute, all of which may be taken at once
	Back    int64         // units that were not used
	Since   time.Duration // as it was answered when they were checked out
	Debt    int64         // units that were used without being checked out
	Need    int64         // what waiting requests lack
	Least   int64         // what the smallest of them lacks: it is no use to give less
	Spare   int64         // what is to be kept besides
}

// RateGrant answers a RateLine.
type RateGrant struct {
	Subject Subject
	Given   int64         // at least what the smallest request needs, or nothing
	Wait    time.Duration // until that is there, if nothing was given
	Full    time.Duration // until all units are there
	Since   time.Duration // until when all were there, the last time, by the database's clock
}

// Charge is what a request took of a limit a minute.
type Charge struct {
	Subject Subject
	Units   int64
	limit   int64
	full    time.Duration // when time has brought them back
	since   time.Duration // the Since of their answer, 0 if that is not known
	unit    time.Duration
	alone   bool // taken while the database did not answer
}

const (
	lotFor    = 100 * time.Millisecond // how long units may be used that are not kept: requests wait for less
	lotReturn = 500 * time.Millisecond // how long units to be given back wait for other lines
	goodPart  = 16                     // so great a part of a limit goes back at once when a request did not use it
)

// rates are a replica's units.
type rates struct {
	contact  contact
	of       map[Subject]*rate
	lots     []lot     // in the order in which they end
	dirty    []Subject // with something to state
	at       time.Duration
	sent     []sentRate
	draining bool

	short      []Subject     // of which more is to be kept, and some that were stated since
	lacking    int           // how many of them are not
	shortSince time.Duration // when the first of them was
	shortAt    time.Duration // when to ask for more
}

// lot is what was checked out at once.
type lot struct {
	subject Subject
	until   time.Duration
}

type sentRate struct {
	subject     Subject
	limit       int64
	debt        int64
	need, spare int64
	at          time.Duration
}

// answered drops what comes before a subject of what was stated, and returns that, nil if it was not stated. Answers are in the order of the lines.
func answered(sent *[]sentRate, subject Subject) *sentRate {
	for len(*sent) > 0 && (*sent)[0].subject != subject {
		*sent = (*sent)[1:]
	}
	if len(*sent) == 0 {
		return nil
	}
	return &(*sent)[0]
}

// rate is one limit.
type rate struct {
	limit      int64
	units      int64
	until      time.Duration // until when all of them may be used, and not only what may be kept
	contact    time.Duration // when the contact began in which they were checked out
	full       time.Duration // when the bucket is full, if no request takes more: not later than this
	surely     time.Duration // the same, and not earlier
	back, debt int64
	since      time.Duration // the Since of the latest answer
	stale      int64         // of the units, those that were checked out before that and are more than may be kept
	said       int64         // the debt that the latest statement says, until it is answered
	spent      int64         // of what was kept, since the latest statement
	need       int64         // the sum of what waiting requests lack
	least      int64         // the smallest of them
	promised   int64         // of the units, what was given for requests that have not taken it yet
	stated     bool          // it is among those that are dirty
	short      bool          // it is among those that are short
	expected   bool          // a request is about to come
	awaited    bool          // the latest statement names it, and is not answered
	quiet      time.Duration
	ahead      time.Duration // when to ask for more to keep again
	demand     demand
	alone      alone
}

// JudgeRate says whether there are units of a limit a minute for a request, or all of it if these are fewer. Only TakeRate takes them. For Short it
// says how long it takes until they are there, if no other request comes.
func (r *Replica) JudgeRate(subject Subject, limit, units int64, now time.Duration) (Verdict, time.Duration) {
	if r.gone {
		return Gone, 0
	}
	t := r.rates.rate(subject, limit)
	r.rates.expire(now)
	r.rates.trim(subject, t, now)
	units = min(units, limit)
	if units <= t.units {
		return Fits, 0
	}
	if wait := t.wait(units, now); wait > 0 && now < t.quiet {
		return Short, wait
	}
	if r.draining {
		return Short, Quiet
	}
	return Ask, 0
}

// TakeRate takes what JudgeRate said to be there.
func (r *Replica) TakeRate(subject Subject, limit, units int64, now time.Duration) Charge {
	t := r.rates.rate(subject, limit)
	units = min(units, limit)
	given, unit := min(units, t.promised), unitOf(limit)
	t.units -= units
	t.promised -= given
	t.spent += units - given
	t.demand.add(units, now)
	r.rates.refill(subject, t, now)
	c := Charge{Subject: subject, Units: units, limit: limit, full: max(t.full, now) + worth(t.spent, unit), unit: unit}
	if t.stale == 0 {
		c.since = t.since
	}
	return c
}

// NeedRate says that a request waits for units.
func (r *Replica) NeedRate(subject Subject, limit, units int64, now time.Duration) {
	t := r.rates.rate(subject, limit)
	units = min(units, limit)
	if t.need == 0 || units < t.least {
		t.least = units
	}
	t.need += units
	t.demand.call = units
	r.rates.state(subject, t, Gather, now)
}

// ExpectRate has the next statement ask for units to keep, if the replica has none and may keep some.
func (r *Replica) ExpectRate(subject Subject, limit int64, now time.Duration) {
	t := r.rates.rate(subject, limit)
	if t.units == 0 && r.rates.goal(t, now) > 0 {
		t.expected = true
		r.rates.state(subject, t, refillIn, now)
	}
}

// InquireRate has the next statement name a limit, so that the answer says how it stands.
func (r *Replica) InquireRate(subject Subject, limit int64, now time.Duration) {
	r.rates.state(subject, r.rates.rate(subject, limit), Gather, now)
}

// RateLeft is what is left of a limit, as far as is known, and how long it takes until all is.
func (r *Replica) RateLeft(subject Subject, limit int64, now time.Duration) (left int64, reset time.Duration) {
	t := r.rates.rate(subject, limit)
	r.rates.expire(now)
	r.rates.trim(subject, t, now)
	unit := unitOf(limit)
	reset = max(t.owed(t.full, now), worth(t.spent, unit)) // as if what is kept were not besides
	return int64(max(worth(limit, unit)-reset, 0) / unit), reset
}

// SettleRate corrects what was taken to what was used. What time has brought back is not given back again.
func (r *Replica) SettleRate(c Charge, used int64, now time.Duration) {
	t := r.rates.of[c.Subject]
	if t == nil { // it rested while the request ran
		t = r.rates.rate(c.Subject, c.limit)
	}
	switch {
	case used == c.Units:
	case c.alone && t.alone.full > now:
		t.alone.settle(&c, used, now)
	case used > c.Units:
		r.rates.owe(c.Subject, t, used-c.Units, now)
	case c.limit == t.limit:
		r.rates.restore(&c, t, min(c.Units-used, int64(max(c.full-now, 0)/c.unit)), now)
	}
}

// owe takes units that a request used beyond what it was charged from those that are here. The rest is stated.
func (t *rates) owe(subject Subject, of *rate, units int64, now time.Duration) {
	t.trim(subject, of, now)
	here := min(units, of.units)
	of.units, of.spent = of.units-here, of.spent+here
	if units > here {
		of.debt = min(of.debt, largest-units) + units - here
		t.state(subject, of, lotReturn, now)
		return
	}
	t.refill(subject, of, now)
}

// restore takes units that a request did not use: those that may be kept are, and the others are given back, unless all units were there since.
func (t *rates) restore(c *Charge, of *rate, units int64, now time.Duration) {
	t.trim(c.Subject, of, now)
	keeps := max(min(units, t.share(of.limit, now)-of.units), 0)
	of.units, of.spent = of.units+keeps, max(of.spent-keeps, 0)
	if units -= keeps; units == 0 || c.since != of.since {
		return
	}
	of.back += units
	if units > of.limit/goodPart && of.limit > goodPart {
		t.state(c.Subject, of, Gather, now)
	} else {
		t.state(c.Subject, of, lotReturn, now)
	}
}

// owed is how long it takes until all units are there, with those that the replica has, if the database's are back at a time.
func (t *rate) owed(full, now time.Duration) time.Duration {
	unit := unitOf(t.limit)
	return max(full-now, 0) - worth(t.units+t.back, unit) + worth(t.debt+t.said, unit)
}

// wait is how long it takes until so many units are there, as far as is known.
func (t *rate) wait(units int64, now time.Duration) time.Duration {
	unit := unitOf(t.limit)
	return worth(units, unit) + max(t.owed(t.surely, now), 0) - worth(t.limit, unit)
}

func (t *rates) rate(subject Subject, limit int64) *rate {
	of := t.of[subject]
	if of == nil {
		if t.of == nil {
			t.of = map[Subject]*rate{}
		}
		of = &rate{}
		t.of[subject] = of
	}
	if of.limit != limit { // units of another limit are not worth the same
		of.units, of.back, of.promised, of.spent, of.stale = 0, 0, 0, 0, 0
	}
	of.limit = limit
	return of
}

// expire has units be given back that were not used in time.
func (t *rates) expire(now time.Duration) {
	for len(t.lots) > 0 && t.lots[0].until <= now {
		if of := t.of[t.lots[0].subject]; of != nil {
			t.trim(t.lots[0].subject, of, now)
		}
		t.lots = t.lots[1:]
	}
}

// state has something be stated within some time.
func (t *rates) state(subject Subject, of *rate, within, now time.Duration) {
	if len(t.dirty) == 0 {
		t.at = now + within
	}
	t.at = min(t.at, now+within)
	if !of.stated {
		of.stated = true
		t.dirty = append(t.dirty, subject)
	}
}

// due is when a statement has to be made for the rates.
func (t *rates) due(now time.Duration) (at time.Duration, ok bool) {
	t.expire(now)
	at = never
	if len(t.dirty) > 0 {
		at = t.at
	}
	if t.lacking > 0 {
		at = min(at, t.shortAt)
	}
	if len(t.lots) > 0 {
		at = min(at, t.lots[0].until+GatherMany)
	}
	return at, at < never
}

const never = time.Duration(math.MaxInt64)

// lines states what is dirty, and what is short if it is time.
func (t *rates) lines(now time.Duration) (lines []RateLine) {
	t.expire(now)
	t.sent = t.sent[:0]
	for _, subject := range t.dirty {
		lines = append(lines, t.line(subject, now))
	}
	t.dirty = t.dirty[:0]
	if t.lacking > 0 && now < t.shortAt && now < t.shortSince+refilled {
		return lines
	}
	looked := min(len(t.short), refills)
	for _, subject := range t.short[:looked] {
		if of := t.of[subject]; of != nil && of.short {
			lines = append(lines, t.line(subject, now))
		}
	}
	t.short = t.short[:copy(t.short, t.short[looked:])]
	t.shortSince, t.shortAt = now, now+GatherMany // of those that are left
	return lines
}

// line states one limit.
func (t *rates) line(subject Subject, now time.Duration) RateLine {
	of := t.of[subject]
	t.trim(subject, of, now)
	free := max(of.units-of.promised, 0)
	l := RateLine{
		Subject: subject, Limit: of.limit, Debt: of.debt + of.alone.state(now),
		Back: min(of.back, int64(max(of.full-now, 0)/unitOf(of.limit))), Since: of.since,
		Need: max(min(of.need, of.limit)-free, 0), Least: max(of.least-free, 0),
	}
	if of.need > 0 || of.short || of.expected {
		l.Spare = max(t.goal(of, now)-max(free-of.need, 0), 0)
	}
	if of.short {
		t.lacking--
	}
	t.sent = append(t.sent, sentRate{subject, of.limit, of.debt, l.Need, l.Spare, now})
	of.said, of.stated, of.short, of.expected, of.awaited = of.debt, false, false, false, true
	of.back, of.debt, of.spent, of.need, of.least = 0, 0, 0, 0, 0
	return l
}

// giveUp states again what was used. If it was booked, too, callers wait longer than they must.
func (t *rates) giveUp(now time.Duration) {
	for _, s := range t.sent {
		of := t.of[s.subject]
		if of == nil {
			continue
		}
		if of.awaited = false; s.debt > 0 || of.alone.full > now {
			of.debt += s.debt
			of.said = 0
			t.state(s.subject, of, lotReturn, now)
		}
	}
	t.sent = t.sent[:0]
}

// learn takes what was given. It is called once for an answer.
func (t *rates) learn(grants []RateGrant, now time.Duration) {
	t.expire(now)
	for _, s := range t.sent {
		if of := t.of[s.subject]; of != nil {
			of.awaited = false
		}
	}
	stated := t.sent
	for i := range grants {
		g := &grants[i]
		of, sent := t.of[g.Subject], answered(&stated, g.Subject)
		if of == nil || sent == nil {
			continue
		}
		of.full, of.surely, of.said = sent.at+g.Full, now+g.Full, 0
		if g.Since != of.since { // what is here is there, too
			of.since, of.back, of.stale = g.Since, 0, max(of.units-t.share(of.limit, now), 0)
		}
		if of.debt += of.alone.over(); of.debt > 0 {
			t.state(g.Subject, of, lotReturn, now)
		}
		if g.Given > 0 && of.limit == sent.limit {
			t.take(g, of, sent, now)
		}
		if g.Given < sent.need {
			of.quiet = now + Quiet
		}
		if g.Given < sent.need+sent.spare {
			of.ahead = now + AskAfresh
		}
	}
	t.sent = t.sent[:0]
}

// take adds the units of a grant to those that the replica has. Some of these may be for requests that have not taken them yet.
func (t *rates) take(g *RateGrant, of *rate, sent *sentRate, now time.Duration) {
	if of.until < now+lotFor/2 {
		of.until = 0 // no request waits for so long
		t.trim(g.Subject, of, now)
		of.until = sent.at + lotFor
		t.lots = append(t.lots, lot{g.Subject, of.until})
	}
	of.units, of.promised = of.units+g.Given, of.promised+min(g.Given, sent.need)
}

// drain has all units be given back, and all be stated that the database does not know of.
func (t *rates) drain(now time.Duration) {
	t.draining = true
	for subject, of := range t.of {
		of.until = 0
		if t.trim(subject, of, now); of.back > 0 || of.stated {
			t.state(subject, of, Gather, now)
		}
	}
}

// empty reports whether the database has all units back that no request used, and knows what was used beyond them.
func (t *rates) empty() bool {
	for _, of := range t.of {
		if of.units > 0 || of.stated {
			return false
		}
	}
	return true
}

// tidied is how many limits are looked at each second at least, whether they rest.
const tidied = 100

// tidy forgets limits that are as good as new, and what is kept of those that rest.
func (t *rates) tidy(now time.Duration) {
	looked := 0
	for subject, of := range t.of { // which begins at a random one
		if looked++; looked > tidied+len(t.of)/256 {
			return
		}
		if of.rests(now) {
			delete(t.of, subject)
		}
	}
}

// rests reports whether nothing has to be remembered.
func (t *rate) rests(now time.Duration) bool {
	switch {
	case t.stated || t.short || t.awaited || t.back > 0 || t.debt > 0 || t.need > 0:
		return false
	case t.units > 0 && t.demand.last+Idle > now:
		return false
	}
	return max(t.full, t.until, t.quiet, t.alone.full) <= now
}
