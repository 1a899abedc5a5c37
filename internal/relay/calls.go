package relay

import (
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/route"
)

// Call is one call to an upstream and how it went. An attempt makes one, or several: a chat for each prompt of a legacy
// request, or a part of the inputs of an embeddings request.
type Call struct {
	Target     *route.Target
	Credential int
	Attempt    int // the number of the attempt that made it; the request's first is 1
	Started    time.Time
	Duration   time.Duration // of the whole call, including the reading of its answer
	Outcome    string        // in the words of route.Outcome; "" while it is under way
	Status     int           // of the upstream's answer, 0 without one
	RequestID  string        // the upstream's own
	AnsweredBy string        // the model, as the upstream's answer names it, at most 128 bytes; "" if it does not
	Err        error         // the cause of a failure, for the log
	Said       string        // the upstream's own words about it, masked; they may repeat the prompt

	Usage     llm.Usage // what the call took, however it ended
	HasUsage  bool
	Estimated bool         // the upstream did not report Usage, so Weir counted
	Charge    money.Charge // what that costs; nothing without a usage
}

// calls are all calls made for one request, in the order of their start. The two attempts of a race share them, so each
// change is made under the lock. It is safe for concurrent use; list is for when all have ended.
type calls struct {
	mu       sync.Mutex // guards what follows, and every Call in it
	all      []*Call
	attempts int  // that have begun
	settled  bool // the account of the request was handed over

	// Where the first is kept: most requests make no other.
	first [1]Call
	only  [1]*Call
}

// attempt is the number of an attempt that begins.
func (c *calls) attempt() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.attempts++
	return c.attempts
}

// begin adds a call.
func (c *calls) begin(call Call) *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	added := &c.first[0]
	if len(c.all) > 0 {
		added = new(Call)
	} else {
		c.all = c.only[:0]
	}
	*added = call
	c.all = append(c.all, added)
	return added
}

// heard notes what the head of an answer says.
func (c *calls) heard(call *Call, status int, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call.Status, call.RequestID = status, id
}

// took notes the usage of a call, and its charge; reported is false if only the tier is known.
func (c *calls) took(call *Call, u *llm.Usage, charge money.Charge, reported, estimated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call.Usage, call.Charge, call.HasUsage, call.Estimated = *u, charge, reported, estimated
}

// named notes which model answers.
func (c *calls) named(call *Call, model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call.AnsweredBy = model
}

// end ends a call, unless it has ended: f is how it failed, nil if it was answered.
func (c *calls) end(call *Call, f *failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endLocked(call, f)
}

func (c *calls) endLocked(call *Call, f *failure) {
	if call.Outcome != "" {
		return
	}
	call.Duration, call.Outcome = time.Since(call.Started), route.Answered.String()
	if f != nil {
		call.Outcome, call.Err, call.Said = f.outcome.String(), f.cause, f.said
	}
}

// endAttempt ends the calls of an attempt that have not ended.
func (c *calls) endAttempt(attempt int, f *failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.all {
		if call.Attempt == attempt {
			c.endLocked(call, f)
		}
	}
}

// tried are the calls in the order of their start, except those of the attempt that answers last; 0 is none. Another one
// that is still under way then has lost, though it may not know it yet. They are copies, unless there is only one.
func (c *calls) tried(answering int) []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) == 1 {
		c.first[0].close(c.first[0].Attempt == answering)
		return c.first[:]
	}
	all := make([]Call, 0, len(c.all))
	for _, last := range [...]bool{false, true} {
		for _, call := range c.all {
			if (call.Attempt == answering) == last {
				all = append(all, *call)
				all[len(all)-1].close(last)
			}
		}
	}
	return all
}

// close has a call that is under way say how it will have ended.
func (c *Call) close(answers bool) {
	if c.Outcome != "" {
		return
	}
	c.Duration, c.Outcome = time.Since(c.Started), route.Lost.String()
	if answers {
		c.Outcome = route.Answered.String()
	}
}

// used is what the calls of an attempt took.
func (c *calls) used(attempt int) (u llm.Usage, reported, estimated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.all {
		if call.Attempt == attempt {
			u.Add(&call.Usage)
			reported, estimated = reported || call.HasUsage, estimated || call.Estimated
		}
	}
	return u, reported, estimated
}

// cost is what all calls cost together, so far. It is known if it is of each that took anything.
func (c *calls) cost() (sum llm.Cost) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.all {
		switch {
		case !call.HasUsage:
		case call.Charge.Source == money.Unpriced:
			return llm.Cost{}
		default:
			sum = llm.Cost{Nanodollars: min(sum.Nanodollars+min(call.Charge.Cost, llm.MaxCost), llm.MaxCost), Known: true}
		}
	}
	return sum
}

// settle reports whether the account is still to be handed over, which it is once.
func (c *calls) settle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.settled
	c.settled = true
	return first
}

// count is how many attempts were made.
func (c *calls) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.attempts
}
