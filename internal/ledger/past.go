package ledger

import (
	"context"
	"slices"
	"time"
)

// lookEvery is how often a ledger that ships nothing looks whether the store still has what it has taken.
const lookEvery = 30 * time.Second

// keepPast has whole segments that an earlier process shipped stay, as if they had just been shipped.
func (l *Ledger) keepPast(found *recovered) {
	if l.keep == 0 {
		return
	}
	for _, seg := range found.past {
		seg.shipped = l.now()
		l.past = append(l.past, seg)
		l.useless = slices.DeleteFunc(l.useless, func(name string) bool { return name == segmentName(seg.number) })
	}
}

// forgetPast gives back the segments that have stayed long enough, and the oldest others if the journal needs their room.
func (l *Ledger) forgetPast() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, size, n := l.now(), l.bytes(), 0
	for _, seg := range l.past {
		size += seg.size
	}
	if l.spare == nil {
		size += l.size
	}
	for n < len(l.past) && (size > l.bound || now.Sub(l.past[n].shipped) >= l.keep) {
		size -= l.past[n].size
		n++
	}
	l.dropPast(n)
}

// dropPast gives back the oldest segments that the store has. It needs l.mu.
func (l *Ledger) dropPast(n int) {
	for _, seg := range l.past[:n] {
		l.useless = append(l.useless, segmentName(seg.number))
	}
	l.past = slices.Delete(l.past, 0, n)
}

// lookBack ships again what the store has forgotten since it took it, and gives back segments that have stayed long enough. A store that cannot say
// what it has is asked again, or says it with the next shipment.
func (l *Ledger) lookBack(ctx context.Context) {
	kick(l.wanted)
	select {
	case l.shipping <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-l.shipping }()
	upto, _, err := l.store.Shipped(ctx, l.instance)
	if err == nil && upto.Before(l.shipper.has) {
		l.shipAgain(upto)
		kick(l.synced)
	}
}

// shipAgain goes back to where the store is. It needs l.shipping.
func (l *Ledger) shipAgain(upto Position) {
	s := &l.shipper
	s.leave()
	l.mu.Lock()
	again := slices.IndexFunc(l.past, func(seg *segment) bool { return seg.number >= upto.Segment })
	if again < 0 {
		again = len(l.past)
	}
	l.segments = slices.Concat(l.past[again:], l.segments)
	l.past = l.past[:again:again]
	l.pending -= s.taken // they are read again
	for i := range s.rows {
		l.worth -= s.rows[i].Cost
	}
	for _, seg := range l.segments {
		l.pending, l.worth = l.pending+seg.read, l.worth+seg.cost
		seg.read, seg.cost = 0, 0
	}
	first := max(upto.Segment, 1)
	if len(l.segments) > 0 {
		first = l.segments[0].number
	}
	l.behindSince = l.now()
	l.mu.Unlock()
	if lost := max(upto.Segment, 1) < first; lost {
		l.log.Error("the store has forgotten rows of the ledger that are not in the journal any more: they are missing in reports", "store has segment", upto.Segment, "journal has segment", first)
	} else {
		l.log.Warn("the store has forgotten rows of the ledger, as after a failover: they are shipped again", "from segment", first)
	}
	s.clear()
	s.passed, s.skip, s.has = first-1, upto, upto
}
