package ledger

import (
	"errors"
	"fmt"
	"io/fs"
)

// Read calls visit for the rows of the journal from a position on, as far as a sync covers them, in the order in which the calls ended. At
// is where the journal goes on after the row. What the store has taken is removed from the journal in the background, so rows before the
// store's position may be missing. Read ends with the first error of visit.
//
// It may be used while calls are served, to compare the journal with the store: ask the store for its position before.
func (l *Ledger) Read(from Position, visit func(at Position, row *Row) error) error {
	l.mu.Lock()
	segments := make([]segment, 0, len(l.segments))
	for _, s := range l.segments {
		segments = append(segments, segment{number: s.number, end: s.end}) // the rest may be the shipper's
	}
	l.mu.Unlock()
	for _, s := range segments {
		if s.number < from.Segment {
			continue
		}
		err := l.readSegment(&s, from, visit)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // that one was shipped meanwhile
			return fmt.Errorf("%s of the ledger's journal: %w", segmentName(s.number), err)
		}
	}
	return nil
}

func (l *Ledger) readSegment(s *segment, from Position, visit func(at Position, row *Row) error) (err error) {
	file, err := l.files.Open(segmentName(s.number))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var j joiner
	j.begin(file, s.number, s.end, true)
	for settlement, intent := j.step(); settlement != nil; settlement, intent = j.step() {
		at := Position{s.number, j.at}
		if s.number == from.Segment && at.Offset <= from.Offset {
			continue
		}
		row, ok := j.row(l.instance, settlement, intent)
		if j.err != nil {
			return j.err
		}
		if ok {
			if err := visit(at, &row); err != nil {
				return err
			}
		}
	}
	return j.err
}
