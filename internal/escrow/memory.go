package escrow

import (
	"fmt"
	"slices"
	"time"
)

// Memory is the database in memory. It is what the engines' transactions have to do, step by step; the model check and the simulation run on it. The
// zero value is not ready; see NewMemory. It is not safe for concurrent use: each call is one transaction.
type Memory struct {
	// Earlier is what was spent of a budget before the first slice of it was asked for, nil for nothing.
	Earlier func(Name) int64

	members map[string]*member
	spans   map[Name]*span
	marked  map[Name]*span // those that were wanted lately
	buckets map[Subject]*bucket
	slots   map[Subject][]slot
}

// member is a replica.
type member struct {
	epoch     Epoch
	number    int64
	seen      time.Duration
	since     time.Duration // it was seen without being gone in between
	forgotten bool
}

// see notes that the replica is there.
func (m *member) see(now time.Duration) {
	if m.seen+SeenFor < now || m.forgotten {
		m.since = now
	}
	m.seen, m.forgotten = now, false
}

// span is a budget in one period. granted and used are the sums over its leases, which are kept because the first of them is compared
// with the limit at each grant.
type span struct {
	limit, version int64
	earlier        int64
	granted        int64
	used           int64 // with what is in doubt
	wanted         time.Duration
	by             string // who lacked something last
	leases         []lease
}

// lease is what a replica has of a budget: it used and holds granted in all.
type lease struct {
	replica string
	granted int64
	used    int64
	doubt   int64 // what it may have used before it was forgotten
}

// NewMemory returns an empty database.
func NewMemory() *Memory {
	return &Memory{members: map[string]*member{}, spans: map[Name]*span{}, marked: map[Name]*span{}, buckets: map[Subject]*bucket{}, slots: map[Subject][]slot{}}
}

// Exchange is Database's, at a time by the database's clock.
func (m *Memory) Exchange(s *Statement, now time.Duration) *Answer {
	a := &Answer{Epoch: s.Epoch, Number: s.Number}
	if a.Outcome, a.Last = m.number(s, now); a.Outcome != Executed {
		return a
	}
	m.lock(s)
	a.Replicas, a.There = m.count(now), m.members[s.Replica].since
	m.grant(s, a, now)
	m.exchangeRates(s, a, now)
	if s.Whole {
		m.leavePlaces(s)
	}
	m.exchangePlaces(s, a, now)
	return a
}

// number is the first statement: the replica's row takes the number. A statement that is superseded learns the row's epoch.
func (m *Memory) number(s *Statement, now time.Duration) (Outcome, Epoch) {
	row := m.members[s.Replica]
	if row == nil {
		row = &member{forgotten: true}
	}
	outcome := s.outcome(row.epoch, row.number)
	if outcome == Executed {
		seen := *row
		seen.epoch, seen.number = s.Epoch, s.Number
		seen.see(now)
		m.members[s.Replica] = &seen
	}
	if outcome != Superseded {
		return outcome, Epoch{}
	}
	return outcome, row.epoch
}

// lock is the second: the rows of the budgets are there, are locked, and have their limits.
func (m *Memory) lock(s *Statement) {
	for i := range s.Lines {
		l := &s.Lines[i]
		sp := m.spans[l.Name]
		if sp == nil {
			sp = &span{version: -1}
			if m.Earlier != nil {
				sp.earlier = m.Earlier(l.Name)
			}
			m.spans[l.Name] = sp
		}
		if l.Limit > 0 && l.Version >= sp.version {
			sp.limit, sp.version = l.Limit, l.Version
		}
	}
}

// grant is the third: leases become what is kept and what is given.
func (m *Memory) grant(s *Statement, a *Answer, now time.Duration) {
	if s.Whole {
		m.settle(s)
	}
	a.Grants = make([]Grant, 0, len(s.Lines))
	for i := range s.Lines {
		l := &s.Lines[i]
		sp := m.spans[l.Name]
		own := sp.lease(s.Replica)
		room := Room{
			Left: sp.limit - sp.earlier - (sp.granted - own.granted) - l.Keep, Holders: sp.holders(s.Replica), Replicas: a.Replicas,
			Contested: now < sp.wanted && sp.by != s.Replica,
		}
		given := Share(l, room)
		if l.Last && given < l.Least && sp.last(own, l) {
			given = l.Least
		}
		if given < l.Need {
			sp.wanted, sp.by = now+MarkedFor, s.Replica
			m.marked[l.Name] = sp
		}
		sp.put(own, l.Keep+given, l.Used, 0)
		a.Grants = append(a.Grants, Grant{l.Name, own.granted, sp.limit - sp.earlier - sp.granted, sp.used + sp.earlier, sp.limit, sp.version})
	}
}

// settle makes all leases that a whole statement does not name what was used of them.
func (m *Memory) settle(s *Statement) {
	for name, sp := range m.spans {
		if _, named := slices.BinarySearchFunc(s.Lines, name, func(l Line, name Name) int { return l.Name.Compare(name) }); named {
			continue
		}
		if i := sp.index(s.Replica); i >= 0 {
			sp.put(&sp.leases[i], sp.leases[i].used, sp.leases[i].used, 0)
		}
	}
}

// put makes a lease what it is from now on, and changes the sums by the difference.
func (sp *span) put(l *lease, granted, used, doubt int64) {
	sp.granted += granted - l.granted
	sp.used += used + doubt - l.used - l.doubt
	l.granted, l.used, l.doubt = granted, used, doubt
}

func (sp *span) index(replica string) int {
	return slices.IndexFunc(sp.leases, func(l lease) bool { return l.replica == replica })
}

func (sp *span) lease(replica string) *lease {
	i := sp.index(replica)
	if i < 0 {
		i = len(sp.leases)
		sp.leases = append(sp.leases, lease{replica: replica})
	}
	return &sp.leases[i]
}

// outstanding is what the replica may spend of the lease, or may have spent without saying so.
func (l *lease) outstanding() int64 { return l.granted - l.used - l.doubt }

// holders counts the replicas that have something outstanding, and the one that asks.
func (sp *span) holders(asks string) (n int64) {
	for i := range sp.leases {
		if l := &sp.leases[i]; l.replica != asks && l.outstanding() > 0 {
			n++
		}
	}
	return n + 1
}

// last reports whether one call may exceed what is left: something is, and no replica has anything outstanding.
func (sp *span) last(own *lease, l *Line) bool {
	used := sp.used - own.used - own.doubt + l.Used
	return sp.holders(own.replica) == 1 && l.Keep == l.Used && used+sp.earlier < sp.limit
}

// count is how many replicas are there.
func (m *Memory) count(now time.Duration) (n int64) {
	for id := range m.members {
		if m.there(id, now) {
			n++
		}
	}
	return max(n, 1)
}

// there reports whether a replica is there.
func (m *Memory) there(replica string, now time.Duration) bool {
	row := m.members[replica]
	return row != nil && !row.forgotten && row.seen+SeenFor >= now
}

// Poll is Database's.
func (m *Memory) Poll(q Question, now time.Duration) *News {
	row := m.members[q.Replica]
	if row == nil {
		return &News{Outcome: Forgot}
	}
	if c := q.Epoch.Compare(row.epoch); c < 0 {
		return &News{Outcome: Superseded}
	} else if c > 0 || row.number < q.Acked {
		return &News{Outcome: Forgot}
	}
	row.see(now)
	var wanted []Wanted
	for name, sp := range m.marked {
		switch {
		case now >= sp.wanted:
			delete(m.marked, name)
		case sp.by != q.Replica && sp.index(q.Replica) >= 0:
			wanted = append(wanted, Wanted{name, sp.leases[sp.index(q.Replica)].granted})
		}
	}
	slices.SortFunc(wanted, func(a, b Wanted) int { return a.Name.Compare(b.Name) })
	return &News{Replicas: m.count(now), There: row.since, Wanted: wanted}
}

// Forget is Database's.
func (m *Memory) Forget(replica string, unspent bool) {
	row := m.members[replica]
	if row == nil {
		return
	}
	m.members[replica] = &member{epoch: Epoch{row.epoch.Began + 1, 0}, forgotten: true}
	for _, sp := range m.spans {
		i := sp.index(replica)
		switch {
		case i < 0:
		case unspent:
			sp.put(&sp.leases[i], sp.leases[i].used, sp.leases[i].used, 0)
		default:
			l := &sp.leases[i]
			sp.put(l, l.granted, l.used, l.granted-l.used)
		}
	}
}

// Reclaim is Database's.
func (m *Memory) Reclaim(names []Name, after, now time.Duration) (leases int) {
	for _, name := range names {
		sp := m.spans[name]
		if sp == nil {
			continue
		}
		for i := range sp.leases {
			l := &sp.leases[i]
			row := m.members[l.replica]
			if row == nil || row.forgotten || row.seen+after >= now || l.outstanding() <= 0 {
				continue
			}
			sp.put(l, l.used, l.used, 0)
			leases++
		}
	}
	return leases
}

// Arrive books what rows of a forgotten replica say that it used, in the place of what was in doubt.
func (m *Memory) Arrive(replica string, name Name, took int64) {
	sp := m.spans[name]
	if sp == nil || sp.index(replica) < 0 {
		return
	}
	l := sp.lease(replica)
	doubt := max(l.doubt-took, 0)
	sp.put(l, max(l.granted, l.used+took+doubt), l.used+took, doubt)
}

// Books is how a budget stands: what its leases come to. The error says that they do not come to what the budget says.
func (m *Memory) Books(name Name) (granted, used int64, err error) {
	sp := m.spans[name]
	if sp == nil {
		return 0, 0, nil
	}
	for _, l := range sp.leases {
		granted += l.granted
		used += l.used + l.doubt
	}
	if granted != sp.granted || used != sp.used {
		err = fmt.Errorf("the leases of %s come to %d granted and %d used, and the budget says %d and %d", name.Budget, granted, used, sp.granted, sp.used)
	}
	return granted, used, err
}
