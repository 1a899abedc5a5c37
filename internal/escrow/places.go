package escrow

import (
	"slices"
	"time"
)

// The laws of places, of which a limit of requests at once has so many. What a replica has, keeps and wants is stated absolutely, as with budgets. Unlike a slice
// of a budget, a place comes back by time: others have those of a replica that the database has not heard for ten seconds, whatever of. By its own clock, and from
// when it asked what was answered last, a replica lets no request in from the eighth second on. One that was away for as long, or that the database says was, has its
// places stated again before it uses them. Requests that run go on: so the limit is exceeded only by requests that run longer than ten seconds in a replica that cannot reach the database.

// PlaceLine is what a statement says of a limit of requests at once.
type PlaceLine struct {
	Subject Subject
	Limit   int64
	Running int64 // requests that run: a fact, whatever others have
	Keep    int64 // places that the replica wants to go on holding, at least Running
	Need    int64 // what waiting requests lack
}

// PlaceGrant answers a PlaceLine.
type PlaceGrant struct {
	Subject Subject
	Have    int64 // what the replica has from now on. It may be less than it wanted to keep, if that had come back by time
	Left    int64 // what no replica has; below 0 if the limit was lowered
}

const (
	admitFor    = 8 * time.Second // by the replica's clock
	awayFor     = 7 * time.Second // after so long its places may be others'
	placeIdle   = 30 * time.Second
	inStore     = 8 // a replica may keep a (8 × replicas)-th of the places without using them
	placeReturn = GatherMany
	placeAgain  = 4 * time.Millisecond   // a place may become free at another replica at any moment
	placeQuiet  = 100 * time.Millisecond // how long a replica does not ask again after a request has waited without success
)

// storeOf is how many places a replica may keep without using them. A limit smaller than eight times the replicas goes by single places.
func storeOf(limit, replicas int64) int64 { return limit / (inStore * replicas) }

// places are a replica's.
type places struct {
	of       map[Subject]*place
	lots     []lot     // in order: when requests that waited have taken what was given
	dirty    []Subject // with something to state
	since    time.Duration
	quick    bool
	sent     []sentRate
	draining bool
}

// place is one limit.
type place struct {
	limit   int64
	running int64
	have    int64
	left    int64         // what no replica has, by the database
	known   bool          // left is
	contact time.Duration // when the contact began in which it was granted
	last    time.Duration // when a request was let in last
	need    int64
	stated  bool
	awaited bool // the latest statement names it, and is not answered
	quiet   time.Duration
}

// JudgePlace says whether the replica has a place for a request. Only TakePlace takes it. For Short it says when to ask again.
func (r *Replica) JudgePlace(subject Subject, limit int64, now time.Duration) (Verdict, time.Duration) {
	if r.gone {
		return Gone, 0
	}
	p := r.places.place(subject, limit)
	switch {
	case p.running < min(p.have, limit) && r.rates.contact.admits(p.contact, now):
		return Fits, 0
	case now < p.quiet:
		return Short, p.quiet - now
	case r.draining:
		return Short, Quiet
	}
	return Ask, 0
}

// TakePlace takes a place, which JudgePlace said to be there.
func (r *Replica) TakePlace(subject Subject, limit int64, now time.Duration) {
	p := r.places.place(subject, limit)
	p.running++
	p.last = now
}

// NeedPlace says that a request waits for a place.
func (r *Replica) NeedPlace(subject Subject, limit int64, now time.Duration) {
	p := r.places.place(subject, limit)
	p.need++
	r.places.state(subject, p, true, now)
}

// LackPlace says that a request has waited for a place without success: for a while others do not.
func (r *Replica) LackPlace(subject Subject, limit int64, now time.Duration) {
	r.places.place(subject, limit).quiet = now + placeQuiet
}

// InquirePlaces has the next statement name a limit, so that the answer says how it stands.
func (r *Replica) InquirePlaces(subject Subject, limit int64, now time.Duration) {
	r.places.state(subject, r.places.place(subject, limit), true, now)
}

// PlacesLeft is how many places no request has, as far as is known. Those that other replicas keep without using them count as taken.
func (r *Replica) PlacesLeft(subject Subject, limit int64) int64 {
	p := r.places.place(subject, limit)
	if !p.known {
		return max(limit-p.running, 0)
	}
	return max(min(p.left+p.have, limit)-p.running, 0)
}

// LeavePlace gives a place back. One of few is given back at once, because other replicas may wait for it.
func (r *Replica) LeavePlace(subject Subject, now time.Duration) {
	p := r.places.of[subject]
	if p == nil {
		return
	}
	p.running--
	if p.tooMany(r.replicas) {
		r.places.state(subject, p, storeOf(p.limit, r.replicas) == 0, now)
	}
}

// tooMany reports whether it is worth a statement to give places back.
func (p *place) tooMany(replicas int64) bool { return p.have-p.running > 2*storeOf(p.limit, replicas) }

func (t *places) place(subject Subject, limit int64) *place {
	p := t.of[subject]
	if p == nil {
		if t.of == nil {
			t.of = map[Subject]*place{}
		}
		p = &place{}
		t.of[subject] = p
	}
	p.limit = limit
	return p
}

func (t *places) state(subject Subject, p *place, quick bool, now time.Duration) {
	if len(t.dirty) == 0 {
		t.since, t.quick = now, false
	}
	if quick && !t.quick {
		t.since, t.quick = now, true
	}
	if !p.stated {
		p.stated = true
		t.dirty = append(t.dirty, subject)
	}
}

// expire has places be given back that no request took in time and that are too many to be in store.
func (t *places) expire(replicas int64, now time.Duration) {
	for len(t.lots) > 0 && t.lots[0].until <= now {
		subject := t.lots[0].subject
		if p := t.of[subject]; p != nil && p.tooMany(replicas) {
			t.state(subject, p, false, now)
		}
		t.lots = t.lots[1:]
	}
}

func (t *places) due(replicas int64, now time.Duration) (at time.Duration, ok bool) {
	t.expire(replicas, now)
	switch {
	case len(t.dirty) > 0 && t.quick:
		return t.since + Gather, true
	case len(t.dirty) > 0:
		return t.since + placeReturn, true
	case len(t.lots) > 0:
		return t.lots[0].until + placeReturn, true
	}
	return 0, false
}

// lines states what is dirty: what is given back is not there any more.
func (t *places) lines(replicas int64, now time.Duration) (lines []PlaceLine) {
	t.sent = t.sent[:0]
	for _, subject := range t.dirty {
		p := t.of[subject]
		p.stated, p.awaited = false, true
		store := storeOf(p.limit, replicas)
		switch {
		case t.draining:
			store, p.need = 0, 0
		case p.last+placeIdle <= now:
			store = 0 // no request comes
		}
		p.have = max(min(p.have, p.running+store), p.running)
		lines = append(lines, PlaceLine{subject, p.limit, p.running, p.have, max(p.need-(p.have-p.running), 0)})
		t.sent = append(t.sent, sentRate{subject: subject, need: lines[len(lines)-1].Need, at: now})
		p.need = 0
	}
	t.dirty = t.dirty[:0]
	return lines
}

// giveUp states the places again.
func (t *places) giveUp(now time.Duration) {
	for _, s := range t.sent {
		if p := t.of[s.subject]; p != nil {
			p.awaited = false
			t.state(s.subject, p, false, now)
		}
	}
	t.sent = t.sent[:0]
}

func (t *places) learn(grants []PlaceGrant, contact, now time.Duration) {
	for _, s := range t.sent {
		if p := t.of[s.subject]; p != nil {
			p.awaited = false
		}
	}
	stated := t.sent
	for i := range grants {
		g := &grants[i]
		p, sent := t.of[g.Subject], answered(&stated, g.Subject)
		if p == nil || sent == nil {
			continue
		}
		if g.Have < p.have+sent.need {
			p.quiet = now + placeAgain
		}
		p.have, p.left, p.known, p.contact = g.Have, g.Left, true, contact
		if sent.need > 0 {
			t.lots = append(t.lots, lot{g.Subject, now + lotFor})
		}
	}
	t.sent = t.sent[:0]
}

// tidy gives places back that are in store without use, and forgets limits of which the replica has none.
func (t *places) tidy(now time.Duration) {
	looked := 0
	for subject, p := range t.of { // which begins at a random one
		if looked++; looked > tidied+len(t.of)/16 {
			return
		}
		switch {
		case p.have > p.running && p.last+placeIdle <= now:
			t.state(subject, p, false, now)
		case p.have == 0 && p.running == 0 && p.need == 0 && !p.stated && !p.awaited && p.quiet <= now:
			delete(t.of, subject)
		}
	}
}

func (t *places) drain(now time.Duration) {
	t.draining = true
	t.all(now)
}

// all has everything be stated.
func (t *places) all(now time.Duration) {
	for subject, p := range t.of {
		t.state(subject, p, false, now)
	}
}

// empty reports whether the database has all places back.
func (t *places) empty() bool {
	for _, p := range t.of {
		if p.have > 0 || p.running > 0 {
			return false
		}
	}
	return true
}

// limitsDue is when a statement has to be made for rates and places.
func (r *Replica) limitsDue(now time.Duration) (at time.Duration, ok bool) {
	at, ok = r.rates.due(now)
	if due, other := r.places.due(r.replicas, now); other && (!ok || due < at) {
		at, ok = due, true
	}
	return at, ok
}

func (r *Replica) stateLimits(st *Statement, now time.Duration) {
	if r.whole {
		r.places.all(now)
	}
	st.Rates, st.Places = r.rates.lines(now), r.places.lines(r.replicas, now)
}

func (r *Replica) learnLimits(a *Answer, now time.Duration) {
	contact := &r.rates.contact
	contact.hear(r.stated, now, r.replicas, a.There)
	r.rates.learn(a.Rates, now)
	began := contact.back
	if a.There != contact.there {
		began = -1 // it was granted in no contact that goes on
	}
	r.places.learn(a.Places, began, now)
}

// slot is the database's side of places: what a replica has of them, as long as it is there.
type slot struct {
	replica string
	n       int64
}

// leavePlaces frees those that a whole statement does not name: they are an earlier process's.
func (m *Memory) leavePlaces(s *Statement) {
	for subject, list := range m.slots {
		if !slices.ContainsFunc(s.Places, func(l PlaceLine) bool { return l.Subject == subject }) {
			m.slots[subject] = slices.DeleteFunc(list, func(of slot) bool { return of.replica == s.Replica })
		}
	}
}

// exchangePlaces makes the slot of a replica what it keeps and needs, as far as others leave it. Others leave what it keeps, unless it was
// away. If something is needed, what the replica may have in store is given with it.
func (m *Memory) exchangePlaces(s *Statement, a *Answer, now time.Duration) {
	for i := range s.Places {
		l := &s.Places[i]
		left := l.Limit
		others := slices.DeleteFunc(m.slots[l.Subject], func(of slot) bool { return of.replica == s.Replica })
		for _, of := range others {
			if m.there(of.replica, now) {
				left -= of.n
			}
		}
		have := l.Keep + l.Need
		if l.Need > 0 {
			have += storeOf(l.Limit, a.Replicas)
		}
		have = max(l.Running, min(have, left))
		if have > 0 {
			others = append(others, slot{s.Replica, have})
		}
		m.slots[l.Subject] = others
		a.Places = append(a.Places, PlaceGrant{l.Subject, have, left - have})
	}
}
