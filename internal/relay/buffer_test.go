package relay

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// most is a Memory that has so many bytes.
type most struct{ free, used int }

func (m *most) Grow(n int) bool {
	if n > m.free {
		return false
	}
	m.free, m.used = m.free-n, m.used+n
	return true
}

// A body is read whole whether its length is given, is missing, or is wrong, and its memory is asked for before.
func TestBufferReads(t *testing.T) {
	t.Parallel()
	const limit = 8 << 20
	for _, size := range []int{0, 1, 4 << 10, freeBuffer - 1, freeBuffer, 1 << 20, 1<<20 + 1, 3<<20 + 5} {
		text := strings.Repeat("{123456789abcdef", size/16+1)[:size]
		for _, declared := range []int64{-1, int64(size), 1, limit} {
			room := &most{free: 64 << 20}
			b := new(buffer)
			if err := b.read(iotest.OneByteReader(strings.NewReader(text[:min(size, 4<<10)])), declared, limit, room); err != nil {
				t.Fatal(err)
			}
			b = new(buffer)
			room = &most{free: 64 << 20}
			if err := b.read(strings.NewReader(text), declared, limit, room); err != nil || string(b.data) != text {
				t.Fatalf("%d bytes, declared %d: %d came, %v", size, declared, len(b.data), err)
			}
			slack := 8 << 10
			if size >= pieceSize { // it is counted in pieces
				slack += pieceSize
			}
			if held := max(cap(b.data)-freeBuffer, 0); room.used < held || room.used > held+slack {
				t.Errorf("%d bytes, declared %d: %d are held, %d were asked for", size, declared, held, room.used)
			}
			if err := new(buffer).read(strings.NewReader(text), declared, limit, &most{free: room.used - 1}); room.used > 0 && !errors.Is(err, errNoRoom) {
				t.Errorf("%d bytes, declared %d, without room: %v", size, declared, err)
			}
		}
	}
	if err := new(buffer).read(strings.NewReader("x"), limit+1, limit, new(most)); !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
	if err := new(buffer).read(io.MultiReader(strings.NewReader(strings.Repeat("{", limit)), strings.NewReader("x")), -1, limit, &most{free: 64 << 20}); !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
	b := new(buffer)
	if err := b.read(strings.NewReader(strings.Repeat(" ", 4<<10)+strings.Repeat("<", limit)), -1, limit, &most{free: 2 << 20}); err != nil || len(b.data) > pieceSize {
		t.Errorf("of what is no answer %d bytes were read, %v", len(b.data), err)
	}
	broken := errors.New("broken")
	if err := new(buffer).read(io.MultiReader(strings.NewReader(strings.Repeat("{", 2<<20)), iotest.ErrReader(broken)), -1, limit, &most{free: 64 << 20}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// A buffer that was large once does not keep a small answer out when memory is short.
func TestUsedBuffersAreNoObstacle(t *testing.T) {
	t.Parallel()
	b := &buffer{data: make([]byte, 0, pieceSize)}
	if err := b.read(strings.NewReader("small"), -1, 1<<20, new(most)); err != nil || string(b.data) != "small" || cap(b.data) > freeBuffer {
		t.Errorf("%q, room for %d, %v", b.data, cap(b.data), err)
	}
}

// Each attempt gives back what it was given, so that the next one finds the memory as it was.
func TestAttemptsGiveBack(t *testing.T) {
	t.Parallel()
	room := &most{free: 1 << 20}
	a := &attempt{run: &run{Request: &Request{Memory: room}}}
	if !a.Grow(100_000) || room.used != copies*100_000 || !a.Grow(-50_000) || a.Grow(1<<20) {
		t.Errorf("%+v", room)
	}
	a.release()
	a.release()
	if room.used != 0 {
		t.Errorf("%d bytes are left", room.used)
	}
}
