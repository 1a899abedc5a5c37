package relay

import (
	"errors"
	"io"
	"sync"
)

// errTooLarge is what reading a body beyond its bound returns.
var errTooLarge = errors.New("the body is larger than what is taken")

// buffer is a reusable byte slice for a whole body.
type buffer struct{ data []byte }

// maxKept is the largest buffer that is kept for reuse.
const maxKept = 1 << 20

var buffers = sync.Pool{New: func() any { return new(buffer) }}

func getBuffer() *buffer { return buffers.Get().(*buffer) }

// release gives the buffer back; its data must not be used any more.
func (b *buffer) release() {
	if cap(b.data) <= maxKept {
		b.data = b.data[:0]
		buffers.Put(b)
	}
}

// read fills the buffer with all of r, at most limit bytes. A declared length, -1 if unknown, sizes the buffer
// once, but is trusted only up to what a liar may cost.
func (b *buffer) read(r io.Reader, length, limit int64) error {
	if length > limit {
		return errTooLarge
	}
	if want := min(length+1, maxKept); int64(cap(b.data)) < want {
		b.data = make([]byte, 0, want)
	}
	for {
		if len(b.data) == cap(b.data) {
			b.data = append(b.data, 0)[:len(b.data)]
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
}
