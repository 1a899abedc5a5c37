package gateway

import (
	"math/bits"
	"sync"
	"unsafe"
)

// The memory of request bodies is used again, because clearing and collecting it would cost more than copying a body.
// Sizes are powers of two, so that a short body does not hold the memory of a long one while its stream runs.
const (
	leastRoom = 9  // 512 bytes, as a power of two
	mostRoom  = 20 // 1 MiB; what is larger is left to the collector
)

// rooms hold, for each size, pointers to the first byte of slices: a pointer goes into a pool without memory of its own.
var rooms [mostRoom - leastRoom + 1]sync.Pool

// roomFor is how much newRoom takes for size bytes.
func roomFor(size int64) int64 {
	if size > 1<<mostRoom {
		return size
	}
	return 1 << max(bits.Len64(uint64(max(size-1, 0))), leastRoom)
}

// newRoom returns an empty slice with room for size bytes.
func newRoom(size int64) []byte {
	class := max(bits.Len64(uint64(max(size-1, 0))), leastRoom)
	if class > mostRoom {
		return make([]byte, 0, size)
	}
	if room, ok := rooms[class-leastRoom].Get().(*byte); ok {
		return unsafe.Slice(room, 1<<class)[:0]
	}
	return make([]byte, 0, 1<<class)
}

// recycle takes the memory of a body back, which must not be in use any more.
func recycle(body []byte) {
	class := bits.Len64(uint64(cap(body))) - 1
	if cap(body) == 0 || class < leastRoom || class > mostRoom || cap(body) != 1<<class {
		return
	}
	rooms[class-leastRoom].Put(unsafe.SliceData(body))
}
