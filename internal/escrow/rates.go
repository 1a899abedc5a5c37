package escrow

import "time"

// The laws of rates. A limit a minute is one bucket in the database, by the database's clock. A replica checks out units for one second, by its
// own clock and from before it asked, and gives back those that it did not use. So in any minute, at most limit + burst + one second's worth are
// admitted: what is checked out and not used is at most one second's worth. Units given back are a difference, unlike all else, and are said in
// one statement only: if that is given up they are lost, until time has filled the bucket.

// Subject is what is limited, and how: a key's requests a minute, a team's requests at once. It is as the store spells it.
type Subject string

// RateLine is what a statement says of a limit a minute.
type RateLine struct {
	Subject Subject
	Limit   int64 // units a minute, all of which may be taken at once
	Back    int64 // units that were not used
	Debt    int64 // units that were used without being checked out
	Need    int64 // what waiting requests lack
	Least   int64 // what the smallest of them lacks: it is no use to give less
	Spare   int64 // what the last second took
}

// RateGrant answers a RateLine.
type RateGrant struct {
	Subject Subject
	Given   int64         // at least what the smallest request needs, or nothing
	Wait    time.Duration // until that is there, if nothing was given
	Full    time.Duration // until all units are there
}

// Charge is what a request took of a limit a minute.
type Charge struct {
	Subject Subject
	Units   int64
	limit   int64
	full    time.Duration // when time has brought them back
	unit    time.Duration
	alone   bool // taken while the database did not answer
}

const (
	lotFor    = time.Second            // how long units may be used
	lotReturn = 500 * time.Millisecond // how long units to be given back wait for other lines
	goodPart  = 16                     // so great a part of a limit goes back at once when a request did not use it
)

// rates are a replica's units.
type rates struct {
	of    map[Subject]*rate
	lots  []lot     // in the order in which they end
	dirty []Subject // with something to state
	since time.Duration
	quick bool // a request waits
	sent  []sentRate
}

// lot is what was checked out at once.
type lot struct {
	subject Subject
	until   time.Duration
}

type sentRate struct {
	subject Subject
	debt    int64
	need    int64
	at      time.Duration
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
	until      time.Duration // when they are to be given back
	full       time.Duration // when the bucket is full, if no request takes more: not later than this
	surely     time.Duration // the same, and not earlier
	back, debt int64
	said       int64 // the debt that the latest statement says, until it is answered
	need       int64 // the sum of what waiting requests lack
	least      int64 // the smallest of them
	promised   int64 // of the units, what was given for requests that have not taken it yet
	stated     bool  // it is among those that are dirty
	quiet      time.Duration
	second     time.Duration // the one that taken is of
	taken, old int64
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
	t.units -= units
	t.promised = max(t.promised-units, 0)
	t.turn(now)
	t.taken += units
	return Charge{Subject: subject, Units: units, limit: limit, full: t.full, unit: unitOf(limit)}
}

// NeedRate says that a request waits for units.
func (r *Replica) NeedRate(subject Subject, limit, units int64, now time.Duration) {
	t := r.rates.rate(subject, limit)
	units = min(units, limit)
	if t.need == 0 || units < t.least {
		t.least = units
	}
	t.need += units
	r.rates.state(subject, t, true, now)
}

// InquireRate has the next statement name a limit, so that the answer says how it stands.
func (r *Replica) InquireRate(subject Subject, limit int64, now time.Duration) {
	r.rates.state(subject, r.rates.rate(subject, limit), true, now)
}

// RateLeft is what is left of a limit, as far as is known, and how long it takes until all is.
func (r *Replica) RateLeft(subject Subject, limit int64, now time.Duration) (left int64, reset time.Duration) {
	t := r.rates.rate(subject, limit)
	r.rates.expire(now)
	reset = max(t.owed(t.full, now), 0)
	return int64(max(worth(limit, unitOf(limit))-reset, 0) / unitOf(limit)), reset
}

// SettleRate corrects what was taken to what was used. What time has brought back is not given back again.
func (r *Replica) SettleRate(c Charge, used int64, now time.Duration) {
	t := r.rates.of[c.Subject]
	if t == nil { // it rested while the request ran
		t = r.rates.rate(c.Subject, c.limit)
	}
	switch {
	case used == c.Units:
		return
	case c.alone && t.alone.full > now:
		t.alone.settle(&c, used, now)
		return
	case used < c.Units:
		back := min(c.Units-used, int64(max(c.full-now, 0)/c.unit))
		t.back += back
		r.rates.state(c.Subject, t, back > t.limit/goodPart && t.limit > goodPart, now)
		return
	}
	here := min(used-c.Units, t.units)
	t.units -= here
	t.debt = min(t.debt, largest-used) + used - c.Units - here
	r.rates.state(c.Subject, t, false, now)
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
	of.limit = limit
	return of
}

// turn begins to count from 0 with each second.
func (t *rate) turn(now time.Duration) {
	second := now.Truncate(time.Second)
	switch second - t.second {
	case 0:
	case time.Second:
		t.old, t.taken = t.taken, 0
	default:
		t.old, t.taken = 0, 0
	}
	t.second = second
}

// expire has units be given back that were not used in time.
func (t *rates) expire(now time.Duration) {
	for len(t.lots) > 0 && t.lots[0].until <= now {
		of := t.of[t.lots[0].subject]
		if of != nil && of.units > 0 && of.until <= now {
			of.back, of.units, of.promised = of.back+of.units, 0, 0
			t.state(t.lots[0].subject, of, false, now)
		}
		t.lots = t.lots[1:]
	}
}

func (t *rates) state(subject Subject, of *rate, quick bool, now time.Duration) {
	if len(t.dirty) == 0 {
		t.since, t.quick = now, false
	}
	if quick && !t.quick {
		t.since, t.quick = now, true
	}
	if !of.stated {
		of.stated = true
		t.dirty = append(t.dirty, subject)
	}
}

// due is when a statement has to be made for the rates.
func (t *rates) due(now time.Duration) (at time.Duration, ok bool) {
	t.expire(now)
	switch {
	case len(t.dirty) > 0 && t.quick:
		return t.since + Gather, true
	case len(t.dirty) > 0:
		return t.since + lotReturn, true
	case len(t.lots) > 0:
		return t.lots[0].until + lotReturn, true
	}
	return 0, false
}

// lines states what is dirty. What a replica still has is given back with it, but for what requests that waited are about to take.
func (t *rates) lines(now time.Duration) (lines []RateLine) {
	t.expire(now)
	t.sent = t.sent[:0]
	for _, subject := range t.dirty {
		of := t.of[subject]
		of.stated = false
		if of.turn(now); of.need > 0 {
			keeps := min(of.units, of.promised)
			of.back, of.units = of.back+of.units-keeps, keeps
		}
		l := RateLine{
			Subject: subject, Limit: of.limit, Back: of.back, Debt: of.debt + of.alone.state(now),
			Need: min(of.need, of.limit), Least: of.least, Spare: max(of.old, of.taken),
		}
		lines = append(lines, l)
		t.sent = append(t.sent, sentRate{subject, of.debt, l.Need, now})
		of.said = of.debt
		of.back, of.debt, of.need, of.least = 0, 0, 0, 0
	}
	t.dirty = t.dirty[:0]
	return lines
}

// giveUp states again what was used. If it was booked, too, callers wait longer than they must.
func (t *rates) giveUp(now time.Duration) {
	for _, s := range t.sent {
		if of := t.of[s.subject]; of != nil && (s.debt > 0 || of.alone.full > now) {
			of.debt += s.debt
			of.said = 0
			t.state(s.subject, of, false, now)
		}
	}
	t.sent = t.sent[:0]
}

// learn takes what was given. It is called once for an answer.
func (t *rates) learn(grants []RateGrant, now time.Duration) {
	t.expire(now)
	stated := t.sent
	for i := range grants {
		g := &grants[i]
		of, sent := t.of[g.Subject], answered(&stated, g.Subject)
		if of == nil || sent == nil {
			continue
		}
		of.full, of.surely, of.said = sent.at+g.Full, now+g.Full, 0
		if of.debt += of.alone.over(); of.debt > 0 {
			t.state(g.Subject, of, false, now)
		}
		if g.Given > 0 {
			if of.units == 0 { // else all end with those that were here before
				of.until, of.promised = sent.at+lotFor, 0
				t.lots = append(t.lots, lot{g.Subject, of.until})
			}
			of.units, of.promised = of.units+g.Given, of.promised+min(g.Given, sent.need)
		}
		if g.Given < sent.need {
			of.quiet = now + Quiet
		}
	}
	t.sent = t.sent[:0]
}

// drain has all units be given back, and all be stated that the database does not know of.
func (t *rates) drain(now time.Duration) {
	for subject, of := range t.of {
		if of.back, of.units, of.promised = of.back+of.units, 0, 0; of.back > 0 || of.stated {
			t.state(subject, of, true, now)
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

// tidied is how many limits are looked at each second, whether they rest.
const tidied = 100

// tidy forgets limits that are as good as new.
func (t *rates) tidy(now time.Duration) {
	looked := 0
	for subject, of := range t.of { // which begins at a random one
		if looked++; looked > tidied {
			return
		}
		if of.units == 0 && of.back == 0 && of.debt == 0 && of.need == 0 && !of.stated && of.full <= now && of.quiet <= now && of.alone.full <= now {
			delete(t.of, subject)
		}
	}
}
