package escrow

import (
	"fmt"
	"slices"
	"strings"
)

// search explores all that can happen within its bounds. What a part does is found out once, by the code that is shipped.
type search struct {
	limit      int64
	statements [3]int // of each process
	copies     int    // how often a statement is executed, and an answer comes, at most
	ends       bool   // calls run for a while, and may take less than they hold; else they take what they hold at once
	left       faults // that there may be
	unfair     bool   // what is withheld is not looked at
	bug        bug

	processes table[*process]
	databases table[*database]
	letters   table[*letter]
	done      map[move][2]uint16
	heard     map[[4]uint16]string
	story     map[world]step // how each world came to be; nil unless it is wanted
}

// bug plants one mistake: each function takes the place of a step.
type bug struct {
	learn   func(p *process, a *Answer)
	execute func(d *database, s *Statement) *Answer
	restart func(old *process) *process
}

// move is what a part does, with another.
type move struct {
	verb  verb
	part  uint16
	other uint16
}

type verb uint8

const (
	calls verb = iota
	ends
	states // with what it wants as the other part
	executes
	learns
	restarts
	forgets
	expires
	dies
	standsBy
	failsOver
	copied
	idle
)

// What a statement wants.
const (
	keeps uint16 = iota
	returns
	asks
	asksTwice
)

type step struct {
	from world
	said string
}

// once finds out what a move leads to, unless it is known.
func (s *search) once(m move, find func() (a, b uint16)) (a, b uint16) {
	r, ok := s.done[m]
	if !ok {
		r[0], r[1] = find()
		s.done[m] = r
	}
	return r[0], r[1]
}

// result is what a search found.
type result struct {
	states int
	wrong  string // what broke a law, "" if nothing did
	worst  world
}

func (s *search) run() (res result) {
	s.done, s.heard = map[move][2]uint16{}, map[[4]uint16]string{}
	seen := map[world]struct{}{}
	var frontier []world
	visit := func(from, w world, say func() string) {
		s.prune(&w)
		if _, ok := seen[w]; ok || res.wrong != "" {
			return
		}
		seen[w] = struct{}{}
		if s.story != nil {
			s.story[w] = step{from, say()}
		}
		res.wrong, res.worst = s.wrong(&w), w
		frontier = append(frontier, w)
	}
	visit(world{}, s.begin(), func() string { return "" })
	for len(frontier) > 0 && res.wrong == "" {
		now := frontier
		frontier = nil
		for i := range now {
			s.expand(&now[i], func(w world, say func() string) { visit(now[i], w, say) })
		}
	}
	res.states = len(seen)
	return res
}

// begin is a world with two replicas that have begun.
func (s *search) begin() (w world) {
	d := &database{Memory: NewMemory()}
	for i, id := range []string{"A", "B"} {
		p := s.fresh(id)
		p.Learn(d.Exchange(p.State(0), 0), 0)
		w.processes[i] = s.processes.number(p)
	}
	w.db = s.databases.number(d)
	w.left = s.left
	return w
}

// fresh is a process that begins with nothing.
func (s *search) fresh(id string) *process {
	p := &process{Replica: New(id, Epoch{Began: 1}, nil)}
	p.Set(budgetName, s.limit, 1)
	return p
}

// wrong says which law the world breaks, "" if none.
func (s *search) wrong(w *world) string {
	var spent int64
	for _, n := range w.processes {
		if n != 0 {
			spent += s.processes.all[n].spent()
		}
	}
	if spent > s.limit+int64(w.allowed) {
		return fmt.Sprintf("%d was spent of %d, and %d beyond it are accounted for", spent, s.limit, w.allowed)
	}
	if _, _, err := s.databases.all[w.db].Books(budgetName); err != nil {
		return err.Error()
	}
	if s.unfair {
		return ""
	}
	return s.withheld(w)
}

type visit func(w world, say func() string)

func (s *search) expand(w *world, visit visit) {
	for i, n := range w.processes {
		if n != 0 && !s.processes.all[n].dead {
			s.call(w, i, visit)
			s.state(w, i, visit)
			s.failProcess(w, i, visit)
		}
	}
	for i, n := range w.letters {
		if n != 0 {
			s.arrive(w, i, visit)
		}
	}
	s.failDatabase(w, visit)
}

// call makes a call, or ends one.
func (s *search) call(w *world, i int, visit visit) {
	n := w.processes[i]
	p := s.processes.all[n]
	if p.Judge(budgetName, 1, true, 0) == Fits {
		next := *w
		next.processes[i], _ = s.once(move{calls, n, 0}, func() (a, b uint16) {
			c := p.copy()
			c.Take(budgetName, 1, 0)
			if !s.ends {
				c.Settle(budgetName, 1, 1, 0)
			}
			return s.processes.number(c), 0
		})
		visit(next, func() string { return p.id + " calls" })
	}
	if p.own().held > 0 {
		for took := range uint16(2) {
			next := *w
			next.processes[i], _ = s.once(move{ends, n, took}, func() (a, b uint16) {
				c := p.copy()
				c.Settle(budgetName, 1, int64(took), 0)
				return s.processes.number(c), 0
			})
			visit(next, func() string { return fmt.Sprintf("a call of %s took %d", p.id, took) })
		}
	}
}

// state makes all statements that a process may make.
func (s *search) state(w *world, i int, visit visit) {
	n := w.processes[i]
	p := s.processes.all[n]
	if p.stated >= s.statements[i] || p.gone {
		return
	}
	for wants := keeps; wants <= asks+uint16(s.limit)-1 && wants <= asksTwice; wants++ {
		if p.whole && wants > keeps || wants == returns && p.own().free() == 0 {
			continue // as keeps
		}
		next := *w
		var sent uint16
		next.processes[i], sent = s.once(move{states, n, wants<<8 | uint16(i)}, func() (a, b uint16) {
			c := p.copy()
			c.stated++
			switch wants {
			case keeps:
				c.enqueue(c.own(), false, 0)
			case returns:
				c.own().asked.recall = true
				c.enqueue(c.own(), false, 0)
			default:
				c.Need(budgetName, c.own().free()+int64(wants-asks)+1, false, 0)
			}
			st := c.State(0)
			return s.processes.number(c), s.letters.number(&letter{statement: st, place: i, copies: s.copies})
		})
		next.post(sent)
		visit(next, func() string {
			return p.id + [...]string{" states what it keeps", " returns what it has", " asks for 1", " asks for 2"}[wants]
		})
	}
}

// arrive executes a statement, or delivers an answer.
func (s *search) arrive(w *world, i int, visit visit) {
	n := w.letters[i]
	l := s.letters.all[n]
	next := *w
	next.remove(i)
	if l.copies > 1 {
		next.post(s.letters.number(&letter{l.statement, l.answer, l.place, l.copies - 1}))
	}
	if l.statement == nil {
		next.processes[l.place] = s.learned(w.processes[l.place], n)
		visit(next, func() string { return fmt.Sprint(l, " comes") })
		return
	}
	var answer uint16
	next.db, answer = s.executed(w.db, n)
	if s.left.Copies > 0 {
		next.allowed += s.unbooked(w.db, next.db, l.statement)
	}
	if !s.processes.all[w.processes[l.place]].dead {
		next.post(answer)
	}
	visit(next, func() string { return fmt.Sprint(l, " is executed") })
}

// unbooked is what a copy of a folder had taken from the original, with its first statement. The original may go on spending it: that is what no
// protocol sees.
func (s *search) unbooked(before, after uint16, st *Statement) uint8 {
	a, b := s.databases.all[before], s.databases.all[after]
	if a.members[st.Replica].epoch == b.members[st.Replica].epoch {
		return 0
	}
	return uint8(max(a.lease(st.Replica)-b.lease(st.Replica), 0))
}

func (s *search) executed(db, n uint16) (after, answer uint16) {
	return s.once(move{executes, db, n}, func() (a, b uint16) {
		l := s.letters.all[n]
		d := s.databases.all[db].copy()
		said := s.execute(d, l.statement)
		return s.databases.number(d), s.letters.number(&letter{answer: said, place: l.place, copies: s.copies})
	})
}

// execute executes a statement and counts what it gives.
func (s *search) execute(d *database, st *Statement) *Answer {
	if s.bug.execute != nil {
		return s.bug.execute(d, st)
	}
	said := d.Exchange(st, 0)
	if s.left.Failovers > 0 {
		for i, g := range said.Grants {
			d.given += g.Granted - st.Lines[i].Keep
		}
	}
	return said
}

func (s *search) learned(process, n uint16) uint16 {
	after, _ := s.once(move{learns, process, n}, func() (a, b uint16) {
		c := s.processes.all[process].copy()
		if s.bug.learn != nil {
			s.bug.learn(c, s.letters.all[n].answer)
		} else {
			c.Learn(s.letters.all[n].answer, 0)
		}
		return s.processes.number(c), 0
	})
	return after
}

// prune takes letters away that cannot change anything any more. That they cannot is tried, not assumed.
func (s *search) prune(w *world) {
	if s.bug.learn != nil || s.bug.execute != nil || s.bug.restart != nil {
		return
	}
	for i := range w.letters {
		n := w.letters[i]
		if n == 0 {
			continue
		}
		l := s.letters.all[n]
		process := w.processes[l.place]
		p := s.processes.all[process]
		switch {
		case l.statement == nil && (l.answer.Number < p.number || l.answer.Number == p.acked):
			// An answer that is not to the latest number, or came before, changes nothing, unless it says that a later process is there.
			if l.answer.Outcome == Superseded && !p.gone {
				continue
			}
			if s.learned(process, n) != process {
				panic("an answer was believed that is not to the latest number")
			}
			w.letters[i] = 0
		case l.statement != nil && w.left.Failovers == 0:
			// A statement whose number is not higher than the last does nothing, and never will.
			row := s.databases.all[w.db].members[l.statement.Replica]
			if row == nil || row.epoch != l.statement.Epoch || row.number < l.statement.Number {
				continue
			}
			if after, _ := s.executed(w.db, n); after != w.db {
				panic("a statement did something whose number is not higher than the last")
			}
			w.letters[i] = 0
		}
	}
	slices.Sort(w.letters[:])
}

// failDatabase are the faults of the database.
func (s *search) failDatabase(w *world, visit visit) {
	if w.left.Failovers == 0 {
		return
	}
	next := *w
	if w.standby == 0 {
		next.standby = w.db
		visit(next, func() string { return "the standby is as the database" })
		return
	}
	next.allowed += uint8(s.databases.all[w.db].given - s.databases.all[w.standby].given)
	next.db, next.standby = w.standby, 0
	next.left.Failovers--
	visit(next, func() string { return "the database is as the standby was" })
}

// failProcess are the faults of one process, and of people. The replicas begin alike, so all happens to the first.
func (s *search) failProcess(w *world, i int, visit visit) {
	if i > 0 {
		return
	}
	n := w.processes[i]
	p := s.processes.all[n]
	if w.left.Restarts > 0 {
		next := *w
		next.left.Restarts--
		s.kill(&next, i)
		next.processes[2] = s.restarted(n)
		visit(next, func() string { return p.id + " is killed and started again" })
	}
	if w.left.Losses > 0 {
		next := *w
		next.left.Losses--
		s.kill(&next, i)
		next.db = s.change(forgets, w.db, p.id, func(d *database) { d.Forget(p.id, false) })
		next.processes[2] = s.processes.number(s.fresh("C"))
		visit(next, func() string { return p.id + " is lost with its disk and forgotten, another starts" })
	}
	if w.left.Copies > 0 {
		next := *w
		next.left.Copies--
		next.processes[2] = s.restarted(n)
		visit(next, func() string { return "a copy of the folder of " + p.id + " is started" })
	}
	if w.left.Expiries > 0 {
		next := *w
		next.left.Expiries--
		next.db = s.change(expires, w.db, p.id, func(d *database) {
			if sp := d.spans[budgetName]; sp != nil {
				l := sp.lease(p.id)
				sp.put(l, l.used, l.used, 0)
			}
		})
		visit(next, func() string { return "the slice of " + p.id + " is returned by time" })
	}
}

// change changes the database.
func (s *search) change(v verb, db uint16, id string, how func(d *database)) uint16 {
	after, _ := s.once(move{v, db, uint16(id[0])}, func() (a, b uint16) {
		d := s.databases.all[db].copy()
		how(d)
		return s.databases.number(d), 0
	})
	return after
}

// kill ends a process. Answers to it come nowhere.
func (s *search) kill(w *world, i int) {
	n := w.processes[i]
	w.processes[i], _ = s.once(move{dies, n, 0}, func() (a, b uint16) {
		c := s.processes.all[n].copy()
		c.dead = true
		return s.processes.number(c), 0
	})
	for j, n := range w.letters {
		if n != 0 && s.letters.all[n].statement == nil && s.letters.all[n].place == i {
			w.letters[j] = 0
		}
	}
	slices.Sort(w.letters[:])
}

// restarted is what begins on the folder of a process. Calls that ran took what they held.
func (s *search) restarted(n uint16) uint16 {
	after, _ := s.once(move{restarts, n, 0}, func() (a, b uint16) {
		old := s.processes.all[n]
		if s.bug.restart != nil {
			return s.processes.number(s.bug.restart(old)), 0
		}
		used := old.own().used + old.own().held
		p := &process{Replica: New(old.id, Epoch{Began: old.epoch.Began + 1}, []Kept{{budgetName, used}}), inherited: used}
		p.Set(budgetName, s.limit, 1)
		return s.processes.number(p), 0
	})
	return after
}

// withheld says what a live replica cannot have though no call uses it, once all that is under way has come, late, and every replica is heard.
func (s *search) withheld(w *world) string {
	db := w.db
	for _, n := range w.letters {
		if n != 0 && s.letters.all[n].statement != nil {
			db, _ = s.executed(db, n)
		}
	}
	key := [4]uint16{w.processes[0], w.processes[1], w.processes[2], db}
	said, ok := s.heard[key]
	if !ok {
		said = s.hear(w.processes, s.databases.all[db].copy())
		s.heard[key] = said
	}
	return said
}

func (s *search) hear(processes [3]uint16, d *database) string {
	free := s.limit
	var live []*process
	gone := map[string]bool{}
	for _, n := range processes {
		if n == 0 {
			continue
		}
		p := s.processes.all[n].copy()
		if gone[p.id] = p.dead || p.gone; !gone[p.id] {
			live = append(live, p)
			free -= p.own().used + p.own().held
		}
	}
	talk := func(p *process) {
		for range 3 { // a database that forgot hears everything, and is asked then
			if p.Learn(s.execute(d, p.State(0)), 0); p.gone || p.acked == p.number && !p.whole {
				break
			}
		}
	}
	giveBack := func(p *process) {
		p.GiveUp(0)
		for range 2 { // seconds. In the first it may hear that the database forgot
			if sp := d.spans[budgetName]; sp != nil { // others lack some
				sp.wanted, sp.by, d.marked[budgetName] = MarkedFor, "others", sp
			}
			p.Hear(d.Poll(p.Question(), 0), 0, 0)
			if _, due := p.Due(0); due {
				talk(p)
			}
		}
	}
	for _, p := range live {
		giveBack(p)
	}
	if sp := d.spans[budgetName]; sp != nil {
		for _, l := range sp.leases {
			if gone[l.replica] {
				free -= l.granted
			}
		}
	}
	for _, p := range live {
		for range 2 { // a database that forgot does not hear the first
			p.Need(budgetName, 1, false, 0)
			talk(p)
		}
		if !p.gone && free > 0 && p.own().free() == 0 {
			return fmt.Sprintf("%s cannot have any of the %d that are left", p.id, free)
		}
		giveBack(p)
	}
	return ""
}

// told is how the worst world came to be.
func (s *search) told(w world) string {
	var steps []string
	for {
		step := s.story[w]
		if step.said == "" {
			break
		}
		steps = append(steps, step.said)
		w = step.from
	}
	slices.Reverse(steps)
	return strings.Join(steps, "\n")
}
