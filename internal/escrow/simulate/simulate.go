// Package simulate runs replicas against a simulated database that loses, doubles and delays statements and answers, under a skewed demand. The
// replicas are those of package escrow; only requests, network and time are simulated.
package simulate

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// Setup says what is simulated.
type Setup struct {
	Replicas  int
	Keys      int
	PerSecond int // requests
	For       time.Duration
	Ending    float64 // the share of keys whose budgets end before the simulation does
	Lost      float64 // the share of statements, and of answers, that do not arrive
	Doubled   float64 // the share of statements that arrive twice
	Delayed   float64 // the share of these that arrive half a second late
	Limit     int64   // of requests a minute, of each key; 0 for none
	Spread    int     // replicas that the balancer spreads the requests of a key over, 0 for all
	Kills     int     // replicas that are killed, and begin again after five seconds
	Seed      uint64
}

// Report is what came of it.
type Report struct {
	Requests   int
	Served     int
	UsedUp     int
	Limited    int // refused by the limit
	Short      int // refused with retry-after 1, after the database was asked
	Unanswered int // refused since no answer came in time
	Waited     int // for the database
	Statements int
	Why        [len(reasons)]int // statements, by the first of the reasons that one of their lines has
	Lines      int
	Over       int64  // what providers billed beyond budgets, in all
	Idle       []int  // what others had and did not use, in hundredths of a percent of the budget, at each refusal for a second
	IdleAtEnd  []int  // the same at each refusal for good
	Spans      []Span // of ten seconds each
	Wrong      []string
}

// Span is what was counted in a part of the time.
type Span struct{ Requests, Statements int }

// The figures of the simulation.
const (
	patience = 25 * time.Millisecond // how long a request waits for the database
	late     = 500 * time.Millisecond
	oneWay   = 300 * time.Microsecond
	polling  = time.Second
	absence  = 5 * time.Second
	median   = 5_000_000    // what a call costs, in nanodollars; log-normal
	smallest = 100 * median // of budgets that end
	skew     = 1.05         // of the demand among keys, after Zipf
)

// event is something that happens.
type event struct {
	at     time.Duration
	number int
	do     func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].number < e[j].number
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// run is one simulation.
type run struct {
	Setup
	Report
	random   *rand.Rand
	now      time.Duration
	events   events
	number   int
	database *escrow.Memory
	replicas []*replica
	keys     []key
}

// key has a budget.
type key struct {
	name   escrow.Name
	limit  int64
	billed int64 // by providers

	subject  escrow.Subject
	admitted []time.Duration // in the last minute
}

// replica is a process and the requests that wait in it.
type replica struct {
	*escrow.Replica
	place   int
	id      string
	epoch   int64
	dead    bool
	due     time.Duration // when it is looked at next, 0 for not at all
	waiting []*request
}

// request is one call.
type request struct {
	key        *key
	hold, cost int64
	takes      time.Duration
	until      time.Duration
	number     int64 // of the statement that asks for it, 0 before that is made
	admitted   bool  // by the limit
	asked      bool  // the database was asked for units
	needed     bool  // and for a slice
}

// Run simulates.
func Run(setup Setup) *Report {
	s := &run{Setup: setup, random: rand.New(rand.NewPCG(setup.Seed, 1)), database: escrow.NewMemory()}
	shares := make([]float64, s.Keys)
	var sum float64
	for i := range shares {
		shares[i] = math.Pow(float64(i+1), -skew)
		sum += shares[i]
	}
	spend := float64(s.PerSecond) * s.For.Seconds() * median * math.Sqrt(math.E) // of all keys
	for i := range s.Keys {
		limit := int64(spend * 20)
		if s.random.Float64() < s.Ending {
			limit = int64(spend*shares[i]/sum*s.random.Float64()) + smallest
		}
		id := fmt.Sprintf("key%06d", i)
		s.keys = append(s.keys, key{name: escrow.Name{Budget: id}, limit: limit, subject: escrow.Subject(id)})
	}
	for i := range s.Replicas {
		r := &replica{place: i, id: fmt.Sprintf("r%03d", i)}
		s.replicas = append(s.replicas, r)
		s.begin(r, nil)
		s.in(time.Duration(s.random.Int64N(int64(polling))), func() { s.poll(r) })
	}
	for range s.Kills {
		s.in(time.Duration(s.random.Int64N(int64(s.For))), s.kill)
	}
	zipf := rand.NewZipf(s.random, skew, 1, uint64(s.Keys-1))
	s.in(0, func() { s.arrive(zipf) })
	s.play(s.For)
	s.drain()
	return &s.Report
}

func (s *run) in(after time.Duration, do func()) {
	s.number++
	heap.Push(&s.events, event{s.now + after, s.number, do})
}

func (s *run) play(until time.Duration) {
	for len(s.events) > 0 && s.events[0].at <= until {
		e := heap.Pop(&s.events).(event)
		s.now = e.at
		e.do()
	}
	s.now = until
}

// begin starts a process of a replica.
func (s *run) begin(r *replica, kept []escrow.Kept) {
	r.epoch++
	r.dead, r.due = false, 0
	r.Replica = escrow.New(r.id, escrow.Epoch{Began: r.epoch}, kept)
	s.look(r)
}

// kill ends a process. What its calls held counts as used by the one that comes after it, and as billed.
func (s *run) kill() {
	r := s.replicas[s.random.IntN(len(s.replicas))]
	if r.dead {
		return
	}
	r.dead = true
	for _, q := range r.waiting {
		s.Unanswered++
		q.until = -1
	}
	r.waiting = nil
	kept := r.Kept()
	s.in(absence, func() { s.begin(r, kept) })
}

// arrive has a request come, and the next one.
func (s *run) arrive(zipf *rand.Zipf) {
	if s.now < s.For {
		s.in(time.Duration(s.random.ExpFloat64()*float64(time.Second)/float64(s.PerSecond)), func() { s.arrive(zipf) })
	}
	cost := int64(median * math.Exp(s.random.NormFloat64()))
	number := int(zipf.Uint64())
	q := &request{
		key: &s.keys[number], cost: cost, hold: int64(float64(cost) * (1 + 4*s.random.Float64())),
		takes: time.Duration((0.5 + 19.5*s.random.Float64()*s.random.Float64()) * float64(time.Second)), until: s.now + patience,
	}
	r := s.replicas[s.random.IntN(len(s.replicas))]
	if s.Spread > 0 {
		r = s.replicas[(number+s.random.IntN(s.Spread))%s.Replicas]
	}
	if r.dead {
		return // the balancer sees it
	}
	s.Requests++
	s.span().Requests++
	s.try(r, q)
	s.look(r)
}

// wait has a request wait for the answer to the next statement.
func (s *run) wait(r *replica, q *request) {
	s.Waited++
	q.number = 0
	r.waiting = append(r.waiting, q)
	s.in(q.until-s.now, func() {
		if i := slices.Index(r.waiting, q); i >= 0 {
			r.waiting = slices.Delete(r.waiting, i, i+1)
			s.Unanswered++
		}
	})
}

// try makes a call if there is room for it.
func (s *run) try(r *replica, q *request) {
	if !s.admit(r, q) {
		return
	}
	r.Set(q.key.name, q.key.limit, 1)
	switch r.Judge(q.key.name, q.hold, true, s.now) {
	case escrow.Fits:
		s.call(r, q)
	case escrow.Ask:
		if q.needed {
			s.refuse(r, q)
			return
		}
		q.needed = true
		r.Need(q.key.name, q.hold, false, s.now)
		s.wait(r, q)
	case escrow.UsedUp:
		s.UsedUp++
		s.IdleAtEnd = append(s.IdleAtEnd, s.idle(r, q))
	default:
		s.refuse(r, q)
	}
}

// refuse notes a refusal for a second.
func (s *run) refuse(r *replica, q *request) {
	s.Short++
	s.Idle = append(s.Idle, s.idle(r, q))
}

// idle is what others have of a budget meanwhile.
func (s *run) idle(r *replica, q *request) int {
	var idle int64
	for _, other := range s.replicas {
		if other != r && !other.dead {
			idle += other.Free(q.key.name)
		}
	}
	return int(idle * 10_000 / q.key.limit)
}

// call makes a call, which is billed as soon as it is made.
func (s *run) call(r *replica, q *request) {
	s.Served++
	r.Take(q.key.name, q.hold, s.now)
	before := max(q.key.billed-q.key.limit, 0)
	q.key.billed += q.cost
	s.Over += max(q.key.billed-q.key.limit, 0) - before
	process := r.Replica
	s.in(q.takes, func() {
		if r.Replica == process && !r.dead {
			r.Settle(q.key.name, q.hold, q.cost, s.now)
			s.look(r)
		}
	})
}

// look has a replica make its next statement when it is due.
func (s *run) look(r *replica) {
	at, ok := r.Due(s.now)
	if at = max(at, s.now); !ok || r.dead || r.due != 0 && r.due <= at {
		return
	}
	r.due = at
	process := r.Replica
	s.in(at-s.now, func() {
		if r.Replica != process || r.dead || r.due != at {
			return
		}
		r.due = 0
		if again, ok := r.Due(s.now); ok && again <= s.now {
			s.send(r)
			return
		}
		s.look(r)
	})
}

// send sends a statement. If no answer comes in time it is given up.
func (s *run) send(r *replica) {
	st := r.State(s.now)
	s.Statements++
	s.span().Statements++
	s.Why[reason(st)]++
	s.Lines += len(st.Lines)
	for _, q := range r.waiting {
		if q.number == 0 {
			q.number = st.Number
		}
	}
	process := r.Replica
	answered := false
	times := 1
	if s.random.Float64() < s.Doubled {
		times = 2
	}
	for range times {
		s.deliver(func() {
			a := s.database.Exchange(st, s.now)
			s.deliver(func() {
				if r.Replica != process || r.dead {
					return
				}
				answered = answered || a.Outcome == escrow.Executed
				if r.Learn(a, s.now); answered {
					s.retry(r, a.Number)
				}
				s.look(r)
			})
		})
	}
	s.in(patience, func() {
		if r.Replica == process && !r.dead && !answered {
			r.GiveUp(s.now)
			s.look(r)
		}
	})
}

// span is that which runs.
func (s *run) span() *Span {
	for n := int(s.now / (10 * time.Second)); len(s.Spans) <= n; {
		s.Spans = append(s.Spans, Span{})
	}
	return &s.Spans[s.now/(10*time.Second)]
}

// reasons are why a statement is made.
var reasons = [...]string{"a key is new", "a slice is spent", "for a request that a limit holds up", "ahead of need", "to give back", "for units to keep", "other"}

// reason is the first of the reasons that one of the lines has.
func reason(st *escrow.Statement) int {
	first := len(reasons) - 1
	for i := range st.Lines {
		l := &st.Lines[i]
		switch {
		case l.Wants && l.Need > 0 && l.Keep == 0:
			first = 0
		case l.Wants && l.Need > 0:
			first = min(first, 1)
		case l.Wants:
			first = min(first, 3)
		default:
			first = min(first, 4)
		}
	}
	for i := range st.Rates {
		if st.Rates[i].Need > 0 {
			first = min(first, 2)
		} else {
			first = min(first, 5)
		}
	}
	return first
}

// deliver has something happen at the other side, perhaps late, perhaps never.
func (s *run) deliver(do func()) {
	if s.random.Float64() < s.Lost {
		return
	}
	after := oneWay + time.Duration(s.random.ExpFloat64()*float64(oneWay))
	if s.random.Float64() < s.Delayed {
		after += late
	}
	s.in(after, do)
}

// retry tries requests again that waited for the answer to a statement.
func (s *run) retry(r *replica, number int64) {
	waiting := r.waiting
	r.waiting = nil
	for _, q := range waiting {
		switch {
		case q.number == 0 || q.number > number:
			r.waiting = append(r.waiting, q)
		case s.now <= q.until:
			s.try(r, q)
		default:
			s.Unanswered++
		}
	}
}

// poll is what a replica does each second.
func (s *run) poll(r *replica) {
	s.in(polling, func() { s.poll(r) })
	if r.dead {
		return
	}
	r.Hear(s.database.Poll(r.Question(), s.now), s.now, s.now)
	r.Tidy(s.now)
	s.look(r)
}

// drain ends all, without faults. Then all that was not used has to be back.
func (s *run) drain() {
	s.Lost, s.Doubled, s.Delayed = 0, 0, 0
	s.play(s.now + absence + time.Minute)
	for _, r := range s.replicas {
		r.Drain(s.now)
		s.look(r)
	}
	s.play(s.now + time.Minute)
	for i := range s.keys {
		granted, used, err := s.database.Books(s.keys[i].name)
		switch {
		case err != nil:
			s.Wrong = append(s.Wrong, err.Error())
		case granted != used:
			s.Wrong = append(s.Wrong, fmt.Sprintf("of %s, %d is still granted, and %d was used", s.keys[i].name.Budget, granted, used))
		case used < s.keys[i].billed:
			s.Wrong = append(s.Wrong, fmt.Sprintf("of %s, %d was used by the books, and %d was billed", s.keys[i].name.Budget, used, s.keys[i].billed))
		}
	}
}

// String is the report as a few lines.
func (r *Report) String() string {
	var b strings.Builder
	per := func(n int) float64 { return float64(n) * 1000 / float64(max(r.Requests, 1)) }
	fmt.Fprintf(&b, "%d requests: %d served, %d refused for good, %d for a second, %d by limits, %d unanswered\n", r.Requests, r.Served, r.UsedUp, r.Short, r.Limited, r.Unanswered)
	fmt.Fprintf(&b, "%.1f statements and %.1f lines per 1,000 requests, %.1f waited\n", per(r.Statements), per(r.Lines), per(r.Waited))
	for i, reason := range reasons {
		fmt.Fprintf(&b, "%.1f %s, ", per(r.Why[i]), reason)
	}
	fmt.Fprintf(&b, "overspent by %d nanodollars\n", r.Over)
	average, p95 := r.idleAtRefusals()
	fmt.Fprintf(&b, "idle in other replicas at refusals: %.2f %% of the budget on average, %.2f %% at p95\n", average, p95)
	return b.String()
}

// idleAtRefusals is what others had and did not use when a budget refused, in percent of it.
func (r *Report) idleAtRefusals() (average, p95 float64) {
	idle := slices.Sorted(slices.Values(slices.Concat(r.Idle, r.IdleAtEnd)))
	if len(idle) == 0 {
		return 0, 0
	}
	sum := 0
	for _, n := range idle {
		sum += n
	}
	return float64(sum) / float64(len(idle)) / 100, float64(idle[len(idle)*95/100]) / 100
}
