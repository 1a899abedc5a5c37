package gateway

import "testing"

// A room is as large as asked for and not much larger, and comes back only to those who ask for its size.
func TestRooms(t *testing.T) { //nolint:paralleltest // the pools are shared
	for _, size := range []int64{0, 1, 4096, 4097, 100_000, 1 << 20, 1<<20 + 1, 3_000_000} {
		room := newRoom(size)
		if len(room) != 0 || int64(cap(room)) < size || int64(cap(room)) > max(2*size, 1<<leastRoom) {
			t.Errorf("%d: length %d, room for %d", size, len(room), cap(room))
		}
		if got := roomFor(size); got < int64(cap(room)) || got > int64(cap(room))+8<<10 { // the allocator rounds up
			t.Errorf("%d: %d is counted, not %d", size, got, cap(room))
		}
		recycle(room)
	}
	recycle(nil)
	recycle(make([]byte, 0, 5000)) // its size fits none
	for range 100 {
		if room := newRoom(5000); cap(room) != 8192 {
			t.Errorf("room for %d", cap(room))
		}
	}
}

func TestRoomsAreUsedAgain(t *testing.T) { //nolint:paralleltest // the pools are shared
	if n := testing.AllocsPerRun(100, func() { recycle(newRoom(300_000)) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
