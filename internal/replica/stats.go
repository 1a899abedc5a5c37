package replica

import "github.com/weirproxy/weir/internal/escrow"

// Stats are figures of a Desk, for metrics.
type Stats struct {
	Replicas   int64 // that share the database, as it said last
	Answers    bool  // it does
	RoundTrips int64 // that were answered, questions included
	Statements int64 // of what is kept and wanted, that were made
	Failed     int64 // that were not
	Undone     int64 // that the database undid, and that were made again
	Refused    int64 // holds
}

// Stats returns the figures of this moment.
func (d *Desk) Stats() Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.stats
	s.Replicas, s.Answers = d.replica.Replicas(), !d.failing
	return s
}

// Held calls f with what calls hold of each budget, and may take without asking: what a replica that is lost may have spent.
func (d *Desk) Held(f func(name escrow.Name, held int64)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.replica.Outstanding(f)
}
