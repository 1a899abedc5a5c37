package daytest

import (
	"container/heap"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/route"
)

// walker decides on the attempts of one request.
type walker interface {
	next(now time.Duration) (c call, ok bool)
	heard(first, now time.Duration)
	ended(a answer, now time.Duration)
}

// call is an attempt to be made.
type call struct {
	provider, credential int
	wait                 time.Duration // before it is made
}

// midnight is when the day begins.
var midnight = time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)

// weir is the code that is tried.
type weir struct {
	attempts route.Attempts
	try      route.Try
}

func newWeir(m *route.Model, b *route.Board, r *request, now time.Duration) *weir {
	w := new(weir)
	w.attempts.Begin(route.Route{Model: m, Targets: m.Targets, Board: b}, &r.ask, midnight.Add(now))
	return w
}

func (w *weir) next(now time.Duration) (c call, ok bool) {
	w.try, ok = w.attempts.Next(midnight.Add(now))
	if !ok {
		return call{}, false
	}
	place := slices.IndexFunc(providers[:], func(p provider) bool { return p.name == w.try.Target.Provider })
	return call{provider: place, credential: w.try.Credential, wait: w.try.Wait}, true
}

func (w *weir) heard(first, now time.Duration) { w.try.Heard(first, midnight.Add(now)) }

func (w *weir) ended(a answer, now time.Duration) {
	if a.outcome == route.Canceled {
		w.try.Silence.Lasted = a.first
	}
	w.attempts.Ended(w.try, a.outcome, a.wait, midnight.Add(now))
}

// plain is what Weir is compared with: the targets in their order, the next for each attempt that failed, the credentials in turn.
// It learns nothing.
type plain struct {
	turns     *[len(providers)]int
	made      int
	succeeded bool
}

func (p *plain) next(time.Duration) (c call, ok bool) {
	if p.succeeded || p.made == len(providers) {
		return call{}, false
	}
	c.provider = p.made
	c.credential = p.turns[c.provider] % providers[c.provider].credentials
	p.turns[c.provider]++
	p.made++
	return c, true
}

func (p *plain) heard(_, _ time.Duration) {}

func (p *plain) ended(a answer, _ time.Duration) { p.succeeded = a.outcome == route.Answered }

// attempt is one that was made.
type attempt struct {
	at       time.Duration
	provider int
	outcome  route.Outcome
}

// story is what became of a request.
type story struct {
	*request
	attempts []attempt
	answered bool
	gaveUp   bool          // the caller, before there was any content
	first    time.Duration // from the request to the first content
	cached   int
	cost     int64

	walk walker // nil when it is over
}

// run is a day with one way of routing.
type run struct {
	name    string
	stories []*story

	begin  func(r *request, now time.Duration) walker
	board  *route.Board // nil for the baseline
	world  *world
	sum    *figures      // sum of the whole day
	known  time.Duration // the outage, to the first provider's breaker; 0 if it never was
	events events
	count  int // number of events
}

// simulate lets the day pass.
func (r *run) simulate(requests []*request) {
	r.stories = make([]*story, len(requests))
	for i, q := range requests {
		for len(r.events) > 0 && r.events[0].at <= q.at {
			r.step()
		}
		s := &story{request: q, walk: r.begin(q, q.at)}
		r.stories[i] = s
		r.next(s, q.at)
	}
	for len(r.events) > 0 {
		r.step()
	}
	r.sum = r.during(0, day)
}

// next begins the request's next attempt, if there is one.
func (r *run) next(s *story, now time.Duration) {
	c, ok := s.walk.next(now)
	if !ok {
		s.walk = nil
		return
	}
	if c.wait == 0 {
		r.call(s, c, now)
		return
	}
	r.after(min(now+c.wait, s.at+s.patience), func(now time.Duration) { r.call(s, c, now) })
}

// call makes an attempt: its result is known at once, and reported when it is due.
func (r *run) call(s *story, c call, now time.Duration) {
	a, left := answer{outcome: route.Canceled}, s.at+s.patience-now
	if left > 0 {
		a = r.world.call(c.provider, c.credential, s.request, now)
	}
	if s.gaveUp = a.first > left || left <= 0; s.gaveUp {
		a = answer{outcome: route.Canceled, first: max(left, 0), whole: max(left, 0)}
	}
	made := len(s.attempts)
	s.attempts = append(s.attempts, attempt{at: now, provider: c.provider, outcome: a.outcome})
	if a.outcome == route.Answered {
		r.after(now+a.first, func(now time.Duration) {
			s.answered, s.first, s.cached, s.cost = true, now-s.at, a.cached, cost(c.provider, s.request, a.cached)
			s.walk.heard(now-s.attempts[made].at, now)
			r.world.keep(c.provider, s.request, now)
		})
	}
	r.after(now+a.whole, func(now time.Duration) {
		s.walk.ended(a, now)
		if a.outcome == route.Canceled {
			s.walk = nil
			return
		}
		r.next(s, now)
	})
}

// event is something that will happen.
type event struct {
	at    time.Duration
	count int // of calls at the same time, the first one goes first
	do    func(now time.Duration)
}

func (r *run) after(at time.Duration, do func(now time.Duration)) {
	heap.Push(&r.events, event{at, r.count, do})
	r.count++
}

func (r *run) step() {
	e := heap.Pop(&r.events).(event)
	e.do(e.at)
	if r.known == 0 && r.board != nil && outage.on(e.at) && r.board.Health(providers[0].name, "m").State(midnight.Add(e.at)).Phase == route.Open {
		r.known = e.at
	}
}

type events []event

func (e events) Len() int { return len(e) }

func (e events) Less(i, k int) bool {
	if e[i].at != e[k].at {
		return e[i].at < e[k].at
	}
	return e[i].count < e[k].count
}

func (e events) Swap(i, k int) { e[i], e[k] = e[k], e[i] }

func (e *events) Push(x any) { *e = append(*e, x.(event)) }

func (e *events) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}
