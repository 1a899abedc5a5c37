package escrow

import (
	"slices"
	"time"
)

// sent is what a statement said of a slice, as far as its answer has to be compared with it.
type sent struct {
	slice            *slice
	used, keep, need int64
	wants            bool
}

// Due is when the next statement is to be made; ok is false while there is nothing to state, or an answer is awaited.
func (r *Replica) Due(now time.Duration) (at time.Duration, ok bool) {
	switch {
	case r.gone || r.awaited:
		return 0, false
	case r.whole:
		return now, true
	}
	at, ok = r.limitsDue(now)
	if len(r.queue) > 0 {
		gather := GatherCalm
		switch {
		case r.draining || r.urgent && !r.many:
			gather = Gather
		case r.urgent:
			gather = GatherMany
		}
		if due := r.since + gather; !ok || due < at {
			at, ok = due, true
		}
	}
	return at, ok
}

// State makes the next statement, which is to be sent. What it returns is no longer the replica's. An answer that is still awaited is
// given up.
func (r *Replica) State(now time.Duration) *Statement {
	r.GiveUp(now)
	r.number++
	r.stated = now
	r.awaited, r.saidAll, r.sent = true, r.whole, r.sent[:0]
	st := &Statement{Replica: r.id, Epoch: r.epoch, Number: r.number, Acked: r.acked, Whole: r.whole}
	list := r.queue
	if r.whole {
		list = r.all
	}
	st.Lines = make([]Line, 0, len(list))
	for _, s := range list {
		st.Lines = append(st.Lines, r.line(s, now))
	}
	slices.SortFunc(st.Lines, func(a, b Line) int { return a.Name.Compare(b.Name) })
	if !r.whole {
		clear(r.queue)
		r.queue, r.urgent = r.queue[:0], false // what waits besides a whole statement is stated by the next one
	}
	r.stateLimits(st, now)
	return st
}

// line states one slice.
func (r *Replica) line(s *slice, now time.Duration) Line {
	a := &s.asked
	l := Line{Name: s.name, Limit: s.limit, Version: s.version, Used: s.used, Demand: s.demand.sum(now)}
	if !r.whole {
		need, least := max(a.need-s.free(), 0), max(a.least-s.free(), 0)
		ahead := l.Demand*aheadOfNeed/demandSpan > s.free() && now >= a.ahead && now >= a.quiet
		if l.Wants = !r.draining && !s.ended && !a.over && (need > 0 || (ahead || a.expected) && !a.recall); l.Wants {
			l.Need, l.Least = need, least
			if l.Last = a.last && s.held == 0 && need > 0; l.Last {
				l.Need, l.Least = a.need, a.least // what is free is given back with it
			}
		}
	}
	l.Keep = s.lower(now, r.draining || l.Last)
	if !r.whole {
		*a = asked{quiet: a.quiet, ahead: a.ahead}
	}
	r.sent = append(r.sent, sent{s, l.Used, l.Keep, l.Need, l.Wants})
	return l
}

// GiveUp says that no answer to the latest statement came in time. It may have been executed, or be executed later: what it was about is stated
// again.
func (r *Replica) GiveUp(now time.Duration) {
	if !r.awaited {
		return
	}
	r.awaited = false
	for _, of := range r.sent {
		r.enqueue(of.slice, false, now)
	}
	r.rates.giveUp(now)
	r.places.giveUp(now)
}

// Learn believes an answer, if it is to the latest statement. Any other says what was, and changes nothing.
func (r *Replica) Learn(a *Answer, now time.Duration) {
	if a.Epoch != r.epoch {
		return
	}
	if a.Outcome == Superseded {
		r.gone = true
		return
	}
	if a.Number != r.number || a.Number == r.acked {
		return
	}
	if a.Outcome != Executed {
		r.whole = r.whole || a.Outcome == Forgot
		r.GiveUp(now)
		return
	}
	r.acked, r.whole, r.awaited, r.replicas = a.Number, r.whole && !r.saidAll, false, max(a.Replicas, 1)
	asked, refused := 0, 0
	for i, of := range r.sent {
		of.slice.stated = of.used
		j, found := slices.BinarySearchFunc(a.Grants, of.slice.name, func(g Grant, name Name) int { return g.Name.Compare(name) })
		if !found {
			continue
		}
		if r.believe(&r.sent[i], &a.Grants[j], now); of.need > 0 {
			asked++
			if a.Grants[j].Granted < of.keep+of.need {
				refused++
			}
		}
	}
	r.many = refused*2 > asked
	r.learnLimits(a, now)
}

// believe takes a slice as it was granted.
func (r *Replica) believe(of *sent, g *Grant, now time.Duration) {
	s := of.slice
	s.granted = g.Granted
	r.Set(s.name, g.Limit, g.Version)
	s.known, s.heard = g.Used, now
	s.tight = g.Left/r.replicas < g.Granted-of.used
	switch {
	case g.Granted < of.keep+of.need:
		s.asked.quiet = now + Quiet
	case of.wants && of.need == 0 && g.Granted == of.keep:
		s.asked.ahead = now + AskAfresh
	}
	if g.Left < 0 && s.free() > 0 {
		s.asked.over = true
		r.enqueue(s, false, now)
	}
}
