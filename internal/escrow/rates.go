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
	Spare   int64 // what the last second took
}

// RateGrant answers a RateLine.
type RateGrant struct {
	Subject Subject
	Given   int64         // at least what is needed, or nothing
	Wait    time.Duration // until what is needed is there, if nothing was given
	Full    time.Duration // until all units are there
}

// Charge is what a request took of a limit a minute.
type Charge struct {
	Subject Subject
	Units   int64
	full    time.Duration // when time has brought them back
	unit    time.Duration
}

const (
	lotFor    = time.Second            // how long units may be used
	lotReturn = 500 * time.Millisecond // how long units to be given back wait for other lines
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

// rate is one limit.
type rate struct {
	limit      int64
	units      int64
	until      time.Duration // when they are to be given back
	full       time.Duration // when the bucket is full, if no request takes more
	back, debt int64
	need       int64
	stated     bool // it is among those that are dirty
	quiet      time.Duration
	second     time.Duration // the one that taken is of
	taken, old int64
}

// TakeRate takes units of a limit a minute, or all of it if these are fewer, if the replica has them. Otherwise it says what to do, and for Short how long
// it takes until they are there.
func (r *Replica) TakeRate(subject Subject, limit, units int64, now time.Duration) (Charge, Verdict, time.Duration) {
	if r.gone {
		return Charge{}, Gone, 0
	}
	t := r.rates.rate(subject, limit)
	r.rates.expire(now)
	units = min(units, limit)
	switch {
	case units <= t.units:
		t.units -= units
		t.note(units, now)
		return Charge{subject, units, t.full, unitOf(limit)}, Fits, 0
	case now < t.quiet:
		return Charge{}, Short, t.quiet - now
	case r.draining:
		return Charge{}, Short, Quiet
	}
	return Charge{}, Ask, 0
}

// NeedRate says that a request waits for units.
func (r *Replica) NeedRate(subject Subject, limit, units int64, now time.Duration) {
	t := r.rates.rate(subject, limit)
	t.need += min(units, limit)
	r.rates.state(subject, t, true, now)
}

// SettleRate corrects what was taken to what was used. What time has brought back is not given back again.
func (r *Replica) SettleRate(c Charge, used int64, now time.Duration) {
	t := r.rates.of[c.Subject]
	if t == nil || used == c.Units {
		return
	}
	if used < c.Units {
		t.back += min(c.Units-used, int64(max(c.full-now, 0)/c.unit))
	} else {
		here := min(used-c.Units, t.units)
		t.units -= here
		t.debt += used - c.Units - here
	}
	r.rates.state(c.Subject, t, false, now)
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

// note counts what a second took.
func (t *rate) note(units int64, now time.Duration) {
	second := now.Truncate(time.Second)
	switch second - t.second {
	case 0:
	case time.Second:
		t.old, t.taken = t.taken, 0
	default:
		t.old, t.taken = 0, 0
	}
	t.second = second
	t.taken += units
}

// expire has units be given back that were not used in time.
func (t *rates) expire(now time.Duration) {
	for len(t.lots) > 0 && t.lots[0].until <= now {
		of := t.of[t.lots[0].subject]
		if of != nil && of.units > 0 && of.until <= now {
			of.back, of.units = of.back+of.units, 0
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

// lines states what is dirty. What a replica still has is given back with it, so that what it is given ends at one time.
func (t *rates) lines(now time.Duration) (lines []RateLine) {
	t.expire(now)
	t.sent = t.sent[:0]
	for _, subject := range t.dirty {
		of := t.of[subject]
		of.stated = false
		if of.need > 0 {
			of.back, of.units = of.back+of.units, 0
		}
		lines = append(lines, RateLine{subject, of.limit, of.back, of.debt, min(of.need, of.limit), max(of.old, of.taken)})
		t.sent = append(t.sent, sentRate{subject, of.debt, of.need, now})
		of.back, of.debt, of.need = 0, 0, 0
	}
	t.dirty = t.dirty[:0]
	return lines
}

// giveUp states again what was used. If it was booked, too, callers wait longer than they must.
func (t *rates) giveUp(now time.Duration) {
	for _, s := range t.sent {
		if of := t.of[s.subject]; of != nil && s.debt > 0 {
			of.debt += s.debt
			t.state(s.subject, of, false, now)
		}
	}
	t.sent = t.sent[:0]
}

// learn takes what was given. It is called once for an answer.
func (t *rates) learn(grants []RateGrant, now time.Duration) {
	for i := range grants {
		g := &grants[i]
		of := t.of[g.Subject]
		if of == nil || i >= len(t.sent) {
			continue
		}
		asked := t.sent[i].at
		of.full = asked + g.Full
		switch {
		case g.Given > 0:
			of.units, of.until = of.units+g.Given, asked+lotFor
			t.lots = append(t.lots, lot{g.Subject, of.until})
		case t.sent[i].need > 0:
			of.quiet = now + g.Wait
		}
	}
	t.sent = t.sent[:0]
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
		if of.units == 0 && of.back == 0 && of.debt == 0 && of.need == 0 && !of.stated && of.full <= now && of.quiet <= now {
			delete(t.of, subject)
		}
	}
}
