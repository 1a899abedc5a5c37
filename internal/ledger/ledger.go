package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// ErrUnavailable is the error of Begin if the intent cannot be written: the call must not be made.
var ErrUnavailable = errors.New("the ledger cannot record the call")

// Durability says what survives a loss of power. Whatever it is, a crash of Weir alone loses nothing.
type Durability uint8

// The durabilities.
const (
	Background Durability = iota // all but the last 100 ms
	Power                        // every call that was made, and every settlement: Begin and Settle wait for the disk
)

// Options are what a Ledger needs.
type Options struct {
	Files      Files // the folder of the journal, which no one else may write
	Store      Store
	Now        func() time.Time // nil is time.Now
	Log        *slog.Logger
	Bound      int64 // of the journal, in bytes; at least MinBound; 0 is DefaultBound. Damaged segments that were put aside do not count
	Durability Durability
	Zone       *time.Location // whose days the store sums new rows by; nil is UTC

	// Keep is how long segments stay whose rows the store has taken, if there is room. What a store forgets in a failover is shipped again.
	Keep time.Duration
}

// Bounds of a journal, in bytes.
const (
	DefaultBound = 1 << 30
	MinBound     = 1 << 20

	maxSegment  = 16 << 20
	minSegments = 16 // that a journal has room for
)

// Ledger is the account of one instance. It may be used concurrently.
//
// The journal is a row of segments. Records are written to the last of them, the current one, by one writer at a time. A background sync
// covers them within 100 ms, and only what a sync covers is shipped to the store. A segment is left when it is full or when a write or a
// sync failed. Either way the next one begins with everything that has to last and that no sync has covered: it is repeated from memory.
// So a segment counts up to its last successful sync, which the head of the next one says.
type Ledger struct {
	files    Files
	store    Store
	now      func() time.Time
	log      *slog.Logger
	zone     *time.Location
	bound    int64
	size     int64 // of a segment
	power    bool
	keep     time.Duration
	instance string

	syncing  sync.Mutex    // held while the journal is synced
	making   sync.Mutex    // held while a spare segment is made
	mending  sync.Mutex    // held while a call is corrected
	shipping chan struct{} // holds a value while rows are shipped
	shipper  shipper       // of the holder of shipping

	dirty  chan struct{} // asks for a sync
	wanted chan struct{} // asks for a spare segment
	synced chan struct{} // asks for a shipment
	stop   context.CancelFunc
	loops  sync.WaitGroup

	mu sync.Mutex // guards all that follows; held for a write to the system's cache at most
	state
}

// state is what a Ledger knows of its journal.
type state struct {
	closed   bool
	segments []*segment    // those that may have rows to be shipped, oldest first; the last is the current one
	past     []*segment    // those that the store has and that stay for a while, oldest first
	current  *writing      // nil until the first segment could be made
	retired  []*writing    // left, and not yet cut and closed
	spare    *writing      // the next segment, all zeros; nil if it is missing
	spareErr error         // why there is no spare; nil while it is being made
	made     chan struct{} // closed when an attempt to make a spare has ended
	useless  []string      // files to remove
	highest  uint64        // the number of the newest segment
	prices   map[money.ID]PricedAs

	last    Seq
	open    entries // begun and not settled
	written uint64  // counts records
	covered uint64  // how many of them a sync covers

	// Whole records that have to be repeated if the current segment is left: settlements, each after its intent. The intents of open
	// entries have to be repeated, too.
	kept    []byte // written, and not covered by a sync
	waiting []byte // not written, because that failed
	waits   int    // their number

	failing  error         // of the last write or sync that failed, until a newer segment was synced
	failedIn uint64        // the segment
	changed  chan struct{} // closed when a sync has succeeded or failed

	pending     int64      // rows that are in the journal or in memory, and not in the store
	worth       money.Nano // what they cost
	behindSince time.Time  // when the oldest of them was settled, about
	orphaned    int
	damaged     int
}

// writing is a segment that is written, or will be.
type writing struct {
	segment
	file   File
	broken bool              // a sync failed: it is not known what is on the disk
	at     int64             // where the next record goes
	room   int64             // how far records may go
	priced map[money.ID]bool // prices that it has
}

func newWriting(n uint64, size int64, file File) *writing {
	return &writing{segment: segment{number: n, size: size, end: headRoom}, file: file, at: headRoom, room: size, priced: map[money.ID]bool{}}
}

// Open reads the journal and begins a new segment. Calls that were not settled become rows, flagged Orphaned and charged what was held.
// If the disk is full or fails, Open succeeds all the same: Begin refuses calls until the journal can be written. The context is for
// asking the store.
func Open(ctx context.Context, o Options) (*Ledger, error) {
	if o.Bound == 0 {
		o.Bound = DefaultBound
	}
	if o.Bound < MinBound {
		return nil, fmt.Errorf("a journal of %d bytes is too small: it needs %d", o.Bound, MinBound)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &Ledger{
		files: o.Files, store: o.Store, now: o.Now, log: o.Log, zone: o.Zone, bound: o.Bound, size: min(maxSegment, o.Bound/minSegments), power: o.Durability == Power, keep: o.Keep,
		shipping: make(chan struct{}, 1), dirty: make(chan struct{}, 1), wanted: make(chan struct{}, 1), synced: make(chan struct{}, 1),
	}
	l.changed, l.made, l.prices = make(chan struct{}), make(chan struct{}), map[money.ID]PricedAs{}
	l.open.init()
	l.shipper.prices = map[money.ID]PricedAs{}
	if err := l.recover(ctx); err != nil {
		return nil, err
	}
	_ = errors.Join(l.makeSpare(), l.sync()) // the loops try again, and log
	kick(l.dirty)
	kick(l.wanted)
	kick(l.synced)
	run, stop := context.WithCancel(context.Background())
	l.stop = stop
	l.loops.Go(func() { l.keepSynced(run) })
	l.loops.Go(func() { l.keepSpare(run) })
	l.loops.Go(func() { l.keepShipping(run) })
	return l, nil
}

// recover takes over what is in the journal.
func (l *Ledger) recover(ctx context.Context) error {
	var last Seq
	shipped := func(instance string) (upto Position) {
		var err error
		if upto, last, err = l.store.Shipped(ctx, instance); err != nil {
			l.log.Warn("the store cannot say which rows of the ledger it has: all of the journal is sent to it again", "err", err)
			return Position{}
		}
		return upto
	}
	found, err := recoverJournal(l.files, l.log, shipped)
	if err != nil {
		return err
	}
	l.instance = found.instance
	if l.instance == "" {
		l.instance = rand.Text()
		_ = shipped(l.instance) // for the greatest number: the store may be a copy whose clock was ahead
	}
	l.shipper.skip, l.shipper.has = found.shipped, found.shipped
	for id, text := range found.prices {
		l.prices[id] = PricedAs{id, text}
	}
	l.segments, l.useless, l.highest, l.last = found.segments, found.useless, found.highest, max(found.last, last)
	l.orphaned, l.damaged, l.pending = found.orphaned, found.aside, int64(found.pending+found.orphaned)
	l.worth = found.worth
	for _, s := range l.segments {
		if s.damaged {
			l.damaged++
		}
	}
	l.keepPast(found)
	l.behindSince = l.now()
	l.settleOrphans(found.orphans)
	if l.orphaned > 0 {
		l.log.Warn("calls were running when Weir ended: they are recorded at what was held for them", "calls", l.orphaned)
	}
	return nil
}

// settleOrphans has the next segment begin with the orphans' intents and settlements.
func (l *Ledger) settleOrphans(intents []byte) {
	for len(intents) > 0 {
		frame := firstFrame(intents)
		intents = intents[len(frame):]
		seq, in, err := decodeIntent(payload(frame))
		if err != nil {
			l.orphaned--
			l.pending--
			l.log.Error("an intent in the ledger's journal has a form that this version of Weir does not know: it gets no row", "err", err)
			continue
		}
		if in.Adjusts != 0 { // a correction that was not made
			l.orphaned--
			l.pending--
			continue
		}
		s := orphan(&in)
		l.worth += s.Cost
		l.waiting = append(l.waiting, frame...)
		l.waiting = appendSettlementFrame(l.waiting, seq, &s)
		l.waits++
	}
}

// orphan is the settlement of a call that has none: what was held for it is charged.
func orphan(in *Intent) Settlement {
	s := Settlement{Flags: Orphaned, Source: Reserved, Usage: in.Held, Cost: in.Hold, Listed: in.Hold, Outcome: "orphaned"}
	if in.Try > 1 {
		s.Flags |= Retry
	}
	switch {
	case in.Price != 0:
		s.CostSource = money.ByPrice
	case in.Hold != 0:
		s.CostSource = money.Fixed
	default:
		s.CostSource = money.Unpriced
	}
	return s
}

// Instance is the name under which the rows are in the store. It is random, and as old as the journal.
func (l *Ledger) Instance() string { return l.instance }

// Know adds prices that intents may name from now on. The row of an intent that names another price has no price in the store.
func (l *Ledger) Know(prices []PricedAs) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range prices {
		if len(p.JSON) > maxRecord/2 {
			l.log.Error("a price is too long for the ledger: rows do not name it", "price", fmt.Sprintf("%016x", uint64(p.ID)), "bytes", len(p.JSON))
			continue
		}
		l.prices[p.ID] = p
	}
}

// Flush makes everything that was recorded durable, and ships every row of it.
func (l *Ledger) Flush(ctx context.Context) error {
	l.mu.Lock()
	target, failures := l.written, 0
	l.mu.Unlock()
	for !l.covers(target) {
		l.makeSpare()
		if err := l.sync(); err != nil {
			if failures++; failures == attempts {
				return fmt.Errorf("the ledger's journal cannot be written: %w", err)
			}
		}
	}
	return l.ship(ctx)
}

// covers reports whether the first so many records are durable, and none waits to be written.
func (l *Ledger) covers(target uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.covered >= target && l.waits == 0
}

// Close makes everything durable, ships what it can until the context ends, and stops. Calls that are not settled by then become orphans
// at the next start. No other method may be called after it, but Settle, which does nothing then.
func (l *Ledger) Close(ctx context.Context) error {
	err := l.Flush(ctx)
	l.stop()
	l.loops.Wait()
	_ = l.sync() // what came since; Flush has said what failed
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errClosed
	}
	l.closed = true
	close(l.changed)
	close(l.made)
	err = errors.Join(err, l.shipper.closeReader())
	for _, w := range l.retired {
		err = errors.Join(err, w.file.Close())
	}
	if l.spare != nil {
		err = errors.Join(err, l.spare.file.Close(), l.files.Remove(segmentName(l.spare.number)))
	}
	if l.current != nil {
		err = errors.Join(err, l.current.file.Close())
	}
	return err
}
