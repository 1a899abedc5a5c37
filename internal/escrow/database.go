package escrow

import (
	"context"
	"errors"
	"time"
)

// ErrUndone is the error of a statement that was not executed, because the database undid it for the sake of others.
var ErrUndone = errors.New("the database undid the statement for another's sake")

// Database is the store that replicas share.
type Database interface {
	// Exchange executes a statement in one transaction and returns its answer. The transaction has three statements, sent together.
	// Each is a statement of its own: one that reads what another changes, in one statement with it, reads what stood there before it
	// waited for the lock. All rows are locked until the end.
	//
	//  1. Number. The replica's row takes epoch and number, if Outcome says Executed; else the others do nothing. The row remembers
	//     whether this transaction took it, since the same statement may come again.
	//  2. Lock. The rows of the budgets are made if they are missing, and locked in the order of their names; those of a whole
	//     statement are all of which the replica has a lease. Each takes the limit of the line, unless it has one of a later version.
	//  3. Grant. Each lease becomes what the line keeps and what Share gives of what others leave; the budget's sums change by
	//     the difference. Of a whole statement, leases that no line names become what was used.
	//
	// After an error it is unknown whether the statement was executed: the replica gives it up. After one that
	// is ErrUndone it was not; the replica may make another at once. The context ends the wait, which need not end the execution.
	Exchange(ctx context.Context, s *Statement) (*Answer, error)

	// Poll answers a replica's question, and notes that the replica is there.
	Poll(ctx context.Context, q Question) (*News, error)

	// Forget charges what a dead replica has outstanding as in doubt, or, if the operator says that it spent nothing more, gives it
	// back. No statement of its epoch does anything from then on. If it comes back, what it states counts instead.
	Forget(ctx context.Context, replica string, unspent bool) error

	// Reclaim gives back what replicas have outstanding of budgets that were not seen for so long, and returns of how many leases. It is the exception to the
	// law that nothing is given back by time, for budgets that may be exceeded: by what such a replica spends after all, and no more, since what it has not
	// spent by its next statement is over. Its statements say what it used, as usual.
	Reclaim(ctx context.Context, names []Name, after time.Duration) (leases int, err error)
}

// Room is what Share knows of a budget.
type Room struct {
	Left      int64 // what is not granted
	Holders   int64 // replicas that have something outstanding of it, with the one that asks
	Replicas  int64 // that are there
	Contested bool  // another replica lacked some of it lately
}

// Share is how much of a budget a line is given: what is needed, or, if more, ten seconds of demand or a (4 × replicas)-th of what is left, but of that at most
// the (2 × holders)-th. So a budget costs few statements however many calls there are, and goes by single calls near its end. What others lack
// is not stored. If not all that is needed is left, what is left is given if a call can use it.
func Share(l *Line, room Room) int64 {
	switch {
	case !l.Wants || room.Left <= 0 || room.Left < l.Least:
		return 0
	case room.Left < l.Need:
		return room.Left
	case room.Contested:
		return l.Need
	}
	store := max(l.Demand, room.Left/(4*room.Replicas))
	return max(l.Need, min(store, room.Left/(2*room.Holders)))
}

// outcome is what the first of the three statements decides, by what the replica's row has.
func (s *Statement) outcome(epoch Epoch, number int64) Outcome {
	switch c := s.Epoch.Compare(epoch); {
	case c < 0:
		return Superseded
	case c > 0 && !s.Whole:
		return Forgot // not even the replica's row is known, or it is an earlier process's
	case c > 0:
		return Executed
	case s.Number <= number:
		return Late
	case number < s.Acked && !s.Whole:
		return Forgot
	}
	return Executed
}
