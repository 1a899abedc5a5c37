package escrow

import "time"

// bucket is the database's side of a limit a minute, after the generic cell rate algorithm: the time, by the database's clock, at which all units are
// back. What was checked out before the bucket was full last is back, too: a replica does not know when that was, since others give back what they did not use.
type bucket struct {
	full  time.Duration
	since time.Duration // until when all units were there, the last time
}

// unitOf is how long a unit takes to come back, rounded up.
func unitOf(limit int64) time.Duration {
	return time.Duration((int64(time.Minute) + limit - 1) / limit)
}

// worth is how long so many units take, some 70 years at most.
func worth(units int64, unit time.Duration) time.Duration {
	if units > largest/int64(unit) {
		return time.Duration(largest)
	}
	return time.Duration(units) * unit
}

// exchange does what a line says. First what is given back is, unless all units were there since it was checked out. Then what was used is owed, then what is needed is given, if it is there. If only a part is, that
// is given if a request can use it. What is to be kept is given besides, but at most what a replica may keep, and of what is left no more than would do for as
// much at every replica, some times over: near its end a limit goes by what requests need.
func (b *bucket) exchange(l *RateLine, replicas int64, now time.Duration) RateGrant {
	unit := unitOf(l.Limit)
	if l.Since == b.since && b.full > now {
		b.full -= worth(l.Back, unit)
	}
	if b.full <= now {
		b.since = now
	}
	if l.Debt > 0 {
		b.full = min(max(b.full, now)+worth(l.Debt, unit), now+time.Duration(largest))
	}
	g := RateGrant{Subject: l.Subject, Since: b.since}
	room := worth(l.Limit, unit) - max(b.full-now, 0)
	switch need, least := worth(l.Need, unit), worth(l.Least, unit); {
	case least > room:
		if l.Need > 0 {
			g.Wait = least - room
		}
	case need > room:
		g.Given = int64(room / unit)
	default:
		g.Given = l.Need + min(l.Spare, mostKept(l.Limit, replicas), int64((room-need)/unit)/(4*replicas))
	}
	if g.Given > 0 {
		b.full = max(b.full, now) + worth(g.Given, unit)
	}
	g.Full = max(b.full-now, 0)
	return g
}

func (m *Memory) exchangeRates(s *Statement, a *Answer, now time.Duration) {
	for i := range s.Rates {
		l := &s.Rates[i]
		b := m.buckets[l.Subject]
		if b == nil {
			b = &bucket{}
			m.buckets[l.Subject] = b
		}
		a.Rates = append(a.Rates, b.exchange(l, a.Replicas, now))
	}
}
