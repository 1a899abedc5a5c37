package escrow

import "time"

// Replica is one process's side. now is always the time since some start by a clock that only goes forward; it decides how much is asked for
// and when, never what is safe. A Replica is not safe for concurrent use. What a call needs of it is a few look-ups; a statement costs
// a microsecond or two for each of its lines.
//
// For a call, its caller asks Judge, and then uses Take, or Need and waits for an answer for a short while. Settle ends the call. When Due says so,
// it makes a statement with State and sends it. Learn takes the answer; GiveUp says that none came. Each second it sends the Question, has the
// replica Hear the answer, and calls Tidy.
type Replica struct {
	id       string
	epoch    Epoch
	number   int64         // of the latest statement
	acked    int64         // the highest that was acknowledged
	stated   time.Duration // when the latest statement was made
	awaited  bool          // an answer to the latest statement is awaited
	whole    bool          // the next statement has to be whole
	saidAll  bool          // the latest was
	gone     bool          // superseded
	draining bool
	replicas int64 // as the database said last
	many     bool  // most of what was asked for last was refused

	slices map[Name]*slice
	all    []*slice // the same, in no order
	look   int      // the one of all that Tidy looks at next
	queue  []*slice // those with something to state
	since  time.Duration
	urgent bool   // something in the queue is
	sent   []sent // what the latest statement said

	rates  rates
	places places
}

// Kept is what calls of a replica took of a budget before this start: what the database and the journal have of it. Calls that were cut
// off by the end of the earlier process took what they held.
type Kept struct {
	Name Name
	Used int64
}

// New returns a replica that begins an epoch with what an earlier process on the same folder used. Its first statement states that, and so
// gives back the rest. A new folder is a new replica, with another id. If the answer to the first statement is Superseded, the clock was behind that
// of an earlier process, or a later one is there: a process that knows that none runs begins once more, with an epoch after Answer.Last.
func New(id string, epoch Epoch, kept []Kept) *Replica {
	r := &Replica{id: id, epoch: epoch, whole: true, replicas: 1, slices: make(map[Name]*slice, len(kept))}
	for _, k := range kept {
		s := r.slice(k.Name)
		s.used, s.granted = k.Used, k.Used
	}
	return r
}

func (r *Replica) slice(name Name) *slice {
	s := r.slices[name]
	if s == nil {
		s = &slice{name: name}
		r.slices[name] = s
		r.all = append(r.all, s)
	}
	return s
}

// Set says what the limit of a budget is by a change with this version. Of two, the later one counts. Budgets of the config file have
// version 0; they are as the replica says that spoke last.
func (r *Replica) Set(name Name, limit, version int64) {
	s := r.slice(name)
	if version < s.version {
		return
	}
	if version > s.version || limit != s.limit {
		s.known = 0 // a change may also correct what was used
	}
	s.limit, s.version = limit, version
}

// Verdict says whether a budget has room for a call.
type Verdict uint8

// The verdicts. Those that last longer are greater.
const (
	Fits   Verdict = iota
	Ask            // the database has to be asked
	Short          // it was asked, and others have what is left: there may be room in a second
	UsedUp         // there is no room before the budget is reset or changed
	Gone           // a later process has the replica's name: this one must not spend
)

// Judge says whether there is room for a call that needs so much. Only Take takes it: a call takes of all of its budgets, or of none.
func (r *Replica) Judge(name Name, need int64, strict bool, now time.Duration) Verdict {
	s := r.slice(name)
	switch {
	case r.gone:
		return Gone
	case need <= s.free():
		return Fits
	case s.limit > 0 && s.usedUp(need, strict):
		return UsedUp
	case r.draining || s.ended || now < s.asked.quiet:
		return Short
	}
	return Ask
}

// Take has a call hold so much, which Judge said to fit. What fits no more is taken all the same: calls that run may grow beyond what
// they held.
func (r *Replica) Take(name Name, need int64, now time.Duration) {
	s := r.slice(name)
	s.held += need
	s.demand.add(need, now)
	if s.demand.sum(now)*aheadOfNeed/demandSpan > s.free() && now >= s.asked.quiet && now >= s.asked.ahead {
		r.enqueue(s, false, now)
	}
}

// Settle turns what a call held into what it took, also if that is more.
func (r *Replica) Settle(name Name, held, took int64, now time.Duration) {
	s := r.slice(name)
	s.held -= held
	s.used += took
	switch {
	case took < 0: // a correction, which may make room at others
		r.enqueue(s, false, now)
	case s.tight && took < held:
		r.recall(s, now)
	}
}

// Doubt says that a call was refused because a budget is used up. Every ten seconds the next statement names such a budget: a correction, or rows of a
// replica that was lost, may have made room.
func (r *Replica) Doubt(name Name, now time.Duration) {
	if s := r.slice(name); s.heard+Doubted <= now {
		r.enqueue(s, false, now)
	}
}

// Need says that a call waits for so much. last says that the budget is not strict and the replica holds nothing of it, so that one
// call may exceed what is left.
func (r *Replica) Need(name Name, need int64, last bool, now time.Duration) {
	s := r.slice(name)
	a := &s.asked
	if a.need == 0 || need < a.least {
		a.least = need
	}
	a.need = min(a.need+need, largest)
	a.last = a.last || last
	r.enqueue(s, true, now)
}

// Expect has the next statement name a budget, so that the answer says how it stands. Since a call is about to need some of it, a slice is wanted.
func (r *Replica) Expect(name Name, now time.Duration) {
	s := r.slice(name)
	s.asked.expected = s.free() == 0
	r.enqueue(s, true, now)
}

// Question is what a replica asks the database each second.
type Question struct {
	Replica string
	Epoch   Epoch
	Acked   int64
}

// News answers a question. Forgot says that the database lacks what it had acknowledged: without being asked, it would not be noticed by a
// replica that has nothing to state.
type News struct {
	Outcome  Outcome       // Executed, Forgot or Superseded
	Replicas int64         // how many are there, at least 1
	There    time.Duration // since when this one has been there, by the database's clock
	Wanted   []Wanted
}

// Wanted is a budget of which the replica has a lease, and others lack some.
type Wanted struct {
	Name    Name
	Granted int64 // by the lease
}

// Question is what to ask now.
func (r *Replica) Question() Question { return Question{r.id, r.epoch, r.acked} }

// Hear takes the answer to a question that was asked then.
func (r *Replica) Hear(news *News, asked, now time.Duration) {
	switch news.Outcome {
	case Superseded:
		r.gone = true
	case Forgot:
		r.whole = true
	case Executed, Late:
		r.replicas = max(news.Replicas, 1)
		r.rates.contact.hear(asked, now, r.replicas, news.There)
		for _, wanted := range news.Wanted {
			s := r.slices[wanted.Name]
			if s == nil {
				continue
			}
			if r.recall(s, now); wanted.Granted != s.granted {
				r.enqueue(s, false, now) // the database granted what the replica does not know of
			}
		}
	}
}

// recall gives back what one second does not need, if there is anything to say.
func (r *Replica) recall(s *slice, now time.Duration) {
	if s.used != s.stated || s.free() > s.demand.second(now) {
		s.asked.recall = true
		r.enqueue(s, false, now)
	}
}

// End says that the period of a budget is over.
func (r *Replica) End(name Name, now time.Duration) {
	if s := r.slices[name]; s != nil {
		s.ended = true
		r.enqueue(s, false, now)
	}
}

// Drain has the replica give back what it has and want nothing more.
func (r *Replica) Drain(now time.Duration) {
	r.draining = true
	for _, s := range r.all {
		r.enqueue(s, false, now)
	}
	r.rates.drain(now)
	r.places.drain(now)
}

// Drained reports whether the database has everything back that calls do not hold, and knows everything that they took.
func (r *Replica) Drained() bool {
	for _, s := range r.all {
		if !s.settled() {
			return false
		}
	}
	return !r.awaited && r.rates.empty() && r.places.empty()
}

// Free is what calls may take of a budget without asking.
func (r *Replica) Free(name Name) int64 {
	if s := r.slices[name]; s != nil {
		return s.free()
	}
	return 0
}

// Outstanding calls f with what calls hold of each budget, and may take without asking.
func (r *Replica) Outstanding(f func(name Name, held int64)) {
	for _, s := range r.all {
		if held := max(s.granted-s.used, s.held); held > 0 {
			f(s.name, held)
		}
	}
}

// Used is what all replicas used of a budget, as far as this one knows. What it used itself since the last answer is in it.
func (r *Replica) Used(name Name) int64 {
	if s := r.slices[name]; s != nil {
		return max(s.known+s.used-s.stated, s.used)
	}
	return 0
}

// Kept is what a process would begin with that went on from here. What is held counts as used.
func (r *Replica) Kept() []Kept {
	kept := make([]Kept, 0, len(r.all))
	for _, s := range r.all {
		kept = append(kept, Kept{s.name, s.used + s.held})
	}
	return kept
}

// Gone reports whether a later process has the replica's name.
func (r *Replica) Gone() bool { return r.gone }

// Replicas is how many are there, as the database said last.
func (r *Replica) Replicas() int64 { return r.replicas }

// Tidy looks at a part of the slices, so that all are looked at within some minutes if it is called each second: slices that are
// idle are given back, and those of ended periods are forgotten, as are limits that rest.
func (r *Replica) Tidy(now time.Duration) {
	for range len(r.all)/256 + 1 {
		if r.look >= len(r.all) {
			r.look = 0
			break
		}
		s := r.all[r.look]
		switch {
		case s.ended && s.settled():
			last := len(r.all) - 1
			r.all[r.look], r.all[last] = r.all[last], nil
			r.all = r.all[:last]
			delete(r.slices, s.name)
			continue
		case !s.settled() && (r.draining || s.ended || s.demand.last+Idle <= now):
			r.enqueue(s, false, now)
		}
		r.look++
	}
	r.rates.tidy(now)
	r.places.tidy(now)
}

func (r *Replica) enqueue(s *slice, urgent bool, now time.Duration) {
	if len(r.queue) == 0 {
		r.since, r.urgent = now, false
	}
	if urgent && !r.urgent {
		r.since, r.urgent = now, true
	}
	if !s.asked.due {
		s.asked.due = true
		r.queue = append(r.queue, s)
	}
	s.asked.urgent = s.asked.urgent || urgent
}
