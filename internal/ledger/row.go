// Package ledger is the durable account: one row for each call to an upstream. A call is written to a journal on the local disk before
// it is made (its Intent) and when it ends (its Settlement). Rows go from there to the store in the background.
package ledger

import (
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// Seq numbers the calls of one instance. It rises with time: it is the time of the intent in microseconds since 1970, or one more than
// the last number if that is greater. No number is used twice, also not after a crash or with a clock that was set back.
type Seq int64

// Before is what the row of an opening balance corrects: what was spent before the first call, elsewhere.
const Before Seq = 1

// Tag is a name and a value that a caller put on its request.
type Tag struct{ Name, Value string }

// Intent is what is known of a call before it is made.
type Intent struct {
	Request  string // the id of the request, without its prefix: 26 characters that rise with time
	ClientID string // the caller's own id of the request, "" without one; at most 128 bytes
	Try      int    // the number of the attempt that makes the call, from 1
	Call     int    // the number of the call among those of its request, from 0; call 0 stands for the request in sums

	Started time.Time
	Key     string // the id of the key
	Team    string // the id of its team, "" without one
	Tags    []Tag

	Model      string // the logical model that serves the request
	Provider   string
	Upstream   string // the provider's own name of the model, at most 128 bytes
	Chosen     bool   // the caller chose Upstream: the config has only a pattern for it. Rows in a store do not say so
	Credential int    // the number of the provider's credential, from 0

	Adjusts Seq    // of a correction: the call that it corrects; 0 for a call
	Reason  string // at most 128 bytes: of a correction, why; of a call, which targets were passed over before it, as PassedOver has it

	Price money.ID   // of the target's price, 0 if that is unknown
	Held  llm.Usage  // what the call is expected to take: a call that leaves no settlement is charged this
	Hold  money.Nano // what Held costs, or more if a budget holds more
}

// Settlement is how a call ended.
type Settlement struct {
	Status  int    // of the upstream's answer, 0 without one
	Outcome string // in the words of route.Outcome
	Flags   Flags
	Source  Source
	Usage   llm.Usage // its Cost is what the provider says it bills

	Cost       money.Nano // what is charged
	CostSource money.Source
	Listed     money.Nano // what Usage costs by the target's price, whatever the provider says

	UpstreamModel string // as the answer names it, at most 128 bytes
	UpstreamID    string // the upstream's own id of the call, at most 128 bytes

	First time.Duration // from the start of the call to the first content, 0 without any
	Took  time.Duration // of the whole call
	Own   time.Duration // what Weir itself took before the call, waiting for the caller and for places not counted
}

// Row is one call in the ledger. It never changes: a correction is another row.
type Row struct {
	Instance string // which Weir made the call
	Seq      Seq
	Intent
	Settlement
}

// Target is what the call was made to, as provider/model.
func (r *Row) Target() string { return r.Provider + "/" + r.Upstream }

// Flags say what is special about a call.
type Flags uint32

// The flags. Their places are in the store, so they keep them.
const (
	Orphaned     Flags = 1 << iota // Weir ended before the call did: it was charged what was held, and may never have left
	Cancelled                      // the caller left, or a call beside it failed
	Cut                            // Weir ended it: a budget, a revocation, the end of a drain
	Truncated                      // the upstream ended its answer too soon
	TimedOut                       // a limit of time passed
	InDoubt                        // it was sent and not answered: the prompt may have been billed
	Unsent                         // no connection was made
	Retry                          // made by a later attempt than the first of its request
	HedgeLoser                     // another call of the same request answered first
	Absurd                         // the upstream's figures cannot be true; they were bounded
	FeeUnpriced                    // it has searches whose price is unknown
	TierUnpriced                   // its service tier has no price: the standard one was taken
	Adjustment                     // it is no call, but the correction of one
)

// flagNames are the flags' words in reports and filters, in the order of their places.
var flagNames = [...]string{
	"orphaned", "cancelled", "cut", "truncated", "timed_out", "in_doubt", "unsent", "retry", "hedge_loser", "absurd", "fee_unpriced", "tier_unpriced", "adjustment",
}

// Names are the words of the flags that are set.
func (f Flags) Names() []string {
	var set []string
	for i, name := range flagNames {
		if f&(1<<i) != 0 {
			set = append(set, name)
		}
	}
	return set
}

// String has the words with commas between them.
func (f Flags) String() string { return strings.Join(f.Names(), ",") }

// Source says where the figures of a usage come from.
type Source uint8

// The sources.
const (
	Reported Source = iota // the provider told them
	Counted                // Weir counted them, wholly or in part
	Reserved               // nothing is known: what was held is charged
)
