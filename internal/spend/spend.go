// Package spend makes the calls of a request hold what they may take of the budgets of its key and team, at the price of each call's target. It
// reads from the ledger what was spent before.
package spend

import (
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
)

// Recorder records the calls that budgets have room for.
type Recorder interface {
	// Record is relay.Account's Open for a call for which so much is held. It may be called from several goroutines.
	Record(c *relay.Call, held budget.Take) (relay.Entry, *relay.Refused)
}

// Request is the account of one request. It implements relay.Account.
type Request struct {
	Account Recorder // nil records nothing
	Book    *budget.Book
	Seen    *budget.Seen

	Key, Team string // their ids; Team is "" for a key without one
	TeamName  string
	Model     string          // the logical model that serves the request
	Media     bool            // the prompt has what is no text
	Tools     bool            // it has tools, or a schema of the answer
	Stream    bool            // the answer is to stream, which may take minutes
	Unpriced  budget.Unpriced // what a call costs whose price is unknown
}

// Open implements relay.Account. Each call holds what it can take itself: it may be one for some of the prompts, or of the inputs, of a request.
func (r *Request) Open(c *relay.Call, sent relay.Sent) (relay.Entry, *relay.Refused) {
	e := &entry{request: r}
	if why := r.holdFor(e, c, sent); why != nil {
		return nil, why
	}
	if r.Account != nil {
		inner, why := r.Account.Record(c, e.hold.Held())
		if why != nil {
			r.Book.Settle(&e.hold, budget.Amount{})
			return nil, why
		}
		e.inner = inner
	}
	r.Seen.Began(r.Key, r.Model)
	return e, nil
}

// holdFor is hold, where a stack that grows by it does not stay so for long.
func (r *Request) holdFor(e *entry, c *relay.Call, sent relay.Sent) *relay.Refused {
	if r.Stream {
		return r.holdAside(e, c, sent)
	}
	return r.hold(e, c, sent)
}

// hold holds what a call may take, or says why that cannot be.
func (r *Request) hold(e *entry, c *relay.Call, sent relay.Sent) *relay.Refused {
	need, ok := r.need(e, c, &sent)
	if !ok {
		return &relay.Refused{Err: noRoom()}
	}
	if refusal := r.Book.Hold(&e.hold, r.Key, r.Team, &need, c.Started); refusal != nil {
		return r.refused(refusal)
	}
	return nil
}

// holdAside is hold in a goroutine of its own. A stream keeps the stack that it once took: with what is deep on it that is 16 KiB in place of
// 8. A panic is the caller's.
func (r *Request) holdAside(e *entry, c *relay.Call, sent relay.Sent) (why *relay.Refused) {
	ended := make(chan any)
	go func() {
		defer func() { ended <- recover() }()
		why = r.hold(e, c, sent)
	}()
	if panicked := <-ended; panicked != nil {
		panic(panicked)
	}
	return why
}

// Refuses says why Open would refuse a call now, nil if it would not. Nothing is held or recorded.
func (r *Request) Refuses(c *relay.Call, sent relay.Sent) *relay.Refused {
	need, ok := r.need(&entry{}, c, &sent)
	if !ok {
		return &relay.Refused{Err: noRoom()}
	}
	if refusal := r.Book.Refuses(r.Key, r.Team, &need, c.Started); refusal != nil {
		return r.refused(refusal)
	}
	return nil
}

// need is what a call may take, by what it sends, which e keeps. It returns false if memory has no room to read that.
func (r *Request) need(e *entry, c *relay.Call, sent *relay.Sent) (n budget.Need, ok bool) {
	e.prompt = budget.Prompt{Opaque: r.Media, Tools: r.Tools, Estimate: c.Prompt}
	answer := budget.Answer{None: !c.Answers, Media: true}
	if !sent.Outline(func(outline []byte) { read(outline, sent.Dialect, &e.prompt, &answer) }) {
		return n, false
	}
	e.prompt.Bytes = sent.Len()
	e.answers = answer.N
	facts := &c.Target.Facts
	target := budget.Target{
		Price: facts.Price, Unpriced: r.Unpriced, Context: int64(facts.Context), MaxInput: int64(facts.MaxInput), MaxOutput: int64(facts.MaxOutput),
		Uncounted: c.Uncounted, Added: r.Seen.Added(nameOf(c.Target)),
	}
	return budget.Assess(&e.prompt, &answer, &target, r.Seen.Habit(r.Key, r.Model)), true
}

func nameOf(t *route.Target) budget.TargetName {
	return budget.TargetName{Provider: t.Provider, Model: t.Model}
}

// refused is a budget's refusal as relay has it. Of several targets' refusals, the caller gets the one that ends soonest.
func (r *Request) refused(why *budget.Refusal) *relay.Refused {
	err := &llm.Error{Message: why.Message(r.TeamName)}
	skip := route.BudgetFull
	switch why.Why {
	case budget.Reserved:
		err.Kind, err.RetryAfter = llm.RequestLimit, time.Second
		err.Message += " Please try again in 1s."
	case budget.Unanswered:
		err.Kind, err.RetryAfter = llm.LedgerUnavailable, time.Second
	case budget.UsedUp:
		err.Kind, err.NoRetry = llm.BudgetUsedUp, true
	case budget.NoPrice:
		err.Kind, err.NoRetry, skip = llm.PriceUnknown, true, route.Unpriced
	case budget.Exceeds:
		err.Kind = llm.ExceedsLimit
	}
	return &relay.Refused{Err: err, Skip: skip, Rank: int(why.Why)}
}

// entry is one call.
type entry struct {
	request *Request
	inner   relay.Entry // nil if nothing records the call
	hold    budget.Hold
	prompt  budget.Prompt
	answers int64
}

// noRoom is the error of a request whose body does not fit into memory once more.
func noRoom() *llm.Error {
	return &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is short of memory for a request of this size at the moment. Send it again."}
}

// Holds implements relay.Holding.
func (e *entry) Holds() money.Nano { return e.request.Book.HeldBy(&e.hold).Money }

// Wrote implements relay.Growing.
func (e *entry) Wrote(tokens int64) (next int64, err *llm.Error) {
	if next = e.hold.Next(); tokens < next {
		return next, nil
	}
	if !e.request.Book.Grow(&e.hold, tokens) {
		return 0, &llm.Error{Kind: llm.BudgetUsedUp, NoRetry: true, Message: "The answer was ended here: a budget of this key, or of its team, has no room for more of it."}
	}
	return e.hold.Next(), nil
}

// Settle implements relay.Entry.
func (e *entry) Settle(c *relay.Call) {
	defer e.request.Book.Ending(e.request.Key, e.request.Team).Done()
	defer e.request.settle(e, c) // also if what is recorded before it panics
	if e.inner != nil {
		e.inner.Settle(c)
	}
}

// settle charges the budgets, and remembers what a whole answer took.
func (r *Request) settle(e *entry, c *relay.Call) {
	r.Book.Settle(&e.hold, r.took(c))
	if c.Outcome != route.Answered.String() || !c.HasUsage {
		r.Seen.Ended(r.Key, r.Model, nil)
		return
	}
	r.Seen.Ended(r.Key, r.Model, &budget.Call{
		Counted: c.Estimated, Target: nameOf(c.Target), Prompt: &e.prompt, Answers: e.answers, Input: c.Usage.Input(), Output: c.Usage.Output(),
	})
}

// took is what the call is charged. Without a price that is what the config says, unless the provider stated what it bills.
func (r *Request) took(c *relay.Call) budget.Amount {
	if !c.HasUsage {
		return budget.Amount{}
	}
	amount := budget.Amount{Money: c.Charge.Cost, Tokens: c.Usage.Input() + c.Usage.Output()}
	if c.Charge.Source == money.Unpriced {
		amount.Money = r.Unpriced.Cost
	}
	return amount
}
