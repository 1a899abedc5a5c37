package h1

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// poll is WSAPoll, which asks sockets how they are without waiting. Go's sockets block, so that looking at what is there to
// read by reading it could wait for ever.
var poll = windows.NewLazySystemDLL("ws2_32.dll").NewProc("WSAPoll")

const readable = 0x0100 | 0x0200 // POLLRDNORM, POLLRDBAND

// polled is a WSAPOLLFD.
type polled struct {
	socket       uintptr
	events, said int16
}

// silent reports whether the socket is open with no data to read. Data, the end of the stream, a reset and any error are events,
// and a socket that cannot be asked is not used again.
func silent(socket uintptr) bool {
	asked := polled{socket: socket, events: readable}
	n, _, _ := poll.Call(uintptr(unsafe.Pointer(&asked)), 1, 0)
	return int32(n) == 0 && asked.said == 0
}
