package ledger

import (
	"errors"
	"fmt"
	"time"
)

// Entry is a call whose intent is in the journal. Exactly one of its holders settles it.
type Entry struct {
	ledger     *Ledger
	seq        Seq
	frame      []byte // the record of the intent, which is repeated as long as the call is open
	prev, next *Entry // in the ledger's list of open calls; nil once it is settled
	space      [288]byte
}

// Seq is the number of the call.
func (e *Entry) Seq() Seq { return e.seq }

// entries are the open calls, in the order of their numbers: a ring that begins and ends at root.
type entries struct {
	root Entry
	n    int
}

func (o *entries) init() { o.root.next, o.root.prev = &o.root, &o.root }

func (o *entries) add(e *Entry) {
	e.prev, e.next = o.root.prev, &o.root
	e.prev.next, o.root.prev = e, e
	o.n++
}

func (o *entries) remove(e *Entry) {
	e.prev.next, e.next.prev = e.next, e.prev
	e.prev, e.next = nil, nil
	o.n--
}

// Begin records that a call is going to be made. The call must not be made if it returns an error: then errors.Is(err, ErrUnavailable),
// unless the intent is too large. Budgeted is set for calls that count towards a budget: they are refused as soon as something that was
// written may be lost, or the journal cannot grow. Others go on while the journal takes their records: what is left of it is theirs.
//
// It reads the intent and keeps nothing of it.
func (l *Ledger) Begin(in *Intent, budgeted bool) (*Entry, error) {
	e := &Entry{ledger: l}
	e.frame = setLength(appendIntent(e.space[:0], in))
	if len(e.frame) > maxRecord {
		return nil, fmt.Errorf("the intent of a call has %d bytes, and the ledger takes %d: the request has too many or too long tags", len(e.frame), maxRecord)
	}
	number, err := l.tryBegin(e, in, budgeted)
	if errors.Is(err, errMaking) { // segments are small, or the disk is slow: waiting a little is better than refusing
		late := time.NewTimer(makingWait)
		defer late.Stop()
		for waiting := true; waiting && errors.Is(err, errMaking); number, err = l.tryBegin(e, in, budgeted) {
			waiting = l.awaitSpare(late.C)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if l.power {
		if err := l.await(number); err != nil {
			e.withdraw()
			return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
	}
	return e, nil
}

// makingWait is how long Begin waits for a segment that is being made.
const makingWait = 2 * time.Second

// awaitSpare waits until the attempt to make a segment has ended. It is false if that is late.
func (l *Ledger) awaitSpare(late <-chan time.Time) bool {
	l.mu.Lock()
	made, missing := l.made, l.spare == nil && l.spareErr == nil && !l.closed
	l.mu.Unlock()
	if !missing {
		return true
	}
	select {
	case <-made:
		return true
	case <-late:
		return false
	}
}

func (l *Ledger) tryBegin(e *Entry, in *Intent, budgeted bool) (number uint64, err error) {
	now := Seq(l.now().UnixMicro())
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begin(e, now, in, budgeted)
}

// begin writes the intent. It needs l.mu. It returns the number of its record.
func (l *Ledger) begin(e *Entry, now Seq, in *Intent, budgeted bool) (number uint64, err error) {
	switch {
	case l.closed:
		return 0, errClosed
	case budgeted && l.failing != nil:
		return 0, l.failing
	case budgeted && l.spare == nil && l.spareErr != nil:
		return 0, l.spareErr
	}
	// A call that begins needs room for its settlement, too, and so do all that are open.
	if err := l.ensure(len(e.frame)+l.priceSize(in.Price), (l.open.n+1)*usualSettlement); err != nil {
		return 0, err
	}
	if err := l.writePrice(in.Price); err != nil {
		return 0, err
	}
	l.last = max(l.last+1, now)
	e.seq = l.last
	putSeq(e.frame, e.seq)
	if err := l.write(e.frame); err != nil {
		return 0, err
	}
	l.open.add(e)
	return l.written, nil
}

// usualSettlement is the size of a settlement whose texts are long, in bytes.
const usualSettlement = 256

// Settle records how the call ended. Later calls do nothing. It cannot fail: if the record cannot be written, it waits in memory, and is
// written as soon as that is possible.
func (e *Entry) Settle(s *Settlement) {
	var space [512]byte
	e.finish(appendSettlementFrame(space[:0], e.seq, s), s)
}

// withdraw ends a call that was not made because its intent could not be made durable. It gets no row.
func (e *Entry) withdraw() {
	var space [frameHead + 8]byte
	e.finish(voidFrame(space[:0], e.seq), nil)
}

func appendSettlementFrame(b []byte, seq Seq, s *Settlement) []byte {
	from := len(b)
	b = appendSettlement(b, seq, s)
	setLength(b[from:])
	return b
}

// finish writes the end of a call. s is nil for one that gets no row.
func (e *Entry) finish(frame []byte, s *Settlement) {
	l := e.ledger
	l.mu.Lock()
	if e.next == nil || l.closed {
		l.mu.Unlock()
		return
	}
	if s != nil {
		if l.pending == 0 {
			l.behindSince = l.now()
		}
		l.pending++
		l.worth += s.Cost
	}
	err := l.ensure(len(frame), 0) // the call is still open: if the segment is left, its intent is repeated
	l.open.remove(e)
	if err == nil {
		before := len(l.kept)
		l.kept = append(append(l.kept, e.frame...), frame...)
		if err = l.write(l.kept[len(l.kept)-len(frame):]); err != nil {
			l.kept = l.kept[:before]
		}
	}
	if err != nil {
		l.waiting = append(append(l.waiting, e.frame...), frame...)
		l.waits++
		kick(l.dirty)
	}
	number := l.written
	e.frame = nil
	l.mu.Unlock()
	if l.power && s != nil && err == nil {
		_ = l.await(number) // if it failed, the record is repeated
	}
}
