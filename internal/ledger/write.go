package ledger

import (
	"slices"

	"github.com/weirproxy/weir/internal/money"
)

// The methods of this file need l.mu.

// ensure makes sure that a record of n bytes can be written, and that reserve bytes are reserved after it, or a whole segment. If the current segment is full, it
// goes on in the next one.
func (l *Ledger) ensure(n, reserve int) error {
	w := l.current
	switch {
	case w != nil && w.at+int64(n) <= w.room && (reserve == 0 || l.spare != nil || w.at+int64(n+reserve) <= w.size):
		return nil
	case l.spare == nil:
		return l.noSpare()
	}
	return l.leave()
}

// write writes a record at the end of the current segment, which has room for it. A record that was written in part is overwritten by
// the next one.
func (l *Ledger) write(frame []byte) error {
	w := l.current
	seal(frame, w.number, w.at)
	if _, err := w.file.WriteAt(frame, w.at); err != nil {
		l.fail(w, err)
		return err
	}
	w.at += int64(len(frame))
	l.wrote(1)
	return nil
}

// wrote counts records that were written, and asks for a sync that covers them.
func (l *Ledger) wrote(records uint64) {
	if l.written == l.covered {
		kick(l.dirty)
	}
	l.written += records
}

// fail notes that something that was written to a segment may be lost. The next sync leaves it.
func (l *Ledger) fail(w *writing, err error) {
	l.failing, l.failedIn = err, w.number
	kick(l.dirty)
}

// kick asks a loop to run. It does not wait.
func kick(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// priceSize is how much has to be written before an intent that names the price.
func (l *Ledger) priceSize(id money.ID) int {
	if id == 0 {
		return 0
	}
	if p, known := l.prices[id]; known && (l.current == nil || !l.current.priced[id]) {
		return frameHead + 8 + len(p.JSON)
	}
	return 0
}

// writePrice writes the price's text, unless the segment has it.
func (l *Ledger) writePrice(id money.ID) error {
	if l.priceSize(id) == 0 {
		return nil
	}
	if err := l.write(setLength(appendPrice(nil, l.prices[id]))); err != nil {
		return err
	}
	l.current.priced[id] = true
	return nil
}

// leave goes on in the spare segment. That begins with everything that has to last and that no sync has covered. The segment that is
// left counts up to its last sync. Because of that, no sync has to be waited for here.
func (l *Ledger) leave() error {
	w := l.spare
	l.spare = nil
	kick(l.wanted)
	repeated, records := l.repeat(w)
	if _, err := w.file.WriteAt(repeated, headRoom); err != nil {
		return l.giveUp(w, err)
	}
	// The head comes last: a process that is killed in between has not left the old segment.
	h := head{instance: l.instance, begin: headRoom + int64(len(repeated))}
	for _, s := range l.segments {
		h.seals = append(h.seals, sealed{s.number, s.end})
	}
	frame := setLength(appendHead(nil, &h))
	seal(frame, w.number, 0)
	if _, err := w.file.WriteAt(frame, 0); err != nil {
		return l.giveUp(w, err)
	}
	if l.current != nil {
		l.retired = append(l.retired, l.current)
	}
	w.at = headRoom + int64(len(repeated))
	w.room = max(w.size, headRoom+2*int64(len(repeated))) // many open calls need more than what is reserved
	l.current, l.segments = w, append(l.segments, &w.segment)
	l.kept, l.waiting, l.waits = append(l.kept, l.waiting...), nil, 0
	l.wrote(records + 1)
	return nil
}

// giveUp drops a segment that could not be begun. The next sync tries another one.
func (l *Ledger) giveUp(w *writing, err error) error {
	_ = w.file.Close() // what is in it does not count
	l.useless = append(l.useless, segmentName(w.number))
	if l.current != nil {
		l.fail(l.current, err)
	}
	return err
}

// repeat returns the records that the segment has to begin with, and their number.
func (l *Ledger) repeat(w *writing) (frames []byte, records uint64) {
	add := func(frame []byte) {
		if kindOf(frame) == intentKind {
			id := priceOf(frame)
			if p, known := l.prices[id]; known && !w.priced[id] {
				w.priced[id] = true
				frames = l.place(frames, w, setLength(appendPrice(nil, p)))
				records++
			}
		}
		frames = l.place(frames, w, frame)
		records++
	}
	for e := l.open.root.next; e != &l.open.root; e = e.next {
		add(e.frame)
	}
	for _, kept := range [...][]byte{l.kept, l.waiting} {
		for len(kept) > 0 {
			frame := firstFrame(kept)
			add(frame)
			kept = kept[len(frame):]
		}
	}
	return frames, records
}

// place appends a record to those with which a segment begins.
func (l *Ledger) place(frames []byte, w *writing, frame []byte) []byte {
	at := len(frames)
	frames = append(frames, frame...)
	seal(frames[at:], w.number, headRoom+int64(at))
	return frames
}

// uncover forgets what a sync has covered: the first so many bytes of what is kept.
func (l *Ledger) uncover(n int) {
	const usual = 4 << 20
	rest := l.kept[n:]
	if cap(l.kept) > usual && len(rest) < usual/4 {
		l.kept = slices.Clone(rest)
		return
	}
	l.kept = l.kept[:copy(l.kept, rest)]
}
