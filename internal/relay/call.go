package relay

import (
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/trace"
)

// Call is one call to an upstream and how it went. An attempt makes one, or several: a chat for each prompt of a legacy
// request, or a part of the inputs of an embeddings request.
type Call struct {
	Target     *route.Target
	Credential int
	Span       trace.SpanID  // the call's own in the request's trace, 0 if no traces are recorded
	Attempt    int           // the number of the attempt that made it; the request's first is 1
	Prompt     int64         // about how many tokens it reads
	Answers    bool          // it writes tokens, as embeddings do not
	Uncounted  bool          // its provider does not count reasoning among the tokens that callers allow an answer
	Waited     time.Duration // of the request, for places at targets, before its first call
	Started    time.Time
	First      time.Duration // from the start to the first content, 0 without any
	Duration   time.Duration // of the whole call, including the reading of its answer
	Outcome    string        // in the words of route.Outcome; "" while it is under way
	Ends       Ends
	Status     int    // of the upstream's answer, 0 without one
	RequestID  string // the upstream's own
	AnsweredBy string // the model, as the upstream's answer names it, at most 128 bytes; "" if it does not
	Err        error  // the cause of a failure, for the log
	Said       string // the upstream's own words about it, masked; they may repeat the prompt

	Usage     llm.Usage // what the call took, however it ended
	HasUsage  bool
	Estimated bool         // the upstream did not report Usage, so Weir counted
	Charge    money.Charge // what that costs; nothing without a usage

	Passed []Passed // of the first call of an attempt: the targets that were passed over so far

	entry Entry // where it is recorded; nil if nowhere
}

// Passed is a target that was passed over, and why.
type Passed struct {
	Target *route.Target
	Why    route.Skip
}

// Failed reports whether a call that has ended did not answer. One that lost a race did not fail.
func (c *Call) Failed() bool {
	return c.Outcome != route.Answered.String() && c.Outcome != route.Lost.String()
}

// Ends says what is special about how a call ended, as far as it matters for what it is charged.
type Ends uint8

// How a call may end. Several may be true at once.
const (
	Unsent    Ends = 1 << iota // no connection was made
	InDoubt                    // it was sent and not answered: the prompt may have been read
	Truncated                  // the upstream ended its answer too soon
	Cancelled                  // the caller left, or a call beside it failed
	Cut                        // Weir ended it
	TimedOut                   // a limit of time passed
)

// String is for tests.
func (e Ends) String() string {
	var set []string
	for i, name := range [...]string{"unsent", "in doubt", "truncated", "cancelled", "cut", "timed out"} {
		if e&(1<<i) != 0 {
			set = append(set, name)
		}
	}
	return strings.Join(set, ", ")
}

// Account records the calls that are made for a request. It may be called from several goroutines.
type Account interface {
	// Open is called before a call is made, with what it is going to send. If it must not be made, Open returns why.
	Open(c *Call, sent Sent) (Entry, *Refused)
}

// Refused is why a call must not be made.
type Refused struct {
	Err  *llm.Error // for the caller, unless another target answers
	Skip route.Skip // why the target is passed over; with NotSkipped the request ends
	Rank int        // if all targets are passed over, the caller gets the error of the least rank
}

// Entry is the record of one call.
type Entry interface {
	// Settle is called once, when the call has ended, however it did. All of the call is known then. Of an answer that is whole
	// nothing has been sent by then, or all but its last bytes if it is a stream. The call must not be kept.
	Settle(c *Call)
}

// Growing is an Entry that bounds what a stream may say.
type Growing interface {
	// Wrote is called when about so many tokens of an answer have been sent to the caller: first with the first content, and then whenever
	// there are as many as next said. An error ends the stream.
	Wrote(tokens int64) (next int64, err *llm.Error)
}

// end completes a call: f is how it failed, nil if it was answered.
func (c *Call) end(f *failure) {
	c.Duration, c.Outcome = time.Since(c.Started), route.Answered.String()
	if f == nil {
		return
	}
	c.Outcome, c.Err, c.Said = f.outcome.String(), f.cause, f.said
	c.Ends |= f.ends
	if c.Status == 0 { // there was nothing to be cut short
		c.Ends &^= Truncated
	}
	if c.HasUsage || !f.ran(c.Status) {
		return
	}
	if f.outcome == route.Failed && c.Status == 0 {
		c.Ends |= InDoubt
	}
	c.Usage, c.HasUsage, c.Estimated = llm.Usage{Fresh: c.Prompt, Tier: c.Usage.Tier, Absurd: c.Usage.Absurd}, true, true
	c.Charge = c.Target.Facts.Price.Charge(&c.Usage, false)
}

// close has a copy of a call that is under way say how it will have ended.
func (c *Call) close(answers bool) {
	if c.Outcome != "" {
		return
	}
	c.Duration, c.Outcome = time.Since(c.Started), route.Lost.String()
	if answers {
		c.Outcome = route.Answered.String()
	}
}
