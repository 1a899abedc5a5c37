package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Times of the loops.
const (
	syncEvery = 100 * time.Millisecond // after a first record
	spareWait = time.Second            // after a segment could not be made
)

var (
	errClosed = errors.New("the ledger is closed")
	errBound  = errors.New("the journal is at its bound: the store has not taken its rows for long")
	errMaking = errors.New("the journal's next segment is not ready: the disk is slow")
)

// sync makes everything that is written durable. If the current segment has failed, it goes on in the next one before.
func (l *Ledger) sync() error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	if l.spare != nil && !l.closed && (l.current == nil || l.waits > 0 || l.failing != nil && l.failedIn == l.current.number) {
		_ = l.leave() // it is in l.failing
	}
	w := l.current
	if w == nil || w.broken || l.written == l.covered || l.closed {
		defer l.mu.Unlock()
		return l.trouble()
	}
	at, records, kept := w.at, l.written, len(l.kept)
	l.mu.Unlock()

	err := w.file.Sync()

	l.mu.Lock()
	if w != l.current { // it was left meanwhile, and everything was repeated
		l.mu.Unlock()
		return nil
	}
	var left []*writing
	if err != nil {
		w.broken = true
		l.fail(w, err)
	} else {
		w.end, l.covered = at, records
		l.uncover(kept)
		if w.number > l.failedIn {
			l.failing = nil
		}
		left, l.retired = l.retired, nil
	}
	close(l.changed)
	l.changed = make(chan struct{})
	err = l.trouble()
	l.mu.Unlock()
	for _, w := range left {
		l.cut(w)
	}
	kick(l.synced)
	return err
}

// trouble is why not everything can be written, nil if it can. It needs l.mu.
func (l *Ledger) trouble() error {
	switch {
	case l.failing != nil:
		return l.failing
	case l.current == nil || l.waits > 0:
		return l.noSpare()
	}
	return nil
}

// noSpare is why there is no next segment. It needs l.mu.
func (l *Ledger) noSpare() error {
	if l.spareErr != nil {
		return l.spareErr
	}
	return errMaking
}

// await waits until a sync has covered the record of this number.
func (l *Ledger) await(number uint64) error {
	for {
		l.mu.Lock()
		covered, failing, closed, changed := l.covered >= number, l.failing, l.closed, l.changed
		l.mu.Unlock()
		switch {
		case covered:
			return nil
		case closed:
			return errClosed
		case failing != nil:
			return failing
		}
		<-changed
	}
}

// cut gives back what a segment does not use. What is after its end does not count.
func (l *Ledger) cut(w *writing) {
	err := w.file.Truncate(w.end)
	_ = w.file.Close() // nothing that counts was written since its last sync
	if err == nil {
		l.mu.Lock()
		w.size = w.end
		l.mu.Unlock()
	}
}

// keepSynced syncs soon after something was written. It retries what failed.
func (l *Ledger) keepSynced(ctx context.Context) {
	var failed error
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.dirty:
		}
		if (!l.power || failed != nil) && !wait(ctx, syncEvery) {
			return
		}
		was := failed
		if failed = l.sync(); failed != nil {
			failed = l.sync() // in the next segment, if there is one
		}
		switch {
		case failed != nil && was == nil:
			l.log.Error("the ledger's journal cannot be written: calls of keys with budgets are refused until it can", "err", failed)
		case failed == nil && was != nil:
			l.log.Info("the ledger's journal can be written again")
		}
		if failed != nil || !l.covers(l.count()) {
			kick(l.dirty)
		}
	}
}

// count is how many records were written.
func (l *Ledger) count() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written
}

// wait waits. It is false if the context ends before.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// keepSpare makes the next segment when the last one was taken. It retries what failed.
func (l *Ledger) keepSpare(ctx context.Context) {
	var failed error
	for {
		var again <-chan time.Time
		if failed != nil {
			again = time.After(spareWait)
		}
		select {
		case <-ctx.Done():
			return
		case <-l.wanted:
		case <-again:
		}
		was := failed
		if failed = l.makeSpare(); failed != nil && was == nil {
			l.log.Error("the ledger's journal cannot grow: calls of keys with budgets are refused until it can. Others go on until what is reserved is used up; then ledger.unrecorded in the config decides", "err", failed)
		} else if failed == nil && was != nil {
			l.log.Info("the ledger's journal can grow again")
		}
	}
}

// makeSpare removes files that are of no use, and makes the next segment if it is missing.
func (l *Ledger) makeSpare() error {
	l.making.Lock()
	defer l.making.Unlock()
	l.forgetPast()
	l.clean()
	l.mu.Lock()
	if l.spare != nil || l.closed {
		l.mu.Unlock()
		return nil
	}
	if l.current != nil && l.bytes()+l.size > l.bound {
		l.spareErr = errBound
		close(l.made)
		l.made = make(chan struct{})
		l.mu.Unlock()
		return errBound
	}
	l.highest++
	n := l.highest
	l.mu.Unlock()

	w, err := l.create(n)

	l.mu.Lock()
	close(l.made)
	l.made = make(chan struct{})
	if l.spare, l.spareErr = w, err; err != nil {
		l.useless = append(l.useless, segmentName(n))
		l.dropPast(len(l.past)) // the disk may be full
	} else if l.current == nil || l.failing != nil || l.waits > 0 {
		kick(l.dirty)
	}
	l.mu.Unlock()
	if err != nil {
		l.clean()
	}
	return err
}

// create makes a segment of zeros, so that its space is there when it is needed.
func (l *Ledger) create(n uint64) (*writing, error) {
	file, err := l.files.Create(segmentName(n))
	if err != nil {
		return nil, fmt.Errorf("cannot make a segment of the journal: %w", err)
	}
	// Linux caches a file in pieces as large as those it was written in, and looks at all blocks of a piece at each later write into it.
	const piece = 64 << 10
	zeros := make([]byte, min(piece, l.size))
	for at := int64(0); at < l.size && err == nil; at += piece {
		_, err = file.WriteAt(zeros[:min(piece, l.size-at)], at)
	}
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = l.files.Sync()
	}
	if err != nil {
		_ = file.Close() // it is removed
		return nil, fmt.Errorf("cannot reserve %d bytes for the journal: %w", l.size, err)
	}
	return newWriting(n, l.size, file), nil
}

// clean removes what is of no use. What cannot be removed is tried again the next time.
func (l *Ledger) clean() {
	l.mu.Lock()
	useless := l.useless
	l.useless = nil
	l.mu.Unlock()
	for _, name := range useless {
		if err := l.files.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.mu.Lock()
			l.useless = append(l.useless, name)
			l.mu.Unlock()
		}
	}
}

// bytes is the size of the journal. It needs l.mu.
func (l *Ledger) bytes() (sum int64) {
	for _, s := range l.segments {
		sum += s.size
	}
	if l.spare != nil {
		sum += l.spare.size
	}
	if l.current != nil {
		sum += max(0, l.current.at-l.current.size)
	}
	return sum
}
