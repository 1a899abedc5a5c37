package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// Store keeps rows for good. Its methods may be called concurrently.
type Store interface {
	// Ship adds rows, what they add to the sums, and the position up to which the journal has been shipped, all in one transaction.
	// A row that is there already, by its instance and Seq, is left out of everything: a shipment may be repeated. A store whose position
	// is before From does nothing and returns a ForgotError.
	Ship(ctx context.Context, s *Shipment) error
	// Shipped returns how far an instance's journal has been shipped, zero for one that the store does not know, and the greatest Seq that
	// rows of any instance have had: a new journal, as beside a restored copy, goes on after it.
	Shipped(ctx context.Context, instance string) (Position, Seq, error)
}

// Shipment is what goes to the store at once.
type Shipment struct {
	Instance string
	Rows     []Row      // in the order of their Seq
	Prices   []PricedAs // every price that the rows name, and that may be new to the store
	From     Position   // what the store has of the journal, as far as it has said
	Upto     Position   // where the journal goes on after them

	Zone *time.Location // whose days new rows are summed by; nil is UTC. Days that were summed before stay
}

// PricedAs is a price as rows name it.
type PricedAs struct {
	ID   money.ID
	JSON []byte // of money.Price
}

// ForgotError is the error of a store that does not have what it has taken, as after a failover to a copy that lacks the last commits.
type ForgotError struct {
	Upto Position // what it has
}

func (e *ForgotError) Error() string {
	return fmt.Sprintf("the store has forgotten rows that it had taken: it has the journal up to segment %d, byte %d", e.Upto.Segment, e.Upto.Offset)
}

// Position is a place in a journal: everything before it is in the store.
type Position struct {
	Segment uint64 // segments are numbered from 1
	Offset  int64
}

// Before reports whether a position is before another.
func (p Position) Before(o Position) bool {
	return p.Segment < o.Segment || p.Segment == o.Segment && p.Offset < o.Offset
}
