package ledger

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// segment is a file of the journal.
type segment struct {
	number  uint64
	size    int64      // of the file
	end     int64      // how far it counts: where it was sealed, or, of the current one, what a sync covers
	damaged bool       // something before its end cannot be read; the rest is used, and the file put aside
	rows    int        // that were not in the store at the start
	worth   money.Nano // what these cost

	// Only the shipper reads and writes these.
	read    int64      // settlements that were read to be shipped
	cost    money.Nano // of these
	shipped time.Time  // when the store had taken all of them
}

// recovered is what a start finds in the journal.
type recovered struct {
	instance string     // "" for a journal that is new
	segments []*segment // those with rows that may not be in the store, oldest first
	last     Seq        // the greatest number
	highest  uint64     // the number of the newest segment, whatever became of it
	pending  int        // rows that are not in the store
	worth    money.Nano // what they cost
	orphans  []byte     // the records of intents without a settlement
	orphaned int        // their number
	useless  []string   // files to remove
	past     []*segment // whole ones whose rows the store has, oldest first
	prices   map[money.ID][]byte
	shipped  Position
	aside    int // damaged segments that earlier starts put aside
}

// recoverer reads a journal as an earlier process, or a loss of power, has left it. It changes no segment.
type recoverer struct {
	files Files
	log   *slog.Logger

	found  recovered
	heads  map[uint64]head
	whole  map[uint64]bool  // heads of which all repeated records can be read
	bad    map[uint64]error // segments whose head cannot be read; nil for those that were never begun
	seals  map[uint64]int64
	joiner joiner
	open   map[Seq][]byte // the records of the intents that are open at the end of the last segment
}

// recoverJournal reads the whole journal. Everything before the position that shipped returns is in the store.
func recoverJournal(files Files, log *slog.Logger, shipped func(instance string) Position) (*recovered, error) {
	r := &recoverer{files: files, log: log, heads: map[uint64]head{}, whole: map[uint64]bool{}, bad: map[uint64]error{}, seals: map[uint64]int64{}}
	r.joiner.suspects, r.found.prices = map[Seq][]byte{}, map[money.ID][]byte{}
	numbers, err := r.list()
	if err != nil {
		return nil, err
	}
	for _, n := range numbers {
		r.readHead(n)
	}
	r.learn(numbers)
	if r.found.instance != "" {
		r.found.shipped = shipped(r.found.instance)
		r.found.highest = max(r.found.highest, r.found.shipped.Segment)
	}
	for _, n := range numbers {
		r.readSegment(n)
	}
	r.findOrphans()
	return &r.found, nil
}

// list returns the numbers of the segments, in order.
func (r *recoverer) list() (numbers []uint64, err error) {
	var names []string
	err = persist(func() (err error) { names, err = r.files.Names(); return err })
	if err != nil {
		return nil, fmt.Errorf("cannot list the files of the ledger's journal: %w", err)
	}
	for _, name := range names {
		n, damaged, ok := segmentNumber(name)
		if !ok {
			continue
		}
		r.found.highest = max(r.found.highest, n)
		if damaged {
			r.found.aside++
			continue
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers, nil
}

// readHead reads the head of a segment. What a killed process has left in the cache of the system is made durable before: it is going
// to be believed.
func (r *recoverer) readHead(n uint64) {
	page := make([]byte, headRoom)
	var h head
	whole := false
	err := r.with(n, func(f File) (err error) {
		if err := errors.Join(f.Sync(), readFull(f, page, 0)); err != nil {
			return err
		}
		if h, err = parseHead(page, n); err != nil {
			return nil // it is read below
		}
		s := scanner{file: f, segment: n, at: headRoom, end: h.begin}
		for frame, _ := s.next(); frame != nil; frame, _ = s.next() {
		}
		whole = s.at == s.end
		return s.err
	})
	if err == nil {
		_, err = parseHead(page, n)
	}
	switch {
	case err == nil:
		r.heads[n] = h
		r.whole[n] = whole
	case errors.Is(err, errNoHead) && !slices.ContainsFunc(page, func(b byte) bool { return b != 0 }):
		r.bad[n] = nil
	default:
		r.bad[n] = err
	}
}

// attempts is how often a start tries to read a file: a disk may fail once.
const attempts = 3

func persist(do func() error) (err error) {
	for range attempts {
		if err = do(); err == nil {
			return nil
		}
	}
	return err
}

// with calls do with the segment's file. It tries a few times.
func (r *recoverer) with(n uint64, do func(File) error) error {
	return persist(func() error {
		f, err := r.files.Open(segmentName(n))
		if err != nil {
			return err
		}
		return errors.Join(do(f), f.Close())
	})
}

// learn takes the instance's name and the ends of segments from the heads. The newest head that knows a segment is right about it.
func (r *recoverer) learn(numbers []uint64) {
	for _, n := range slices.Backward(numbers) {
		h, ok := r.heads[n]
		switch {
		case !ok:
			continue
		case !r.whole[n] && r.seals[n] < h.begin:
			r.bad[n] = nil // it was never synced
			continue
		case r.found.instance == "":
			r.found.instance = h.instance
		case h.instance != r.found.instance:
			r.bad[n] = fmt.Errorf("it is of another instance of Weir, %s", h.instance)
			delete(r.seals, n)
			continue
		}
		for _, s := range h.seals {
			if _, known := r.seals[s.segment]; !known {
				r.seals[s.segment] = s.end
			}
		}
	}
}

// readSegment reads what has to be shipped of a segment.
func (r *recoverer) readSegment(n uint64) {
	why, headless := r.bad[n]
	s := &segment{number: n, damaged: headless}
	end, known := r.seals[n]
	var err error
	switch {
	case n < r.found.shipped.Segment:
		r.found.useless = append(r.found.useless, segmentName(n))
		if known && !headless && r.with(n, func(f File) (err error) { s.size, err = f.Size(); return err }) == nil {
			s.end = end
			r.found.past = append(r.found.past, s)
		}
		return
	case headless && end > headRoom:
		// Its head was there when the next segment was begun.
	case headless && (why == nil || known):
		r.found.useless = append(r.found.useless, segmentName(n))
		return
	case headless:
		err = why
	}
	if err == nil {
		err = r.with(n, func(f File) error { return r.readRows(f, s, end, known) })
	}
	if err != nil {
		r.putAside(n, err)
		return
	}
	if s.damaged = s.damaged || r.joiner.strange > 0 || known && r.joiner.bad; s.damaged {
		r.log.Error("a segment of the ledger's journal is damaged: rows may be missing in reports. It is put aside when the rest is in the store", "segment", segmentName(n))
		maps.Copy(r.joiner.suspects, r.open)
	}
	r.found.last = max(r.found.last, r.joiner.greatest)
	r.found.segments = append(r.found.segments, s)
}

// readRows counts the rows of a segment and notes which calls are open at its end.
func (r *recoverer) readRows(f File, s *segment, end int64, sealed bool) (err error) {
	if s.size, err = f.Size(); err != nil {
		return err
	}
	if !sealed {
		end = s.size // a process ended while it wrote this: it counts to where it cannot be read
	}
	j, rows, worth := &r.joiner, 0, money.Nano(0)
	j.begin(f, s.number, end, sealed)
	for settlement, _ := j.step(); settlement != nil; settlement, _ = j.step() {
		if s.number > r.found.shipped.Segment || j.at > r.found.shipped.Offset {
			rows++
			if _, s, err := decodeSettlement(payload(settlement)); err == nil {
				worth += s.Cost
			}
		}
	}
	open := make(map[Seq][]byte, len(j.open))
	for seq, at := range j.open {
		open[seq] = slices.Clone(j.frame(at))
	}
	if j.err != nil {
		return j.err
	}
	if !sealed {
		if err := r.lookBehind(f, s.number, j.at, end); err != nil {
			return err
		}
	}
	r.open, s.end, s.rows, s.worth = open, j.at, rows, worth
	maps.Copy(r.found.prices, j.prices)
	return nil
}

// lookBehind logs records of the newest segment that follow one that cannot be read. They are not used. A disk takes pages in any order, so a
// loss of power leaves such records, and they were given up; damage looks the same. A process that was killed leaves none.
func (r *recoverer) lookBehind(f File, number uint64, at, end int64) error {
	behind, s := 0, scanner{file: f, segment: number, at: at, end: end, salvage: true}
	for frame, _ := s.next(); frame != nil; frame, _ = s.next() {
		behind++
	}
	if behind > 0 {
		r.log.Warn("records of the ledger's journal follow one that cannot be read, and are given up. A loss of power leaves such records; without one, the disk has damaged a record",
			"segment", segmentName(number), "offset", at, "records", behind)
	}
	return s.err
}

// putAside renames a segment that cannot be used. If that fails, the next start tries again.
func (r *recoverer) putAside(n uint64, why error) {
	r.found.aside++
	err := putAside(r.files, n)
	r.log.Error("a segment of the ledger's journal cannot be read and is put aside: its rows are missing in reports",
		"segment", segmentName(n)+damagedSuffix, "err", errors.Join(why, err))
}

func putAside(files Files, n uint64) error {
	return errors.Join(files.Rename(segmentName(n), segmentName(n)+damagedSuffix), files.Sync())
}

// findOrphans collects the calls that have no settlement: those open at the end, and those of damaged segments that no later one repeats.
func (r *recoverer) findOrphans() {
	maps.Copy(r.joiner.suspects, r.open)
	for _, seq := range slices.Sorted(maps.Keys(r.joiner.suspects)) {
		r.found.orphans = append(r.found.orphans, r.joiner.suspects[seq]...)
		r.found.orphaned++
	}
	for _, s := range r.found.segments {
		r.found.pending += s.rows
		r.found.worth += s.worth
	}
}
