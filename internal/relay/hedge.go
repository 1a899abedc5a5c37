package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/route"
)

// race is the attempt at a stream that the handler makes, and a second one that is made beside it if it is late, in a
// goroutine of its own. The first content decides. Each has a run of its own, with a context; both have the
// caller's request, the sink, the result and the race; to the result only the winner writes what it answers. What only calls need of the request is let go of when no other is under way.
type race struct {
	outer context.Context // the request's
	late  *time.Timer     // begins the second
	done  chan struct{}   // closed when the second has ended

	first, second *run                       // second is nil until it begins; it is touched by its goroutine alone until done
	quit          [2]context.CancelCauseFunc // end the first and the second

	mu       sync.Mutex // guards what follows, and first.tries
	winner   *run
	refused  *run // whose target found the request itself at fault, so that the other's answer is not waited for; nil mostly
	running  int  // of the two, that have not ended
	closed   bool // the first has ended: nothing is made beside it any more
	counted  bool // the second was made
	forget   bool // letGo waits for the loser to end
	failure  *failure
	panicked any
}

// errLost is the cause for which the context of the loser ends.
var errLost = errors.New("another target was faster")

// share prepares what two goroutines may ask for at the same time.
func (r *run) share() {
	if r.Route.Model.Hedge.Budget > 0 && r.Memory != nil {
		r.Memory = &sharedMemory{memory: r.Memory}
	}
}

// sharedMemory may be called from several goroutines.
type sharedMemory struct {
	mu     sync.Mutex
	memory Memory
}

// Grow implements Memory.
func (s *sharedMemory) Grow(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.memory.Grow(n)
}

// watchFor has a second attempt begin when the one that begins now is late, if it is a stream and the model wants that.
func (a *attempt) watchFor() {
	r := a.run
	switch {
	case r.race != nil:
		r.race.hedged(r)
		return
	case r.sink == nil:
		return
	}
	after, ok := r.tries.Late(a.try)
	if !ok {
		return
	}
	c := &race{outer: r.ctx, done: make(chan struct{}), first: r, running: 1}
	r.ctx, c.quit[0] = context.WithCancelCause(r.ctx)
	r.race = c
	c.late = time.AfterFunc(after, c.run)
}

// hedged counts the second attempt, when it is made. Of targets that cannot be sent the request none is.
func (c *race) hedged(r *run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r == c.second && !c.counted {
		c.counted = true
		r.result.Hedges++
	}
}

// lane is the number of one of the two.
func (c *race) lane(r *run) int {
	if r == c.first {
		return 0
	}
	return 1
}

// run makes the second attempt. Targets that cannot be sent the request do not count.
func (c *race) run() {
	defer close(c.done)
	defer c.rescue()
	for try, ok := c.enter(); ok; try, ok = c.enter() {
		c.failure = c.second.make(try)
		if c.failure == nil || c.failure.outcome != route.Skipped {
			return
		}
	}
}

// rescue keeps a panic for the handler, whose server knows what to do with it, and ends what the handler does meanwhile.
func (c *race) rescue() {
	p := recover()
	if p == nil {
		return
	}
	if p != http.ErrAbortHandler { //nolint:errorlint // recover gives a value, not an error chain
		p = fmt.Errorf("%v\n%s", p, debug.Stack())
	}
	c.panicked = p
	c.quit[0](errLost)
}

// enter is the second attempt to make.
func (c *race) enter() (route.Try, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.winner != nil || c.outer.Err() != nil {
		return route.Try{}, false
	}
	try, ok := c.first.tries.Beside(time.Now())
	if !ok {
		return route.Try{}, false
	}
	if c.second == nil {
		r := c.first
		c.second = &run{
			Request: r.Request, w: r.w, sink: r.sink, result: r.result, calls: r.calls, race: c,
			images: maps.Clone(r.images), imageBytes: r.imageBytes,
		}
		c.second.ctx, c.quit[1] = context.WithCancelCause(c.outer)
	}
	c.running++
	return try, true
}

// ended is told that one of the two attempts has ended.
func (c *race) ended(r *run, try route.Try, o route.Outcome, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first.tries.Ended(try, o, wait, time.Now())
	c.running--
	c.closed = c.closed || r == c.first
	if c.winner == nil && c.refused == nil && (o == route.Refused || o == route.Moderated && c.first.tries.Over()) {
		c.refused = r
		if quit := c.quit[1-c.lane(r)]; quit != nil {
			quit(errLost)
		}
	}
	if c.forget && r != c.winner { // which may end before the loser knows that it has lost
		c.letGo()
	}
}

// wins decides for r if nothing is decided yet, and reports whether it is r that answers.
func (r *run) wins() bool {
	c := r.race
	if c == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.winner == nil && c.refused == nil {
		c.winner = r
		if r == c.second {
			r.result.HedgesWon++
			c.quit[0](errLost)
		} else if c.second != nil {
			c.quit[1](errLost)
		}
	}
	return c.winner == r
}

// beaten reports whether another attempt decides what is answered.
func (r *run) beaten() bool {
	c := r.race
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	decides := cmp.Or(c.winner, c.refused)
	return decides != nil && decides != r
}

// outrun is how an attempt ends that was beaten. One that was late is known to be at least as slow as this.
func (a *attempt) outrun() *failure {
	if now := time.Now(); a.run == a.run.race.first {
		a.try.Waited(now.Sub(a.started), now)
	}
	return &failure{outcome: route.Lost, target: a.target, cause: errLost}
}

// steps are the targets that were considered so far.
func (r *run) steps() []route.Step {
	c := r.race
	if c == nil {
		return r.tries.Steps()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.first.tries.Steps())
}

// letGo lets go of what only calls need, once none will be made any more.
func (r *run) letGo() {
	c := r.race
	if c == nil {
		r.dropCall()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forget = c.running > 1; !c.forget {
		c.letGo()
	}
}

// letGo does so for both. The lock is held.
func (c *race) letGo() {
	c.takeImages()
	c.first.dropCall()
}

// takeImages has the first own what was fetched for either.
func (c *race) takeImages() {
	if s := c.second; s != nil {
		c.first.images, c.first.imageBytes = s.images, s.imageBytes
		s.images, s.imageBytes = nil, 0
	}
}

// dropCall lets go of the caller's header, the body, and what was fetched for it.
func (r *run) dropCall() {
	r.Caller = nil
	if forgotten := r.Asked.Forget(); r.Memory != nil {
		r.Memory.Grow(-forgotten)
	}
	r.dropImages()
}

// join waits until the second attempt has ended, if it has begun; otherwise it never will.
func (c *race) join() {
	if !c.late.Stop() {
		<-c.done
	}
}

// leave ends the second attempt if a panic takes the handler away from it.
func (r *run) leave() {
	c := r.race
	if c == nil {
		return
	}
	c.mu.Lock()
	c.closed = true
	quit := c.quit[1]
	c.mu.Unlock()
	if quit != nil {
		quit(errLost)
	}
	c.join()
}

// finish waits for the second attempt, if there is one, when the first has ended, and reports whether the request is over.
func (r *run) finish(f *failure) (over bool) {
	c := r.race
	c.join()
	r.race, r.ctx = nil, c.outer
	for _, quit := range c.quit {
		if quit != nil {
			quit(nil)
		}
	}
	if c.panicked != nil {
		panic(c.panicked)
	}
	s := c.second
	if s == nil {
		return f == nil || r.failed(f)
	}
	c.takeImages()
	r.unfit = append(r.unfit, s.unfit...)
	r.lost = cmp.Or(r.lost, s.lost)
	switch {
	case f == nil || c.failure == nil:
		return true
	case c.winner == s: // what the caller reads broke off, and how the first had failed does not matter any more
		return r.failed(c.failure)
	}
	return r.failed(f) || r.failed(c.failure)
}
