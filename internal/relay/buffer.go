package relay

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// errTooLarge is returned when a body is longer than its bound, and errNoRoom when it does not fit into memory.
var (
	errTooLarge = errors.New("the body is larger than what is taken")
	errNoRoom   = errors.New("memory has no room for the body")
)

// buffer is a reusable byte slice for a whole body.
type buffer struct{ data []byte }

const (
	pieceSize  = 1 << 20  // the largest buffer that is kept for reuse
	freeBuffer = 64 << 10 // how large one may be without being counted: every request has room for it
	copies     = 2        // how often an answer is in memory: as it came, and changed or compressed as it goes out
)

// Grow counts bytes that the attempt holds of an answer. It implements sse.Room, and is safe for concurrent use.
func (a *attempt) Grow(n int) bool {
	a.room.Lock()
	defer a.room.Unlock()
	if m := a.run.Memory; m != nil && !m.Grow(copies*n) {
		return false
	}
	a.counted += n
	return true
}

// release gives back what was counted.
func (a *attempt) release() {
	if a.counted > 0 {
		a.Grow(-a.counted)
	}
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

func getBuffer() *buffer { return buffers.Get().(*buffer) }

// release gives the buffer back; its data must not be used any more.
func (b *buffer) release() {
	if cap(b.data) <= pieceSize {
		b.data = b.data[:0]
		buffers.Put(b)
	}
}

// Bytes that may come before a text and mean nothing: some servers put a byte order mark there, others keep a connection
// alive with line ends.
const (
	byteOrderMark = "\ufeff"
	insignificant = byteOrderMark + " \t\r\n"
)

// text is the body without a byte order mark, which JSON must not begin with and its readers may ignore (RFC 8259 § 8.1).
func (b *buffer) text() []byte { return bytes.TrimPrefix(b.data, []byte(byteOrderMark)) }

// Write implements io.Writer.
func (b *buffer) Write(p []byte) (int, error) {
	b.data = append(b.data, p...)
	return len(p), nil
}

// read fills the buffer with all of r, at most limit bytes. A declared length, -1 if unknown, sizes the buffer
// once, but is trusted only up to what a liar may cost. Room is asked for what is more than freeBuffer.
func (b *buffer) read(r io.Reader, length, limit int64, room Memory) error {
	if length > limit {
		return errTooLarge
	}
	counted := freeBuffer
	grow := func(size int) bool {
		if size > counted {
			if !room.Grow(size - counted) {
				return false
			}
			counted = size
		}
		if size > cap(b.data) {
			b.data = append(make([]byte, 0, size), b.data...)
		}
		return true
	}
	want := int(min(length+1, pieceSize))
	if !grow(max(cap(b.data), want)) {
		b.data = nil // a used one may be much larger than what comes
		if !grow(want) {
			return errNoRoom
		}
	}
	for len(b.data) < pieceSize {
		if len(b.data) == cap(b.data) && !grow(b.next()) {
			return errNoRoom
		}
		n, err := r.Read(b.data[len(b.data):cap(b.data)])
		b.data = b.data[:len(b.data)+n]
		switch {
		case int64(len(b.data)) > limit:
			return errTooLarge
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
	if start := bytes.TrimLeft(b.data, insignificant); len(start) == 0 || start[0] != '{' {
		return nil // whatever follows, this is no answer
	}
	return b.readOn(r, limit, room)
}

// readOn reads what does not fit into data. It is collected in pieces, and joined once its end has come. A body that
// never ends then takes no more than its bound, while a growing slice leaves as much garbage as it takes.
func (b *buffer) readOn(r io.Reader, limit int64, room Memory) error {
	var pieces [][]byte
	size, used := len(b.data), pieceSize
	for {
		if used == pieceSize {
			if !room.Grow(pieceSize) {
				return errNoRoom
			}
			pieces, used = append(pieces, make([]byte, pieceSize)), 0
		}
		n, err := r.Read(pieces[len(pieces)-1][used:])
		used += n
		size += n
		switch {
		case int64(size) > limit:
			return errTooLarge
		case errors.Is(err, io.EOF):
			whole := append(make([]byte, 0, size), b.data...)
			for _, p := range pieces {
				whole = append(whole, p[:min(pieceSize, size-len(whole))]...)
			}
			b.data = whole
			return nil
		case err != nil:
			return err
		}
	}
}

// next is the size to which a full buffer grows: by half, at most by a piece.
func (b *buffer) next() int {
	size := cap(b.data)
	return min(max(size+size/2, 4<<10), pieceSize)
}
