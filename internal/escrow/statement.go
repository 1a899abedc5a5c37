// Package escrow divides budgets and rates among replicas that share one database (O'Neil, 1986). A replica checks out slices of a budget
// and decides by itself what to spend of them. It is pure: the time is a parameter, and its caller carries statements to the database and
// answers back.
//
// The laws of budgets. They need no clock, no timeout and no detection of failures:
//
//   - A Statement says what a replica keeps and what it wants, absolutely, never as a difference. So any statement heals what lost ones left.
//   - A statement has a number, and no number is used twice. The database executes a statement only if its number is higher than
//     all that it has executed of this epoch. A statement that is executed late, or twice, does nothing.
//   - A replica lowers its own figure before it sends a return, and raises it only by the answer to its latest statement.
//   - At every grant, the sum of all that is granted is at most the budget. So what replicas spend of what they have is, too.
//   - Nothing is given back by time, but by Reclaim, of budgets that may be exceeded. The slice of a replica that is gone stays charged, until it comes back and states what it spent, or
//     until the operator has it forgotten.
//   - Each start of a process has an epoch of its own. The first statement of an epoch states everything that the replica keeps. From then on,
//     statements of earlier epochs do nothing.
//   - A statement says which number was acknowledged last. A database that has executed less has forgotten commits: it
//     does nothing until the replica has stated everything that it keeps, and grants nothing before.
package escrow

import (
	"cmp"
	"time"
)

// Name is one budget in one of its periods.
type Name struct {
	Budget string
	Period int64 // when it began, in seconds since 1970; 0 for a budget that is never reset
}

// Compare orders names as the database locks them.
func (n Name) Compare(other Name) int {
	return cmp.Or(cmp.Compare(n.Budget, other.Budget), cmp.Compare(n.Period, other.Period))
}

// Epoch is one life of a replica: one process on its folder. Later lives have greater epochs, and no two are equal.
type Epoch struct {
	Began   int64  // by some clock, but later than those of all epochs that the folder and the database know
	Process uint64 // random: a copied folder may begin at the same time
}

// Compare orders epochs.
func (e Epoch) Compare(other Epoch) int {
	return cmp.Or(cmp.Compare(e.Began, other.Began), cmp.Compare(e.Process, other.Process))
}

// Statement is one round trip for all budgets and limits in need.
type Statement struct {
	Replica string
	Epoch   Epoch
	Number  int64 // from 1 on in each epoch
	Acked   int64 // the highest number whose answer was believed, 0 for none
	Whole   bool  // the lines are all that the replica has. Such a statement wants nothing
	Lines   []Line
	Rates   []RateLine
	Places  []PlaceLine
}

// Line is what a statement says of one budget. Lines are in the order of their names, and there is one of a name.
type Line struct {
	Name    Name
	Limit   int64 // of the budget, as the replica knows it
	Version int64 // of the change that set the limit; the database keeps the limit with the highest
	Used    int64 // what calls of the replica took in the period
	Keep    int64 // what it used and what it goes on holding; at least Used

	Wants  bool
	Need   int64 // what waiting calls lack
	Least  int64 // what the smallest of them lacks: it is no use to grant less
	Demand int64 // what ten seconds took
	Last   bool  // if no replica has anything outstanding, the smallest call may exceed what is left
}

// Outcome is what the database did with a statement.
type Outcome uint8

// The outcomes.
const (
	Executed   Outcome = iota
	Late               // its number is not higher than the last: it did nothing
	Forgot             // the database lacks what it had acknowledged: it did nothing, and needs a whole statement
	Superseded         // a later process has the replica's name: it did nothing, and nothing of this epoch will
)

// Answer is the database's to one statement.
type Answer struct {
	Epoch    Epoch // as in the statement
	Number   int64 // as in the statement
	Outcome  Outcome
	Last     Epoch         // the epoch that the database knows, for Superseded
	Replicas int64         // how many are there, at least 1
	There    time.Duration // since when this one has been there, by the database's clock
	Grants   []Grant
	Rates    []RateGrant
	Places   []PlaceGrant
}

// Grant answers a line.
type Grant struct {
	Name    Name
	Granted int64 // what the replica has of the budget: what it keeps and what it was given
	Left    int64 // what no replica has; below 0 if the budget was lowered below what is granted
	Used    int64 // what all replicas used, as far as the database knows, with what was spent before there were slices
	Limit   int64
	Version int64 // of the change that set the limit
}

// The figures of the protocol. None of them matters to what is safe.
const (
	Gather      = 2 * time.Millisecond   // how long urgent lines wait for others
	GatherMany  = 20 * time.Millisecond  // the same while most are refused
	GatherCalm  = 100 * time.Millisecond // the same for lines that are not urgent: most go with an urgent one
	Quiet       = 250 * time.Millisecond // after a refusal, a replica does not ask again for so long
	AskAfresh   = time.Second            // the same for what is asked ahead of need
	Doubted     = 10 * time.Second       // after so long a replica asks whether a budget is still used up, if callers are refused
	Idle        = 10 * time.Minute       // after so long without a call, a slice is given back
	MarkedFor   = 2 * time.Second        // how long a budget stays marked as wanted, by the database's clock
	SeenFor     = 10 * time.Second       // a replica that was seen within counts as there, by the database's clock
	demandSpan  = 10                     // seconds
	aheadOfNeed = 2                      // seconds of demand that a replica has in store before it asks
)
