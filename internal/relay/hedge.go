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

// race supervises the running attempts: the handler's, and for a late stream a second one, in its own goroutine. Each has a run with
// a context of its own. They share the caller's request, the sink, the result, the calls and the race. The first content decides,
// and only the winner writes its answer to the result. With one attempt all is the same: it wins.
//
// A race is used again for each attempt of the handler. What only calls need of the request is let go of when no other is under way.
type race struct {
	outer context.Context // the request's
	late  *time.Timer     // begins the second; nil if none may
	done  chan struct{}   // closed when the second has ended

	first, second *run                       // second is nil until it begins; it is touched by its goroutine alone until done
	quit          [2]context.CancelCauseFunc // end the first and the second

	mu sync.Mutex // guards what follows, and first.tries
	standing
}

// standing is the state of a race.
type standing struct {
	winner   *run
	refused  *run // whose target found the request itself at fault, so that the other's answer is not waited for; nil mostly
	running  int  // how many of the two have not ended
	closed   bool // the first has ended: no second attempt is made any more
	counted  bool // the second was made
	forget   bool // letGo waits for the loser to end
	failure  *failure
	panicked any
}

// begin has the handler's next attempt run.
func (c *race) begin(r *run) {
	c.outer, c.late, c.done = r.ctx, nil, nil
	c.first, c.second, c.quit = r, nil, [2]context.CancelCauseFunc{}
	c.standing = standing{running: 1}
}

// errLost is the cause that ends the context of the loser.
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
	r, c := a.run, a.run.race
	switch {
	case r != c.first:
		c.hedged()
		return
	case r.sink == nil, c.late != nil:
		return
	}
	after, ok := r.tries.Late(a.try)
	if !ok {
		return
	}
	c.done = make(chan struct{})
	r.ctx, c.quit[0] = context.WithCancelCause(r.ctx)
	c.late = time.AfterFunc(after, c.run)
}

// hedged counts the second attempt, when it is made. For targets that cannot be sent the request, no attempt is
// made.
func (c *race) hedged() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.counted {
		c.counted = true
		c.first.result.Hedges++
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

// ended records that one of the two attempts has ended.
func (c *race) ended(r *run, try route.Try, o route.Outcome, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first.tries.Ended(try, o, wait, time.Now())
	c.running--
	c.closed = c.closed || r == c.first
	if c.winner == nil && c.refused == nil && (o == route.Refused || o == route.Moderated && c.first.tries.Over()) {
		c.refused = r
		c.stop(1 - c.lane(r))
	}
	if c.forget && r != c.winner { // which may end before the loser knows that it has lost
		c.letGo()
	}
}

// wins decides for r if nothing is decided yet, and reports whether it is r that answers.
func (r *run) wins() bool {
	c := r.race
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.winner == nil && c.refused == nil {
		c.winner = r
		if r == c.second {
			r.result.HedgesWon++
		}
		c.stop(1 - c.lane(r))
	}
	return c.winner == r
}

// beaten reports whether another attempt decides what is answered.
func (r *run) beaten() bool {
	c := r.race
	c.mu.Lock()
	defer c.mu.Unlock()
	decides := cmp.Or(c.winner, c.refused)
	return decides != nil && decides != r
}

// outrun is how an attempt ends that was beaten, and that would have failed otherwise. One that was late is known to be at least as slow as
// this.
func (a *attempt) outrun(f *failure) *failure {
	if now := time.Now(); a.run == a.run.race.first {
		a.try.Waited(now.Sub(a.started), now)
	}
	return &failure{outcome: route.Lost, target: a.target, cause: errLost, ends: f.ends & Unsent}
}

// steps are the targets that were considered so far.
func (r *run) steps() []route.Step {
	c := r.race
	c.mu.Lock()
	defer c.mu.Unlock()
	steps := c.first.tries.Steps()
	if c.second != nil { // which may add one
		steps = slices.Clone(steps)
	}
	return steps
}

// passed are the targets that were passed over so far: none for most requests.
func (r *run) passed() (all []Passed) {
	c := r.race
	if c == nil { // it is only asked what a request would meet
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	steps := c.first.tries.Steps()
	for i := range steps {
		if s := &steps[i]; s.Skip != route.NotSkipped {
			all = append(all, Passed{s.Target, s.Skip})
		}
	}
	return all
}

// letGo lets go of what only calls need, once none will be made any more.
func (r *run) letGo() {
	c := r.race
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
	if c.late != nil && !c.late.Stop() {
		<-c.done
	}
}

// stop ends one of the two, if it is under way.
func (c *race) stop(lane int) {
	if quit := c.quit[lane]; quit != nil {
		quit(errLost)
	}
}

// leave ends the second attempt if a panic takes the handler away from it.
func (r *run) leave() {
	c := r.race
	c.mu.Lock()
	c.closed = true
	c.stop(1)
	c.mu.Unlock()
	c.join()
}

// finish waits for the second attempt, if there is one, when the first has ended, and reports whether the request is over.
func (r *run) finish(f *failure) (over bool) {
	c := r.race
	c.join()
	r.ctx, c.late = c.outer, nil
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
