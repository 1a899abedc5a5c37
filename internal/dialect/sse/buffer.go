package sse

import (
	"bytes"
	"sync"
)

// The buffer starts at startSize bytes and doubles as an event needs it. One larger than keepSize is given
// up again once the large event is through, so that a stream that waits holds at most keepSize bytes.
//
// From leapFrom on it grows by fixed leaps, up to an event's bound. Each old buffer becomes garbage: for an event without end,
// doubling would take twice the bound, and leaps take a quarter more.
//
// While a burst lasts, the reader borrows a larger one from a pool. Many events then take one read, and one write to the caller. Two
// reads in a row that fill the buffer show that a burst has begun; one small read shows that it is over. A waiting stream holds no
// borrowed buffer.
const (
	startSize = 1 << 9
	burstSize = 16 << 10
	keepSize  = 4 << 10
	leapFrom  = 256 << 10
	leap      = 8
	readAhead = 16 << 10 // what the buffer has beyond the largest event
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

	filled int              // reads in a row after which more may have been at hand
	lent   *[burstSize]byte // whose bytes buf is while a burst lasts; else nil
}

// bursts are what is lent.
var bursts = sync.Pool{New: func() any { return new([burstSize]byte) }}

// read notes that n bytes were read where free were free.
func (b *buffer) read(n, free int) {
	b.end += n
	if n == free || n >= burstSize/8 {
		b.filled++
	} else {
		b.filled = 0
	}
}

// data is the event's data, with its capacity cut so that an append cannot overwrite what follows.
func (b *buffer) data() []byte { return b.buf[b.from:b.to:b.to] }

// before is how long the event's data is so far.
func (b *buffer) before() int {
	if !b.hasData {
		return 0
	}
	return b.to - b.from
}

// addData adds the data line whose value is buf[from:to].
func (b *buffer) addData(from, to int) {
	if !b.hasData {
		b.hasData, b.from, b.to = true, from, to
		return
	}
	b.buf[b.to] = '\n'
	b.to += 1 + copy(b.buf[b.to+1:], b.buf[from:to])
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

// makeRoom makes buf[end:] non-empty, and reports false if room refuses. It moves or grows only when at most an eighth is
// free, and leaves a quarter free. So the bytes moved stay proportional to the bytes read. No more than max bytes are
// alive, the bytes ahead of an unfinished line included.
func (b *buffer) makeRoom(room Room, max int) bool {
	live := b.end - b.pos
	if b.hasData {
		live += b.to - b.from + 1
	}
	size := len(b.buf)
	switch burst := b.filled > 1; {
	case size == 0:
		b.buf = make([]byte, startSize)
		b.small = b.buf
	case burst && size < burstSize && (room == nil || room.Grow(counted(burstSize)-counted(size))):
		lent := bursts.Get().(*[burstSize]byte)
		b.moveTo(lent[:])
		b.lent = lent
	case burst && b.lent != nil && live <= size/2:
		b.moveTo(b.buf)
	case live == 0, size > len(b.small) && live <= len(b.small)/2:
		b.moveTo(b.small)
		if held := counted(size); held > 0 && room != nil {
			room.Grow(-held)
		}
	case size-b.end > size/8:
	case size-live > size/4:
		b.moveTo(b.buf)
	case size >= leapFrom && size >= max+readAhead: // as large as it gets
		if live < b.end {
			b.moveTo(b.buf)
		}
	default:
		next := 2 * size
		if size >= leapFrom {
			next = min(leap*size, max+readAhead)
		}
		if room != nil && !room.Grow(counted(next)-counted(size)) {
			return false
		}
		b.moveTo(make([]byte, next))
		if len(b.buf) <= keepSize {
			b.small = b.buf
		}
	}
	return true
}

// counted is what is asked for a buffer of that size.
func counted(size int) int {
	if size <= keepSize {
		return 0
	}
	return size
}

// moveTo moves what is alive to the start of dst, which may be buf itself, and makes dst the buffer.
func (b *buffer) moveTo(dst []byte) {
	start := 0
	if b.hasData {
		start = b.to - b.from + 1               // one byte free before it, for the \n of a next data line
		if b.from > 0 || &dst[0] != &b.buf[0] { // otherwise it is in place already, as in a long event of short lines
			copy(dst, b.data())
		}
		b.from, b.to = 0, start-1
	}
	shift := b.pos - start
	b.end = start + copy(dst[start:], b.buf[b.pos:b.end])
	b.pos = start
	b.lf.at -= shift
	b.cr.at -= shift
	if b.lent != nil && &dst[0] != &b.buf[0] {
		bursts.Put(b.lent)
		b.lent = nil
	}
	b.buf = dst
}

// finder remembers how far a byte was searched for, so that no byte is searched twice, however slowly
// the stream trickles in.
type finder struct {
	at     int // none before at, perhaps one at it
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
