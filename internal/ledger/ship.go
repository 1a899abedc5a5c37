package ledger

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// How rows are shipped.
const (
	shipEvery   = 400 * time.Millisecond // so that a call shows within a second: a sync comes first
	shipRows    = 8000                   // at once: the more, the fewer lines of sums are written for each
	longestWait = 10 * time.Second       // after failures
	readTries   = 5                      // until a segment that cannot be read is put aside
)

// shipper reads the journal from where the store has it, and makes shipments. It reads only what a sync covers.
type shipper struct {
	joiner
	file    File     // of the segment that is read
	reading *segment // nil between two
	passed  uint64   // the number of the last segment that was read to its end
	skip    Position // what is before it is in the store
	has     Position // what the store has, as it has said
	failed  int      // counts attempts to read on that failed

	rows   []Row
	taken  int64                 // settlements that were read for these rows; some may have no known form
	prices map[money.ID]PricedAs // that the rows name
	ended  time.Time             // when the call of the last row ended
	done   []*segment            // read to the end: their last rows are among these
}

// keepShipping ships what was synced. While the store fails, it waits longer and longer.
func (l *Ledger) keepShipping(ctx context.Context) {
	var failed error
	var look <-chan time.Time
	if l.keep > 0 {
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		look = ticker.C
	}
	pause := shipEvery
	for {
		select {
		case <-ctx.Done():
			return
		case <-look:
			l.lookBack(ctx)
			continue
		case <-l.synced:
		}
		if (failed != nil || l.Stats().Pending < shipRows) && !wait(ctx, pause) {
			return
		}
		was := failed
		switch failed = l.ship(ctx); {
		case ctx.Err() != nil:
			return
		case failed == nil && was != nil:
			l.log.Info("the store takes the ledger's rows again")
		case failed != nil && was == nil:
			l.log.Error("the ledger's rows cannot be shipped to the store: they stay in the journal until they can", "err", failed)
		}
		if failed == nil {
			pause = shipEvery
			continue
		}
		pause = min(2*pause, longestWait)
		kick(l.synced)
	}
}

// ship sends every row that a sync covers to the store.
func (l *Ledger) ship(ctx context.Context) error {
	select {
	case l.shipping <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.shipping }()
	s := &l.shipper
	for {
		if err := l.collect(); err != nil {
			return err
		}
		if len(s.rows) == 0 {
			l.shipped()
			return nil
		}
		batch := s.shipment(l.instance, l.zone)
		err := l.store.Ship(ctx, batch)
		if forgot := (*ForgotError)(nil); errors.As(err, &forgot) {
			l.shipAgain(forgot.Upto)
			continue
		}
		if err != nil {
			return err
		}
		s.has = batch.Upto
		l.shipped()
	}
}

// shipment is of the rows that were collected.
func (s *shipper) shipment(instance string, zone *time.Location) *Shipment {
	s.sort()
	upto := Position{Segment: s.passed + 1}
	if s.reading != nil {
		upto = Position{Segment: s.reading.number, Offset: s.at}
	}
	prices := slices.SortedFunc(maps.Values(s.prices), func(a, b PricedAs) int { return cmp.Compare(a.ID, b.ID) })
	return &Shipment{Instance: instance, Rows: s.rows, Prices: prices, From: s.has, Upto: upto, Zone: zone}
}

// sort puts the rows in the order of their numbers. They are large, so the numbers are sorted, and each row is moved once.
func (s *shipper) sort() {
	type place struct {
		seq Seq
		was int
	}
	places := make([]place, len(s.rows))
	for i := range s.rows {
		places[i] = place{s.rows[i].Seq, i}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.seq, b.seq) })
	for i := range places {
		if places[i].was == i {
			continue
		}
		first, to := s.rows[i], i // of a circle of rows, each of which takes the place of the one before
		for from := places[to].was; from != i; from = places[to].was {
			s.rows[to], places[to].was = s.rows[from], to
			to = from
		}
		s.rows[to], places[to].was = first, to
	}
}

// collect reads rows until there are enough, or no more. Rows that were not shipped yet stay.
func (l *Ledger) collect() error {
	s := &l.shipper
	for len(s.rows) < shipRows {
		seg, end, last := l.toRead()
		if seg == nil {
			return nil
		}
		err := s.readOn(l, seg, end)
		switch {
		case err != nil:
			s.failed++
			if last || s.failed < readTries {
				return err
			}
			l.log.Error("a segment of the ledger's journal cannot be read and is put aside: its rows are missing in reports", "segment", segmentName(seg.number), "err", err)
			l.noteDamage(seg)
		case len(s.rows) >= shipRows || last && s.at >= end:
			return nil
		case s.at < end:
			continue
		case s.bad || s.strange > 0:
			l.noteDamage(seg)
		}
		s.pass(seg)
	}
	return nil
}

// toRead returns the segment that is to be read, how far, and whether it is the last one that counts. One that was left stays the last until
// a later one was synced: before that, a loss of power makes it the last one again.
func (l *Ledger) toRead() (seg *segment, end int64, last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, seg := range l.segments {
		if seg.number > l.shipper.passed {
			return seg, seg.end, !slices.ContainsFunc(l.segments[i+1:], func(later *segment) bool { return later.end > headRoom })
		}
	}
	return nil, 0, false
}

// readOn reads rows of the segment, up to end or until there are enough.
func (s *shipper) readOn(l *Ledger, seg *segment, end int64) (err error) {
	if s.reading == nil {
		if s.file, err = l.files.Open(segmentName(seg.number)); err != nil {
			return err
		}
		s.reading, s.failed = seg, 0
		s.begin(s.file, seg.number, end, true)
	}
	s.end, s.err = end, nil
	for len(s.rows) < shipRows {
		settlement, intent := s.step()
		if settlement == nil {
			return s.err
		}
		if seg.number == s.skip.Segment && s.at <= s.skip.Offset {
			continue
		}
		row, ok := s.row(l.instance, settlement, intent)
		if s.err != nil {
			return s.err
		}
		s.taken++
		seg.read++
		if !ok {
			continue
		}
		seg.cost += row.Cost
		s.rows = append(s.rows, row)
		s.ended = row.Started.Add(row.Took)
		if text := s.joiner.prices[row.Price]; text != nil {
			s.prices[row.Price] = PricedAs{row.Price, text}
		}
	}
	return nil
}

// pass goes on to the next segment.
func (s *shipper) pass(seg *segment) {
	s.leave()
	s.passed = seg.number
	s.done = append(s.done, seg)
}

// leave ends the reading of a segment.
func (s *shipper) leave() {
	if s.file != nil {
		_ = s.file.Close() // it was only read
	}
	s.file, s.reading, s.failed = nil, nil, 0
}

// noteDamage counts a damaged segment, once.
func (l *Ledger) noteDamage(seg *segment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !seg.damaged {
		seg.damaged = true
		l.damaged++
	}
}

// shipped forgets what the store has taken, and gives back its segments.
func (l *Ledger) shipped() {
	s := &l.shipper
	l.mu.Lock()
	l.pending -= s.taken
	for i := range s.rows {
		l.worth -= s.rows[i].Cost
	}
	if l.covered == l.written && l.waits == 0 && l.current != nil && s.reading == &l.current.segment && s.at == l.current.end {
		l.pending, l.worth = 0, 0 // rows of damaged segments are gone
	}
	if len(s.rows) > 0 {
		l.behindSince = s.ended
	}
	done := s.done
	l.segments = slices.DeleteFunc(l.segments, func(seg *segment) bool { return slices.Contains(done, seg) })
	for _, seg := range done {
		switch {
		case seg.damaged: // put aside below
		case l.keep > 0:
			seg.shipped = l.now()
			l.past = append(l.past, seg)
		default:
			l.useless = append(l.useless, segmentName(seg.number))
		}
	}
	l.mu.Unlock()
	for _, seg := range done {
		if seg.damaged {
			if err := putAside(l.files, seg.number); err != nil {
				l.log.Error("a damaged segment of the ledger's journal cannot be put aside: the next start reads it again", "segment", segmentName(seg.number), "err", err)
			}
		}
	}
	if len(done) > 0 {
		kick(l.wanted)
	}
	s.clear()
}

// clear forgets what was read.
func (s *shipper) clear() {
	clear(s.rows)
	s.rows, s.taken, s.done = s.rows[:0], 0, nil
	clear(s.prices)
}

// closeReader closes what is read. Nothing is shipped after it.
func (s *shipper) closeReader() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
