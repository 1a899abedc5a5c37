package eventstream

import (
	"errors"
	"io"
)

// The buffer starts at startSize bytes and doubles as bytes of a frame arrive. The length that a frame claims costs
// nothing. One larger than keepSize is given up once the large frame is through.
const (
	startSize = 1 << 10
	keepSize  = 4 << 10
)

// maxEmptyReads is how often a source may return neither bytes nor an error before it counts as broken.
const maxEmptyReads = 100

// ErrTooLarge is returned by Next for a frame longer than the reader's bound, and ErrNoRoom when memory has no room for
// one.
var (
	ErrTooLarge = errors.New("eventstream: frame too large")
	ErrNoRoom   = errors.New("eventstream: no room for the frame")
)

// Room is asked before a reader holds more than a few kilobytes. A negative number gives them back.
type Room interface {
	Grow(bytes int) bool
}

// Reader splits a byte stream into frames. It is not safe for concurrent use.
type Reader struct {
	// Room, if set before the first Next, bounds what the reader holds. What it was asked for at the end of a stream
	// stays asked for.
	Room Room

	src      io.Reader
	max      int
	err      error // sticky: what the source ended with, or what was wrong with a frame
	buf      []byte
	small    []byte // the buffer to return to after a large frame
	pos, end int    // buf[pos:end] was read and not yet returned
	size     int    // of the frame at pos, 0 until its prelude has come
}

// NewReader returns a reader of src. maxFrame bounds a frame, in bytes.
func NewReader(src io.Reader, maxFrame int) *Reader {
	return &Reader{src: src, max: maxFrame}
}

// Next returns the next frame. It returns io.EOF at the end of the stream after a whole frame, and io.ErrUnexpectedEOF
// within one. Other errors are ErrTooLarge, ErrNoRoom, one that wraps ErrFrame, or the source's own, unwrapped. After an
// error it returns the same error again.
func (r *Reader) Next() (Frame, error) {
	for !r.Buffered() {
		switch {
		case r.err == io.EOF && r.pos < r.end:
			r.err = io.ErrUnexpectedEOF
			return Frame{}, r.err
		case r.err != nil:
			return Frame{}, r.err
		}
		r.fill()
	}
	f, err := parse(r.buf[r.pos : r.pos+r.size])
	r.pos += r.size
	r.size = 0
	if err != nil {
		r.err, r.pos = err, r.end
	}
	return f, err
}

// Buffered reports whether the next frame is complete already, so that Next returns it without reading. It leaves the
// frame before untouched.
func (r *Reader) Buffered() bool {
	if r.size == 0 && r.end-r.pos >= preludeSize {
		size, err := length(r.buf[r.pos:r.end])
		if err == nil && size > r.max {
			err = ErrTooLarge
		}
		if err != nil {
			r.err, r.pos = err, r.end
			return false
		}
		r.size = size
	}
	return r.size > 0 && r.end-r.pos >= r.size
}

// fill reads once. An error is kept: the frames that came before it are returned first.
func (r *Reader) fill() {
	if !r.makeRoom() {
		r.err = ErrNoRoom
		return
	}
	for range maxEmptyReads {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.err = err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

// makeRoom makes buf[end:] non-empty, and reports false if memory has no room for that. What is moved stays proportional
// to what was read.
func (r *Reader) makeRoom() bool {
	live, size := r.end-r.pos, len(r.buf)
	switch {
	case size == 0:
		r.buf = make([]byte, startSize)
		r.small = r.buf
	case size > len(r.small) && live <= len(r.small)/2:
		r.moveTo(r.small)
		r.grow(-counted(size))
	case r.end < size:
	case live <= size/2, r.size > 0 && r.size <= size:
		r.moveTo(r.buf)
	default:
		next := 2 * size
		if r.size > size { // no more than the frame
			next = min(next, max(r.size, keepSize))
		}
		if !r.grow(counted(next) - counted(size)) {
			return false
		}
		r.moveTo(make([]byte, next))
		if next <= keepSize {
			r.small = r.buf
		}
	}
	return true
}

// grow asks for room, or gives it back.
func (r *Reader) grow(n int) bool { return n == 0 || r.Room == nil || r.Room.Grow(n) }

// counted is what is asked for a buffer of that size.
func counted(size int) int {
	if size <= keepSize {
		return 0
	}
	return size
}

// moveTo moves what was not yet returned to the start of dst, which may be buf itself, and makes dst the buffer.
func (r *Reader) moveTo(dst []byte) {
	r.end = copy(dst, r.buf[r.pos:r.end])
	r.pos, r.buf = 0, dst
}
