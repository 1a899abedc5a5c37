package relay

import (
	"slices"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/route"
)

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

// begin opens the record of a call that was filled in where room said, and adds it, unless the call must not be made.
func (c *calls) begin(in Account, call *Call, sent Sent) (why *Refused) {
	if in != nil {
		if call.entry, why = in.Open(call, sent); why != nil {
			c.giveBack(call)
			return why
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, call)
	return nil
}

// opens reports whether an attempt has made no call yet.
func (c *calls) opens(attempt int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !slices.ContainsFunc(c.all, func(made *Call) bool { return made.Attempt == attempt })
}

// room is where the next call is kept. It is empty.
func (c *calls) room() *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all != nil {
		return new(Call)
	}
	c.all = c.only[:0]
	return &c.first[0]
}

// giveBack lets the next call be kept where one is that is not made.
func (c *calls) giveBack(unmade *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if unmade == &c.first[0] && len(c.all) == 0 {
		c.all, c.first = nil, [1]Call{}
	}
}

// unmade forgets the attempt that began last if it made no call, and reports whether none has begun then.
func (c *calls) unmade(attempt int) (none bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.attempts == attempt && !slices.ContainsFunc(c.all, func(made *Call) bool { return made.Attempt == attempt }) {
		c.attempts--
	}
	return c.attempts == 0
}

// heard notes what the head of an answer says.
func (c *calls) heard(call *Call, status int, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call.Status, call.RequestID = status, id
}

// took notes the usage of a call, and its charge; reported is false if only the tier is known. What has ended is settled, and stays as it is.
func (c *calls) took(call *Call, u *llm.Usage, charge money.Charge, reported, estimated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if call.Outcome == "" {
		call.Usage, call.Charge, call.HasUsage, call.Estimated = *u, charge, reported, estimated
	}
}

// named notes which model answers.
func (c *calls) named(call *Call, model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if call.Outcome == "" {
		call.AnsweredBy = model
	}
}

// began notes when the first content of a call came.
func (c *calls) began(call *Call, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call.First = at.Sub(call.Started)
}

// end ends a call and settles its record, unless it has ended: f is how it failed, nil if it was answered.
func (c *calls) end(call *Call, f *failure) {
	c.mu.Lock()
	ends := call.Outcome == ""
	if ends {
		call.end(f)
	}
	c.mu.Unlock()
	if ends && call.entry != nil {
		call.entry.Settle(call)
	}
}

// endAttempt ends the calls of an attempt that have not ended.
func (c *calls) endAttempt(attempt int, f *failure) {
	for call := c.running(attempt); call != nil; call = c.running(attempt) {
		c.end(call, f)
	}
}

// running is a call of an attempt that has not ended, nil if all have.
func (c *calls) running(attempt int) *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.all {
		if call.Attempt == attempt && call.Outcome == "" {
			return call
		}
	}
	return nil
}

// tried are the calls in the order of their start, except those of the attempt that answers last; 0 is none. Another one
// that is still under way then has lost, though it may not know it yet. They are copies, unless there is only one, which has ended.
func (c *calls) tried(answering int) []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) == 1 && c.all[0] == &c.first[0] && c.first[0].Outcome != "" {
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

// made is how many calls were made so far.
func (c *calls) made() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.all)
}

// usedAt is what the calls at a target used, without the first ones of all calls.
func (c *calls) usedAt(target *route.Target, without int) (u route.Used) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.all[without:] {
		if call.Target != target {
			continue
		}
		if call.Ends&Unsent == 0 {
			u.Calls++
		}
		u.Input += call.Usage.Input()
		u.Output += call.Usage.Output()
	}
	return u
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
