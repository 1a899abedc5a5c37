package route

// Outcome is what became of an attempt. It decides what may be tried next, and whose health it speaks of.
type Outcome uint8

// The outcomes.
const (
	Answered        Outcome = iota
	Skipped                 // no call was made
	Unreachable             // no connection: nothing was sent
	TimedOut                // first_token or idle passed, or the model's limit of a whole request
	Failed                  // reset, 5xx, 408 and the like, an error inside a 200, a stream cut short
	Malformed               // a 200 that is no answer, or an unexpected status
	Overloaded              // 503, 529, 498
	RateLimited             // 429
	BadCredential           // our credential was refused, or its account is out of money
	StaleCredential         // it was refused before its end, and a fresh one takes its place
	Denied                  // 403: this credential may not do this
	Misconfigured           // 404, 405, a redirect, a web page
	NoSuchModel             // the upstream itself says that it has no such model
	TooLong                 // 413 or a prompt beyond the context window: another target may still take it
	Refused                 // the request itself is at fault: no target is asked again
	Moderated               // the upstream's rules forbid what the request says
	Crowded                 // Weir has no room in memory for the answer, or no file for the connection
	Canceled                // the request ended first: the client is gone, or the time that it gave was up
	Lost                    // another attempt that raced it was the first to answer
	OutOfBudget             // Weir ended it: a budget has no room for more of its answer
)

// String is the word in logs and metrics.
func (o Outcome) String() string {
	return [...]string{
		"ok", "skipped", "unreachable", "timeout", "failed", "malformed", "overloaded", "rate_limited", "credential", "stale_credential", "denied",
		"misconfigured", "model_not_found", "too_long", "refused", "moderated", "no_memory", "canceled", "lost", "budget",
	}[o]
}
