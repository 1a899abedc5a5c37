package ledger

import (
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// Stats are figures of a Ledger, for metrics.
type Stats struct {
	Pending  int64         // rows that are recorded and not in the store
	Worth    money.Nano    // what they cost
	Behind   time.Duration // how old the oldest of them is, about
	Open     int           // calls that are running
	Bytes    int64         // of the journal's files, without those put aside and those that the store has
	Bound    int64         // of Bytes
	Waiting  int           // settlements that could not be written yet
	Orphaned int           // calls that the last start found without a settlement
	Damaged  int           // segments of which something cannot be read, those of earlier starts included
	Failing  bool          // the journal cannot be written, or was not synced since: calls that count towards a budget are refused
}

// Near reports whether the journal is near its bound, which is for an operator to know: at 80 %.
func (s *Stats) Near() bool { return s.Bytes*5 >= s.Bound*4 }

// Stats returns the figures of this moment.
func (l *Ledger) Stats() Stats {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Stats{
		Pending: l.pending, Worth: l.worth, Open: l.open.n, Bytes: l.bytes(), Bound: l.bound, Waiting: l.waits, Orphaned: l.orphaned, Damaged: l.damaged,
		Failing: l.failing != nil || l.current == nil,
	}
	if s.Pending > 0 {
		s.Behind = max(0, now.Sub(l.behindSince))
	}
	return s
}
