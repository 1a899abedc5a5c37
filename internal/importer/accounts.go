package importer

import (
	"fmt"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/money"
)

// Accounts are the keys and teams of a gateway. Its callers go on with the keys that they have, because Weir knows a key by its digest.
type Accounts struct {
	Teams []*Team
	Keys  []*Key
}

// Team is a team of keys.
type Team struct {
	Name   string
	Models []string // patterns; empty allows all
	Limits auth.Limits
	Budget *budget.Policy // nil for none
	Spent  money.Nano     // in the shortest period of the budgets as it is now, by its keys and otherwise
	Longer []PeriodSpent  // in the longer ones, from the shortest on
	Ended  bool           // it is refused
}

// Key is an API key.
type Key struct {
	Name    string
	Digest  auth.Digest
	Team    *Team // nil without one
	Models  []string
	Limits  auth.Limits
	Budget  *budget.Policy
	Expires time.Time     // zero for never
	Spent   money.Nano    // in the shortest period of the budgets as it is now
	Longer  []PeriodSpent // in the longer ones, from the shortest on
	Ended   bool

	Previous      auth.Digest // of the secret before, zero for none
	PreviousUntil time.Time   // until when that works
}

// bounds are the limits and budgets of a key or a team, and what it has spent of these.
type bounds struct {
	limits auth.Limits
	policy *budget.Policy
	spent  money.Nano
	longer []PeriodSpent
	none   bool // they let nothing through
}

// PeriodSpent is what was spent in a period as it is now.
type PeriodSpent struct {
	Period budget.Period
	Spent  money.Nano
}

// Empty reports whether it has neither keys nor teams.
func (a *Accounts) Empty() bool { return len(a.Keys)+len(a.Teams) == 0 }

// mostPatterns is how many patterns of models a key may have.
const mostPatterns = 1000

// patterns are what a key may use, in order and each once. left is how many are too many: a key that may use less than it did is safe, and one that
// may use more is not.
func patterns(all []string) (kept []string, left int) {
	slices.Sort(all)
	kept = slices.Compact(all)
	left = max(len(kept)-mostPatterns, 0)
	return kept[:len(kept)-left], left
}

// tooMany says of a key that it has fewer models than before.
func tooMany(left int) string {
	return fmt.Sprintf("it may use %d models more than a key can list here, and these were left out: give it patterns, such as provider/*", left)
}
