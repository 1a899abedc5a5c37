package importer

import (
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
	Spent  money.Nano     // in the periods of the budgets as they are now, by its keys and otherwise
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
	Expires time.Time // zero for never
	Spent   money.Nano
	Ended   bool

	Previous      auth.Digest // of the secret before, zero for none
	PreviousUntil time.Time   // until when that works
}

// Empty reports whether it has neither keys nor teams.
func (a *Accounts) Empty() bool { return len(a.Keys)+len(a.Teams) == 0 }
