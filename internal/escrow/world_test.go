package escrow

import (
	"fmt"
	"slices"
)

// The world of the search: replicas, the database with a standby, and what is under way between them. All of it is the code that
// is shipped; the search only decides what happens next. Time stands still: whatever a replica waits for may be over at any moment.

// world is one state. Its parts are numbers in the tables of the search, 0 for none.
type world struct {
	processes [3]uint16
	db        uint16
	standby   uint16
	letters   [14]uint16 // in order, zeros first
	allowed   uint8      // what the budget may be exceeded by: what a failover forgot, and what a copied folder had
	left      faults
}

// faults are how many of each there may be.
type faults struct{ Failovers, Restarts, Copies, Losses, Expiries uint8 }

// table has each part once.
type table[T interface{ seal() string }] struct {
	numbers map[string]uint16
	all     []T
}

// number is the number of a part.
func (t *table[T]) number(part T) uint16 {
	key := part.seal()
	n, ok := t.numbers[key]
	if !ok {
		if t.numbers == nil {
			t.numbers, t.all = map[string]uint16{}, make([]T, 1)
		}
		t.all = append(t.all, part)
		if n = uint16(len(t.all) - 1); int(n) != len(t.all)-1 {
			panic("there are more parts than numbers")
		}
		t.numbers[key] = n
	}
	return n
}

// budgetName is the only budget of the search.
var budgetName = Name{Budget: "b"}

// process is one life of a replica.
type process struct {
	*Replica
	dead      bool
	inherited int64 // of what it used, what an earlier process did
	stated    int
}

// own is the process's slice of the budget.
func (p *process) own() *slice { return p.slices[budgetName] }

// spent is what the calls of a process took at most.
func (p *process) spent() int64 { return p.own().used + p.own().held - p.inherited }

// copy copies a process, to be changed.
func (p *process) copy() *process {
	r, own := *p.Replica, *p.own()
	r.slices, r.all, r.queue, r.sent = map[Name]*slice{budgetName: &own}, []*slice{&own}, nil, nil
	for _, s := range p.sent {
		s.slice = &own
		r.sent = append(r.sent, s)
	}
	return &process{Replica: &r, dead: p.dead, inherited: p.inherited, stated: p.stated}
}

// seal forgets what decides only when a replica speaks, since in the search it may speak at any time, and says what tells the process
// from others.
func (p *process) seal() string {
	s := p.own()
	p.awaited = p.number != p.acked && (p.awaited || s.asked.due) // there is something to state again
	s.demand, s.asked, s.known, s.tight = demand{}, asked{over: s.asked.over}, 0, false
	p.many, p.replicas, p.urgent, p.since, p.queue = false, 2, false, 0, nil
	return string([]byte{
		p.id[0], bit(p.dead), bit(p.awaited), bit(p.saidAll), byte(s.stated), bit(p.whole), bit(p.gone), bit(s.asked.over), byte(p.stated), byte(p.inherited), byte(p.epoch.Began),
		byte(p.number), byte(p.acked), byte(s.granted), byte(s.used), byte(s.held),
	})
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// database is the Memory with what the search knows of it.
type database struct {
	*Memory
	given int64 // in all grants so far, if there may be a failover
}

// copy copies a database, to be changed.
func (d *database) copy() *database {
	m := NewMemory()
	for id, row := range d.members {
		own := *row
		m.members[id] = &own
	}
	for name, sp := range d.spans {
		own := *sp
		own.leases = slices.Clone(sp.leases)
		m.spans[name] = &own
	}
	return &database{Memory: m, given: d.given}
}

// seal forgets that a budget is marked as wanted, since in the search that may end at any time.
func (d *database) seal() string {
	b := []byte{byte(d.given)}
	for _, id := range [...]string{"A", "B", "C"} {
		if row := d.members[id]; row != nil {
			b = append(b, id[0], byte(row.epoch.Began), byte(row.number), bit(row.forgotten))
		}
	}
	if sp := d.spans[budgetName]; sp != nil {
		sp.wanted, sp.by = 0, ""
		slices.SortFunc(sp.leases, func(a, b lease) int { return int(a.replica[0]) - int(b.replica[0]) })
		b = append(b, '=', byte(sp.granted), byte(sp.used))
		for _, l := range sp.leases {
			b = append(b, l.replica[0], byte(l.granted), byte(l.used), byte(l.doubt))
		}
	}
	return string(b)
}

// lease is what is granted to a replica.
func (d *database) lease(id string) int64 {
	if sp := d.spans[budgetName]; sp != nil && sp.index(id) >= 0 {
		return sp.leases[sp.index(id)].granted
	}
	return 0
}

// letter is a statement, or an answer, that is under way.
type letter struct {
	statement *Statement // nil for an answer
	answer    *Answer
	place     int // among the processes of the one that an answer is for, or that sent the statement
	copies    int // how often it may still come
}

func (l *letter) seal() string {
	b := []byte{byte(l.place), byte(l.copies)}
	if s := l.statement; s != nil {
		b = append(b, 's', s.Replica[0], byte(s.Number), byte(s.Acked), byte(s.Epoch.Began), bit(s.Whole))
		for _, of := range s.Lines {
			b = append(b, byte(of.Used), byte(of.Keep), byte(of.Need), bit(of.Wants))
		}
		return string(b)
	}
	b = append(b, 'a', byte(l.answer.Number), byte(l.answer.Epoch.Began), byte(l.answer.Outcome))
	for _, g := range l.answer.Grants {
		b = append(b, byte(g.Granted), bit(g.Left < 0))
	}
	return string(b)
}

func (l *letter) String() string {
	if l.statement != nil {
		return fmt.Sprintf("number %d of epoch %d of %s", l.statement.Number, l.statement.Epoch.Began, l.statement.Replica)
	}
	return fmt.Sprintf("the answer to number %d of epoch %d", l.answer.Number, l.answer.Epoch.Began)
}

// post adds a letter.
func (w *world) post(l uint16) {
	if w.letters[0] != 0 {
		panic("more letters than a world has room for")
	}
	w.letters[0] = l
	slices.Sort(w.letters[:])
}

// remove takes a letter away.
func (w *world) remove(i int) {
	w.letters[i] = 0
	slices.Sort(w.letters[:])
}
