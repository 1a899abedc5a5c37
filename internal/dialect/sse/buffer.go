package sse

import "bytes"

// The buffer starts at startSize bytes and doubles as an event needs it. One larger than keepSize is given
// up again once the large event is through, so that a stream that waits holds at most keepSize bytes.
const (
	startSize = 4 << 10
	keepSize  = 8 << 10
)

// buffer holds what was read and not yet delivered.
type buffer struct {
	// buf[pos:end] is not yet parsed; pos is always the start of a line.
	buf      []byte
	pos, end int
	// small is the buffer to return to after a large event; otherwise it is buf itself.
	small []byte

	// The data so far of the event being read is buf[from:to], before pos. A second data line is moved down
	// to the first one's end: without its field name it is always short enough.
	hasData  bool
	from, to int

	lf, cr finder
}

// data is the event's data, cut off so that appending to it cannot touch what lies behind it.
func (b *buffer) data() []byte { return b.buf[b.from:b.to:b.to] }

// addData adds the data line whose value is buf[from:to]. It reports false if the event's data becomes longer than max.
func (b *buffer) addData(from, to, max int) bool {
	if !b.hasData {
		b.hasData, b.from, b.to = true, from, to
		return true
	}
	if b.to-b.from+1+to-from > max {
		return false
	}
	b.buf[b.to] = '\n'
	b.to += 1 + copy(b.buf[b.to+1:], b.buf[from:to])
	return true
}

// lineEnd is the index of the first CR or LF of the unparsed bytes, or -1.
func (b *buffer) lineEnd() int {
	lf := b.lf.next(b.buf[:b.end], b.pos, '\n')
	cr := b.cr.next(b.buf[:b.end], b.pos, '\r')
	if cr >= 0 && (lf < 0 || cr < lf) {
		return cr
	}
	return lf
}

// makeRoom makes buf[end:] non-empty. It moves or grows only when an eighth or less is free, and leaves
// a quarter free, so that the bytes moved stay proportional to the bytes read.
func (b *buffer) makeRoom() {
	live := b.end - b.pos
	if b.hasData {
		live += b.to - b.from + 1
	}
	size := len(b.buf)
	switch {
	case size == 0:
		b.buf = make([]byte, startSize)
		b.small = b.buf
	case live == 0, size > len(b.small) && live <= len(b.small)/2:
		b.moveTo(b.small)
	case size-b.end > size/8:
	case size-live > size/4:
		b.moveTo(b.buf)
	default:
		b.moveTo(make([]byte, 2*size))
		if len(b.buf) <= keepSize {
			b.small = b.buf
		}
	}
}

// moveTo moves what is alive to the start of dst, which may be buf itself, and makes dst the buffer.
func (b *buffer) moveTo(dst []byte) {
	start := 0
	if b.hasData {
		start = copy(dst, b.data()) + 1 // one byte apart, for the \n of a next data line
		b.from, b.to = 0, start-1
	}
	shift := b.pos - start
	b.end = start + copy(dst[start:], b.buf[b.pos:b.end])
	b.pos = start
	b.lf.at -= shift
	b.cr.at -= shift
	b.buf = dst
}

// finder remembers how far a byte was searched for, so that no byte is searched twice, however slowly
// the stream trickles in.
type finder struct {
	at     int // there is none before at, and perhaps one at it
	looked int // bytes searched so far; only the test of that promise reads it
}

// next is the index of the first c in b[from:], or -1. from never decreases, and b only grows at its end.
func (f *finder) next(b []byte, from int, c byte) int {
	f.at = max(f.at, from)
	if f.at < len(b) && b[f.at] == c {
		return f.at
	}
	i := bytes.IndexByte(b[f.at:], c)
	if i < 0 {
		f.looked += len(b) - f.at
		f.at = len(b)
		return -1
	}
	f.looked += i + 1
	f.at += i
	return f.at
}
