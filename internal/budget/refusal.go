package budget

import (
	"fmt"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// Why is the reason for a refusal. Those that last longer are greater.
type Why uint8

// The reasons.
const (
	passes     Why = iota
	Reserved       // running calls hold what is left: soon there may be room
	Unanswered     // what is held of a shared budget is spent, and those who share it cannot be asked for more
	UsedUp         // there is no room before the budget is reset
	Exceeds        // the call may take more than the whole budget: only another request may have room
	NoPrice        // the budget is in dollars, and what the call costs is unknown: no request has room before the config is changed
)

// Refusal says which budget has no room for a call.
type Refusal struct {
	Why        Why
	Owner      Owner
	Spec       Spec
	Used, Held int64     // in the budget's unit
	Need       int64     // what the call may take
	Reset      time.Time // when the budget is reset, zero for never
	AtMost     int64     // the largest maximum of an answer for which there would be room, 0 if no maximum is small enough
	Unbound    Unbound   // for Exceeds: what is missing to say what the call may take
}

// lastsLonger reports whether r holds longer than another refusal of the same call.
func (r *Refusal) lastsLonger(other *Refusal) bool {
	if r.Why != other.Why || r.Why != UsedUp {
		return r.Why > other.Why
	}
	return !other.Reset.IsZero() && (r.Reset.IsZero() || r.Reset.After(other.Reset))
}

// Message says to the caller what is wrong and what to do. name is the owner's.
func (r *Refusal) Message(name string) string {
	whose := "this key"
	if r.Owner.Kind == Team {
		whose = fmt.Sprintf("its team `%s`", name)
	}
	budget := fmt.Sprintf("the budget %s of %s", r.Spec, whose)
	switch r.Why {
	case Exceeds:
		return r.exceeds(budget)
	case Unanswered:
		return fmt.Sprintf("Weir cannot find out at the moment what is left of %s, so the request is not served. Send it again later; the operator finds the reason in the log.", budget)
	case NoPrice:
		return fmt.Sprintf("No target that is left for this request has a known price, and %s is in dollars. Set `price` for a target in the config file, or `price_unknown` for the model.", budget)
	case UsedUp:
		said := fmt.Sprintf("Of %s, %s is used up, and this request may take %s. ", budget, r.figure(r.Used), r.figure(r.Need))
		until := "There is"
		if r.Reset.IsZero() {
			said += "It is never reset: ask for a larger one."
		} else {
			said += "It is reset at " + r.Reset.Format(time.RFC3339) + "."
			until = "Until then there is"
		}
		if r.AtMost > 0 {
			said += fmt.Sprintf(" %s room with max_tokens of at most %d.", until, r.AtMost)
		}
		return said
	}
	return fmt.Sprintf("Running requests have reserved what is left of %s. Retry when one of them has ended.", budget)
}

// exceeds is what is said of a call for which the whole budget is too small.
func (r *Refusal) exceeds(budget string) string {
	said := fmt.Sprintf("This request may take %s, more than the whole of %s.", r.figure(r.Need), budget)
	switch r.Unbound {
	case NoLimits:
		return fmt.Sprintf("The model's limits are not known, so nothing bounds what this request may take of %s. Set `context_length` and `max_output_tokens` in the target's `capabilities` in the config file.", budget)
	case NoMaximum:
		said = fmt.Sprintf("Nothing bounds what the answer may take of %s.", budget)
	case Bound:
	}
	if r.AtMost == 0 {
		return said + " No max_tokens is small enough: shorten the prompt, or ask for a larger budget."
	}
	return fmt.Sprintf("%s Set max_tokens to at most %d.", said, r.AtMost)
}

// figure is an amount in the budget's unit.
func (r *Refusal) figure(n int64) string {
	if r.Spec.Unit == Dollars {
		return "$" + money.Dollars(n)
	}
	return strconv.FormatInt(n, 10) + " tokens"
}
