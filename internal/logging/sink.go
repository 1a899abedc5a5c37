package logging

import (
	"bytes"
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/weirproxy/weir/internal/secret"
)

const (
	// mostWaiting is how many bytes of lines wait for the writer, about a thousand lines; as many may be with the writer.
	mostWaiting = 512 << 10
	// keptBuffer is the largest buffer that is kept when its lines are written.
	keptBuffer = 64 << 10
)

// sink passes lines on to a writer that may block. Its Write never does: lines wait in a bounded buffer that one goroutine
// writes out. When the buffer is full, lines are dropped and counted; the first line after a gap reports their number. It is
// safe for concurrent use.
type sink struct {
	to   io.Writer
	note func(dropped uint64) []byte // makes the line that reports dropped lines

	dropped atomic.Uint64 // in all
	wake    chan struct{}
	done    chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex // guards what follows
	waiting []byte
	gap     uint64 // lines dropped after those that wait
	closed  bool

	// Used only by the goroutine.
	refused uint64 // lines that the writer did not take, and that no line has reported yet
	torn    bool   // the writer took a part of a line
}

// newSink starts a sink, which must be closed.
func newSink(to io.Writer, note func(dropped uint64) []byte) *sink {
	s := &sink{to: to, note: note, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go s.run()
	return s
}

// Write takes one line. It keeps no reference to it and never fails. Keys that callers wrote where they do not belong are hidden.
func (s *sink) Write(line []byte) (int, error) {
	taken := len(line)
	line = secret.Hide(line)
	s.mu.Lock()
	if s.closed || s.gap > 0 || len(s.waiting)+len(line) > mostWaiting {
		s.gap++
		s.dropped.Add(1)
	} else {
		s.waiting = append(s.waiting, line...)
	}
	s.mu.Unlock()
	s.ring()
	return taken, nil
}

func (s *sink) ring() {
	select {
	case s.wake <- struct{}{}:
	default: // it is awake already
	}
}

// run writes what waits, until the sink is closed and empty.
func (s *sink) run() {
	defer close(s.done)
	var spare []byte
	for range s.wake {
		for {
			lines, gap, closed := s.take(spare)
			if spare = lines; cap(spare) > keptBuffer { // the one before is filled from here on, even if nothing waited
				spare = nil
			}
			if len(lines) > 0 || gap > 0 {
				s.put(lines, gap)
			} else if closed {
				return
			} else {
				break
			}
		}
	}
}

// take returns the lines that wait and how many were dropped after them. Further lines go into spare.
func (s *sink) take(spare []byte) (lines []byte, gap uint64, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines, gap = s.waiting, s.gap
	s.waiting, s.gap = spare[:0], 0
	return lines, gap, s.closed
}

// put writes lines, and after them how many were dropped.
func (s *sink) put(lines []byte, gap uint64) {
	if s.refused > 0 && len(lines) > 0 && s.report(s.refused) {
		s.refused = 0
	}
	if n, err := s.to.Write(lines); err != nil && len(lines) > 0 {
		lost := uint64(bytes.Count(lines[n:], []byte{'\n'}))
		s.dropped.Add(lost)
		s.refused += lost
		s.torn = s.torn || n > 0 && lines[n-1] != '\n'
	}
	if gap > 0 && !s.report(gap) {
		s.refused += gap
	}
}

// report writes a line that says how many lines were dropped, on a line of its own though the one before it broke off.
func (s *sink) report(dropped uint64) bool {
	line := s.note(dropped)
	if s.torn {
		line = append([]byte{'\n'}, line...)
	}
	_, err := s.to.Write(line)
	s.torn = s.torn && err != nil
	return err == nil
}

// close writes what waits, for as long as ctx lasts. Lines that come later are dropped.
func (s *sink) close(ctx context.Context) {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.ring()
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}
